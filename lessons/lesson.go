// Package lessons is what a lesson is and how it is decided on.
//
// A [Lesson] is one thing that a coding agent should know the next time: a
// rule that a person stated, a correction, an error and what cured it. It
// starts as a proposal ([Pending]) and becomes active only when a person
// approves it. Decisions are pure: each takes a lesson and gives back a new
// one, or says why it cannot; nothing here reads a file, a clock or a random
// source.
//
// The words are those of the systems whose stores we share (Octomind,
// amplihack, Gimli, claude-mem); where they differ, one table in this package
// converts.
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

// Errors that callers decide on.
var (
	ErrNotFound = errors.New("no such lesson")
	ErrConflict = errors.New("the lesson has changed since it was read")
	ErrInvalid  = errors.New("invalid lesson")
)

// An ID names a lesson for ever. It is never reused, and no edit, move or
// merge changes it.
type ID string

// A Rev is the state in which a stored lesson was read: a hash of its file. It
// is "" for a lesson that was never stored. A write with a Rev that is no
// longer the stored one is refused with [ErrConflict].
type Rev string

// A Status is where a lesson stands in its life.
type Status string

const (
	Pending  Status = "pending"  // proposed, not yet judged
	Approved Status = "approved" // active: given to coming sessions
	Rejected Status = "rejected" // a tombstone, so that the same does not come back
	Merged   Status = "merged"   // lives on in Decision.Into
	Archived Status = "archived" // once approved, no longer given
)

// Statuses are all of them, in the order of a lesson's life.
var Statuses = []Status{Pending, Approved, Rejected, Merged, Archived}

// A Scope is for whom a lesson holds.
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

// A Use counts what became of a lesson once it was active.
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

	Score Confidence `json:"raw_score,omitempty"` // of the extractor, before a person's decisions were weighed in; 0 where that is not known

	Declined   ID        `json:"declined,omitempty"`   // the rejected lesson that says the same; "" for none
	DeclinedAt time.Time `json:"declined_at,omitzero"` // when it was rejected

	Stands  string   `json:"stands,omitempty"`         // where the project's own instructions say it already, as "CLAUDE.md:12"; "" for nowhere
	Against string   `json:"stands_against,omitempty"` // where they say the opposite, and their words: "CLAUDE.md:12: Use npm."
	Unsaid  []string `json:"unsaid,omitempty"`         // commands, links and names in the wording that no person said
}

// Standing says in words what the project's own instructions say of a proposal;
// "" for nothing.
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

// Imported says from which program's store a lesson came, and where it stood there, as
// "import:amplihack, errors.yaml:14"; "" for one that did not.
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

// LikelyAt is the confidence from which a proposal is [Likely]: on projects that
// were left out of the learning, some two in three of those above it were right.
const LikelyAt Confidence = 0.60

// ByModel reports that a language model worded a proposal. Its words may be better
// than those of the rules, which quote.
func (o Origin) ByModel() bool { return strings.HasPrefix(o.Extractor, "model:") }

// An Offer is a better wording of a proposal, made from the same moment. A
// person may take it as an edit; until then nothing but the screens reads it.
type Offer struct {
	Wording
	Category  Category `json:"category,omitempty"`
	Extractor string   `json:"extractor"` // who offers it, as in [Origin]
}

// A Decision is who decided last on a lesson, when, and why.
type Decision struct {
	At           time.Time `json:"decided,omitzero"`
	By           string    `json:"decided_by,omitempty"` // a person's name, never an agent's
	Reason       string    `json:"reason,omitempty"`
	Into         ID        `json:"into,omitempty"`          // of a merge: the survivor
	SupersededBy ID        `json:"superseded_by,omitempty"` // of a contradiction: the lesson that took its place
	Until        time.Time `json:"until,omitzero"`          // of a snooze: the proposal rests until then
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
	Author  string    `json:"author,omitempty"` // who said it, where a transcript is of several persons, such as a review; else ""
	Link    string    `json:"link,omitempty"`   // where it was said on the web; "" where it was not
	Agent   string    `json:"agent,omitempty"`  // which agent's transcript: "claude-code", "codex", …
	Session string    `json:"session,omitempty"`
	UUID    string    `json:"uuid,omitempty"` // of the record, where the transcript has one
	At      time.Time `json:"at,omitzero"`
	Before  []string  `json:"before,omitempty"` // turns before, oldest first, shortened
	After   []string  `json:"after,omitempty"`  // turns after
}

// A Field is a frontmatter key that we do not know, kept as it came: the whole
// YAML text of its value.
type Field struct{ Key, Value string }

// A Lesson is one thing worth knowing in a coming session.
type Lesson struct {
	ID       ID
	Rev      Rev
	Status   Status
	Category Category
	Wording
	Tags       []string   `json:",omitzero"`
	Triggers   []string   `json:",omitzero"` // words that a task would use to which this lesson applies
	Scope      Scope      `json:",omitzero"`
	Limit      Limit      `json:",omitzero"`
	Confidence Confidence `json:",omitzero"` // the one that counts: see Proof
	Evidence   []Evidence `json:",omitzero"`
	Use        Use        `json:",omitzero"`
	Proof      Proof      `json:",omitzero"`
	Pinned     bool       `json:",omitzero"` // a person vouches for it for good: it stays fresh, and is not due again
	Origin     Origin     `json:",omitzero"`
	Lane       Lane       `json:",omitzero"` // in which it was proposed; "" is Likely
	Offer      Offer      `json:",omitzero"`
	Decided    Decision   `json:",omitzero"`
	Elsewhere  Approval   `json:",omitzero"` // of somebody else, which does not count here: see [Lesson.Withheld]
	Guard      Guard      `json:",omitzero"`
	HoldsWith  []Holding  `json:",omitzero"` // what seems to contradict it and does not
	Without    []string   `json:",omitzero"` // what it names and a person says it holds without: it need not be in the project
	Created    time.Time  `json:",omitzero"`
	Extra      []Field    `json:",omitzero"`

	// Outside says that another program wrote the lesson's file, or changed it, and
	// no person has decided on it in this one since. It is not in the file: a store
	// sets it, and a store's readers may ask before they trust the text.
	Outside bool `json:",omitzero"`
}

// Limits of a lesson that is accepted. They keep a hostile or broken proposal
// from filling a terminal, an index or an agent's context.
const (
	MaxContent = 64 << 10
	MaxTerms   = 200
)

// Validate says whether a lesson can be stored; the error wraps [ErrInvalid].
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

// Title is the content cut to at most n runes, on one line.
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
