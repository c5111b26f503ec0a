package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/port"
	"learnings/cmd/internal/settings"
	"learnings/cmd/internal/term"
	"learnings/lessons"
)

type publishOptions struct {
	add, remove string
	dest        string
	check       bool
}

func newPublish(a *app) *cobra.Command {
	var o publishOptions
	cmd := &cobra.Command{
		Use: "publish [--add FORMAT] [DEST]", Short: "Keep files that agents read in step",
		Long: "Publish brings the targets that you chose up to date with what is approved; each\n" +
			"decision does so too. A target is a file that agents read as it is, such as\n" +
			"CLAUDE.md, or the store of another program; --add chooses one, and `learnings\n" +
			"export --help` lists the formats. In a file of instructions a block between two\n" +
			"markers is ours, of 4 KB at most; nothing outside of it is touched, and a copy is\n" +
			"kept before the first change. A file in a project holds its lessons, one in your\n" +
			"home folder those that hold in every project.",
		Example: "  learnings publish --add claude-md ~/src/shop\n  learnings publish --check",
		Args:    nargs(0, 1, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				o.dest = args[0]
			}
			return publish(cmd.Context(), a, o)
		},
	}
	cmd.Flags().StringVar(&o.add, "add", "", "keep DEST in step too, in this format")
	cmd.Flags().StringVar(&o.remove, "remove", "", "keep this target in step no more; what is written there stays")
	cmd.Flags().BoolVar(&o.check, "check", false, "show what would change and write nothing")
	return cmd
}

func publish(ctx context.Context, a *app, o publishOptions) error {
	c, err := a.configuration()
	if err != nil {
		return err
	}
	if o.dest != "" && o.add == "" {
		return term.Hint(term.Usagef("publish: what %q is to hold is not said", o.dest), "`learnings publish --add claude-md %s`", o.dest)
	}
	if !o.check {
		if _, err := a.decider("choose what agents are told"); err != nil {
			return err
		}
	}
	if o.add != "" || o.remove != "" {
		if err := o.choose(a, c); err != nil {
			return err
		}
		if a.config = nil; o.remove != "" {
			return nil
		}
		if c, err = a.configuration(); err != nil {
			return err
		}
	}
	if len(c.Targets()) == 0 {
		return term.Hint(term.Usagef("nothing is published"), "`learnings publish --add claude-md .` keeps CLAUDE.md here in step")
	}
	p, err := a.publisher(c)
	if err != nil {
		return err
	}
	if _, err := p.Library.Sync(ctx); err != nil {
		return a.advised(err)
	}
	if !o.check {
		done := p.Publish(ctx)
		if n := told(a, done); n > 0 {
			return fmt.Errorf("%d of %s not up to date", n, term.Plural(len(c.Targets()), "target"))
		}
		if len(done) == 0 {
			a.Say("%s up to date", term.Plural(len(c.Targets()), "target"))
		}
		return nil
	}
	for _, pub := range p.Plans(ctx) {
		if pub.Err != nil {
			a.Warn("%s: %v", a.short(pub.Path), pub.Err)
			continue
		}
		port.WarnLosses(a.Console, pub.Plan, pub.Name)
		if !pub.Empty() {
			port.Show(a.Console, pub.Plan)
		}
	}
	return nil
}

// choose adds a target to the settings, or takes one out.
func (o publishOptions) choose(a *app, c settings.Config) error {
	if o.remove != "" {
		target := a.absolute(o.remove)
		if _, ok := c.Publish[target]; !ok {
			return term.Hint(term.Usagef("%s is not published", o.remove), "published are: %s", lessons.Line(strings.Join(slices.Sorted(maps.Keys(c.Publish)), ", ")))
		}
		return settings.Set(c.Path, "publish", target, "")
	}
	d, err := port.To(o.add, o.dest, a.world())
	if err != nil {
		return err
	}
	if d.Path == "" {
		return term.Usagef("publish needs a file or folder")
	}
	if d.Server != nil {
		return term.Hint(term.Usagef("%s is no file", d.Name), "set learning.backend = \"mcp\" with `learnings config --edit`")
	}
	return settings.Set(c.Path, "publish", d.Path, d.Name)
}

// publisher keeps the targets of the settings in step.
func (a *app) publisher(c settings.Config) (*port.Publisher, error) {
	lib, err := a.curated()
	if err != nil {
		return nil, err
	}
	return &port.Publisher{Targets: c.Targets(), Library: &lib.Library, Project: a.project, World: a.world(), State: a.places.Exchanges(), Now: a.now, Short: a.short}, nil
}

// published brings the targets up to date after a decision. The decision holds
// whatever becomes of them: a failure is a warning.
func (a *app) published(ctx context.Context) {
	c, err := a.configuration()
	if err != nil || len(c.Targets()) == 0 || a.agent() != "" {
		return
	}
	p, err := a.publisher(c)
	if err != nil {
		a.Warn("publishing: %v", err)
		return
	}
	told(a, p.Publish(ctx))
}

// told says which targets were written, and warns of those that could not be, which it
// counts.
func told(a *app, done []port.Publication) (failed int) {
	for _, pub := range done {
		if pub.Err != nil {
			a.Warn("%s is not up to date: %v", a.short(pub.Path), pub.Err)
			failed++
			continue
		}
		if pub.Unheld() {
			port.WarnLosses(a.Console, pub.Plan, pub.Name)
		}
		for _, e := range pub.Edits {
			a.Note("published: %s", lessons.Line(a.short(e.Path)))
		}
		for _, r := range pub.Rows {
			a.Note("published: %s", lessons.Line(r))
		}
	}
	return failed
}

// deskPublish is published for the desk, which says what went wrong in its own place.
func deskPublish(ctx context.Context, a *app, c settings.Config) error {
	p, err := a.publisher(c)
	if err != nil {
		return err
	}
	var errs []error
	for _, pub := range p.Publish(ctx) {
		if pub.Err != nil {
			errs = append(errs, fmt.Errorf("%s is not up to date: %w", a.short(pub.Path), pub.Err))
		}
	}
	return errors.Join(errs...)
}
