package main

import (
	"github.com/spf13/cobra"

	"learnings/index/curate"
)

func newArchive(a *app) *cobra.Command {
	cmd, o := newDecision(a, curate.Archive, "Take lessons out of use and keep them",
		"Archive takes approved lessons out of use: no session gets them any more. They\n"+
			"stay where they can be read, and `learnings reopen` puts them back into the queue.")
	cmd.Flags().StringVar(&o.reason, "reason", "", "why, in a few words")
	return cmd
}

func newConfirm(a *app) *cobra.Command {
	cmd, o := newDecision(a, curate.Confirm, "Say of active lessons that they still hold",
		"Confirm makes approved lessons fresh again. They are due to be looked at again 30,\n"+
			"90 and then 180 days after; `learnings stale` lists those that are.")
	cmd.Flags().StringVar(&o.reason, "reason", "", "why, in a few words")
	return cmd
}

func newPin(a *app) *cobra.Command {
	cmd, _ := newDecision(a, curate.Pin, "Vouch for lessons for good",
		"Pin keeps lessons fresh whatever their age, and takes them out of the re-reviews.")
	return cmd
}

func newUnpin(a *app) *cobra.Command {
	cmd, _ := newDecision(a, curate.Unpin, "Let pinned lessons age again", "Unpin takes back what pin did.")
	return cmd
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
	decideFlags(cmd, o)
	return cmd, o
}
