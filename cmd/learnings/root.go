package main

import (
	"github.com/spf13/cobra"

	"learnings/cmd/internal/term"
)

// verbs are all of them, by the group under which help lists them.
var verbs = []struct {
	group, title string
	make         []func(*app) *cobra.Command
}{
	{"work", "From transcripts to lessons:", []func(*app) *cobra.Command{newSessions, newExtract, newWatch, newModels, newReview, newAdd}},
	{"read", "Read:", []func(*app) *cobra.Command{newShow, newSearch, newStats, newHistory, newDuplicates, newContradictions, newLint, newStale, newRecurring, newLog, newInject, newProjects}},
	{"decide", "Decide (ids, several, or - for ids on standard input):", []func(*app) *cobra.Command{
		newApprove, newReject, newEdit, newMerge, newSplit, newResolve, newReopen,
		newArchive, newConfirm, newPin, newUnpin, newFeedback,
		newRestore, newUndo, newRedo, newForget}},
	{"care", "Care:", []func(*app) *cobra.Command{newSync, newConfig, newIndex, newHook, newVersion}},
}

const rootLong = `Learnings reads the session transcripts of coding agents, proposes lessons, lets
you judge them, and gives the approved ones to the next session.

Without a verb it opens the review desk.`

const rootHelp = `Places:
  LEARNINGS_DIR or --dir choose the corpus; XDG_DATA_HOME, XDG_STATE_HOME and
  XDG_CONFIG_HOME move the folders. "learnings version --places" prints them all.

`

// newRoot builds the tree of commands.
func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use: "learnings", Short: "Lessons from the sessions of coding agents", Long: rootLong,
		SilenceUsage: true, SilenceErrors: true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			err := term.Usagef("unknown verb %q", args[0])
			if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
				return term.Hint(err, "did you mean `learnings %s`?", near[0])
			}
			return term.Hint(err, "`learnings help` lists the verbs")
		},
		PersistentPreRunE: func(*cobra.Command, []string) error { return a.begin() },
		RunE:              func(cmd *cobra.Command, _ []string) error { return openDesk(cmd.Context(), a) },
	}
	root.SuggestionsMinimumDistance = 2
	root.SetArgs(withModels(a.args))
	root.SetIn(a.In)
	root.SetOut(a.Out)
	root.SetErr(a.Err)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return term.Hint(term.Usagef("%v", err), "`%s --help` lists the flags", cmd.CommandPath())
	})
	root.PersistentFlags().StringVar(&a.dir, "dir", "", "folder of the corpus (default: LEARNINGS_DIR, or the XDG data folder)")
	root.PersistentFlags().BoolVar(&a.sample, "sample", false, "work on built-in sample data in a temporary folder")
	for _, g := range verbs {
		root.AddGroup(&cobra.Group{ID: g.group, Title: g.title})
		for _, newVerb := range g.make {
			cmd := newVerb(a)
			cmd.GroupID = g.group
			root.AddCommand(cmd)
		}
	}
	root.AddCommand(newMan())
	root.SetHelpCommandGroupID("care")
	root.SetCompletionCommandGroupID("care")
	root.SetHelpTemplate(root.HelpTemplate() + "{{if not .HasParent}}\n" + rootHelp + exitHelp + "{{end}}")
	return root
}

// begin checks what holds for every verb.
func (a *app) begin() error {
	if a.sample && a.dir != "" {
		return term.Usagef("--sample has a corpus of its own; leave out --dir")
	}
	if a.sample {
		p, err := a.located()
		if err != nil {
			return err
		}
		a.Warn("sample data in %s; nothing of yours is read or written", p.Corpus)
	}
	return nil
}
