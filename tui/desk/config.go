package desk

import (
	"context"
	"fmt"
	"io"
	"iter"
	"learnings/index/insights"
	"learnings/index/recall"
	"learnings/tui/kit"
	"strings"
	"time"

	"learnings/index/curate"
	"learnings/lessons"
)

// A Config is what the screens work on. Corpus must be set.
type Config struct {
	Corpus *curate.Corpus
	Place  string   // where the lessons are, as people know the place
	Editor []string // the person's editor with its arguments; empty when none is set
	Undo   string   // what to type to take the last decision back

	Reading
	Models
	Checks
	// Exchange takes lessons in from other programs and gives them back. With nil
	// functions nothing of that is done.
	Exchange Exchange
	Counting
	Next NextConfig
	Preferences
	Terminal Terminal

	TrustEdits bool // lessons from outside are given to sessions as they are: there is nothing to confirm
	Sample     bool // the lessons are the built-in sample, which every screen says
	// OfferSample gives the built-in sample to look at when there is nothing
	// else. It is nil when there is none, or when this is the sample.
	OfferSample func() (Config, error)

	// Clean takes secrets out of what was said before it becomes part of a lesson, and
	// Project names the project of a folder. Without Clean no lesson is made by hand.
	Clean   func(string) string
	Project func(dir string) string
	// Publish brings files that agents read up to date after a decision; nil does
	// nothing. The index has followed the corpus.
	Publish func(context.Context) error
}

// A Reading finds sessions and extracts from them.
type Reading struct {
	// Sessions finds the transcripts of this machine. Each may come twice, the
	// second time with what was learned by reading it. Looked are the places
	// that it searches.
	Sessions func(context.Context) iter.Seq2[Session, error]
	Looked   []string
	// Where reads a query about sessions, as `learnings sessions --where` has it, and says
	// of which transcripts it is, by their paths. It is set where Sessions is.
	Where func(query string) (func(path string) bool, error)
	// Extract reads what is new in one transcript, puts the proposals into the
	// store and says what there was. It calls progress with the bytes read
	// so far, from its own goroutine.
	Extract func(ctx context.Context, path string, progress func(read int64)) (Found, error)
	Paused  func(now time.Time) bool // nobody listens to sessions then; nil is never
}

// Models ask a model. The functions are nil when no model can be asked.
type Models struct {
	// AtHand names the model that is offered first, or "".
	AtHand func(context.Context) string
	// Model finds what no model has read yet of some transcripts, or of all for none,
	// and what it would be sent and cost; it asks nobody. The model is that of a name,
	// or for "" the one to be offered first.
	Model func(ctx context.Context, name string, paths []string) (ModelRun, error)
	// Reword finds what it would send and cost to have a proposal worded better by the
	// model that is offered first.
	Reword func(context.Context, lessons.Lesson) (RewordRun, error)
}

// Checks tell more of lessons. They are called when a lesson is opened, never for a frame,
// and may be nil.
type Checks struct {
	// Published names the files and stores in which a lesson is published.
	Published func(lessons.Lesson) []string
	// Guard finds what of a lesson can be enforced, and what that would have stopped. Guarded
	// says what of agents it stops here, and how often it did; "" for nothing.
	Guard   func(context.Context, lessons.Lesson) (GuardPlan, error)
	Guarded func(lessons.Lesson) string
	// Outdated says what a lesson names that its project no longer has, where the desk
	// was opened in the project. AllOutdated are the approved lessons of that project of
	// which Outdated says something; it may take seconds.
	Outdated    func(context.Context, lessons.Lesson) []lessons.Doubt
	AllOutdated func(context.Context) ([]lessons.Lesson, error)
}

// A Counting has the figures of Insights. The functions are nil when nobody can count.
type Counting struct {
	// Figures counts what the corpus does, of a project or of all for "". Without anew it
	// gives what was counted last, at once, or nil.
	Figures func(ctx context.Context, project string, anew bool) (*Figures, error)
	// Cure proposes a lesson from a mistake of the figures, or gives the one that is about
	// it already. It reads all sessions.
	Cure func(ctx context.Context, mistake lessons.ID) (l lessons.Lesson, old bool, err error)
}

// Preferences are how a person has the desk.
type Preferences struct {
	Keys  map[string]KeyChoice // that the person chose, by the names of [KeyNames]
	Theme string               // one of look.Themes; "" is the first
	ASCII bool                 // signs are of ASCII
	Still bool                 // nothing moves: words stand for spinners
	// Clipboard is how a text is copied: auto by the terminal and by the system, none not at
	// all, and else by the terminal.
	Clipboard string
	NoTitle   bool // neither the window's title nor the terminal's progress bar is set
	NoMouse   bool

	// Set keeps a setting of the desk under its name in config.toml. With nil it holds until
	// the person quits.
	Set     func(key, value string) error
	Actions []Action
	// Views are the queries that the person gave a name, for Browse. SetView keeps one, or
	// forgets it where the query is ""; nil when none can be kept.
	Views   map[string]string
	SetView func(name, query string) error
}

// An Exchange is how lessons come from other programs and go there.
type Exchange struct {
	// Stores are those of other programs that are on this machine, to read or to write.
	Stores func(write bool) []Store
	// Import and Export find what would be done with a path, the name of a format, or the
	// name and a path after a space. They change nothing.
	Import func(ctx context.Context, what string) (Preview, error)
	Export func(ctx context.Context, what string) (Preview, error)

	// Forms are those in which lessons that a person has chosen can be written, and Chosen
	// finds what would be done then. Copied gives them as a text, and Page finds what a page
	// for a browser would be.
	Forms  func() []Form
	Chosen func(ctx context.Context, form, path string, ids []lessons.ID) (Preview, error)
	Copied func(ctx context.Context, form string, ids []lessons.ID) (string, error)
	Page   func(ctx context.Context, title, path string, ids []lessons.ID) (Preview, error)
}

// What lessons are written to, and what that would do, is told by those who write them.
type (
	Store   = curate.Shop
	Form    = curate.Form
	Preview = curate.Preview
)

// A ModelRun is what a model would be asked about, and has not been.
type ModelRun struct {
	Name  string   // of the model
	Where string   // it is, and what else there is to know
	Names []string // of all models at hand

	Sessions, Calls, Tokens int
	Cost                    string // at most, in words
	Ceiling                 string // of a run; "" for none
	Text                    string // what would be sent

	// Run asks, and stores what is found.
	Run func(ctx context.Context, progress func(Progress)) (Found, error)
}

// A RewordRun is the question for a better wording of a proposal, which was not asked.
type RewordRun struct {
	Name   string // of the model
	Cost   string // at most, in words
	Free   bool
	Tokens int
	Text   string // what would be sent

	// Run asks, stores the wording as an offer, and gives the proposal as it is then.
	Run func(context.Context) (lessons.Lesson, error)
}

// A Terminal is where the screens are shown. The zero Terminal is that of the
// process.
type Terminal struct {
	In  io.Reader
	Out io.Writer
	Env []string
	// Getenv tells where the terminal is: in tmux, at the end of a connection. Without it
	// only the terminal itself is asked to copy.
	Getenv func(string) string
}

// A Session is one transcript.
type Session struct {
	Path        string
	Agent       string
	Project     string
	ID          string
	Prompt      string // the beginning of the first thing that a person said; "" while unknown
	Start       time.Time
	Size        int64   // bytes
	Human       int     // turns of a person; -1 while unknown
	Corrections int     // by the person; -1 while unknown
	Errors      int     // of tools; -1 while unknown
	Ratio       float64 // files read for each edit; negative where nothing was edited, or it is unknown
	Taken       int     // lessons proposed from it so far
	New         bool    // it holds something that was not read for lessons yet
	Problem     string
}

// A GuardPlan is what of a lesson can be enforced, and is not yet or is.
type GuardPlan struct {
	Guard    lessons.Guard // as it would be; whether it denies is for the person to say
	Stops    string        // what it stops, in words
	Trial    string        // what it would have stopped in past sessions, in a sentence
	Examples []string      // of those, a line each
}

// Figures are what Insights shows.
type Figures = insights.Figures

// A NextConfig says what next sessions are given.
type NextConfig struct {
	// Ahead gives what the next session of an agent would be told, were its first prompt
	// the one of the situation; the agent is one of Agents, or "" for whoever runs
	// `learnings inject`. It is nil when nobody can say.
	Ahead    func(ctx context.Context, agent string, s recall.Situation) (recall.Ahead, error)
	Agents   func() []NextAgent                      // all there are; asked once, when the screen is first shown
	Projects func(context.Context) ([]string, error) // as they are written
	Project  string                                  // that is looked at first: where the person is
	Role     string                                  // of an agent that names none
	Budget   recall.Budget                           // of what a session is given
}

// A NextAgent is one that can be told something.
type NextAgent struct {
	Name, Title string
	Takes       string // in a few words, when it is told something
	Here        bool   // it is on this machine
}

// An Action is something that the program does, which the palette offers.
type Action struct {
	Name, About string
	Off         string // why it cannot be done; "" when it can
	// Do does it and says what came of it: one line, or a page to read.
	Do func(context.Context) (string, error)
}

// A KeyChoice is what a person wrote for an action in [keys], and where.
type KeyChoice = struct {
	Keys  []string
	Place string
}

// A Progress says how far an extraction has come.
type Progress struct {
	Path        string // the file under way
	File, Files int    // files done, and all of them
	Done, Total int64  // bytes
	Found
	Failed int    // files that could not be read
	Read   []Read // what came of the files that are done, in their order
}

// A Read is what came of reading one file.
type Read struct {
	Path string
	Found
	Err error
}

// Found is what an extraction has found.
type Found struct {
	Lessons int // proposed
	Maybe   int // of these, what may be lessons
	Offered int // proposals that were offered a better wording
}

// String names what may be lessons, and what is offered, apart.
func (f Found) String() string {
	var parts []string
	if f.Maybe > 0 {
		parts = append(parts, fmt.Sprintf("%s likely and %s maybe", kit.Grouped(f.Lessons-f.Maybe), kit.Grouped(f.Maybe)))
	} else if f.Lessons > 0 || f.Offered == 0 {
		parts = append(parts, kit.LessonsOf(f.Lessons))
	}
	if f.Offered > 0 {
		parts = append(parts, kit.Counted(f.Offered, "better wording"))
	}
	return strings.Join(parts, ", ")
}

// Plus is what two extractions have found together.
func (f Found) Plus(g Found) Found {
	return Found{f.Lessons + g.Lessons, f.Maybe + g.Maybe, f.Offered + g.Offered}
}
