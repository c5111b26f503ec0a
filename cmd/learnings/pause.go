package main

import (
	"time"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/render"
	"learnings/cmd/internal/term"
	"learnings/extractor/live"
)

func newPause(a *app) *cobra.Command {
	var status, end, asJSON bool
	cmd := &cobra.Command{
		Use: "pause [TIME]", Short: "Give and propose nothing for a while",
		Long: "Pause stops the hooks, watch and the worker behind them: sessions are given no\n" +
			"lessons and none are proposed. What is said meanwhile is not read later either,\n" +
			"not by extract and by no model. TIME is how long, or until when: 45m, 2h, 3d,\n" +
			"\"2026-11-20 15:04\"; without it the pause lasts until `learnings pause --end`.\n\n" +
			"What counts is the time that a transcript gives for each turn. A turn without one\n" +
			"counts as said with the turn before it; a transcript without any, as said when its\n" +
			"file was written to last; where only the start of a chat is known, as said then.",
		Example: "  learnings pause 2h\n  learnings pause --status\n  learnings pause --end",
		Args:    nargs(0, 1, ""),
		RunE: func(_ *cobra.Command, args []string) error {
			switch {
			case (status || end) && len(args) > 0:
				return term.Usagef("--status and --end take no time; leave out %q", args[0])
			case end:
				return endPause(a, asJSON)
			case status:
				return tellPause(a, asJSON)
			}
			var until time.Time
			if len(args) > 0 {
				var err error
				if until, err = term.Until(args[0], a.now()); err != nil {
					return err
				}
			}
			return beginPause(a, until, asJSON)
		},
	}
	cmd.Flags().BoolVar(&end, "end", false, "end the pause: what is said from now on is read again")
	cmd.Flags().BoolVar(&status, "status", false, "say whether it is paused, and until when")
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object")
	return cmd
}

// endPause ends a pause. What was said in it is not read.
func endPause(a *app, asJSON bool) error {
	if _, err := a.decider("end a pause"); err != nil {
		return err
	}
	if err := live.EndPause(a.places.State, a.now()); err != nil {
		return err
	}
	return tellPause(a, asJSON)
}

// beginPause begins a pause, or changes the end of the one that lasts. An agent may
// ask not to be listened to, and not end that.
func beginPause(a *app, until time.Time, asJSON bool) error {
	ps, err := a.pauses()
	if err != nil {
		return err
	}
	if ps.Holds(a.now()) {
		if _, err := a.decider("change a pause"); err != nil {
			return err
		}
	}
	if err := live.BeginPause(a.places.State, a.now(), until); err != nil {
		return err
	}
	return tellPause(a, asJSON)
}

// pauses are the times in which the person was not to be listened to.
func (a *app) pauses() (live.Pauses, error) {
	p, err := a.located()
	if err != nil {
		return nil, err
	}
	ps, err := live.LoadPauses(p.State)
	return ps, term.Hint(err, "`learnings pause --end` forgets all pauses, and everything is read; until then nothing is")
}

// listening is what is known of a pause now.
func listening(a *app) (render.Listening, error) {
	ps, err := a.pauses()
	p, ok := ps.At(a.now())
	return render.Listening{Paused: ok, Pause: p}, err
}

func tellPause(a *app, asJSON bool) error {
	l, err := listening(a)
	if err != nil {
		return err
	}
	return a.Give(l, asJSON)
}
