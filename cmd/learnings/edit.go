package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/render"
	"learnings/cmd/internal/term"
	"learnings/extractor/intake"
	"learnings/extractor/redact"
	"learnings/index/curate"
	"learnings/lessons"
)

// fieldNames are the fields that --set takes. Each is also a hidden flag.
var fieldNames = []string{"content", "insight", "example", "category", "confidence", "project", "role", "tag", "when", "path", "agent", "expires", "global"}

// fields are a lesson's fields, given as flags of add and edit.
type fields struct{ given curate.Typed }

// fields adds the flags.
func (v verb) fields() *fields {
	f := &fields{}
	v.Func("set", "set a field, as in confidence=0.9 or tag=ci; repeat it for more (`FIELD=VALUE`)", func(set string) error {
		name, value, ok := strings.Cut(set, "=")
		if !ok || !slices.Contains(fieldNames, name) {
			return fmt.Errorf("a field and a value are wanted, as in confidence=0.9; the fields are %s", strings.Join(fieldNames, ", "))
		}
		return f.set(name, value)
	})
	for _, name := range append(slices.Clone(fieldNames[:len(fieldNames)-1]), "trigger") { // the former name of --when
		v.Func(name, "", func(value string) error { return f.set(name, value) })
		v.Hide(name)
	}
	v.BoolFunc("global", "", func(value string) error { return f.set("global", value) })
	v.Hide("global")
	return f
}

// set sets a field, or adds to one with several values.
func (f *fields) set(name, value string) error {
	g := &f.given
	one := map[string]**string{"content": &g.Content, "insight": &g.Insight, "example": &g.Example, "category": &g.Category, "confidence": &g.Confidence,
		"project": &g.Project, "role": &g.Role, "agent": &g.Agent, "expires": &g.Until}
	several := map[string]**[]string{"tag": &g.Tags, "when": &g.Triggers, "trigger": &g.Triggers, "path": &g.Paths}
	if to, ok := one[name]; ok {
		*to = &value
	} else if to, ok := several[name]; ok {
		if *to == nil {
			*to = new([]string)
		}
		**to = append(**to, value)
	} else {
		global, err := strconv.ParseBool(value)
		g.Global = &global
		return err
	}
	return nil
}

// content returns the sentence given, or "".
func (f *fields) content() string {
	if f.given.Content == nil {
		return ""
	}
	return strings.TrimSpace(*f.given.Content)
}

func (f *fields) any() bool { return f.given != curate.Typed{} }

// apply sets the given fields of a lesson.
func (f *fields) apply(a *app, l lessons.Lesson) (lessons.Lesson, error) {
	g := f.given
	if g.Project != nil {
		g.Project = new(a.conf.Canonical(strings.TrimSpace(*g.Project)))
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

// addConfidence is the confidence of a lesson that a person writes.
const addConfidence = "0.8"

func newAdd(a *app) *cobra.Command {
	v := a.verb("add", needsCorpus, countArgs(0, 1, ""))
	f := v.fields()
	pending := v.Bool("pending", false, "leave it as a proposal that waits, instead of making it active")
	v.json(a, "print the lesson as JSON")
	return v.Run(func(ctx context.Context, args []string) error {
		if len(args) > 0 {
			if f.given.Content != nil {
				return term.Usagef("the content is given twice: as an argument and by --content")
			}
			f.given.Content = &args[0]
		}
		if f.content() == "-" {
			text, err := io.ReadAll(io.LimitReader(a.In, lessons.MaxContent+1)) // a text that is too long is refused like any other
			if err != nil {
				return fmt.Errorf("reading the content from standard input: %w", err)
			}
			f.given.Content = new(string(text))
		}
		return add(ctx, a, f, *pending)
	})
}

func add(ctx context.Context, a *app, f *fields, pending bool) error {
	c, err := a.corpus, error(nil)
	if !pending {
		err = a.person("add approved ones")
	} else if c.Agent == "" {
		err = a.sign()
	}
	if err != nil {
		return err
	}
	l, err := newLesson(ctx, a, f)
	if err != nil {
		return err
	}
	if err := checkKnown(ctx, a, l); err != nil {
		return err
	}
	done, store := "added", c.Add
	if pending {
		done, store = "proposed", c.Propose
	}
	if l, err = store(l); err != nil {
		return err
	}
	a.follow(ctx)
	if err := a.tell(done, l); err != nil {
		return err
	}
	if !pending {
		render.WarnContradicted(ctx, a.Console, c, []lessons.Lesson{l})
	}
	return nil
}

// checkKnown looks for a lesson of any category that says the same as a new one. An agent
// gets an error: a rejected lesson comes back through evidence, not by being proposed
// again. A person gets a warning.
func checkKnown(ctx context.Context, a *app, l lessons.Lesson) error {
	c := a.corpus
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

// newLesson makes a lesson from the flags or, on a terminal, from answers.
func newLesson(ctx context.Context, a *app, f *fields) (l lessons.Lesson, err error) {
	if f.content() == "" {
		if !a.Interactive() {
			return l, term.Hint(term.Usagef("add needs the content of the lesson"), "learnings add 'one clear sentence' --category workflow")
		}
		if err := f.ask(ctx, a); err != nil {
			return l, err
		}
	}
	l = lessons.Lesson{Status: lessons.Pending, Category: "preference", Created: a.now()}
	l.Scope = lessons.Scope{Project: a.project(a.cwd), Role: a.conf.Role.Value}
	l.Confidence, _ = lessons.ParseConfidence(addConfidence)
	l.Content = f.content()
	l.ID = lessons.IDFrom("person", l.Content, l.Created.UTC().Format("20060102150405.000000000"))
	if l, err = f.apply(a, l); err != nil {
		return l, err
	}
	own := l.Proof.Own
	if l.Proof = (lessons.Proof{}); own { // a new lesson starts without proof, and with what the person says
		l.Proof = lessons.Proof{Prior: l.Confidence, Own: true}
	}
	l = redact.FromHome(l, a.home)
	clean := redact.New().Lesson(l)
	if clean.Content != l.Content || clean.Insight != l.Insight || clean.Example != l.Example {
		a.Warn("something that looks like a secret was taken out: edit the lesson if it was none")
	}
	if clean.Origin.Extractor = "person"; a.corpus.Agent != "" {
		clean.Origin.Extractor = "agent"
	}
	return clean, nil
}

// ask asks for each part, in the order of `/learnings add`.
func (f *fields) ask(ctx context.Context, a *app) error {
	g := &f.given
	for _, q := range []struct {
		field, question string
		given           bool
	}{
		{"category", "Category [preference]: ", g.Category != nil},
		{"tag", "Keywords, with commas: ", g.Tags != nil},
		{"content", "Summary (one clear sentence): ", false},
		{"insight", "Insight (why, when; may be empty): ", g.Insight != nil},
		{"example", "Example (may be empty): ", g.Example != nil},
	} {
		if q.given {
			continue
		}
		text, err := a.Ask(ctx, q.question)
		switch {
		case errors.Is(err, io.EOF):
			return term.Usagef("nothing was added: the input ended at %q", strings.TrimSuffix(q.question, ": "))
		case err != nil:
			return fmt.Errorf("reading what was typed: %w", err)
		case text != "":
			_ = f.set(q.field, text) // these fields take any text
		}
	}
	if f.content() == "" {
		return term.Usagef("nothing was added: a lesson needs a summary")
	}
	return nil
}

// statuses maps a status to the decision that sets it.
var statuses = map[string]curate.Action{"pending": curate.Reopen, "approved": curate.Approve, "rejected": curate.Reject, "archived": curate.Archive}

func newEdit(a *app) *cobra.Command {
	v := a.verb("edit", needsPerson("edit them"), countArgs(1, -1, idsWanted))
	f, m := v.fields(), v.model(a)
	take := v.Bool("take", false, "take the wording that the proposal is offered")
	status := v.String("status", "", "pending, approved, rejected or archived")
	v.Bool("pin", false, "keep it fresh at any age, and do not ask about it again")
	v.Bool("unpin", false, "let it age again")
	snooze := v.String("snooze", "", "ask about it again only after this `TIME`")
	reason := v.String("reason", "", "why the status changes, in a few words")
	version := v.Int("restore", 0, "bring back the text of this version")
	v.Hide("reason", "restore", "max-usd")
	v.json(a, "print the lesson as it is now as JSON")
	return v.Run(func(ctx context.Context, args []string) error {
		act, err := v.action(a, *status, *snooze, *version)
		if err == nil {
			err = m.pick(a)
		}
		switch {
		case err != nil:
			return err
		case *reason != "" && !v.Changed("status"):
			return term.Usagef("--reason goes with --status")
		case act != nil && (f.any() || *take || v.Changed("model")):
			return term.Usagef("--status, --pin, --unpin, --snooze and --restore change nothing else; leave out the other flags")
		case *version > 0 && len(args) == 1:
			return restore(ctx, a, args[0], *version)
		case act != nil:
			ls, err := a.named(args...)
			if err != nil {
				return err
			}
			return decide(ctx, a, act.Because(*reason), args, ls)
		case len(args) > 1:
			return term.Hint(term.Usagef("edit: one argument too many: %q", args[1]), "%s", usageLine(v.Cmd))
		case *take && f.any():
			return term.Usagef("--take takes the whole wording; leave out the flags of fields")
		case m.name != "" && (*take || f.any()):
			return term.Usagef("--model asks for a wording; leave out --take and the flags of fields")
		}
		return edit(ctx, a, args[0], f, *take, m)
	})
}

// action returns the decision that the flags of edit ask for, or nil.
func (v verb) action(a *app, status, snooze string, version int) (act *curate.Action, err error) {
	choices := map[string]curate.Action{"pin": curate.Pin, "unpin": curate.Unpin, "restore": {}}
	if v.Changed("status") {
		x, ok := statuses[status]
		if !ok {
			return nil, term.Hint(term.Usagef("edit cannot set the status %q", status), "pending, approved, rejected or archived; `learnings merge` merges")
		}
		choices["status"] = x
	}
	if v.Changed("snooze") {
		until, err := term.Until(snooze, a.now())
		if err != nil {
			return nil, err
		}
		choices["snooze"] = curate.Snooze(until)
	}
	for flag, x := range choices {
		if v.Changed(flag) && act != nil {
			return nil, term.Usagef("only one of --status, --pin, --unpin, --snooze and --restore")
		} else if v.Changed(flag) {
			act = &x
		}
	}
	if v.Changed("restore") && version < 1 {
		return nil, term.Hint(term.Usagef("restore: %d is not the number of a version", version), "`learnings history ID` lists them")
	}
	return act, nil
}

func edit(ctx context.Context, a *app, id string, f *fields, take bool, m *modelOptions) error {
	c := a.corpus
	ls, err := a.named(id)
	if err != nil {
		return err
	}
	l := ls[0]
	switch {
	case m.name != "":
		l, err = reword(ctx, a, m, l)
	case take:
		l, err = c.Decide(curate.Take, l)
	case f.any():
		var next lessons.Lesson
		if next, err = f.apply(a, l); err == nil {
			l, err = c.Decide(curate.Edit(next), l)
		}
	default:
		var d *curate.Draft
		var edited lessons.Lesson
		if edited, d, err = a.rewrite(ctx, l); err == nil {
			var stored lessons.Lesson
			if stored, err = c.Decide(curate.EditDraft(d, edited), l); err == nil {
				l = stored
			} else {
				err = keptIn(a, d, err)
			}
		}
		if errors.Is(err, curate.ErrUnchanged) {
			a.Say("%s  nothing was changed", l.ID)
			return nil
		}
	}
	if errors.Is(err, errDeclined) {
		a.follow(ctx)
		return nil
	} else if err != nil {
		return err
	}
	a.follow(ctx)
	return a.tell("edited", l)
}

// restore restores the text of an earlier version.
func restore(ctx context.Context, a *app, word string, n int) error {
	l, changed, err := a.corpus.Restore(word, n)
	if errors.Is(err, curate.ErrNothing) {
		return term.Hint(err, "`learnings history %s` lists the versions", word)
	} else if err != nil {
		return err
	}
	if !changed {
		a.Say("%s  is as it was in version %d already", l.ID, n)
		return nil
	}
	a.follow(ctx)
	return a.tell("restored", l)
}

// rewrite opens a lesson in the person's editor until the text is valid or they give up.
// The draft keeps the text; storing the lesson removes it.
func (a *app) rewrite(ctx context.Context, l lessons.Lesson) (lessons.Lesson, *curate.Draft, error) {
	editor, err := a.EditorCommand(a.getenv, a.goos)
	if err != nil {
		return l, nil, err
	}
	d, err := a.corpus.OpenDraft(l)
	if err != nil {
		return l, nil, err
	}
	if d.Again {
		a.Warn("going on with your text of last time, %s", a.short(d.Path))
	}
	if d.Moved {
		a.Warn("the lesson has changed since you left that text")
	}
	for {
		err := a.RunEditor(editor, d.Path)
		if err != nil && d.Untouched() {
			d.Discard()
			return l, nil, err
		}
		if err == nil {
			edited, readErr := d.Read()
			if readErr == nil || errors.Is(readErr, curate.ErrUnchanged) {
				return edited, d, readErr
			}
			if err = readErr; a.again(ctx, err) {
				continue
			}
		}
		return l, nil, term.Hint(err, "your text is kept in %s; `learnings edit %s` goes on with it", a.short(d.Path), l.ID)
	}
}

// again prints what is wrong with an edited text and asks whether to go on.
func (a *app) again(ctx context.Context, err error) bool {
	if !a.Interactive() {
		return false
	}
	a.Warn("%v", err)
	answer, askErr := a.Ask(ctx, "Edit again? [Y/n] ")
	return askErr == nil && !strings.HasPrefix(strings.ToLower(answer), "n")
}

// keptIn adds to a storing error where the person's text is kept, if there is a draft.
func keptIn(a *app, d *curate.Draft, err error) error {
	if d == nil {
		return err
	}
	return term.Hint(err, "your text is kept in %s", a.short(d.Path))
}
