package main

import (
	"github.com/spf13/cobra"

	"learnings/cmd/internal/answer"
	"learnings/cmd/internal/hook"
	"learnings/cmd/internal/process"
	"learnings/cmd/internal/status"
	"learnings/extractor/live"
)

// world is what package answer may know of ours.
func (e env) world() answer.World {
	w := answer.World{Stdout: e.stdout, Getenv: e.getenv, Home: e.home, Dir: e.cwd, Now: e.now, Start: e.start, Setup: func(c answer.Call) (hook.Setup, error) {
		a := newApp(e, nil) // it prints nothing
		a.dir, a.sample = c.Dir, c.Sample
		p, err := a.located()
		if err != nil {
			return hook.Setup{}, err
		}
		return p.Hooks(), nil
	}}
	if !e.tty.In {
		w.Stdin = e.stdin
	}
	return w
}

// newHook is the hook as help knows it. Its settings for agents name learnings-hook where
// an agent would find that.
func newHook(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use: "hook EVENT", Short: "Answer an agent's hook (session-start, user-prompt, stop and others)",
		Long: answer.HelpFor(false), Example: "  learnings hook session-start --dir ~/lessons",
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		cmd.Long = answer.HelpFor(process.Find("learnings-hook", a.getenv("PATH"), a.goos) != "")
		cmd.Root().HelpFunc()(cmd, args)
	})
	return cmd
}

// wake starts a worker for the corpus unless one runs. It does not wait for it.
func (a *app) wake() error {
	p, err := a.located()
	if err != nil || a.sample {
		return err
	}
	return answer.Wake(a.start, p.State, p.Corpus)
}

// resume starts a worker when there is something that none has dealt with.
func (a *app) resume() {
	c, err := a.configuration()
	if err == nil && c.Learning.Enabled.Value && (live.Spool{State: a.places.State}).Waiting() {
		_ = a.wake() // else the next one does it
	}
}

func newStatus(a *app) *cobra.Command {
	var f status.Form
	cmd := &cobra.Command{
		Use: "status", Short: "Say what waits for you, for a prompt or a status bar",
		Long: "Status counts the proposals that wait for you, those that may be lessons apart, and\n" +
			"the active lessons, and says whether learning is paused. It reads the index as it is\n" +
			"and looks at no file, so it is quick; `learnings-hook status` is quicker.",
		Example: "  learnings status --short",
		Args:    nargs(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := a.located()
			if err != nil {
				return err
			}
			s, err := status.Of(cmd.Context(), p.Index(), p.State, a.now())
			if err != nil {
				return err
			}
			return s.Write(a.Out, f)
		},
	}
	cmd.Flags().BoolVar(&f.Short, "short", false, "in one line")
	cmd.Flags().BoolVar(&f.JSON, "json", false, "one JSON object")
	return cmd
}
