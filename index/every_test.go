package index_test

import (
	"fmt"
	"testing"

	"learnings/index"
)

// TestEvery: each term is held, by words or by meaning, and what holds all by its words
// comes first.
func TestEvery(t *testing.T) {
	x := fill(t,
		lesson("both", "A race condition in the cache is a bug of the lock"),
		lesson("sense", "Guard the cache against concurrent access: take the mutex"),
		lesson("race", "The race condition detector is switched on in CI"),
		lesson("cache", "The cache lies in the home folder"),
		lesson("script", "Deploy with the blue script"),
	)
	found := func(q index.Query, terms ...string) string {
		page, err := x.Every(t.Context(), q, terms...)
		if err != nil {
			t.Fatal(err)
		}
		out := fmt.Sprint(page.Total)
		for _, h := range page.Hits {
			out += fmt.Sprintf(" %s %t", h.Lesson.ID, h.ByMeaning)
		}
		return out
	}
	for _, tt := range []struct {
		want  string
		q     index.Query
		terms []string
	}{
		{"2 both false sense true", index.Query{}, []string{"race condition", "cache"}},
		{"2 sense true", index.Query{Offset: 1}, []string{"cache", "race condition"}},
		{"1 sense true", index.Query{}.Not(index.ID, "both"), []string{"race condition", "cache"}},
		{"1 both false", index.Query{}, []string{"race condition", "cache", "bug"}},
		{"0", index.Query{}, []string{"zebra", "giraffe"}},
	} {
		if got := found(tt.q, tt.terms...); got != tt.want {
			t.Errorf("%q: found %q, want %q", tt.terms, got, tt.want)
		}
	}
	if terms, err := index.TermsOf([]string{"race -cache condition", "project:octofs", `"take the" mutex`}); err != nil || fmt.Sprintf("%q", terms) != `["race condition" "take the mutex"]` {
		t.Errorf("the terms are %q, %v", terms, err)
	}
}
