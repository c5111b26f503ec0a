package main

import (
	"context"
	"errors"

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
	if o.File == "" {
		return term.Hint(term.Usagef("report needs --html FILE"), "`learnings report --html lessons.html`, or - for standard output")
	}
	c, err := a.configuration()
	if err != nil {
		return err
	}
	lib, err := a.curated()
	if err != nil {
		return err
	}
	o.Trusted, o.Project = c.TrustEdits.Value, c.Canonical(o.Project)
	p, err := page.New(o, lib.Store.Resolve, a.home, a.now())
	if err != nil {
		return err
	}
	from, err := counted(a)
	if err != nil {
		return err
	}
	if err := p.Gather(ctx, page.Source{Library: &lib.Library, Source: from}); err != nil {
		return err
	}
	if o.File == "-" {
		_, err = p.Write(a.Out)
		return err
	}
	said, err := p.Save(a.absolute(o.File), o.Force)
	if errors.Is(err, page.ErrForeign) {
		err = term.Hint(err, "another name, or --force replaces it")
	}
	if err == nil {
		a.Say("wrote %s: %s", o.File, said)
	}
	return err
}
