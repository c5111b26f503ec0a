package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/page"
	"learnings/cmd/internal/port"
	"learnings/cmd/internal/process"
	"learnings/cmd/internal/term"
	"learnings/lessons"
	"learnings/lessons/exchange"
	"learnings/lessons/exchange/formats"
)

type exportOptions struct {
	to, dest, status, project string
	dryRun                    bool
	page                      page.Options
}

func newExport(a *app) *cobra.Command {
	var o exportOptions
	cmd := &cobra.Command{
		Use: "export --to FORMAT [DEST|ID…]", Short: "Write lessons in the form of another program",
		Long: "Export brings the store of another program up to date with the lessons, or writes\n" +
			"a file for people or scripts; - is standard output. What the form cannot hold is\n" +
			"said for each lesson first. In the store of a program that gives lessons to agents\n" +
			"only approved ones are written, what is there besides stays as it is, and a copy\n" +
			"of each file is kept before it is changed for the first time.\n\n" +
			"With --to team it writes approved lessons, by their ids, into the folder .learnings of\n" +
			"the repository here, a file for each, with who approved it: commit them, and the team\n" +
			"can review them. No path of your machine, no session and nothing of what was said is\n" +
			"in them, unless you say --evidence all.\n\n" +
			"With --to html: " + page.Help + "\n\n" +
			"Formats: html, " + formats.Listed(),
		Example: "  learnings export --to markdown lessons.md --status all\n  learnings export --to json - | jq .",
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.to == formats.Team {
				if err := anyIDs(cmd, args); err != nil {
					return err
				}
				return share(cmd.Context(), a, args, slices.Contains(o.page.Evidence, "all"), o.dryRun)
			}
			if err := nargs(0, 1, "")(cmd, args); err != nil {
				return err
			}
			if len(args) > 0 {
				o.dest = args[0]
			}
			if o.to == "html" {
				o.page.File, o.page.Project = o.dest, o.project
				return makeReport(cmd.Context(), a, o.page)
			}
			return export(cmd.Context(), a, o)
		},
	}
	cmd.Flags().StringVar(&o.to, "to", "", "the format")
	cmd.Flags().StringVar(&o.status, "status", string(lessons.Approved), "only lessons of this status, or all")
	cmd.Flags().StringVar(&o.project, "project", "", "only lessons of this project, and global ones")
	cmd.Flags().StringSliceVar(&o.page.Evidence, "evidence", []string{"none"}, "with --to team or html: with what was said, for everybody to see: all, none or, for html, `IDS`")
	cmd.Flags().StringVar(&o.page.Title, "title", "learnings", "with --to html: the title of the page")
	cmd.Flags().BoolVar(&o.page.Force, "force", false, "with --to html: replace a file that is no page of ours")
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "show what would change and write nothing")
	return cmd
}

func export(ctx context.Context, a *app, o exportOptions) error {
	process.Frugal()
	if o.to == "" {
		return term.Hint(term.Usagef("export needs --to FORMAT"), "formats: %s", strings.Join(formats.Names(), ", "))
	}
	d, err := port.To(o.to, o.dest, a.world())
	if err != nil {
		return err
	}
	if d.Copy {
		return o.copyTo(ctx, a, d)
	}
	if d.Foreign() && !o.dryRun {
		if _, err := a.decider("write to the store of another program"); err != nil {
			return err
		}
	}
	plan, n, err := o.plan(ctx, a, d)
	if err != nil {
		return port.Advised(err)
	}
	port.WarnLosses(a.Console, plan, d.Name)
	if o.dryRun {
		port.Show(a.Console, plan)
		return nil
	}
	return d.Write(ctx, a.Console, plan, n)
}

// plan is what is to be done, and for how many lessons. A file of instructions gets what
// `publish` would write there, unless a project is named.
func (o exportOptions) plan(ctx context.Context, a *app, d port.Destination) (plan *exchange.Plan, n int, err error) {
	ls, err := o.lessons(ctx, a, d)
	if err != nil {
		return nil, 0, err
	}
	c, err := a.curated()
	if err != nil {
		return nil, 0, err
	}
	if !d.Whole || !d.Foreign() || o.project != "" {
		plan, err = d.Plan(ctx, ls, a.places.Exchanges(), exchange.Target{Now: a.now()})
		return plan, len(ls), err
	}
	conf, err := a.configuration()
	if err != nil {
		return nil, 0, err
	}
	p, err := a.publisher(conf)
	if err != nil {
		return nil, 0, err
	}
	if _, err := c.Sync(ctx); err != nil {
		return nil, 0, a.advised(err)
	}
	plan, err = p.Plan(ctx, d)
	return plan, len(ls), err
}

// copyTo makes a copy of the corpus with all that was done to it.
func (o exportOptions) copyTo(ctx context.Context, a *app, d port.Destination) error {
	if o.project != "" || o.status != string(lessons.Approved) || d.Path == "" {
		return term.Hint(term.Usagef("a copy of the corpus is whole, and a folder: leave out --project and --status"), "`learnings export --to learnings DIR`")
	}
	c, err := a.curated()
	if err != nil {
		return err
	}
	if o.dryRun {
		a.Say("would copy the corpus to %s", a.short(d.Path))
		return nil
	}
	n, err := c.CopyTo(ctx, d.Path)
	if err != nil {
		return fmt.Errorf("copying to %s: %w", a.short(d.Path), err)
	}
	a.Say("copied %s with their history to %s", term.Plural(n, "lesson"), a.short(d.Path))
	return nil
}

// lessons are those that are meant, oldest first. What another program may read has
// been approved by a person here.
func (o exportOptions) lessons(ctx context.Context, a *app, d port.Destination) ([]lessons.Lesson, error) {
	if o.status != "all" && !slices.Contains(lessons.Statuses, lessons.Status(o.status)) {
		return nil, term.Hint(term.Usagef("there is no status %q", o.status), "pending, approved, rejected, merged, archived or all")
	}
	if d.Foreign() && o.status != string(lessons.Approved) {
		return nil, term.Usagef("%s gives its lessons to agents, and only approved ones may go there", d.Name)
	}
	c, err := a.configuration()
	if err != nil {
		return nil, err
	}
	project := ""
	if o.project != "" {
		project = c.Canonical(o.project)
	}
	lib, err := a.curated()
	if err != nil {
		return nil, err
	}
	out, held, err := port.Lessons(ctx, &lib.Library, d, o.status, project)
	if held > 0 {
		a.Warn("%d lessons that another program wrote are left out: `learnings approve --outside`", held)
	}
	return out, err
}
