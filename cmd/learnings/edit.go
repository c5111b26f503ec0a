package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

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
			if o.fields.set = cmd.Flags().Changed; o.take && o.fields.any() {
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
		next := l
		if err := o.fields.apply(a, &next); err != nil {
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
	set                                 func(flag string) bool // whether it was given
	content, insight, example, category string
	confidence, project, role           string
	tags, triggers, paths               []string
	agent, expires                      string
	global                              bool
}

func (f *fieldFlags) register(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&f.content, "content", "", "the lesson: one clear sentence")
	fl.StringVar(&f.insight, "insight", "", "why, and when it holds (Markdown)")
	fl.StringVar(&f.example, "example", "", "a minimal command or snippet")
	fl.StringVar(&f.category, "category", "", "such as preference, correction, errors, workflow, tools, architecture")
	fl.StringVar(&f.confidence, "confidence", "", "a number from 0 to 1, or high, medium, low; auto goes back to the computed one")
	fl.StringVar(&f.project, "project", "", "the project that it is for")
	fl.StringVar(&f.role, "role", "", "the agent's role that it is for")
	fl.StringArrayVar(&f.tags, "tag", nil, "a tag; repeat it for more (these replace the old ones)")
	fl.StringArrayVar(&f.triggers, "trigger", nil, "words of a task to which it applies; repeat for more")
	fl.StringArrayVar(&f.paths, "path", nil, "files for which alone it holds, such as 'migrations/**'; repeat for more, '' for all")
	fl.StringVar(&f.agent, "agent", "", "the one agent that it is for; '' for all")
	fl.StringVar(&f.expires, "expires", "", "the day from which it holds no more, such as 2026-12-01; '' for never")
	fl.BoolVar(&f.global, "global", false, "it holds in every project")
}

// computedConfidence is what --confidence says to take back a person's own.
const computedConfidence = "auto"

var fieldNames = []string{"content", "insight", "example", "category", "confidence", "project", "role", "tag", "trigger", "path", "agent", "expires", "global"}

func (f *fieldFlags) any() bool {
	for _, name := range fieldNames {
		if f.set(name) {
			return true
		}
	}
	return false
}

// apply sets the fields that were given.
func (f *fieldFlags) apply(a *app, l *lessons.Lesson) error {
	for _, s := range []struct {
		flag, value string
		dst         *string
	}{
		{"content", f.content, &l.Content}, {"insight", f.insight, &l.Insight}, {"example", f.example, &l.Example},
		{"project", f.project, &l.Scope.Project}, {"role", f.role, &l.Scope.Role},
	} {
		if f.set(s.flag) {
			*s.dst = strings.TrimSpace(s.value)
		}
	}
	if f.set("project") {
		c, err := a.configuration()
		if err != nil {
			return err
		}
		l.Scope.Project = c.Canonical(l.Scope.Project)
	}
	if f.set("category") {
		c, err := lessons.ParseCategory(f.category)
		if err != nil {
			return term.Usagef("%v", err)
		}
		l.Category = c
	}
	if f.set("confidence") && f.confidence == computedConfidence {
		*l = l.Unrated()
	} else if f.set("confidence") {
		c, err := lessons.ParseConfidence(f.confidence)
		if err != nil {
			return term.Usagef("%v", err)
		}
		*l = l.Rated(c)
	}
	if f.set("tag") {
		l.Tags = splitCommas(f.tags)
	}
	if f.set("trigger") {
		l.Triggers = splitCommas(f.triggers)
	}
	if f.set("path") {
		l.Limit.Paths = splitCommas(f.paths)
	}
	if f.set("agent") {
		l.Limit.Agent = strings.TrimSpace(f.agent)
	}
	if f.set("expires") {
		l.Limit.Until = time.Time{}
		if f.expires != "" {
			at, err := term.Until(f.expires, a.now())
			if err != nil {
				return err
			}
			l.Limit.Until = at
		}
	}
	if f.set("global") {
		l.Scope.Global = f.global
	}
	if err := l.Validate(); err != nil {
		return fmt.Errorf("%s: %w", l.ID, err)
	}
	return nil
}

// splitCommas splits flags that hold several words with commas between them.
func splitCommas(flags []string) []string {
	var out []string
	for _, f := range flags {
		for w := range strings.SplitSeq(f, ",") {
			if w = strings.TrimSpace(w); w != "" {
				out = append(out, w)
			}
		}
	}
	return out
}
