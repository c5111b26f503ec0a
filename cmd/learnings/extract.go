package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/render"
	"learnings/cmd/internal/settings"
	"learnings/cmd/internal/term"
	"learnings/extractor"
	"learnings/extractor/intake"
	"learnings/extractor/model"
	"learnings/extractor/outcome"
	"learnings/extractor/rules"
	"learnings/extractor/transcript"
	"learnings/index/recall"
	"learnings/lessons"
	"learnings/lessons/exchange/memories"
	"learnings/tui/desk"
)

// extractOptions are what `learnings extract` was asked for.
type extractOptions struct {
	what   []string // files, folders or the beginnings of session ids; none is all sessions
	from   []string
	dryRun bool
	anew   bool
	json   bool
	model  modelOptions
	watch  watchOptions
}

func newExtract(a *app) *cobra.Command {
	var o extractOptions
	cmd := &cobra.Command{
		Use: "extract [FILE|DIR|SESSION]…", Short: "Propose lessons from sessions",
		Long: "Extract reads what is new in the named transcripts, or in all of them, and puts\n" +
			"the lessons that it finds there among what waits in Review. It needs no model and no network;\n" +
			"secrets are taken out before anything is stored; what was read is not read again.\n\n" +
			"With --dry-run it prints what the sessions hold, reads named ones whole, compares\n" +
			"with nothing that is known, and writes nothing at all.\n\n" +
			"With --model a language model is asked instead of the rules. It is sent a digest\n" +
			"of each session, of short ones several at a time, without secrets, and believed\n" +
			"only where it quotes the session; names and commands that nobody said are shown.\n" +
			"It reads what no model has read, also where the rules have read it: a better\n" +
			"wording of what they propose is offered there. Nothing is asked or paid for twice.\n\n" +
			"Reviews of pull requests are read as GitHub's API gives them, from a file or, with\n" +
			"--from -, from standard input. What a reviewer says counts as a person's words,\n" +
			"with name and link; what bots and outsiders say does not.\n\n" + watchHelp,
		Example: "  gh api --paginate repos/OWNER/REPO/pulls/12/comments | learnings extract --from -\n  learnings extract\n  learnings extract --dry-run --json ~/.claude/projects > candidates.jsonl\n  learnings extract 0b51d8e2",
		RunE: func(cmd *cobra.Command, args []string) error {
			o.what = args
			if o.watch.on {
				if err := o.watch.check(a.cwd, args); err != nil {
					return err
				}
				o.watch.from, o.watch.json = append(o.from, args...), o.json
				return watch(cmd.Context(), a, o.watch)
			}
			c, err := a.configuration()
			if err != nil {
				return err
			}
			o.model.settle(cmd.Flags().Changed, c.Learning)
			o.model.dry = o.dryRun
			if err := o.model.check(o.dryRun); err != nil {
				return err
			}
			return extract(cmd.Context(), a, o)
		},
	}
	fromFlag(cmd, &o.from)
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "print what would be proposed and write nothing")
	cmd.Flags().BoolVar(&o.anew, "anew", false, "read from the start, also what was read before")
	cmd.Flags().BoolVar(&o.json, "json", false, "one JSON object a line")
	o.watch.register(cmd)
	modelFlags(cmd, &o.model)
	return cmd
}

func extract(ctx context.Context, a *app, o extractOptions) error {
	open := a.marks
	if o.model.name != "" {
		open = a.modelMarks
	}
	marks, err := open()
	if err != nil {
		return err
	}
	done, err := fromInput(a, o.from, o.dryRun)
	if err != nil {
		return err
	}
	defer done()
	files, failed, err := chosenFiles(a, o, marks)
	if err != nil {
		return err
	}
	bar := a.NewBar(a.now)
	defer bar.Clear()
	run := &extraction{a: a, o: o, bar: bar, marks: marks, taken: render.Extraction{Console: a.Console, Short: a.short, Named: len(o.what) > 0, Dry: o.dryRun, Failed: failed}}
	if o.json {
		run.taken.Print = a.objects
	}
	opts, err := extractorOptions(a, func(p extractor.Progress) { showProgress(bar, p, "lesson") })
	if err != nil {
		return err
	}
	if len(o.what) > 0 {
		opts.MinChars = 0 // a session that is named is to be read
	}
	if o.dryRun {
		opts.After = nil
	}
	opts.Anew = o.anew || o.dryRun && len(o.what)+len(o.from) > 0
	var asker *model.Proposer // nil when the rules read
	if o.model.name != "" {
		if o.model.show {
			return showPrompts(ctx, a, o, files, marks, opts)
		}
		if asker, err = agreedAsker(ctx, a, o.model); err != nil {
			return err
		}
		defer tellSpent(a, asker)
	}
	if !o.dryRun {
		if run.intake, err = a.informed(ctx, a.Warn); err != nil {
			return err
		}
		if run.counts, err = counting(a); err != nil {
			return err
		}
	}
	if asker != nil {
		err = ceilingHint(asker.Extract(ctx, files, marks, opts, run.each))
	} else {
		err = run.each(ctx, files, opts)
	}
	if err != nil {
		run.finish(ctx)
		return err
	}
	if err := run.finish(ctx); err != nil || asker != nil {
		return err
	}
	hintModel(ctx, a, o, files)
	return nil
}

// each takes in files, or tries it with --dry-run.
func (r *extraction) each(ctx context.Context, files []transcript.File, opts extractor.Options) error {
	taken := intake.DryRun(ctx, files, r.marks, opts)
	if !r.o.dryRun {
		taken = r.intake.Run(ctx, files, r.marks, opts)
	}
	for t, err := range taken {
		if err := r.report(t, err); err != nil {
			return ceilingHint(err)
		}
	}
	return nil
}

// begun is the progress of a run over files before the first of them is read.
func begun(files []transcript.File) extractor.Progress {
	p := extractor.Progress{Files: len(files)}
	for _, f := range files {
		p.Bytes += f.Size
	}
	return p
}

// showProgress draws how far a run is; what is the thing that it counts.
func showProgress(b *term.Bar, p extractor.Progress, what string) {
	b.Show(p.Read, p.Bytes, fmt.Sprintf("%d of %d sessions, %s", p.Done, p.Files, term.Plural(p.Lessons, what)))
}

// extractorOptions gives the options that hold for every extraction.
func extractorOptions(a *app, progress func(extractor.Progress)) (extractor.Options, error) {
	c, err := a.configuration()
	if err != nil {
		return extractor.Options{}, err
	}
	ps, err := a.pauses()
	if err != nil {
		return extractor.Options{}, err
	}
	a.project(a.cwd) // make the finder before several goroutines ask for it
	l := c.Learning
	proposers := []extractor.Proposer{rules.Rules{MinMessage: 10, Praise: true}}
	finder, err := sessionFinder(a)
	if err != nil {
		return extractor.Options{}, err
	}
	return extractor.Options{
		After: finder.Keep, Proposers: proposers, Project: a.project, Standing: a.standing(), Excluded: a.exclusion(c).Func(), Paused: ps.Holds, Role: c.Role.Value, MinChars: l.MinChars.Value, ScriptsAreMine: l.ScriptsAreMine.Value, Progress: progress,
	}, nil
}

// standing marks what instructions say already. Those of the person have nothing to
// say of the sample.
func (a *app) standing() func(string, lessons.Lesson) lessons.Lesson {
	if a.sample {
		return nil
	}
	return memories.NewInstructions(a.home, a.getenv).Mark
}

// exclusion says of which sessions nothing is read.
func (a *app) exclusion(c settings.Config) extractor.Exclusion {
	if a.excluded == nil {
		x := extractor.NewExclusion(c.Learning.Exclude.Value, a.home, a.project)
		a.excluded = &x
	}
	return *a.excluded
}

// errExcluded is of sessions that learning.exclude leaves out.
var errExcluded = errors.New("excluded by learning.exclude")

// chosenFiles finds the transcripts that the options choose. It warns of what cannot
// be read, and counts it.
func chosenFiles(a *app, o extractOptions, marks *extractor.Ledger) (files []transcript.File, failed int, err error) {
	where, err := a.transcripts(o.from)
	if err != nil {
		return nil, 0, err
	}
	files, missing := transcript.Choice{Places: where, Dir: a.cwd, Words: o.what, Known: marks.Recall, Bad: func(err error) {
		a.Warn("%v", err)
		failed++
	}}.Files()
	if len(missing) > 0 {
		return nil, failed, term.Hint(fmt.Errorf("%w: %s", errSession, strings.Join(missing, ", ")),
			"neither a file nor the id of a session in %s; `learnings sessions` lists them", render.Places(where, a.short))
	}
	return files, failed, nil
}

// An extraction is one run, and what has come of it so far.
type extraction struct {
	a      *app
	o      extractOptions
	bar    *term.Bar
	marks  *extractor.Ledger
	intake *intake.Intake    // nil with --dry-run
	counts *outcome.Reader   // as intake
	given  []transcript.File // sessions that were given lessons
	taken  render.Extraction
}

// informed makes an intake whose index has followed the corpus. Where that fails
// it warns and goes on: something that is known is proposed again, and the
// person sees it beside its duplicate.
func (a *app) informed(ctx context.Context, warn func(format string, args ...any)) (*intake.Intake, error) {
	c, err := a.curated()
	if err != nil {
		return nil, err
	}
	if _, err := c.Sync(ctx); err != nil && ctx.Err() == nil {
		warn("what is known already may be proposed again: %v", err)
	}
	conf, err := a.configuration()
	if err != nil {
		return nil, err
	}
	in := intake.New(c.Store, c.Index, conf.Learning.NotLearned.Value...)
	in.Listener = recall.NewHearing(c.Index, a.places.State)
	return in, nil
}

// report counts what became of one transcript, and lists what it proposes.
func (r *extraction) report(t intake.Taken, err error) error {
	read, err := r.taken.Add(t, err)
	if read && r.counts != nil && (len(t.Given) > 0 || r.counts.Concerns(t.Session.ID)) {
		r.given = append(r.given, t.File)
	}
	return err
}

// finish lets the index follow and says what came of it.
func (r *extraction) finish(ctx context.Context) error {
	r.bar.Clear()
	if !r.o.dryRun {
		if _, err := count(ctx, r.a, r.given, false, nil); err != nil {
			r.a.Warn("%v", err)
		}
		r.a.follow(ctx)
		r.a.resume()
	}
	err := r.taken.Tell()
	if n := r.taken.Excluded; err == nil && r.taken.Named && r.taken.Sessions == 0 && n > 0 {
		return term.Hint(fmt.Errorf("%s %w", term.Plural(n, "session"), errExcluded), "`learnings config --edit` changes what is excluded")
	}
	return err
}

// extractOne extracts what is new in one transcript, for the desk.
func extractOne(ctx context.Context, a *app, path string, progress func(int64)) (found desk.Found, err error) {
	f, file, err := transcript.Open(path)
	if err != nil {
		return found, err
	}
	f.Close()
	marks, err := a.marks()
	if err != nil {
		return found, err
	}
	opts, err := extractorOptions(a, func(p extractor.Progress) { progress(p.Read) })
	if err != nil {
		return found, err
	}
	opts.MinChars = 0 // the person has picked it
	in, err := keptIntake(a)
	if err != nil {
		return found, err
	}
	for t, err := range in.Run(ctx, []transcript.File{file}, marks, opts) {
		if err != nil {
			return found, err
		}
		if t.Excluded != "" {
			return found, fmt.Errorf("%w: it has %q", errExcluded, t.Excluded)
		}
		found = plus(found, t)
	}
	return found, nil
}

// plus adds what came of a transcript to what was found.
func plus(f desk.Found, t intake.Taken) desk.Found {
	return desk.Found{Lessons: f.Lessons + len(t.Stored), Maybe: f.Maybe + render.Maybes(t.Stored), Offered: f.Offered + render.Offered(t)}
}

// deskPause is after what time without an extraction the desk's intake is made anew.
const deskPause = 10 * time.Second

// keptIntake gives an intake that is kept from one transcript to the next: the
// desk reads them one by one, and the corpus need not be read for each. After a
// pause it is made anew, for the person may have decided on much.
func keptIntake(a *app) (*intake.Intake, error) {
	s, x, err := a.both()
	if err != nil {
		return nil, err
	}
	now := a.now()
	if a.intake == nil || now.Sub(a.tookIn) > deskPause {
		conf, err := a.configuration()
		if err != nil {
			return nil, err
		}
		a.intake = intake.New(s, x, conf.Learning.NotLearned.Value...)
		a.intake.Listener = recall.NewHearing(x, a.places.State)
	}
	a.tookIn = now
	return a.intake, nil
}
