package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"learnings/cmd/internal/hook"
	"learnings/cmd/internal/page"
	"learnings/cmd/internal/port"
	"learnings/cmd/internal/process"
	"learnings/cmd/internal/render"
	"learnings/cmd/internal/settings"
	"learnings/cmd/internal/setup"
	"learnings/cmd/internal/term"
	"learnings/extractor"
	"learnings/extractor/intake"
	"learnings/extractor/model"
	"learnings/extractor/past"
	"learnings/extractor/redact"
	"learnings/extractor/transcript"
	"learnings/index"
	"learnings/index/curate"
	"learnings/index/insights"
	"learnings/lessons"
	"learnings/lessons/exchange"
	"learnings/lessons/exchange/formats"
	"learnings/tui"
	"learnings/tui/desk"
)

// openDesk shows the full screen or, without a terminal, says what to type instead.
func openDesk(ctx context.Context, a *app) error {
	if name := a.agent(); name != "" {
		return term.Hint(fmt.Errorf("%w: %s runs this command, and the review desk is for a person", curate.ErrPerson, name),
			"`learnings search WORDS` and `learnings show` read; `learnings add --pending` proposes")
	}
	if !a.Terminals.In || !a.Terminals.Out || a.getenv("TERM") == "dumb" {
		return term.Hint(term.Usagef("the review desk needs a terminal that can be drawn on, and there is none here"),
			"type `learnings review --plain` to judge line by line, `learnings extract` to take lessons from sessions,\n"+
				"  `learnings show` and `learnings search WORDS` to read, `learnings help --all` for everything")
	}
	// A job that computes keeps its processor for up to 10 ms. Two more let the kernel divide
	// them, so that no key and no frame waits for one.
	runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + 2)
	go tui.Warm()
	a.look = func(string, ...string) error { // scan in this process, which keeps running
		time.AfterFunc(lookPause, func() { _ = curate.LookAside(ctx, &a.corpus.Library) }) // the first query builds the index if this fails
		return nil
	}
	c, err := deskConfig(ctx, a)
	if err != nil {
		return err
	}
	if a.conf.Learning.Enabled.Value {
		// Not before the first frame. If this fails, notices wait for the next worker. The
		// first sessions of a machine are read when the person says so, and those of the
		// project at hand first.
		time.AfterFunc(startUp, func() {
			if marks, err := extractor.OpenLedger(a.places.State); err == nil && !marks.Empty() {
				_ = a.wake()
			}
		})
	}
	fromTeam(ctx, a)
	time.AfterFunc(startUp, process.Lasting)
	a.drawn.Store(true)
	return tui.Run(ctx, c)
}

// deskConfig connects the screens to the corpus.
func deskConfig(ctx context.Context, a *app) (desk.Config, error) {
	if err := a.person("review lessons"); err != nil {
		return desk.Config{}, err
	}
	a.corpus.Index = a.corpus.Index.Held(ctx)
	corpus, conf, where := a.corpus, a.conf, a.transcripts(nil)
	a.shared()
	pauses, err := a.pauses()
	if err != nil {
		return desk.Config{}, err
	}
	finder := sync.OnceValues(func() (*past.Finder, error) { return sessionFinder(a) }) // not before the first frame
	c := desk.Config{
		Corpus: corpus, TrustEdits: conf.TrustEdits.Value, Place: a.short(a.places.Corpus), Terminal: desk.Terminal{Out: a.Out.Raw, Getenv: a.getenv},
		Reading: desk.Reading{
			Sessions: deskSessions(finder, where), Paused: pauses.Holds,
			Where: func(query string) (func(path string) bool, error) {
				f, err := finder()
				if f == nil {
					return nil, err
				}
				return f.Where(query)
			},
			Extract: func(ctx context.Context, paths []string) iter.Seq[desk.Read] {
				return func(yield func(desk.Read) bool) { extractAll(ctx, a, paths, yield) }
			},
		},
	}
	c.Clean, c.Project, c.Suspects = redact.New().Redact, a.project, a.suspects
	c.Views, c.SetView = conf.Views, func(name, query string) error { return settings.Set(conf.Path, "views", name, query) }
	pub := a.publisher()
	if len(conf.Targets()) > 0 {
		c.Published = pub.In
		c.Publish = func(ctx context.Context) error { return deskPublish(ctx, a) }
	}
	askable(&c, a)
	deskCure(a, finder, where, &c)
	deskTree(a, &c)
	c.Guarded = func(l lessons.Lesson) string { return render.GuardOf(guards(a.places.State), l) }
	c.Guard = func(ctx context.Context, l lessons.Lesson) (desk.GuardPlan, error) {
		p, err := render.PlanGuard(ctx, corpus, guards(a.places.State), l, render.GuardWish{}, pastSessions(a, nil))
		return desk.GuardPlan{Guard: p.Guard(), Stops: p.Stops(), Trial: p.Trial.String(), Examples: p.Examples()}, err
	}
	deskPreferences(a, &c)
	if t := conf.Unconfirmed; !t.IsZero() && !a.sample {
		c.Trusts, c.ConfirmTrusts = t.String(), func() error { return a.places.ConfirmTrusts(t) }
	}
	c.Figures = (&insights.Counter{Source: a.figures(corpus.Index), Now: a.now}).Figures
	ahead := a.preview(corpus.Index)
	c.Next = desk.NextConfig{Ahead: ahead.Ahead, Projects: ahead.Projects, Project: a.project(a.cwd), Role: conf.Role.Value, Budget: a.budget(), Agents: func() (all []desk.NextAgent) {
		w := setup.Machine{Getenv: a.getenv, OS: a.goos, Home: a.home}
		here := setup.Find(w)
		for _, name := range setup.Names() {
			x, _ := setup.Get(w, name)
			all = append(all, desk.NextAgent{Name: name, Title: x.Title, Takes: hook.Takes(name), Here: slices.ContainsFunc(here, func(h setup.Agent) bool { return h.Name == name })})
		}
		return all
	}}
	if !a.sample {
		c.Next.Reads = a.opening
	}
	c.Undo = "learnings undo"
	if a.sample {
		c.Undo = "learnings --sample undo"
		c.Place = "sample: " + c.Place
	}
	if a.getenv("VISUAL") != "" || a.getenv("EDITOR") != "" {
		if c.Editor, err = a.EditorCommand(a.getenv, a.goos); err != nil {
			return c, err
		}
	}
	c.Looked = term.Map(where, func(p transcript.Place) string { return a.short(p.Path) })
	if !a.sample {
		c.Exchange = deskExchange(a, pub)
		c.OfferSample = func() (desk.Config, error) {
			b := newApp(a.env, a.Out)
			b.sample = true
			return deskConfig(ctx, b)
		}
	}
	return c, nil
}

// preview predicts what sessions will be given.
func (a *app) preview(x *index.Index) *hook.Preview {
	return &hook.Preview{Index: x, Reread: a.corpus.Store.Reread, Budget: a.budget(), Tree: a.tree, State: a.places.State}
}

// opening returns what a session of an agent reads at its start, besides the lessons that
// it is given. The folder of another project than the present one is unknown.
func (a *app) opening(ctx context.Context, agent, project string, given []lessons.Lesson) formats.Opening {
	dir := ""
	if a.cwd != "" && project == a.project(a.cwd) {
		dir = a.cwd
	}
	return formats.Finder{Home: a.home, Getenv: a.getenv}.Opening(ctx, agent, dir, given)
}

// askable lets the desk ask models.
func askable(c *desk.Config, a *app) {
	c.AtHand = func(ctx context.Context) desk.AtHand {
		at, err := modelsAtHand(ctx, a)
		if err != nil {
			return desk.AtHand{}
		}
		return desk.AtHand{Model: at[0].Model, Answered: a.conf.Answered(), Reads: a.conf.Background() == at[0].Model}
	}
	c.Model = func(ctx context.Context, name string, paths []string) (desk.ModelRun, error) {
		return deskModel(ctx, a, name, paths)
	}
	c.Reword = func(ctx context.Context, l lessons.Lesson) (desk.RewordRun, error) { return deskReword(ctx, a, l) }
}

// deskCure lets the desk propose lessons from recurring mistakes, as `check recurring`
// does.
func deskCure(a *app, finder func() (*past.Finder, error), where transcript.Places, c *desk.Config) {
	c.Cure = func(ctx context.Context, id lessons.ID) (lessons.Lesson, bool, error) {
		f, err := finder()
		if f == nil {
			return lessons.Lesson{}, false, err
		}
		m, err := past.One(ctx, where, f.Options, 2, id)
		if err != nil {
			return lessons.Lesson{}, false, err
		}
		old, err := m.Lesson(ctx, a.corpus.Store.Get, a.corpus.Index)
		if old != nil {
			return *old, true, nil
		} else if err != nil {
			return lessons.Lesson{}, false, err
		}
		l, err := a.corpus.Propose(redact.New().Lesson(m.Proposal(a.conf.Role.Value, a.now())))
		return l, false, err
	}
}

// deskPreferences sets how the desk looks, where that is stored, and its extra actions.
func deskPreferences(a *app, c *desk.Config) {
	conf := a.conf
	c.Theme, c.ASCII, c.Still, c.Sample = conf.Desk.Theme.Value, conf.Desk.Glyphs.Value == "ascii", !conf.Desk.Motion.Value, a.sample
	c.Clipboard, c.NoTitle = conf.Desk.Clipboard.Value, !conf.Desk.Title.Value
	c.Commands = conf.Commands
	c.Keys, c.NoMouse, c.Set = conf.Keys, !conf.Desk.Mouse.Value, func(key, value string) error { return settings.SetDesk(conf.Path, key, value) }
	for _, x := range settings.DeskActions(a.places, a.sample) {
		c.Actions = append(c.Actions, desk.Action(x))
	}
}

// deskExchange returns import and export for the desk.
func deskExchange(a *app, pub *port.Publisher) desk.Exchange {
	d := port.Desk{Publisher: pub, Corpus: a.corpus,
		Take: func(ctx context.Context, s port.Store, wrote *exchange.Ledger, dry bool) (exchange.Report, error) {
			in := intake.New(a.corpus.Store, a.corpus.Index, a.conf.Learning.NotLearned.Value...)
			return in.Import(ctx, s.Name, s.Format, s.Path, wrote, dry)
		}}
	write := func(ctx context.Context, title, file string, ids []lessons.ID) (desk.Preview, error) {
		p := &page.Page{Title: title, Home: a.home, Made: a.now(), Trusted: a.conf.TrustEdits.Value, Only: lessons.SetOf(ids)}
		return p.Preview(ctx, &a.corpus.Library, a.figures(a.corpus.Index), a.absolute(d.At(file)), a.short)
	}
	return desk.Exchange{Import: d.Import, Export: d.Export, Stores: d.Stores, Forms: d.Forms, Chosen: d.Chosen, Copied: d.Copied, Page: write}
}

// deskSessions returns the desk's list of sessions.
func deskSessions(finder func() (*past.Finder, error), where transcript.Places) func(context.Context) iter.Seq2[desk.Session, error] {
	return func(ctx context.Context) iter.Seq2[desk.Session, error] {
		return func(yield func(desk.Session, error) bool) {
			f, err := finder()
			if err != nil && !yield(desk.Session{}, err) || f == nil {
				return
			}
			for row, err := range f.List(ctx, where) {
				var s desk.Session
				if row.Path != "" {
					s, err = deskSession(row, err), nil
				}
				if !yield(s, err) {
					return
				}
			}
		}
	}
}

func deskSession(r past.Row, err error) desk.Session {
	if r.Excluded != "" {
		r.Project += " · excluded"
	}
	ratio, ok := r.ReadsPerEdit()
	if !ok {
		ratio = -1
	}
	problem := ""
	switch {
	case err != nil:
		problem = err.Error()
	case r.BadLines > 0:
		problem = term.Plural(r.BadLines, "bad line")
	}
	return desk.Session{
		Path: r.Path, Agent: string(r.Format), Project: r.Project, ID: r.Session.ID, Prompt: r.Prompt, Start: r.Session.Start, Size: r.Size,
		Human: r.Human, Corrections: r.Corrections, Errors: r.ToolErrors, Ratio: ratio, Taken: r.Lessons, New: r.Fresh, Problem: problem,
	}
}

// deskTree lets the desk show what is out of date.
func deskTree(a *app, c *desk.Config) {
	c.Outdated = func(ctx context.Context, l lessons.Lesson) []lessons.Doubt {
		t := a.tree(l.Scope.Project)
		defer t.Close()
		return outdated(ctx, t, l)
	}
	c.AllOutdated = func(ctx context.Context) ([]lessons.Lesson, error) {
		ds, err := a.doubts(ctx, a.corpus.Index, a.project(a.cwd), 3*time.Second, nil) // quitting waits for this
		return ds.For(lessons.Outdated), err
	}
}

// deskPublish brings the targets up to date. The desk shows the error itself.
func deskPublish(ctx context.Context, a *app) error {
	var errs []error
	for _, pub := range a.publisher().Publish(ctx) {
		if pub.Err != nil {
			errs = append(errs, fmt.Errorf("%s is not up to date: %w", a.short(pub.Path), pub.Err))
		}
		errs = append(errs, left(a, pub))
	}
	return errors.Join(errs...)
}

// extractAll extracts what is new in transcripts, for [desk.Reading].
func extractAll(ctx context.Context, a *app, paths []string, yield func(desk.Read) bool) {
	var files []transcript.File
	for _, path := range paths {
		f, file, err := transcript.Open(path)
		if err == nil {
			files = append(files, file)
			err = f.Close()
		}
		if err != nil && !yield(desk.Read{Path: path, Err: err}) {
			return
		}
	}
	marks, err := extractor.OpenLedger(a.places.State)
	if err != nil {
		yield(desk.Read{Err: err})
		return
	}
	opts, err := extractorOptions(a, nil)
	if err != nil {
		yield(desk.Read{Err: err})
		return
	}
	opts.MinChars = 0 // the person chose these sessions
	for t, err := range a.keptIntake().Run(ctx, files, marks, opts) {
		if err == nil && t.Excluded != "" {
			err = fmt.Errorf("%w: it has %q", errExcluded, t.Excluded)
		}
		if !yield(desk.Read{Path: t.File.Path, Found: plus(desk.Found{}, t), Err: err}) {
			return
		}
	}
}

// plus adds the result of one transcript to found.
func plus(f desk.Found, t intake.Taken) desk.Found {
	return desk.Found{Lessons: f.Lessons + len(t.Stored), Offered: f.Offered + render.Offered(t)}
}

// deskPause is how long the desk keeps an intake that is not used.
const deskPause = 10 * time.Second

// keptIntake returns an intake that is reused from one transcript to the next, so that
// the corpus is not read for each. After deskPause it makes a new one: the person may
// have decided on lessons meanwhile.
func (a *app) keptIntake() *intake.Intake {
	now := a.now()
	if a.intake == nil || now.Sub(a.tookIn) > deskPause {
		a.intake = a.newIntake()
	}
	a.tookIn = now
	return a.intake
}

// deskModel plans asking a model about the sessions at paths, or all. An empty name means
// the first model at hand.
func deskModel(ctx context.Context, a *app, name string, paths []string) (out desk.ModelRun, err error) {
	at, err := modelsAtHand(ctx, a)
	if err != nil {
		return out, err
	}
	m := at[0]
	for _, c := range at {
		out.Names = append(out.Names, c.Model)
		if c.Model == name {
			m = c
		}
	}
	marks, err := extractor.OpenLedger(a.places.State)
	if err != nil {
		return out, err
	}
	// The list of sessions reports unreadable files.
	files, _ := transcript.Choice{Places: a.transcripts(paths), Known: marks.Recall, Bad: func(error) {}}.Files()
	r, err := planRun(ctx, a, m, files)
	if err != nil {
		return out, err
	}
	out.Answered, out.Agree = a.conf.Answered(), func(yes bool) error {
		name := m.Model
		if !yes {
			name = settings.Rules
		}
		err := settings.Agree(a.places.Config, name, settings.DailyCeiling)
		if conf, unread := settings.Load(a.places.Config); err == nil && unread == nil {
			a.conf = conf
		}
		return err
	}
	if m.Costs {
		out.PerDay = fmt.Sprintf("$%.2f", settings.DailyCeiling)
	}
	out.Name, out.Where = m.Model, strings.Trim(m.Where+" · "+m.Note, " ·")
	out.Sessions, out.Calls, out.Tokens, out.Cost, out.Text = r.plan.Sessions, r.plan.Calls, r.plan.Tokens, priceOf(m, r.plan.Cost()), r.plan.Text()
	out.Run = func(ctx context.Context, progress func(desk.Progress)) (desk.Found, error) {
		return r.ask(ctx, a, progress)
	}
	if ceiling := a.conf.Learning.MaxUSDPerRun.Value; m.Costs && ceiling > 0 && r.plan.Cost().Known {
		out.Ceiling = fmt.Sprintf("$%.2f", ceiling)
	}
	return out, nil
}

// ask asks the model and stores its proposals. What a model that reads by itself does not
// answer is read by the rules.
func (r *modelRun) ask(ctx context.Context, a *app, progress func(desk.Progress)) (found desk.Found, err error) {
	r.asker.Agree() // the desk has warned of an unknown cost
	in, opts := a.keptIntake(), r.opts
	opts.Progress = func(p extractor.Progress) {
		progress(desk.Progress{Path: p.Path, File: p.Done, Files: p.Files, Done: p.Read, Total: p.Bytes, Found: desk.Found{Lessons: p.Lessons}})
	}
	var silent error
	var all []lessons.Lesson
	take := func(ctx context.Context, files []transcript.File, o extractor.Options) error {
		for t, err := range in.Run(ctx, files, r.marks, o) {
			if file := (*extractor.FileError)(nil); errors.As(err, &file) {
				if errors.Is(err, extractor.ErrSilent) { // the list of sessions tells the others
					silent = err
				}
				continue
			} else if err != nil {
				return err
			}
			found, all = plus(found, t), append(all, t.Stored...)
		}
		return nil
	}
	err = cmp.Or(r.asker.Extract(ctx, r.files, r.marks, opts, take), silent)
	if err == nil {
		_, _, err = compare(ctx, a, r.asker, all, false)
		lost, _ := r.gaveUp.Load().(error)
		return found, errors.Join(lost, err)
	}
	if err = ceilingHint(err); err == nil || ctx.Err() != nil || a.conf.Background() != r.Model {
		return found, err
	}
	if r.marks, silent = extractor.OpenLedger(a.places.State); silent == nil {
		silent = take(ctx, r.files, opts)
	}
	return found, errors.Join(fmt.Errorf("the rules read the rest: %w", err), silent)
}

// deskReword plans asking the default model to reword a proposal.
func deskReword(ctx context.Context, a *app, l lessons.Lesson) (out desk.RewordRun, err error) {
	at, err := modelsAtHand(ctx, a)
	if err != nil {
		return out, err
	}
	p, err := newAsker(a, a.unasked(at[0].Model, nil))
	if err != nil {
		return out, err
	}
	call, ok := p.PrepareReword(l)
	if !ok {
		return out, errors.New("the proposal is too long to be sent")
	}
	return desk.RewordRun{
		Name: at[0].Model, Cost: priceOf(at[0], call.Estimate), Free: !at[0].Costs, Tokens: model.Tokens(call.Text()), Text: call.Text(),
		Run: func(ctx context.Context) (lessons.Lesson, error) {
			p.Agree() // to the cost shown
			return offerWording(ctx, a, p, l)
		},
	}, nil
}
