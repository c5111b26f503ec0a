package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/render"
	"learnings/cmd/internal/sessions"
	"learnings/cmd/internal/term"
	"learnings/extractor"
	"learnings/extractor/past"
	"learnings/extractor/redact"
)

type sessionsOptions struct {
	from    []string
	project string
	where   string
	sort    string
	json    bool
	limit   int
}

func newSessions(a *app) *cobra.Command {
	o := sessionsOptions{limit: -1}
	cmd := &cobra.Command{
		Use: "sessions", Short: "List the transcripts of agents on this machine",
		Long: "Sessions lists the session files of agents where each keeps them (CLAUDE_CONFIG_DIR,\n" +
			"CODEX_HOME and the like count; \"learnings version --places\" names them all), or where\n" +
			"--from says: the first prompt, project, start, turns of the person and how often they\n" +
			"corrected the agent, errors of tools, how often in a row the same failed (spin), files\n" +
			"read for each edit, and how many lessons were taken. What was read is kept in a line\n" +
			"a session, so that only what is new or has grown is read again.\n\n" +
			"--where lists those of which all terms hold:\n\n" + past.Language + "\nThe fields are\n\n" + past.Fields(),
		Example: "  learnings sessions --where 'spin>3 errors>5 project:shop'\n" +
			"  learnings sessions --where 'kind:blind|spinning age<7d' --sort errors\n" +
			"  learnings sessions --where 'error:ENOENT' --json",
		Args: nargs(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.limit < 0 && a.Terminals.Out && !o.json {
				o.limit = screenful
			}
			return listSessions(cmd.Context(), a, o)
		},
	}
	fromFlag(cmd, &o.from)
	cmd.Flags().StringVar(&o.project, "project", "", "of this project only")
	cmd.Flags().StringVar(&o.where, "where", "", "of which this holds, as in 'spin>3 errors>5 project:shop'")
	cmd.Flags().StringVar(&o.sort, "sort", "", "by this field, the most first; -FIELD the least first (default: the newest first)")
	cmd.Flags().IntVarP(&o.limit, "limit", "n", -1, "at most so many; 0 for all (default: 50 on a terminal, else all)")
	cmd.Flags().BoolVar(&o.json, "json", false, "one JSON object a line, with all figures")
	return cmd
}

func listSessions(ctx context.Context, a *app, o sessionsOptions) error {
	where, err := a.transcripts(o.from)
	if err != nil {
		return err
	}
	c, err := a.configuration()
	if err != nil {
		return err
	}
	if _, err := render.Choose(nil, o.where, "", o.sort, a.now()); err != nil {
		return err // before anything is read
	}
	finder, err := sessionFinder(a)
	if err != nil {
		return err
	}
	var found []past.Row
	failed := 0
	for row, err := range finder.All(ctx, where) {
		if err != nil {
			a.Warn("%v", err)
			failed++
			continue
		}
		if row.BadLines > 0 {
			a.Warn("%s: %s skipped; the first: %v", a.short(row.Path), term.Plural(row.BadLines, "bad line"), row.FirstBad.Err)
		}
		found = append(found, row)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	list, err := render.Choose(found, o.where, c.Canonical(o.project), o.sort, a.now())
	if err != nil {
		return err
	}
	if list.Where = render.Places(where, a.short); o.limit > 0 {
		list.Rows = list.Rows[:min(o.limit, len(list.Rows))]
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
func catalog(a *app) (extractor.Catalog, error) {
	marks, err := a.marks()
	if err != nil {
		return extractor.Catalog{}, err
	}
	c, err := a.configuration()
	return extractor.Catalog{Marks: marks, Project: a.project, Excluded: a.exclusion(c), Role: c.Role.Value}, err
}

// sessionFinder finds sessions with what was done in them.
func sessionFinder(a *app) (sessions.Finder, error) {
	known, err := catalog(a)
	if err != nil {
		return sessions.Finder{}, err
	}
	o, err := a.past()
	if err != nil {
		return sessions.Finder{}, err
	}
	kept, err := past.Open(a.places.State)
	if err != nil {
		a.Warn("%v; all sessions are read", err)
	}
	return sessions.Finder{Catalog: known, Kept: kept, Past: o}, nil
}

// past says what may be read of past sessions.
func (a *app) past() (past.Options, error) {
	c, err := a.configuration()
	if err != nil {
		return past.Options{}, err
	}
	ps, err := a.pauses()
	if err != nil {
		return past.Options{}, err
	}
	a.project(a.cwd) // make the finder before several goroutines ask for it
	return past.Options{Project: a.project, Excluded: a.exclusion(c).Func(), Paused: ps.Holds, Redact: redact.New().Redact}, nil
}
