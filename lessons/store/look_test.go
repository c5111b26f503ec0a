package store

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"learnings/lessons"
	db "learnings/lessons/state"
)

// change changes the database.
func change(t testing.TB, s *Store, query string, args ...any) {
	t.Helper()
	if err := s.db.Update(func(tx db.Tx) error { _, err := tx.Exec(query, args...); return err }); err != nil {
		t.Fatal(err)
	}
}

// looked gives a corpus of old files at which somebody has looked, and where the log ends.
func looked(t testing.TB, ls ...lessons.Lesson) (*Store, lessons.Cursor) {
	t.Helper()
	s := corpus(t)
	put(t, s, "add", ls...)
	for name := range strings.SplitSeq(files(t, s), "\n") {
		if err := os.Chtimes(s.tree.full(name), noon, noon); err != nil {
			t.Fatal(err)
		}
	}
	_, c := since(t, s, "")
	if tab, err := s.read(); err != nil || tab.Sum == 0 {
		t.Fatalf("the sum of all files is not known: %v", err)
	}
	return s, c
}

// changes are what another program can do to the names in a corpus that has aaaa.
func changes(t testing.TB) map[string]func(*testing.T, *Store) {
	const dir = "octofs/developer"
	file := func(s *Store) string {
		path, err := s.Path("aaaa")
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	check := func(t *testing.T, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	return map[string]func(*testing.T, *Store){
		"a new file": func(t *testing.T, s *Store) { writeFile(t, s, dir+"/hand.md", handmade) },
		"a file of another project": func(t *testing.T, s *Store) {
			writeFile(t, s, "another/developer/hand.md", handmade)
		},
		"a file of another role":  func(t *testing.T, s *Store) { writeFile(t, s, "octofs/reviewer/hand.md", handmade) },
		"a file for all projects": func(t *testing.T, s *Store) { writeFile(t, s, "_/hand.md", handmade) },
		"a proposal":              func(t *testing.T, s *Store) { writeFile(t, s, ".pending/octofs/developer/hand.md", handmade) },
		"a file of a new status":  func(t *testing.T, s *Store) { writeFile(t, s, ".archived/octofs/developer/hand.md", handmade) },
		"a file that is replaced": func(t *testing.T, s *Store) {
			path := file(s)
			text, err := os.ReadFile(path)
			check(t, err)
			info, err := os.Stat(path)
			check(t, err)
			check(t, os.WriteFile(path+".new", bytes.ReplaceAll(text, []byte("one"), []byte("two")), 0o600))
			check(t, os.Chtimes(path+".new", info.ModTime().Add(time.Second), info.ModTime().Add(time.Second)))
			check(t, os.Rename(path+".new", path))
		},
		"a file that is written in place": func(t *testing.T, s *Store) {
			text, err := os.ReadFile(file(s))
			check(t, err)
			check(t, os.WriteFile(file(s), bytes.ReplaceAll(text, []byte("one"), []byte("two")), 0o600))
		},
		"a file that is deleted": func(t *testing.T, s *Store) { check(t, os.Remove(file(s))) },
		"a project that is deleted": func(t *testing.T, s *Store) {
			check(t, os.RemoveAll(filepath.Join(s.tree.dir, "octofs")))
		},
		"a project that is renamed": func(t *testing.T, s *Store) {
			check(t, os.Rename(filepath.Join(s.tree.dir, "octofs"), filepath.Join(s.tree.dir, "renamed")))
		},
		"a role that becomes a symlink": func(t *testing.T, s *Store) {
			check(t, os.Rename(s.tree.full(dir), filepath.Join(s.tree.dir, "..", "away")))
			if err := os.Symlink(filepath.Join(s.tree.dir, "..", "away"), s.tree.full(dir)); err != nil {
				if runtime.GOOS == "windows" {
					t.Skipf("Windows gives this user no right to make links: %v", err)
				}
				t.Fatal(err)
			}
		},
	}
}

// Whatever another program does to the files is seen, also right before or after a write
// of ours.
func TestOthersAreSeen(t *testing.T) {
	for name, do := range changes(t) {
		write := func(t *testing.T, s *Store) {
			t.Helper()
			_, err := s.Trusting(time.Hour).Put(Write{Op: lessons.OpAdd, By: "sam"}, approve(t, lesson("cccc", "four")))
			if (err != nil) != strings.Contains(name, "symlink") { // through which nothing is written
				t.Fatal(err)
			}
		}
		for when, steps := range map[string][]func(*testing.T, *Store){"": {do}, ", then a write": {do, write}, ", after a write": {write, do}} {
			t.Run(name+when, func(t *testing.T) {
				if when == ", after a write" && strings.Contains(name, "symlink") {
					t.Skip("the same as with none")
				}
				s, c := looked(t, approve(t, lesson("aaaa", "one")), approve(t, lesson("bbbb", "three")))
				if changed, err := again(t, s).Changed(c); changed || err != nil {
					t.Fatalf("changed before anything was done: %v, %v", changed, err)
				}
				for _, step := range steps {
					step(t, s)
				}
				if changed, err := again(t, s).Changed(c); !changed || err != nil {
					t.Errorf("Changed: %v, %v", changed, err)
				}
				got, c := since(t, again(t, s), c)
				others := 0
				for _, change := range got {
					if change.Op == lessons.OpExternal {
						others++
					}
				}
				if more, _ := since(t, s, c); others == 0 || len(more) > 0 {
					t.Errorf("found %+v, and the next look %+v", got, more)
				}
			})
		}
	}
}

// A store that trusts its look does not list the files; what it reads is as it is, and text
// on which nobody has decided stays so when a program stores it.
func TestWrittenInPlace(t *testing.T) {
	s, c := looked(t, approve(t, lesson("aaaa", "one")))
	q := s.Trusting(time.Hour)
	since(t, q, c)
	old := get(t, q, "aaaa")
	changes(t)["a file that is written in place"](t, s)
	if got, _ := since(t, q, c); len(got) != 0 {
		t.Fatalf("it looked at all files: %+v", got)
	}
	if l, err := q.Reread(old); err != nil || l.Content != "two" || !l.Outside {
		t.Errorf("Reread: %q, outside %v, %v", l.Content, l.Outside, err)
	}
	old.Pinned = true
	if _, err := q.Put(Write{Op: "edit"}, old); !errors.Is(err, lessons.ErrConflict) {
		t.Errorf("Put of what is no longer so: %v", err)
	}
	l := get(t, q, "aaaa")
	l.Use.Used++
	if l = put(t, q, "use", l)[0]; !l.Outside {
		t.Error("an edit by a program made it decided on")
	}
	got, _ := since(t, s, c)
	if len(got) == 0 || got[len(got)-1].After == nil || !got[len(got)-1].After.Outside {
		t.Errorf("the log has %+v", got)
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
	if err := s.db.Update(func(tx db.Tx) error { return journaled(tx, w, false) }); err != nil {
		t.Fatal(err)
	}
	reader, err := Open(s.tree.dir, Options{State: s.state, LockWait: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	reader = reader.Trusting(time.Hour)
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
