package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/report"
	"learnings/cmd/internal/term"
	"learnings/extractor"
	"learnings/extractor/transcript"
)

type sessionsOptions struct {
	from    []string
	project string
	json    bool
	limit   int
}

func newSessions(a *app) *cobra.Command {
	o := sessionsOptions{limit: -1}
	cmd := &cobra.Command{
		Use: "sessions", Short: "List the transcripts of agents on this machine",
		Long: "Sessions lists the session files of agents where each keeps them (CLAUDE_CONFIG_DIR,\n" +
			"CODEX_HOME and the like count; \"learnings version --places\" names them all), or where\n" +
			"--from says: project, start, what a person said, errors of tools and, of what was\n" +
			"extracted from, files read for each edit and how many lessons were taken.",
		Args: nargs(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.limit < 0 && a.Terminals.Out && !o.json {
				o.limit = screenful
			}
			return sessions(cmd.Context(), a, o)
		},
	}
	fromFlag(cmd, &o.from)
	cmd.Flags().StringVar(&o.project, "project", "", "of this project only")
	cmd.Flags().IntVarP(&o.limit, "limit", "n", -1, "at most so many; 0 for all (default: 50 on a terminal, else all)")
	cmd.Flags().BoolVar(&o.json, "json", false, "one JSON object a line")
	return cmd
}

func sessions(ctx context.Context, a *app, o sessionsOptions) error {
	where, err := a.transcripts(o.from)
	if err != nil {
		return err
	}
	c, err := a.configuration()
	if err != nil {
		return err
	}
	found, failed, err := scanSessions(ctx, a, where)
	if err != nil {
		return err
	}
	if o.project != "" {
		found = slices.DeleteFunc(found, func(s extractor.Session) bool { return s.Project != c.Canonical(o.project) })
	}
	slices.SortStableFunc(found, func(x, y extractor.Session) int {
		return cmp.Or(y.Session.Start.Compare(x.Session.Start), cmp.Compare(x.Path, y.Path))
	})
	list := report.Sessions{All: len(found), Shown: found, Where: describePlaces(a, where)}
	for _, s := range found {
		if s.Short {
			list.Short++
		}
	}
	if o.limit > 0 {
		list.Shown = found[:min(o.limit, len(found))]
	}
	if err := a.Give(list.Answer(), o.json); err != nil {
		return err
	}
	for _, err := range a.notRead(o.from) {
		a.Note("%v", err)
	}
	if failed > 0 {
		return fmt.Errorf("%s could not be read", term.Plural(failed, "place"))
	}
	return nil
}

// catalog knows what came of transcripts.
func (a *app) catalog() (extractor.Catalog, error) {
	marks, err := a.marks()
	if err != nil {
		return extractor.Catalog{}, err
	}
	c, err := a.configuration()
	return extractor.Catalog{Marks: marks, Project: a.project, Excluded: a.exclusion(c), Role: c.Role.Value}, err
}

// scanSessions reads all sessions of some places through. It warns of what cannot
// be read, counts it and goes on.
func scanSessions(ctx context.Context, a *app, where transcript.Places) (found []extractor.Session, failed int, err error) {
	known, err := a.catalog()
	if err != nil {
		return nil, 0, err
	}
	for info, err := range transcript.ReadAll(ctx, where, known.Marks.Recall, transcript.Scan) {
		if err != nil {
			a.Warn("%v", err)
			failed++
			continue
		}
		if info.BadLines > 0 {
			a.Warn("%s: %s skipped; the first: %v", a.short(info.Path), term.Plural(info.BadLines, "bad line"), info.FirstBad.Err)
		}
		found = append(found, known.Session(info))
	}
	return found, failed, ctx.Err()
}
