package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"learnings/cmd/internal/term"
	"learnings/index/curate"
	"learnings/lessons"
)

type editOptions struct {
	id     string
	fields fieldFlags
	take   bool // the wording that is offered
	model  modelOptions
	json   bool
}

func newEdit(a *app) *cobra.Command {
	var o editOptions
	cmd := &cobra.Command{
		Use: "edit ID", Short: "Change a lesson in your editor, or field by field",
		Long: "Edit opens the lesson's file in $VISUAL or $EDITOR. What you write is kept until\n" +
			"it is the lesson: an editor that fails or a slip in the file loses nothing.\n" +
			"Evidence can be taken out there, and not reworded.\n" +
			"With a flag for a field it changes that and opens no editor. With --take a proposal\n" +
			"becomes what it is offered: a better wording of the same moment, as `learnings\n" +
			"show ID` prints it. With --model a model is asked for one: it is sent the\n" +
			"proposal and what was said around it, and what it words becomes the offer.",
		Example: "  learnings edit k7m2p9qx\n  learnings edit k7m2p9qx --confidence 0.9 --tag ci --tag proto",
		Args:    nargs(1, 1, "one id"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.id = args[0]
			if o.take && o.fields.any() {
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
	mergeModelFlags(cmd, &o.model)
	cmd.Flags().BoolVar(&o.take, "take", false, "take the wording that the proposal is offered")
	cmd.Flags().BoolVar(&o.json, "json", false, "print the lesson as it is now as JSON")
	return cmd
}

func edit(ctx context.Context, a *app, o editOptions) error {
	c, err := a.decider("edit them")
	if err != nil {
		return err
	}
	ls, err := a.named([]string{o.id})
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
type fieldFlags struct{ given curate.Typed }

func (f *fieldFlags) register(cmd *cobra.Command) {
	g := &f.given
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
		{"path", listFlag{&g.Paths}, "files for which alone it holds, such as 'migrations/**'; repeat for more, '' for all"},
		{"agent", textFlag{&g.Agent}, "the one agent that it is for; '' for all"},
		{"expires", textFlag{&g.Until}, "the day from which it holds no more, such as 2026-12-01 or 30d; '' for never"},
	} {
		cmd.Flags().Var(x.value, x.name, x.usage)
	}
	cmd.Flags().Lookup("trigger").Hidden = true
	cmd.Flags().BoolFunc("global", "it holds in every project", func(s string) error {
		global, err := strconv.ParseBool(s)
		g.Global = &global
		return err
	})
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
