package main

import (
	"errors"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/agents"
	"learnings/cmd/internal/process"
	"learnings/cmd/internal/term"
	"learnings/cmd/internal/wiring"
)

func newSetup(a *app) *cobra.Command {
	var o wiring.Options
	w := agents.World{Getenv: a.getenv, OS: a.goos, Home: a.home}
	project, plugin := false, ""
	cmd := &cobra.Command{
		Use: "setup [AGENT]…", Short: "Wire coding agents in: hooks, MCP server, command, skill",
		Long: "Setup writes into the agents' own settings that they call learnings: for the lessons of\n" +
			"a session, for what is to be learned of it, and as an MCP server, with a command\n" +
			"/learnings and a skill. Without a name it takes each agent that it finds on this\n" +
			"machine. It shows what changes and asks; all else in those files stays byte for byte,\n" +
			"and --remove makes them what they were.\n\nAgents: " + strings.Join(agents.Names(), ", ") + ".",
		Example: "  learnings setup --dry-run\n  learnings setup claude codex\n  learnings setup --remove",
		RunE: func(cmd *cobra.Command, args []string) error {
			if !o.DryRun {
				if _, err := a.decider("wire agents in or out"); err != nil {
					return err
				}
			}
			places, err := a.located()
			if err != nil {
				return err
			}
			path := a.getenv("PATH")
			if w.Hook, w.Program = process.Installed("learnings-hook", path, a.goos), process.Installed("learnings", path, a.goos); (w.Hook == "" || w.Program == "") && !o.Remove {
				return term.Hint(errors.New("agents would not find learnings and learnings-hook: they are not installed"), "`go install ./cmd/...` installs both; then run `learnings setup` from there")
			}
			if project {
				w.Project = a.cwd
			}
			if plugin != "" {
				plugin = a.absolute(plugin)
			}
			list, err := wiring.Choose(w, args, plugin)
			if err != nil {
				return err
			}
			r, err := agents.Open(filepath.Dir(places.State)) // of this machine, whatever the corpus
			if err != nil {
				return err
			}
			o.Short = a.short
			return wiring.Run(cmd.Context(), a.Console, r, list, o)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.DryRun, "dry-run", false, "show what would change and write nothing")
	f.BoolVar(&o.Yes, "yes", false, "do not ask")
	f.BoolVar(&o.Remove, "remove", false, "take out what setup has written")
	f.BoolVar(&o.JSON, "json", false, "one JSON object an agent")
	f.BoolVar(&project, "project", false, "write into the settings of the project in the current folder")
	f.StringVar(&plugin, "plugin", "", "make a plugin of Claude Code in this folder, with the marketplace that offers it")
	f.BoolVar(&w.Guard, "guard", false, "have agents ask before each call of a tool, for rules that you made enforceable")
	return cmd
}
