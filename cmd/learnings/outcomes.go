package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/render"
	"learnings/extractor/outcome"
	"learnings/extractor/transcript"
	"learnings/lessons"
	"learnings/lessons/outcomes"
)

type outcomesOptions struct {
	id      string
	project string
	from    []string
	read    bool
	anew    bool
	json    bool
}

func newOutcomes(a *app) *cobra.Command {
	var o outcomesOptions
	cmd := &cobra.Command{
		Use: "outcomes [ID]", Short: "Tell what came of lessons that sessions were given",
		Long: "Outcomes tells how often lessons were given, and what came of them in the sessions\n" +
			"that were read: the agent followed one or contradicted it, the mistake that it is\n" +
			"about came back, it was cited, or there is nothing to see. With an id it tells of\n" +
			"one, with where it was seen; in how many sessions the mistake was made before the\n" +
			"lesson was approved and since; and, with learning.holdout, how sessions went that\n" +
			"were given it against those out of which it was held. Shares have Wilson's\n" +
			"interval, differences Newcombe's, both for 95 %.\n\n" +
			"Sessions are read as they end, and by extract. With --read those are read that\n" +
			"were not, or have grown, and with --anew all. No model is asked. A session counts\n" +
			"once, and half of a person's word, which goes before it.",
		Example: "  learnings stats outcomes\n  learnings stats outcomes k7m2p9qx\n  learnings stats outcomes --read --project octofs --json",
		Args:    nargs(0, 1, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				o.id = args[0]
			}
			return tellOutcomes(cmd.Context(), a, o)
		},
	}
	fromFlag(cmd, &o.from)
	cmd.Flags().StringVar(&o.project, "project", "", "of this project only")
	cmd.Flags().BoolVar(&o.read, "read", false, "first read the sessions that were not read, or have grown")
	cmd.Flags().BoolVar(&o.anew, "anew", false, "first read all sessions once more")
	cmd.Flags().BoolVar(&o.json, "json", false, "one JSON object a line")
	return cmd
}

func tellOutcomes(ctx context.Context, a *app, o outcomesOptions) error {
	c, err := a.configuration()
	if err != nil {
		return err
	}
	s, err := a.corpus()
	if err != nil {
		return err
	}
	if o.read || o.anew || len(o.from) > 0 {
		files, _, err := everyTranscript(a, o.from)
		if err != nil {
			return err
		}
		bar := a.NewBar(a.now)
		defer bar.Clear()
		p := begun(files)
		res, err := count(ctx, a, files, o.anew, func(f transcript.File) {
			p.Done, p.Read = p.Done+1, p.Read+f.Size
			showProgress(bar, p, "lesson")
		})
		if err != nil {
			return err
		}
		for _, err := range res.Failed {
			a.Warn("%v", err)
		}
		bar.Clear()
		a.Note("%s", res)
	}
	book, err := outcomes.Open(a.places.State, a.now())
	if err != nil {
		return err
	}
	if o.id != "" {
		id, err := s.Resolve(o.id)
		if err != nil {
			return err
		}
		l, err := s.Get(id)
		if err != nil {
			return err
		}
		x, err := outcome.Of(s, book, l)
		return errors.Join(err, a.Give(render.Outcome{About: x, Book: book}, o.json))
	}
	project := c.Canonical(o.project)
	all, err := outcome.All(s, book, func(l lessons.Lesson) bool { return o.project == "" || l.Scope.Project == project })
	return errors.Join(err, a.Give(render.Outcomes(all, book), o.json))
}

// counting makes what reads sessions for what came of lessons.
func counting(a *app) (*outcome.Reader, error) {
	o, err := a.past()
	if err != nil {
		return nil, err
	}
	s, err := a.corpus()
	return &outcome.Reader{Listener: o.Listener(), State: a.places.State, Store: s, Project: o.Project, Redact: o.Redact, Now: a.now}, err
}

// count reads sessions for what came of lessons.
func count(ctx context.Context, a *app, files []transcript.File, anew bool, each func(transcript.File)) (res outcome.Result, err error) {
	if len(files) == 0 {
		return res, nil
	}
	t, err := counting(a)
	if err == nil {
		res, err = t.Read(ctx, files, anew, each)
	}
	if res.Moved > 0 {
		a.follow(ctx)
	}
	return res, err
}
