package main

import (
	"context"
	"errors"

	"learnings/cmd/internal/page"
	"learnings/cmd/internal/term"
)

func makeReport(ctx context.Context, a *app, o page.Options) error {
	if o.File == "" {
		return term.Hint(term.Usagef("a page needs a file"), "`learnings export --to html lessons.html`, or - for standard output")
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
