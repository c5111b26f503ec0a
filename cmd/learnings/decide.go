package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/term"
	"learnings/lessons"
)

// decideOptions are what approve, reject and reopen have in common.
type decideOptions struct {
	ids    []string
	reason string
	json   bool
}

// A deed is a decision that can be made on several lessons at once.
type deed struct {
	op, done string // "approve", "approved"
	do       func(lessons.Lesson, lessons.Decision) (lessons.Lesson, error)
}

var (
	approving = deed{"approve", "approved", lessons.Lesson.Approve}
	rejecting = deed{"reject", "rejected", lessons.Lesson.Reject}
	reopening = deed{"reopen", "reopened", lessons.Lesson.Reopen}
)

func newApprove(a *app) *cobra.Command {
	var o decideOptions
	cmd := &cobra.Command{
		Use: "approve ID…|-", Short: "Make lessons active",
		Long: "Approve makes lessons active: coming sessions get them. It does all or none.\n" +
			"Only a person approves: in the session of an agent it is refused.",
		Example: "  learnings approve k7m2p9qx b7t4xq8c\n  learnings show errors --status pending --json | learnings approve -",
		Args:    nargs(1, -1, "ids, or - to read them from standard input"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.ids = args
			return decide(cmd.Context(), a, approving, o)
		},
	}
	decideFlags(cmd, &o)
	return cmd
}

func newReject(a *app) *cobra.Command {
	var o decideOptions
	cmd := &cobra.Command{
		Use: "reject ID…|-", Short: "Refuse lessons, and remember why",
		Long: "Reject keeps lessons as tombstones with the reason, so that the same proposal\n" +
			"does not come back. `learnings undo` takes it back.",
		Example: "  learnings reject k7m2p9qx --reason 'only true for that branch'",
		Args:    nargs(1, -1, "ids, or - to read them from standard input"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.ids = args
			return decide(cmd.Context(), a, rejecting, o)
		},
	}
	decideFlags(cmd, &o)
	cmd.Flags().StringVar(&o.reason, "reason", "", "why, in a few words")
	return cmd
}

func newReopen(a *app) *cobra.Command {
	var o decideOptions
	cmd := &cobra.Command{
		Use: "reopen ID…|-", Short: "Put lessons back into the queue",
		Long: "Reopen makes lessons that were approved, rejected or archived wait for a decision\n" +
			"again. One that was merged into another is brought back by `learnings split`.",
		Args: nargs(1, -1, "ids, or - to read them from standard input"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.ids = args
			return decide(cmd.Context(), a, reopening, o)
		},
	}
	decideFlags(cmd, &o)
	cmd.Flags().StringVar(&o.reason, "reason", "", "why, in a few words")
	return cmd
}

func decideFlags(cmd *cobra.Command, o *decideOptions) {
	cmd.Flags().BoolVar(&o.json, "json", false, "print the lessons as they are now, one JSON object a line")
}

// decide does one deed to all lessons that are named, or to none.
func decide(ctx context.Context, a *app, d deed, o decideOptions) error {
	who, err := a.decider(d.op + " them")
	if err != nil {
		return err
	}
	ls, err := a.named(o.ids)
	if err != nil {
		return err
	}
	if d.op == approving.op && slices.Contains(o.ids, "-") {
		if ls = a.withoutHearsay(ls); len(ls) == 0 {
			return nil
		}
	}
	decision := lessons.Decision{By: who, Reason: o.reason, At: a.now()}
	for i := range ls {
		l := ls[i]
		if ls[i], err = d.do(l, decision); err != nil {
			return term.Hint(fmt.Errorf("%s: %w", d.op, err), "%s", instead(l))
		}
	}
	ls, err = a.write(ctx, d.op, who, ls...)
	if err != nil {
		return err
	}
	if err := a.tell(d.done, ls, o.json); err != nil {
		return err
	}
	if d.op == approving.op {
		a.warnOpposed(ctx, ls)
	}
	return nil
}

// instead is what to type for a lesson that cannot be decided on as it is.
func instead(l lessons.Lesson) string {
	if l.Status == lessons.Merged {
		return fmt.Sprintf("`learnings split %s %s` takes it out of the merge", l.Decided.Into, l.ID)
	}
	return fmt.Sprintf("`learnings show %s` shows it, `learnings approve %s` makes it active", l.ID, l.ID)
}

// withoutHearsay leaves out of a list what only a tool speaks for: that is
// approved by its own id, by who has looked at it.
func (a *app) withoutHearsay(ls []lessons.Lesson) []lessons.Lesson {
	return slices.DeleteFunc(ls, func(l lessons.Lesson) bool {
		if l.Quarantined() {
			a.Warn("%s is left out: only a tool speaks for it; look at it, then approve it by its id", l.ID)
		}
		return l.Quarantined()
	})
}
