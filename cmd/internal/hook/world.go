package hook

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"slices"
	"strings"
	"time"

	"learnings/cmd/internal/process"
	"learnings/extractor/live"
	"learnings/extractor/model/llm"
)

// A World is the part of the process's environment that a call may use.
type World struct {
	Stdin  io.Reader // nil on a terminal, where a person tries the hook
	Stdout io.Writer
	Getenv func(string) string
	Dir    string // the current folder, or "" if it was removed
	Now    func() time.Time

	// Setup finds the paths and the configuration of hooks. After an error there is no
	// folder to use, not even for a log.
	Setup func(Call) (Setup, error)
	// Start starts learnings in a folder, in the background; nil starts nothing.
	Start func(dir string, args ...string) error
}

// A Call is the command line of a hook.
type Call struct {
	Event  string
	For    string // --for: the calling agent
	Dir    string // --dir
	Sample bool   // --sample
}

// Parse recognises `hook EVENT`. It runs at every session start, so it accepts any
// command line. Without an event, or with --help, a person is asking, and it returns
// false.
func Parse(args []string) (Call, bool) {
	c, words, help := parse(args)
	if help || len(words) < 2 || words[0] != "hook" {
		return c, false
	}
	c.Event = words[1]
	return c, true
}

// parse splits a command line.
func parse(args []string) (c Call, words []string, help bool) {
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case arg == "-h" || arg == "--help":
			help = true
		case arg == "--dir" && i+1 < len(args):
			i++
			c.Dir = args[i]
		case strings.HasPrefix(arg, "--dir="):
			c.Dir = strings.TrimPrefix(arg, "--dir=")
		case arg == "--for" && i+1 < len(args):
			i++
			c.For = args[i]
		case strings.HasPrefix(arg, "--for="):
			c.For = strings.TrimPrefix(arg, "--for=")
		case arg == "--sample":
			c.Sample = true
		case strings.HasPrefix(arg, "-"):
			// a flag of a later version, perhaps
		default:
			words = append(words, arg)
		}
	}
	return c, words, help
}

// Off reports whether the environment switches hooks off. It does in agents that we
// start.
func Off(getenv func(string) string) bool {
	v := getenv(llm.DisableVariable)
	return v != "" && v != "0"
}

// Answer answers one call. It never fails: see the package comment. The time limit starts
// here, before anything is opened.
func Answer(ctx context.Context, w World, c Call) {
	if Off(w.Getenv) {
		return // without reading anything
	}
	process.Brief()
	ctx, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	process.Bounded(ctx, LogPatience, func() {
		defer func() { _ = recover() }() // in case Run's own recover misses a panic
		answerOne(ctx, w, c)
	})
}

func answerOne(ctx context.Context, w World, c Call) {
	s, err := w.Setup(c)
	if err != nil {
		return
	}
	h := Config{Setup: s, For: c.For, Probe: w.Getenv(ProbeVariable), Dir: cmp.Or(w.Getenv("CLAUDE_PROJECT_DIR"), w.Dir), Now: w.Now}
	pauses, unread := live.LoadPauses(s.State)
	switch {
	case unread != nil || pauses.Holds(w.Now()):
		h.MaxInject = 0
	case s.Learn && !c.Sample:
		h.Note = func(n live.Notice) error {
			return errors.Join(live.Spool{State: s.State}.Append(n), Wake(w.Start, s.State, s.Corpus))
		}
	}
	h.Trouble = errors.Join(s.Trouble, unread)
	Run(ctx, c.Event, w.Stdin, w.Stdout, h)
}

// Worker is the event that runs the worker.
const Worker = "worker"

// Wake starts a worker for a corpus unless one runs, and does not wait for it. start is
// [World].Start.
func Wake(start func(dir string, args ...string) error, state, corpus string) error {
	if start == nil || live.Running(state) {
		return nil
	}
	if err := os.MkdirAll(state, 0o700); err != nil {
		return fmt.Errorf("making the state folder: %w", err)
	}
	return start(state, "hook", Worker, "--dir", corpus)
}

// Help lists the events, and the settings that make agents call us for them.
// Codex gives the end of a session three seconds and stops trusting a command that
// changes it, so ours do not. Gemini CLI counts in milliseconds.
//
//go:embed hook.txt
var Help string

// smallHelp introduces Help where learnings-hook prints it.
const smallHelp = `Usage:
  learnings-hook [hook] EVENT      answers an agent's hook as ` + "`learnings hook EVENT`" + ` does
  learnings-hook status [--short]  what waits for you, as ` + "`learnings status`" + ` says it

It starts in a quarter of the time and half of the memory. What takes longer than an
agent would wait is left to learnings, which is to lie beside it or in the PATH.

`

// ErrAlone is why a worker could not be started.
var ErrAlone = errors.New("learnings is neither beside learnings-hook nor in the PATH: what is noted waits until it is installed")

// Small is the whole of learnings-hook, and returns its exit code: 0, unless it is asked
// for the status and cannot say it. forward runs learnings in the foreground with the
// same arguments; it does what people ask of hooks, and not agents.
func Small(ctx context.Context, w World, stderr io.Writer, args []string, forward func(ctx context.Context, args []string) error) int {
	log.SetOutput(io.Discard) // where bleve says what it could not read
	c, words, help := parse(args)
	asked := len(words) > 0 && words[0] == "status"
	if len(words) > 0 && words[0] == "hook" {
		words = words[1:]
	} else if !asked {
		args = append([]string{"hook"}, args...) // as learnings takes it
	}
	switch {
	case help || len(words) == 0:
		fmt.Fprint(w.Stdout, smallHelp, Help)
	case c.Sample || words[0] == Worker:
		if err := forward(ctx, args); err != nil {
			fmt.Fprintf(stderr, "learnings-hook: %v\n", err)
		}
	case asked:
		if err := tell(ctx, w, c, StatusForm{Short: slices.Contains(args, "--short"), JSON: slices.Contains(args, "--json")}); err != nil {
			fmt.Fprintf(stderr, "learnings-hook: %v\n", err)
			return 1
		}
	default:
		c.Event = words[0]
		Answer(ctx, w, c)
	}
	return 0
}

// tell prints the status.
func tell(ctx context.Context, w World, c Call, f StatusForm) error {
	s, err := w.Setup(c)
	if err != nil {
		return err
	}
	now, err := StatusOf(ctx, s.Index, s.State, w.Now())
	if err != nil {
		return err
	}
	return now.Write(w.Stdout, f)
}
