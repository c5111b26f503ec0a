package index_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"learnings/index"
	"learnings/lessons"
)

// TestPhrases asks an index of few words for many phrases, alone and beside words, filters
// and what must not be there, and finds what reading every lesson finds.
func TestPhrases(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	vocabulary := strings.Fields("run test tests go.mod mod the of lockFile lock file build 日本語 parse_query query")
	some := func(most int) string {
		words := make([]string, 1+random.IntN(most))
		for i := range words {
			words[i] = vocabulary[random.IntN(len(vocabulary))]
		}
		return strings.Join(words, " ")
	}
	var all []lessons.Lesson
	for i := range 300 {
		l := lessons.Lesson{ID: lessons.ID(fmt.Sprintf("id%04d", i)), Status: lessons.Approved, Category: "error", Wording: lessons.Wording{Content: some(8), Insight: some(5)}}
		if i%3 == 0 {
			l.Triggers, l.Tags = []string{some(3), some(3)}, []string{some(1)}
		}
		if i%5 == 0 {
			l.Status = lessons.Pending
		}
		all = append(all, l)
	}
	x := index.At(t.TempDir())
	update(t, x, newLog(all...))
	found := 0
	for range 400 {
		q := index.Query{Terms: []index.Term{{Text: some(4), Phrase: true}}, Limit: len(all)}
		switch random.IntN(4) {
		case 0:
			q.Terms = append(q.Terms, index.Term{Text: some(1)})
		case 1:
			q.Terms[0].Not = true
			q.Terms = append(q.Terms, index.Term{Text: some(1)})
		case 2:
			q.Terms = append(q.Terms, index.Term{Text: some(3), Phrase: true, Or: true})
			q = q.Where(index.Status, "pending")
		}
		if random.IntN(2) == 0 {
			q.Sort = index.Created
		}
		page, err := x.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		got, want := ids(page.Shown()), ids(index.Scan(all, q))
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%v: the index finds %d, reading all finds %d: %v, %v", q, len(got), len(want), got, want)
		}
		found += len(got)
	}
	if found < 1000 {
		t.Errorf("%d lessons found", found)
	}
}
