package pairs

import (
	"bufio"
	"encoding/json"
	"flag"
	"os"
	"testing"
	"time"

	"learnings/lessons"
)

var list = flag.Bool("list", false, "list the pairs of the labelled set that are decided wrongly")

// A pair is a row of testdata/stances.jsonl: two lessons of ../shared, or one of
// them and what a person wrote to oppose or to repeat it (its source is "made").
type pair struct {
	A       string
	ASource string `json:"a_source"`
	B       string
	BSource string `json:"b_source"`
	Label   string // contradicting, same or unrelated
	Held    bool   // was not looked at while the rules were written
}

func labelled(t testing.TB) []pair {
	t.Helper()
	f, err := os.Open("testdata/stances.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []pair
	for in := bufio.NewScanner(f); in.Scan(); {
		var p pair
		if err := json.Unmarshal(in.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		out = append(out, p)
	}
	return out
}

func said(text string) lessons.Lesson {
	return lessons.Lesson{Wording: lessons.Wording{Content: text}, Scope: lessons.Scope{Project: "p"}}
}

func TestLabelled(t *testing.T) {
	all := labelled(t)
	if len(all) < 200 {
		t.Fatalf("only %d pairs", len(all))
	}
	for _, part := range []struct {
		name  string
		least float64 // precision
		in    func(pair) bool
	}{
		{"all", 0.95, func(pair) bool { return true }},
		{"held out", 0.85, func(p pair) bool { return p.Held }}, // too few to ask for more
	} {
		var hits, alarms, misses int
		for _, p := range all {
			if !part.in(p) {
				continue
			}
			c := Judge(said(p.A), said(p.B))
			found := c.Opposed()
			switch {
			case found && p.Label == "contradicting":
				hits++
			case found:
				alarms++
			case p.Label == "contradicting":
				misses++
			}
			if *list && !p.Held && found != (p.Label == "contradicting") {
				t.Logf("%v %s %s\n   %s\n   %s\n   %s", found, p.Label, c.Ground, p.A, p.B, c.Why)
			}
			back := Judge(said(p.B), said(p.A))
			if again := back.Opposed(); again != found || again && (back.A != c.B || back.B != c.A) {
				t.Errorf("%q and %q: %v one way, %v the other", p.A, p.B, found, back.Opposed())
			}
		}
		precision, recall := float64(hits)/float64(max(hits+alarms, 1)), float64(hits)/float64(max(hits+misses, 1))
		t.Logf("%s: precision %.3f recall %.3f (%d right, %d false alarms, %d missed)", part.name, precision, recall, hits, alarms, misses)
		if precision < part.least {
			t.Errorf("%s: precision %.3f is below %.2f", part.name, precision, part.least)
		}
	}
}

// TestJudge: a pair has one relation, whichever of the two comes first.
func TestJudge(t *testing.T) {
	for _, c := range []struct {
		older, newer string
		want         Relation
		why          string
	}{
		{"Use pnpm here.", "use `pnpm` here", SameRule, "both say it in the same words"},
		{"Run `make check` before pushing", "Before you push, run `make check` and fix what it finds.", SameRule, "one says all that the other does"},
		{"Format all Go code with `make format`", "Format all Go code with `just format`", NewerValue, "both are about “format go”: `make format` before, `just format` now"},
		{"Commit design documents", "Never commit design documents", OppositeRule, "“Commit design documents” asks for what “Never commit design documents” is against"},
		{"The worker listens on port 8080", "The worker listens on `eth0`", SameSubject, "each names a value that the other does not"},
		{"Use tabs in Go files", "Write a changelog entry for each release", Nothing, "0 of 8 words are in both"},
	} {
		a, b := said(c.older), said(c.newer)
		a.ID, b.ID, a.Created, b.Created = "a", "b", time.Unix(1, 0), time.Unix(2, 0)
		j, back := Judge(a, b), Judge(b, a)
		if j.Relation != c.want || j.Why != c.why || back.Relation != c.want || back.A != j.B {
			t.Errorf("%q and %q: %q, %s; the other way %q", c.older, c.newer, j.Relation, j.Why, back.Relation)
		}
	}
}

// TestAskedAnnounces reads the announcement of a change in the person's words: the wording
// leaves it out.
func TestAskedAnnounces(t *testing.T) {
	old, now := typed("a", "Run `make client` after editing a .proto file", 1, ""), typed("b", "Run `make generate` after editing a .proto file.", 2, "")
	for quote, want := range map[string]Relation{
		"From now on run `make generate` after editing a .proto file": NewerValue,
		"Remember: run `make generate` after editing a .proto file":   SameSubject,
	} {
		now.Evidence = []lessons.Evidence{{Quote: quote, By: lessons.ByPerson, From: lessons.FromAsked}}
		if got := Judge(old, now).Relation; got != want {
			t.Errorf("%s: %q, want %q", quote, got, want)
		}
	}
}

// TestKindsApart keeps rules for functions, classes and arguments out of one group.
func TestKindsApart(t *testing.T) {
	const text = "Always include a single digit in your class names."
	for other, want := range map[string]int{
		"When naming your functions, always include a single digit.":             1,
		"Always include a single digit in the argument names of your functions.": 1,
		"Include a single digit in the names of all your classes.":               2,
	} {
		if got := NewMemory().Compatible(ByJaccard, []lessons.Lesson{typed("a", text, 1, ""), typed("b", other, 2, "")}); len(got) != want {
			t.Errorf("%s: %d in the group, want %d", other, len(got), want)
		}
	}
}
