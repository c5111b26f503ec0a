package state

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// closeAll closes what this process has open.
func closeAll() {
	opened.Lock()
	defer opened.Unlock()
	for dir, h := range opened.dbs {
		_ = h.db.Close()
		delete(opened.dbs, dir)
	}
}

func count(t *testing.T, d DB, table string) (n int) {
	t.Helper()
	must(t, d.Each(func(r *Rows) error { return r.Scan(&n) }, "SELECT count(*) FROM "+table))
	return n
}

// Reading creates nothing, and what was written is there for others.
func TestLazy(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a ?b#c%20", "state")
	d := At(dir)
	var x string
	if found, err := d.Get("x", &x); found || err != nil {
		t.Error(found, err)
	}
	must(t, d.Check(true))
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Error("reading has created it")
	}
	must(t, d.Put("x", "is"))
	closeAll()
	if found, err := At(dir).Get("x", &x); !found || err != nil || x != "is" {
		t.Error(found, err, x)
	}
	if err := d.Update(func(tx Tx) error { return errors.Join(tx.Put("x", "was"), errors.New("no")) }); err == nil {
		t.Error("no error")
	}
	if _, err := d.Get("x", &x); err != nil || x != "is" {
		t.Errorf("half of a transaction counts: %s, %v", x, err)
	}
	info, err := os.Stat(d.Path())
	if must(t, err, d.Check(true)); info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
}

// Eighteen processes begin a database at the same moment and write to it; some are killed.
func TestProcesses(t *testing.T) {
	if dir := os.Getenv("STATE_OF_PROCESS"); dir != "" {
		for i := range 20 {
			must(t, At(dir).Update(func(tx Tx) error {
				_, err := tx.Exec("INSERT INTO spool (at, notice) VALUES (?, 'x')", i)
				return err
			}))
		}
		if os.Getenv("STATE_KILL") != "" {
			p, err := os.FindProcess(os.Getpid())
			must(t, err, p.Kill())
		}
		return
	}
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "spool.jsonl"), []byte("{\"at\":\"2026-11-20T12:00:00Z\"}\n{\"at"), 0o600))
	var all sync.WaitGroup
	for n := range 18 {
		all.Go(func() {
			c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestProcesses$")
			c.Env = append(os.Environ(), "STATE_OF_PROCESS="+dir)
			if n%3 == 0 {
				c.Env = append(c.Env, "STATE_KILL=1")
			}
			if out, err := c.CombinedOutput(); err != nil && n%3 != 0 {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	all.Wait()
	if n := count(t, At(dir), "spool"); n != 18*20+1 {
		t.Errorf("%d rows", n)
	}
	must(t, At(dir).Check(true))
}

// A broken database is an error once, is kept aside, and the next call begins a new one.
// One of a later version is left alone.
func TestBroken(t *testing.T) {
	for what, breakIt := range map[string]func(path string) error{
		"no database": func(path string) error { return os.WriteFile(path, []byte(strings.Repeat("text ", 1000)), 0o600) },
		"overwritten": func(path string) error {
			f, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			for page := range 20 {
				_, werr := f.WriteAt([]byte(strings.Repeat("\xff", 4000)), int64(4096*(page+1)))
				err = errors.Join(err, werr)
			}
			return errors.Join(err, f.Close())
		},
	} {
		d := At(t.TempDir())
		must(t, d.Put("x", 1))
		closeAll()
		must(t, breakIt(d.Path()))
		if err := d.Put("x", 2); err == nil {
			t.Errorf("%s: no error", what)
		}
		if len(d.Aside()) != 1 {
			t.Errorf("%s: %q is kept", what, d.Aside())
		}
		must(t, d.Put("x", 3), d.Check(true))
	}
	d := At(t.TempDir())
	must(t, d.Update(func(tx Tx) error { _, err := tx.Exec(fmt.Sprint("PRAGMA user_version=", version+1)); return err }))
	closeAll()
	if err := d.Put("x", 1); !errors.Is(err, ErrNewer) || len(d.Aside()) > 0 {
		t.Errorf("of a later version: %v", err)
	}
}

// A folder that is removed while its database is open begins again.
func TestRemoved(t *testing.T) {
	d := At(filepath.Join(t.TempDir(), "state"))
	must(t, d.Put("x", 1), os.RemoveAll(d.dir))
	x := 0
	if found, err := d.Get("x", &x); found || err != nil {
		t.Error(found, err)
	}
	must(t, d.Put("x", 2))
	if _, err := d.Get("x", &x); err != nil || x != 2 {
		t.Error(x, err)
	}
}

// What earlier versions kept in files is taken over once, whole lines only, and the files
// go.
func TestTakeOver(t *testing.T) {
	dir := t.TempDir()
	gave := "gave\t1732100000000\tuser-prompt\ts1\t\tclaude-code\tshop\ta,b\t\tc\t.\n"
	files := map[string]string{
		"pauses.json": `[{"from":"2026-11-20T12:00:00Z"}]`, "guards.json": "[{", "sessions/swept": "", "given.lost": "1\t2",
		"given.tsv": "\n" + gave + gave + "gave\t12\tcut", "sessions/0123.given": "\n" + strings.ReplaceAll(gave, "s1", "s2"),
		"sessions/0123.log": "turn\t3\t100\t.\ngive\tstart\ta,b\t.\n\ngive\tlater\tc\t.\nmark\t77\t.\nfail\tz\t2\t.\ngive\tstart\tcut",
		"outcomes.jsonl":    `{"session":"s1","file":"f","at":"2026-11-20T12:00:00Z","size":1}` + "\n" + `{"session":"s1","file":"f","size":2}` + "\n{\"session\":\"cut",
		"marks-1.jsonl":     `{"path":"/a","size":1}` + "\n" + `{"path":"/a","size":2}` + "\n{}\n", "marks-model-1.jsonl": `{"path":"/a","size":1}`,
		"spool.jsonl": `{"event":"stop","at":"2026-11-20T12:00:00Z"}` + "\n", "spool-taken-2": `{"event":"stop"}`, "spool-failed.jsonl": `{"event":"stop"}`,
		"telemetry-1.tsv": "\n/a\t1\tz\tclaude\t.\n/b\t17\tcut",
		"words/all":       "learnings words 1 3\n", "words/all.1.tmp": "cut", "words/lock": "", "trees/0.json": "{}",
		"guards.log": "2026-11-20T12:00:00Z aaaa deny s1\nnonsense\n",
	}
	for name, text := range files {
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700), os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	d := At(dir)
	for table, want := range map[string]int{"given": 2, "outcomes": 1, "marks": 2, "spool": 3, "stops": 1, "kept": 2, "sessions": 1} {
		if n := count(t, d, table); n != want {
			t.Errorf("%s has %d rows, want %d", table, n, want)
		}
	}
	for query, want := range map[string]string{
		"SELECT value FROM outcomes":                     `{"session":"s1","file":"f","size":2}`,
		"SELECT value FROM marks WHERE reader = 'rules'": `{"path":"/a","size":2}`,
		"SELECT value FROM kept WHERE name = 'pauses'":   files["pauses.json"],
	} {
		var got string
		if must(t, d.Each(func(r *Rows) error { return r.Scan(&got) }, query)); got != want {
			t.Errorf("%s: %s", query, got)
		}
	}
	for name := range files {
		if _, err := os.Stat(filepath.Join(dir, name)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is still there", name)
		}
	}
}
