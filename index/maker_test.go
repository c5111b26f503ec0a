package index

import (
	"slices"
	"testing"

	"learnings/lessons"
)

// TestMakerText checks that each word counts as often as its text is worth, and stands where
// no phrase goes from one text to the next.
func TestMakerText(t *testing.T) {
	m := newMaker()
	for _, l := range []lessons.Lesson{
		{},
		{Wording: lessons.Wording{Content: "Run `go mod tidy` in go.mod's folder, not parseQuery2"}},
		{Wording: lessons.Wording{Content: "the and", Insight: "日本語 and the café-latte", Example: "a_b.c"}, Triggers: []string{"", "in to", "logs of logs"}, Tags: []string{"go", "x-y"}},
		{Wording: lessons.Wording{Content: "logs", Insight: "logs"}, Triggers: []string{"logs"}},
	} {
		want, length := map[string]int{}, 0
		count := func(text string, times int) {
			for _, w := range split(text) {
				want[w.term] += times
				length += times
			}
		}
		count(l.Content, 2)
		for _, text := range l.Triggers {
			count(text, 2)
		}
		count(l.Insight, 1)
		count(l.Example, 1)
		for _, text := range l.Tags {
			count(text, 1)
		}
		for range 2 { // the second time it remembers
			got := m.text(l)
			if got.length != length || len(got.terms) != len(want) {
				t.Fatalf("%+v: %d words and %d terms, not %d and %d", l, got.length, len(got.terms), length, len(want))
			}
			for term, n := range want {
				if f := got.terms[term]; f == nil || f.Frequency() != n {
					t.Fatalf("%+v: %s is %+v, not %d times", l, term, f, n)
				}
			}
			if !slices.EqualFunc(m.words, wordsOf(nil, l), func(a, b word) bool { return a.term == b.term && a.pos == b.pos }) {
				t.Errorf("%+v: words are %+v, not as a scan has them", l, m.words)
			}
		}
	}
}
