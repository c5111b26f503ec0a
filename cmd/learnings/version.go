package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/term"
	"learnings/extractor/transcript"
)

func newVersion(a *app) *cobra.Command {
	var where, asJSON bool
	cmd := &cobra.Command{
		Use: "version", Short: "Print the version, and where things are",
		Args: nargs(0, 0, ""),
		RunE: func(*cobra.Command, []string) error { return printVersion(a, where, asJSON) },
	}
	cmd.Flags().BoolVar(&where, "places", false, "also where the corpus, its state and the configuration are, and what chose them")
	cmd.Flags().BoolVar(&asJSON, "json", false, "as one JSON object")
	return cmd
}

func printVersion(a *app, where, asJSON bool) error {
	v := buildVersion()
	out := map[string]string{"version": v.version, "commit": v.commit, "go": runtime.Version(), "system": runtime.GOOS + "/" + runtime.GOARCH}
	keys := []string{}
	if where {
		p, err := a.located()
		if err != nil {
			return err
		}
		c, err := a.configuration()
		if err != nil {
			return err
		}
		who, err := a.me()
		if err != nil {
			return err
		}
		for _, row := range [][3]string{
			{"corpus", p.Corpus, p.By}, {"state", p.State, ""}, {"configuration", p.Config, ""},
			{"name", who, c.Name.Source}, {"role", c.Role.Value, c.Role.Source},
			{"max_inject", fmt.Sprint(c.Learning.MaxInject.Value), c.Learning.MaxInject.Source},
		} {
			out[row[0]] = row[1]
			if row[2] != "" {
				out[row[0]+"_from"] = row[2]
			}
			keys = append(keys, row[0])
		}
		for _, p := range transcript.DefaultPlaces(a.home, a.getenv) {
			out["sessions"] += "\n" + p.Path
		}
		out["sessions"] = strings.TrimPrefix(out["sessions"], "\n")
		keys = append(keys, "sessions")
	}
	if asJSON {
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
}

// versionLine is the version as --version and the verb print it.
func versionLine() string {
	v := buildVersion()
	return fmt.Sprintf("learnings %s, %s, %s/%s", strings.TrimSpace(v.version+" "+v.commit), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// A release is which program this is.
type release struct{ version, commit string }

// stamped is the version of a release; the linker sets it.
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
