package index_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"learnings/index"
)

// TestExamine checks what is said of an index, and that one that is damaged is left as
// it is, for a query or a sync to deal with.
func TestExamine(t *testing.T) {
	dir := t.TempDir()
	x := index.At(dir)
	if _, err := x.Examine(t.Context()); !errors.Is(err, index.ErrNoIndex) {
		t.Fatalf("of none: %v", err)
	}
	log := newLog(lesson("a1", "Run make generate"), lesson("b2", "Never push to main"))
	update(t, x, log)
	h, err := x.Examine(t.Context())
	if c, _ := x.Cursor(t.Context()); err != nil || h.Size == 0 || h.Spare != 0 || h.Cursor != c {
		t.Errorf("%+v, %v", h, err)
	}
	if err := os.Mkdir(filepath.Join(dir, "g7"), 0o700); err != nil {
		t.Fatal(err)
	}
	if h, err := x.Examine(t.Context()); err != nil || h.Spare != 1 {
		t.Errorf("%+v, %v", h, err)
	}
	bolt, err := filepath.Glob(filepath.Join(dir, "g1", "store", "root.bolt"))
	if err != nil || len(bolt) != 1 {
		t.Fatalf("%v %v", bolt, err)
	}
	if err := os.Truncate(bolt[0], 10); err != nil {
		t.Fatal(err)
	}
	if _, err := x.Examine(t.Context()); err == nil || errors.Is(err, index.ErrNoIndex) || errors.Is(err, index.ErrBusy) {
		t.Errorf("of a damaged one: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "CURRENT")); err != nil {
		t.Errorf("the damaged one was forgotten: %v", err)
	}
}
