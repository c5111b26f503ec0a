package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/doctor"
	"learnings/cmd/internal/hook"
	"learnings/cmd/internal/mcpserver"
	"learnings/cmd/internal/port"
	"learnings/cmd/internal/process"
	"learnings/cmd/internal/render"
	"learnings/cmd/internal/settings"
	"learnings/cmd/internal/setup"
	"learnings/cmd/internal/term"
	"learnings/extractor/intake"
	"learnings/extractor/live"
	"learnings/extractor/redact"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/lessons/gitsync"
	"learnings/lessons/store"
)

// This file wires agents and holds the verbs that they call.

func newSetup(a *app) *cobra.Command {
	v := a.verb("setup", needsPlaces, nil, "{agents}", strings.Join(setup.Names(), ", "))
	o, w := setup.Options{Short: a.short, Dir: a.cwd}, setup.Machine{Getenv: a.getenv, OS: a.goos, Home: a.home}
	v.BoolVar(&o.DryRun, "dry-run", false, "show what would change and write nothing")
	v.BoolVar(&o.Yes, "yes", false, "do not ask")
	v.BoolVar(&o.Remove, "remove", false, "take out what setup has written: the files are what they were")
	project := v.Bool("project", false, "write into the settings of the project in the current folder")
	v.BoolVar(&w.Guard, "guard", false, "have Copilot CLI ask before each call of a tool too, for rules that you made enforceable; all others do anyway")
	ask := v.Bool("no-permissions", false, "have agents ask you before they look lessons up or propose")
	v.StringVar(&o.Plugin, "plugin", "", "make a plugin of Claude Code in this folder, with the marketplace that offers it")
	model := v.String("model", "", "let this model (`provider:name`) read your sessions by itself from now on, or rules for none; alone it wires no agent")
	v.json(a, "one JSON object an agent")
	return v.Run(func(ctx context.Context, args []string) error {
		var err error
		w.Pins = settings.Pins(a.settled())
		if !o.DryRun {
			if a.sample {
				return term.Usagef("setup writes into your own agents' settings: leave out --sample, or say --dry-run")
			}
			if err := a.person("wire agents in or out"); err != nil {
				return err
			}
		}
		switch {
		case *model != "" && (o.DryRun || o.Remove):
			return term.Usagef("--model writes the answer into the settings: leave out --dry-run and --remove")
		case *model != "" && len(args) == 0:
			return chooseModel(a, *model)
		}
		if *project {
			w.Project = a.cwd
		}
		if w, err = setup.Here(w, o); err != nil {
			return err
		}
		if *ask {
			w.Permit = setup.Withheld
		}
		if o.Plugin != "" {
			o.Plugin = a.absolute(o.Plugin)
		}
		if !o.DryRun && !o.Remove {
			if err := settings.Remember(a.settled(), true); err != nil {
				return err
			}
		}
		if err := setup.Run(ctx, a.Console, filepath.Dir(a.places.State), w, args, o); err != nil || o.DryRun || o.Remove || o.Plugin != "" {
			return err
		}
		if *model != "" {
			return chooseModel(a, *model)
		}
		return offerModel(ctx, a)
	})
}

// machine describes this machine to package setup, with no options set.
func (a *app) machine() setup.Machine {
	path := a.getenv("PATH")
	return setup.Machine{Getenv: a.getenv, OS: a.goos, Home: a.home, Hook: process.Installed("learnings-hook", path, a.goos), Program: process.Installed("learnings", path, a.goos), Permit: setup.AsItIs, Pins: settings.Pins(a.settled())}
}

func newDoctor(a *app) *cobra.Command {
	v := a.verb("doctor", needsPlaces, nil)
	deep := v.Bool("deep", false, "read every lesson, every session and the whole journal")
	online := v.Bool("online", false, "ask the server of the chosen model, too")
	v.json(a, "one JSON object a line, for each thing that was looked at")
	return v.Run(func(ctx context.Context, names []string) error {
		p, path := a.places, a.getenv("PATH")
		c := doctor.Agents{Dir: a.cwd, Corpus: p.Corpus, Log: p.HookLog(), Off: hook.Off(a.getenv), Sample: a.sample, Deep: *deep, Now: a.now(), Short: a.short}
		c.World, c.Guards = a.machine(), sync.OnceValue(func() doctor.Guarded { return guardsOf(p) })
		questions, err := c.Questions(names)
		if err != nil {
			return err
		}
		if len(names) == 0 {
			conf, invalid := p.Peek()
			m := doctor.Program{
				Version: versionLine(), Small: c.World.Hook, Off: c.Off, State: p.State, Config: p.Config, Invalid: invalid, Former: conf.Former, Moved: settings.Elsewhere(a.settled()), Learn: conf.Learning.Enabled.Value,
				Given: conf.Learning.MaxInject.Value, Ceiling: conf.Learning.MaxUSDPerMonth.Value, LookPath: exec.LookPath, Online: *online, Now: c.Now, Short: a.short,
			}
			if m.Trusts, m.Trusted = conf.Trusts().String(), true; !conf.Unconfirmed.IsZero() {
				m.Trusts, m.Trusted = conf.Unconfirmed.String(), false
			}
			m.Model, m.NoModel = conf.Chosen(a.getenv)
			inCorpus := doctor.Corpus{TrustEdits: conf.TrustEdits.Value, Dir: settings.RealPath(p.Corpus), State: p.State, Index: p.Index(), By: p.By, Git: process.Find("git", path, a.goos), Env: gitsync.Environment(a.getenv), Deep: *deep, Short: a.short}
			questions = slices.Concat(m.Questions(), inCorpus.Questions(), questions)
		}
		found := doctor.Examine(ctx, doctor.Patience, questions)
		return cmp.Or(ctx.Err(), a.Give(found), found.Err())
	})
}

// guardsOf returns what the doctor needs to know of a corpus's guards.
func guardsOf(p settings.Places) (g doctor.Guarded) {
	s, err := store.Open(p.Corpus, store.Options{State: p.State})
	if err != nil {
		return g // the checks of the corpus report it
	}
	kept := guards(p.State)
	items, err := render.Guards(kept, func(yield func(lessons.Lesson, error) bool) {
		for _, id := range kept.Of() { // not all lessons: reading them records what was seen
			l, err := s.Get(id)
			if err != nil && !errors.Is(err, lessons.ErrNotFound) {
				g.Err = fmt.Errorf("the guard of %s does not hold: %w", id, err)
			}
			if !yield(l, err) {
				return
			}
		}
	})
	g.Lost, g.Err = render.LostGuards(kept, items), cmp.Or(err, g.Err)
	for _, i := range items {
		if i.Off == "" {
			g.On++
		}
		if i.Gone {
			g.Lost = fmt.Sprintf("the guard of %s does not hold: %s; put the file back, or `learnings guard %s --off` ends it", i.Lesson.ID, i.Off, i.Lesson.ID)
		}
	}
	return g
}

// world returns the World of package hook.
func (e env) world() hook.World {
	w := hook.World{Stdout: e.stdout, Getenv: e.getenv, Dir: e.cwd, Now: e.now, Start: e.start, Setup: func(c hook.Call) (hook.Setup, error) {
		a := newApp(e, nil) // it prints nothing
		a.dir, a.sample = c.Dir, c.Sample
		if err := a.locate(); err != nil {
			return hook.Setup{}, err
		}
		return a.places.Hooks(a.home), nil
	}}
	if !e.tty.In {
		w.Stdin = e.stdin
	}
	return w
}

// newHook returns the verb hook, for help.
func newHook(a *app) *cobra.Command {
	v := a.verb("hook", needsNothing, nil, "{events}", strings.TrimSpace(hook.Help))
	return v.Run(func(context.Context, []string) error { return v.Cmd.Help() })
}

// wake starts a background worker for the corpus unless one runs.
func (a *app) wake() error {
	if err := a.locate(); err != nil || a.sample {
		return err
	}
	return hook.Wake(a.start, a.places.State, a.places.Corpus)
}

func newStatus(a *app) *cobra.Command {
	v := a.verb("status", needsPlaces, countArgs(0, 0, ""))
	var f hook.StatusForm
	v.BoolVar(&f.Short, "short", false, "in one line")
	v.BoolVar(&f.JSON, "json", false, "one JSON object")
	return v.Run(func(ctx context.Context, _ []string) error {
		s, err := hook.StatusOf(ctx, a.places.Index(), a.places.State, a.now())
		if err != nil {
			return err
		}
		return s.Write(a.Out, f)
	})
}

func newPause(a *app) *cobra.Command {
	v := a.verb("pause", needsPlaces, countArgs(0, 1, ""))
	end := v.Bool("end", false, "end the pause: what is said from now on is read again")
	tell := v.Bool("status", false, "say whether it is paused, and until when")
	v.json(a, "one JSON object")
	return v.Run(func(_ context.Context, args []string) error {
		var err error
		switch {
		case (*tell || *end) && len(args) > 0:
			err = term.Usagef("--status and --end take no time; leave out %q", args[0])
		case *end:
			// Nothing said in the pause is read.
			if err = a.person("end a pause"); err == nil {
				err = live.EndPause(a.places.State, a.now())
			}
		case !*tell:
			err = beginPause(a, args)
		}
		if err != nil {
			return err
		}
		l, err := listening(a)
		if err != nil {
			return err
		}
		return a.Give(l)
	})
}

// beginPause starts a pause, or moves the end of the current one. An agent may start a
// pause but not end it.
func beginPause(a *app, args []string) (err error) {
	var until time.Time
	if len(args) > 0 {
		if until, err = term.Until(args[0], a.now()); err != nil {
			return err
		}
	}
	ps, err := a.pauses()
	if err != nil {
		return err
	}
	if ps.Holds(a.now()) {
		if err := a.person("change a pause"); err != nil {
			return err
		}
	}
	return live.BeginPause(a.places.State, a.now(), until)
}

// listening returns the state of the pause.
func listening(a *app) (render.Listening, error) {
	ps, err := a.pauses()
	p, ok := ps.At(a.now())
	return render.Listening{Paused: ok, Pause: p}, err
}

func newMCP(a *app) *cobra.Command {
	v := a.verb("mcp", needsNothing, countArgs(0, 1, ""), "{address}", mcpserver.UsualAddress)
	web := v.Bool("http", false, "answer over HTTP on this machine")
	return v.Run(func(ctx context.Context, args []string) error {
		process.Frugal()
		a.look = nil // it lives long enough to scan by itself
		if err := a.open(); err != nil {
			return err
		}
		s := mcpserver.New(mcpserver.Config{
			Library: &a.corpus.Library, Project: a.project(a.cwd), Role: a.conf.Role.Value, Session: curate.AgentSession(a.getenv), Agent: a.agent(), Tree: a.tree,
			Budget: a.budget(), TrustEdits: a.conf.TrustEdits.Value, Version: buildVersion().version,
			// Read again for each call: the person may change the settings meanwhile.
			Sessions: func() (intake.Sessions, error) {
				now := &app{env: a.env, Console: a.Console, places: a.places, sample: a.sample}
				if err := now.configure(); err != nil {
					return intake.Sessions{}, err
				}
				o, err := extractorOptions(now, nil)
				return intake.Sessions{Places: now.transcripts(nil), Options: o, Dir: a.cwd, Now: a.now}, err
			},
		})
		if *web || len(args) > 0 {
			return s.Listen(ctx, append(args, mcpserver.UsualAddress)[0], a.places.State, a.stdout)
		}
		return s.Serve(ctx, a.stdin, a.stdout)
	})
}

// mayLeave asks a person about lessons that are about to leave this machine and hold words
// that look like secrets. It asks once: a yes counts for these words of the lesson. Without
// a terminal or a yes nothing may leave, unless --yes was given.
func (a *app) mayLeave(ctx context.Context, ls []lessons.Lesson) error {
	lines, let := a.suspects(ls)
	if len(lines) == 0 {
		return nil
	}
	if !a.sure && !a.Interactive() {
		return term.Hint(fmt.Errorf("%w: %s with words that look like secrets would leave this machine, and there is no terminal to ask on\n%s",
			curate.ErrPerson, term.Plural(len(lines), "lesson"), strings.Join(lines, "\n")), "`learnings edit ID` takes a word out; if none is a secret, say so in a terminal or by --yes")
	}
	if !a.sure {
		for _, line := range lines {
			a.Warn("looks like a secret: %s", line)
		}
		yes, err := a.Confirm(ctx, "Let "+term.Plural(len(lines), "lesson")+" with such words leave this machine? It is asked once.")
		if err != nil {
			return err
		}
		if !yes {
			return term.Hint(fmt.Errorf("%w: nothing was sent", curate.ErrPerson), "`learnings edit ID` takes a word out")
		}
	}
	return let()
}

// suspects describes the lessons that hold words that look like secrets, a line each, unless
// a person has let them leave; let records that a person does.
func (a *app) suspects(ls []lessons.Lesson) (lines []string, let func() error) {
	clean, found := redact.New(), map[lessons.ID][]string{}
	for _, l := range ls {
		words := clean.SuspectsIn(l)
		if len(words) == 0 || a.places.DB().Vouched(leaves(l.ID), words) {
			continue
		}
		found[l.ID] = words
		line := string(l.ID) + " "
		for _, w := range words {
			line += " " + redact.Veiled(w)
		}
		lines = append(lines, line)
	}
	return lines, func() error {
		for id, words := range found {
			if err := a.places.DB().Vouch(leaves(id), words); err != nil {
				return err
			}
		}
		return nil
	}
}

// suspect is suspects for one lesson.
func (a *app) suspect(l lessons.Lesson) string {
	lines, _ := a.suspects([]lessons.Lesson{l})
	return strings.Join(lines, "")
}

// left says which lessons an update left out because nobody was asked; nil if none.
func left(a *app, pub port.Publication) error {
	if len(pub.Left) == 0 {
		return nil
	}
	return fmt.Errorf("left out of %s: %s looks like a secret (`learnings publish` asks)", a.short(pub.Path), strings.Join(pub.Left, "; "))
}

// anyMayLeave asks about those lessons of the corpus that are to leave.
func (a *app) anyMayLeave(ctx context.Context, leaving func(lessons.Lesson) bool) error {
	var ls []lessons.Lesson
	err := a.corpus.Each(ctx, func(l lessons.Lesson) {
		if leaving(l) {
			ls = append(ls, l)
		}
	})
	if err != nil {
		return err
	}
	return a.mayLeave(ctx, ls)
}

// leaves is under which name the words of a lesson that may leave the machine are kept.
func leaves(id lessons.ID) string { return "leaves-" + string(id) }
