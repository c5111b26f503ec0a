package index_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"learnings/index"
	"learnings/lessons"
)

// asOne gives what a search by meaning finds, in words and with all numbers.
func asOne(t *testing.T, x *index.Index) string {
	t.Helper()
	q := index.Text("concurrent access to a cache")
	q.Meaning, q.Limit = index.Faint, 40
	page, err := x.Search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	out := fmt.Sprintln(page.Total)
	for _, h := range page.Hits {
		out += fmt.Sprintln(h.Lesson.ID, h.Score, h.Near, h.Alike, h.ByMeaning)
	}
	return out
}

func columnsIn(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "g*", "VECTORS", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// A search finds the same whether the vectors stand beside the index or not, whatever
// has become of them, and a write makes those anew that are missing.
func TestColumns(t *testing.T) {
	dir := t.TempDir()
	x, log := index.At(dir), newLog(corpus(900)...)
	log.put("add", lesson("race", "Guard what is shared against races: take the mutex"))
	update(t, x, log)
	files := columnsIn(t, dir)
	if len(files) != 1 {
		t.Fatalf("vectors beside the index: %v, want one file", files)
	}
	want := asOne(t, x)
	whole, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	other := append([]byte(nil), whole...)
	other[8]++ // of another file of the index
	for name, data := range map[string][]byte{"gone": nil, "empty": {}, "cut": whole[:len(whole)/2], "of another file": other, "long": append(whole[:len(whole):len(whole)], 0)} {
		if err := os.WriteFile(files[0], data, 0o600); err != nil {
			t.Fatal(err)
		}
		if data == nil {
			_ = os.Remove(files[0])
		}
		if got := asOne(t, x); got != want {
			t.Errorf("%s: found\n%swant\n%s", name, got, want)
		}
	}
	log.put("edit", lesson("race", "Guard what is shared against races: take the mutex"))
	update(t, x, log)
	if data, err := os.ReadFile(files[0]); err != nil || string(data) != string(whole) {
		t.Errorf("after a write there are %d bytes of %d, %v", len(data), len(whole), err)
	}
}

// Vectors that are whole to look at and broken within are damage, as in any other file of
// an index: it is made anew.
func TestColumnsBroken(t *testing.T) {
	dir := t.TempDir()
	x, log := index.At(dir), newLog(corpus(900)...)
	update(t, x, log)
	want := asOne(t, x)
	for _, f := range columnsIn(t, dir) {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		clear(data[20:60]) // where those of some documents begin
		if err := os.WriteFile(f, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	q := index.Text("concurrent access to a cache")
	q.Meaning = index.Faint
	if _, err := x.Search(t.Context(), q); !errors.Is(err, index.ErrNoIndex) {
		t.Errorf("error %v, want ErrNoIndex", err)
	}
	update(t, x, log)
	if got := asOne(t, x); got != want {
		t.Errorf("made anew: found\n%swant\n%s", got, want)
	}
}

// What stands beside files of the index goes with them.
func TestColumnsGo(t *testing.T) {
	dir := t.TempDir()
	x, log := index.At(dir), newLog(corpus(600)...)
	update(t, x, log)
	all := corpus(1800)
	for i := 600; i < 1800; i += 80 { // until the small ones are merged
		log.put("add", all[i:i+80]...)
		update(t, x, log)
	}
	stray := filepath.Join(filepath.Dir(columnsIn(t, dir)[0]), "stray")
	if err := os.WriteFile(stray, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	log.put("add", []lessons.Lesson{lesson("last", "Added at last")}...)
	update(t, x, log)
	for _, f := range columnsIn(t, dir) {
		if _, err := os.Stat(filepath.Join(filepath.Dir(f), "..", "store", filepath.Base(f))); err != nil {
			t.Errorf("%s is beside nothing", filepath.Base(f))
		}
	}
	got := asOne(t, x)
	y := index.At(t.TempDir())
	update(t, y, log)
	if want := asOne(t, y); got != want {
		t.Errorf("found\n%swith one file\n%s", got, want)
	}
}
