package main

import (
	"context"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/render"
	"learnings/cmd/internal/settings"
	"learnings/index"
	"learnings/index/recall"
)

type injectOptions struct {
	task    string
	project string
	role    string
	agent   string
	session string
	files   []string
	why     bool
	json    bool
}

func newInject(a *app) *cobra.Command {
	var o injectOptions
	cmd := &cobra.Command{
		Use: "inject", Short: "Print what the next session will be given",
		Long: "Inject prints the block that a session gets, byte for byte: approved lessons\n" +
			"only. With a task it is those on its subject, at most max_inject (5) and 2,000\n" +
			"tokens; without one it is what a session starts with: what is pinned, the rules\n" +
			"and facts of one line, a sentence each, up to start_tokens (1,000). The\n" +
			"project is that of the current folder unless it is named.",
		Example: "  learnings inject --task 'add a field to the proto' --project octofs",
		Args:    nargs(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return inject(cmd.Context(), a, o, cmd.Flags().Changed("project"))
		},
	}
	cmd.Flags().StringVar(&o.task, "task", "", "what the session is about")
	cmd.Flags().StringVar(&o.project, "project", "", "the project (default: that of the current folder)")
	cmd.Flags().StringVar(&o.role, "role", "", "the agent's role")
	cmd.Flags().StringVar(&o.agent, "agent", "", "the agent that asks, for lessons that are for one alone")
	cmd.Flags().StringVar(&o.session, "session", "", "the id of the session, for what learning.holdout holds out of it")
	cmd.Flags().StringArrayVar(&o.files, "file", nil, "a file that the session is about; repeat it for more")
	cmd.Flags().BoolVar(&o.why, "why", false, "list the candidates: why each is in or out, what its rank is made of, the gate and the budget")
	cmd.Flags().BoolVar(&o.why, "explain", false, "")
	cmd.Flags().Lookup("explain").Hidden = true // the former name of what --why lists
	cmd.Flags().BoolVar(&o.json, "json", false, "one JSON object a line: each candidate, with \"in\", \"why\" and \"parts\"")
	return cmd
}

func inject(ctx context.Context, a *app, o injectOptions, named bool) error {
	c, err := a.configuration()
	if err != nil {
		return err
	}
	s, _, err := a.both()
	if err != nil {
		return err
	}
	at := recall.Situation{Project: c.Canonical(o.project), Role: o.role, Prompt: o.task, Agent: o.agent, Files: o.files, TrustEdits: c.TrustEdits.Value, Now: a.now(),
		Session: o.session, Holdout: c.Learning.Holdout.Value,
		All: o.why || o.json}
	if !named && a.cwd != "" {
		at.Project = a.project(a.cwd)
	}
	at.Known = recall.KnownOf(a.places.State, at.Project)
	at.Tree = a.tree(at.Project)
	defer at.Tree.Close()
	if at.Role == "" {
		at.Role = c.Role.Value
	}
	list := render.Candidates{Why: o.why, Style: recall.Style{Project: at.Project},
		Budget: budgetOf(c), Task: o.task != ""}
	if c.Learning.MaxInject.Value > 0 {
		list.Choices, err = ask(ctx, a, func(ctx context.Context, x *index.Index) ([]recall.Choice, error) {
			pick := recall.Picker(func(at recall.Situation, b recall.Budget, _ bool) ([]recall.Choice, error) {
				return recall.Pick(ctx, x, s.Reread, at, b)
			})
			return pick.Given(at, list.Budget)
		})
		if err != nil {
			return err
		}
	}
	return a.Give(list, o.json)
}

// budgetOf is what the configuration allows sessions to be given.
func budgetOf(c settings.Config) recall.Budget {
	return recall.Budget{Lessons: c.Learning.MaxInject.Value, Start: c.Learning.StartTokens.Value}
}
