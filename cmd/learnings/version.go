package main

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/process"
	"learnings/cmd/internal/term"
	"learnings/extractor/transcript"
)

func newVersion(a *app) *cobra.Command {
	v := a.verb("version", needsNothing, countArgs(0, 0, ""))
	where := v.Bool("places", false, "also where the corpus, its state and the configuration are, and what chose them")
	v.json(a, "as one JSON object")
	return v.Run(func(context.Context, []string) error {
		v := buildVersion()
		out := map[string]string{"version": v.version, "commit": v.commit, "go": runtime.Version(), "system": runtime.GOOS + "/" + runtime.GOARCH}
		var keys []string
		if *where {
			var err error
			if keys, err = places(a, out); err != nil {
				return err
			}
		}
		if a.JSON {
			return term.WriteJSON(a.Out, out)
		}
		a.Say("%s", versionLine())
		for _, k := range keys {
			from := ""
			if s := out[k+"_from"]; s != "" {
				from = "  (" + a.short(s) + ")"
			}
			for line := range strings.Lines(out[k]) {
				fmt.Fprintf(a.Out, "%-14s %s\n", k, a.short(strings.TrimSuffix(line, "\n"))+from)
			}
		}
		return nil
	})
}

// places returns where things are and what chose them; keys are in order.
func places(a *app, out map[string]string) (keys []string, err error) {
	if err := a.configure(); err != nil {
		return nil, err
	}
	who, err := a.me()
	if err != nil {
		return nil, err
	}
	sessions := term.Map(transcript.DefaultPlaces(a.home, a.getenv), func(p transcript.Place) string { return p.Path })
	p, c := a.places, a.conf
	for _, row := range [][3]string{
		{"corpus", p.Corpus, p.By}, {"state", p.State, ""}, {"configuration", p.Config, ""},
		{"name", who, c.Name.Source}, {"role", c.Role.Value, c.Role.Source},
		{"max_inject", fmt.Sprint(c.Learning.MaxInject.Value), c.Learning.MaxInject.Source},
		{"sessions", strings.Join(sessions, "\n"), ""},
	} {
		out[row[0]] = row[1]
		if row[2] != "" {
			out[row[0]+"_from"] = row[2]
		}
		keys = append(keys, row[0])
	}
	return keys, nil
}

// versionLine is the version as --version and `version` print it.
func versionLine() string {
	v := buildVersion()
	return fmt.Sprintf("learnings %s, %s, %s/%s", strings.TrimSpace(v.version+" "+v.commit), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// A release identifies this build.
type release struct{ version, commit string }

// stamped is the version of a release, set by the linker.
var stamped string

func buildVersion() release {
	b := release{version: cmp.Or(stamped, "(unversioned)")}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if v := info.Main.Version; v != "" && v != "(devel)" && stamped == "" {
		b.version = v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) > 12 {
			b.commit = s.Value[:12]
		}
	}
	return b
}

func newIndex(a *app) *cobra.Command {
	v := a.verb("index", needsReading, countArgs(0, 0, ""))
	rebuild := v.Bool("rebuild", false, "make it again from the files")
	return v.Run(func(ctx context.Context, _ []string) error {
		process.Frugal()
		s, x := a.corpus.Store, a.corpus.Index
		if *rebuild {
			n, err := x.Rebuild(ctx, s.Trusting(0, nil))
			if err == nil {
				a.Say("indexed %s again", term.Plural(n, "lesson"))
			}
			return err
		}
		looked, err := s.Look() // a query of the index would wait for it
		if err != nil {
			return err
		}
		n, err := x.Sync(ctx, looked)
		if err != nil {
			return err
		}
		if n > 0 {
			a.Say("took in %s", term.Plural(n, "change"))
		}
		worn, err := x.Mend(ctx, looked)
		switch {
		case err != nil:
			return err
		case worn:
			a.Say("made the index again: many changes had made it slow")
		case n == 0:
			a.Say("the index is up to date")
		}
		return nil
	})
}
