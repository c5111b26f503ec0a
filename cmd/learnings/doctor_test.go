package main

import (
	"database/sql"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	db "learnings/lessons/state"
)

// cmdUnchanged is `unchanged N learnings …`: the exit code is N, and the script's files
// do not change, except for the log of hooks and SQLite's files beside its database.
func cmdUnchanged(ts *testscript.TestScript, neg bool, args []string) {
	look := func() (out []string) {
		ts.Check(filepath.WalkDir(ts.Getenv("WORK"), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.Name() == "hook.log" || strings.HasPrefix(d.Name(), db.Name+"-") {
				return err
			}
			info, err := d.Info()
			switch {
			case err != nil:
				return err
			case d.IsDir(): // the log may be new in it
				out = append(out, fmt.Sprint(path, " ", info.Mode()))
			case d.Name() == db.Name: // the last process to close it may checkpoint its log
				out = append(out, fmt.Sprint(path, " ", info.Mode(), " ", rowsOf(path)))
			default:
				out = append(out, fmt.Sprint(path, " ", info.Mode(), " ", info.ModTime().UnixNano()))
			}
			return nil
		}))
		return out
	}
	before := look()
	cmdCode(ts, neg, args)
	after := look()
	for _, line := range before {
		if !slices.Contains(after, line) {
			ts.Logf("was: %s", line)
		}
	}
	for _, line := range after {
		if !slices.Contains(before, line) {
			ts.Fatalf("is: %s", line)
		}
	}
}

// rowsOf returns all rows of a database, or the error of reading it.
func rowsOf(path string) string {
	d, err := sql.Open("sqlite", "file:"+path+"?mode=ro&_pragma=busy_timeout(5000)")
	if err != nil {
		return err.Error()
	}
	defer d.Close()
	var out strings.Builder
	names := []string{"sqlite_master"}
	for i := 0; i < len(names); i++ {
		rows, err := d.Query("SELECT * FROM " + names[i])
		if err != nil {
			return err.Error()
		}
		columns, _ := rows.Columns()
		for rows.Next() {
			values := make([]any, len(columns))
			into := make([]any, len(columns))
			for k := range values {
				into[k] = &values[k]
			}
			if err := rows.Scan(into...); err != nil {
				return err.Error()
			}
			if i == 0 && values[0] == "table" && !strings.HasPrefix(fmt.Sprint(values[1]), "sqlite_") {
				names = append(names, fmt.Sprint(values[1]))
			}
			fmt.Fprintln(&out, names[i], values)
		}
		_ = rows.Close()
	}
	return out.String()
}

// cmdSpool is `spool FILE [N]`: puts that file N times into the worker's queue.
func cmdSpool(ts *testscript.TestScript, neg bool, args []string) {
	n := 1
	if len(args) > 1 {
		var err error
		n, err = strconv.Atoi(args[1])
		ts.Check(err)
	}
	ts.Check(db.At(state(ts)).Update(func(t db.Tx) error {
		if _, err := t.Exec("DELETE FROM spool"); err != nil {
			return err
		}
		for line := range strings.Lines(strings.Repeat(ts.ReadFile(args[0]), n)) {
			if _, err := t.Exec("INSERT INTO spool (at, notice) VALUES (unixepoch(json_extract(?1, '$.at')) * 1000, ?1)", line); err != nil {
				return err
			}
		}
		return nil
	}))
}

// cmdKeep is `keep NAME TEXT`: stores a text, valid or not, under a name of the state.
func cmdKeep(ts *testscript.TestScript, neg bool, args []string) {
	ts.Check(db.At(state(ts)).Update(func(t db.Tx) error {
		_, err := t.Exec("INSERT OR REPLACE INTO kept (name, value) VALUES (?, ?)", args[0], args[1])
		return err
	}))
}

// cmdInstall is `install FOLDER`: installs learnings and learnings-hook there.
func cmdInstall(ts *testscript.TestScript, neg bool, args []string) {
	self, err := os.Executable()
	ts.Check(err)
	ts.Check(os.MkdirAll(ts.MkAbs(args[0]), 0o755))
	for _, name := range []string{"learnings", "learnings-hook"} {
		ts.Check(os.Symlink(self, filepath.Join(ts.MkAbs(args[0]), name)))
	}
}

// cmdDamageIndex cuts a file of the index short.
func cmdDamageIndex(ts *testscript.TestScript, neg bool, args []string) {
	files, err := filepath.Glob(filepath.Join(state(ts), "index", "g*", "store", "root.bolt"))
	ts.Check(err)
	for _, f := range files {
		ts.Check(os.Truncate(f, 10))
	}
}
