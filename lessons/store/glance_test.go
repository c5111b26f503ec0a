package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"learnings/lessons"
)

// settled makes the last glance one that was taken long after the folders changed.
func settled(t testing.TB, s *Store) {
	t.Helper()
	g := loadGlance(s.state)
	if g == nil {
		t.Fatal("no glance")
	}
	for i := range g.folders {
		g.folders[i].fresh = false
	}
	g.save(s.state)
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

// A look at all files that found something is followed by one with the lock, at what has
// changed since: nothing of either is lost.
func TestLookBeforeTheLock(t *testing.T) {
	for first, early := range changes(t) {
		for name, late := range changes(t) {
			if first == name || strings.Contains(first, "project that") || strings.Contains(first, "role that") || strings.Contains(first, "deleted") {
				continue // there is nothing left for the other
			}
			t.Run(first+", then "+name, func(t *testing.T) {
				s, c := looked(t, approve(t, lesson("aaaa", "one")), approve(t, lesson("bbbb", "three")))
				early(t, s)
				s.mu.Lock()
				tab, err := s.known()
				if err != nil {
					t.Fatal(err)
				}
				n, err := s.look(tab, quick)
				if err != nil || len(n.records) == 0 {
					t.Fatalf("it found %+v, %v", n.records, err)
				}
				for i := range n.seen.folders { // as if all this was long ago
					n.seen.folders[i].fresh = false
				}
				tocks(t)
				if s.before = n.before(tab, s.state); s.before == nil {
					t.Fatal("it is of no use to the next look")
				}
				late(t, again(t, s))
				unlock, err := s.gate.lock()
				if err != nil {
					t.Fatal(err)
				}
				if err = s.begin(); err == nil {
					err = s.catchUp(quick)
				}
				unlock()
				s.mu.Unlock()
				if err != nil {
					t.Fatal(err)
				}
				got, c := since(t, quickly(t, s), c)
				if len(got) == 0 {
					t.Error("Since gives nothing")
				}
				if more, _ := since(t, s, c); len(more) != 0 {
					t.Errorf("a look at all files finds more: %+v", more)
				}
			})
		}
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
		g := loadGlance(s.state)
		g.full = time.Now().Add(-2 * time.Hour).UnixNano()
		g.save(s.state)
		_ = os.Remove(filepath.Join(s.state, askedName)) // what was asked for then has come
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
	if err := os.WriteFile(filepath.Join(s.state, askedName), fmt.Append(nil, time.Now().Add(-90*time.Minute).UnixNano()), 0o600); err != nil {
		t.Fatal(err)
	}
	late, others := long(ask), long(ask)
	late.trusted(loadGlance(s.state)) // of many who find that out one looks
	if got, _ := since(t, others, c); len(got) != 0 || asked != 1 {
		t.Errorf("another looked: %+v, asked %d times", got, asked)
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
	g := loadGlance(s.state)
	g.full = time.Now().Add(time.Hour).UnixNano()
	g.save(s.state)
	edit("clock")
	if got, _ := since(t, long(nil), c); len(got) != 1 {
		t.Errorf("it trusted a look of the future: %+v", got)
	}
}

// A glance that is damaged, of another table or of more than the table has is none.
func TestGlanceIsNotBelieved(t *testing.T) {
	s, c := looked(t, approve(t, lesson("aaaa", "one")))
	name := filepath.Join(s.state, glanceName)
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	change := func(f func(*glance)) []byte {
		g, err := parseGlance(whole)
		if err != nil {
			t.Fatal(err)
		}
		f(g)
		return g.encode()
	}
	for i, bad := range [][]byte{
		nil, whole[:len(whole)/2], bytes.Replace(whole, []byte("octofs"), []byte("octopi"), 1), make([]byte, len(whole)),
		change(func(g *glance) { g.epoch = "another" }), change(func(g *glance) { g.mark.seq += 10 }),
	} {
		inPlace(t, s, "aaaa", fmt.Sprint("number ", i))
		if err := os.WriteFile(name, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		got, end := since(t, quickly(t, s), c)
		if len(got) != 1 {
			t.Errorf("%d: %d changes, want one", i, len(got))
		}
		c = end
	}
}

func FuzzGlance(f *testing.F) {
	g := &glance{epoch: "e", full: 1, folders: []folder{{path: "", stamp: stamp{1, 2, 3}}, {path: "a\tb\n", leaf: true, fresh: true}}, odd: []string{"x/y/\"z.md"}}
	f.Add(g.encode())
	f.Fuzz(func(t *testing.T, data []byte) {
		g, err := parseGlance(data)
		if err != nil {
			return
		}
		if again, err := parseGlance(g.encode()); err != nil || !slices.Equal(again.folders, g.folders) || !slices.Equal(again.odd, g.odd) || again.noted != g.noted {
			t.Errorf("%+v is read again as %+v, %v", g, again, err)
		}
	})
}

// A table answers the same whether all of it was read or not.
func TestTableInParts(t *testing.T) {
	var entries []entry
	for i := range 300 {
		kind := []kind{good, good, good, broken, double}[i%5]
		entries = append(entries, entry{found: found{fmt.Sprintf("p%d/r/%03d-%s.md", i/100, i, strings.Repeat("x", i%70)), int64(i), int64(i) * 1000},
			id: lessons.ID(fmt.Sprint("id", i/2)), rev: lessons.Rev(fmt.Sprint("rev", i)), kind: kind, outside: i%3 == 0})
	}
	state := t.TempDir()
	tab := &table{epoch: "e", journal: "j", mark: mark{7, 8}}
	tab.replace(slices.Clone(entries))
	if err := tab.write(state); err != nil {
		t.Fatal(err)
	}
	moved, left := entries[10], entries[200]
	moved.path, moved.rev = "p9/r/new.md", "new"
	if err := tab.add(state, mark{8, 9}, lost(entries[10]), moved, lost(left)); err != nil {
		t.Fatal(err)
	}
	whole, err := loadTable(state, nil)
	if err != nil {
		t.Fatal(err)
	}
	whole.all()
	fresh := func() *table {
		parts, err := loadTable(state, nil)
		if err != nil {
			t.Fatal(err)
		}
		if parts.made {
			t.Fatal("all of it was read")
		}
		return parts
	}
	parts := fresh()
	if parts.mark != (mark{8, 9}) || len(whole.all()) != 299 || !slices.Equal(whole.all(), tab.all()) {
		t.Errorf("mark %v, %d entries", parts.mark, len(whole.all()))
	}
	for _, p := range []string{"", "p0/r/", "p1/r/", "p9/r/", "zz/"} {
		if p != "" && !slices.Equal(parts.below(p), whole.below(p)) {
			t.Errorf("below %s: %d, want %d", p, len(parts.below(p)), len(whole.below(p)))
		}
	}
	for _, e := range append(entries, moved, entry{found: found{path: "none"}, id: "none"}) {
		got, ok := parts.at(e.path)
		if want, wanted := whole.at(e.path); got != want && ok || ok != wanted {
			t.Errorf("at %s: %+v, %v, want %+v, %v", e.path, got, ok, want, wanted)
		}
		parts, whole := fresh(), &table{entries: whole.all(), made: true}
		got, ok = parts.find(e.id)
		if want, wanted := whole.find(e.id); got != want || ok != wanted {
			t.Errorf("find %s: %+v, %v, want %+v, %v", e.id, got, ok, want, wanted)
		}
	}
}
