package view

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"learnings/cmd/internal/term"
	"learnings/index/curate"
	"learnings/lessons"
)

// ReviewHelp lists what may be typed.
const ReviewHelp = `  y            approve
  n [REASON]   reject; without a reason it asks for one
  e            edit in your editor, then decide
  t            take the wording that is offered, then decide
  m [ID]       merge into another lesson: the most similar one, or that of the id
  s            not now: ask again tomorrow
  u            undo the last decision
  q            stop here
  ?            this list
`

// A Review asks in lines of text about one proposal after the other, for a pipe or a
// screen reader. It is a queue, and where in it the person is. All of its exported
// fields must be set.
type Review struct {
	Corpus *curate.Corpus
	*term.Console
	Edit   func(context.Context, lessons.Lesson) error // lets the person edit a lesson, and stores it
	Stored func(context.Context)                       // is told that something was stored
	Advise func(error) error                           // adds to an error what to do about it

	queue  []lessons.ID
	at     int
	done   []decided // in this review, for undo
	counts map[string]int
}

// A decided place in the queue.
type decided struct {
	at   int
	done string
}

// Run asks about proposals, those apart that the person has put off, until they or the
// input end. Then it says what was done.
func (r *Review) Run(ctx context.Context, proposals []lessons.Lesson) error {
	r.counts = map[string]int{}
	for _, l := range proposals {
		if !l.Snoozed(r.Corpus.Now()) {
			r.queue = append(r.queue, l.ID)
		}
	}
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
		r.Say("%s; `learnings undo` takes the last one back", strings.Join(parts, ", "))
	}
	return err
}

// run asks until the queue or the input ends.
func (r *Review) run(ctx context.Context) error {
	for r.at < len(r.queue) {
		l, err := r.Corpus.Store.Get(r.queue[r.at])
		if errors.Is(err, lessons.ErrNotFound) || err == nil && l.Status != lessons.Pending {
			r.at++ // somebody else was quicker
			continue
		} else if err != nil {
			r.Warn("%v", err)
			r.at++
			continue
		}
		r.show(l)
		stop, err := r.decide(ctx, l)
		if errors.Is(err, io.EOF) || stop {
			return nil
		} else if err != nil {
			return err
		}
	}
	return nil
}

// show prints a proposal with its place in the queue.
func (r *Review) show(l lessons.Lesson) {
	p := r.Page()
	fmt.Fprintln(p.W)
	p.Strong("[%d/%d]", r.at+1, len(r.queue))
	like, _ := r.Corpus.Similar(context.Background(), l, 1)
	Card{Lesson: l, Opposed: r.Corpus.Against(context.Background(), l)[l.ID], Similar: like}.Terminal(p)
	fmt.Fprintln(p.W)
}

// decide asks about one proposal until there is a decision. A failed decision
// is said, and asked for again.
func (r *Review) decide(ctx context.Context, l lessons.Lesson) (stop bool, err error) {
	for {
		typed, err := r.Ask(ctx, "y/n/e/m/s/u/q/? ")
		if err != nil {
			return false, err
		}
		verb, rest, _ := strings.Cut(typed, " ")
		moved, err := false, error(nil)
		switch verb {
		case "y":
			moved, err = true, r.put(ctx, curate.Approve, "approved", l)
		case "n":
			moved, err = r.reject(ctx, l, strings.TrimSpace(rest))
		case "s":
			tomorrow := r.Corpus.Now().Add(24 * time.Hour)
			moved, err = true, r.put(ctx, curate.Snooze(tomorrow), "snoozed", l)
		case "m":
			moved, err = true, r.merge(ctx, l, strings.TrimSpace(rest))
		case "e":
			if err = r.Edit(ctx, l); err == nil {
				r.Stored(ctx)
				return false, nil // and show what it is now
			}
		case "t":
			if _, err = r.Corpus.Decide(curate.Take, l); err == nil {
				r.Stored(ctx)
				return false, nil
			}
		case "u":
			if err = r.undo(ctx); err == nil {
				return false, nil
			}
		case "q":
			return true, nil
		default:
			fmt.Fprint(r.Out, ReviewHelp)
			continue
		}
		switch {
		case errors.Is(err, io.EOF) || ctx.Err() != nil:
			return false, err
		case err != nil:
			term.Report(r.Err, r.Advise(err))
		case moved:
			return false, nil
		}
	}
}

// put makes one decision and goes on to the next proposal.
func (r *Review) put(ctx context.Context, act curate.Action, done string, l lessons.Lesson) error {
	_, err := r.Corpus.Decide(act, l)
	return r.decided(ctx, done, err)
}

// decided goes on to the next proposal, unless the decision failed.
func (r *Review) decided(ctx context.Context, done string, err error) error {
	if err != nil {
		return err
	}
	r.Stored(ctx)
	r.Say("%s %s", done, r.queue[r.at])
	r.counts[done]++
	r.done = append(r.done, decided{r.at, done})
	r.at++
	return nil
}

func (r *Review) reject(ctx context.Context, l lessons.Lesson, reason string) (moved bool, err error) {
	if reason == "" {
		if reason, err = r.Ask(ctx, "Why? (enter for no reason) "); err != nil && !errors.Is(err, io.EOF) {
			return false, err
		}
	}
	return true, r.put(ctx, curate.Reject.Because(reason), "rejected", l)
}

// merge puts the proposal into another lesson, whose words stay.
func (r *Review) merge(ctx context.Context, l lessons.Lesson, word string) error {
	if word == "" {
		like, _ := r.Corpus.Similar(ctx, l, 1)
		if len(like) == 0 || like[0].ByMeaning { // what only means nearly the same is named
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
	_, err = r.Corpus.Merge(curate.Merge{Into: into, From: []lessons.Lesson{l}})
	return r.decided(ctx, "merged", err)
}

// undo takes back the last decision of this review and returns to it.
func (r *Review) undo(ctx context.Context) error {
	if len(r.done) == 0 {
		return term.Hint(errors.New("nothing was decided in this review"), "`learnings undo` takes back older decisions")
	}
	changes, err := r.Corpus.Undo(1)
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
	r.at = last.at
	r.counts[last.done]--
	return nil
}
