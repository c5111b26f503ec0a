package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/hook"
	"learnings/cmd/internal/process"
	"learnings/cmd/internal/render"
	"learnings/cmd/internal/term"
	"learnings/extractor"
	"learnings/extractor/intake"
	"learnings/extractor/live"
	"learnings/extractor/model"
	"learnings/extractor/past"
	"learnings/extractor/transcript"
	"learnings/index/recall"
	"learnings/lessons"
	"learnings/lessons/exchange/formats"
)

// An extraction is one run of `learnings extract` and its results so far.
type extraction struct {
	a      *app
	what   []string // files, folders or prefixes of session ids; empty for all sessions
	from   []string
	dryRun bool
	anew   bool
	model  *modelOptions

	bar    *term.Bar
	marks  *extractor.Ledger
	intake *intake.Intake      // nil with --dry-run
	counts *past.OutcomeReader // nil with --dry-run
	given  []transcript.File   // sessions that were given lessons
	taken  render.Extraction
	named  bool  // the model, on the command line
	silent error // why the configured model did not answer about some session
}

func newExtract(a *app) *cobra.Command {
	v := a.verb("extract", needsCorpus, nil)
	x := &extraction{a: a, model: v.proposingModel(a)}
	from := v.from()
	v.BoolVar(&x.dryRun, "dry-run", false, "print what would be proposed and write nothing")
	v.BoolVar(&x.anew, "anew", false, "read from the start, also what was read before")
	watching := v.Bool("watch", false, "go on, and propose while sessions happen")
	lasts := v.Duration("for", 0, "with --watch: end after this time (default: at Ctrl+C)")
	interval := v.Duration("interval", 2*time.Second, "")
	v.Hide("interval") // for tests
	v.json(a, "one JSON object a line")
	return v.Run(func(ctx context.Context, args []string) error {
		if *watching {
			return watch(ctx, a, *from, args, *lasts, *interval)
		}
		x.what, x.from, x.model.dry = args, *from, x.dryRun
		if err := x.model.settle(a.conf.Learning); err != nil {
			return err
		}
		return x.run(ctx)
	})
}

func (x *extraction) run(ctx context.Context) error {
	a := x.a
	open := extractor.OpenLedger
	if x.model.name != "" {
		open = extractor.OpenModelLedger
	}
	var err error
	if x.marks, err = open(a.places.State); err != nil {
		return err
	}
	done, err := fromInput(a, x.from, x.dryRun)
	if err != nil {
		return err
	}
	defer done()
	files, failed, err := chosenFiles(a, x.from, x.what, x.marks)
	if err != nil {
		return err
	}
	if len(x.what) == 0 {
		for _, err := range a.unread(transcript.NotRead(a.transcripts(x.from), x.marks.Recall)) {
			a.Note("%v", err)
		}
	}
	x.bar = a.NewBar(a.now)
	defer x.bar.Clear()
	x.taken = render.Extraction{Console: a.Console, Short: a.short, Named: len(x.what) > 0, Dry: x.dryRun, Failed: failed}
	opts, err := extractorOptions(a, func(p extractor.Progress) { showProgress(x.bar, p, "lesson") })
	if err != nil {
		return err
	}
	if len(x.what) > 0 {
		opts.MinChars = 0 // read a named session even if it is short
	}
	if x.dryRun {
		opts.After = nil
	}
	opts.Anew = x.anew || x.dryRun && len(x.what)+len(x.from) > 0 && x.model.name == "" // a model would be paid twice
	if x.model.show {
		return showPrompts(ctx, a, x.model, files, x.marks, opts)
	}
	if !x.dryRun {
		x.intake = a.informed(ctx, a.Warn)
		if x.counts, err = counting(a); err != nil {
			return err
		}
	}
	if x.model.name == "" {
		if err := errors.Join(x.each(ctx, files, opts), x.finish(ctx)); err != nil || x.dryRun {
			return err
		}
		words := ""
		for _, f := range x.from {
			words += " --from " + f
		}
		hintModel(ctx, a, strings.Join(append([]string{words}, x.what...), " "), files)
		return nil
	}
	asker, err := agreedAsker(ctx, a, x.model)
	if err != nil {
		return err
	}
	defer tellSpent(a, asker)
	x.named = x.model.flags.Changed("model")
	if err := asker.Extract(ctx, files, x.marks, opts, x.each); err != nil && (x.named || ctx.Err() != nil) {
		_ = x.finish(ctx)
		return ceilingHint(err)
	} else if err = cmp.Or(err, x.silent); err != nil {
		if err := x.instead(ctx, files, opts, err); err != nil {
			return err
		}
	} else {
		x.compare(ctx, asker)
	}
	return x.finish(ctx)
}

// compare has the model compare what was found with what waits.
func (x *extraction) compare(ctx context.Context, asker *model.Proposer) {
	found, advised, err := compare(ctx, x.a, asker, x.taken.Found, x.dryRun)
	x.bar.Clear()
	x.taken.Found = found
	for _, l := range advised {
		x.a.Note("%s  %s", l.ID, lessons.Line(l.Origin.Advice))
	}
	if err != nil {
		x.a.Warn("%v", err)
	}
}

// instead has the rules read what the model was not asked about or did not answer, and
// says why. The next run asks the model.
func (x *extraction) instead(ctx context.Context, files []transcript.File, opts extractor.Options, why error) (err error) {
	term.Report(x.a.Err, ceilingHint(why))
	x.a.Note("the rules read what %s has not; the next `learnings extract` asks it", lessons.Line(x.model.name))
	opts.Anew = false // for the model
	if x.marks, err = extractor.OpenLedger(x.a.places.State); err == nil {
		err = x.each(ctx, files, opts)
	}
	return err
}

// each extracts from files, or tries it with --dry-run.
func (x *extraction) each(ctx context.Context, files []transcript.File, opts extractor.Options) error {
	taken := intake.DryRun(ctx, files, x.marks, opts)
	if !x.dryRun {
		taken = x.intake.Run(ctx, files, x.marks, opts)
	}
	for t, err := range taken {
		if errors.Is(err, extractor.ErrSilent) && !x.named {
			x.silent = err
			continue
		}
		read, err := x.taken.Add(t, err)
		if err != nil {
			return err
		}
		if read && x.counts != nil && (len(t.Given) > 0 || x.counts.Concerns(t.Session.ID)) {
			x.given = append(x.given, t.File)
		}
	}
	return nil
}

// errExcluded is the error for a session that learning.exclude leaves out.
var errExcluded = errors.New("excluded by learning.exclude")

// finish brings the index up to date and prints the results.
func (x *extraction) finish(ctx context.Context) error {
	a := x.a
	x.bar.Clear()
	if !x.dryRun {
		if _, err := count(ctx, a, x.given, false, nil); err != nil {
			a.Warn("%v", err)
		}
		a.follow(ctx)
		if a.conf.Learning.Enabled.Value && (live.Spool{State: a.places.State}).Waiting() {
			_ = a.wake() // or the next call does it
		}
	}
	err := x.taken.Tell()
	if n := x.taken.Excluded; err == nil && x.taken.Named && x.taken.Sessions == 0 && n > 0 {
		return term.Hint(fmt.Errorf("%s %w", term.Plural(n, "session"), errExcluded), "`learnings config --edit` changes what is excluded")
	}
	return err
}

// showPrompts prints each call that a model would get, and asks no model.
func showPrompts(ctx context.Context, a *app, m *modelOptions, files []transcript.File, marks *extractor.Ledger, opts extractor.Options) error {
	asker, err := newAsker(a, m)
	if err != nil {
		return err
	}
	var plan model.Plan
	err = asker.Show(ctx, files, marks, opts, func(c model.Call) error {
		fmt.Fprintf(a.Out, "=== %s: about %d tokens of digest, at most %s\n%s\n", lessons.Line(strings.Join(c.Sessions(), " ")), c.Tokens(), c.Estimate, c.Text())
		return plan.Add(c)
	})
	if err != nil {
		return err
	}
	fmt.Fprint(a.Out, model.ComparedText())
	a.Note("%s, at most %s in %s with %s; nobody was asked", term.Plural(plan.Sessions, "session"), plan.Cost(), term.Plural(plan.Calls, "call"), lessons.Line(m.name))
	return nil
}

// fromInput saves a transcript from standard input and replaces "-" among the places by
// its path. The file stays in the state folder because evidence refers to it; done
// removes that of a dry run, which is temporary.
func fromInput(a *app, from []string, dryRun bool) (done func(), err error) {
	done = func() {}
	i := slices.Index(from, "-")
	if i < 0 {
		return done, nil
	}
	if a.Terminals.In {
		return done, term.Hint(term.Usagef("--from - reads standard input, and that is a terminal"), "gh api --paginate repos/OWNER/REPO/pulls/12/comments | learnings extract --from -")
	}
	data, err := io.ReadAll(io.LimitReader(a.In, transcript.MaxDocument+1))
	if err != nil {
		return done, fmt.Errorf("reading standard input: %w", err)
	}
	if len(data) > transcript.MaxDocument {
		return done, fmt.Errorf("standard input holds more than %d MB: save it to a file, and give that", transcript.MaxDocument>>20)
	}
	dir := filepath.Join(a.places.State, "input")
	if dryRun {
		if dir, err = os.MkdirTemp(a.temp(), "learnings-input-"); err != nil {
			return done, fmt.Errorf("making a place for standard input: %w", err)
		}
		done = func() { _ = os.RemoveAll(dir) }
	}
	if from[i], err = transcript.Save(dir, data); err != nil {
		done()
	}
	if errors.Is(err, transcript.ErrNoSession) {
		err = term.Hint(fmt.Errorf("standard input is %w", err),
			"reviews are read as `gh api repos/OWNER/REPO/pulls/12/comments` and …/reviews print them; an empty list has nothing to read")
	}
	return done, err
}

// progress shows how far a run through files has come; what names the unit. Call step
// after each file with what it held, and done in the end.
func (a *app) progress(files []transcript.File, what string) (step func(f transcript.File, n int), done func()) {
	bar, p := a.NewBar(a.now), extractor.Progress{Files: len(files)}
	for _, f := range files {
		p.Bytes += f.Size
	}
	return func(f transcript.File, n int) {
		p.Done, p.Read, p.Lessons = p.Done+1, p.Read+f.Size, p.Lessons+n
		showProgress(bar, p, what)
	}, bar.Clear
}

// showProgress draws the progress of a run; what names the unit.
func showProgress(b *term.Bar, p extractor.Progress, what string) {
	b.Show(p.Read, p.Bytes, fmt.Sprintf("%d of %d sessions, %s", p.Done, p.Files, term.Plural(p.Lessons, what)))
}

// extractorOptions returns the options of every extraction.
func extractorOptions(a *app, progress func(extractor.Progress)) (o extractor.Options, err error) {
	of, err := a.past()
	if err != nil {
		return o, err
	}
	l := a.conf.Learning
	keep := func(ctx context.Context, f transcript.File, o extractor.Options) {
		of := of
		of.Paused = o.Paused // the person may have paused since
		_ = of.Keep(ctx, f)  // listing sessions reads it again
	}
	o = extractor.Options{
		After: keep, Proposers: extractor.ByRules(), Project: a.project,
		Excluded: of.Excluded, Paused: of.Paused, Role: a.conf.Role.Value, MinChars: l.MinChars.Value, ScriptsAreMine: l.ScriptsAreMine.Value, Progress: progress,
	}
	if !a.sample { // the person's instructions do not know the sample
		o.Standing = formats.NewInstructions(a.home, a.getenv).Mark
	}
	return o, nil
}

// chosenFiles finds the transcripts in some places, or everywhere, that match words, or
// all. It warns of unreadable places and counts them.
func chosenFiles(a *app, from, words []string, marks *extractor.Ledger) (files []transcript.File, failed int, err error) {
	where := a.transcripts(from)
	files, missing := transcript.Choice{Places: where, Dir: a.cwd, Words: words, Known: marks.Recall, Bad: func(err error) {
		a.Warn("%v", err)
		failed++
	}}.Files()
	if len(missing) > 0 {
		return nil, failed, term.Hint(fmt.Errorf("%w: %s", errSession, strings.Join(missing, ", ")),
			"neither a file nor the id of a session in %s; `learnings sessions` lists them", render.Places(where, a.short))
	}
	return files, failed, nil
}

// everyTranscript finds all transcripts. It warns of unreadable places and counts them.
func everyTranscript(a *app, from []string) ([]transcript.File, int, error) {
	marks, err := extractor.OpenLedger(a.places.State)
	if err != nil {
		return nil, 0, err
	}
	return chosenFiles(a, from, nil, marks)
}

// newIntake returns an intake for proposals.
func (a *app) newIntake() *intake.Intake {
	c := a.corpus
	in := intake.New(c.Store, c.Index, a.conf.Learning.NotLearned.Value...)
	in.Listener = recall.NewHearing(c.Index, a.places.State)
	return in
}

// informed returns an intake with an up-to-date index. If the update fails it warns and
// goes on: at worst a known lesson is proposed again, and shown beside its duplicate.
func (a *app) informed(ctx context.Context, warn func(format string, args ...any)) *intake.Intake {
	if _, err := a.corpus.Sync(ctx); err != nil && ctx.Err() == nil {
		warn("what is known already may be proposed again: %v", err)
	}
	return a.newIntake()
}

// modelQuiet is how long a session must be idle before a model is asked about it. The
// rules cost nothing and run at once.
const modelQuiet = 10 * time.Minute

// watch extracts while sessions run, from some places or everywhere. A named file or
// folder must exist: a mistyped one would wait for ever.
func watch(ctx context.Context, a *app, from, named []string, lasts, interval time.Duration) error {
	for _, name := range named {
		if _, err := os.Stat(a.absolute(name)); err != nil {
			return term.Hint(term.Usagef("--watch: there is no file or folder %q", name), "`learnings extract --watch` watches all sessions")
		}
	}
	enabled := a.conf.Learning.Enabled
	switch {
	case interval < 100*time.Millisecond:
		return term.Usagef("--interval must be at least 100ms")
	case lasts < 0:
		return term.Usagef("--for must not be negative")
	case !enabled.Value:
		return term.Hint(fmt.Errorf("learning.enabled is false (%s): nothing is proposed unasked", enabled.Source),
			"`learnings extract` proposes when asked; `learnings config --edit` changes the key")
	}
	process.Frugal()
	from = append(from, named...)
	where := a.transcripts(from)
	x, asker, err := newBackground(a, func(string, ...any) {})
	if err != nil {
		return err
	}
	w := &render.Watch{Console: a.Console, Now: a.now, Corpus: a.corpus}
	if len(from) > 0 {
		w.Only = where
	}
	// Do not print proposals that already wait.
	if err = w.Begin(ctx); err != nil {
		return err
	}
	if lasts > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, lasts)
		defer cancel()
	}
	follow := live.Watch{Interval: interval, Seen: w.Print, Trouble: func(err error) { a.Warn("%v", err) }}
	if asker != nil {
		follow.Quiet = modelQuiet
		defer tellSpent(a, asker)
	}
	a.Note("watching %s; Ctrl+C ends", lessons.Line(render.Places(where, a.short)))
	err = x.Worker(where, a.conf.Learning.MinMessages.Value).Follow(ctx, follow)
	err = errors.Join(err, w.Print(context.WithoutCancel(ctx)))
	a.Note("%s came while watching; `learnings` opens the review", term.Plural(w.Printed, "proposal"))
	return err
}

// This file is the background worker. A hook, the desk or an extraction starts it, and it
// ends when nothing is left to do. Its rules are:
//
//   - learning.enabled = false and LEARNINGS_DISABLE=1 switch it off.
//   - It asks a model only with learning.model_in_background, and never more than
//     [intake.ModelRate] times in an hour.
//   - It prints nothing, and only proposes.

// workerLife is the longest that a worker runs; the next hook starts another.
const workerLife = time.Hour

// newBackground returns the background extraction and its model, or a nil model when it
// uses the rules.
func newBackground(a *app, log func(format string, args ...any)) (*intake.Background, *model.Proposer, error) {
	x := &intake.Background{
		State: a.places.State, Stored: a.follow, Pauses: a.pauses, Log: log, Now: a.now,
		Intake: func(ctx context.Context) (*intake.Intake, error) {
			return a.informed(ctx, func(format string, args ...any) { log("error=%s", hook.Quote(fmt.Errorf(format, args...))) }), nil
		},
		Count: func(ctx context.Context, files []transcript.File) error {
			_, err := count(ctx, a, files, false, nil)
			return err
		},
	}
	var err error
	if x.Options, err = extractorOptions(a, nil); err != nil {
		return nil, nil, err
	}
	name := a.conf.Background()
	if name == "" {
		x.Marks, err = extractor.OpenLedger(x.State)
		return x, nil, err
	}
	p, err := newAsker(a, a.unasked(name, func(format string, args ...any) { log("model=%q", fmt.Sprintf(format, args...)) }))
	if err != nil {
		return nil, nil, err
	}
	x.Model = p
	x.Marks, err = extractor.OpenModelLedger(x.State)
	return x, p, err
}

// runWorker runs a worker to its end. SIGTERM ends it at any time.
func runWorker(ctx context.Context, e env, c hook.Call) {
	process.Frugal()
	if hook.Off(e.getenv) {
		return
	}
	ctx, terminated, stop := process.Interruptible(ctx)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, workerLife)
	defer cancel()
	process.Bounded(terminated, grace, func() { liveWorker(ctx, e, c) })
}

func liveWorker(ctx context.Context, e env, c hook.Call) {
	e.stderr, e.look = io.Discard, nil
	a := newApp(e, term.NewOutput(io.Discard, false, func(error) {}))
	a.dir = c.Dir
	if a.locate() != nil {
		return
	}
	start := time.Now()
	log := func(format string, args ...any) {
		hook.Log(a.places.HookLog(), a.now(), "event=worker "+fmt.Sprintf(format, args...))
	}
	x, err := work(ctx, a, log)
	if x != nil && x.Sessions > 0 {
		log("sessions=%d proposed=%d took=%s", x.Sessions, len(x.Found), time.Since(start).Round(time.Millisecond))
	}
	if err != nil {
		log("error=%s", hook.Quote(err))
	}
}

// compareFound has the model compare what a worker has found with what waits.
func compareFound(ctx context.Context, a *app, x *intake.Background, asker *model.Proposer) error {
	if asker == nil || len(x.Found) == 0 {
		return nil
	}
	_, advised, err := compare(ctx, a, asker, x.Found, false)
	if len(advised) > 0 {
		a.follow(ctx)
		x.Log("remarks=%d", len(advised))
	}
	return err
}

func work(ctx context.Context, a *app, log func(format string, args ...any)) (x *intake.Background, err error) {
	if a.conf, err = a.places.Load(); err != nil {
		log("error=%s", hook.Quote(err)) // the settings that could be read still hold
	}
	if !a.conf.Learning.Enabled.Value {
		return nil, nil
	}
	if err := a.open(); err != nil {
		return nil, err
	}
	var asker *model.Proposer
	if x, asker, err = newBackground(a, log); err != nil {
		return nil, err
	}
	err = x.Worker(a.transcripts(nil), a.conf.Learning.MinMessages.Value).Run(ctx)
	return x, errors.Join(err, compareFound(ctx, a, x, asker))
}
