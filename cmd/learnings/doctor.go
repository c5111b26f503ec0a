package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"sync"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/answer"
	"learnings/cmd/internal/doctor"
	"learnings/cmd/internal/process"
	"learnings/cmd/internal/render"
	"learnings/cmd/internal/settings"
	"learnings/cmd/internal/setup"
	"learnings/lessons"
	"learnings/lessons/gitsync"
	"learnings/lessons/guard"
	"learnings/lessons/store"
)

// machine is this one as its agents know it, with nothing wanted of them.
func (a *app) machine() setup.Machine {
	path := a.getenv("PATH")
	return setup.Machine{Getenv: a.getenv, OS: a.goos, Home: a.home, Hook: process.Installed("learnings-hook", path, a.goos), Program: process.Installed("learnings", path, a.goos), Permit: setup.AsItIs}
}

type doctorOptions struct{ deep, online, json bool }

func newDoctor(a *app) *cobra.Command {
	var o doctorOptions
	cmd := &cobra.Command{
		Use: "doctor [AGENT]…", Short: "Say whether all works, and what to type where it does not", Long: doctor.Help,
		RunE: func(cmd *cobra.Command, names []string) error { return examine(cmd.Context(), a, names, o) },
	}
	cmd.Flags().BoolVar(&o.deep, "deep", false, "read every lesson, every session and the whole journal")
	cmd.Flags().BoolVar(&o.online, "online", false, "ask the server of the chosen model, too")
	cmd.Flags().BoolVar(&o.json, "json", false, "one JSON object a line, for each thing that was looked at")
	return cmd
}

// examine asks all that there is to ask, and fails where something is wrong.
func examine(ctx context.Context, a *app, names []string, o doctorOptions) error {
	p, err := a.located()
	if err != nil {
		return err
	}
	path, c := a.getenv("PATH"), doctor.Agents{Dir: a.cwd, Corpus: p.Corpus, Log: p.HookLog(), Off: answer.Off(a.getenv), Sample: a.sample, Deep: o.deep, Now: a.now(), Short: a.short}
	c.World = a.machine()
	c.Guards = sync.OnceValue(func() (g doctor.Guarded) {
		s, err := store.Open(p.Corpus, store.Options{State: p.State})
		if err != nil {
			return g // the questions about the corpus say so
		}
		kept := guard.At(p.State)
		var broken error
		items, err := render.Guards(kept, func(yield func(lessons.Lesson, error) bool) {
			for _, id := range kept.Of() { // not all: to read them is to write down what was seen
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
		return g
	})
	questions, err := c.Questions(names)
	if err != nil {
		return err
	}
	if len(names) == 0 {
		conf, invalid := settings.Load(p.Config)
		m := doctor.Program{
			Version: versionLine(), Small: c.World.Hook, Off: c.Off, State: p.State, Config: p.Config, Invalid: invalid, Former: conf.Former, Learn: conf.Learning.Enabled.Value,
			Given: conf.Learning.MaxInject.Value, Ceiling: conf.Learning.MaxUSDPerMonth.Value, Spend: p.Spend(), LookPath: exec.LookPath, Online: o.online, Now: c.Now, Short: a.short,
		}
		m.Model, m.NoModel = conf.Chosen(a.getenv)
		inCorpus := doctor.Corpus{Dir: settings.RealPath(p.Corpus), State: p.State, Index: p.Index(), By: p.By, Git: process.Find("git", path, a.goos), Env: gitsync.Environment(a.getenv), Deep: o.deep, Short: a.short}
		questions = slices.Concat(m.Questions(), inCorpus.Questions(), questions)
	}
	found := doctor.Examine(ctx, doctor.Patience, questions)
	return cmp.Or(ctx.Err(), a.Give(found, o.json), found.Err())
}
