package index_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"learnings/index"
	"learnings/lessons"
)

func search(t *testing.T, x *index.Index, q string) []lessons.ID {
	t.Helper()
	parsed, err := index.ParseQuery(q)
	if err != nil {
		t.Fatal(err)
	}
	p, err := x.Search(context.Background(), parsed)
	if err != nil {
		t.Fatal(err)
	}
	var ids []lessons.ID
	for _, h := range p.Hits {
		ids = append(ids, h.Lesson.ID)
	}
	return ids
}

func place(t *testing.T) *index.Index { return index.At(filepath.Join(t.TempDir(), "index")) }

func update(t testing.TB, x *index.Index, log index.Log) int {
	t.Helper()
	n, err := x.Sync(t.Context(), log)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestSearchWithoutIndex(t *testing.T) {
	x := place(t)
	if _, err := x.Search(t.Context(), index.Query{}); !errors.Is(err, index.ErrNoIndex) {
		t.Errorf("Search = %v, want ErrNoIndex", err)
	}
}

func TestSyncAndSearch(t *testing.T) {
	log := newLog(
		lesson("a1", "Run `make generate` after editing any .proto file"),
		lesson("b2", "Never push to main"),
	)
	x := place(t)
	if n := update(t, x, log); n != 2 {
		t.Errorf("the first sync took in %d changes, want 2", n)
	}
	if n := update(t, x, log); n != 0 {
		t.Errorf("a sync with nothing new took in %d changes", n)
	}
	log.put("edit", lesson("b2", "Never push to the release branch"))
	log.put("add", lesson("c3", "Use pnpm"))
	if n := update(t, x, log); n != 2 {
		t.Errorf("the sync took in %d changes, want 2", n)
	}
	for q, want := range map[string]string{"proto": "a1", "branch": "b2", "pnpm": "c3"} {
		if got := search(t, x, q); len(got) != 1 || string(got[0]) != want {
			t.Errorf("search %q = %v, want %s", q, got, want)
		}
	}
	for _, q := range []string{"main", "nosuchword", "nosuchword status:approved", "-pnpm nosuchword"} {
		if got := search(t, x, q); len(got) != 0 {
			t.Errorf("search %q = %v, want nothing", q, got)
		}
	}
}

// TestRarest checks that a query can ask for only its rarest words, and that words
// which no lesson has do not take their place.
func TestRarest(t *testing.T) {
	var ls []lessons.Lesson
	for i := range 20 {
		ls = append(ls, lesson(fmt.Sprintf("c%d", i), "Common words stand in each of them"))
	}
	ls = append(ls, lesson("rare", "Common words and a flamingo"))
	x := fill(t, ls...)
	q := index.Text("common words flamingo pelican")
	for rarest, want := range map[int]int{0: 21, 1: 1, 9: 21} {
		q.Rarest = rarest
		page, err := x.Search(t.Context(), q)
		if err != nil || page.Total != want {
			t.Errorf("of the %d rarest words: %d lessons, %v; want %d", rarest, page.Total, err, want)
		}
	}
}
