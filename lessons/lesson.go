// Package lessons defines what a lesson is and how it is decided on.
//
// A [Lesson] is one thing that a coding agent should know the next time: a rule that a
// person stated, a correction, an error and its cure. It starts as a proposal ([Pending])
// and becomes active only when a person approves it. Decisions are pure: each takes a
// lesson and returns a new one or an error; nothing here reads a file, a clock or a
// random source.
//
// The terms are those of the systems whose stores we share (Octomind, amplihack, Gimli,
// claude-mem); where they differ, one table in this package converts.
package lessons

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Errors that callers test for.
var (
	ErrNotFound = errors.New("no such lesson")
	ErrConflict = errors.New("the lesson has changed since it was read")
	ErrInvalid  = errors.New("invalid lesson")
)

// An ID names a lesson for ever. It is never reused; edits, moves and merges keep it.
type ID string

// A Rev identifies the state of a stored lesson when it was read: a hash of its file. It
// is "" for a lesson that was never stored. A write with an outdated Rev fails with
// [ErrConflict].
type Rev string

// A Status is the stage of a lesson's life.
type Status string

const (
	Pending  Status = "pending"  // proposed, not yet judged
	Approved Status = "approved" // active: given to coming sessions
	Rejected Status = "rejected" // a tombstone that keeps the same proposal from coming back
	Merged   Status = "merged"   // lives on in Decision.Into
	Archived Status = "archived" // approved once, no longer given
)

// Statuses are all of them, in the order of a lesson's life.
var Statuses = []Status{Pending, Approved, Rejected, Merged, Archived}

// A Scope says where a lesson holds: in which project and for which role.
type Scope struct {
	Project string `json:"project"`          // the repository's name; for a global lesson, where it was learned
	Role    string `json:"role"`             // of the agent, such as "developer" or "developer:general"
	Global  bool   `json:"global,omitempty"` // holds in every project
}

// A Wording is the text of a lesson.
type Wording struct {
	Content string `json:"content"`           // the lesson itself: one line, one clear sentence
	Insight string `json:"insight,omitempty"` // why, and when it holds (Markdown)
	Example string `json:"example,omitempty"` // a minimal command or snippet
}

// A Use counts how often a lesson was used and how that went.
type Use struct {
	Used   int       `json:"used"`
	Helped int       `json:"helped"`
	Harmed int       `json:"harmed"`
	Last   time.Time `json:"last_used,omitzero"` // last injection; zero for never
}

// An Origin is who proposed a lesson.
type Origin struct {
	Source    string `json:"source,omitempty"`    // the session that taught it
	Extractor string `json:"extractor,omitempty"` // "rules", "model:…", "person", "mcp", "import:…"
	Rule      string `json:"rule,omitempty"`      // which rule fired, in words that a reviewer understands

	Score Confidence `json:"raw_score,omitempty"` // the extractor's own, before past decisions adjusted it; 0 if unknown

	Declined   ID        `json:"declined,omitempty"`   // the rejected lesson that says the same; "" for none
	DeclinedAt time.Time `json:"declined_at,omitzero"` // when it was rejected

	Stands  string   `json:"stands,omitempty"`         // where the project's instructions already say it, as "CLAUDE.md:12"; "" if nowhere
	Against string   `json:"stands_against,omitempty"` // where they say the opposite, and their words: "CLAUDE.md:12: Use npm."
	Advice  string   `json:"advice,omitempty"`         // what a model said of it beside the other proposals of its project, and which model
	Unsaid  []string `json:"unsaid,omitempty"`         // commands, links and names in the wording that no person said
}

// Standing says what the project's own instructions say about a proposal; "" if nothing.
func (o Origin) Standing() string {
	var says []string
	if o.Stands != "" {
		says = append(says, o.Stands+" says it already")
	}
	if o.Against != "" {
		says = append(says, "it contradicts "+o.Against)
	}
	return strings.Join(says, "; ")
}

// Imported names the program whose store a lesson came from and its place there, as
// "import:amplihack, errors.yaml:14"; "" if it was not imported.
func (l Lesson) Imported() string {
	if !strings.HasPrefix(l.Origin.Extractor, "import:") {
		return ""
	}
	for _, e := range l.Evidence {
		if e.From != "import" || e.Path == "" {
			continue
		}
		says := l.Origin.Extractor + ", " + filepath.Base(e.Path)
		if e.Line > 0 {
			says += fmt.Sprintf(":%d", e.Line)
		}
		return says
	}
	return l.Origin.Extractor
}

// ByModel reports whether a language model worded a proposal. The built-in rules only
// quote, so a model's wording may be better.
func (o Origin) ByModel() bool { return strings.HasPrefix(o.Extractor, "model:") }

// An Offer is a better wording of a proposal, made from the same moment. A person may
// accept it as an edit; until then it is only displayed.
type Offer struct {
	Wording
	Category  Category `json:"category,omitempty"`
	Extractor string   `json:"extractor"` // as in [Origin]
}

// A Decision records who last decided on a lesson, when, and why.
type Decision struct {
	At           time.Time `json:"decided,omitzero"`
	By           string    `json:"decided_by,omitempty"` // a person's name, never an agent's
	Reason       string    `json:"reason,omitempty"`
	Into         ID        `json:"into,omitempty"`          // of a merge: the survivor
	SupersededBy ID        `json:"superseded_by,omitempty"` // of a contradiction: the lesson that took its place
	Until        time.Time `json:"until,omitzero"`          // of a snooze: when it ends
	Signed       string    `json:"signed,omitempty"`        // see [Lesson.Signature]
}

// A Speaker is who said what a piece of evidence quotes.
type Speaker string

const (
	ByPerson Speaker = "person"
	ByAgent  Speaker = "agent"
	ByTool   Speaker = "tool"
)

// Evidence is a snapshot of the moment that taught a lesson. It holds its own
// copy of the words because agents delete their transcripts after some weeks.
type Evidence struct {
	Path    string    `json:"path"`
	Line    int       `json:"line"`           // from 1
	Quote   string    `json:"quote"`          // verbatim, after redaction
	From    string    `json:"from,omitempty"` // how it was said: human, rejection, queued, answer, command, call, tool-error, web
	By      Speaker   `json:"by,omitempty"`
	Author  string    `json:"author,omitempty"` // who said it, if the transcript has several persons, such as a review
	Link    string    `json:"link,omitempty"`   // where it was said on the web, if it was
	Agent   string    `json:"agent,omitempty"`  // which agent's transcript: "claude-code", "codex", …
	Session string    `json:"session,omitempty"`
	UUID    string    `json:"uuid,omitempty"` // of the record, if the transcript has one
	At      time.Time `json:"at,omitzero"`
	Before  []string  `json:"before,omitempty"` // turns before, oldest first, shortened
	After   []string  `json:"after,omitempty"`  // turns after
}

// A Field is an unknown frontmatter key, kept with the full YAML text of its value.
type Field struct{ Key, Value string }

// A Lesson is one thing worth knowing in future sessions.
type Lesson struct {
	ID       ID
	Rev      Rev
	Status   Status
	Category Category
	Wording
	Tags       []string   `json:",omitzero"`
	Triggers   []string   `json:",omitzero"` // words that a matching task would use
	Scope      Scope      `json:",omitzero"`
	Limit      Limit      `json:",omitzero"`
	Confidence Confidence `json:",omitzero"` // the effective one: see Proof
	Evidence   []Evidence `json:",omitzero"`
	Use        Use        `json:",omitzero"`
	Proof      Proof      `json:",omitzero"`
	Pinned     bool       `json:",omitzero"` // a person vouches for it: it stays fresh and is never due for review
	Origin     Origin     `json:",omitzero"`
	Lane       Lane       `json:",omitzero"` // where it was proposed; "" is Likely
	Offer      Offer      `json:",omitzero"`
	Decided    Decision   `json:",omitzero"`
	Elsewhere  Approval   `json:",omitzero"` // somebody else's, which does not count here: see [Lesson.Withheld]
	Guard      Guard      `json:",omitzero"`
	HoldsWith  []Holding  `json:",omitzero"` // lessons that only seem to contradict it
	Without    []string   `json:",omitzero"` // names in it that a person says the project need not have
	Created    time.Time  `json:",omitzero"`
	Extra      []Field    `json:",omitzero"`

	// Outside says that another program wrote or changed the lesson's file and no person
	// has decided on it here since. It is not in the file; the store sets it, so that its
	// readers may ask before they trust the text.
	Outside bool `json:",omitzero"`
}

// Limits of an accepted lesson. They keep a hostile or broken proposal from filling a
// terminal, an index or an agent's context.
const (
	MaxContent = 64 << 10
	MaxTerms   = 200
)

// Validate reports why a lesson cannot be stored; the error wraps [ErrInvalid].
func (l Lesson) Validate() error {
	switch {
	case l.ID == "" || !validID(l.ID):
		return fmt.Errorf("%w: id %q must be 1 to 64 of a-z, 0-9, - and _", ErrInvalid, l.ID)
	case !slices.Contains(Statuses, l.Status):
		return fmt.Errorf("%w: status %q is none of %s", ErrInvalid, l.Status, join(Statuses))
	case strings.TrimSpace(l.Content) == "":
		return fmt.Errorf("%w: it has no content", ErrInvalid)
	case len(l.Content)+len(l.Insight)+len(l.Example) > MaxContent:
		return fmt.Errorf("%w: its text is longer than %d KB", ErrInvalid, MaxContent>>10)
	case !l.Confidence.valid():
		return fmt.Errorf("%w: confidence %v is not between 0 and 1", ErrInvalid, float64(l.Confidence))
	case len(l.Limit.Paths) > MaxTerms:
		return fmt.Errorf("%w: more than %d paths", ErrInvalid, MaxTerms)
	case len(l.Tags) > MaxTerms || len(l.Triggers) > MaxTerms:
		return fmt.Errorf("%w: more than %d tags or triggers", ErrInvalid, MaxTerms)
	case slices.ContainsFunc(l.HoldsWith, func(h Holding) bool { return h.ID == "" || !validID(h.ID) }):
		return fmt.Errorf("%w: it holds beside a lesson whose name is no id", ErrInvalid)
	case len(l.Guard.Patterns) > MaxTerms:
		return fmt.Errorf("%w: its guard has more than %d patterns", ErrInvalid, MaxTerms)
	case len(l.Without) > MaxTerms:
		return fmt.Errorf("%w: it holds without more than %d names", ErrInvalid, MaxTerms)
	case len(l.HoldsWith) > MaxTerms:
		return fmt.Errorf("%w: it holds beside more than %d lessons", ErrInvalid, MaxTerms)
	case l.Status == Merged && l.Decided.Into == "":
		return fmt.Errorf("%w: merged, but it does not say into which lesson", ErrInvalid)
	}
	return nil
}

// Title returns the content cut to at most n runes, on one line.
func (w Wording) Title(n int) string { return clip(w.Content, n) }

// clip makes text safe to show on one line of at most n runes.
func clip(s string, n int) string {
	s = Line(s)
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return strings.TrimRight(string([]rune(s)[:max(n-1, 0)]), " ") + "…"
}

func validID(id ID) bool {
	if len(id) > 64 {
		return false
	}
	for _, c := range id {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '_' {
			return false
		}
	}
	return true
}

func join[S ~string](all []S) string {
	words := make([]string, len(all))
	for i, s := range all {
		words[i] = string(s)
	}
	return strings.Join(words, ", ")
}
