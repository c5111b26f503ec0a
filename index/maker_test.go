package index

import (
	"maps"
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
		want := map[string]int{}
		count := func(text string, times int) {
			for _, w := range split(text) {
				want[w.term] += times
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
			got := map[string]int{}
			for _, token := range m.text(l) {
				got[string(token.Term)]++
			}
			if !maps.Equal(got, want) {
				t.Fatalf("%+v: words %v, not %v", l, got, want)
			}
			var words []word
			for text := range textsOf(l) {
				words = apart(words, text, root)
			}
			if !slices.EqualFunc(m.words, words, func(a, b word) bool { return a.term == b.term && a.pos == b.pos }) {
				t.Errorf("%+v: words are %+v, not as without a memory", l, m.words)
			}
		}
	}
}
