package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/port"
	"learnings/cmd/internal/render"
	"learnings/cmd/internal/term"
	"learnings/index/curate"
	"learnings/lessons"
)

// decideOptions are what the verbs of a decision have in common.
type decideOptions struct {
	ids    []string
	reason string
	json   bool

	fromFile, yes bool // of a rejection: take it out of the files in which it stands
}

func newApprove(a *app) *cobra.Command {
	cmd, _ := newDecision(a, curate.Approve, "Make lessons active",
		"Approve makes lessons active: coming sessions get them. It does all or none.\n"+
			"Of several it leaves out those that must be looked at alone, because they are\n"+
			"flagged or only a tool speaks for them, and names them.\n"+
			"Only a person approves: in the session of an agent it is refused.")
	cmd.Example = "  learnings approve k7m2p9qx b7t4xq8c\n  learnings show errors --status pending --lane likely --json | learnings approve -"
	return cmd
}

func newReject(a *app) *cobra.Command {
	cmd, o := newDecision(a, curate.Reject, "Reject lessons, and remember why",
		"Reject keeps lessons as tombstones with the reason, so that the same proposal\n"+
			"does not come back. `learnings undo` undoes that.\n\n"+
			"What agents are told in a file, such as CLAUDE.md or a memory of their own, they\n"+
			"are told all the same: --from-file shows what would change there, asks, and takes\n"+
			"it out, also of a lesson that is rejected already. The first time a copy is kept.")
	cmd.Example = "  learnings reject k7m2p9qx --reason 'only true for that branch'\n  learnings reject k7m2p9qx --from-file"
	cmd.Flags().BoolVar(&o.fromFile, "from-file", false, "take it out of the files in which agents read it, too")
	cmd.Flags().BoolVar(&o.yes, "yes", false, "with --from-file: do not ask")
	return o.withReason(cmd)
}

func newReopen(a *app) *cobra.Command {
	cmd, o := newDecision(a, curate.Reopen, "Make lessons wait for a decision again",
		"Reopen makes proposals of lessons that were approved, rejected or archived, for you\n"+
			"to decide on anew. One that was merged into another is brought back by `learnings split`.")
	return o.withReason(cmd)
}

// newDecision is the verb of a decision that can be made on several lessons.
func newDecision(a *app, act curate.Action, short, long string) (*cobra.Command, *decideOptions) {
	o := &decideOptions{}
	cmd := &cobra.Command{
		Use: act.Verb + " ID…|-", Short: short, Long: long,
		Args: nargs(1, -1, "ids, or - to read them from standard input"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.ids = args
			return decide(cmd.Context(), a, act, *o)
		},
	}
	cmd.Flags().BoolVar(&o.json, "json", false, "print the lessons as they are now, one JSON object a line")
	return cmd, o
}

// withReason lets a person say why.
func (o *decideOptions) withReason(cmd *cobra.Command) *cobra.Command {
	cmd.Flags().StringVar(&o.reason, "reason", "", "why, in a few words")
	return cmd
}

// decide makes one decision on all lessons that are named. A lesson that must be
// looked at alone is left out when several are named or standard input lists them.
func decide(ctx context.Context, a *app, act curate.Action, o decideOptions) error {
	c, err := a.decider(act.Verb + " them")
	if err != nil {
		return err
	}
	ls, err := a.named(o.ids)
	if err != nil {
		return err
	}
	var gone []lessons.Lesson // they were rejected before, and may still stand in files
	if o.fromFile {
		if !o.yes && !a.Terminals.In {
			return term.Hint(fmt.Errorf("%w: a file of yours would change, and there is no terminal to ask on", curate.ErrPerson), "add --yes")
		}
		ls = slices.DeleteFunc(ls, func(l lessons.Lesson) bool {
			if l.Status == lessons.Rejected {
				gone = append(gone, l)
			}
			return l.Status == lessons.Rejected
		})
	}
	act = act.Because(o.reason)
	var b curate.Batch
	switch {
	case len(ls) == 1 && o.ids[0] != "-":
		var l lessons.Lesson
		l, err = c.Decide(act, ls[0])
		b.After = []lessons.Lesson{l}
	case len(ls) > 0 || len(gone) == 0:
		b, err = c.DecideMany(act, ls)
	}
	render.WarnLeft(a.Console, b.Left)
	if err != nil {
		return render.Instead(err)
	}
	if len(b.After) > 0 {
		a.follow(ctx)
	}
	if err := a.tell(act.Done, b.After, o.json); err != nil {
		return err
	}
	switch act.Op {
	case lessons.OpApprove:
		render.WarnContradicted(ctx, a.Console, c, b.After)
	case lessons.OpReject:
		if o.fromFile {
			return port.TakeOut(ctx, a.Console, a.world(), append(gone, b.After...), o.yes)
		}
		port.NoteStanding(a.Console, b.After)
	}
	return nil
}
