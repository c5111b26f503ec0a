package store

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"learnings/lessons"
	db "learnings/lessons/state"
)

// TestOwnWrites: what this program writes, in whichever way, makes nobody look at all files.
func TestOwnWrites(t *testing.T) {
	s, _ := looked(t, approve(t, lesson("aaaa", "one")), approve(t, lesson("bbbb", "two")), lesson("cccc", "three"), lesson("dddd", "four"))
	w := quickly(t, s)
	check := func(what string) {
		t.Helper()
		if tab, err := s.read(); err != nil || tab.Folders != walked(t, s).sum {
			t.Errorf("after %s: the folders are not known, %v", what, err)
		}
		if all, _ := since(t, again(t, s), ""); len(all) == 0 {
			t.Error("there is nothing left")
		}
		settled(t, s)
	}
	put(t, w, lessons.OpAdd, lesson("eeee", "five"))
	check("a new one")
	l := get(t, w, "aaaa")
	l.Insight = "because"
	put(t, w, lessons.OpEdit, l)
	check("an edit")
	put(t, w, lessons.OpApprove, approve(t, get(t, w, "cccc")))
	check("one that is approved")
	for _, turn := range []func(int, string) ([]lessons.Change, error){w.Undo, w.Redo} {
		if _, err := turn(1, "sam"); err != nil {
			t.Fatal(err)
		}
		check("a step back, and forth")
	}
}

// TestOwnWriteHidesNothing: what another program does before a write or after it is found
// by the folders, although these are known to be as the write left them; and what it does
// in the same moment, where they cannot tell, by the next look at all files.
func TestOwnWriteHidesNothing(t *testing.T) {
	for name, do := range changes(t) {
		write := func(t *testing.T, w *Store) error {
			t.Helper()
			_, err := w.Put(Write{Op: lessons.OpAdd, By: "sam", Undoable: true}, approve(t, lesson("cccc", "four")))
			return err
		}
		found := func(t *testing.T, s, by *Store, c lessons.Cursor) {
			t.Helper()
			got, c := since(t, by, c)
			others := 0
			for _, change := range got {
				if change.Op == lessons.OpExternal {
					others++
				}
			}
			if more, _ := since(t, s, c); others == 0 || len(more) > 0 {
				t.Errorf("found %+v, and a look at all files %+v", got, more)
			}
		}
		begin := func(t *testing.T) (s, w *Store, c lessons.Cursor) {
			s, c = looked(t, approve(t, lesson("aaaa", "one")), approve(t, lesson("bbbb", "three")))
			w = quickly(t, s)
			if changed, err := w.Changed(c); changed || err != nil {
				t.Fatalf("changed before anything was done: %v, %v", changed, err)
			}
			settled(t, s)
			tocks(t)
			return s, w, c
		}
		t.Run(name+", then a write", func(t *testing.T) {
			s, w, c := begin(t)
			do(t, s)
			tocks(t)
			if err := write(t, w); (err != nil) != strings.Contains(name, "symlink") { // through which nothing is written
				t.Fatal(err)
			}
			found(t, s, quickly(t, s), c)
		})
		t.Run("a write, then "+name, func(t *testing.T) {
			s, w, c := begin(t)
			if err := write(t, w); err != nil {
				t.Fatal(err)
			}
			tocks(t)
			do(t, s)
			found(t, s, quickly(t, s), c)
		})
		t.Run("at the same time as a write "+name, func(t *testing.T) {
			s, w, c := begin(t)
			if err := write(t, w); err != nil {
				t.Fatal(err)
			}
			do(t, s)
			settled(t, s) // as if the clock had stood still
			found(t, s, again(t, s), c)
		})
	}
}

// TestLeftInTheRoot: what a crash has left of a file that was being written goes with the
// next write.
func TestLeftInTheRoot(t *testing.T) {
	s := corpus(t)
	put(t, s, lessons.OpAdd, lesson("aaaa", "one"))
	left := tempIn(".")
	writeFile(t, s, left, "half a les")
	put(t, again(t, s), lessons.OpAdd, lesson("bbbb", "two"))
	if all := files(t, s); strings.Contains(all, left) {
		t.Errorf("left over:\n%s", all)
	}
}

// TestReadWhileWritten: nobody waits for those who write to learn that there is no lesson
// with an id, nor for what has changed: that is what the last write left. What is under
// way is given once it is done.
func TestReadWhileWritten(t *testing.T) {
	s := corpus(t)
	put(t, s, "add", lesson("aaaa", "one"))
	unlock, err := s.gate.lock()
	if err != nil {
		t.Fatal(err)
	}
	locked := true
	free := func() {
		if locked {
			unlock()
			locked = false
		}
	}
	defer free()
	path, err := s.Path("aaaa")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), "by-hand.md"), []byte("---\ncontent: \"two\"\nid: \"cccc\"\n---\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	w := write{Seq: 2, Op: lessons.OpEdit} // a write that is under way
	if err := s.db.Update(func(tx db.Tx) error { return journaled(s.db, tx, w, false) }); err != nil {
		t.Fatal(err)
	}
	reader, err := Open(s.tree.dir, Options{State: s.state, LockWait: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	reader = reader.Trusting(time.Hour, nil)
	if _, err := reader.Get("bbbb"); !errors.Is(err, lessons.ErrNotFound) {
		t.Errorf("got %v", err)
	}
	read := func() (ids []lessons.ID, last lessons.Cursor) {
		for c, err := range reader.Since("") {
			if err != nil {
				t.Fatal(err)
			}
			ids, last = append(ids, c.ID), c.Cursor
		}
		return ids, last
	}
	ids, at := read()
	if !slices.Equal(ids, []lessons.ID{"aaaa"}) {
		t.Errorf("while somebody writes there are %q", ids)
	}
	free()
	var since []lessons.ID
	for c, err := range reader.Since(at) {
		if err != nil {
			t.Fatal(err)
		}
		since = append(since, c.ID)
	}
	if !slices.Equal(since, []lessons.ID{"cccc"}) {
		t.Errorf("behind that there is %q", since)
	}
}
