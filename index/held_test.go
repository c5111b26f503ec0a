package index_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"learnings/index"
	"learnings/lessons"
)

// Several questions to an index that is opened once get the answers that they get one by
// one.
func TestOpen(t *testing.T) {
	x := fill(t, corpus(50)...)
	q := index.Text("the")
	want, err := x.Search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	err = index.Open(t.Context(), x, func(x *index.Index) error {
		page, err := x.Search(t.Context(), q)
		if err != nil || page.Total != want.Total || len(page.Hits) != len(want.Hits) {
			t.Errorf("%d of %d, %v; want %d", len(page.Hits), page.Total, err, want.Total)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// Damage met by a query counts, even if the caller can do without the answer.
func TestOpenDamaged(t *testing.T) {
	log := newLog(corpus(200)...)
	dir := t.TempDir()
	x := index.At(dir)
	update(t, x, log)
	files, _ := filepath.Glob(filepath.Join(dir, "g*", "store", "*.zap"))
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		clear(data[:len(data)*9/10]) // where the lessons are, with the rest and the size as they were
		if err := os.WriteFile(f, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	err := index.Open(t.Context(), x, func(x *index.Index) error {
		if hits, err := x.All(t.Context(), index.Query{}); !errors.Is(err, index.ErrNoIndex) {
			t.Fatalf("%d lessons out of zeros, %v", len(hits), err)
		}
		return nil
	})
	if err != nil && !errors.Is(err, index.ErrNoIndex) {
		t.Error(err)
	}
	update(t, x, log)
	if hits, err := x.All(t.Context(), index.Query{}); err != nil || len(hits) != 200 {
		t.Errorf("after the sync %d of 200 lessons, %v", len(hits), err)
	}
}

// An index that is held answers as of the last change, whoever made it, and leaves nothing
// open when its time ends.
func TestHeld(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	dir := t.TempDir()
	x, other, log := index.At(dir).Held(ctx), index.At(dir), newLog(corpus(20)...)
	update(t, x, log)
	want := 20
	for i, writer := range []*index.Index{x, other, x.Within(time.Second), other} {
		search(t, x, "the") // it is open now
		log.put(lessons.OpAdd, lesson(fmt.Sprintf("late%04d", i), "Added while it is held"))
		update(t, writer, log)
		want++
		if p, err := x.Search(t.Context(), index.Query{}); err != nil || p.Total != want {
			t.Errorf("after write %d: %d of %d lessons, %v", i, p.Total, want, err)
		}
	}
	end()
	if p, err := x.Search(t.Context(), index.Query{}); err != nil || p.Total != want {
		t.Errorf("after its end: %d of %d lessons, %v", p.Total, want, err)
	}
	lock := flock.New(filepath.Join(dir, "reading.lock"))
	if ok, err := lock.TryLockContext(t.Context(), time.Millisecond); !ok || err != nil {
		t.Errorf("still locked: %v", err)
	}
}

// BenchmarkHeld is a query of an index that is opened for it, and of one that is held.
func BenchmarkHeld(b *testing.B) {
	x := fill(b, corpus(1000)...)
	for name, x := range map[string]*index.Index{"opened": x, "held": x.Held(b.Context())} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := x.Search(b.Context(), index.Query{Limit: 20}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
