package main

import (
	"context"
	"errors"
	"iter"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/cli"
	"learnings/cmd/internal/render"
	"learnings/cmd/internal/setup"
	"learnings/lessons"
)

func newGuard(a *app) *cobra.Command {
	v := a.verb("guard", needsCorpus, cli.Args(0, 1, "the id of a lesson"))
	var o render.GuardWish
	v.StringArrayVar(&o.Commands, "command", nil, "stop this command, such as 'npm install'; repeat it for more")
	v.StringArrayVar(&o.Paths, "path", nil, "stop changes of these files, such as 'gen/**'; repeat it for more")
	v.StringArrayVar(&o.Flags, "flag", nil, "stop this flag, of the command or of any; repeat it for flags that come together")
	v.BoolVar(&o.Deny, "deny", false, "stop the call instead of asking")
	v.BoolVar(&o.Off, "off", false, "take the guard off")
	v.BoolVar(&o.Yes, "yes", false, "do not ask")
	from := v.from()
	v.json(a, "one JSON object, or one a line")
	return v.Run(func(ctx context.Context, args []string) error {
		c := a.corpus
		if len(args) == 0 {
			if err := render.ListGuards(a.Console, guards(a.places.State), c.Store.All()); err != nil {
				return err
			}
			_, err := unheard(a, c.Store.All())
			return err
		}
		if err := a.person("guard them"); err != nil {
			return err
		}
		ls, err := a.named(args...)
		if k := guards(a.places.State); o.Off && errors.Is(err, lessons.ErrNotFound) && slices.Contains(k.Of(), lessons.ID(args[0])) {
			return k.Drop(lessons.ID(args[0]))
		}
		if err != nil {
			return err
		}
		changed, err := render.SwitchGuard(ctx, a.Console, c, guards(a.places.State), ls[0], o, pastSessions(a, *from))
		if !changed {
			return err
		}
		a.follow(ctx)
		if err != nil || o.Off {
			return err
		}
		return heard(ctx, a, !o.Yes && !a.JSON)
	})
}

// unheard says which agents enforce no guard, if any guard is on, and returns the names
// of those that setup would wire.
func unheard(a *app, all iter.Seq2[lessons.Lesson, error]) ([]string, error) {
	items, err := render.Guards(guards(a.places.State), all)
	if err != nil || a.sample || !slices.ContainsFunc(items, func(i render.Guarded) bool { return i.Off == "" }) {
		return nil, err
	}
	lines, names := render.Unheard(a.machine(), a.cwd)
	for _, line := range lines {
		a.Warn("%s", line)
	}
	return names, nil
}

// heard does the same for a guard that was just switched on, and offers to wire the hook
// when it can ask.
func heard(ctx context.Context, a *app, ask bool) error {
	names, err := unheard(a, a.corpus.Store.All())
	if err != nil || len(names) == 0 || !ask || !a.Interactive() {
		return err
	}
	o := setup.Options{Short: a.short, Dir: a.cwd}
	w, err := setup.Here(a.machine(), o)
	if err != nil {
		return nil // the guard is on, and the person has been told what to type
	}
	w.Guard = true
	return setup.Run(ctx, a.Console, filepath.Dir(a.places.State), w, names, o)
}
