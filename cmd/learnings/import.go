package main

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/port"
	"learnings/cmd/internal/process"
	"learnings/cmd/internal/render"
	"learnings/cmd/internal/term"
	"learnings/extractor/intake"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/lessons/exchange"
	"learnings/lessons/exchange/formats"
	"learnings/lessons/exchange/mcp"
)

type importOptions struct {
	what, from                      string
	dryRun, trust, asJSON, memories bool
}

func newImport(a *app) *cobra.Command {
	var o importOptions
	cmd := &cobra.Command{
		Use: "import [SOURCE]", Short: "Take in lessons from other programs",
		Long: "Import reads the store of another program, a file or folder, or what an earlier\n" +
			"export wrote. A name of a format stands for the places where its program keeps\n" +
			"things. What is new waits in Review; what the corpus has, or what you rejected,\n" +
			"is recognised, and importing again changes nothing. The store is only read.\n\n" +
			"With --trust what is new is approved at once, but for what must be looked at alone.\n\n" +
			"Formats: " + formats.Listed(),
		Example: "  learnings import --memories --dry-run\n  learnings import octomind --dry-run\n  learnings import lessons.jsonl\n  learnings import --from jsonl lessons.txt",
		Args:    nargs(0, 1, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				o.what = args[0]
			}
			if o.memories {
				o.from = formats.Memories
			}
			return importFrom(cmd.Context(), a, o)
		},
	}
	cmd.Flags().StringVar(&o.from, "from", "", "the format, where it cannot be told or is meant to be another")
	cmd.Flags().BoolVar(&o.memories, "memories", false, "what agents remember of every project, and the instructions here")
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "tell what would come in and write nothing")
	cmd.Flags().BoolVar(&o.trust, "trust", false, "approve what is new")
	cmd.Flags().BoolVar(&o.asJSON, "json", false, "one JSON object for each entry")
	return cmd
}

// world is where stores of other programs are looked for.
func (a *app) world() formats.World {
	return formats.World{Home: a.home, Dir: a.cwd, Getenv: a.getenv, Project: a.project, Memory: a.memory()}
}

// memory is the memory server of the settings. What is wrong in them is said elsewhere.
func (a *app) memory() mcp.Server {
	c, _ := a.configuration()
	l := c.Learning
	return mcp.Server{
		Command: l.Memory.Command.Value, Dir: a.cwd, URL: l.Memory.URL.Value, Headers: l.Memory.Headers.Value, Getenv: a.getenv,
		Timeout: time.Duration(l.Memory.Timeout.Value) * time.Second,
		Store:   mcp.Tool{Name: l.Store.Name.Value, Fields: l.Store.Fields.Value}, Retrieve: mcp.Tool{Name: l.Retrieve.Name.Value, Fields: l.Retrieve.Fields.Value},
		Forget: l.Memory.Forget.Value,
	}
}

func importFrom(ctx context.Context, a *app, o importOptions) error {
	process.Frugal()
	if o.what == "" && o.from == "" {
		return term.Hint(term.Usagef("import needs a file, a folder or the name of a format"), "formats: %s", strings.Join(formats.Names(), ", "))
	}
	if o.trust && !o.dryRun {
		if _, err := a.decider("approve what is imported"); err != nil {
			return err
		}
	}
	sources, err := port.Sources(o.what, o.from, a.world())
	if err != nil {
		return err
	}
	if !o.dryRun && !slices.ContainsFunc(sources, func(s port.Source) bool { return s.Name == formats.Team }) {
		fromTeam(a, ctx)
	}
	in, err := a.informed(ctx, a.Warn)
	if err != nil {
		return err
	}
	for _, s := range sources {
		if a.agent() != "" {
			s.Format = intake.Proposing(s.Format)
		}
		if done, err := restored(ctx, a, o, s); done || err != nil {
			return err
		}
		wrote, err := s.Ledger(a.places.Exchanges())
		if err != nil {
			return err
		}
		report, err := in.Import(ctx, s.Name, s.Format, s.Path, wrote, o.dryRun)
		if err != nil {
			return port.AdvisedReading(err)
		}
		port.WarnUnread(a.Console, report.Unread)
		told := port.Told{Report: report, ByFile: s.Name == formats.Memories}
		if len(report.New) > 0 && !o.dryRun {
			a.follow(ctx)
		}
		if told.ByFile {
			told.Against = port.Contradicted(ctx, a.library, report.New)
		}
		if told.Approved, err = released(a, report); err != nil {
			return err
		}
		if o.trust && !o.dryRun && len(report.New) > 0 {
			now, err := trusted(a, told.Waiting())
			if err != nil {
				return err
			}
			told.Approved = append(told.Approved, now...)
			a.follow(ctx)
		}
		if err := a.Give(told, o.asJSON); err != nil {
			return err
		}
		if !a.Terminals.Out {
			a.Note("%s", told.Summary())
		}
	}
	return nil
}

// restored makes an empty corpus of a copy with its history, where the person trusts it;
// done says whether it was one. Into a corpus that is not empty its lessons are proposed.
func restored(ctx context.Context, a *app, o importOptions, s port.Source) (done bool, err error) {
	if !o.trust || o.dryRun || !exchange.IsCopy(s.Path) {
		return false, nil
	}
	c, err := a.curated()
	if err != nil {
		return false, err
	}
	if err = c.RestoreFrom(s.Path); errors.Is(err, lessons.ErrInvalid) {
		a.Warn("%v: its lessons are taken in as new ones, without their history", err)
		return false, nil
	} else if err != nil {
		return false, err
	}
	a.follow(ctx)
	a.Say("restored the corpus of %s with its history", a.short(s.Path))
	return true, nil
}

// trusted approves what came in, as a decision on many.
func trusted(a *app, ls []lessons.Lesson) ([]lessons.Lesson, error) {
	c, err := a.decider("approve what is imported")
	if err != nil {
		return nil, err
	}
	b, err := c.DecideMany(curate.Approve.Because("imported with --trust"), ls)
	render.WarnLeft(a.Console, b.Left)
	return b.After, err
}
