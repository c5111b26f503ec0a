package sqlite_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"learnings/extractor/sqlite"
)

// deep copies the database in testdata, of pages of 512 bytes, with or without
// its log, to a folder of its own.
func deep(t testing.TB, log bool) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "deep.db")
	place(t, path, read(t, "deep.db"))
	if log {
		place(t, path+"-wal", read(t, "deep.db-wal"))
	}
	return path
}

func read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// place writes a file that nobody has written to lately.
func place(t testing.TB, path string, data []byte) {
	t.Helper()
	old := time.Now().Add(-time.Hour)
	if err := errors.Join(os.WriteFile(path, data, 0o600), os.Chtimes(path, old, old)); err != nil {
		t.Fatal(err)
	}
}

// ids are the ids of the rows with a text in a column, or of all.
func ids(db *sqlite.DB, column, text string) (out []string, err error) {
	for r, err := range db.RowsWhere("words", column, text) {
		if err != nil {
			return nil, err
		}
		out = append(out, r.Text("id"))
	}
	return out, nil
}

func TestRows(t *testing.T) {
	err := sqlite.Read(deep(t, false), func(db *sqlite.DB) error {
		n := 0
		for r, err := range db.Rows("words") {
			if err != nil {
				return err
			}
			if r.Text("id") == "huge" {
				if got := r.Text("big"); got != strings.Repeat("0123456789", 300) || r.Size() < 3000 {
					t.Errorf("a row over several pages has %d bytes", len(got))
				}
				continue
			}
			at := int64(n - 3)
			if n > 3 {
				for range n % 12 {
					at *= 10
				}
			}
			if id := fmt.Sprintf("w%04d", n); r.Text("id") != id || r.Text("group") != fmt.Sprintf("g%d", n%7) || r.Int("at") != at {
				t.Errorf("row %d: %s %s %d, want %d", n, r.Text("id"), r.Text("group"), r.Int("at"), at)
			}
			if want := n * 3 % 120; n%5 != 0 && len(r.Text("big")) != want || n%5 == 0 && r.Text("big") != "" {
				t.Errorf("row %d: %d bytes, want %d", n, len(r.Text("big")), want)
			}
			if r.Text("nothing") != "" || r.Int("id") != 0 || r.Text("at") != "" {
				t.Errorf("row %d: a column of another type is not empty", n)
			}
			n++
		}
		if n != 120 {
			t.Errorf("%d rows", n)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestIndex asks by an index, by a column that has one of some rows only, and
// by one that has none.
func TestIndex(t *testing.T) {
	err := sqlite.Read(deep(t, false), func(db *sqlite.DB) error {
		for _, c := range []struct {
			column, text string
			n            int
		}{{"group", "g0", 18}, {"group", "g6", 17}, {"group", "g9", 1}, {"group", "g", 0}, {"group", "h", 0}, {"id", "w0100", 1}, {"big", strings.Repeat("x", 3), 3}} {
			got, err := ids(db, c.column, c.text)
			if err != nil || len(got) != c.n || !slices.IsSorted(got) {
				t.Errorf("%s=%s: %d rows %v", c.column, c.text, len(got), err)
			}
		}
		if _, err := ids(db, "missing", "x"); !errors.Is(err, sqlite.ErrFormat) {
			t.Errorf("a missing column: %v", err)
		}
		if !db.Has("words", "id", "n") || db.Has("words", "x") || db.Has("nothing") {
			t.Error("Has")
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestLog reads what is committed in the log, and neither what is not nor what
// its end has of something else.
func TestLog(t *testing.T) {
	path := deep(t, true)
	err := sqlite.Read(path, func(db *sqlite.DB) error {
		all, err := ids(db, "", "")
		if err != nil || len(all) != 121 || slices.Contains(all, "w0010") || !slices.Contains(all, "late") || slices.Contains(all, "never") {
			t.Errorf("%d rows, %v", len(all), err)
		}
		for r, err := range db.RowsWhere("words", "id", "w0007") {
			if err != nil || r.Text("big") != "changed" {
				t.Errorf("%q %v", r.Text("big"), err)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*")); len(left) != 2 {
		t.Errorf("reading left %v", left)
	}
	data := read(t, "deep.db-wal")
	data[len(data)-700] ^= 1 // in the last commit
	place(t, path+"-wal", data)
	if err := sqlite.Read(path, func(db *sqlite.DB) error { _, err := ids(db, "", ""); return err }); err != nil {
		t.Errorf("a log whose sums do not hold: %v", err)
	}
}

// TestChanged begins again when the database changes while it is read, and
// gives up when it never stops.
func TestChanged(t *testing.T) {
	path, calls := deep(t, true), 0
	err := sqlite.Read(path, func(db *sqlite.DB) error {
		if calls++; calls == 1 {
			place(t, path, append(read(t, "deep.db"), make([]byte, 512)...))
			return errors.New("what was read of it is nonsense")
		}
		return nil
	})
	if err != nil || calls != 2 {
		t.Errorf("%d calls, %v", calls, err)
	}
	calls = 0
	err = sqlite.Read(path, func(db *sqlite.DB) error {
		calls++
		head := read(t, "deep.db-wal")
		head[16] ^= byte(calls) // the log was begun anew
		place(t, path+"-wal", head)
		return nil
	})
	if err == nil || !errors.Is(err, sqlite.ErrBusy) {
		t.Errorf("%d calls, %v", calls, err)
	}
}

func TestNoDatabase(t *testing.T) {
	dir := t.TempDir()
	for name, data := range map[string][]byte{"empty": nil, "text": []byte("hello"), "head": read(t, "deep.db")[:100], "half": read(t, "deep.db")[:700]} {
		path := filepath.Join(dir, name)
		place(t, path, data)
		err := sqlite.Read(path, func(db *sqlite.DB) error { _, err := ids(db, "", ""); return err })
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if err := sqlite.Read(filepath.Join(dir, "missing"), nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
	if err := sqlite.Read(dir, nil); err == nil {
		t.Error("a folder")
	}
}

// all reads what there is of a database that may be broken.
func all(db *sqlite.DB) error {
	for r, err := range db.Rows("words") {
		if err != nil {
			break
		}
		_, _ = r.Text("big"), r.Int("at")
	}
	_, err := ids(db, "group", "g3")
	return err
}

// FuzzRead reads databases that are broken in every way.
func FuzzRead(f *testing.F) {
	db, wal := read(f, "deep.db"), read(f, "deep.db-wal")
	f.Add(db, wal)
	f.Add(db[:4096], wal[:2000])
	f.Add([]byte("SQLite format 3\x00"), []byte{})
	f.Fuzz(func(t *testing.T, db, wal []byte) { _ = sqlite.ReadBytes(db, wal, all) })
}

// TestBroken changes bytes of a database and of its log, one at a time.
func TestBroken(t *testing.T) {
	db, wal := read(t, "deep.db"), read(t, "deep.db-wal")
	for _, data := range [][]byte{db, wal} {
		for at := 0; at < len(data); at += 13 {
			was := data[at]
			for _, with := range []byte{0, 1, 0xff, 0x80} {
				data[at] = with
				_ = sqlite.ReadBytes(db, wal, all)
			}
			data[at] = was
		}
	}
}
