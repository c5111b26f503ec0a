// Learnings reads the session transcripts of coding agents, proposes lessons,
// lets a person judge them, and gives the approved ones to the next session.
//
// # Code overview
//
// This package knows every other one and nothing knows it. It turns arguments,
// environment and configuration into values, hands them to the packages that do
// the work, and turns what they answer into text, JSON and an exit code:
//
//   - [run] is the whole program: main only calls it. What it may know of the
//     world is in an env, so that a test can be a world of its own.
//   - root.go lists the verbs, and has what all of them are made of. The help of
//     a verb is a text file in the folder help; a verb says what must be open before
//     it runs, has its flags, and does its work.
//   - app.go holds what verbs share: the places, the settings, the corpus with its
//     index. It is the one place that decides whether a person is deciding.
//   - Package term is how verbs print answers, warn, ask and word errors.
//   - `learnings hook` does not pass through any of this: see package hook, which
//     learnings-hook shares. background.go is the worker that a hook starts, and what it
//     may do unasked.
//
// Text of transcripts and lessons is printed through package term, or through
// lessons.Line and lessons.Block, so that no escape sequence in it reaches a
// terminal.
package main

import (
	"context"
	"errors"
	"io"
	"log"
	"os"
	"os/signal"
	"os/user"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	xterm "github.com/charmbracelet/x/term"

	"learnings/cmd/internal/hook"
	"learnings/cmd/internal/process"
	"learnings/cmd/internal/settings"
	"learnings/cmd/internal/term"
	"learnings/index/curate"
	"learnings/lessons"
)

func main() { os.Exit(run(context.Background(), system())) }

// grace is how long a verb may take to end after SIGTERM. Being killed later loses
// nothing: every write can be finished or undone.
const grace = 3 * time.Second

// run runs the command of e.args and returns the exit code. It leaves no goroutine
// behind.
//
// An interrupt cancels the context: a verb finishes its current write and the code is
// 130. A second one kills the process. SIGTERM also ends a verb that is blocked on a
// file.
func run(ctx context.Context, e env) int {
	log.SetOutput(io.Discard) // bleve logs unreadable files here; we report them ourselves
	if c, ok := hook.Parse(e.args); ok {
		if c.Event == hook.Worker {
			runWorker(ctx, e, c)
		} else {
			hook.Answer(ctx, e.world(), c)
		}
		return exitOK // a hook must never block an agent
	}
	ctx, terminated, stop := process.Interruptible(ctx)
	defer stop()

	// With a listener, a write to a closed pipe is an error to handle, and does not kill
	// the process in the middle of its work.
	pipes := make(chan os.Signal, 1)
	signal.Notify(pipes, syscall.SIGPIPE)
	defer signal.Stop(pipes)

	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	out := term.NewOutput(e.stdout, e.tty.Out, cancel)

	a := newApp(e, out)
	var err error
	if !process.Bounded(terminated, grace, func() { err = a.advised(newRoot(a).ExecuteContext(ctx)) }) {
		term.Report(e.stderr, context.Canceled)
		return exitInterrupted
	}
	if flushed := out.Flush(); err == nil || errors.Is(err, context.Canceled) {
		if flushed != nil {
			err = flushed
		}
	}
	term.Report(e.stderr, err)
	return exitCode(err)
}

// Exit codes, as `learnings help --all` lists them.
const (
	exitOK          = 0
	exitError       = 1
	exitUsage       = 2
	exitNotFound    = 3
	exitConflict    = 4
	exitNothing     = 5
	exitPerson      = 6
	exitInterrupted = 130
)

var errSession = errors.New("no such session")

// exitCode maps an error to its exit code.
func exitCode(err error) int {
	var usage term.UsageError
	switch {
	case err == nil, errors.Is(err, term.ErrClosed):
		return exitOK
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.As(err, &usage):
		return exitUsage
	case errors.Is(err, curate.ErrPerson):
		return exitPerson
	case errors.Is(err, lessons.ErrNotFound), errors.Is(err, errSession):
		return exitNotFound
	case errors.Is(err, lessons.ErrConflict):
		return exitConflict
	case errors.Is(err, curate.ErrNothing):
		return exitNothing
	default:
		return exitError
	}
}

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
