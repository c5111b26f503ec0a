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
	"learnings/cmd/internal/settings"
	"learnings/cmd/internal/term"
	"learnings/index/curate"
)

// An env is the outside world as verbs see it. Nothing else in this package touches
// arguments, environment, clock or standard streams.
type env struct {
	args   []string // without the program's name
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer
	getenv func(string) string
	lookup func(string) (string, bool) // false for an unset variable; nil if unknown
	// above returns the programs above this one, nearest first, and whether they are known
	// to the last; nil is none known.
	above func() ([]curate.Program, bool)
	now   func() time.Time
	tty   term.Terminals
	goos  string
	home  string // the person's home folder, or ""
	cwd   string
	user  string // the person's name, for the record of who decided

	patience time.Duration // with a silent git remote; 0 for the default

	// start runs this program again in a folder, in the background; nil starts nothing.
	start func(dir string, args ...string) error
	// look starts a scan of all files of the corpus in the background; with nil each call
	// scans when it is time.
	look func(dir string, args ...string) error
}

// system returns the env of this process.
func system() env {
	e := env{
		args: pinned(os.Args[1:]), stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr,
		getenv: os.Getenv, lookup: os.LookupEnv, above: sync.OnceValues(above), now: time.Now, goos: runtime.GOOS, start: startAgain, look: startAgain,
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
	// An error leaves the name empty; the code that needs it reports that.
	e.home, _ = os.UserHomeDir()
	e.cwd, _ = os.Getwd()
	return e
}

// pinned takes the pins out of the command line of a hook or of the MCP server.
func pinned(args []string) []string {
	if len(args) > 0 && (args[0] == "hook" || args[0] == "mcp") {
		return settings.Pin(os.Getenv, args)
	}
	return args
}

// startAgain starts this program again with the same environment.
func startAgain(dir string, args ...string) error {
	return process.StartAgain(os.Environ(), dir, args...)
}

// username returns the person's name from the system. It is called only to record a
// decision: some directory services take a while.
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

// above returns the programs above this one.
func above() (out []curate.Program, whole bool) {
	ps, whole := process.Above(os.Getpid())
	for _, p := range ps {
		out = append(out, curate.Program(p))
	}
	return out, whole
}

// programs returns the programs above this one, as far as they are known.
func (e env) programs() ([]curate.Program, bool) {
	if e.above == nil {
		return nil, false
	}
	return e.above()
}

// agent names the coding agent that runs this command, or "".
func (e env) agent() string {
	lookup := e.lookup
	if lookup == nil {
		lookup = func(variable string) (string, bool) { v := e.getenv(variable); return v, v != "" }
	}
	above, _ := e.programs()
	return curate.Agent(lookup, above)
}

// colour reports whether standard output shows colours.
func (e env) colour() bool {
	return e.tty.Out && e.getenv("NO_COLOR") == "" && e.getenv("TERM") != "dumb"
}

// short writes a path with ~ for the home folder.
func (e env) short(path string) string {
	if e.home != "" {
		if rest, ok := strings.CutPrefix(path, e.home+string(filepath.Separator)); ok {
			return "~" + string(filepath.Separator) + rest
		}
	}
	return path
}

// temp returns the folder for temporary files.
func (e env) temp() string {
	if s := e.getenv("TMPDIR"); filepath.IsAbs(s) {
		return s
	}
	return os.TempDir()
}
