package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/process"
	"learnings/cmd/internal/render"
	"learnings/cmd/internal/term"
	"learnings/extractor/live"
	"learnings/lessons"
)

type watchOptions struct {
	from     []string
	time     time.Duration
	interval time.Duration
	json     bool
}

// modelQuiet is how long nothing must have been written to a session before a model
// is asked about it. The rules cost nothing and are asked at once.
const modelQuiet = 10 * time.Minute

func newWatch(a *app) *cobra.Command {
	var o watchOptions
	cmd := &cobra.Command{
		Use: "watch", Short: "Propose lessons while sessions happen",
		Long: "Watch looks at the sizes of transcripts every few seconds and proposes lessons from\n" +
			"what is written to them, seconds after it was written. It begins with what was\n" +
			"not read yet of the last seven days. Each proposal is printed as it comes, those\n" +
			"that a hook of the same corpus has led to among them; they wait in Review.\n\n" +
			"Several may watch the same corpus: one at a time reads, and all of them print.\n" +
			"With learning.model_in_background the model is asked about a session when that\n" +
			"has been still for ten minutes; the rules need not wait.",
		Example: "  learnings watch\n  learnings watch --json --for 8h >> proposals.jsonl",
		Args:    nargs(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.interval < 100*time.Millisecond {
				return term.Usagef("--interval must be at least 100ms")
			}
			if o.time < 0 {
				return term.Usagef("--for must not be negative")
			}
			return watch(cmd.Context(), a, o)
		},
	}
	fromFlag(cmd, &o.from)
	cmd.Flags().DurationVar(&o.time, "for", 0, "end after this time (default: at Ctrl+C)")
	cmd.Flags().DurationVar(&o.interval, "interval", 2*time.Second, "time between two looks")
	cmd.Flags().BoolVar(&o.json, "json", false, "one JSON object a line")
	return cmd
}

func watch(ctx context.Context, a *app, o watchOptions) error {
	process.Frugal()
	c, err := a.configuration()
	if err != nil {
		return err
	}
	if enabled := c.Learning.Enabled; !enabled.Value {
		return term.Hint(fmt.Errorf("learning.enabled is false (%s): nothing is proposed unasked", enabled.Source),
			"`learnings extract` proposes when asked; `learnings config --edit` changes the key")
	}
	where, err := a.transcripts(o.from)
	if err != nil {
		return err
	}
	x, asker, err := newBackground(a, func(string, ...any) {})
	if err != nil {
		return err
	}
	w := &render.Watch{Console: a.Console, Now: a.now}
	if o.json {
		w.As = a.objects
	}
	if len(o.from) > 0 {
		w.Only = where
	}
	if w.Corpus, err = a.curated(); err != nil {
		return err
	}
	// What waits already is not printed.
	if err = w.Begin(ctx); err != nil {
		return err
	}
	if o.time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.time)
		defer cancel()
	}
	follow := live.Watch{Interval: o.interval, Seen: w.Print, Trouble: func(err error) { a.Warn("%v", err) }}
	if asker != nil {
		follow.Quiet = modelQuiet
		defer tellSpent(a, asker)
	}
	a.Note("watching %s; Ctrl+C ends", lessons.Line(render.Places(where, a.short)))
	err = x.Worker(where, c.Learning.MinMessages.Value).Follow(ctx, follow)
	err = errors.Join(err, w.Print(context.WithoutCancel(ctx)))
	a.Note("%s came while watching; `learnings` opens the review", term.Plural(w.Printed, "proposal"))
	return err
}
