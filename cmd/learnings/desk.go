package main

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"learnings/cmd/internal/hook"
	"learnings/cmd/internal/page"
	"learnings/cmd/internal/port"
	"learnings/cmd/internal/process"
	"learnings/cmd/internal/render"
	"learnings/cmd/internal/sessions"
	"learnings/cmd/internal/settings"
	"learnings/cmd/internal/setup"
	"learnings/cmd/internal/term"
	"learnings/extractor/intake"
	"learnings/extractor/past"
	"learnings/extractor/redact"
	"learnings/extractor/transcript"
	"learnings/index/curate"
	"learnings/index/insights"
	"learnings/lessons"
	"learnings/lessons/exchange"
	"learnings/lessons/guard"
	"learnings/tui"
	"learnings/tui/desk"
)

// openDesk shows the full screen, or says what to type where there is none.
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
	a.look = func(string, ...string) error { // in this process, which stays
		go func() { _ = curate.LookAside(ctx, a.library) }() // one that fails is made by who needs it
		return nil
	}
	c, err := deskConfig(a)
	if err != nil {
		return err
	}
	if l, err := a.configuration(); err == nil && l.Learning.Enabled.Value {
		// Beside the first frame, not before it. What hooks have missed waits
		// for another time when this fails.
		go func() { _ = a.wake() }()
	}
	fromTeam(a, ctx)
	process.Lasting()
	a.drawn.Store(true)
	return tui.Run(ctx, c)
}

// deskConfig wires the screens.
func deskConfig(a *app) (desk.Config, error) {
	corpus, err := a.decider("review lessons")
	if err != nil {
		return desk.Config{}, err
	}
	where, err := a.transcripts(nil)
	if err != nil {
		return desk.Config{}, err
	}
	conf, err := a.configuration()
	if err != nil {
		return desk.Config{}, err
	}
	ps, err := a.pauses()
	if err != nil {
		return desk.Config{}, err
	}
	finder, err := sessionFinder(a)
	if err != nil {
		return desk.Config{}, err
	}
	board := &sessions.Board{Finder: finder, NotRead: a.notRead(nil), Now: a.now}
	c := desk.Config{
		Paused: ps.Holds,
		Corpus: corpus, TrustEdits: conf.TrustEdits.Value, Place: a.short(a.places.Corpus), Terminal: desk.Terminal{Out: a.Out.Raw, Getenv: a.getenv},
		Sessions: deskSessions(board, where), Where: board.Where,
		Extract: func(ctx context.Context, path string, progress func(int64)) (desk.Found, error) {
			return extractOne(ctx, a, path, progress)
		},
	}
	c.Clean, c.Project = redact.New().Redact, a.project
	c.Views, c.SetView = conf.Views, func(name, query string) error { return settings.Set(conf.Path, "views", name, query) }
	pub, err := a.publisher(conf)
	if err != nil {
		return c, err
	}
	if len(conf.Targets()) > 0 {
		c.Published = pub.In
		c.Publish = func(ctx context.Context) error { return deskPublish(ctx, a, conf) }
	}
	askable(&c, a, where)
	deskCure(a, conf, corpus, where, &c)
	deskTree(a, corpus.Index, &c)
	c.Guarded = func(l lessons.Lesson) string { return render.GuardOf(guard.At(a.places.State), l) }
	c.Guard = func(ctx context.Context, l lessons.Lesson) (desk.GuardPlan, error) {
		p, err := render.PlanGuard(ctx, corpus, guard.At(a.places.State), l, render.GuardWish{}, pastSessions(a, nil))
		return desk.GuardPlan{Guard: p.Guard(), Stops: guard.Say(p.Patterns), Trial: p.Trial.String(), Examples: p.Examples()}, err
	}
	deskPreferences(a, conf, &c)
	from, err := counted(a)
	if err != nil {
		return c, err
	}
	source := page.Source{Library: &corpus.Library, Source: from}
	c.Figures = (&insights.Counter{Source: from, Now: a.now}).Figures
	ahead := &hook.Preview{Index: corpus.Index, Reread: corpus.Store.Reread, Budget: budgetOf(conf), Tree: a.tree, State: a.places.State}
	c.Next = desk.NextConfig{Ahead: ahead.Ahead, Projects: ahead.Projects, Project: a.project(a.cwd), Role: conf.Role.Value, Budget: budgetOf(conf), Agents: func() (all []desk.NextAgent) {
		w := setup.Machine{Getenv: a.getenv, OS: a.goos, Home: a.home}
		here := setup.Find(w)
		for _, name := range setup.Names() {
			x, _ := setup.Get(w, name)
			all = append(all, desk.NextAgent{Name: name, Title: x.Title, Takes: hook.Takes(name), Here: slices.ContainsFunc(here, func(h setup.Agent) bool { return h.Name == name })})
		}
		return all
	}}
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
	for _, p := range where {
		c.Looked = append(c.Looked, a.short(p.Path))
	}
	if !a.sample {
		c.Exchange = deskExchange(corpus, pub, page.Maker{Source: source, Home: a.home, Dir: a.cwd, Trusted: conf.TrustEdits.Value, Short: a.short}, conf.Learning.NotLearned.Value)
		c.OfferSample = func() (desk.Config, error) {
			b := newApp(a.env, a.Out)
			b.sample = true
			return deskConfig(b)
		}
	}
	return c, nil
}

// askable has the desk ask models.
func askable(c *desk.Config, a *app, where transcript.Places) {
	c.AtHand = func(ctx context.Context) string {
		at, err := modelsAtHand(ctx, a)
		if err != nil || len(at) == 0 {
			return ""
		}
		return at[0].Model
	}
	c.Model = func(ctx context.Context, name string, paths []string) (desk.ModelRun, error) {
		return deskModel(ctx, a, where, name, paths)
	}
	c.Reword = func(ctx context.Context, l lessons.Lesson) (desk.RewordRun, error) { return deskReword(ctx, a, l) }
}

// deskCure has the desk propose lessons from mistakes that come back, as `check recurring` does.
func deskCure(a *app, conf settings.Config, corpus *curate.Corpus, where transcript.Places, c *desk.Config) {
	r := redact.New()
	o := past.Options{Project: a.project, Excluded: a.exclusion(conf).Func(), Paused: c.Paused, Redact: r.Redact}
	c.Cure = func(ctx context.Context, id lessons.ID) (lessons.Lesson, bool, error) {
		m, err := past.One(ctx, where, o, 2, id)
		if err != nil {
			return lessons.Lesson{}, false, err
		}
		old, err := m.Lesson(ctx, corpus.Store.Get, corpus.Index)
		if old != nil {
			return *old, true, nil
		} else if err != nil {
			return lessons.Lesson{}, false, err
		}
		l, err := corpus.Propose(r.Lesson(m.Proposal(conf.Role.Value, a.now())))
		return l, false, err
	}
}

// deskPreferences is how the desk looks, where that is kept, and what else it can do.
func deskPreferences(a *app, conf settings.Config, c *desk.Config) {
	c.Theme, c.ASCII, c.Still, c.Sample = conf.Desk.Theme.Value, conf.Desk.Glyphs.Value == "ascii", !conf.Desk.Motion.Value, a.sample
	c.Clipboard, c.NoTitle = conf.Desk.Clipboard.Value, !conf.Desk.Title.Value
	c.Keys, c.NoMouse, c.Set = conf.Keys, !conf.Desk.Mouse.Value, func(key, value string) error { return settings.SetDesk(conf.Path, key, value) }
	for _, x := range settings.DeskActions(*a.places, a.sample) {
		c.Actions = append(c.Actions, desk.Action(x))
	}
}

// deskExchange is import and export as the desk has them.
func deskExchange(corpus *curate.Corpus, pub *port.Publisher, m page.Maker, off []string) desk.Exchange {
	d := port.Desk{Publisher: pub, Corpus: corpus,
		Take: func(ctx context.Context, s port.Source, wrote *exchange.Ledger, dry bool) (exchange.Report, error) {
			in := intake.New(corpus.Store, corpus.Index, off...)
			return in.Import(ctx, s.Name, s.Format, s.Path, wrote, dry)
		}}
	return desk.Exchange{Import: d.Import, Export: d.Export, Stores: d.Stores, Forms: d.Forms, Chosen: d.Chosen, Copied: d.Copied, Page: m.Some}
}

// deskSessions lists sessions as the desk has them.
func deskSessions(b *sessions.Board, where transcript.Places) func(context.Context) iter.Seq2[desk.Session, error] {
	return func(ctx context.Context) iter.Seq2[desk.Session, error] {
		return func(yield func(desk.Session, error) bool) {
			for row, err := range b.List(ctx, where) {
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
	return desk.Session{
		Path: r.Path, Agent: string(r.Format), Project: r.Project, ID: r.Session.ID, Prompt: r.Prompt, Start: r.Session.Start, Size: r.Size,
		Human: r.Human, Corrections: r.Corrections, Errors: r.ToolErrors, Ratio: ratio, Taken: r.Lessons, New: r.Fresh, Problem: sessions.Problem(r, err),
	}
}
