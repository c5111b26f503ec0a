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
	"cmp"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
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
		return fmt.Errorf("%w: status %q is none of %s", ErrInvalid, l.Status, strings.Join(Texts(Statuses), ", "))
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

// ids are eight characters (40 bits): short enough to type. Among 100,000 lessons the
// odds of any collision are 1 in 200, and the store refuses it.
var idEncoding = base32.NewEncoding("abcdefghijkmnpqrstuvwxyz23456789").WithPadding(base32.NoPadding)

// ProposalID returns the id of a proposal made from a transcript. It hashes the record
// that the first evidence quotes (its UUID or else its session) and says, which tells
// apart the lessons that one proposer makes from one record. proposer is "" for the
// built-in rules.
//
// The same moment thus gives the same id on every machine and in every version, which is
// how a proposal that a person has edited, merged or rejected is recognised. So what a
// proposer passes here must never change.
func ProposalID(proposer string, e Evidence, says ...string) ID {
	parts := append([]string{cmp.Or(e.UUID, e.Session)}, says...)
	if proposer != "" {
		parts = append([]string{proposer}, parts...)
	}
	return IDFrom(parts...)
}

// IDFrom derives an id from its parts. The same parts give the same id, so that a
// proposal made twice from one line of a transcript is recognised.
func IDFrom(parts ...string) ID {
	h := sha256.New()
	for _, p := range parts {
		h.Write([]byte(p))
		h.Write([]byte{0})
	}
	return ID(idEncoding.EncodeToString(h.Sum(nil)[:5]))
}

// handle precedes an id in text for agents.
const handle = "L-"

// Handle returns the id as agents see and cite it: [L-k7m2p9qx].
func (id ID) Handle() string { return "[" + handle + string(id) + "]" }

// Cited returns the id or prefix in a handle, with or without brackets. Other words are
// returned unchanged.
func Cited(word string) string {
	inner := strings.TrimSuffix(strings.TrimPrefix(word, "["), "]")
	if id, ok := strings.CutPrefix(inner, handle); ok && id != "" {
		return id
	}
	return word
}

// An Outline is the part of a [Lesson] needed to compare it with others. It takes a fifth
// of the memory.
type Outline struct {
	ID        ID
	Rev       Rev
	Status    Status
	Category  Category `json:",omitempty"`
	Content   string
	Scope     Scope
	HoldsWith []Holding `json:",omitempty"`
	Created   time.Time
	Into      ID   `json:",omitempty"` // the survivor of a merge
	Asked     bool `json:",omitempty"` // a person asked to have it remembered
}

// Outline returns the outline of a lesson.
func (l *Lesson) Outline() Outline {
	return Outline{l.ID, l.Rev, l.Status, l.Category, l.Content, l.Scope, l.HoldsWith, l.Created, l.Decided.Into, l.Asked()}
}

// Title is [Wording.Title].
func (o *Outline) Title(n int) string { return clip(o.Content, n) }

// Lesson returns a lesson with only the outline's fields set.
func (o *Outline) Lesson() Lesson {
	return Lesson{
		ID: o.ID, Rev: o.Rev, Status: o.Status, Category: o.Category, Wording: Wording{Content: o.Content},
		Scope: o.Scope, HoldsWith: o.HoldsWith, Created: o.Created, Decided: Decision{Into: o.Into},
	}
}

// FromOutlines yields the outlines as lessons, with only one lesson in memory at a time.
func FromOutlines(os []Outline) iter.Seq[Lesson] {
	return func(yield func(Lesson) bool) {
		for i := range os {
			if !yield(os[i].Lesson()) {
				return
			}
		}
	}
}

// A Category is the kind of a lesson, kept in the words of the system it came from. A
// [Shelf] groups categories that mean the same.
type Category string

// A Shelf groups categories of the same meaning for browsing. Its name is itself a
// category.
type Shelf string

const (
	Preferences  Shelf = "preference"
	Corrections  Shelf = "correction"
	Errors       Shelf = "errors"
	Workflows    Shelf = "workflows"
	Tools        Shelf = "tools"
	Architecture Shelf = "architecture"
	Debugging    Shelf = "debugging"
	Patterns     Shelf = "pattern"
	Discoveries  Shelf = "discovery"
	Other        Shelf = "other"
)

// Shelves are all shelves, in display order.
var Shelves = []Shelf{Preferences, Corrections, Errors, Workflows, Tools, Architecture, Debugging, Patterns, Discoveries, Other}

// shelfOf maps the categories of known systems to their shelf.
var shelfOf = map[Category]Shelf{
	"preference": Preferences, "preferences": Preferences, "convention": Preferences,
	"correction": Corrections, "corrections": Corrections,
	"errors": Errors, "error": Errors, "error-fix": Errors, "bugfix": Errors,
	"workflows": Workflows, "workflow": Workflows,
	"tools": Tools, "tool": Tools, "tool-usage": Tools,
	"architecture": Architecture, "decision": Architecture, "refactor": Architecture, "feature": Architecture,
	"debugging": Debugging,
	"pattern":   Patterns, "patterns": Patterns,
	"discovery": Discoveries, "change": Discoveries,
}

// Shelf returns the shelf of a category: [Other] if no known system uses it.
func (c Category) Shelf() Shelf {
	if s, ok := shelfOf[Category(strings.ToLower(string(c)))]; ok {
		return s
	}
	return Other
}

// Known reports whether a known system uses the category.
func (c Category) Known() bool { return c.Shelf() != Other }

// ParseCategory reads a category that a person typed: one word of letters, digits, - and
// _. Imported categories need not follow this.
func ParseCategory(s string) (Category, error) {
	s = strings.TrimSpace(s)
	odd := func(r rune) bool { return r != '-' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	if s == "" || strings.ContainsFunc(s, odd) {
		return "", fmt.Errorf("category %q must be one word of letters, digits, - and _, such as %s", s, strings.Join(Texts(Shelves), ", "))
	}
	return Category(s), nil
}

// Categories returns the known categories of a shelf, its own name first.
func (s Shelf) Categories() []Category {
	out := []Category{Category(s)}
	for c, shelf := range shelfOf {
		if shelf == s && c != Category(s) {
			out = append(out, c)
		}
	}
	slices.Sort(out[1:]) // a map's order differs from run to run, and these are shown
	return out
}

// A Record is a lesson as in every --json output: one object with the names of the
// frontmatter.
type Record struct {
	ID ID `json:"id"`
	Wording
	Status   Status   `json:"status"`
	Category Category `json:"category"`
	Scope
	Limit
	Score      Confidence `json:"score"`
	Confidence string     `json:"confidence"` // the word for the score
	Importance float64    `json:"importance"`
	Tags       []string   `json:"tags"`
	Triggers   []string   `json:"triggers"`
	Origin
	Since int   `json:"since_declined,omitempty"` // times that it was seen since it was declined
	Lane  Lane  `json:"lane,omitempty"`           // of a pending lesson: [LaneOf]
	Offer Offer `json:"offer,omitzero"`           // a better wording of the same moment
	Approval
	Created time.Time `json:"created"`
	Decision
	HoldsWith []Holding `json:"holds_with,omitempty"`    // lessons that only seem to contradict it
	Without   []string  `json:"holds_without,omitempty"` // names in it that need not be in the project
	Use
	Pinned  bool   `json:"pinned,omitempty"`
	Guard   Guard  `json:"guard,omitzero"`     // the calls that it stops
	Outside bool   `json:"outside,omitempty"`  // another program wrote it, and no person has decided on it since
	ScoreBy string `json:"score_by,omitempty"` // "person" when a person set the score
	Proof
	Flags    []Hazard   `json:"flags,omitempty"`    // what to look at twice before approving
	Sessions int        `json:"sessions,omitempty"` // number that said or showed it
	Evidence []Evidence `json:"evidence"`
}

// Record returns the lesson for JSON. Lists are never null.
func (l Lesson) Record() Record {
	r := Record{
		ID: l.ID, Wording: l.Wording, Status: l.Status, Category: l.Category, Scope: l.Scope, Limit: l.Limit,
		Score: l.Confidence.Round(), Confidence: l.Confidence.Word(), Importance: l.Confidence.Importance(),
		Tags: append([]string{}, l.Tags...), Triggers: append([]string{}, l.Triggers...),
		Origin: l.Origin, Offer: l.Offer, Approval: l.Elsewhere, Created: l.Created, Decision: l.Decided,
		HoldsWith: l.HoldsWith, Without: l.Without, Use: l.Use, Pinned: l.Pinned, Guard: l.Guard, Outside: l.Outside, Proof: l.Proof,
		Sessions: Sessions(l.Evidence), Evidence: append([]Evidence{}, l.Evidence...),
	}
	r.Origin.Score, r.Proof.Prior = r.Origin.Score.Round(), r.Proof.Prior.Round()
	if r.Proof.Own {
		r.Proof.Own, r.ScoreBy = false, "person"
	}
	if r.Declined != "" {
		r.Since = sinceDeclined(l)
	}
	for _, d := range Dangers(l) {
		r.Flags = append(r.Flags, d.Hazard)
	}
	r.Lane = LaneAs(l, len(r.Flags) > 0)
	return r
}
