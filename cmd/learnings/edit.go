package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"learnings/cmd/internal/term"
	"learnings/index/curate"
	"learnings/lessons"
)

type editOptions struct {
	ids    []string
	fields fieldFlags
	act    actFlags
	take   bool // the wording that is offered
	model  modelOptions
	json   bool
}

func newEdit(a *app) *cobra.Command {
	var o editOptions
	cmd := &cobra.Command{
		Use: "edit ID…", Short: "Change a lesson in your editor, or parts of it; set a status, pin, snooze",
		Long: "Edit opens the lesson's file in $VISUAL or $EDITOR. What you write is kept until\n" +
			"it is the lesson: an editor that fails or a slip in the file loses nothing.\n" +
			"Evidence can be taken out there, and not reworded.\n\n" +
			"With --set it changes one field and opens no editor: " + strings.Join(fieldNames, ", ") + ".\n" +
			"A field that may have several values takes them with --set again; an empty value\n" +
			"takes out what is there. Each field is also a flag of its own: --content 'TEXT'.\n\n" +
			"--status, --pin, --unpin and --snooze take several ids, or - for ids on standard\n" +
			"input. --status archived takes lessons out of use, --status pending has them wait\n" +
			"for a decision again. What is pinned stays fresh at any age. What is snoozed is not\n" +
			"asked about until then: 2d, 1w, 2026-12-01. --restore N brings back the text of\n" +
			"version N, as `learnings history ID` numbers them; evidence, counters and status stay.\n\n" +
			"With --take a proposal becomes what it is offered, as `learnings show ID` prints it.\n" +
			"With --model a model is asked for a better wording: it is sent the proposal and what\n" +
			"was said around it, and what it words becomes the offer.",
		Example: "  learnings edit k7m2p9qx\n  learnings edit k7m2p9qx --set confidence=0.9 --set tag=ci --set tag=proto\n  learnings edit k7m2p9qx --status archived --reason 'we left npm'",
		Args:    anyIDs,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.ids = args
			if err := o.fields.parse(); err != nil {
				return err
			}
			act, err := o.act.action(a, cmd.Flags().Changed)
			if err != nil {
				return err
			}
			if act != nil && (o.fields.any() || o.take || cmd.Flags().Changed("model")) {
				return term.Usagef("--status, --pin, --unpin, --snooze and --restore change nothing else; leave out the other flags")
			}
			switch {
			case o.act.restore > 0 && len(args) == 1:
				return restore(cmd.Context(), a, args[0], o.act.restore, o.json)
			case act != nil:
				return decideNamed(cmd.Context(), a, *act, decideOptions{ids: args, reason: o.act.reason, json: o.json})
			case len(args) > 1:
				return term.Hint(term.Usagef("edit: one argument too many: %q", args[1]), "%s", usageLine(cmd))
			case o.take && o.fields.any():
				return term.Usagef("--take takes the whole wording; leave out the flags of fields")
			}
			if err := o.model.pick(a, cmd.Flags().Changed); err != nil {
				return err
			}
			if o.model.name != "" && (o.take || o.fields.any()) {
				return term.Usagef("--model asks for a wording; leave out --take and the flags of fields")
			}
			return edit(cmd.Context(), a, o)
		},
	}
	o.fields.register(cmd)
	o.act.register(cmd)
	mergeModelFlags(cmd, &o.model)
	hide(cmd, "max-usd")
	cmd.Flags().BoolVar(&o.take, "take", false, "take the wording that the proposal is offered")
	cmd.Flags().BoolVar(&o.json, "json", false, "print the lesson as it is now as JSON")
	return cmd
}

// hide leaves flags out of help. They work, and the text above them names them.
func hide(cmd *cobra.Command, flags ...string) {
	for _, name := range flags {
		cmd.Flags().Lookup(name).Hidden = true
	}
}

// actFlags are decisions as flags of edit.
type actFlags struct {
	status, snooze, reason string
	pin, unpin             bool
	restore                int
}

func (f *actFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.status, "status", "", "pending, approved, rejected or archived")
	cmd.Flags().BoolVar(&f.pin, "pin", false, "keep it fresh at any age, and do not ask about it again")
	cmd.Flags().BoolVar(&f.unpin, "unpin", false, "let it age again")
	cmd.Flags().StringVar(&f.snooze, "snooze", "", "ask about it again only after this `TIME`")
	cmd.Flags().StringVar(&f.reason, "reason", "", "why the status changes, in a few words")
	cmd.Flags().IntVar(&f.restore, "restore", 0, "bring back the text of this version")
	hide(cmd, "reason", "restore")
}

// statuses are the decisions that set a status.
var statuses = map[string]curate.Action{"pending": curate.Reopen, "approved": curate.Approve, "rejected": curate.Reject, "archived": curate.Archive}

// action is the one decision that the flags ask for; nil for none.
func (f *actFlags) action(a *app, given func(flag string) bool) (act *curate.Action, err error) {
	n := 0
	choose := func(flag string, x curate.Action) {
		if given(flag) {
			n++
			act = &x
		}
	}
	choose("pin", curate.Pin)
	choose("unpin", curate.Unpin)
	choose("restore", curate.Action{})
	if given("status") {
		x, ok := statuses[f.status]
		if !ok {
			return nil, term.Hint(term.Usagef("edit cannot set the status %q", f.status), "pending, approved, rejected or archived; `learnings merge` merges")
		}
		choose("status", x)
	}
	if given("snooze") {
		until, err := term.Until(f.snooze, a.now())
		if err != nil {
			return nil, err
		}
		choose("snooze", curate.Snooze(until))
	}
	switch {
	case n > 1:
		return nil, term.Usagef("only one of --status, --pin, --unpin, --snooze and --restore")
	case given("restore") && f.restore < 1:
		return nil, term.Hint(term.Usagef("restore: %d is not the number of a version", f.restore), "`learnings history ID` lists them")
	case f.reason != "" && !given("status"):
		return nil, term.Usagef("--reason goes with --status")
	}
	return act, nil
}

func edit(ctx context.Context, a *app, o editOptions) error {
	c, err := a.decider("edit them")
	if err != nil {
		return err
	}
	ls, err := a.named(o.ids)
	if err != nil {
		return err
	}
	l := ls[0]
	if o.model.name != "" {
		l, err = reword(ctx, a, c, o.model, l)
		if errors.Is(err, errDeclined) {
			a.follow(ctx)
			return nil
		} else if err != nil {
			return err
		}
	} else if o.take {
		if l, err = c.Decide(curate.Take, l); err != nil {
			return err
		}
	} else if o.fields.any() {
		next, err := o.fields.apply(a, l)
		if err != nil {
			return err
		}
		if l, err = c.Decide(curate.Edit(next), l); err != nil {
			return err
		}
	} else if l, err = editLesson(ctx, a, c, l); errors.Is(err, curate.ErrUnchanged) {
		a.Say("%s  nothing was changed", l.ID)
		return nil
	} else if err != nil {
		return err
	}
	a.follow(ctx)
	return a.tell("edited", []lessons.Lesson{l}, o.json)
}

// editLesson lets the person edit a lesson and stores what came of it.
func editLesson(ctx context.Context, a *app, c *curate.Corpus, l lessons.Lesson) (lessons.Lesson, error) {
	edited, d, err := a.rewrite(ctx, c, l)
	if err != nil {
		return l, err
	}
	stored, err := c.Decide(curate.EditDraft(d, edited), l)
	if err != nil {
		return l, keptIn(a, d, err)
	}
	return stored, nil
}

// fieldFlags are the fields of a lesson as flags, for add and edit.
type fieldFlags struct {
	given curate.Typed
	set   []string
	flags *pflag.FlagSet
}

// fieldNames are what --set can set. Each is also a flag.
var fieldNames = []string{"content", "insight", "example", "category", "confidence", "project", "role", "tag", "when", "path", "agent", "expires", "global"}

func (f *fieldFlags) register(cmd *cobra.Command) {
	g := &f.given
	f.flags = cmd.Flags()
	cmd.Flags().StringArrayVar(&f.set, "set", nil, "set a field, as in confidence=0.9 or tag=ci; repeat it for more (`FIELD=VALUE`)")
	for _, x := range []struct {
		name  string
		value pflag.Value
		usage string
	}{
		{"content", textFlag{&g.Content}, "the lesson: one clear sentence"},
		{"insight", textFlag{&g.Insight}, "why, and when it holds (Markdown)"},
		{"example", textFlag{&g.Example}, "a minimal command or snippet"},
		{"category", textFlag{&g.Category}, "such as preference, correction, errors, workflow, tools, architecture"},
		{"confidence", textFlag{&g.Confidence}, "a number from 0 to 1, or high, medium, low; auto goes back to the computed one"},
		{"project", textFlag{&g.Project}, "the project that it is for"},
		{"role", textFlag{&g.Role}, "the agent's role that it is for"},
		{"tag", listFlag{&g.Tags}, "a tag; repeat it for more (these replace the old ones)"},
		{"when", listFlag{&g.Triggers}, "when it shows: words of who will complain, names of files, functions, errors; repeat for more"},
		{"trigger", listFlag{&g.Triggers}, "the older name of --when"},
		{"path", listFlag{&g.Paths}, "the only files for which it holds, such as 'migrations/**'; repeat for more, '' for all"},
		{"agent", textFlag{&g.Agent}, "the one agent that it is for; '' for all"},
		{"expires", textFlag{&g.Until}, "the day from which it holds no more, such as 2026-12-01 or 30d; '' for never"},
	} {
		cmd.Flags().Var(x.value, x.name, x.usage)
		hide(cmd, x.name)
	}
	cmd.Flags().BoolFunc("global", "it holds in every project", func(s string) error {
		global, err := strconv.ParseBool(s)
		g.Global = &global
		return err
	})
	hide(cmd, "global")
}

// parse takes in what --set gives.
func (f *fieldFlags) parse() error {
	for _, set := range f.set {
		name, value, ok := strings.Cut(set, "=")
		if !ok || !slices.Contains(fieldNames, name) {
			return term.Hint(term.Usagef("--set %q: a field and a value are wanted, as in confidence=0.9", set), "the fields are %s", strings.Join(fieldNames, ", "))
		}
		if err := f.flags.Set(name, value); err != nil {
			return term.Usagef("--set: %v", err)
		}
	}
	return nil
}

// A textFlag is a flag that is nil until it is given.
type textFlag struct{ to **string }

func (f textFlag) Set(s string) error { *f.to = &s; return nil }
func (f textFlag) String() string     { return "" }
func (f textFlag) Type() string       { return "string" }

// A listFlag is nil until it is given, and may be given again.
type listFlag struct{ to **[]string }

func (f listFlag) Set(s string) error {
	if *f.to == nil {
		*f.to = new([]string)
	}
	**f.to = append(**f.to, s)
	return nil
}
func (f listFlag) String() string { return "" }
func (f listFlag) Type() string   { return "stringArray" }

// content is the sentence that was given, or nothing.
func (f *fieldFlags) content() string {
	if f.given.Content == nil {
		return ""
	}
	return strings.TrimSpace(*f.given.Content)
}

func (f *fieldFlags) any() bool { return f.given != curate.Typed{} }

// apply sets the fields that were given.
func (f *fieldFlags) apply(a *app, l lessons.Lesson) (lessons.Lesson, error) {
	g := f.given
	if g.Project != nil {
		c, err := a.configuration()
		if err != nil {
			return l, err
		}
		name := c.Canonical(strings.TrimSpace(*g.Project))
		g.Project = &name
	}
	next, err := g.On(l, a.now())
	if err != nil {
		return l, term.Usagef("%v", err)
	}
	if err := next.Validate(); err != nil {
		return l, fmt.Errorf("%s: %w", l.ID, err)
	}
	return next, nil
}
