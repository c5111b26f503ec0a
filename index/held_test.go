package index_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"learnings/index"
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
