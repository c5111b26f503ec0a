package index_test

import (
	"context"
	"errors"
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

func BenchmarkIndex(b *testing.B) {
	log := newLog(corpus(14391)...)
	x := index.At(filepath.Join(b.TempDir(), "index"))
	b.Run("rebuild", func(b *testing.B) {
		for b.Loop() {
			if _, err := x.Rebuild(b.Context(), log); err != nil {
				b.Fatal(err)
			}
		}
	})
	for _, s := range []string{"gateway", "restart the server12 before", "project:project03 cache", "sort:created", `"before you run"`} {
		q, err := index.ParseQuery(s)
		if err != nil {
			b.Fatal(err)
		}
		b.Run("search/"+s, func(b *testing.B) {
			for b.Loop() {
				if _, err := x.Search(b.Context(), q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("keystroke", func(b *testing.B) {
		q := index.Text("restart the se")
		q.Prefix = true
		for b.Loop() {
			if _, err := x.Search(b.Context(), q); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("similar", func(b *testing.B) {
		for b.Loop() {
			if _, err := x.Similar(b.Context(), corpus(1)[0], 5); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("count", func(b *testing.B) {
		for b.Loop() {
			if _, err := x.Count(b.Context(), index.Query{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("sync one", func(b *testing.B) {
		for b.Loop() {
			log.put("edit", corpus(1)...)
			update(b, x, log)
		}
	})
}
