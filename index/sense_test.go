package index_test

import (
	"fmt"
	"testing"

	"learnings/index"
	"learnings/lessons"
)

// TestMeaning finds what means the same without a word in common, after what has the
// words, and not where all words or an order by date are asked for.
func TestMeaning(t *testing.T) {
	ls := []lessons.Lesson{
		lesson("race", "The race detector is switched on in CI"),
		lesson("mutex", "Guard the cache against concurrent access: take the mutex"),
		lesson("script", "Deploy with the blue script"),
	}
	for i := range 60 { // so many that it shows what is usual
		ls = append(ls, lesson(fmt.Sprintf("more%02d", i), fmt.Sprintf("Change %d goes to the changelog by hand", i)))
	}
	x := fill(t, ls...)
	found := func(set func(*index.Query)) string {
		q := index.Text("race condition")
		q.Meaning = index.Outstanding
		set(&q)
		page, err := x.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		out := ""
		for i, h := range page.Hits {
			out += fmt.Sprintf("%s %t;", h.Lesson.ID, h.ByMeaning)
			if i > 0 && h.Score > page.Hits[i-1].Score {
				t.Errorf("%s has a better score than what comes before it", h.Lesson.ID)
			}
		}
		return out
	}
	for _, tt := range []struct {
		want string
		set  func(*index.Query)
	}{
		{"race false;mutex true;", func(q *index.Query) {}},
		{"race false;", func(q *index.Query) { q.Meaning = index.NoMeaning }},
		{"", func(q *index.Query) { q.AllWords = true }},
		{"", func(q *index.Query) { q.Sort = index.Created }},
		{"race false;", func(q *index.Query) { *q = q.Not(index.ID, "mutex") }},
		{"mutex true;", func(q *index.Query) { q.Offset = 1 }},
	} {
		if got := found(tt.set); got != tt.want {
			t.Errorf("found %q, want %q", got, tt.want)
		}
	}
}
