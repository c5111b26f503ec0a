package main

import (
	"cmp"
	"context"
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

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

// gone maps flags of earlier versions, of one verb or of several, to their replacements.
var gone = map[string]string{
	"search --ranker":          "`learnings search QUERY` has the best match first",
	"inject --ranker":          "`learnings inject --why` says why each lesson is in or out; `learnings import --from mcp QUERY` asks a memory server",
	"inject --format":          "`learnings inject` prints the block that sessions get, and `--json` its lessons",
	"extract --batch":          "`learnings extract --model NAME` asks at once, at the usual price",
	"check duplicates --model": "`learnings merge ID ID --model` asks about some",
	"man --to":                 "`learnings man > learnings.1` writes all in one page",
	"--style":                  "leave it out: there are no styles of other programs any more",
	"setup --prompt":           "`learnings help status` has the lines for shells, starship, tmux and Claude Code",
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

// The help of the program as a whole.
var rootLong, rootHelp, exitHelp = helpText("learnings"), helpText("learnings-places"), helpText("learnings-exit-codes")

// newRoot builds the tree of commands.
func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use: "learnings", Short: "Lessons from the sessions of coding agents", Long: rootLong,
		SilenceUsage: true, SilenceErrors: true, Version: versionLine(), SuggestionsMinimumDistance: 2,
		Args:              formerVerb(former),
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return begin(a, cmd) },
		RunE:              func(cmd *cobra.Command, _ []string) error { return openDesk(cmd.Context(), a) },
	}
	root.SetArgs(withModels(a.translated(a.args)))
	root.SetIn(a.In)
	root.SetOut(a.Out)
	root.SetErr(a.Err)
	root.SetFlagErrorFunc(flagError(gone, lessons.Nearest))
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
		c.Args, c.RunE = countArgs(0, 0, ""), func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	}
	help := newHelp(a)
	root.SetHelpCommand(help)
	root.AddCommand(help)
	if completing(a.args) {
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
		about, err := findVerb(v.Cmd.Root(), args)
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
	return v.Run(func(_ context.Context, args []string) error {
		about, err := findVerb(v.Cmd.Root(), args)
		if err != nil {
			return err
		}
		_, err = fmt.Fprint(a.Out, manual(about, buildVersion().version, rootHelp, exitHelp))
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

// helpTexts hold the help of each verb, in a file of its name.
//
//go:embed help
var helpTexts embed.FS

// A verb is a command in the making, with its flags.
type verb struct {
	*pflag.FlagSet
	Cmd *cobra.Command
}

// A need opens what a verb requires before it runs.
type need func(*app) error

// The needs, each including those above. They create no folder before the first write.
var (
	needsNothing  need = func(*app) error { return nil }
	needsPlaces        = (*app).locate
	needsSettings      = (*app).configure
	needsReading       = (*app).open // also where the settings are broken
	needsCorpus   need = func(a *app) error { return cmp.Or(a.open(), a.broken) }
)

// needsPerson is the need of verbs that only a person may run. The deed completes the
// error, as in "approve lessons".
func needsPerson(deed string) need { return func(a *app) error { return a.person(deed) } }

// needsSeat is needsPerson for deeds that cannot wait to be confirmed.
func needsSeat(deed string) need { return func(a *app) error { return a.seated(deed) } }

// verb makes a verb from its help: a usage line, a summary line, the text, and examples.
// The pairs in fill replace words in braces in the help.
func (a *app) verb(name string, n need, args cobra.PositionalArgs, fill ...string) verb {
	use, rest, _ := strings.Cut(helpText(strings.ReplaceAll(name, " ", "-")), "\n")
	short, rest, _ := strings.Cut(rest, "\n")
	long, examples, _ := strings.Cut(rest, "\nExamples:\n")
	cmd := &cobra.Command{
		Use: use, Short: short, Long: strings.NewReplacer(fill...).Replace(strings.TrimSpace(long)), Example: strings.TrimRight(examples, "\n"),
		Args: args, PreRunE: func(*cobra.Command, []string) error { return n(a) },
	}
	return verb{cmd.Flags(), cmd}
}

func helpText(name string) string {
	text, err := helpTexts.ReadFile("help/" + name + ".txt")
	if err != nil {
		panic(err) // a bug in this program
	}
	return string(text)
}

// json adds --json.
func (v verb) json(a *app, usage string) { v.BoolVar(&a.JSON, "json", false, usage) }

func (v verb) project() *string { return v.String("project", "", "of this project only") }

// from adds --from, which names transcripts.
func (v verb) from() *[]string {
	return v.StringArray("from", nil, "look in this file or folder instead; repeat it for more")
}

// limit adds --limit; its value is negative when not given.
func (v verb) limit(usage string) *int { return v.IntP("limit", "n", -1, usage) }

const idsWanted = "ids, or - to read them from standard input"
