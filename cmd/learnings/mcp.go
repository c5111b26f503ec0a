package main

import (
	"github.com/spf13/cobra"

	"learnings/cmd/internal/mcpserver"
	"learnings/cmd/internal/process"
	tellings "learnings/extractor/intake"
	"learnings/index/curate"
)

func newMCP(a *app) *cobra.Command {
	var web bool
	cmd := &cobra.Command{
		Use: "mcp [--http [ADDR]]", Short: "Serve the lessons to agents, by the Model Context Protocol",
		Long: "Mcp answers one agent on standard input and output: it searches and reads lessons,\n" +
			"proposes what a session taught, and remarks on what it was given. Proposals wait in\n" +
			"Review; no tool approves, edits, merges or deletes.\n\n" +
			"With --http it answers any number of them on this machine, at a port or address of it\n" +
			"(" + mcpserver.UsualAddress + " without one), and prints what configures a client, with the\n" +
			"token that each request must carry.",
		Example: "  claude mcp add learnings -- learnings mcp\n  learnings mcp --http",
		Args:    nargs(0, 1, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			process.Frugal()
			s, err := agentServer(a)
			if err == nil && (web || len(args) > 0) {
				err = s.Listen(cmd.Context(), append(args, mcpserver.UsualAddress)[0], a.places.State, a.stdout)
			} else if err == nil {
				err = s.Serve(cmd.Context(), a.stdin, a.stdout)
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&web, "http", false, "answer over HTTP on this machine")
	return cmd
}

// agentServer is what answers agents. What they may read and propose from is asked
// again for each call, for a person may change it while they work.
func agentServer(a *app) (*mcpserver.Server, error) {
	a.look = nil // it lives long enough to look for itself
	corpus, err := a.curated()
	if err != nil {
		return nil, err
	}
	c, err := a.configuration()
	return mcpserver.New(mcpserver.Config{
		Library: &corpus.Library, Project: a.project(a.cwd), Role: c.Role.Value, Session: curate.AgentSession(a.getenv), Agent: a.agent(), Tree: a.tree,
		Budget: budgetOf(c), TrustEdits: c.TrustEdits.Value, Version: buildVersion().version,
		Sessions: func() (tellings.Sessions, error) {
			now := &app{env: a.env, Console: a.Console, places: a.places, sample: a.sample}
			where, err := now.transcripts(nil)
			if err != nil {
				return tellings.Sessions{}, err
			}
			o, err := extractorOptions(now, nil)
			return tellings.Sessions{Places: where, Options: o, Dir: a.cwd, Now: a.now}, err
		},
	}), err
}
