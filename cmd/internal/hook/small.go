package hook

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"log"
	"slices"
)

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
