package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/page"
	"learnings/cmd/internal/term"
)

func newReport(a *app) *cobra.Command {
	var o page.Options
	cmd := &cobra.Command{
		Use: "report --html FILE", Short: "Write a page for a browser: figures, lessons with search, chosen evidence",
		Long:    page.Help,
		Example: "  learnings report --html lessons.html\n  learnings report --html - --project shopfront --evidence all >shopfront.html",
		Args:    nargs(0, 0, ""),
		RunE:    func(cmd *cobra.Command, _ []string) error { return makeReport(cmd.Context(), a, o) },
	}
	cmd.Flags().StringVar(&o.File, "html", "", "the `FILE`, or - for standard output")
	cmd.Flags().StringVar(&o.Project, "project", "", "of this project only")
	cmd.Flags().StringSliceVar(&o.Evidence, "evidence", []string{"none"}, "the lessons whose evidence is shown: `IDS`, all or none")
	cmd.Flags().StringVar(&o.Title, "title", "learnings", "the title of the page")
	cmd.Flags().BoolVar(&o.Force, "force", false, "replace a file that is no report")
	return cmd
}

func makeReport(ctx context.Context, a *app, o page.Options) error {
	c, err := a.configuration()
	if err != nil {
		return err
	}
	s, err := a.corpus()
	if err != nil {
		return err
	}
	o.Trusted = c.TrustEdits.Value
	if o.Project != "" {
		o.Project = c.Canonical(o.Project)
	}
	p, err := page.New(o, s.Resolve, a.home, a.now())
	if err != nil {
		return term.Hint(term.Usagef("%v", err), "`learnings report --html lessons.html`")
	}
	if err := a.eachLesson(ctx, p.Take); err != nil {
		return err
	}
	if o.File == "-" {
		_, err = p.Write(a.Out)
		return err
	}
	said, err := p.Save(a.absolute(o.File), o.Force)
	if errors.Is(err, page.ErrForeign) {
		return term.Hint(fmt.Errorf("%w", err), "another name, or --force replaces it")
	}
	if err == nil {
		a.Say("wrote %s: %s", a.short(a.absolute(o.File)), said)
	}
	return err
}
