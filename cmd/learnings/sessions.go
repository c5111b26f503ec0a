package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/term"
	"learnings/extractor"
	"learnings/extractor/rules"
	"learnings/extractor/transcript"
	"learnings/lessons"
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
	list := sessionList{all: len(found), sessions: found, where: describePlaces(a, where)}
	for _, s := range found {
		if s.Short {
			list.short++
		}
	}
	if o.limit > 0 {
		list.sessions = found[:min(o.limit, len(found))]
	}
	if err := a.Give(term.List[extractor.Session]{Items: list.sessions, Page: list.show, Cells: sessionCells, Object: sessionObject}, o.json); err != nil {
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
	for info, err := range transcript.ScanAll(ctx, where, known.Marks.Recall) {
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

// A sessionList is what was found, newest first.
type sessionList struct {
	sessions []extractor.Session
	all      int
	short    int
	where    string
}

func (s sessionList) show(p *term.Page) {
	if s.all == 0 {
		p.Line("no sessions in %s", s.where)
		p.Line("--from PATH looks elsewhere; `learnings --sample` has some to try")
		return
	}
	rows := make([][]string, 0, len(s.sessions))
	for _, x := range s.sessions {
		mark := ""
		switch {
		case x.Excluded != "":
			mark = "excluded"
		case x.Fresh:
			mark = "new"
		case x.Short:
			mark = "short"
		}
		rows = append(rows, []string{string(x.Format), x.Project, shortID(x.Session.ID), term.Moment(x.Session.Start),
			fmt.Sprint(x.Human), fmt.Sprint(x.ToolErrors), readsPerEdit(x.Work), term.Size(x.Size), fmt.Sprint(x.Lessons), mark})
	}
	p.Table([]string{"Agent", "Project", "Session", "Start", "Person", "Errors", "Reads/edit", "Size", "Lessons", ""}, rows, 1)
	if more := s.all - len(s.sessions); more > 0 {
		p.Line("… and %d more: --limit 0 shows all", more)
	}
	p.Line("**Total:** %s in %s", term.Plural(s.all, "session"), s.where)
	if s.short > 0 {
		p.Line("%s; `learnings extract FILE` reads one", leftShort(s.short))
	}
}

func sessionCells(x extractor.Session) []string {
	return []string{string(x.Format), x.Project, x.Session.ID, term.Stamp(x.Session.Start), fmt.Sprint(x.Human), fmt.Sprint(x.ToolErrors),
		fmt.Sprint(x.Size), fmt.Sprint(x.Lessons), x.Path, readsPerEdit(x.Work)}
}

func sessionObject(x extractor.Session) any {
	type object struct {
		Agent    transcript.Format `json:"agent"`
		Project  string            `json:"project"`
		Role     string            `json:"role"`
		ID       string            `json:"id"`
		Parent   string            `json:"parent,omitempty"`
		Path     string            `json:"path"`
		Start    *time.Time        `json:"start"`
		Person   int               `json:"person"`
		Errors   int               `json:"errors"`
		Refusals int               `json:"refusals"`
		Lines    int               `json:"lines"`
		BadLines int               `json:"bad_lines"`
		Size     int64             `json:"size"`
		Lessons  int               `json:"lessons"`
		New      bool              `json:"new"`
		Short    bool              `json:"short"`
		Excluded string            `json:"excluded,omitempty"` // by which pattern of learning.exclude
		Work     *workObject       `json:"work,omitempty"`     // of what an extraction has read
	}
	o := object{
		x.Format, x.Project, x.Role, x.Session.ID, x.Session.Parent, x.Path, nil, x.Human, x.ToolErrors, x.Refusals,
		x.Lines, x.BadLines, x.Size, x.Lessons, x.Fresh, x.Short, x.Excluded, workOf(x.Work),
	}
	if start := x.Session.Start; !start.IsZero() {
		o.Start = &start
	}
	return o
}

// readsPerEdit is how many files an agent read for each edit; "" when that is not
// known.
func readsPerEdit(w rules.Work) string {
	if ratio, ok := w.ReadsPerEdit(); ok {
		return fmt.Sprintf("%.1f", ratio)
	}
	return ""
}

// A workObject is what an agent did, for programs.
type workObject struct {
	rules.Work
	ReadsPerEdit *float64 `json:"reads_per_edit,omitempty"` // left out when nothing was edited
}

// workOf is nil when nothing is known.
func workOf(w rules.Work) *workObject {
	if w == (rules.Work{}) {
		return nil
	}
	o := &workObject{Work: w}
	if ratio, ok := w.ReadsPerEdit(); ok {
		o.ReadsPerEdit = &ratio
	}
	return o
}

// shortID is enough of a session's id for people to tell it by.
func shortID(id string) string {
	id = lessons.Line(id)
	return id[:min(8, len(id))]
}
