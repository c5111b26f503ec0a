package main

import (
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

// cmdUnchanged is `unchanged N learnings …`: the exit code is N, and all files of the
// script are as they were, apart from the log of hooks and what SQLite keeps beside its database.
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

// cmdSpool is `spool FILE [N]`: that file, N times, is what waits for the worker.
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

// cmdKeep is `keep NAME TEXT`: that is what the state keeps under a name, damaged or not.
func cmdKeep(ts *testscript.TestScript, neg bool, args []string) {
	ts.Check(db.At(state(ts)).Update(func(t db.Tx) error {
		_, err := t.Exec("INSERT OR REPLACE INTO kept (name, value) VALUES (?, ?)", args[0], args[1])
		return err
	}))
}

// cmdInstall is `install FOLDER`: learnings and learnings-hook are there, as programs.
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
