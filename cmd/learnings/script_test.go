package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// The scripts in testdata/script are the program as people and agents use it.
// In them the program is itself, in a process of its own, with three knobs that
// only tests have: LEARNINGS_TEST_TTY names the streams that count as terminals
// ("in,out,err"), LEARNINGS_TEST_WIDTH how wide they are, and
// LEARNINGS_TEST_NOW what time it is.
//
// With LEARNINGS_TEST_RUN the test binary is the program, for tests of processes.
func TestMain(m *testing.M) {
	if os.Getenv("LEARNINGS_TEST_RUN") != "" {
		os.Exit(run(context.Background(), testWorld()))
	}
	testscript.Main(m, map[string]func(){
		"learnings": func() { os.Exit(run(context.Background(), testWorld())) },
		"editor":    testEditor,
	})
}

func testWorld() env {
	e := system()
	if s := os.Getenv("LEARNINGS_TEST_TTY"); s != "" {
		for _, stream := range strings.Split(s, ",") {
			switch stream {
			case "in":
				e.tty.in = true
			case "out":
				e.tty.out = true
				e.tty.width = 100
			case "err":
				e.tty.err = true
			}
		}
	}
	if n, err := strconv.Atoi(os.Getenv("LEARNINGS_TEST_WIDTH")); err == nil {
		e.tty.width = n
	}
	if at, err := time.Parse(time.RFC3339, os.Getenv("LEARNINGS_TEST_NOW")); err == nil {
		e.now = func() time.Time { return at }
	}
	return e
}

// testEditor is an editor for scripts: editor OLD NEW FILE replaces a text, and
// some words stand for what editors do wrong.
func testEditor() {
	path := os.Args[len(os.Args)-1]
	text, err := os.ReadFile(path)
	switch os.Args[1] {
	case "empty":
		text = nil
	case "break":
		text = []byte("---\ncontent: \"never closed\n")
	case "fail":
		text = append(text, "\nHalf a thought.\n"...)
		defer os.Exit(1)
	case "keep":
	case "remove":
		if err := os.Remove(path); err != nil {
			panic(err)
		}
		return
	default:
		text = []byte(strings.Replace(string(text), os.Args[1], os.Args[2], 1))
	}
	if err == nil {
		err = os.WriteFile(path, text, 0o600)
	}
	if err != nil {
		panic(err)
	}
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(e *testscript.Env) error {
			e.Setenv("HOME", e.Cd+"/home")
			e.Setenv("USERPROFILE", e.Cd+"/home")
			e.Setenv("LOCALAPPDATA", e.Cd+"/home/local")
			e.Setenv("APPDATA", e.Cd+"/home/roaming")
			e.Setenv("XDG_DATA_HOME", e.Cd+"/data")
			e.Setenv("XDG_STATE_HOME", e.Cd+"/state")
			e.Setenv("XDG_CONFIG_HOME", e.Cd+"/config")
			e.Setenv("USER", "sam")
			e.Setenv("TZ", "UTC")
			e.Setenv("LEARNINGS_TEST_NOW", "2026-11-20T10:00:00Z")
			return os.MkdirAll(e.Cd+"/home", 0o755)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"code": cmdCode, "capture": cmdCapture, "nocontrol": cmdNoControl, "hasno": cmdHasNo,
		},
	})
}

// cmdCode is `code N program …`: the exit code is N.
func cmdCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N program [args]")
	}
	got := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit code %d, want %s", got, args[0])
	}
}

// cmdCapture is `capture NAME REGEXP`: the first group of the first match in
// standard output becomes a variable.
func cmdCapture(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: capture NAME REGEXP")
	}
	m := regexp.MustCompile("(?m)" + args[1]).FindStringSubmatch(ts.ReadFile("stdout"))
	if len(m) < 2 {
		ts.Fatalf("no match for %q in standard output", args[1])
	}
	ts.Setenv(args[0], m[1])
}

// cmdNoControl checks that neither standard output nor standard error has a
// character that a terminal would act on.
func cmdNoControl(ts *testscript.TestScript, neg bool, args []string) {
	for _, stream := range []string{"stdout", "stderr"} {
		for _, r := range ts.ReadFile(stream) {
			if r != '\n' && r != '\t' && (r < ' ' || r >= 0x7f && r <= 0x9f || r >= 0x202a && r <= 0x202e || r >= 0x200b && r <= 0x200f) {
				ts.Fatalf("%s has %U", stream, r)
			}
		}
	}
}

// cmdHasNo is `hasno TEXT FOLDER…`: no file there has the text in it.
func cmdHasNo(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: hasno TEXT FOLDER…")
	}
	for _, dir := range args[1:] {
		ts.Check(filepath.WalkDir(ts.MkAbs(dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			if err == nil && strings.Contains(string(text), args[0]) {
				err = fmt.Errorf("%s has %q", path, args[0])
			}
			return err
		}))
	}
}
