package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"learnings/cmd/internal/settings"
	"learnings/cmd/internal/term"
)

// verbs are all of them, by the group under which help lists them.
var verbs = []struct {
	group, title string
	make         []func(*app) *cobra.Command
}{
	{"work", "From transcripts to lessons:", []func(*app) *cobra.Command{newSessions, newExtract, newWatch, newModels, newReview, newAdd, newImport, newExport, newPublish, newShare, newReport, newPause, newResume}},
	{"read", "Read:", []func(*app) *cobra.Command{newShow, newSearch, newStats, newHistory, newDuplicates, newContradictions, newLint, newStale, newOutcomes, newRecurring, newLog, newInject, newBacktest, newProjects}},
	{"decide", "Decide (ids, several, or - for ids on standard input):", []func(*app) *cobra.Command{
		newApprove, newReject, newEdit, newMerge, newSplit, newResolve, newReopen,
		newArchive, newConfirm, newPin, newUnpin, newGuard, newFeedback,
		newRestore, newUndo, newRedo, newForget}},
	{"care", "Care:", []func(*app) *cobra.Command{newSetup, newDoctor, newSync, newConfig, newIndex, newHook, newMCP, newStatus, newMan, newVersion}},
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
			return unknownVerb(cmd, args[0])
		},
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return begin(a, cmd) },
		RunE:              func(cmd *cobra.Command, _ []string) error { return openDesk(cmd.Context(), a) },
	}
	root.SuggestionsMinimumDistance = 2
	root.SetArgs(withModels(a.args))
	root.SetIn(a.In)
	root.SetOut(a.Out)
	root.SetErr(a.Err)
	root.SetFlagErrorFunc(flagError)
	root.Version = versionLine()
	root.SetVersionTemplate("{{.Version}}\n")
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
	root.SetCompletionCommandGroupID("care")
	root.InitDefaultCompletionCmd()
	help := newHelp()
	root.SetHelpCommand(help)
	root.AddCommand(help)
	strict(root)
	if completing(a.args) {
		offers(a, root)
	}
	root.SetHelpTemplate(root.HelpTemplate() + "{{if not .HasParent}}\n" + rootHelp + exitHelp + "{{end}}")
	return root
}

// newHelp prints the help of a verb, and knows when there is none of that name.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use: "help [VERB]…", Short: "Explain a verb", GroupID: "care",
		RunE: func(cmd *cobra.Command, args []string) error {
			about, err := findVerb(cmd.Root(), args)
			if err != nil {
				return err
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	}
}

// findVerb gives the verb, or verb of a verb, that words name; of no words, root.
func findVerb(root *cobra.Command, words []string) (*cobra.Command, error) {
	cmd := root
	for _, w := range words {
		i := slices.IndexFunc(cmd.Commands(), func(c *cobra.Command) bool { return c.Name() == w })
		if i < 0 {
			return nil, unknownVerb(cmd, w)
		}
		cmd = cmd.Commands()[i]
	}
	return cmd, nil
}

// strict makes a word after a group of verbs an error, where cobra prints help as
// if all were well.
func strict(cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		strict(sub)
		if sub.HasSubCommands() && !sub.Runnable() {
			sub.Args = func(cmd *cobra.Command, args []string) error {
				if len(args) == 0 {
					return nil
				}
				return unknownVerb(cmd, args[0])
			}
			sub.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	}
}

// unknownVerb says that a command has no verb of a name, and which there are.
func unknownVerb(cmd *cobra.Command, name string) error {
	if cmd.HasParent() {
		var names []string
		for _, sub := range cmd.Commands() {
			names = append(names, sub.Name())
		}
		return term.Hint(term.Usagef("%s: there is no %q", verb(cmd), name), "%s", strings.Join(names, ", "))
	}
	err := term.Usagef("unknown verb %q", name)
	if near := cmd.SuggestionsFor(name); len(near) > 0 {
		return term.Hint(err, "did you mean `learnings %s`?", near[0])
	}
	return term.Hint(err, "`learnings help` lists the verbs")
}

// gone are flags that earlier versions had, each with what to type now.
var gone = map[string]string{
	"search --ranker":   "`learnings search QUERY` has the best match first",
	"inject --ranker":   "`learnings inject --why` says why each lesson is in or out; `learnings import --from mcp QUERY` asks a memory server",
	"inject --format":   "`learnings inject` prints the block that sessions get, and `--json` its lessons",
	"extract --batch":   "`learnings extract --model NAME` asks at once, at the usual price",
	"setup --at-end":    "what you teach an agent is proposed when its session has ended",
	"merge --summary":   "`learnings merge ID ID --content 'one rule that says it all'`",
	"index --embed":     "lessons are found by the word vectors that are built in: `learnings search QUERY`",
	"backtest --ranker": "`learnings backtest` replays with the order of this program",
}

// flagError words an error about flags, and names the flag that was probably meant.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "" {
		if now, ok := gone[verb(cmd)+" --"+unknown.GetSpecifiedName()]; ok {
			return term.Hint(term.Usagef("--%s is no longer a flag of %s", unknown.GetSpecifiedName(), verb(cmd)), "%s", now)
		}
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		typed := unknown.GetSpecifiedName()
		if near, ok := settings.Nearest(typed, names); ok {
			err = fmt.Errorf("unknown flag --%s: did you mean --%s?", typed, near)
		}
	}
	return term.Hint(term.Usagef("%v", err), "`%s --help` lists the flags", cmd.CommandPath())
}

// begin checks what holds for every verb.
func begin(a *app, cmd *cobra.Command) error {
	if f := cmd.Flags().Lookup("limit"); f != nil && f.Changed && strings.HasPrefix(f.Value.String(), "-") {
		return term.Hint(term.Usagef("--limit must not be negative, and is %s", f.Value), "0 is for all")
	}
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
