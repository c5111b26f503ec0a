package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/process"
	"learnings/cmd/internal/render"
	"learnings/cmd/internal/term"
	"learnings/extractor/live"
	"learnings/lessons"
)

type watchOptions struct {
	on       bool
	from     []string
	time     time.Duration
	interval time.Duration
	json     bool
}

// modelQuiet is how long nothing must have been written to a session before a model
// is asked about it. The rules cost nothing and are asked at once.
const modelQuiet = 10 * time.Minute

const watchHelp = `With --watch it goes on: it looks at the sizes of transcripts every few seconds and
proposes lessons from what is written to them, seconds after it was written. It begins
with what was not read yet of the last seven days. Each proposal is printed as it comes,
those that a hook of the same corpus has led to among them. Several may watch the same
corpus: one at a time reads, and all of them print.
`

func (o *watchOptions) register(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&o.on, "watch", false, "go on, and propose while sessions happen")
	cmd.Flags().DurationVar(&o.time, "for", 0, "with --watch: end after this time (default: at Ctrl+C)")
	cmd.Flags().DurationVar(&o.interval, "interval", 2*time.Second, "")
	cmd.Flags().Lookup("interval").Hidden = true // of tests
}

// check refuses what cannot be watched. A named file or folder must be there: who
// mistypes it would wait for ever.
func (o watchOptions) check(dir string, named []string) error {
	for _, name := range named {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		if _, err := os.Stat(path); err != nil {
			return term.Hint(term.Usagef("--watch: there is no file or folder %q", name), "`learnings extract --watch` watches all sessions")
		}
	}
	if o.interval < 100*time.Millisecond {
		return term.Usagef("--interval must be at least 100ms")
	}
	if o.time < 0 {
		return term.Usagef("--for must not be negative")
	}
	return nil
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
