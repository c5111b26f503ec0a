package main

import (
	"io"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	xterm "github.com/charmbracelet/x/term"

	"learnings/cmd/internal/process"
	"learnings/cmd/internal/term"
	"learnings/index/curate"
)

// An env is the world outside, as far as a verb may know it. Nothing else in
// this package touches arguments, environment, clock or standard streams.
type env struct {
	args   []string // without the program's name
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer
	getenv func(string) string
	lookup func(string) (string, bool) // tells an empty variable from none; nil when it is not known
	// parents are the programs in which this one runs, the nearest first; nil
	// when they are not known. Nothing but a test gives others than the system's.
	parents func() [][]string
	now     func() time.Time
	tty     term.Terminals
	goos    string
	home    string // the person's home folder; "" when there is none
	cwd     string
	user    string // the person's name, for the record of who decided

	patience time.Duration // with a git remote that says nothing; 0 for the usual

	// start starts this program again in a folder, apart from this process, and
	// does not wait for it; nil starts nothing.
	start func(dir string, args ...string) error
	// look is the same for a look at all files of the corpus that a call asks for
	// instead of waiting for it; with nil each call looks itself when it is time.
	look func(dir string, args ...string) error
}

// system is the real world.
func system() env {
	e := env{
		args: os.Args[1:], stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr,
		getenv: os.Getenv, lookup: os.LookupEnv, parents: sync.OnceValue(func() [][]string { return process.Above(os.Getpid()) }), now: time.Now, goos: runtime.GOOS, start: startAgain, look: startAgain,
	}
	e.tty.In = xterm.IsTerminal(os.Stdin.Fd())
	e.tty.Out = xterm.IsTerminal(os.Stdout.Fd())
	e.tty.Err = xterm.IsTerminal(os.Stderr.Fd())
	if e.tty.Out {
		e.tty.Width = 80
		if w, _, err := xterm.GetSize(os.Stdout.Fd()); err == nil && w > 0 {
			e.tty.Width = w
		}
	}
	// A failure leaves the name empty; whoever needs it says what is missing.
	e.home, _ = os.UserHomeDir()
	e.cwd, _ = os.Getwd()
	return e
}

// startAgain starts this program again with the environment that it has.
func startAgain(dir string, args ...string) error {
	return process.StartAgain(os.Environ(), dir, args...)
}

// username is the person's name as the system knows it. It is asked for only
// when a decision is recorded: with some directories it takes a while.
func (e env) username() string {
	if e.user != "" {
		return e.user
	}
	for _, key := range []string{"USER", "LOGNAME", "USERNAME"} {
		if s := e.getenv(key); s != "" {
			return s
		}
	}
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return ""
}

// above are the programs in which this one runs, as far as they are known.
func (e env) above() [][]string {
	if e.parents == nil {
		return nil
	}
	return e.parents()
}

// agent names the coding agent that runs this command; "" for none.
func (e env) agent() string {
	lookup := e.lookup
	if lookup == nil {
		lookup = func(variable string) (string, bool) { v := e.getenv(variable); return v, v != "" }
	}
	return curate.Agent(lookup, e.above())
}

// colour reports whether standard output takes colours.
func (e env) colour() bool {
	return e.tty.Out && e.getenv("NO_COLOR") == "" && e.getenv("TERM") != "dumb"
}

// short writes a path with ~ for the home folder, as people do.
func (e env) short(path string) string {
	if e.home != "" {
		if rest, ok := strings.CutPrefix(path, e.home+string(filepath.Separator)); ok {
			return "~" + string(filepath.Separator) + rest
		}
	}
	return path
}

// temp is the folder for temporary files.
func (e env) temp() string {
	if s := e.getenv("TMPDIR"); filepath.IsAbs(s) {
		return s
	}
	return os.TempDir()
}
