package index_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"learnings/index"
	"learnings/lessons"
)

func at(t *testing.T) (*index.Index, string) {
	dir := filepath.Join(t.TempDir(), "index")
	return index.At(dir), dir
}

func TestForgottenLeavesNoTrace(t *testing.T) {
	const secret = "hunter2xyzzy"
	all := append(corpus(300), lesson("leak", "The password is "+secret, func(l *lessons.Lesson) { l.Tags = []string{secret} }))
	log := newLog(all...)
	x, dir := at(t)
	update(t, x, log)
	if !holds(t, dir, secret) {
		t.Fatal("the test looks in the wrong place: the secret is not in the files before")
	}
	log.drop("forget", "leak")
	update(t, x, log)
	if got := search(t, x, secret); len(got) != 0 {
		t.Errorf("still found: %v", got)
	}
	if holds(t, dir, secret) {
		t.Error("the secret is still in the files")
	}
	if n := len(search(t, x, "gateway")); n == 0 {
		t.Error("the others are gone too")
	}
}

// holds reports whether some file of an index has a text in it.
func holds(t *testing.T, dir, text string) bool {
	t.Helper()
	found := false
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		found = found || bytes.Contains(b, []byte(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestDeleted(t *testing.T) {
	log := newLog(lesson("a", "Use pnpm"), lesson("b", "Use bun"))
	x, _ := at(t)
	update(t, x, log)
	log.drop("external", "a")
	if n := update(t, x, log); n != 1 {
		t.Errorf("took in %d changes, want 1", n)
	}
	if got := search(t, x, ""); len(got) != 1 || got[0] != "b" {
		t.Errorf("left: %v, want b", got)
	}
}

// Who keeps a view of an index sees by its cursor that another program has had
// it take something in.
func TestCursorTellsOfOthers(t *testing.T) {
	log := newLog(lesson("a", "Use pnpm"))
	x, dir := at(t)
	if _, err := x.Cursor(t.Context()); !errors.Is(err, index.ErrNoIndex) {
		t.Errorf("without an index: %v", err)
	}
	update(t, x, log)
	was, err := x.Cursor(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	log.put("add", lesson("b", "Use bun"))
	update(t, index.At(dir), log)
	if now, err := x.Cursor(t.Context()); err != nil || now == was {
		t.Errorf("the cursor is %q (%v) before and after", now, err)
	}
}

func TestForeignCursorRebuilds(t *testing.T) {
	x, _ := at(t)
	update(t, x, newLog(lesson("a", "Use pnpm")))
	other := newLog()
	other.name = "another journal"
	other.put("add", lesson("b", "Use bun"))
	update(t, x, other)
	if got := search(t, x, ""); len(got) != 1 || got[0] != "b" {
		t.Errorf("found %v, want b alone", got)
	}
}

func TestEmptyLog(t *testing.T) {
	x, _ := at(t)
	update(t, x, newLog())
	if got := search(t, x, ""); len(got) != 0 {
		t.Errorf("found %v", got)
	}
	if got := search(t, x, "word"); len(got) != 0 {
		t.Errorf("found %v", got)
	}
}

// TestDamage breaks an index in all ways that a disk, a person or an older
// program might. A search then finds everything or says that there is no index,
// and the next sync makes it whole.
func TestDamage(t *testing.T) {
	gen := func(dir string) string {
		b, err := os.ReadFile(filepath.Join(dir, "CURRENT"))
		if err != nil {
			t.Fatal(err)
		}
		var now struct{ Generation string }
		if err := json.Unmarshal(b, &now); err != nil {
			t.Fatal(err)
		}
		return filepath.Join(dir, now.Generation)
	}
	truncate := func(pattern string, to int64) func(string) error {
		return func(dir string) error {
			files, err := filepath.Glob(filepath.Join(gen(dir), pattern))
			if err != nil || len(files) == 0 {
				t.Fatalf("no %s: %v", pattern, err)
			}
			for _, f := range files {
				if to < 0 {
					fi, err := os.Stat(f)
					if err != nil {
						return err
					}
					to = fi.Size() / 2
				}
				if err := os.Truncate(f, to); err != nil {
					return err
				}
			}
			return nil
		}
	}
	write := func(name, text string) func(string) error {
		return func(dir string) error { return os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600) }
	}
	for name, harm := range map[string]func(dir string) error{
		"CURRENT deleted":       func(dir string) error { return os.Remove(filepath.Join(dir, "CURRENT")) },
		"CURRENT empty":         write("CURRENT", ""),
		"CURRENT of garbage":    write("CURRENT", "\x00\xff../../etc g1"),
		"another version":       write("CURRENT", `{"Version":999,"Generation":"g1"}`),
		"an earlier version":    write("CURRENT", "15 g1\n"),
		"generation deleted":    func(dir string) error { return os.RemoveAll(gen(dir)) },
		"segments cut to half":  truncate("store/*.zap", -1),
		"segments cut to zero":  truncate("store/*.zap", 0),
		"segments cut to 10":    truncate("store/*.zap", 10),
		"root.bolt cut to zero": truncate("store/root.bolt", 0),
		"root.bolt cut to half": truncate("store/root.bolt", -1),
		"index_meta cut":        truncate("index_meta.json", 3),
		"store deleted":         func(dir string) error { return os.RemoveAll(filepath.Join(gen(dir), "store")) },
		"everything deleted":    os.RemoveAll,
	} {
		t.Run(name, func(t *testing.T) {
			x, dir := at(t)
			log := newLog(corpus(50)...)
			update(t, x, log)
			if err := harm(dir); err != nil {
				t.Fatal(err)
			}
			p, err := x.Search(t.Context(), index.Query{})
			if err != nil && !errors.Is(err, index.ErrNoIndex) {
				t.Errorf("search of the damaged index: %v", err)
			}
			if err == nil && p.Total != 50 {
				t.Errorf("the damaged index answers with %d of 50", p.Total)
			}
			log.put("add", lesson("new", "Added since"))
			update(t, x, log)
			p, err = x.Search(t.Context(), index.Query{})
			if err != nil || p.Total != 51 {
				t.Errorf("after the sync: %d of 51, %v", p.Total, err)
			}
		})
	}
}

// TestSyncHealsWithoutSearch is damage that the sync itself meets first.
func TestSyncHealsWithoutSearch(t *testing.T) {
	x, dir := at(t)
	log := newLog(corpus(50)...)
	update(t, x, log)
	if err := os.Truncate(filepath.Join(dir, "g1", "store", "root.bolt"), 0); err != nil {
		t.Fatal(err)
	}
	update(t, x, log)
	if p, err := x.Search(t.Context(), index.Query{}); err != nil || p.Total != 50 {
		t.Errorf("%d of 50, %v", p.Total, err)
	}
}

// TestManySmallSyncs is how a day of decisions looks: files must not pile up.
func TestManySmallSyncs(t *testing.T) {
	x, dir := at(t)
	all := corpus(2000)
	log := newLog(all...)
	update(t, x, log)
	for i := range 60 {
		l := all[i]
		l.Content += " and afterwards"
		log.put("edit", l)
		update(t, x, log)
	}
	files, err := filepath.Glob(filepath.Join(dir, "g*", "store", "*.zap"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) > 30 {
		t.Errorf("%d files after 60 syncs", len(files))
	}
	if p, err := x.Search(t.Context(), index.Query{}); err != nil || p.Total != 2000 {
		t.Errorf("%d of 2000, %v", p.Total, err)
	}
}

func TestRebuildReplaces(t *testing.T) {
	x, dir := at(t)
	log := newLog(corpus(20)...)
	for range 3 {
		if n, err := x.Rebuild(t.Context(), log); err != nil || n != 20 {
			t.Fatalf("Rebuild = %d, %v", n, err)
		}
	}
	gens, err := filepath.Glob(filepath.Join(dir, "g*[0-9]"))
	if err != nil || len(gens) != 1 {
		t.Errorf("generations %v, %v; want one", gens, err)
	}
}

// A rebuild leaves one file of lessons, because every later call opens all files.
func TestRebuildLeavesOneFile(t *testing.T) {
	ls := make([]lessons.Lesson, 4200) // more than two of its batches
	for i := range ls {
		ls[i] = lessons.Lesson{ID: lessons.IDFrom("one file", fmt.Sprint(i)), Status: lessons.Approved, Category: "workflow", Wording: lessons.Wording{Content: fmt.Sprintf("Run step %d before step %d", i, i%97)}}
	}
	dir, log := t.TempDir(), newLog(ls...)
	x := index.At(dir)
	if n, err := x.Rebuild(t.Context(), log); err != nil || n != len(ls) {
		t.Fatal(n, err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*", "store", "*.zap"))
	if err != nil || len(files) != 1 {
		t.Errorf("%v, %v", files, err)
	}
	if n, err := x.Sync(t.Context(), log); n != 0 || err != nil {
		t.Errorf("it is %d changes behind, %v", n, err)
	}
}

// TestMend: a sync does not rebuild a worn index, because somebody waits for it; Mend does,
// once, and loses nothing.
func TestMend(t *testing.T) {
	x, dir := at(t)
	ls := corpus(300)
	log := newLog(ls[:1]...)
	update(t, x, log)
	if worn, err := x.Mend(t.Context(), log); worn || err != nil {
		t.Fatalf("an index of one lesson is worn: %v, %v", worn, err)
	}
	// bleve merges files when it wants to: one is too many here.
	restore := index.SetMaxFiles(0)
	defer restore()
	for part := range slices.Chunk(ls[1:], 50) {
		log.put("add", part...)
		update(t, x, log)
	}
	generation := func() string {
		now, err := os.ReadFile(filepath.Join(dir, "CURRENT"))
		if err != nil {
			t.Fatal(err)
		}
		return string(now)
	}
	first := generation()
	if !strings.Contains(first, `"Generation":"g1"`) {
		t.Errorf("a sync made %s", first)
	}
	if worn, err := x.Mend(t.Context(), log); !worn || err != nil {
		t.Errorf("with a file too many it is not worn: %v", err)
	}
	restore()
	if worn, err := x.Mend(t.Context(), log); worn || err != nil || generation() == first {
		t.Errorf("mended, it is worn: %v, %v, %s", worn, err, generation())
	}
	if p, err := x.Search(t.Context(), index.Query{}); err != nil || p.Total != len(ls) {
		t.Errorf("%d lessons of %d, %v", p.Total, len(ls), err)
	}
	if worn, err := index.At(filepath.Join(t.TempDir(), "none")).Mend(t.Context(), log); worn || err != nil {
		t.Errorf("where there is none: %v, %v", worn, err)
	}
}
