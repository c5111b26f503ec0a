package index

import (
	"testing"

	"learnings/lessons"
)

// TestMakerText checks that what is read once and counted twice stands where it would if
// all of the text were read.
func TestMakerText(t *testing.T) {
	m := newMaker()
	for _, l := range []lessons.Lesson{
		{},
		{Wording: lessons.Wording{Content: "Run `go mod tidy` in go.mod's folder, not parseQuery2"}},
		{Wording: lessons.Wording{Content: "the and", Insight: "日本語 and the café-latte", Example: "a_b.c"}, Triggers: []string{"", "in to", "logs of logs"}, Tags: []string{"go", "x-y"}},
		{Wording: lessons.Wording{Content: "logs", Insight: "logs"}, Triggers: []string{"logs"}},
	} {
		want := map[string][]word{}
		words := split(searchText(l))
		for _, w := range words {
			want[w.term] = append(want[w.term], w)
		}
		for range 2 { // the second time it remembers
			got := m.text(l)
			if got.length != len(words) || len(got.terms) != len(want) {
				t.Fatalf("%q: %d words and %d terms, not %d and %d", searchText(l), got.length, len(got.terms), len(words), len(want))
			}
			for term, all := range want {
				f := got.terms[term]
				if f == nil || f.Frequency() != len(all) || len(f.Locations) != len(all) {
					t.Fatalf("%q: %s is %+v, not %d times", searchText(l), term, f, len(all))
				}
				for i, at := range f.Locations {
					if at.Position != all[i].pos {
						t.Errorf("%q: %s is at %d, not %d", searchText(l), term, at.Position, all[i].pos)
					}
				}
			}
		}
	}
}
