package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/render"
	"learnings/cmd/internal/term"
	"learnings/lessons"
)

// logOptions are what `learnings history` was asked for.
type logOptions struct {
	most    int // writes
	since   string
	by, op  string
	project string
	json    bool
}

func newHistory(a *app) *cobra.Command {
	var o logOptions
	cmd := &cobra.Command{
		Use: "history [ID]", Short: "Show what was done to the corpus, or what became of a lesson",
		Long: "With an id history lists the changes of that lesson, oldest first, edits by hand\n" +
			"included; `learnings edit ID --restore N` brings back the text of version N.\n\n" +
			"Without one it prints the journal of this machine, newest first: one row for each step, which\n" +
			"is what one `learnings undo` undoes, whoever took it and however many lessons\n" +
			"it was about. Edits by hand and what another program wrote are in it. In a pipe\n" +
			"and as JSON each lesson of a step has a line of its own.",
		Example: "  learnings history k7m2p9qx\n  learnings history --since 2d --op reject\n  learnings history --json -n 0 | jq 'select(.by==\"hook\")'",
		Args:    nargs(0, 1, ""),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return history(a, args[0], o.json)
			}
			return showLog(a, o)
		},
	}
	cmd.Flags().IntVarP(&o.most, "limit", "n", 30, "at most so many steps; 0 for all")
	cmd.Flags().StringVar(&o.since, "since", "", "only since a day (2026-11-20), a moment, or for so long (36h, 7d)")
	cmd.Flags().StringVar(&o.by, "by", "", "only what one person or program did")
	cmd.Flags().StringVar(&o.op, "op", "", "only one kind of step, such as approve, reject, edit, merge, propose, undo")
	cmd.Flags().StringVar(&o.project, "project", "", "only lessons of one project")
	cmd.Flags().BoolVar(&o.json, "json", false, "one JSON object a line")
	return cmd
}

func showLog(a *app, o logOptions) error {
	if o.op != "" && !slices.Contains(lessons.Ops, lessons.Op(o.op)) {
		return term.Hint(term.Usagef("there is no kind of step %q", o.op), "%s", strings.Join(texts(lessons.Ops), ", "))
	}
	after, err := term.Since(o.since, a.now())
	if err != nil {
		return err
	}
	c, err := a.curated()
	if err != nil {
		return err
	}
	steps, err := c.Steps(o.most, func(ch lessons.Change) bool { return !ch.At.Before(after) && o.wants(ch) })
	if err != nil {
		return err
	}
	for _, path := range c.Store.Aside() {
		a.Warn("a journal could not be read and was put aside as %s; what was done before that is not listed", a.short(path))
	}
	return a.Give(render.Journal(steps), o.json)
}

func (o logOptions) wants(c lessons.Change) bool {
	l := c.Subject()
	return (o.by == "" || o.by == c.By) && (o.op == "" || o.op == string(c.Op)) && (o.project == "" || o.project == l.Scope.Project)
}

func history(a *app, word string, asJSON bool) error {
	c, err := a.curated()
	if err != nil {
		return err
	}
	_, changes, err := c.History(word)
	if err != nil {
		return err
	}
	return a.Give(render.Chronicle(changes), asJSON)
}
