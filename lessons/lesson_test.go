package lessons

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

var (
	day  = time.Date(2026, 4, 5, 14, 30, 0, 0, time.UTC)
	anna = Decision{By: "anna", At: day.Add(time.Hour)}
)

func lesson(id ID, content string) Lesson {
	return Lesson{ID: id, Status: Pending, Category: "workflow", Wording: Wording{Content: content}, Confidence: 0.6, Created: day}
}

func TestValidateRefuses(t *testing.T) {
	for name, change := range map[string]func(*Lesson){
		"no id":           func(l *Lesson) { l.ID = "" },
		"a path as id":    func(l *Lesson) { l.ID = "../x" },
		"unknown status":  func(l *Lesson) { l.Status = "liked" },
		"blank content":   func(l *Lesson) { l.Content = " \n\t" },
		"64 KB":           func(l *Lesson) { l.Insight = strings.Repeat("x", MaxContent) },
		"NaN":             func(l *Lesson) { l.Confidence = Confidence(math.NaN()) },
		"confidence 1.1":  func(l *Lesson) { l.Confidence = 1.1 },
		"merged nowhere":  func(l *Lesson) { l.Status = Merged },
		"a thousand tags": func(l *Lesson) { l.Tags = make([]string, 1000) },
	} {
		t.Run(name, func(t *testing.T) {
			l := lesson("a", "Run make generate")
			if err := l.Validate(); err != nil {
				t.Fatalf("before the change: %v", err)
			}
			change(&l)
			if err := l.Validate(); !errors.Is(err, ErrInvalid) {
				t.Errorf("got %v, want ErrInvalid", err)
			}
		})
	}
}

func TestDecisions(t *testing.T) {
	l := lesson("a", "Run make generate")
	ok, err := l.Approve(anna)
	if err != nil || ok.Status != Approved || ok.Decided != anna {
		t.Errorf("Approve: %v, %+v", err, ok)
	}
	if l.Status != Pending {
		t.Error("Approve changed the lesson that it was given")
	}
	no, err := ok.Reject(Decision{By: "anna", Reason: "one-off"})
	if err != nil || no.Status != Rejected || no.Decided.Reason != "one-off" {
		t.Errorf("Reject: %v, %+v", err, no)
	}
	if _, err := l.Approve(Decision{}); !errors.Is(err, ErrInvalid) {
		t.Errorf("a decision by nobody: %v", err)
	}
	if _, err := l.Archive(anna); !errors.Is(err, ErrInvalid) {
		t.Errorf("archiving a proposal: %v", err)
	}
	gone := l
	gone.Status, gone.Decided.Into = Merged, "b"
	if _, err := gone.Approve(anna); !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), "into b") {
		t.Errorf("approving what was merged: %v", err)
	}
}

func TestSnooze(t *testing.T) {
	until := day.Add(24 * time.Hour)
	l, err := lesson("a", "x").Snooze(anna, until)
	if err != nil {
		t.Fatal(err)
	}
	if !l.Snoozed(day) || l.Snoozed(until) {
		t.Errorf("snoozed before %v, after %v; want true, false", l.Snoozed(day), l.Snoozed(until))
	}
	if l.Status != Pending {
		t.Errorf("status %s after a snooze", l.Status)
	}
}

func TestMergeKeepsEverything(t *testing.T) {
	moment := Evidence{UUID: "u1", Quote: "always run make generate"}
	a := lesson("a", "Run make generate")
	a.Tags, a.Evidence, a.Use = []string{"ci"}, []Evidence{moment}, Use{Used: 2, Helped: 1}
	b := lesson("b", "Run `make generate` after editing .proto files")
	b.Status, b.Confidence, b.Created = Approved, 0.9, day.Add(-time.Hour)
	b.Tags, b.Triggers = []string{"CI", "protobuf"}, []string{"stale client"}
	b.Evidence, b.Use = []Evidence{moment, {Path: "/x", Line: 3, Quote: "forgot again"}}, Use{Used: 3, Harmed: 1, Last: day}
	b.Insight = "CI compares the generated client."

	got, err := Merge(anna, a, b)
	if err != nil {
		t.Fatal(err)
	}
	s := got[0]
	if s.ID != "a" || s.Content != a.Content || s.Status != Approved || s.Confidence != 0.9 || !s.Created.Equal(b.Created) {
		t.Errorf("survivor: %+v", s)
	}
	if strings.Join(s.Tags, " ") != "ci protobuf" || len(s.Triggers) != 1 || s.Insight != b.Insight {
		t.Errorf("tags %q, triggers %q, insight %q", s.Tags, s.Triggers, s.Insight)
	}
	if len(s.Evidence) != 2 {
		t.Errorf("evidence: %+v; want the copied moment once", s.Evidence)
	}
	if s.Use != (Use{Used: 5, Helped: 1, Harmed: 1, Last: day}) {
		t.Errorf("use: %+v", s.Use)
	}
	if g := got[1]; g.Status != Merged || g.Decided.Into != "a" || g.Content != b.Content || len(g.Evidence) != 2 {
		t.Errorf("merged away: %+v", g)
	}
	if len(a.Tags) != 1 || len(a.Evidence) != 1 {
		t.Error("Merge changed the lesson that it was given")
	}
}

func TestMergeRefuses(t *testing.T) {
	a := lesson("a", "x")
	gone := lesson("b", "y")
	gone.Status, gone.Decided.Into = Merged, "c"
	for name, from := range map[string][]Lesson{"nothing": nil, "itself": {a}, "the same twice": {lesson("b", "y"), lesson("b", "y")}, "a merged one": {gone}} {
		if _, err := Merge(anna, a, from...); !errors.Is(err, ErrInvalid) {
			t.Errorf("merging %s: %v", name, err)
		}
	}
	if _, err := Merge(anna, gone, a); !errors.Is(err, ErrInvalid) {
		t.Errorf("merging into a merged one: %v", err)
	}
}

func TestSurvivor(t *testing.T) {
	old, young := lesson("b", "x"), lesson("a", "y")
	young.Created = day.Add(time.Hour)
	active := young
	active.ID, active.Status = "z", Approved
	for _, c := range []struct {
		ls   []Lesson
		want ID
	}{
		{[]Lesson{young, old}, "b"},
		{[]Lesson{old, active}, "z"},
		{[]Lesson{lesson("c", "x"), lesson("b", "x")}, "b"},
	} {
		if got := c.ls[Survivor(c.ls)].ID; got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

func TestConfidence(t *testing.T) {
	for in, want := range map[string]Confidence{"high": 0.9, " Medium ": 0.6, "low": 0.3, "0.42": 0.42, "1": 1, "0": 0} {
		if got, err := ParseConfidence(in); err != nil || got != want {
			t.Errorf("ParseConfidence(%q) = %v, %v; want %v", in, got, err, want)
		}
	}
	for _, in := range []string{"", "1.2", "-1", "NaN", "sure"} {
		if _, err := ParseConfidence(in); !errors.Is(err, ErrInvalid) {
			t.Errorf("ParseConfidence(%q): %v", in, err)
		}
	}
	for c, word := range map[Confidence]string{0.7: High, 0.69: Medium, 0.4: Medium, 0.39: Low, 0: Low} {
		if c.Word() != word {
			t.Errorf("%v is %s, want %s", c, c.Word(), word)
		}
	}
}

func TestFreshness(t *testing.T) {
	l := lesson("a", "x")
	l.Category = "tool-usage" // half-life 90 days
	if f := l.Freshness(day.Add(90 * 24 * time.Hour)); math.Abs(f-0.5) > 1e-9 {
		t.Errorf("after a half-life: %v", f)
	}
	if f := l.Freshness(day.Add(-time.Hour)); f != 1 {
		t.Errorf("made in the future: %v", f)
	}
	l.Decided.At = day.Add(90 * 24 * time.Hour)
	if f := l.Freshness(day.Add(90 * 24 * time.Hour)); f != 1 {
		t.Errorf("just confirmed: %v", f)
	}
}

func TestShelves(t *testing.T) {
	for c, want := range map[Category]Shelf{"workflow": Workflows, "Workflows": Workflows, "error-fix": Errors, "decision": Architecture, "zebra": Other} {
		if got := c.Shelf(); got != want {
			t.Errorf("%s is on shelf %s, want %s", c, got, want)
		}
	}
	for _, s := range Shelves {
		if cs := s.Categories(); cs[0] != Category(s) || cs[0].Shelf() != s {
			t.Errorf("shelf %s holds %v", s, cs)
		}
	}
}

func TestIDFrom(t *testing.T) {
	a, b := IDFrom("session", "12", "text"), IDFrom("session", "1", "2text")
	if a == b {
		t.Error("different parts, same id")
	}
	if a != IDFrom("session", "12", "text") || len(a) != 8 || !validID(a) {
		t.Errorf("id %q", a)
	}
}

func TestSaidAgain(t *testing.T) {
	said := func(session string, line int, quote string) Evidence {
		return Evidence{Session: session, Line: line, By: ByPerson, Quote: quote}
	}
	l := Lesson{Status: Pending, Confidence: 0.55, Evidence: []Evidence{said("a", 1, "use tabs")}}
	copied := Evidence{Session: "fork", Line: 1, UUID: "u1", By: ByPerson, Quote: "use tabs"}
	for _, c := range []struct {
		name     string
		more     []Evidence
		sessions int
		n        int
	}{
		{"the same moment", []Evidence{said("a", 1, "use tabs")}, 1, 1},
		{"the whole of it", []Evidence{said("a", 1, "Please use tabs, as in the other files")}, 1, 1},
		{"other words of the same record", []Evidence{said("a", 1, "and never push to main")}, 1, 2},
		{"the same session", []Evidence{said("a", 9, "use tabs")}, 1, 2},
		{"another session", []Evidence{said("b", 1, "use tabs"), said("b", 2, "use tabs")}, 2, 3},
		{"a copy of a record", []Evidence{{Session: "b", Line: 7, UUID: "u1", Quote: "use tabs"}, copied}, 2, 2},
	} {
		got := l.Witnessed(c.more)
		if len(got.Evidence) != c.n || Sessions(got.Evidence) != c.sessions || got.Confidence != l.Confidence {
			t.Errorf("%s: %d pieces of evidence of %d sessions, want %d of %d; confidence %v", c.name, len(got.Evidence), Sessions(got.Evidence), c.n, c.sessions, got.Confidence)
		}
	}
}

func TestReworded(t *testing.T) {
	l := Lesson{Wording: Wording{Content: "Run `make genrate` after an edit"}, Triggers: []string{"genrate", "make genrate", "edit", "protobuf", "Make"}}
	was := slices.Clone(l.Triggers)
	got := l.Reworded("Run `make generate` after each edit")
	if want := []string{"edit", "protobuf", "Make"}; !slices.Equal(got.Triggers, want) || got.Content != "Run `make generate` after each edit" {
		t.Errorf("%q is found by %q, want %q", got.Content, got.Triggers, want)
	}
	if !slices.Equal(l.Triggers, was) {
		t.Errorf("the lesson that was given has changed: %q", l.Triggers)
	}
}
