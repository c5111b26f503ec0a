package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"
	"time"

	"learnings/lessons"
	db "learnings/lessons/state"
)

// settled makes the last look one of the folders as they are, made long after they changed.
func settled(t testing.TB, s *Store) {
	t.Helper()
	change(t, s, "UPDATE kept SET value = json_set(value, '$.folders', json(?)) WHERE name = ?", fmt.Sprint(walked(t, s).sum), keptCorpus)
}

func walked(t testing.TB, s *Store) *walk {
	t.Helper()
	w, err := s.tree.walk()
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// change changes the database.
func change(t testing.TB, s *Store, query string, args ...any) {
	t.Helper()
	if err := s.db.Update(func(tx db.Tx) error { _, err := tx.Exec(query, args...); return err }); err != nil {
		t.Fatal(err)
	}
}

// lookedAt makes the last look at all files one of another time.
func lookedAt(t testing.TB, s *Store, at time.Time) {
	t.Helper()
	change(t, s, "UPDATE kept SET value = json_set(value, '$.full', ?) WHERE name = ?", at.UnixNano(), keptCorpus)
}

// looked gives a corpus at which somebody has looked, and where the log ends.
func looked(t testing.TB, ls ...lessons.Lesson) (*Store, lessons.Cursor) {
	t.Helper()
	s := corpus(t)
	put(t, s, "add", ls...)
	_, c := since(t, s, "")
	since(t, s, c) // and once more, now that all is in the table
	settled(t, s)
	return s, c
}

// quickly is the corpus for another process, which trusts an earlier look.
func quickly(t testing.TB, s *Store) *Store {
	return again(t, s).Trusting(time.Hour, nil)
}

// inPlace writes a content into the file of a lesson, as some editors do.
func inPlace(t testing.TB, s *Store, id lessons.ID, content string) {
	t.Helper()
	path, err := s.Path(id)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text = regexp.MustCompile(`(?m)^content: .*$`).ReplaceAll(text, fmt.Appendf(nil, "content: %q", content))
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
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
			check(t, os.Chtimes(path+".new", info.ModTime(), info.ModTime()))
			check(t, os.Rename(path+".new", path))
			// And the folder is given its old time, as programs do that restore a backup.
			check(t, os.Chtimes(filepath.Dir(path), noon, noon))
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

// Whatever another program does to the names in a corpus is seen by a look at its folders.
func TestFoldersTell(t *testing.T) {
	for name, do := range changes(t) {
		t.Run(name, func(t *testing.T) {
			s, c := looked(t, approve(t, lesson("aaaa", "one")), approve(t, lesson("bbbb", "three")))
			if changed, err := quickly(t, s).Changed(c); changed || err != nil {
				t.Fatalf("changed before anything was done: %v, %v", changed, err)
			}
			settled(t, s)
			do(t, s)
			if changed, err := quickly(t, s).Changed(c); !changed || err != nil {
				t.Errorf("Changed: %v, %v", changed, err)
			}
			quick, c := since(t, quickly(t, s), c)
			if len(quick) == 0 {
				t.Error("Since gives nothing")
			}
			if more, _ := since(t, s, c); len(more) != 0 {
				t.Errorf("a look at all files finds more: %+v", more)
			}
		})
	}
}

// tocks waits until the clock moves from which a file system takes its times.
func tocks(t *testing.T) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "clock")
	now := func() time.Time {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		return info.ModTime()
	}
	for began := now(); now().Equal(began); {
	}
}

// What is written into a file in place is found by a look at all files. Until then who
// reads that file gets what it has, as text on which nobody has decided.
func TestWrittenInPlace(t *testing.T) {
	s, c := looked(t, approve(t, lesson("aaaa", "one")), approve(t, lesson("bbbb", "three")))
	old := get(t, s, "aaaa")
	inPlace(t, s, "aaaa", "evil")
	q := quickly(t, s)
	if changed, err := q.Changed(c); changed || err != nil {
		t.Fatalf("it looked at all files: %v, %v", changed, err)
	}
	if got, _ := since(t, q, c); len(got) != 0 {
		t.Fatalf("it looked at all files: %+v", got)
	}
	if l := get(t, q, "aaaa"); l.Content != "evil" || !l.Outside {
		t.Errorf("Get: %q, outside %v", l.Content, l.Outside)
	}
	if l, err := q.Reread(old); err != nil || l.Content != "evil" || !l.Outside {
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

// A look at all files is asked for when it is time, once, and made in the call where it
// does not come.
func TestLookAside(t *testing.T) {
	s, c := looked(t, approve(t, lesson("aaaa", "one")))
	edit := func(to string) {
		t.Helper()
		inPlace(t, s, "aaaa", to)
	}
	long := func(aside func() error) *Store { return again(t, s).Trusting(10*time.Minute, aside) }
	old := func() { // the last look at all files was two hours ago
		t.Helper()
		lookedAt(t, s, time.Now().Add(-2*time.Hour))
		change(t, s, "DELETE FROM kept WHERE name = ?", keptAsked) // what was asked for then has come
		settled(t, s)
	}
	old()
	edit("aside")
	asked := 0
	ask := func() error { asked++; return nil }
	for range 3 {
		if got, _ := since(t, long(ask), c); len(got) != 0 {
			t.Fatalf("it looked at all files: %+v", got)
		}
	}
	if asked != 1 {
		t.Errorf("asked %d times, want once", asked)
	}
	// Nobody came in that time.
	if err := s.db.Put(keptAsked, time.Now().Add(-90*time.Minute).UnixNano()); err != nil {
		t.Fatal(err)
	}
	late, others := long(ask), long(ask)
	tab, err := s.read()
	if err != nil {
		t.Fatal(err)
	}
	if late.trusted(tab) || !others.trusted(tab) || asked != 1 { // of many who find that out one looks
		t.Errorf("none looks, or all do: asked %d times", asked)
	}
	if err := s.db.Put(keptAsked, time.Now().Add(-90*time.Minute).UnixNano()); err != nil {
		t.Fatal(err)
	}
	if got, end := since(t, late, c); len(got) != 1 || asked != 1 {
		t.Errorf("it did not look: %+v, asked %d times", got, asked)
	} else {
		c = end
	}
	old()
	edit("failing")
	if got, end := since(t, long(func() error { return errors.New("no process") }), c); len(got) != 1 {
		t.Errorf("nobody could be asked, and it did not look: %+v", got)
	} else {
		c = end
	}
	edit("nobody")
	old()
	if got, end := since(t, long(nil), c); len(got) != 1 {
		t.Errorf("there is nobody to ask, and it did not look: %+v", got)
	} else {
		c = end
	}
	// A clock that was put back.
	lookedAt(t, s, time.Now().Add(time.Hour))
	edit("clock")
	if got, _ := since(t, long(nil), c); len(got) != 1 {
		t.Errorf("it trusted a look of the future: %+v", got)
	}
}
