package store

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gofrs/flock"

	"learnings/lessons"
)

// listed gives the folders of lessons that the next process would list.
func listed(t *testing.T, s *Store) []string {
	t.Helper()
	g := loadGlance(s.state)
	if g == nil {
		t.Fatal("no glance")
	}
	w, err := s.tree.walk(g)
	if err != nil {
		t.Fatal(err)
	}
	return append(w.changed, w.vanished...)
}

// TestOwnWrites: what this program writes, in whichever way, makes nobody list a folder.
func TestOwnWrites(t *testing.T) {
	s, _ := looked(t, approve(t, lesson("aaaa", "one")), approve(t, lesson("bbbb", "two")), lesson("cccc", "three"), lesson("dddd", "four"))
	w := quickly(t, s)
	check := func(what string) {
		t.Helper()
		if dirs := listed(t, s); len(dirs) > 0 {
			t.Errorf("after %s: %v are to be listed", what, dirs)
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
			g := loadGlance(s.state)
			do(t, s)
			for i, f := range g.folders { // as if the clock had stood still
				if now, _, err := stampOf(s.tree.full(f.path)); err == nil {
					g.folders[i].stamp = now
				}
			}
			g.save(s.state)
			found(t, s, again(t, s), c)
		})
	}
}

// TestGlanceOfALaterTable: who has read the table before a write does not look at all files
// because the glance is of after it.
func TestGlanceOfALaterTable(t *testing.T) {
	s, c := looked(t, approve(t, lesson("aaaa", "one")), approve(t, lesson("bbbb", "three")))
	r := quickly(t, s)
	if changed, err := r.Changed(c); changed || err != nil {
		t.Fatalf("Changed: %v, %v", changed, err)
	}
	before, err := r.known()
	if err != nil {
		t.Fatal(err)
	}
	put(t, quickly(t, s), lessons.OpAdd, lesson("cccc", "four"))
	inPlace(t, s, "bbbb", "only a look at all files finds this")
	n, err := r.look(before, quick)
	if err != nil || len(n.steps) != 1 || n.steps[0].id != "cccc" {
		t.Errorf("found %+v, %v", n.steps, err)
	}
}

// TestLeftInTheRoot: what a crash has left of a file that was written ahead goes with the
// next write, and what somebody is writing stays.
func TestLeftInTheRoot(t *testing.T) {
	s := corpus(t)
	put(t, s, lessons.OpAdd, lesson("aaaa", "one"))
	left, busy := tempIn("."), tempIn(".")
	for _, name := range []string{left, busy} {
		writeFile(t, s, name, "half a les")
	}
	f, err := os.Open(filepath.Join(s.tree.dir, busy))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := claim(f); err != nil {
		t.Fatal(err)
	}
	put(t, again(t, s), lessons.OpAdd, lesson("bbbb", "two"))
	if all := files(t, s); strings.Contains(all, left) || !strings.Contains(all, busy) {
		t.Errorf("left over:\n%s", all)
	}
}

// TestTwoGlances: of what two processes have seen nothing is lost.
func TestTwoGlances(t *testing.T) {
	at := func(n int64) stamp { return stamp{mtime: n, ctime: n, inode: 7} }
	mine := &glance{epoch: "e", full: 5, odd: []string{"a/x/odd.md", "b/x/odd.md"}, folders: []folder{
		{"a/x", true, at(10), true}, {"b/x", true, at(20), false}, {"c/x", true, at(30), true},
	}}
	theirs := &glance{epoch: "e", full: 9, odd: []string{"a/x/other.md", "b/x/other.md"}, noted: noted{mark: mark{seq: 2}}, folders: []folder{
		{"a/x", true, at(11), false}, {"b/x", true, at(19), false}, {"c/x", true, at(30), false}, {"d/x", true, at(40), false},
	}}
	want := glance{epoch: "e", full: 9, odd: []string{"a/x/other.md", "b/x/odd.md"}, noted: theirs.noted, folders: []folder{
		{"a/x", true, at(11), false}, {"b/x", true, at(20), false}, {"c/x", true, at(30), false}, {"d/x", true, at(40), false},
	}}
	for _, got := range []*glance{mine.and(theirs), theirs.and(mine)} {
		if string(got.encode()) != string(want.encode()) {
			t.Errorf("got\n%s\nwant\n%s", got.encode(), want.encode())
		}
	}
	if other := (&glance{epoch: "f"}); mine.and(other) != mine || mine.and(nil) != mine {
		t.Error("a glance of another table counts")
	}
}

// TestGlanceIsBusy: who holds the glance, and is stopped, keeps nobody from writing, and
// nothing is lost by it.
func TestGlanceIsBusy(t *testing.T) {
	s, c := looked(t, approve(t, lesson("aaaa", "one")))
	l := flock.New(filepath.Join(s.state, glanceLock))
	if ok, err := l.TryLock(); !ok || err != nil {
		t.Fatal(ok, err)
	}
	defer l.Close()
	put(t, quickly(t, s), lessons.OpAdd, lesson("bbbb", "two"))
	writeFile(t, s, "octofs/developer/hand.md", handmade)
	if got, _ := since(t, quickly(t, s), c); len(got) != 2 {
		t.Errorf("got %+v", got)
	}
}
