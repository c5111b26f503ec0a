package store

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"learnings/lessons"
	db "learnings/lessons/state"
)

// TestForgedState: what another program writes into the state database decides nothing, as
// long as it does not have the key.
func TestForgedState(t *testing.T) {
	planted := func(t *testing.T) (*Store, *state, *state) { // a proposal, as it is and as it would be approved
		s, _ := looked(t, lesson("aaaa", "Use pnpm"), approve(t, lesson("bbbb", "Use rg")))
		before, err := s.tree.stateOf(&table{db: s.db, corpusRow: corpusRow{Epoch: "x"}, head: head{epoch: "x"}}, "aaaa")
		if err != nil || before == nil {
			t.Fatal(err)
		}
		text := strings.Replace(before.Text, "status: pending", "status: approved", 1)
		return s, before, &state{Path: strings.TrimPrefix(before.Path, ".pending/"), Rev: revOf([]byte(text)), Text: text}
	}
	exec := func(t *testing.T, s *Store, query string, args ...any) {
		t.Helper()
		if err := s.db.Update(func(tx db.Tx) error { _, err := tx.Exec(query, args...); return err }); err != nil {
			t.Fatal(err)
		}
	}
	journal := func(t *testing.T, s *Store, done bool, f fileStep) {
		t.Helper()
		value, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		exec(t, s, "INSERT INTO writes (seq, done, value) VALUES (99, ?, '{\"seq\":99,\"op\":\"approve\",\"by\":\"sam\",\"how\":\"terminal in zsh\"}')", done)
		exec(t, s, "INSERT INTO steps (seq, n, lesson, value) VALUES (99, 0, 'aaaa', ?)", string(value))
	}
	for name, forge := range map[string]func(t *testing.T, s *Store, before, after *state){
		"a decision that is under way": func(t *testing.T, s *Store, before, after *state) {
			journal(t, s, false, fileStep{ID: "aaaa", Before: before, After: after})
		},
		"with the seal of another step": func(t *testing.T, s *Store, before, after *state) {
			journal(t, s, false, fileStep{ID: "aaaa", Before: before, After: after, Seal: fileStep{ID: "bbbb"}.seal(s.db, 99)})
		},
		"the mark of a file": func(t *testing.T, s *Store, before, after *state) {
			lay(t, s, before, after)
			exec(t, s, "UPDATE files SET outside = 0")
		},
		"the mark copied from another": func(t *testing.T, s *Store, before, after *state) {
			lay(t, s, before, after)
			exec(t, s, "UPDATE files SET outside = (SELECT outside FROM files WHERE id = 'bbbb')")
		},
		"a journal that vouches, and no table": func(t *testing.T, s *Store, before, after *state) {
			lay(t, s, before, after)
			journal(t, s, true, fileStep{ID: "aaaa", Before: before, After: after})
			exec(t, s, "DELETE FROM files")
			exec(t, s, "DELETE FROM kept")
		},
		"a new beginning of the journal": func(t *testing.T, s *Store, before, after *state) {
			lay(t, s, before, after)
			journal(t, s, true, fileStep{ID: "aaaa", Before: before, After: after})
			exec(t, s, "DELETE FROM files")
			exec(t, s, "DELETE FROM kept")
			exec(t, s, "INSERT INTO kept (name, value) VALUES ('sealed', '{\"seq\":1000,\"seal\":7}')")
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, before, after := planted(t)
			forge(t, s, before, after)
			s = again(t, s)
			put(t, s, lessons.OpAdd, lesson("cccc", "Another"))
			if l := get(t, again(t, s), "aaaa"); l.Status == lessons.Approved && !l.Outside {
				t.Errorf("it counts: %+v", l)
			}
		})
	}
}

// lay moves the file of a lesson as another program does, and has the store see it.
func lay(t *testing.T, s *Store, before, after *state) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(s.tree.full(after.Path)), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(s.tree.full(before.Path), s.tree.full(after.Path)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.tree.full(after.Path), []byte(after.Text), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Look(); err != nil {
		t.Fatal(err)
	}
}

// TestStateWithoutKey: what an earlier version has written counts as it did, also a write
// that a crash has cut.
func TestStateWithoutKey(t *testing.T) {
	s, _ := looked(t, lesson("aaaa", "Use pnpm"), approve(t, lesson("bbbb", "Use rg")))
	before, err := s.tree.stateOf(&table{db: s.db, corpusRow: corpusRow{Epoch: "x"}, head: head{epoch: "x"}}, "aaaa")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(before.Text, "status: pending", "status: approved", 1)
	value, err := json.Marshal(fileStep{ID: "aaaa", Before: before, After: &state{Path: strings.TrimPrefix(before.Path, ".pending/"), Rev: revOf([]byte(text)), Text: text}})
	if err != nil {
		t.Fatal(err)
	}
	err = s.db.Update(func(tx db.Tx) error {
		for query, arg := range map[string]any{
			"UPDATE files SET outside = 0 WHERE 1 = ?": 1, "UPDATE steps SET value = json_remove(value, '$.seal') WHERE 1 = ?": 1, "DELETE FROM kept WHERE name = ?": keptSealed,
			"INSERT INTO writes (seq, done, value) VALUES (99, 0, ?)":             `{"seq":99,"op":"approve","by":"sam"}`,
			"INSERT INTO steps (seq, n, lesson, value) VALUES (99, 0, 'aaaa', ?)": string(value),
		} {
			if _, err := tx.Exec(query, arg); err != nil {
				return err
			}
		}
		return nil
	})
	moved := s.state + "-old" // a key is read once
	if err == nil {
		err = os.Rename(s.state, moved)
	}
	if err == nil {
		err = os.Remove(filepath.Join(moved, db.KeyName))
	}
	if err != nil {
		t.Fatal(err)
	}
	s = open(t, s.tree.dir, moved)
	if l := get(t, s, "bbbb"); l.Outside {
		t.Error("before the first write it is from outside")
	}
	put(t, s, lessons.OpAdd, lesson("cccc", "Another"))
	for _, id := range []lessons.ID{"aaaa", "bbbb", "cccc"} {
		if l := get(t, again(t, s), string(id)); l.Outside || id == "aaaa" && l.Status == lessons.Pending {
			t.Errorf("%s is %+v", id, l)
		}
	}
}
