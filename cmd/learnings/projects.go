package main

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/render"
	"learnings/cmd/internal/settings"
	"learnings/cmd/internal/term"
	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
)

func newProjects(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "projects", Short: "List the projects",
		Long: "Projects counts the lessons of each project. A project is a repository: worktrees\n" +
			"and subfolders belong to it. What a rename has split, `learnings config alias` joins.",
		Example: "  learnings stats projects",
		Args:    nargs(0, 0, ""),
		RunE:    func(cmd *cobra.Command, _ []string) error { return projects(cmd.Context(), a, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")

	return cmd
}

// newProjectNames are the verbs that name projects.
func newProjectNames(a *app) []*cobra.Command {
	rename := &cobra.Command{
		Use: "rename OLD NEW", Short: "Move the lessons of a project, and keep the old name as an alias",
		Args: nargs(2, 2, "the old name and the new one"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return renameProject(cmd.Context(), a, args[0], args[1])
		},
	}
	alias := &cobra.Command{
		Use: "alias NAME CANONICAL", Short: "Take the sessions of one name for those of another",
		Args: nargs(2, 2, "a name and the one that it stands for"),
		RunE: func(_ *cobra.Command, args []string) error {
			if _, err := a.decider("name projects"); err != nil {
				return err
			}
			return aliasProject(a, args[0], args[1])
		},
	}
	return []*cobra.Command{rename, alias}
}

// projects counts all lessons: a project whose lessons are all rejected counts too.
func projects(ctx context.Context, a *app, asJSON bool) error {
	c, err := a.configuration()
	if err != nil {
		return err
	}
	counts := map[string]*render.ProjectCount{}
	found, err := ask(ctx, a, func(ctx context.Context, x *index.Index) (map[string]map[lessons.Status]int, error) {
		return x.Projects(ctx)
	})
	if err != nil {
		return err
	}
	for name, of := range found {
		p := &render.ProjectCount{Project: name, Counts: of}
		for _, n := range of {
			p.Total += n
		}
		counts[name] = p
	}
	for alias := range maps.Keys(c.Aliases) {
		if p := counts[c.Canonical(alias)]; p != nil {
			p.Aliases = append(p.Aliases, alias)
		}
	}
	var list []render.ProjectCount
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		slices.Sort(counts[name].Aliases)
		list = append(list, *counts[name])
	}
	return a.Give(render.Projects(list), asJSON)
}

// renameProject moves the lessons first. If the alias cannot be written then,
// repeating the command finishes the work.
func renameProject(ctx context.Context, a *app, from, to string) error {
	if err := curate.CheckProject(to); err != nil {
		return term.Usagef("%v", err)
	}
	if from == to {
		return term.Usagef("the old name and the new one are the same")
	}
	c, err := a.decider("rename projects")
	if err != nil {
		return err
	}
	conf, err := a.configuration()
	if err != nil {
		return err
	}
	moved, err := c.RenameProject(from, to)
	if err != nil {
		return err
	}
	if moved == 0 && conf.Canonical(from) != to {
		return term.Hint(fmt.Errorf("%w in a project %q", lessons.ErrNotFound, from),
			"`learnings stats projects` lists them; `learnings config alias %s %s` joins names without lessons", from, to)
	}
	if moved > 0 {
		a.follow(ctx)
	}
	a.Say("moved %s from %s to %s", term.Plural(moved, "lesson"), from, to)
	return aliasProject(a, from, to)
}

func aliasProject(a *app, name, canonical string) error {
	for _, s := range []string{name, canonical} {
		if err := curate.CheckProject(s); err != nil {
			return term.Usagef("%v", err)
		}
	}
	if name == canonical {
		return term.Usagef("%q cannot stand for itself", name)
	}
	p, err := a.located()
	if err != nil {
		return err
	}
	if err := settings.Set(p.Config, "aliases", name, canonical); err != nil {
		return err
	}
	a.Say("%s now goes by %s (%s)", name, canonical, a.short(p.Config))
	return nil
}
