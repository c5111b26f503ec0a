package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/cli"
	"learnings/cmd/internal/doctor"
	"learnings/cmd/internal/hook"
	"learnings/cmd/internal/mcpserver"
	"learnings/cmd/internal/process"
	"learnings/cmd/internal/render"
	"learnings/cmd/internal/settings"
	"learnings/cmd/internal/setup"
	"learnings/cmd/internal/term"
	"learnings/extractor/intake"
	"learnings/extractor/live"
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
	prompt := v.String("prompt", "", "print the lines that show what waits in "+strings.Join(hook.Bars, ", ")+"; nothing is written")
	model := v.String("model", "", "let this model (`provider:name`) read your sessions by itself from now on, or rules for none; alone it wires no agent")
	v.json(a, "one JSON object an agent")
	return v.Run(func(ctx context.Context, args []string) error {
		if *prompt != "" {
			text, err := hook.Snippet(*prompt, cmp.Or(process.Installed("learnings-hook", a.getenv("PATH"), a.goos), "learnings-hook"))
			if err != nil || len(args) > 0 {
				return term.Usagef("--prompt %s: %v", *prompt, cmp.Or(err, errors.New("it wires no agent in: leave out "+strings.Join(args, " "))))
			}
			_, err = io.WriteString(a.Out, text)
			return err
		}
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
		o.JSON = a.JSON
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
				Version: versionLine(), Small: c.World.Hook, Off: c.Off, State: p.State, Config: p.Config, Invalid: invalid, Former: conf.Former, Learn: conf.Learning.Enabled.Value,
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
	var broken error
	items, err := render.Guards(kept, func(yield func(lessons.Lesson, error) bool) {
		for _, id := range kept.Of() { // not all lessons: reading them records what was seen
			l, err := s.Get(id)
			if err != nil && !errors.Is(err, lessons.ErrNotFound) {
				broken = fmt.Errorf("the guard of %s does not hold: %w", id, err)
			}
			if !yield(l, err) {
				return
			}
		}
	})
	for _, i := range items {
		if i.Off == "" {
			g.On++
		}
	}
	g.Lost, g.Err = render.LostGuards(kept, items), cmp.Or(err, broken)
	for _, i := range items {
		if i.Gone {
			g.Lost = fmt.Sprintf("the guard of %s does not hold: %s; put the file back, or `learnings guard %s --off` ends it", i.Lesson.ID, i.Off, i.Lesson.ID)
		}
	}
	return g
}

// world returns the World of package hook.
func (e env) world() hook.World {
	w := hook.World{Stdout: e.stdout, Getenv: e.getenv, Home: e.home, Dir: e.cwd, Now: e.now, Start: e.start, Setup: func(c hook.Call) (hook.Setup, error) {
		a := newApp(e, nil) // it prints nothing
		a.dir, a.sample = c.Dir, c.Sample
		if err := a.locate(); err != nil {
			return hook.Setup{}, err
		}
		return a.places.Hooks(), nil
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
	v := a.verb("status", needsPlaces, cli.Args(0, 0, ""))
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
	v := a.verb("pause", needsPlaces, cli.Args(0, 1, ""))
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
	v := a.verb("mcp", needsNothing, cli.Args(0, 1, ""), "{address}", mcpserver.UsualAddress)
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
