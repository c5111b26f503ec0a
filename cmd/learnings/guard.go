package main

import (
	"context"
	"iter"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/render"
	"learnings/cmd/internal/setup"
	"learnings/extractor/past"
	"learnings/extractor/transcript"
	"learnings/lessons"
	"learnings/lessons/guard"
)

func newGuard(a *app) *cobra.Command {
	var o render.GuardWish
	var from []string
	cmd := &cobra.Command{
		Use: "guard [ID]", Short: "Have calls of agents stopped that a lesson forbids", Long: guardHelp,
		Example: "  learnings guard k7m2p9qx\n  learnings guard k7m2p9qx --deny --command 'npm install'\n  learnings guard k7m2p9qx --off",
		Args:    nargs(0, 1, "the id of a lesson"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				s, err := a.corpus()
				if err != nil {
					return err
				}
				if err := render.ListGuards(a.Console, guard.At(a.places.State), s.All(), o.JSON); err != nil {
					return err
				}
				_, err = unheard(a, s.All())
				return err
			}
			c, err := a.decider("guard them")
			if err != nil {
				return err
			}
			ls, err := a.named(args)
			if err != nil {
				return err
			}
			changed, err := render.SwitchGuard(cmd.Context(), a.Console, c, guard.At(a.places.State), ls[0], o, pastSessions(a, from))
			if !changed {
				return err
			}
			a.follow(cmd.Context())
			if err != nil || o.Off {
				return err
			}
			return heard(cmd.Context(), a, !o.Yes && !o.JSON)
		},
	}
	cmd.Flags().StringArrayVar(&o.Commands, "command", nil, "stop this command, such as 'npm install'; repeat it for more")
	cmd.Flags().StringArrayVar(&o.Paths, "path", nil, "stop changes of these files, such as 'gen/**'; repeat it for more")
	cmd.Flags().StringArrayVar(&o.Flags, "flag", nil, "stop this flag, of the command or of any; repeat it for flags that come together")
	cmd.Flags().BoolVar(&o.Deny, "deny", false, "stop the call instead of asking")
	cmd.Flags().BoolVar(&o.Off, "off", false, "take the guard off")
	cmd.Flags().BoolVar(&o.Yes, "yes", false, "do not ask")
	cmd.Flags().BoolVar(&o.JSON, "json", false, "one JSON object, or one a line")
	fromFlag(cmd, &from)
	return cmd
}

// unheard says in which agents no guard holds, when one is on, and names those that setup
// would wire.
func unheard(a *app, all iter.Seq2[lessons.Lesson, error]) ([]string, error) {
	items, err := render.Guards(guard.At(a.places.State), all)
	if err != nil || a.sample || !slices.ContainsFunc(items, func(i render.Guarded) bool { return i.Off == "" }) {
		return nil, err
	}
	lines, names := render.Unheard(a.machine(), a.cwd)
	for _, line := range lines {
		a.Warn("%s", line)
	}
	return names, nil
}

// heard says the same of a guard that was switched on just now, and offers to wire the
// hook that it needs where somebody can be asked.
func heard(ctx context.Context, a *app, ask bool) error {
	s, err := a.corpus()
	if err != nil {
		return err
	}
	names, err := unheard(a, s.All())
	if err != nil || len(names) == 0 || !ask || !a.Interactive() {
		return err
	}
	o := setup.Options{Short: a.short}
	w, err := setup.Here(a.machine(), o)
	if err != nil {
		return nil // the guard is on, and what to type was said
	}
	w.Guard = true
	return setup.Run(ctx, a.Console, filepath.Dir(a.places.State), w, names, o)
}

// pastSessions are those on which guards are tried.
func pastSessions(a *app, from []string) render.PastSessions {
	return func() (files []transcript.File, o past.Options, err error) {
		if o, err = a.past(); err != nil {
			return nil, o, err
		}
		files, _, err = everyTranscript(a, from)
		return files, o, err
	}
}

// guardHelp explains guards to a person.
const guardHelp = `Guard makes an approved rule of the kind "never X, use Y" one that is enforced: before
an agent runs a command, uses a flag or changes a file that the rule names, its hook
asks the person, or with --deny stops the call, and tells the agent the rule. An agent
that cannot ask (Codex, Gemini CLI, OpenCode, pi, Cline; Cursor outside of its shell) is
told not to make the call. Any error lets a call pass. Agents are asked before each
call of a tool once ` + "`learnings setup`" + ` has wired them.

What is stopped is what the sentence says plainly, or what you say. It is shown first,
and tried against past sessions: which calls it would have stopped, and how many of
them you had allowed, which means that they worked, nobody refused them, and your next
words in that session do not speak against them: they do not interrupt, begin with a no
or name the program or the file.

A guard holds on the machine on which it was chosen, for the lesson as it was then: one
that came by sync, or whose lesson was changed, archived or rejected since, is off until
it is chosen again. Without an ID the guards of this machine are listed. Only a person
switches a guard on or off; ` + "`learnings undo`" + ` undoes that.`
