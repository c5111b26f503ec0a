package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/term"
	"learnings/lessons"
)

type staleOptions struct {
	project string
	json    bool
}

func newStale(a *app) *cobra.Command {
	var o staleOptions
	cmd := &cobra.Command{
		Use: "stale", Short: "List active lessons to look at again, and why",
		Long: "Stale lists the approved lessons that a person should look at again: doubtful\n" +
			"ones (what came of them speaks against them), stale ones (long not confirmed),\n" +
			"those whose re-review is due (7 days after approval, then 30, 90 and 180 days\n" +
			"after each confirmation), and those that no session was ever given. It changes\n" +
			"nothing: what to type is beside each.",
		Example: "  learnings stale\n  learnings stale --project octofs --json",
		Args:    nargs(0, 0, ""),
		RunE:    func(cmd *cobra.Command, _ []string) error { return stale(cmd.Context(), a, o) },
	}
	cmd.Flags().StringVar(&o.project, "project", "", "of this project only")
	cmd.Flags().BoolVar(&o.json, "json", false, "one JSON object a line")
	return cmd
}

func stale(ctx context.Context, a *app, o staleOptions) error {
	ls, err := active(ctx, a, o.project)
	if err != nil {
		return err
	}
	out := doubts(lessons.LookAgain(ls, a.now()))
	return a.Give(term.List[lessons.Doubted]{Items: out, Page: out.show, Cells: doubtCells, Object: doubtObject}, o.json)
}

// active reads the approved lessons of a project, or of all.
func active(ctx context.Context, a *app, project string) ([]lessons.Lesson, error) {
	c, err := a.configuration()
	if err != nil {
		return nil, err
	}
	var out []lessons.Lesson
	err = a.eachLesson(ctx, func(l lessons.Lesson) {
		if l.Status == lessons.Approved && (project == "" || l.Scope.Project == c.Canonical(project)) {
			out = append(out, l)
		}
	})
	return out, err
}

// remedy is what a person would most likely type.
func remedy(d lessons.Doubted) string {
	verb := "confirm"
	if d.Outlived() {
		verb = "archive"
	}
	return "learnings " + verb + " " + string(d.ID)
}

func says(d lessons.Doubted) string {
	all := make([]string, len(d.Why))
	for i, w := range d.Why {
		all[i] = w.Says
	}
	return strings.Join(all, "; ")
}

type doubts []lessons.Doubted

func (ds doubts) show(p *term.Page) {
	if len(ds) == 0 {
		p.Line("nothing: every active lesson is confirmed and none is doubtful")
		return
	}
	for _, d := range ds {
		p.Strong("%s  %s  %s", d.ID, d.Why[0].Concern, d.Title(max(p.Width-28, 30)))
		p.Text("    ", says(d))
		p.Line("    %s", remedy(d))
	}
	p.Line("**Total:** %s to look at again", term.Plural(len(ds), "lesson"))
	p.Line("confirm: it holds · edit: it holds otherwise · archive: it does not any more")
}

func doubtCells(d lessons.Doubted) []string {
	return []string{string(d.ID), string(d.Why[0].Concern), says(d), remedy(d), d.Content}
}

func doubtObject(d lessons.Doubted) any {
	type doubt struct {
		Concern lessons.Concern `json:"concern"`
		Says    string          `json:"says"`
	}
	type object struct {
		lessons.Record
		Bound  float64 `json:"bound"`
		Doubts []doubt `json:"doubts"`
		Type   string  `json:"type"`
	}
	o := object{Record: d.Record(), Bound: d.Bound, Type: remedy(d)}
	for _, w := range d.Why {
		o.Doubts = append(o.Doubts, doubt(w))
	}
	return o
}
