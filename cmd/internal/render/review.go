package render

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"learnings/cmd/internal/term"
	"learnings/index/curate"
	"learnings/lessons"
)

// ReviewHelp lists the commands of a review.
//
//go:embed review.txt
var ReviewHelp string

// A Review asks about one proposal after the other in lines of text, for a pipe or a
// screen reader. All exported fields must be set.
type Review struct {
	Corpus *curate.Corpus
	*term.Console
	Edit   func(ctx context.Context, l lessons.Lesson, flags []string) error // edits a lesson, stores it and calls Stored
	Stored func(context.Context)                                             // called after each write
	Advise func(error) error                                                 // adds a hint to an error

	queue  []lessons.Lesson
	at     int            // position in the queue
	done   []decided      // in this review, for undo
	last   *decision      // repeated by "."
	counts map[string]int // by kind of decision
}

// A decided proposal; done is "" if it was only edited.
type decided struct {
	lesson lessons.Lesson
	done   string
}

// A decision that can be repeated on another proposal.
type decision struct {
	act  curate.Action
	done string
}

// Run asks about proposals until the queue or the input ends, then prints a summary.
func (r *Review) Run(ctx context.Context, proposals []lessons.Lesson) error {
	r.counts, r.queue = map[string]int{}, proposals
	if len(r.queue) == 0 {
		r.Say("nothing waits for review")
		return nil
	}
	err := r.run(ctx)
	var parts []string
	for _, what := range []string{"approved", "rejected", "merged", "snoozed"} {
		if n := r.counts[what]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, what))
		}
	}
	if len(parts) > 0 {
		r.Say("%s; `learnings undo` undoes the last one", strings.Join(parts, ", "))
	}
	return err
}

// waits reads a proposal of the queue again: it may have been decided on elsewhere.
func (r *Review) waits(i int) (lessons.Lesson, bool) {
	l, err := r.Corpus.Store.Get(r.queue[i].ID)
	if err != nil && !errors.Is(err, lessons.ErrNotFound) {
		r.Warn("%v", err)
	}
	return l, err == nil && l.Status == lessons.Pending
}

// run asks until the queue or the input ends.
func (r *Review) run(ctx context.Context) error {
	for r.at < len(r.queue) {
		l, ok := r.waits(r.at)
		if !ok {
			r.at++
			continue
		}
		p := r.Page()
		fmt.Fprintln(p.W)
		p.Strong("[%d/%d]", r.at+1, len(r.queue))
		if l.Scope.Global {
			p.Line("%s", scope(l.Scope))
		}
		like, against := r.Corpus.Beside(context.Background(), l, 1)
		Card{Lesson: l, Opposed: against, Similar: like}.Plain(p.W)
		fmt.Fprintln(p.W)
		if err := r.decide(ctx, l); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
	return nil
}

// decide asks about one proposal until another one, or the same again, must be shown. It
// prints a failed decision and asks again. The error is io.EOF to stop.
func (r *Review) decide(ctx context.Context, l lessons.Lesson) error {
	for {
		typed, err := r.Ask(ctx, "y/n/e/m/s/u/q/? ")
		if err != nil {
			return err
		}
		verb, rest, _ := strings.Cut(typed, " ")
		if len(verb) > 1 && verb[0] == '/' { // no space after the slash
			verb, rest = typed[:1], typed[1:]
		}
		moved, err := r.do(ctx, l, verb, strings.TrimSpace(rest))
		switch {
		case errors.Is(err, errNotThat):
			fmt.Fprint(r.Out, ReviewHelp)
		case errors.Is(err, io.EOF) || ctx.Err() != nil:
			return err
		case err != nil:
			term.Report(r.Err, r.Advise(err))
		case moved:
			return nil
		}
	}
}

var errNotThat = errors.New("no such answer")

// do runs one command. moved reports whether a proposal must be shown.
func (r *Review) do(ctx context.Context, l lessons.Lesson, verb, rest string) (moved bool, err error) {
	switch verb {
	case "y":
		return true, r.apply(ctx, l, decision{curate.Approve, "approved"})
	case "n":
		return true, r.reject(ctx, l, rest)
	case "s":
		return true, r.apply(ctx, l, decision{curate.Snooze(r.Corpus.Now().Add(24 * time.Hour)), "snoozed"})
	case ".":
		if r.last == nil {
			return false, errors.New("nothing was decided in this review, so there is nothing to do again")
		}
		return true, r.apply(ctx, l, *r.last)
	case "m":
		return true, r.merge(ctx, l, rest)
	case "e":
		flags, err := term.Words(rest)
		if err != nil {
			return false, err
		}
		if err := r.Edit(ctx, l, flags); err != nil {
			return false, err
		}
		r.done = append(r.done, decided{l, ""})
		return true, nil
	case "u":
		return true, r.undo(ctx)
	case "o":
		r.said(l)
		return false, nil
	case ">":
		return true, r.move(r.at+1, 1, "this is the last one that waits")
	case "<":
		return true, r.move(r.at-1, -1, "this is the first one that waits")
	case "/":
		return true, r.find(rest)
	case "q":
		return false, io.EOF
	}
	return false, errNotThat
}

func (r *Review) apply(ctx context.Context, l lessons.Lesson, d decision) error {
	if _, err := r.Corpus.Decide(d.act, l); err != nil {
		return err
	}
	r.last = &d
	r.decided(ctx, d.done, l)
	return nil
}

// decided goes on to the next proposal.
func (r *Review) decided(ctx context.Context, done string, l lessons.Lesson) {
	r.Stored(ctx)
	r.Say("%s %s", done, l.ID)
	r.counts[done]++
	r.done = append(r.done, decided{l, done})
	r.at++
}

func (r *Review) reject(ctx context.Context, l lessons.Lesson, reason string) (err error) {
	if reason == "" {
		for i, why := range curate.Reasons {
			r.Say("%d %s", i+1, why)
		}
		if reason, err = r.Ask(ctx, "Why? (a number or words; enter for no reason) "); err != nil && !errors.Is(err, io.EOF) {
			return err
		}
	}
	if n, err := strconv.Atoi(reason); err == nil && n >= 1 && n <= len(curate.Reasons) {
		reason = curate.Reasons[n-1]
	}
	return r.apply(ctx, l, decision{curate.Reject.Because(reason), "rejected"})
}

// merge merges the proposal into another lesson, which keeps its words.
func (r *Review) merge(ctx context.Context, l lessons.Lesson, word string) error {
	if word == "" {
		like, _ := r.Corpus.Near(ctx, l, 1)
		if len(like) == 0 || like[0].ByMeaning { // similar only in meaning: the person must name it
			return term.Hint(errors.New("nothing similar to merge with"), "name the other lesson: m ID")
		}
		word = string(like[0].Lesson.ID)
	}
	id, err := r.Corpus.Store.Resolve(word)
	if err != nil {
		return err
	}
	into, err := r.Corpus.Store.Get(id)
	if err != nil {
		return err
	}
	if _, err = r.Corpus.Merge(curate.MergeInto(into, l)); err != nil {
		return err
	}
	r.decided(ctx, "merged", l)
	return nil
}

// undo undoes the last decision of this review and returns to its proposal.
func (r *Review) undo(ctx context.Context) error {
	if len(r.done) == 0 {
		return term.Hint(errors.New("nothing was decided in this review"), "`learnings undo` undoes older decisions")
	}
	changes, _, err := r.Corpus.TurnHere(lessons.OpUndo)
	if err != nil {
		return err
	}
	if len(changes) == 0 {
		return fmt.Errorf("%w: nothing to undo", curate.ErrNothing)
	}
	r.Stored(ctx)
	for _, c := range changes {
		r.Say("undone %s", Change(c))
	}
	last := r.done[len(r.done)-1]
	r.done = r.done[:len(r.done)-1]
	if last.done != "" {
		r.counts[last.done]--
	}
	r.at = slices.IndexFunc(r.queue, func(l lessons.Lesson) bool { return l.ID == last.lesson.ID })
	return nil
}

// move goes to the nearest waiting proposal, starting from an index.
func (r *Review) move(to, step int, none string) error {
	for ; to >= 0 && to < len(r.queue); to += step {
		if _, ok := r.waits(to); ok {
			r.at = to
			return nil
		}
	}
	return errors.New(none)
}

// find goes to the next proposal that has all words, and wraps around.
func (r *Review) find(text string) error {
	words := strings.Fields(strings.ToLower(text))
	for n := range r.queue {
		i := (r.at + 1 + n) % len(r.queue)
		l := r.queue[i]
		hay := strings.ToLower(strings.Join(append([]string{l.Content, l.Insight, l.Scope.Project, string(l.Category)}, l.Tags...), " "))
		if slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(hay, w) }) {
			continue
		}
		if _, ok := r.waits(i); ok {
			r.at = i
			return nil
		}
	}
	return fmt.Errorf("no proposal here has %q", text)
}

// said prints the conversation around a proposal's evidence.
func (r *Review) said(l lessons.Lesson) {
	p := r.Page()
	if len(l.Evidence) == 0 {
		p.Line("nobody is quoted")
	}
	for i, e := range l.Evidence {
		p.Strong("evidence %d of %d: %s", i+1, len(l.Evidence), source(e))
		for _, t := range e.Before {
			p.Beside("  before  ", t)
		}
		p.Beside("  said    ", fmt.Sprintf("%s: %s", speakers[e.By], e.Quote))
		for _, t := range e.After {
			p.Beside("  after   ", t)
		}
		if e.Path != "" {
			p.Beside("  file    ", e.Path)
		}
	}
}
