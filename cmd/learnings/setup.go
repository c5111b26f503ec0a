package main

import (
	"cmp"
	"errors"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/process"
	"learnings/cmd/internal/setup"
	"learnings/cmd/internal/status"
	"learnings/cmd/internal/term"
)

func newSetup(a *app) *cobra.Command {
	o, w := setup.Options{Short: a.short}, setup.Machine{Getenv: a.getenv, OS: a.goos, Home: a.home}
	var project, ask bool
	var prompt string
	cmd := &cobra.Command{
		Use: "setup [AGENT]…", Short: "Wire coding agents in: hooks, MCP server, command, skill",
		Long: "Setup writes into the agents' own settings that they call learnings: for the lessons of\n" +
			"a session, for what is to be learned of it, and as an MCP server, with a command\n" +
			"/learnings and a skill; and, where an agent has a list of what it may do without asking,\n" +
			"that it may look lessons up and propose. Without a name it takes each agent that it finds\n" +
			"on this machine. It shows what changes and asks; all else in those files stays byte for\n" +
			"byte.\n\nAgents: " + strings.Join(setup.Names(), ", ") + ".",
		Example: "  learnings setup --dry-run\n  learnings setup claude codex\n  learnings setup --remove\n  learnings setup --prompt zsh >> ~/.zshrc",
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if prompt != "" {
			text, err := status.Snippet(prompt, cmp.Or(process.Installed("learnings-hook", a.getenv("PATH"), a.goos), "learnings-hook"))
			if err != nil || len(args) > 0 {
				return term.Usagef("--prompt %s: %v", prompt, cmp.Or(err, errors.New("it wires no agent in: leave out "+strings.Join(args, " "))))
			}
			_, err = io.WriteString(a.Out, text)
			return err
		}
		p, err := a.located()
		if err == nil && a.sample && !o.DryRun {
			err = term.Usagef("setup writes into your own agents' settings: leave out --sample, or say --dry-run")
		}
		if err == nil && !o.DryRun {
			_, err = a.decider("wire agents in or out")
		}
		if err == nil {
			w, err = setup.Here(w, o)
		}
		if err != nil {
			return err
		}
		if project {
			w.Project = a.cwd
		}
		if ask {
			w.Permit = setup.Withheld
		}
		if o.Plugin != "" {
			o.Plugin = a.absolute(o.Plugin)
		}
		return setup.Run(cmd.Context(), a.Console, filepath.Dir(p.State), w, args, o)
	}
	f := cmd.Flags()
	f.BoolVar(&o.DryRun, "dry-run", false, "show what would change and write nothing")
	f.BoolVar(&o.Yes, "yes", false, "do not ask")
	f.BoolVar(&o.Remove, "remove", false, "take out what setup has written: the files are what they were")
	f.BoolVar(&o.JSON, "json", false, "one JSON object an agent")
	f.BoolVar(&project, "project", false, "write into the settings of the project in the current folder")
	f.BoolVar(&w.Guard, "guard", false, "have Copilot CLI ask before each call of a tool too, for rules that you made enforceable; all others do anyway")
	f.BoolVar(&ask, "no-permissions", false, "have agents ask you before they look lessons up or propose")
	f.StringVar(&o.Plugin, "plugin", "", "make a plugin of Claude Code in this folder, with the marketplace that offers it")
	f.StringVar(&prompt, "prompt", "", "print the lines that show what waits in "+strings.Join(status.Bars, ", ")+"; nothing is written")
	return cmd
}
