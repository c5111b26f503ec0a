package main

import (
	"context"
	"os/exec"
	"slices"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/answer"
	"learnings/cmd/internal/doctor"
	"learnings/cmd/internal/doctor/corpus"
	"learnings/cmd/internal/doctor/program"
	"learnings/cmd/internal/process"
	"learnings/cmd/internal/settings"
	"learnings/lessons/gitsync"
)

func newDoctor(a *app) *cobra.Command {
	var deep, online, asJSON bool
	cmd := &cobra.Command{
		Use: "doctor", Short: "Say whether all works, and what to type where it does not", Long: doctor.Help,
		Args: nargs(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error { return examine(cmd.Context(), a, deep, online, asJSON) },
	}
	cmd.Flags().BoolVar(&deep, "deep", false, "read every lesson, every session and the whole journal")
	cmd.Flags().BoolVar(&online, "online", false, "ask the server of the chosen model, too")
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line, for each thing that was looked at")
	return cmd
}

// examine asks all that there is to ask, and fails where something is wrong.
func examine(ctx context.Context, a *app, deep, online, asJSON bool) error {
	p, err := a.located()
	if err != nil {
		return err
	}
	c, invalid := settings.Load(p.Config)
	c.Heed(a.getenv)
	m := program.Program{
		Version: versionLine(), Small: process.Beside("learnings-hook", a.getenv("PATH"), a.goos), Off: answer.Off(a.getenv), State: p.State,
		Config: p.Config, Invalid: invalid, Learn: c.Learning.Enabled.Value, Given: c.Learning.MaxInject.Value,
		Ceiling: c.Learning.MaxUSDPerMonth.Value, Spend: p.Spend(), LookPath: exec.LookPath, Online: online, Now: a.now(), Short: a.short,
	}
	m.Model, m.NoModel = c.Chosen(a.getenv)
	lessons := corpus.Corpus{
		Dir: settings.RealPath(p.Corpus), State: p.State, Index: p.Index(), By: p.By,
		Git: process.Find("git", a.getenv("PATH"), a.goos), Env: gitsync.Environment(a.getenv), Deep: deep, Short: a.short,
	}
	found := doctor.Examine(ctx, doctor.Patience, slices.Concat(program.Questions(m), corpus.Questions(lessons)))
	if err := a.Give(found, asJSON); err != nil {
		return err
	}
	return found.Err()
}
