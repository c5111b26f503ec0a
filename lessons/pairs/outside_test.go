package pairs

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"learnings/lessons"
)

// outside reads a file of labelled pairs that others said and wrote.
func outside[T any](t *testing.T, name string) (out []T) {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "shared", "outside", "pairs", name))
	if err != nil {
		t.Skip("no ../shared beside this clone")
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var row T
		if err := json.Unmarshal(in.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		out = append(out, row)
	}
	return out
}

// typed is a lesson that a person typed on a day, in a source.
func typed(id, text string, day int, source string) lessons.Lesson {
	l := said(text)
	l.ID, l.Status, l.Category = lessons.ID(id), lessons.Approved, "preference"
	l.Created, l.Origin.Source = time.Date(2026, 5, day, 0, 0, 0, 0, time.UTC), source
	return l
}

// offered reports whether two lessons are offered for merging.
func offered(a, b lessons.Lesson) bool {
	both := []lessons.Lesson{a, b}
	return slices.ContainsFunc([]Rule{Equal, ByJaccard, ByParaphrase}, func(r Rule) bool {
		for range NewCorpus(r, nil, slices.Values(both)).Groups() {
			return len(NewMemory().Compatible(ByJaccard, both)) == 2
		}
		return false
	})
}

// TestOutsidePairs holds what is found in labelled pairs to what was reached. -list shows
// those that are missed.
func TestOutsidePairs(t *testing.T) {
	n := map[string]int{}
	for _, p := range outside[struct{ ID, Source, Label, Older, Newer string }](t, "pairs.jsonl") {
		a, b := typed("a", p.Older, 1, ""), typed("b", p.Newer, 2, "")
		j, dup := Judge(a, b), offered(a, b)
		change := p.Label == "supersedes" || p.Label == "opposite"
		count := func(what string, is bool) {
			if is {
				n[what]++
			}
		}
		count(p.Label, true)
		count("found "+p.Label, change && j.Opposed())
		count("history", p.Label == "supersedes" && strings.HasPrefix(p.Source, "history"))
		count("found history", p.Label == "supersedes" && strings.HasPrefix(p.Source, "history") && j.Opposed())
		count("false", !change && j.Opposed())
		count("change offered", change && dup)
		count("same offered", p.Label == "same" && dup)
		count("other offered", !change && p.Label != "same" && dup)
		count("both", dup && j.Opposed())
		if first, _ := Prefer(b, a); j.Relation == NewerValue && !first {
			n["older kept"]++
		}
		if *list && change != j.Opposed() {
			t.Logf("%s %s: %s\n   %s\n   %s", p.ID, p.Label, j.Why, p.Older, p.Newer)
		}
	}
	t.Log(n)
	least := map[string]int{"found supersedes": 109, "found history": 28, "found opposite": 45, "same offered": 34}
	for what, m := range least {
		if n[what] < m {
			t.Errorf("%s: %d, and %d were reached", what, n[what], m)
		}
	}
	found := n["found supersedes"] + n["found opposite"]
	if n["false"]*100 > 6*(found+n["false"]) {
		t.Errorf("%d of %d that are flagged are no change", n["false"], found+n["false"])
	}
	for what, most := range map[string]int{"change offered": 8, "other offered": 2, "both": 0, "older kept": 0} {
		if n[what] > most {
			t.Errorf("%s: %d, at most %d", what, n[what], most)
		}
	}
}

// TestRuleFiles looks for contradictions among the sentences of rule files, which are all
// in force: whatever is found is an alarm.
func TestRuleFiles(t *testing.T) {
	files := outside[struct {
		File      string
		Sentences []string
	}](t, "files.jsonl")
	for _, c := range []struct {
		how    string
		source string
		most   float64
	}{{"one by one", "", 1}, {"imported as a file", "AGENTS.md", 0.3}} {
		alarms := 0
		for _, f := range files {
			var all []Reading
			for i, s := range f.Sentences {
				all = append(all, Read(typed(fmt.Sprintf("l%03d", i), s, 1+i%28, c.source)))
			}
			for i, a := range all {
				for _, b := range all[i+1:] {
					if j := a.Against(b); j.Opposed() {
						alarms++
						t.Logf("%s, %s: %s", f.File, c.how, j.Why)
					}
				}
			}
		}
		if got := float64(alarms) / float64(len(files)); got > c.most {
			t.Errorf("%s: %.2f alarms a file, at most %.1f", c.how, got, c.most)
		}
	}
}
