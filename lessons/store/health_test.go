package store

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"learnings/lessons"
	db "learnings/lessons/state"
)

// TestExamine checks what is said of a corpus that others and a crash have had their
// hands in, and that saying it changes nothing.
func TestExamine(t *testing.T) {
	s := corpus(t)
	look := func(deep bool) Health {
		t.Helper()
		before := shot(t, filepath.Dir(s.tree.dir))
		h, err := Examine(s.tree.dir, Options{State: s.state}, deep)
		if err != nil {
			t.Fatal(err)
		}
		if after := shot(t, filepath.Dir(s.tree.dir)); after != before {
			t.Errorf("examining changed\n%s\nto\n%s", before, after)
		}
		return h
	}
	if h := look(false); h.Known || h.Cut || h.Busy || len(h.Bad) > 0 {
		t.Errorf("of nothing: %+v", h)
	}
	put(t, s, "add", lesson("aaaa", "one"), lesson("bbbb", "two"))
	_, c := since(t, s, "")
	if h := look(true); !h.Known || h.Cut || h.Busy || h.News > 0 || len(h.Bad) > 0 {
		t.Errorf("of a corpus that is well: %+v", h)
	} else if n, ok := h.Lag(c); n != 0 || !ok {
		t.Errorf("lag %d %v", n, ok)
	} else if _, ok := h.Lag("other.1.0.0"); ok {
		t.Error("the cursor of another journal")
	}

	put(t, s, "add", lesson("cccc", "three"))
	path, err := s.Path("aaaa")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), "bad.md"), []byte("---\ncontent: \"never closed\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	unlock, err := again(t, s).gate.lock()
	if err != nil {
		t.Fatal(err)
	}
	h := look(false)
	if n, _ := h.Lag(c); n != 1 || !h.Busy {
		t.Errorf("lag %d, busy %v", n, h.Busy)
	}
	if len(h.Bad) != 1 || !strings.Contains(h.Bad[0].Error(), "bad.md") || h.News != 1 {
		t.Errorf("broken: %v, %d news", h.Bad, h.News)
	}
	unlock()

	change(t, s, "UPDATE writes SET done = 0 WHERE seq = (SELECT max(seq) FROM writes)")
	if err := os.WriteFile(filepath.Join(s.state, damagedName+"x"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if h := look(true); !h.Cut || len(h.Aside) != 1 || h.Busy {
		t.Errorf("of a write that was cut short: %+v", h)
	}
	if _, err := Examine(s.db.Path(), Options{State: s.state}, false); err == nil {
		t.Error("a file is a corpus")
	}
	if _, ok := h.Lag(lessons.Cursor("")); ok {
		t.Error("no cursor has a lag")
	}
}

// shot is what lies below a folder: names, sizes, times and modes.
func shot(t testing.TB, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
		if err != nil || strings.HasPrefix(d.Name(), db.Name+"-") { // what SQLite keeps beside its database
			return err
		}
		info, err := d.Info()
		if err == nil {
			b.WriteString(p + " " + info.Mode().String() + " " + info.ModTime().String() + "\n")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
