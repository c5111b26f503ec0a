package desk

import (
	"context"
	"io"
	"iter"
	"learnings/index/insights"
	"learnings/index/recall"
	"learnings/tui/kit"
	"time"

	"learnings/index/curate"
	"learnings/lessons"
	"learnings/lessons/exchange/formats"
)

// A Config is what the desk works on. Corpus must be set.
type Config struct {
	Corpus *curate.Corpus
	Place  string   // where the lessons are, as shown to people
	Editor []string // the person's editor and its arguments; empty if none is set
	Undo   string   // the command that undoes the last decision

	Reading
	Models
	Checks
	// Exchange imports and exports lessons. Its functions may be nil.
	Exchange Exchange
	Counting
	Next NextConfig
	Preferences
	Terminal Terminal

	Trusts        string       // what the settings trust and no person has confirmed; "" for nothing
	ConfirmTrusts func() error // confirms it

	TrustEdits bool // lessons from outside are given to sessions without confirmation
	Sample     bool // the lessons are the built-in sample; every screen says so
	// OfferSample returns the built-in sample, for a desk with nothing to show. It is nil
	// if there is no sample, or if this is the sample.
	OfferSample func() (Config, error)

	// Clean removes secrets from what was said before it becomes part of a lesson, and
	// Project names the project of a folder. If Clean is nil, no lesson can be made by
	// hand.
	Clean   func(string) string
	Project func(dir string) string
	// Suspects describes the lessons that may not leave this machine unasked, a line each;
	// let records that the person lets them. With nil all may.
	Suspects func([]lessons.Lesson) (lines []string, let func() error)
	// Publish updates the files that agents read after a decision. The index is up to
	// date then. It may be nil.
	Publish func(context.Context) error
}

// A Reading finds sessions and extracts from them.
type Reading struct {
	// Sessions finds the transcripts of this machine. It may yield each twice, the second
	// time with what reading it revealed. Looked are the places searched.
	Sessions func(context.Context) iter.Seq2[Session, error]
	Looked   []string
	// Where parses a query as in `learnings sessions --where` and returns a function that
	// matches transcripts by path. It is set if Sessions is.
	Where func(query string) (func(path string) bool, error)
	// Extract reads what is new in transcripts and stores the proposals. It yields the result
	// of each that had something new, in order, until ctx ends.
	Extract func(ctx context.Context, paths []string) iter.Seq[Read]
	Paused  func(now time.Time) bool // reports whether listening to sessions is paused; nil means never
}

// Models asks language models. The functions are nil if no model can be asked.
type Models struct {
	// AtHand returns the model offered first.
	AtHand func(context.Context) AtHand
	// Model returns what the named model would read, be sent and cost for some
	// transcripts, or for all if paths is empty. It counts only what no model has read.
	// It sends nothing. The name "" means the model offered first.
	Model func(ctx context.Context, name string, paths []string) (ModelRun, error)
	// Reword returns what asking the model offered first for a better wording would send
	// and cost.
	Reword func(context.Context, lessons.Lesson) (RewordRun, error)
}

// Checks find out more about a lesson when it is opened, never during a frame. They may
// be nil.
type Checks struct {
	// Published names the files and stores where a lesson is published.
	Published func(lessons.Lesson) []string
	// Guard returns what can be enforced of a lesson, and what that would have stopped.
	// Guarded says what a lesson's guard stops here and how often it did; "" for nothing.
	Guard   func(context.Context, lessons.Lesson) (GuardPlan, error)
	Guarded func(lessons.Lesson) string
	// Outdated returns what a lesson names that its project no longer has, if the desk
	// was opened in that project. AllOutdated returns the approved lessons of the project
	// with such doubts; it may take seconds.
	Outdated    func(context.Context, lessons.Lesson) []lessons.Doubt
	AllOutdated func(context.Context) ([]lessons.Lesson, error)
}

// A Counting computes the figures of Insights. The functions may be nil.
type Counting struct {
	// Figures counts what the corpus of some projects does, or of all for nil.
	// Without anew it returns the last result at once, or nil.
	Figures func(ctx context.Context, projects []string, anew bool) (*Figures, error)
	// Cure proposes a lesson about a mistake in the figures, or returns the existing one
	// with old set. It reads all sessions.
	Cure func(ctx context.Context, mistake lessons.ID) (l lessons.Lesson, old bool, err error)
}

// Preferences are the person's settings of the desk.
type Preferences struct {
	Keys map[string]KeyChoice // the person's keys, by the names of [KeyNames]
	// Commands are lines for the shell by key, with placeholders for the current lesson;
	// see [Desk.Command].
	Commands map[string]string
	Theme    string // one of look.Themes; "" is the first
	ASCII    bool   // draw signs in ASCII
	Still    bool   // no animation: words replace spinners
	// Clipboard says how to copy: "auto" by the terminal and the system, "none" not at
	// all, anything else by the terminal.
	Clipboard string
	NoTitle   bool // set neither the window's title nor the terminal's progress bar
	NoMouse   bool

	// Set writes a setting of the desk to config.toml. If nil, settings last until the
	// person quits.
	Set     func(key, value string) error
	Actions []Action
	// Views are the person's named queries for Browse. SetView keeps one, or removes it
	// if the query is ""; nil if none can be kept.
	Views   map[string]string
	SetView func(name, query string) error
}

// An Exchange imports lessons from other programs and exports to them.
type Exchange struct {
	// Stores returns the stores of other programs on this machine, to read or to write.
	Stores func(write bool) []Store
	// Import and Export return a preview. They take a path, the name of a format, or a
	// name and a path separated by a space, and change nothing.
	Import func(ctx context.Context, what string) (Preview, error)
	Export func(ctx context.Context, what string) (Preview, error)

	// Forms are the formats in which chosen lessons can be written. Chosen previews
	// writing them, Copied returns them as text, and Page previews a page for a browser.
	Forms  func() []Form
	Chosen func(ctx context.Context, form, path string, ids []lessons.ID) (Preview, error)
	Copied func(ctx context.Context, form string, ids []lessons.ID) (string, []lessons.Lesson, error)
	Page   func(ctx context.Context, title, path string, ids []lessons.ID) (Preview, error)
}

// Types of package curate that describe where lessons are written.
type (
	Store   = curate.Shop
	Form    = curate.Form
	Preview = curate.Preview
)

// AtHand is the model at hand, and what the person has said of it.
type AtHand struct {
	Model    string // "" for none
	Answered bool   // the person has said which model, or none, may read by itself
	Reads    bool   // it reads by itself
}

// A ModelRun describes a request to a model before it is sent.
type ModelRun struct {
	Name  string   // the model
	Where string   // where it runs, and other remarks
	Names []string // all models at hand

	Sessions, Calls, Tokens int
	Cost                    string // at most, in words
	Ceiling                 string // limit of cost for a run; "" for none
	Text                    string // what would be sent

	// Answered says whether the person has said that a model, or none, reads by itself.
	// If not, Agree records the answer: this model, up to PerDay, or none.
	Answered bool
	PerDay   string
	Agree    func(yes bool) error

	// Run sends it and stores the proposals.
	Run func(ctx context.Context, progress func(Progress)) (Found, error)
}

// A RewordRun describes a request for a better wording before it is sent.
type RewordRun struct {
	Name   string // the model
	Cost   string // at most, in words
	Free   bool
	Tokens int
	Text   string // what would be sent

	// Run sends it, stores the wording as an offer, and returns the updated proposal.
	Run func(context.Context) (lessons.Lesson, error)
}

// A Terminal is where the desk is shown. The zero Terminal is that of the process.
type Terminal struct {
	In  io.Reader
	Out io.Writer
	Env []string
	// Getenv tells whether the terminal is in tmux or remote. If nil, only the terminal
	// itself is asked to copy.
	Getenv func(string) string
}

// A Session is one transcript.
type Session struct {
	Path        string
	Agent       string
	Project     string
	ID          string
	Prompt      string // the beginning of the person's first prompt; "" while unknown
	Start       time.Time
	Size        int64   // bytes
	Human       int     // turns of the person; -1 while unknown
	Corrections int     // by the person; -1 while unknown
	Errors      int     // of tools; -1 while unknown
	Ratio       float64 // files read per edit; negative if nothing was edited, or while unknown
	Taken       int     // lessons proposed from it so far
	New         bool    // it has content not yet read for lessons
	Problem     string
}

// A GuardPlan is what can be enforced of a lesson.
type GuardPlan struct {
	Guard    lessons.Guard // the person chooses whether it denies
	Stops    string        // what it stops, in words
	Trial    string        // what it would have stopped in past sessions, in a sentence
	Examples []string      // some of those, a line each
}

// Figures are what Insights shows.
type Figures = insights.Figures

// A NextConfig predicts what the next sessions are given.
type NextConfig struct {
	// Ahead returns what the next session of an agent would be told if its first prompt
	// were that of s. The agent is one of Agents, or "" for `learnings inject`. It may be
	// nil.
	Ahead func(ctx context.Context, agent string, s recall.Situation) (recall.Ahead, error)
	// Reads returns what a session of an agent reads at its start besides the lessons that
	// it is given. It may be nil.
	Reads    func(ctx context.Context, agent, project string, given []lessons.Lesson) formats.Opening
	Agents   func() []NextAgent                      // called once, when the screen is first shown
	Projects func(context.Context) ([]string, error) // as written in lessons
	Project  string                                  // the initial one: where the person is
	Role     string                                  // for an agent that names none
	Budget   recall.Budget                           // of a session
}

// A NextAgent is an agent that can be given lessons.
type NextAgent struct {
	Name, Title string
	Takes       string // when it is given lessons, in a few words
	Here        bool   // installed on this machine
}

// An Action is a function of the program that the palette offers.
type Action struct {
	Name, About string
	Off         string // why it is off; "" if it is on
	// Do runs it and returns its result: one line, or a page to read.
	Do func(context.Context) (string, error)
}

// A KeyChoice is what the person wrote for an action in [keys], and where.
type KeyChoice = struct {
	Keys  []string
	Place string
}

// A Progress reports how far an extraction is.
type Progress struct {
	Path        string // the current file
	File, Files int    // files done, and all files
	Done, Total int64  // bytes
	Found
	Failed int    // files that could not be read
	Read   []Read // the results of the files done, in order
}

// A Read is the result of reading one file.
type Read struct {
	Path string
	Found
	Err error
}

// Found counts what an extraction found.
type Found struct {
	Lessons int // proposals
	Offered int // proposals that got an offer of a better wording
}

// String names lessons and offers separately.
func (f Found) String() string {
	switch {
	case f.Offered == 0:
		return kit.LessonsOf(f.Lessons)
	case f.Lessons == 0:
		return kit.Counted(f.Offered, "better wording")
	}
	return kit.LessonsOf(f.Lessons) + ", " + kit.Counted(f.Offered, "better wording")
}

// Plus adds two counts.
func (f Found) Plus(g Found) Found { return Found{f.Lessons + g.Lessons, f.Offered + g.Offered} }
