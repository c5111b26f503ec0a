package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/page"
	"learnings/cmd/internal/port"
	"learnings/cmd/internal/process"
	"learnings/cmd/internal/render"
	"learnings/cmd/internal/settings"
	"learnings/cmd/internal/term"
	"learnings/extractor/intake"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/lessons/exchange"
	"learnings/lessons/exchange/formats"
	"learnings/lessons/exchange/mcp"
)

type importOptions struct {
	what, from    string
	dryRun, trust bool
}

func newImport(a *app) *cobra.Command {
	v := a.verb("import", needsCorpus, countArgs(0, 1, ""), "{formats}", formats.Listed())
	var o importOptions
	v.StringVar(&o.from, "from", "", "the format, where it cannot be told or is meant to be another")
	memories := v.Bool("memories", false, "what agents remember of every project, and the instructions here")
	v.BoolVar(&o.dryRun, "dry-run", false, "tell what would come in and write nothing")
	v.BoolVar(&o.trust, "trust", false, "approve what is new")
	v.json(a, "one JSON object for each entry")
	return v.Run(func(ctx context.Context, args []string) error {
		if len(args) > 0 {
			o.what = args[0]
		}
		if *memories {
			o.from = formats.Memories
		}
		return importFrom(ctx, a, o)
	})
}

// world returns the places of other programs' stores, with the memory server of the
// settings.
func (a *app) world() formats.World {
	l := a.conf.Learning
	return formats.World{Home: a.home, Dir: a.cwd, Getenv: a.getenv, Project: a.project, Memory: mcp.Server{
		Command: l.Memory.Command.Value, Dir: a.cwd, URL: l.Memory.URL.Value, Headers: l.Memory.Headers.Value, Getenv: a.getenv,
		Timeout: time.Duration(l.Memory.Timeout.Value) * time.Second,
		Store:   mcp.Tool{Name: l.Store.Name.Value, Fields: l.Store.Fields.Value}, Retrieve: mcp.Tool{Name: l.Retrieve.Name.Value, Fields: l.Retrieve.Fields.Value},
		Forget: l.Memory.Forget.Value,
	}}
}

func importFrom(ctx context.Context, a *app, o importOptions) error {
	process.Frugal()
	if o.what == "" && o.from == "" {
		return term.Hint(term.Usagef("import needs a file, a folder or the name of a format"), "formats: %s", strings.Join(formats.Names(), ", "))
	}
	if o.trust && !o.dryRun {
		if err := a.person("approve what is imported"); err != nil {
			return err
		}
	}
	sources, err := port.Sources(o.what, o.from, a.world())
	if err != nil {
		return err
	}
	if !o.dryRun && !slices.ContainsFunc(sources, func(s port.Store) bool { return s.Name == formats.Team }) {
		fromTeam(ctx, a)
	}
	for _, s := range sources {
		if done, err := restored(ctx, a, o, s); done || err != nil {
			return err
		}
		if err := importOne(ctx, a, o, s); err != nil {
			return err
		}
	}
	return nil
}

// importOne imports from one source and prints the result.
func importOne(ctx context.Context, a *app, o importOptions, s port.Store) error {
	if a.corpus.Agent != "" {
		s.Format = intake.Proposing(s.Format)
	}
	wrote, err := s.Ledger(a.places.Exchanges())
	if err != nil {
		return err
	}
	in := a.informed(ctx, a.Warn)
	report, err := in.Import(ctx, s.Name, s.Format, s.Path, wrote, o.dryRun)
	if err != nil {
		return port.AdvisedReading(err)
	}
	if o.trust {
		report = in.Resumed(report)
	}
	port.WarnUnread(a.Console, report.Unread)
	told := port.Told{Report: report, ByFile: s.Name == formats.Memories}
	came := len(report.New) > 0 && !o.dryRun
	if came {
		a.follow(ctx)
	}
	if told.ByFile {
		told.Against = port.Contradicted(ctx, &a.corpus.Library, report.New)
	}
	if told.Approved, err = released(a, report); err != nil {
		return err
	}
	if o.trust && came {
		b, err := a.corpus.DecideMany(curate.Approve.Because("imported with --trust"), told.Trusted())
		render.WarnLeft(a.Console, b.Left)
		if err != nil {
			return err
		}
		told.Approved = append(told.Approved, b.After...)
		a.follow(ctx)
	}
	if err := a.Give(told); err != nil {
		return err
	}
	if !a.Terminals.Out {
		a.Note("%s", told.Summary())
	}
	return nil
}

// restored fills an empty corpus from a copy with history, if the person trusts it; done
// reports whether it did. Into any other corpus the lessons come as proposals.
func restored(ctx context.Context, a *app, o importOptions, s port.Store) (done bool, err error) {
	if !o.trust || o.dryRun || !exchange.IsCopy(s.Path) {
		return false, nil
	}
	if err = a.corpus.RestoreFrom(s.Path); errors.Is(err, lessons.ErrInvalid) {
		a.Warn("%v: its lessons are taken in as new ones, without their history", err)
		return false, nil
	} else if err != nil {
		return false, err
	}
	a.follow(ctx)
	a.Say("restored the corpus of %s with its history", a.short(s.Path))
	return true, nil
}

// fromTeam imports what is new from the team of the current project. Nobody asked for it,
// so a failure is a warning.
func fromTeam(ctx context.Context, a *app) {
	news, seen := port.TeamNews(a.world(), a.places.Exchanges())
	for _, s := range news {
		report, err := a.informed(ctx, a.Warn).Import(ctx, s.Name, s.Format, s.Path, nil, false)
		if err == nil {
			_, err = released(a, report)
		}
		if err == nil {
			err = seen()
		}
		if err != nil {
			a.Warn("the lessons of the team: %v", err)
			return
		}
		if len(report.New) > 0 {
			a.follow(ctx)
			a.Note("%s", port.Told{Report: report}.Summary())
		}
	}
}

// released accepts the team's approvals by trusted people. In an agent's session it
// accepts none.
func released(a *app, r exchange.Report) ([]lessons.Lesson, error) {
	if r.Format != formats.Team || r.Dry || a.corpus.Agent != "" {
		return nil, nil
	}
	if err := a.person("let what others approved count"); err != nil {
		return nil, err
	}
	return a.corpus.Release(a.keys(), r.New)
}

type exportOptions struct {
	to, dest, status, project string
	dryRun, force             bool
	evidence                  []string
	page                      page.Page
}

func newExport(a *app) *cobra.Command {
	v := a.verb("export", needsCorpus, nil, "{formats}", formats.Listed())
	var o exportOptions
	v.StringVar(&o.to, "to", "", "the format")
	v.StringVar(&o.status, "status", string(lessons.Approved), "only lessons of this status, or all")
	v.StringVar(&o.project, "project", "", "only lessons of this project, and global ones")
	v.StringSliceVar(&o.evidence, "evidence", []string{"none"}, "with --to team or html: with what was said, for everybody to see: all, none or, for html, `IDS`")
	v.StringVar(&o.page.Title, "title", "learnings", "with --to html: the title of the page")
	v.BoolVar(&o.force, "force", false, "with --to html: replace a file that is no page of ours")
	v.BoolVar(&o.page.Pending, "pending", false, "with --to html: with the proposals that wait")
	v.BoolVar(&o.dryRun, "dry-run", false, "show what would change and write nothing")
	v.BoolVar(&a.sure, "yes", false, "write also what looks like a secret, without asking")
	return v.Run(func(ctx context.Context, args []string) error {
		if o.to == formats.Team {
			if err := countArgs(1, -1, idsWanted)(v.Cmd, args); err != nil {
				return err
			}
			return share(ctx, a, args, slices.Contains(o.evidence, "all"), o.dryRun)
		}
		if err := countArgs(0, 1, "")(v.Cmd, args); err != nil {
			return err
		}
		if len(args) > 0 {
			o.dest = args[0]
		}
		o.project = a.conf.Canonical(o.project)
		switch o.to {
		case "":
			return term.Hint(term.Usagef("export needs --to FORMAT"), "formats: html, %s", strings.Join(formats.Names(), ", "))
		case "html":
			return o.makePage(ctx, a)
		}
		return export(ctx, a, o)
	})
}

func export(ctx context.Context, a *app, o exportOptions) error {
	process.Frugal()
	d, err := port.To(o.to, o.dest, a.world())
	if err != nil {
		return err
	}
	if d.Copy {
		return o.copyTo(ctx, a, d)
	}
	if d.Foreign() && !o.dryRun {
		if err := a.person("write to the store of another program"); err != nil {
			return err
		}
	}
	switch {
	case !within(o.status, lessons.Statuses):
		return term.Hint(term.Usagef("there is no status %q", o.status), statusNames)
	case d.Foreign() && o.status != string(lessons.Approved):
		return term.Usagef("%s gives its lessons to agents, and only approved ones may go there", d.Name)
	}
	plan, ls, held, err := a.publisher().Export(ctx, d, o.status, o.project)
	if held > 0 {
		a.Warn("left out: %s that another program wrote and you have not confirmed: `learnings approve --outside`", term.Plural(held, "lesson"))
	}
	if err != nil {
		return port.Advised(err)
	}
	return carryOut(ctx, a, d, plan, ls, o.dryRun)
}

// carryOut applies a plan for lessons, or shows it.
func carryOut(ctx context.Context, a *app, d port.Store, plan *exchange.Plan, ls []lessons.Lesson, dryRun bool) error {
	port.WarnLosses(a.Console, plan, d.Name)
	if dryRun {
		port.Show(a.Console, plan)
		return nil
	}
	if err := a.mayLeave(ctx, ls); err != nil {
		return err
	}
	return d.Write(ctx, a.Console, plan, len(ls))
}

// copyTo copies the corpus with its history.
func (o exportOptions) copyTo(ctx context.Context, a *app, d port.Store) error {
	if o.project != "" || o.status != string(lessons.Approved) || d.Path == "" {
		return term.Hint(term.Usagef("a copy of the corpus is whole, and a folder: leave out --project and --status"), "`learnings export --to learnings DIR`")
	}
	if o.dryRun {
		a.Say("would copy the corpus to %s", a.short(d.Path))
		return nil
	}
	if err := a.anyMayLeave(ctx, func(lessons.Lesson) bool { return true }); err != nil {
		return err
	}
	n, err := a.corpus.CopyTo(ctx, d.Path)
	if err != nil {
		return fmt.Errorf("copying to %s: %w", a.short(d.Path), err)
	}
	a.Say("copied %s with their history to %s", term.Plural(n, "lesson"), a.short(d.Path))
	return nil
}

// share writes lessons into the team folder of the current project.
func share(ctx context.Context, a *app, words []string, evidence, dryRun bool) error {
	if err := a.person("share lessons"); err != nil {
		return err
	}
	ls, err := a.named(words...)
	if err != nil {
		return err
	}
	var ids []lessons.ID
	for _, l := range ls {
		if l.Status != lessons.Approved || l.Outside {
			return term.Hint(fmt.Errorf("%w: %s is not approved by you", lessons.ErrInvalid, l.ID), "`learnings approve %s`, then export it", l.ID)
		}
		ids = append(ids, l.ID)
	}
	d, err := port.Team(a.world(), ids, evidence)
	if err != nil {
		return err
	}
	plan, err := d.Plan(ctx, ls, a.places.Exchanges(), exchange.Target{Now: a.now()})
	if err != nil {
		return port.Advised(err)
	}
	return carryOut(ctx, a, d, plan, ls, dryRun)
}

// makePage writes a report for a browser.
func (o exportOptions) makePage(ctx context.Context, a *app) (err error) {
	if o.dest == "" {
		return term.Hint(term.Usagef("a page needs a file"), "`learnings export --to html lessons.html`, or - for standard output")
	}
	p := &o.page
	p.Project, p.Home, p.Made, p.Trusted = o.project, a.home, a.now(), a.conf.TrustEdits.Value
	if p.Shown, err = page.Evidence(o.evidence, a.corpus.Store.Resolve); err != nil {
		return err
	}
	if err := p.Gather(ctx, &a.corpus.Library, a.figures(a.corpus.Index)); err != nil {
		return err
	}
	if err := a.mayLeave(ctx, p.Lessons); err != nil {
		return err
	}
	if o.dest == "-" {
		_, err = p.Write(a.Out)
		return err
	}
	said, err := p.Save(a.absolute(o.dest), o.force)
	if errors.Is(err, page.ErrForeign) {
		err = term.Hint(err, "another name, or --force replaces it")
	}
	if err == nil {
		a.Say("wrote %s: %s", o.dest, said)
	}
	return err
}

func newPublish(a *app) *cobra.Command {
	v := a.verb("publish", needsCorpus, countArgs(0, 1, ""))
	add := v.String("add", "", "keep DEST in step too, in this format")
	remove := v.String("remove", "", "keep this target in step no more; what is written there stays")
	onlyCheck := v.Bool("check", false, "show what would change and write nothing")
	v.BoolVar(&a.sure, "yes", false, "write also what looks like a secret, without asking")
	return v.Run(func(ctx context.Context, args []string) error {
		dest := strings.Join(args, "")
		switch {
		case dest != "" && *add == "":
			return term.Hint(term.Usagef("publish: what %q is to hold is not said", dest), "`learnings publish --add claude-md %s`", dest)
		case *onlyCheck && *add+*remove != "":
			return term.Hint(term.Usagef("publish: --check writes nothing, and --add and --remove change the settings"), "`learnings export --dry-run` shows what a new target would get")
		case !*onlyCheck:
			if err := a.person("choose what agents are told"); err != nil {
				return err
			}
		}
		if *remove != "" {
			return unpublish(a, *remove)
		}
		if _, err := a.corpus.Sync(ctx); err != nil {
			return a.advised(err)
		}
		if *add != "" {
			if err := addTarget(ctx, a, *add, dest); err != nil {
				return err
			}
		}
		targets := len(a.conf.Targets())
		if targets == 0 {
			return term.Hint(term.Usagef("nothing is published"), "`learnings publish --add claude-md .` keeps CLAUDE.md here in step")
		}
		if *onlyCheck {
			showPlans(ctx, a)
			return nil
		}
		if err := a.anyMayLeave(ctx, func(l lessons.Lesson) bool { return l.Status == lessons.Approved && !l.Outside }); err != nil {
			return err
		}
		done := a.publisher().Publish(ctx)
		if n := tellPublished(a, done); n > 0 {
			return fmt.Errorf("%d of %s not up to date", n, term.Plural(targets, "target"))
		}
		if len(done) == 0 {
			a.Say("%s up to date", term.Plural(targets, "target"))
		}
		return nil
	})
}

// showPlans shows what would change in each target.
func showPlans(ctx context.Context, a *app) {
	for _, pub := range a.publisher().Plans(ctx) {
		if pub.Err != nil {
			a.Warn("%s: %v", a.short(pub.Path), pub.Err)
			continue
		}
		port.WarnLosses(a.Console, pub.Plan, pub.Name)
		if !pub.Empty() {
			port.Show(a.Console, pub.Plan)
		}
		if err := left(a, pub); err != nil {
			a.Warn("%v", err)
		}
	}
}

// unpublish removes a target from the settings.
func unpublish(a *app, name string) error {
	target := a.absolute(name)
	if _, ok := a.conf.Publish[target]; !ok {
		return term.Hint(term.Usagef("%s is not published", name), "published are: %s", lessons.Line(strings.Join(slices.Sorted(maps.Keys(a.conf.Publish)), ", ")))
	}
	return settings.Set(a.conf.Path, "publish", target, "")
}

// addTarget adds a target to the settings, if it can be written.
func addTarget(ctx context.Context, a *app, format, dest string) error {
	d, err := port.To(format, dest, a.world())
	switch {
	case err != nil:
		return err
	case d.Path == "":
		return term.Usagef("publish needs a file or folder")
	case d.Server != nil:
		return term.Hint(term.Usagef("%s is no file", d.Name), "set learning.backend = \"mcp\" with `learnings config --edit`")
	}
	if _, err := a.publisher().Plan(ctx, d, func(lessons.Lesson) bool { return false }); err != nil {
		return port.Advised(err)
	}
	if err := settings.Set(a.conf.Path, "publish", d.Path, d.Name); err != nil {
		return err
	}
	a.conf = settings.Config{}
	return a.configure()
}

// publisher returns the publisher of the configured targets.
func (a *app) publisher() *port.Publisher {
	return &port.Publisher{Targets: a.conf.Targets(), Library: &a.corpus.Library, Project: a.project, World: a.world(), State: a.places.Exchanges(), Now: a.now, Short: a.short, Suspect: a.suspect}
}

// published brings the targets up to date after a decision. The decision stands, so a
// failure is a warning.
func (a *app) published(ctx context.Context) {
	if len(a.conf.Targets()) > 0 && a.corpus.Agent == "" {
		tellPublished(a, a.publisher().Publish(ctx))
	}
}

// tellPublished says which targets were written, and warns of and counts failures.
func tellPublished(a *app, done []port.Publication) (failed int) {
	for _, pub := range done {
		if pub.Err != nil {
			a.Warn("%s is not up to date: %v", a.short(pub.Path), pub.Err)
			failed++
			continue
		}
		if pub.Unheld() {
			port.WarnLosses(a.Console, pub.Plan, pub.Name)
		}
		if err := left(a, pub); err != nil {
			a.Warn("%v", err)
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
