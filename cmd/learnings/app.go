package main

import (
	"sync/atomic"
	"time"

	"learnings/cmd/internal/sample"
	"learnings/cmd/internal/settings"
	"learnings/cmd/internal/term"
	"learnings/extractor"
	"learnings/extractor/intake"
	"learnings/extractor/transcript"
	"learnings/index/curate"
	"learnings/lessons/store"
)

// An app is what the verbs share. It opens nothing before it is asked to.
type app struct {
	env
	*term.Console
	dir    string // --dir
	sample bool   // --sample

	places   *settings.Places
	config   *settings.Config
	store    *store.Store
	library  *curate.Library
	curation *curate.Corpus
	finder   *transcript.Projects
	excluded *extractor.Exclusion
	run      string // in the ledger of costs

	drawn atomic.Bool // the screen is the desk's: no line is written there

	intake *intake.Intake // of the last extraction that the desk asked for
	tookIn time.Time      // when that was
}

func newApp(e env, out *term.Output) *app {
	return &app{env: e, Console: &term.Console{In: e.stdin, Out: out, Err: e.stderr, Terminals: e.tty, Colour: e.colour()}}
}

// surroundings are the environment as far as places depend on it.
func (e env) surroundings() settings.World {
	return settings.World{Getenv: e.getenv, OS: e.goos, Home: e.home, Dir: e.cwd}
}

// located gives the places of this call.
func (a *app) located() (settings.Places, error) {
	if a.places == nil {
		p, err := settings.FindPlaces(a.surroundings(), a.dir)
		if err == nil && a.sample {
			var dir string
			dir, err = sample.LayOut(a.temp(), a.username())
			p = settings.Below(dir, "sample")
		}
		if err != nil {
			return p, err
		}
		a.places = &p
	}
	return *a.places, nil
}

// configuration reads config.toml.
func (a *app) configuration() (settings.Config, error) {
	if a.config == nil {
		p, err := a.located()
		if err != nil {
			return settings.Config{}, err
		}
		c, err := settings.Load(p.Config)
		if err != nil {
			return c, err
		}
		a.formerly(c)
		c.Heed(a.getenv)
		a.config = &c
	}
	return *a.config, nil
}

// formerly says what the settings say to no effect.
func (a *app) formerly(c settings.Config) {
	for _, f := range c.Former {
		a.Warn("%s", f)
	}
}

// project names the project of a folder, aliases applied.
func (a *app) project(dir string) string {
	if a.finder == nil {
		// A broken configuration is reported by whoever needs more of it.
		c, err := a.configuration()
		if err != nil {
			c.Aliases = nil
		}
		a.finder = transcript.NewProjects(a.home, c.Aliases)
	}
	return a.finder.Project(dir)
}
