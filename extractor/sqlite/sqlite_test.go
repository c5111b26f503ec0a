package sqlite_test

import (
	"context"
	"database/sql"
	"encoding/binary"
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
	rows := db.Rows("words")
	if column != "" {
		rows = db.RowsWhere("words", column, text)
	}
	for r, err := range rows {
		if err != nil {
			return nil, err
		}
		out = append(out, r.Text("id"))
	}
	return out, nil
}

func TestRows(t *testing.T) {
	err := sqlite.Read(t.Context(), deep(t, false), func(db *sqlite.DB) error {
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
	err := sqlite.Read(t.Context(), deep(t, false), func(db *sqlite.DB) error {
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
	err := sqlite.Read(t.Context(), path, func(db *sqlite.DB) error {
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
	if err := sqlite.Read(t.Context(), path, func(db *sqlite.DB) error { _, err := ids(db, "", ""); return err }); err != nil {
		t.Errorf("a log whose sums do not hold: %v", err)
	}
}

// TestChanged begins again when the database changes while it is read, and
// gives up when it never stops.
func TestChanged(t *testing.T) {
	path, calls := deep(t, true), 0
	err := sqlite.Read(t.Context(), path, func(db *sqlite.DB) error {
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
	err = sqlite.Read(t.Context(), path, func(db *sqlite.DB) error {
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
		err := sqlite.Read(t.Context(), path, func(db *sqlite.DB) error { _, err := ids(db, "", ""); return err })
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if err := sqlite.Read(t.Context(), filepath.Join(dir, "missing"), nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
	if err := sqlite.Read(t.Context(), dir, nil); err == nil {
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
	f.Fuzz(func(t *testing.T, db, wal []byte) {
		path := filepath.Join(t.TempDir(), "deep.db")
		place(t, path, db)
		place(t, path+"-wal", wal)
		_ = sqlite.Read(t.Context(), path, all)
		if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*")); len(left) != 2 || !slices.Equal(db, bytesOf(t, path)) {
			t.Errorf("reading left %v", left)
		}
	})
}

func bytesOf(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestBroken changes bytes of a database and of its log, one at a time.
func TestBroken(t *testing.T) {
	path := deep(t, true)
	for _, of := range []string{path, path + "-wal"} {
		data := bytesOf(t, of)
		for at := 0; at < len(data); at += 401 {
			was := data[at]
			for _, with := range []byte{0, 1, 0xff, 0x80} {
				data[at] = with
				place(t, of, data)
				_ = sqlite.Read(t.Context(), path, all)
			}
			data[at] = was
		}
		place(t, of, data)
	}
}

// made makes a database with statements.
func made(t *testing.T, statements ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "made.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	place(t, path, bytesOf(t, path))
	return path
}

// TestHostile reads nothing that a database would have computed, and nothing that is
// not what it says.
func TestHostile(t *testing.T) {
	const endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT max(i) AS id FROM n"
	path := made(t, "CREATE TABLE plain(id TEXT, made AS (upper(id)), stored AS (hex(zeroblob(1000000))) STORED)", "INSERT INTO plain(id) VALUES ('a')",
		"CREATE VIEW seen AS "+endless, "CREATE TABLE one(id TEXT PRIMARY KEY) WITHOUT ROWID", "CREATE VIRTUAL TABLE found USING fts5(id)",
		`CREATE TABLE "odd ""name"" -- '" ("a""b" TEXT, "rowid" TEXT)`, `INSERT INTO "odd ""name"" -- '" VALUES ('x', 'y')`)
	err := sqlite.Read(t.Context(), path, func(db *sqlite.DB) error {
		if !db.Has("plain", "id") || db.Has("plain", "made") || db.Has("plain", "stored") || db.Has("seen") || db.Has("found") || db.Has("sqlite_schema") {
			t.Error("Has")
		}
		for _, table := range []string{"seen", "found", "one", "sqlite_schema", "pragma_database_list", `plain" --`} {
			for _, err := range db.Rows(table) {
				if !errors.Is(err, sqlite.ErrFormat) {
					t.Errorf("%s: %v", table, err)
				}
			}
		}
		for r, err := range db.Rows("plain") {
			if err != nil || r.Text("id") != "a" || r.Text("made") != "" || r.Size() != 1 {
				t.Errorf("%q %v", r.Text("id"), err)
			}
		}
		for r, err := range db.RowsWhere(`odd "name" -- '`, `a"b`, "x") {
			if err != nil || r.Text("rowid") != "y" {
				t.Errorf("%q %v", r.Text("rowid"), err)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	for _, trick := range []string{
		"UPDATE sqlite_schema SET type = 'table' WHERE name = 'seen'",
		"UPDATE sqlite_schema SET sql = 'CREATE VIEW plain AS " + endless + "' WHERE name = 'plain'",
		"UPDATE sqlite_schema SET sql = 'CREATE TABLE plain AS " + endless + "' WHERE name = 'plain'",
		"UPDATE sqlite_schema SET sql = 'CREATE /**/ VIRTUAL TABLE plain USING fts5(id)' WHERE name = 'plain'",
		"UPDATE sqlite_schema SET rootpage = 1 WHERE name = 'plain'",
	} {
		path := made(t, "CREATE TABLE plain(id TEXT)", "INSERT INTO plain VALUES ('a')", "CREATE VIEW seen AS "+endless, "PRAGMA writable_schema=on", trick)
		n := 0
		err := sqlite.Read(t.Context(), path, func(db *sqlite.DB) error {
			if db.Has("seen") {
				t.Errorf("%s: a view is a table", trick)
			}
			for r, err := range db.Rows("plain", "id") {
				if err != nil {
					return err
				}
				if n++; r.Text("id") != "" && !strings.Contains(trick, "rootpage") {
					t.Errorf("%s: %q", trick, r.Text("id"))
				}
			}
			return nil
		})
		if err == nil && n > 5 || err != nil && !errors.Is(err, sqlite.ErrFormat) {
			t.Errorf("%s: %d rows, %v", trick, n, err)
		}
	}
}

// TestValues reads text that is in UTF-16, dates as they are written, and a value that is
// too large as NULL.
func TestValues(t *testing.T) {
	path := made(t, "PRAGMA encoding='UTF-16'", "CREATE TABLE t(id INTEGER PRIMARY KEY, word TEXT, at DATETIME, yes BOOLEAN, big BLOB)",
		fmt.Sprintf("INSERT INTO t VALUES (7, 'Grüße', '2026-11-24 03:45:00', 1, zeroblob(%d))", sqlite.MaxValue+1))
	err := sqlite.Read(t.Context(), path, func(db *sqlite.DB) error {
		for r, err := range db.Rows("t") {
			if err != nil || r.Int("id") != 7 || r.Text("word") != "Grüße" || r.Text("at") != "2026-11-24 03:45:00" || r.Int("yes") != 1 || r.Text("big") != "" || r.Size() <= sqlite.MaxValue {
				t.Errorf("%d %q %q %d, %d bytes, %v", r.Int("id"), r.Text("word"), r.Text("at"), r.Int("yes"), r.Size(), err)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestWriter reads one state while another program has a lock and writes, and does not
// keep it from that.
func TestWriter(t *testing.T) {
	path := made(t, "PRAGMA journal_mode=wal", "CREATE TABLE t(id TEXT)", "INSERT INTO t VALUES ('a')")
	writer, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	writer.SetMaxOpenConns(1)
	count := func(db *sqlite.DB) (n int) {
		for _, err := range db.Rows("t") {
			if err != nil {
				t.Error(err)
			}
			n++
		}
		return n
	}
	for want := range 3 {
		err := sqlite.Read(t.Context(), path, func(db *sqlite.DB) error {
			if n := count(db); n != want+1 {
				t.Errorf("%d rows, want %d", n, want+1)
			}
			if _, err := writer.Exec("BEGIN EXCLUSIVE; INSERT INTO t VALUES ('b')"); err != nil {
				t.Error(err)
			}
			if n := count(db); n != want+1 {
				t.Errorf("%d rows later, want %d", n, want+1)
			}
			_, err := writer.Exec("COMMIT")
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// TestAgain has a tree whose inner pages are one behind another, each many times, so that
// its rows would not end.
func TestAgain(t *testing.T) {
	path := made(t, "PRAGMA page_size=512", "CREATE TABLE t(id TEXT)",
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 3000) INSERT INTO t SELECT printf('%0200d', i) FROM n")
	data := bytesOf(t, path)
	const size, inside, leaf, depth = 512, 5, 13, 12
	pages := map[byte][]uint32{}
	page := func(n uint32) []byte { return data[(n-1)*size : n*size] }
	for n := uint32(2); int(n)*size <= len(data); n++ {
		pages[page(n)[0]] = append(pages[page(n)[0]], n)
	}
	chain := append(pages[inside][:depth:depth], pages[leaf][0])
	for i, n := range chain[:depth] {
		p := page(n)
		binary.BigEndian.PutUint32(p[8:], chain[i+1])
		for c := range binary.BigEndian.Uint16(p[3:]) {
			binary.BigEndian.PutUint32(p[binary.BigEndian.Uint16(p[12+2*c:]):], chain[i+1])
		}
	}
	place(t, path, data)
	n := 0
	err := sqlite.Read(t.Context(), path, func(db *sqlite.DB) error {
		for _, err := range db.Rows("t") {
			if err != nil {
				return err
			}
			n++
		}
		return nil
	})
	if !errors.Is(err, sqlite.ErrFormat) || !strings.Contains(err.Error(), "more rows than") {
		t.Errorf("%d rows of %d pages, %v", n, len(pages[inside]), err)
	}
}

// TestCancel ends in the middle of a table, and when nothing is found in one.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	err := sqlite.Read(ctx, deep(t, true), func(db *sqlite.DB) error {
		for _, err := range db.Rows("words") {
			if err != nil {
				return err
			}
			n++
			cancel()
		}
		_, err := ids(db, "big", "nowhere")
		return err
	})
	if !errors.Is(err, context.Canceled) || errors.Is(err, sqlite.ErrFormat) || n > 1 {
		t.Errorf("%d rows, %v", n, err)
	}
}
