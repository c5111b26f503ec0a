package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/render"
	"learnings/cmd/internal/term"
	"learnings/extractor/intake"
	"learnings/extractor/model"
	"learnings/index/curate"
	"learnings/lessons"
)

func newMerge(a *app) *cobra.Command {
	v := a.verb("merge", needsPerson("merge them"), countArgs(1, -1, "the ids of two lessons or more, or of one with --apart"))
	into := v.String("into", "", "the id that lives on")
	content := v.String("content", "", "what the lesson says now")
	global := v.Bool("global", false, "it holds in every project")
	apart := v.Bool("apart", false, "take the merge of the first id apart again")
	anyway := v.Bool("anyway", false, "merge lessons that do not say the same")
	m := v.model(a)
	yes := v.Bool("yes", false, "with --model: merge with its text and do not ask")
	v.json(a, "print the lesson that lives on as JSON")
	return v.Run(func(ctx context.Context, args []string) error {
		if *apart {
			return split(ctx, a, args)
		}
		switch err := m.pick(a); {
		case err != nil:
			return err
		case m.name != "" && v.Changed("content"):
			return term.Usagef("--content says it already; leave out --model")
		case *yes && m.name == "":
			return term.Usagef("--yes goes with --model")
		case *into != "":
			args = append([]string{*into}, args...)
		}
		ls, err := a.named(args...)
		if err != nil {
			return err
		}
		if len(ls) < 2 {
			return term.Usagef("a merge needs two different lessons")
		}
		how := curate.MergeInto(ls[0], ls[1:]...)
		if *into == "" {
			how = curate.MergeOf(ls)
		}
		if how.Global, how.Anyway = *global, *anyway || v.Changed("content") || m.name != ""; strings.TrimSpace(*content) != "" {
			how.Into.Content = *content
		}
		if _, err := how.Preview(); errors.Is(err, curate.ErrNotSame) {
			if err := sureToMerge(ctx, a, how); err != nil {
				return err
			}
			how.Anyway = true
		}
		return merge(ctx, a, how, ls, m, *yes)
	})
}

// sureToMerge asks the person to confirm a merge of lessons that do not say the same.
func sureToMerge(ctx context.Context, a *app, how curate.Merge) error {
	var ids []string
	for _, l := range how.Differ() {
		a.Warn("%s and %s do not say the same: %s", how.Into.ID, l.Lesson.ID, l.Why)
		a.Note("goes: %s", l.Lesson.Title(200))
		ids = append(ids, string(l.Lesson.ID))
	}
	for _, lost := range how.Lost() {
		a.Warn("the merged lesson %s", lost)
	}
	if len(ids) == 0 {
		ids = append(ids, string(how.Into.ID))
	}
	no := term.Hint(fmt.Errorf("nothing was merged: %w", curate.ErrNotSame), "--content says what the one lesson says, --anyway merges them as they are; `learnings resolve` settles what changed or contradicts")
	if !a.Interactive() {
		return no
	}
	answer, err := a.Ask(ctx, "Type "+strings.Join(ids, " ")+" to merge all the same: ")
	if err != nil || strings.TrimSpace(answer) != strings.Join(ids, " ") {
		return no
	}
	return nil
}

// merge merges lessons. If a model is named, it words the result, once the person agrees
// or has passed --yes.
func merge(ctx context.Context, a *app, how curate.Merge, ls []lessons.Lesson, m *modelOptions, yes bool) error {
	var draft *curate.Draft
	if m.name != "" {
		if _, err := how.Preview(); err != nil { // fail before the model costs anything
			return fmt.Errorf("merging: %w", err)
		}
		t, err := wordingBy(ctx, a, m, how.Into, ls)
		if err != nil {
			return err
		}
		if how.Into, draft, err = agree(ctx, a, t, yes); errors.Is(err, errDeclined) {
			return nil
		} else if err != nil {
			return err
		}
		how.Reason = "in the words of " + t.By
	}
	merged, err := a.corpus.Merge(how)
	if err != nil {
		return keptIn(a, draft, err)
	}
	draft.Discard()
	a.follow(ctx)
	l := merged[0]
	if a.JSON {
		return a.objects(merged[:1])
	}
	a.Say("merged %s into %s (%s, %s)  %s", term.Plural(len(how.From), "lesson"), l.ID, l.Status, term.Plural(len(l.Evidence), "piece")+" of evidence", l.Title(80))
	for _, gone := range how.Gone() {
		a.Note("gone: %s (`learnings undo` brings it back)", lessons.Line(gone))
	}
	if projects := curate.Projects(ls); len(projects) > 1 && !l.Scope.Global {
		a.Note("it holds in %s only, and was learned in %s", l.Scope.Project, strings.Join(projects, ", "))
	}
	return nil
}

// split undoes a merge.
func split(ctx context.Context, a *app, words []string) error {
	named, err := a.named(words...)
	if err != nil {
		return err
	}
	out, err := a.corpus.Split(ctx, named[0], named[1:]...)
	switch {
	case err != nil && out.Into.Status == lessons.Merged:
		return render.Instead(err)
	case errors.As(err, new(*curate.Refused)) && !errors.Is(err, curate.ErrNothing):
		return term.Hint(err, "`learnings history %s` shows what was merged into it", out.Into.ID)
	case err != nil:
		return err
	}
	a.follow(ctx)
	if out.Unknown > 0 {
		a.Warn("the journal of this machine does not know the merge of %s: %s keeps what it took over", term.Plural(out.Unknown, "lesson"), out.Into.ID)
	}
	if a.JSON {
		return a.objects(append([]lessons.Lesson{out.Into}, out.Back...))
	}
	for _, l := range out.Back {
		a.Say("split %s from %s (%s)  %s", l.ID, out.Into.ID, l.Status, l.Title(80))
	}
	return nil
}

// mergeEqual merges identical lessons, as one step of undo.
func mergeEqual(ctx context.Context, a *app, project string) error {
	if err := a.person("merge them"); err != nil {
		return err
	}
	ls, err := a.corpus.Comparable(ctx, project)
	if err != nil {
		return err
	}
	survivors, merged, left, err := a.corpus.MergeEqual(ls)
	render.WarnLeft(a.Console, left)
	if err != nil {
		return err
	}
	a.follow(ctx)
	if a.JSON {
		return a.objects(survivors)
	}
	for _, l := range survivors {
		a.Say("merged into %s (%s)  %s", l.ID, l.Status, l.Title(80))
	}
	a.Note("merged %s into %d; `learnings undo` undoes that", term.Plural(merged, "lesson"), len(survivors))
	return nil
}

// wordingBy asks the model to word a merge. Fields that it leaves empty stay unchanged.
func wordingBy(ctx context.Context, a *app, m *modelOptions, into lessons.Lesson, ls []lessons.Lesson) (t render.OneText, err error) {
	p, err := agreedAsker(ctx, a, m)
	if err != nil {
		return t, err
	}
	defer tellSpent(a, p)
	u, err := p.MergeText(ctx, ls)
	switch {
	case err != nil:
		return t, ceilingHint(err)
	case u.Different != "":
		return t, term.Hint(fmt.Errorf("%s says that they are not one lesson: %s", p.Name(), u.Why()),
			"nothing was merged; without --model they are merged as you say, and `learnings resolve ID ID --both \"when each holds\"` keeps both")
	case u.Dropped != "":
		return t, term.Hint(fmt.Errorf("the text of %s is not to be trusted: %s", p.Name(), u.Why()),
			"nothing was merged; ask another model, or say it yourself with --content")
	}
	return render.OneTextOf(p.Name(), into, u.Wording, ls), nil
}

// errDeclined means that the person said no.
var errDeclined = errors.New("declined")

// agree shows a model's wording and lets the person accept, edit or decline it. The
// caller removes the returned draft once the lesson is stored.
func agree(ctx context.Context, a *app, t render.OneText, yes bool) (lessons.Lesson, *curate.Draft, error) {
	if !yes || !a.JSON {
		if err := a.Give(t); err != nil {
			return t.Lesson, nil, err
		}
	}
	if yes {
		return t.Lesson, nil, nil
	}
	if !a.Interactive() {
		return t.Lesson, nil, term.Hint(fmt.Errorf("%w: nothing was merged, for there is no terminal to ask on", curate.ErrPerson), "learnings merge %s --content %s; --yes does not ask", strings.Join(t.All, " "), term.ShellQuote(lessons.Line(t.Lesson.Content)))
	}
	for {
		answer, err := a.Ask(ctx, "Merge with this text? [y]es, [e]dit it, [N]o ")
		if err != nil && !errors.Is(err, io.EOF) {
			return t.Lesson, nil, err
		}
		switch strings.ToLower(answer) {
		case "y", "yes":
			return t.Lesson, nil, nil
		case "e", "edit":
			l, d, err := a.rewrite(ctx, t.Lesson)
			if errors.Is(err, curate.ErrUnchanged) {
				continue
			}
			return l, d, err
		}
		a.Say("nothing was merged")
		return t.Lesson, nil, errDeclined
	}
}

// reword asks a model to reword a proposal, stores that as an offer, and lets the person
// accept it.
func reword(ctx context.Context, a *app, m *modelOptions, l lessons.Lesson) (lessons.Lesson, error) {
	p, err := agreedAsker(ctx, a, m)
	if err != nil {
		return l, err
	}
	defer tellSpent(a, p)
	if l, err = offerWording(ctx, a, p, l); err != nil {
		return l, err
	}
	render.NoteOffer(a.Console, l)
	if !a.Interactive() {
		a.Note("by %s; `learnings edit %s --take` takes it", l.Offer.Extractor, l.ID)
		return l, errDeclined
	}
	answer, err := a.Ask(ctx, "Take this wording? [y]es, [N]o ")
	if err != nil || !strings.HasPrefix(strings.ToLower(answer), "y") {
		a.Say("%s  is offered it; `learnings edit %s --take` takes it later", l.ID, l.ID)
		return l, errDeclined
	}
	return a.corpus.Decide(curate.Take, l)
}

// offerWording asks a model to reword a proposal and stores that as an offer.
func offerWording(ctx context.Context, a *app, p *model.Proposer, l lessons.Lesson) (lessons.Lesson, error) {
	if l.Status != lessons.Pending {
		return l, fmt.Errorf("%s is %s: a model words proposals only", l.ID, l.Status)
	}
	u, err := p.Reword(ctx, l)
	switch {
	case err != nil:
		return l, ceilingHint(err)
	case u.Different != "":
		return l, fmt.Errorf("%w: %s has no better wording: %s", curate.ErrNothing, p.Name(), u.Why())
	case u.Dropped != "":
		return l, term.Hint(fmt.Errorf("the wording of %s is not to be trusted: %s", p.Name(), u.Why()), "nothing was changed; ask another model, or word it yourself")
	case u.Wording.Content == l.Content && u.Wording.Insight == l.Insight:
		return l, fmt.Errorf("%w: %s words it the same", curate.ErrNothing, p.Name())
	}
	return intake.Offer(a.corpus.Store, l, u.Wording, p.Name())
}
