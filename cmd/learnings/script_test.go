package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"learnings/cmd/internal/hook"
	"learnings/cmd/internal/settings"
	"learnings/index/curate"
	"learnings/lessons/exchange/mcp/testdata/octobrain"
	db "learnings/lessons/state"
)

// The scripts in testdata/script are the program as people and agents use it.
// It runs in the test's own process, which is what run and env are for: each
// call gets the script's folder, environment and input, and some knobs that
// only tests have. LEARNINGS_TEST_TTY names the streams that count as terminals
// ("in,out,err"), LEARNINGS_TEST_WIDTH how wide they are, and LEARNINGS_TEST_NOW
// what time it is; LEARNINGS_TEST_PATIENCE is how long a git remote may say nothing.
// With LEARNINGS_TEST_LOOK=later a scan of all files is requested but never runs;
// otherwise each call scans itself.
//
// With LEARNINGS_TEST_RUN the test binary is the program, for tests that need
// processes, and with LEARNINGS_TEST_RUN=small it is learnings-hook.
func TestMain(m *testing.M) {
	if os.Getenv("LEARNINGS_TEST_RUN") != "" && filepath.Base(os.Args[0]) == claudeName {
		os.Exit(playClaude())
	}
	switch name := filepath.Base(os.Args[0]); name { // as `install` has made them
	case "learnings-hook":
		os.Exit(small(system()))
	case "learnings":
		os.Exit(run(context.Background(), system()))
	}
	if as := os.Getenv("LEARNINGS_TEST_RUN"); as != "" {
		e, end := traced(knobs(system()))
		code := 0
		if as == runSmall {
			code = small(e)
		} else {
			code = run(context.Background(), e)
		}
		end()
		os.Exit(code)
	}
	testscript.Main(m, map[string]func(){"editor": testEditor, "fakemodel": testModel, "octobrain": func() { os.Exit(octobrain.Run()) }})
}

// runSmall is LEARNINGS_TEST_RUN for learnings-hook.
const runSmall = "small"

// small is learnings-hook in a world. It forwards to learnings in this process.
func small(e env) int {
	return hook.Small(context.Background(), e.world(), e.stderr, e.args, func(ctx context.Context, args []string) error {
		e.args = args
		if code := run(ctx, e); code != 0 {
			return fmt.Errorf("code %d", code)
		}
		return nil
	})
}

// knobs applies the variables for tests.
func knobs(e env) env {
	if s := e.getenv("LEARNINGS_TEST_TTY"); s != "" {
		for _, stream := range strings.Split(s, ",") {
			switch stream {
			case "in":
				e.tty.In = true
			case "out":
				e.tty.Out = true
				e.tty.Width = 100
			case "err":
				e.tty.Err = true
			}
		}
	}
	// Hide the programs that run the tests: a person sits at a terminal.
	e.above = func() (out []curate.Program, whole bool) {
		for _, name := range strings.Fields(cmp.Or(e.getenv("LEARNINGS_TEST_PARENTS"), "zsh xterm")) {
			out = append(out, curate.Program{Names: []string{name}, File: name, Sure: true})
		}
		return out, true
	}
	if n, err := strconv.Atoi(e.getenv("LEARNINGS_TEST_WIDTH")); err == nil {
		e.tty.Width = n
	}
	if at, err := time.Parse(time.RFC3339, e.getenv("LEARNINGS_TEST_NOW")); err == nil {
		e.now = func() time.Time { return at }
	}
	e.patience, _ = time.ParseDuration(e.getenv("LEARNINGS_TEST_PATIENCE"))
	e.look = nil
	if e.getenv("LEARNINGS_TEST_LOOK") == "later" {
		e.look = func(string, ...string) error { return nil }
	}
	return e
}

// testEditor is an editor for scripts: editor OLD NEW FILE replaces a text; some words
// simulate editors' failures.
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
	case "meddle": // FOLDER OLD THEIRS OURS: somebody else writes the lesson's own file meanwhile
		files, _ := filepath.Glob(filepath.Join(os.Args[2], "*.md"))
		for _, f := range files {
			theirs, err := os.ReadFile(f)
			if err == nil {
				err = os.WriteFile(f, []byte(strings.ReplaceAll(string(theirs), os.Args[3], os.Args[4])), 0o600)
			}
			if err != nil {
				panic(err)
			}
		}
		text = []byte(strings.Replace(string(text), os.Args[3], os.Args[5], 1))
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

// testModel is a model for scripts, of the provider "command": fakemodel FILE answers
// with the file and writes the prompt to FILE.asked.
func testModel() {
	path := os.Args[len(os.Args)-1]
	answer, err := os.ReadFile(path)
	if err == nil {
		var asked []byte
		if asked, err = io.ReadAll(os.Stdin); err == nil {
			err = os.WriteFile(path+".asked", asked, 0o600)
		}
	}
	if err != nil {
		panic(err)
	}
	os.Stdout.Write(answer)
}

func TestScripts(t *testing.T) {
	p := scripts("")
	p.Dir = "testdata/script"
	if testing.Short() { // those in which programs and goroutines work side by side
		p.Dir = ""
		for _, name := range []string{"sync*", "hook*", "extract", "pause", "review*", "mcp"} {
			files, err := filepath.Glob("testdata/script/" + name + ".txtar")
			if err != nil {
				t.Fatal(err)
			}
			p.Files = append(p.Files, files...)
		}
	}
	testscript.Run(t, p)
}

// TestSmallScripts runs scripts with learnings-hook in place of `learnings hook`.
func TestSmallScripts(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short, which the race detector runs with: about results")
	}
	p := scripts(runSmall)
	all, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range all {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "learnings hook ") || strings.Contains(string(text), "learnings status") {
			p.Files = append(p.Files, path)
		}
	}
	testscript.Run(t, p)
}

// scripts returns the parameters of scripts; as names the program that answers hooks.
func scripts(as string) testscript.Params {
	return testscript.Params{
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
			e.Setenv("LEARNINGS_TEST_RUN", as)
			e.Setenv("LEARNINGS_TEST_NOW", "2026-11-20T10:00:00Z")
			stdin := os.DevNull
			e.Values[inputKey{}] = &stdin
			return os.MkdirAll(e.Cd+"/home", 0o755)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"learnings": cmdLearnings, "code": cmdCode, "input": cmdInput, "capture": cmdCapture, "nocontrol": cmdNoControl, "hasno": cmdHasNo,
			"logged": cmdLogged, "removeindex": cmdRemoveIndex, "blockindex": cmdBlockIndex, "damage": cmdDamage, "noindex": cmdNoIndex, "hostile": cmdHostile, "mkfifo": cmdMkfifo,
			"spooled": cmdSpooled, "expand": cmdExpand, "replace": cmdReplace, "unhurried": cmdUnhurried, "unchanged": cmdUnchanged, "spool": cmdSpool, "keep": cmdKeep, "damageindex": cmdDamageIndex, "install": cmdInstall, "trusts": cmdTrusts,
		},
	}
}

// runIn runs the program in the script's world. The file that `input` named is its
// standard input, once. It is a file because programs that it starts, such as an editor,
// inherit it and must not consume it.
func runIn(ts *testscript.TestScript, args []string) int {
	in := ts.Value(inputKey{}).(*string)
	stdin, err := os.Open(*in)
	ts.Check(err)
	defer stdin.Close()
	*in = os.DevNull
	e := knobs(env{
		args: args, stdin: stdin, stdout: ts.Stdout(), stderr: ts.Stderr(), getenv: ts.Getenv, now: time.Now,
		goos: runtime.GOOS, home: ts.Getenv("HOME"), cwd: ts.MkAbs("."),
	})
	if ts.Getenv("LEARNINGS_TEST_RUN") == runSmall && len(args) > 0 && (args[0] == "hook" || args[0] == "status") {
		return small(e)
	}
	return run(context.Background(), e)
}

type inputKey struct{}

// cmdLearnings is `learnings …`, which succeeds, and `! learnings …`.
func cmdLearnings(ts *testscript.TestScript, neg bool, args []string) {
	if code := runIn(ts, args); (code == 0) == neg {
		ts.Fatalf("exit code %d", code)
	}
}

// cmdCode is `code N learnings …`: the exit code is N.
func cmdCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || args[1] != "learnings" {
		ts.Fatalf("usage: code N learnings [args]")
	}
	if got := runIn(ts, args[2:]); strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit code %d, want %s", got, args[0])
	}
}

// cmdInput is `input FILE`: what the next call reads.
func cmdInput(ts *testscript.TestScript, neg bool, args []string) {
	*ts.Value(inputKey{}).(*string) = ts.MkAbs(args[0])
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

// state returns the state folder of the script's one corpus.
func state(ts *testscript.TestScript) string {
	dirs, err := filepath.Glob(ts.MkAbs("state/learnings/*"))
	ts.Check(err)
	dirs = slices.DeleteFunc(dirs, func(path string) bool {
		info, err := os.Stat(path)
		return err == nil && !info.IsDir() // what setup has written is beside them
	})
	if len(dirs) != 1 {
		ts.Fatalf("want one state folder, have %v", dirs)
	}
	return dirs[0]
}

// cmdLogged is `logged REGEXP`: a line of the hook's log matches.
func cmdLogged(ts *testscript.TestScript, neg bool, args []string) {
	text, err := os.ReadFile(filepath.Join(state(ts), "hook.log"))
	ts.Check(err)
	if regexp.MustCompile("(?m)"+args[0]).Match(text) == neg {
		ts.Fatalf("looked for %q in the log:\n%s", args[0], text)
	}
}

// cmdSpooled is `spooled REGEXP`: a line that waits for the worker matches.
func cmdSpooled(ts *testscript.TestScript, neg bool, args []string) {
	var text []byte
	ts.Check(db.At(state(ts)).Each(func(r *db.Rows) error {
		var line []byte
		err := r.Scan(&line)
		text = append(append(text, line...), '\n')
		return err
	}, "SELECT notice FROM spool"))
	if regexp.MustCompile("(?m)"+args[0]).Match(text) == neg {
		ts.Fatalf("looked for %q in the spool:\n%s", args[0], text)
	}
}

// cmdExpand is `expand FILE…`: replaces $WORK in the files by the script's folder,
// escaped for JSON.
func cmdExpand(ts *testscript.TestScript, neg bool, args []string) {
	for _, name := range args {
		text := strings.ReplaceAll(ts.ReadFile(name), "$WORK", filepath.ToSlash(ts.Getenv("WORK")))
		ts.Check(os.WriteFile(ts.MkAbs(name), []byte(text), 0o600))
	}
}

func cmdRemoveIndex(ts *testscript.TestScript, neg bool, args []string) {
	ts.Check(os.RemoveAll(filepath.Join(state(ts), "index")))
}

// cmdBlockIndex puts a file in the place of the index's folder.
func cmdBlockIndex(ts *testscript.TestScript, neg bool, args []string) {
	cmdRemoveIndex(ts, neg, args)
	ts.Check(os.WriteFile(filepath.Join(state(ts), "index"), nil, 0o600))
}

// cmdDamage is `damage`: the state database becomes rubbish.
func cmdDamage(ts *testscript.TestScript, neg bool, args []string) {
	path := db.At(state(ts)).Path()
	for _, end := range []string{"-wal", "-shm"} {
		if err := os.Remove(path + end); !os.IsNotExist(err) {
			ts.Check(err)
		}
	}
	ts.Check(os.WriteFile(path+".new", []byte(strings.Repeat("rubbish \x1b[31m\n", 1000)), 0o600))
	ts.Check(os.Rename(path+".new", path))
}

func cmdNoIndex(ts *testscript.TestScript, neg bool, args []string) {
	if _, err := os.Stat(filepath.Join(state(ts), "index")); err == nil {
		ts.Fatalf("there is an index")
	}
}

// cmdReplace is `replace OLD NEW DIR`: another program changes a text in the files of
// a folder.
func cmdReplace(ts *testscript.TestScript, neg bool, args []string) {
	paths, err := filepath.Glob(filepath.Join(ts.MkAbs(args[2]), "*.md"))
	ts.Check(err)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		ts.Check(err)
		if next := strings.ReplaceAll(string(text), args[0], args[1]); next != string(text) {
			ts.Check(os.WriteFile(path, []byte(next), 0o600))
			return
		}
	}
	ts.Fatalf("%q is in no file of %s", args[0], args[2])
}

// cmdUnhurried is `unhurried`: as after a quiet time, with a scan of all files requested
// but not made.
func cmdUnhurried(ts *testscript.TestScript, neg bool, args []string) {
	ts.Check(db.At(state(ts)).Put("asked-to-look", time.Now().UnixNano()))
}

// cmdHostile is `hostile FILE`: writes a lesson full of terminal control characters.
func cmdHostile(ts *testscript.TestScript, neg bool, args []string) {
	evil := "\x1b[31mred\x1b]0;title\a\x1b]52;c;aGk=\x07 \u009b31m \u202ereversed\u202c \u200bzero\u200b \x7f\x08 words"
	quoted := strconv.Quote("plain words " + evil)
	text := "---\ncontent: " + quoted + "\nmemory_type: learning\nimportance: 0.9\nconfidence: high\ntags: [" + strconv.Quote(evil) + "]\n" +
		"source: " + quoted + "\nrole: developer\nproject: evil\ncreated: \"2026-11-19T08:00:00+00:00\"\nid: evil0001\ncategory: " + quoted +
		"\nscore: 0.9\nstatus: approved\ntriggers: [" + quoted + "]\n---\n\nInsight " + evil + "\n\n    example " + evil + "\n"
	path := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(filepath.Dir(path), 0o755))
	ts.Check(os.WriteFile(path, []byte(text), 0o644))
}

func cmdMkfifo(ts *testscript.TestScript, neg bool, args []string) {
	ts.Check(ts.Exec("mkfifo", ts.MkAbs(args[0])))
}

// cmdTrusts is `trusts FILE [KEY…]`: the file, with the keys in place of KEY, becomes the
// settings, and the person says on the desk that what they trust is theirs.
func cmdTrusts(ts *testscript.TestScript, neg bool, args []string) {
	p, err := settings.FindPlaces(settings.World{Getenv: ts.Getenv, OS: runtime.GOOS, Home: ts.Getenv("HOME"), Dir: ts.MkAbs(".")}, "")
	ts.Check(err)
	text := strings.ReplaceAll(ts.ReadFile(args[0]), "KEY", strings.Join(args[1:], `", "`))
	ts.Check(settings.ReplaceFile(p.Config, []byte(text)))
	c, err := settings.Load(p.Config)
	ts.Check(err)
	ts.Check(p.ConfirmTrusts(c.Trusts()))
}
