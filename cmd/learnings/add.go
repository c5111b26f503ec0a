package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"learnings/cmd/internal/render"
	"learnings/cmd/internal/term"
	"learnings/extractor/intake"
	"learnings/extractor/redact"
	"learnings/index/curate"
	"learnings/lessons"
)

type addOptions struct {
	fields  fieldFlags
	pending bool
	json    bool
}

// addConfidence is how sure we are of what a person took the trouble to write.
const addConfidence = "0.8"

func newAdd(a *app) *cobra.Command {
	var o addOptions
	cmd := &cobra.Command{
		Use: "add [CONTENT|-]", Short: "Write a lesson yourself",
		Long: "Add stores a lesson that you wrote: approved at once, for a person wrote it, or\n" +
			"with --pending for a later review, which is all that an agent may do. Without\n" +
			"content it asks for each part on a terminal; with - it reads it from standard input.\n\n" +
			"--set sets a field: " + strings.Join(fieldNames, ", ") + ".\n" +
			"Each is also a flag of its own.",
		Example: "  learnings add 'Run make generate after editing any .proto file' --set category=workflow --set tag=proto",
		Args:    nargs(0, 1, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.fields.parse(); err != nil {
				return err
			}
			g := &o.fields.given
			if len(args) > 0 {
				if g.Content != nil {
					return term.Usagef("the content is given twice: as an argument and by --content")
				}
				g.Content = &args[0]
			}
			if o.fields.content() == "-" {
				text, err := io.ReadAll(io.LimitReader(a.In, lessons.MaxContent+1)) // one too long is refused like any other
				if err != nil {
					return fmt.Errorf("reading the content from standard input: %w", err)
				}
				g.Content = new(string(text))
			}
			return add(cmd.Context(), a, o)
		},
	}
	o.fields.register(cmd)
	cmd.Flags().BoolVar(&o.pending, "pending", false, "leave it as a proposal that waits, instead of making it active")
	takeStyle(cmd)
	cmd.Flags().BoolVar(&o.json, "json", false, "print the lesson as JSON")
	return cmd
}

func add(ctx context.Context, a *app, o addOptions) error {
	c, err := a.curated()
	if err != nil {
		return err
	}
	if !o.pending {
		c, err = a.decider("add approved ones")
	} else if c.Agent == "" {
		c.By, err = a.me()
	}
	if err != nil {
		return err
	}
	l, err := o.lesson(ctx, a)
	if err != nil {
		return err
	}
	if l.Origin.Extractor = "person"; c.Agent != "" {
		l.Origin.Extractor = "agent"
	}
	if err := checkKnown(ctx, a, l); err != nil {
		return err
	}
	done, store := "added", c.Add
	if o.pending {
		done, store = "proposed", c.Propose
	}
	if l, err = store(l); err != nil {
		return err
	}
	a.follow(ctx)
	if err := a.tell(done, []lessons.Lesson{l}, o.json); err != nil {
		return err
	}
	if !o.pending {
		render.WarnContradicted(ctx, a.Console, c, []lessons.Lesson{l})
	}
	return nil
}

// checkKnown looks for a lesson that says what a new one says, in whatever category.
// An agent is told so, and its proposal is not queued: a rejected lesson comes back
// by evidence and not by being proposed again. A person is told, and may mean it.
func checkKnown(ctx context.Context, a *app, l lessons.Lesson) error {
	c, err := a.curated()
	if err != nil {
		return err
	}
	if err := synced(ctx, c.Hasty()); err != nil && ctx.Err() == nil {
		a.Warn("the same may stand there already: %v", err)
	}
	k, err := intake.New(c.Store, c.Index).Known(ctx, l)
	if err != nil || k.ID == "" {
		return err
	}
	says := fmt.Sprintf("%s, which is %s, says the same", k.ID, k.Status)
	if old, err := c.Store.Get(k.ID); err == nil && old.Status == lessons.Rejected && old.Decided.Reason != "" {
		says += "; the reason was: " + lessons.Line(old.Decided.Reason)
	}
	if c.Agent == "" {
		a.Warn("%s", says)
		return nil
	}
	return term.Hint(fmt.Errorf("%w: %s", curate.ErrNothing, says), "`learnings show %s`", k.ID)
}

// lesson makes the lesson of what was given or, on a terminal, is typed now.
func (o addOptions) lesson(ctx context.Context, a *app) (lessons.Lesson, error) {
	c, err := a.configuration()
	if err != nil {
		return lessons.Lesson{}, err
	}
	if o.fields.content() == "" {
		if !a.Interactive() {
			return lessons.Lesson{}, term.Hint(term.Usagef("add needs the content of the lesson"), "learnings add 'one clear sentence' --category workflow")
		}
		if err := o.ask(ctx, a); err != nil {
			return lessons.Lesson{}, err
		}
	}
	l := lessons.Lesson{Status: lessons.Pending, Category: "preference", Created: a.now()}
	l.Scope = lessons.Scope{Project: a.project(a.cwd), Role: c.Role.Value}
	l.Confidence, _ = lessons.ParseConfidence(addConfidence)
	l.Content = o.fields.content()
	l.ID = lessons.IDFrom("person", l.Content, l.Created.UTC().Format("20060102150405.000000000"))
	if l, err = o.fields.apply(a, l); err != nil {
		return l, err
	}
	l.Proof = lessons.Proof{} // what is given for a new lesson is where its proof begins
	redactor := redact.New()
	clean := redactor.Lesson(l)
	if clean.Content != l.Content || clean.Insight != l.Insight || clean.Example != l.Example {
		a.Warn("something that looks like a secret was taken out: edit the lesson if it was none")
	}
	return clean, nil
}

// ask asks for the parts, in the order of `/learnings add`.
func (o *addOptions) ask(ctx context.Context, a *app) error {
	g := &o.fields.given
	for _, q := range []struct {
		question string
		to       pflag.Value
		given    bool
	}{
		{"Category [preference]: ", textFlag{&g.Category}, g.Category != nil},
		{"Keywords, with commas: ", listFlag{&g.Tags}, g.Tags != nil},
		{"Summary (one clear sentence): ", textFlag{&g.Content}, false},
		{"Insight (why, when; may be empty): ", textFlag{&g.Insight}, g.Insight != nil},
		{"Example (may be empty): ", textFlag{&g.Example}, g.Example != nil},
	} {
		if q.given {
			continue
		}
		text, err := a.Ask(ctx, q.question)
		if errors.Is(err, io.EOF) {
			return term.Usagef("nothing was added: the input ended at %q", strings.TrimSuffix(q.question, ": "))
		} else if err != nil {
			return fmt.Errorf("reading what was typed: %w", err)
		}
		if text != "" {
			if err := q.to.Set(text); err != nil {
				return err
			}
		}
	}
	if o.fields.content() == "" {
		return term.Usagef("nothing was added: a lesson needs a summary")
	}
	return nil
}
