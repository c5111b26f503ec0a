package recall

import (
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"learnings/index"
	"learnings/lessons"
)

// FuzzAsking checks that passages and evidence stay within their bounds for any prompt and
// lesson.
func FuzzAsking(f *testing.F) {
	f.Add("Fix the import error in the memory module", "memory/store.go: import store, not memory")
	f.Add("to_csv is wrong. "+strings.Repeat("at a.b.c(x_y.go:12)\n", 80), "to_csv (erpexport/writer.py): CRLF\n\nWhy: the ERP\n\nand x_y.go")
	f.Add("https://example.org/a?b=c 日本語。\x00\x1b[31m ́é \xff-_-_._ A.B.C", "日本 a_b")
	f.Fuzz(func(t *testing.T, said, known string) {
		for _, u := range index.Units(said) {
			if u.Name == "" && len(u.Words) != 1 || slices.Contains(u.Words, "") || !strings.Contains(said, u.Text) && strings.ToValidUTF8(said, "") == said {
				t.Fatalf("a unit of %q is %+v", said, u)
			}
		}
		a := askingOf(said)
		if len(a.passages) > maxPassages || len(a.words) != len(a.texts) || len(a.words) != len(a.at) {
			t.Fatalf("%d passages, %d words, %d texts", len(a.passages), len(a.words), len(a.texts))
		}
		for _, p := range a.passages {
			of := map[int]float64{} // tokens of each word or name
			for _, k := range p.tokens {
				if of[k.unit]++; k.word < 0 || k.word >= len(a.words) {
					t.Fatalf("word %d of %d", k.word, len(a.words))
				}
			}
			longest := slices.Max(append(slices.Collect(maps.Values(of)), 1)) // a name is not cut
			if p.n < 1 || p.n >= passageWords+longest {
				t.Fatalf("a passage of %v words", p.n)
			}
		}
		content, insight, _ := strings.Cut(known, "\n\n")
		u := &usual{of: 3, memo: map[string]float64{}}
		if words := a.rarest(u); len(words) > mostWords {
			t.Fatalf("%d words are looked up", len(words))
		}
		e := u.evidence(lessons.Lesson{Wording: lessons.Wording{Content: content, Insight: insight}}, a)
		if math.IsNaN(e.Nats) || math.IsInf(e.Nats, 0) || e.Nats < 0 || e.Nats > 0 && len(e.Words) == 0 || e.Needs <= 0 {
			t.Fatalf("evidence of %q in %q: %+v", known, said, e)
		}
	})
}
