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
	var o decideOptions
	var outside bool
	cmd := &cobra.Command{
		Use: "approve ID…|-", Short: "Make lessons active, or say that active ones still hold",
		Long: "Approve makes lessons active: coming sessions get them. It does all or none. It\n" +
			"leaves out those that must be looked at one by one, because they are flagged or only\n" +
			"a tool speaks for them, and names them. Only a person approves: in the session of an\n" +
			"agent it is refused.\n\n" +
			"A lesson that is active already is confirmed: it is fresh again, and due to be looked\n" +
			"at 30, 90 and then 180 days later.\n\n" +
			"With --outside it confirms what another program (an editor, git, an agent) wrote into\n" +
			"the corpus or changed there: until then no session is given it.",
		Example: "  learnings approve k7m2p9qx b7t4xq8c\n  learnings show errors --status pending --lane likely --json | learnings approve -",
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case outside && len(args) > 0:
				return term.Usagef("--outside is for all of them; name no ids")
			case outside:
				return confirmOutside(cmd.Context(), a, o.yes, o.json)
			}
			if err := anyIDs(cmd, args); err != nil {
				return err
			}
			o.ids = args
			return approve(cmd.Context(), a, o)
		},
	}
	cmd.Flags().BoolVar(&outside, "outside", false, "confirm all that came or changed from outside; name no ids")
	cmd.Flags().BoolVar(&o.yes, "yes", false, "with --outside: do not ask")
	cmd.Flags().StringVar(&o.reason, "reason", "", "why an active lesson still holds, in a few words")
	cmd.Flags().BoolVar(&o.json, "json", false, "print the lessons as they are now, one JSON object a line")
	return cmd
}

// approve approves what is not active yet, and confirms the rest.
func approve(ctx context.Context, a *app, o decideOptions) error {
	if _, err := a.decider("approve them"); err != nil {
		return err
	}
	ls, err := a.named(o.ids)
	if err != nil {
		return err
	}
	active := slices.DeleteFunc(slices.Clone(ls), func(l lessons.Lesson) bool { return l.Status != lessons.Approved })
	if len(active) == len(ls) {
		return decide(ctx, a, curate.Confirm, o, ls)
	}
	why := o.reason
	o.reason = ""
	if err := decide(ctx, a, curate.Approve, o, slices.DeleteFunc(ls, func(l lessons.Lesson) bool { return l.Status == lessons.Approved })); err != nil || len(active) == 0 {
		return err
	}
	o.reason = why
	return decide(ctx, a, curate.Confirm, o, active)
}

func newReject(a *app) *cobra.Command {
	var o decideOptions
	cmd := &cobra.Command{
		Use: "reject ID…|-", Short: "Reject lessons, and remember why",
		Long: "Reject keeps lessons as tombstones with the reason, so that the same proposal\n" +
			"does not come back. `learnings undo` undoes that.\n\n" +
			"What agents are told in a file, such as CLAUDE.md or a memory of their own, they\n" +
			"are told all the same: --from-file shows what would change there, asks, and takes\n" +
			"it out, also of a lesson that is rejected already. The first time a copy is kept.",
		Example: "  learnings reject k7m2p9qx --reason 'only true for that branch'\n  learnings reject k7m2p9qx --from-file",
		Args:    anyIDs,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.ids = args
			return decideNamed(cmd.Context(), a, curate.Reject, o)
		},
	}
	cmd.Flags().StringVar(&o.reason, "reason", "", "why, in a few words")
	cmd.Flags().BoolVar(&o.fromFile, "from-file", false, "take it out of the files in which agents read it, too")
	cmd.Flags().BoolVar(&o.yes, "yes", false, "with --from-file: do not ask")
	cmd.Flags().BoolVar(&o.json, "json", false, "print the lessons as they are now, one JSON object a line")
	return cmd
}

// anyIDs checks that there are ids, or "-".
var anyIDs = nargs(1, -1, "ids, or - to read them from standard input")

// decideNamed makes one decision on the lessons of the options.
func decideNamed(ctx context.Context, a *app, act curate.Action, o decideOptions) error {
	if _, err := a.decider(act.Verb + " them"); err != nil {
		return err
	}
	ls, err := a.named(o.ids)
	if err != nil {
		return err
	}
	return decide(ctx, a, act, o, ls)
}

// decide makes one decision on all lessons that are named. A lesson that must be
// looked at alone is left out when several are named or standard input lists them.
func decide(ctx context.Context, a *app, act curate.Action, o decideOptions, ls []lessons.Lesson) error {
	c, err := a.decider(act.Verb + " them")
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
