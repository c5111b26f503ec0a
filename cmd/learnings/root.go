package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/cli"
	"learnings/cmd/internal/term"
	"learnings/lessons"
)

// verbs lists all verbs by their group in help. Only programs call the last group, which
// help leaves out.
var verbs = []struct {
	group, title string
	make         []func(*app) *cobra.Command
}{
	{"first", "The verbs to begin with:", []func(*app) *cobra.Command{
		newSetup, newExtract, newReview, newShow, newSearch, newApprove, newReject, newEdit, newUndo, newCheck, newInject, newDoctor}},
	{"more", "More:", []func(*app) *cobra.Command{
		newSessions, newPause, newAdd, newMerge, newResolve, newGuard, newFeedback, newForget, newStats, newHistory,
		newImport, newExport, newPublish, newSync, newConfig, newMCP}},
	{"programs", "", []func(*app) *cobra.Command{newHook, newStatus, newIndex, newMan, newVersion}},
}

// former maps verbs of earlier versions to their replacements.
var former = map[string]string{
	"archive": "edit ID --status archived", "confirm": "approve ID", "reopen": "edit ID --status pending", "pin": "edit ID --pin", "unpin": "edit ID --unpin",
	"restore": "edit ID --restore N", "split": "merge --apart ID", "redo": "undo --redo",
	"models": "stats models", "projects": "stats projects` and `learnings config rename OLD NEW", "share": "export --to team ID", "report": "export --to html FILE",
}

// still are former verbs that scripts and skills of earlier versions call. They work,
// with a note on stderr of the new name.
var still = map[string][]string{
	"contradictions": {"check", "contradictions"}, "duplicates": {"check", "duplicates"}, "lint": {"check", "lint"}, "recurring": {"check", "recurring"}, "stale": {"check", "stale"},
	"backtest": {"stats", "backtest"}, "outcomes": {"stats", "outcomes"}, "log": {"history"}, "watch": {"extract", "--watch"}, "resume": {"pause", "--end"},
}

// gone maps flags of earlier versions to their replacements.
var gone = map[string]string{
	"search --ranker":          "`learnings search QUERY` has the best match first",
	"inject --ranker":          "`learnings inject --why` says why each lesson is in or out; `learnings import --from mcp QUERY` asks a memory server",
	"inject --format":          "`learnings inject` prints the block that sessions get, and `--json` its lessons",
	"extract --batch":          "`learnings extract --model NAME` asks at once, at the usual price",
	"check duplicates --model": "`learnings merge ID ID --model` asks about some",
	"setup --at-end":           "what you teach an agent is proposed when its session has ended",
	"merge --summary":          "`learnings merge ID ID --content 'one rule that says it all'`",
	"index --embed":            "lessons are found by the word vectors that are built in: `learnings search QUERY`",
	"stats backtest --ranker":  "`learnings stats backtest` replays with the order of this program",
}

// translated replaces a former verb. It drops the arguments of a verb that is gone, so
// that an unknown flag does not hide the hint.
func (a *app) translated(args []string) []string {
	for i, arg := range args {
		if strings.HasPrefix(arg, "-") || i > 0 && args[i-1] == "--dir" {
			continue
		}
		if now, ok := still[arg]; ok {
			a.Note("%s is `learnings %s` now", arg, strings.Join(now, " "))
			return slices.Concat(args[:i], now, args[i+1:])
		}
		if _, ok := former[arg]; ok {
			return args[:i+1]
		}
		break
	}
	return args
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
		SilenceUsage: true, SilenceErrors: true, Version: versionLine(), SuggestionsMinimumDistance: 2,
		Args:              cli.Former(former),
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return begin(a, cmd) },
		RunE:              func(cmd *cobra.Command, _ []string) error { return openDesk(cmd.Context(), a) },
	}
	root.SetArgs(withModels(a.translated(a.args)))
	root.SetIn(a.In)
	root.SetOut(a.Out)
	root.SetErr(a.Err)
	root.SetFlagErrorFunc(cli.FlagError(gone, lessons.Nearest))
	root.SetVersionTemplate("{{.Version}}\n")
	root.PersistentFlags().StringVar(&a.dir, "dir", "", "folder of the corpus (default: LEARNINGS_DIR, or the XDG data folder)")
	root.PersistentFlags().BoolVar(&a.sample, "sample", false, "work on built-in sample data in a temporary folder")
	for _, g := range verbs {
		if g.title != "" {
			root.AddGroup(&cobra.Group{ID: g.group, Title: g.title})
		}
		for _, newVerb := range g.make {
			cmd := newVerb(a)
			if cmd.Hidden = g.title == ""; !cmd.Hidden {
				cmd.GroupID = g.group
			}
			root.AddCommand(cmd)
		}
	}
	root.InitDefaultCompletionCmd()
	if c, _, err := root.Find([]string{"completion"}); err == nil {
		c.Hidden = true
		// cobra would print its help for any word and succeed.
		c.Args, c.RunE = cli.Args(0, 0, ""), func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	}
	help := newHelp(a)
	root.SetHelpCommand(help)
	root.AddCommand(help)
	if cli.Completing(a.args) {
		offers(a, root)
	}
	root.SetHelpTemplate(root.HelpTemplate() + "{{if not .HasParent}}\n" + rootHelp + exitHelp + "{{end}}")
	return root
}

// newHelp returns the help verb, which rejects unknown names.
func newHelp(a *app) *cobra.Command {
	v := a.verb("help", needsNothing, nil)
	all := v.Bool("all", false, "all verbs, the places and the exit codes")
	v.Cmd.Hidden = true
	return v.Run(func(_ context.Context, args []string) error {
		about, err := cli.Find(v.Cmd.Root(), args)
		if err != nil {
			return err
		}
		about.InitDefaultHelpFlag()
		if !about.HasParent() && !*all {
			firstPage(about)
			return nil
		}
		return about.Help()
	})
}

// firstPage lists the verbs to begin with.
func firstPage(root *cobra.Command) {
	w := root.OutOrStdout()
	fmt.Fprintf(w, "%s\n\n%s\n", rootLong, verbs[0].title)
	for _, cmd := range root.Commands() {
		if cmd.GroupID == verbs[0].group {
			fmt.Fprintf(w, "  %-9s %s\n", cmd.Name(), cmd.Short)
		}
	}
	fmt.Fprint(w, "\n`learnings help --all` lists all verbs, `learnings help VERB` explains one.\n")
}

func newMan(a *app) *cobra.Command {
	v := a.verb("man", needsNothing, nil)
	to := v.String("to", "", "write the pages into this `folder` instead, one file each")
	return v.Run(func(_ context.Context, args []string) error {
		about, err := cli.Find(v.Cmd.Root(), args)
		if err != nil {
			return err
		}
		m := cli.Manual{Version: buildVersion().version, Parts: []string{rootHelp, exitHelp}}
		if *to != "" {
			return m.Write(about, a.absolute(*to))
		}
		_, err = fmt.Fprint(a.Out, m.Page(about))
		return err
	})
}

// begin checks what every verb requires.
func begin(a *app, cmd *cobra.Command) error {
	if f := cmd.Flags().Lookup("limit"); f != nil && f.Changed && strings.HasPrefix(f.Value.String(), "-") {
		return term.Hint(term.Usagef("--limit must not be negative, and is %s", f.Value), "0 is for all")
	}
	if !a.sample {
		return nil
	}
	if a.dir != "" {
		return term.Usagef("--sample has a corpus of its own; leave out --dir")
	}
	if err := a.locate(); err != nil {
		return err
	}
	a.Warn("sample data in %s; nothing of yours is read or written", a.places.Corpus)
	return nil
}
