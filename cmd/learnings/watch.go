package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/process"
	"learnings/cmd/internal/term"
	"learnings/cmd/internal/view"
	"learnings/extractor/live"
	"learnings/extractor/transcript"
	"learnings/index/curate"
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
			"that a hook of the same corpus has led to among them; they wait in the queue.\n\n" +
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
	w := &watcher{a: a, o: o, where: where}
	if w.c, err = a.curated(); err != nil {
		return err
	}
	// What waits already is not printed.
	if w.cursor, err = w.c.End(ctx); err != nil {
		return err
	}
	if o.time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.time)
		defer cancel()
	}
	follow := live.Watch{Interval: o.interval, Seen: w.print, Trouble: func(err error) { a.Warn("%v", err) }}
	if asker != nil {
		follow.Quiet = modelQuiet
		defer tellSpent(a, asker)
	}
	a.Note("watching %s; Ctrl+C ends", lessons.Line(describePlaces(a, where)))
	err = x.Worker(where, c.Learning.MinMessages.Value).Follow(ctx, follow)
	err = errors.Join(err, w.print(context.WithoutCancel(ctx)))
	a.Note("%s came while watching; `learnings` opens the review", term.Plural(w.printed, "proposal"))
	return err
}

// A watcher prints proposals as they come into the corpus, whoever made them.
type watcher struct {
	a       *app
	c       *curate.Corpus
	o       watchOptions
	where   transcript.Places
	cursor  lessons.Cursor
	printed int
}

// print prints what has come since.
func (w *watcher) print(ctx context.Context) error {
	came, end, err := w.c.Proposed(ctx, w.cursor)
	if err != nil {
		return err
	}
	w.cursor = end
	for _, l := range came {
		if !w.means(l) {
			continue
		}
		if err := w.line(l); err != nil {
			return err
		}
		w.printed++
	}
	return w.a.Out.Flush()
}

// means reports whether a lesson is of the sessions that are watched: with
// --from not everything is.
func (w *watcher) means(l lessons.Lesson) bool {
	return len(w.o.from) == 0 || slices.ContainsFunc(l.Evidence, func(e lessons.Evidence) bool {
		return slices.ContainsFunc(w.where, func(p transcript.Place) bool {
			rel, err := filepath.Rel(p.Path, e.Path)
			return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
		})
	})
}

func (w *watcher) line(l lessons.Lesson) error {
	switch a := w.a; {
	case w.o.json:
		return a.Give(view.Shelf{Lessons: []lessons.Lesson{l}}, true)
	case a.Terminals.Out:
		a.Say("%s  %s  %s %s  %s", a.now().Local().Format("15:04:05"), l.ID, l.Confidence, l.Category, l.Title(max(a.Terminals.Width-44, 30)))
	default:
		term.TSV(a.Out, string(l.ID), string(l.Category), l.Scope.Project, l.Confidence.String(), l.Content)
	}
	return nil
}
