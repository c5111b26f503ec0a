package view

import (
	"context"
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

// ReviewHelp lists what may be typed.
const ReviewHelp = `  y            approve
  n [REASON]   reject; without a reason it asks for one, n 1 to n 9 are those it lists
  .            the last decision again, on this one
  s            not now: ask again tomorrow
  m [ID]       merge into another lesson: the most similar one, or that of the id
  u            undo the last decision
  e            edit in your editor, then decide
  i SENTENCE   say it in other words, then decide
  t            take the wording that is offered, then decide
  c 0.8        set the confidence: 0 to 1, low, medium or high
  k WORD       set the category: correction, preference, errors, workflow, …
  # TAG -TAG   add tags, and take others away
  o            who said it: each quote with what came before and after it
  > <          the next one, the one before, without a decision
  / WORDS      the next one that has these words
  lane NAME    go on with likely, maybe, outside, quarantined or all; without a name it counts them
  sort NAME    the rest by value, age or project
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
	// Load gives the proposals of a lane, or "all", in the order of the queue.
	Load func(ctx context.Context, lane string) ([]lessons.Lesson, error)

	queue  []lessons.Lesson
	at     int
	done   []decided // in this review, for undo
	last   *repeat
	counts map[string]int
}

// A decided proposal. done is "" when it was only changed.
type decided struct {
	lesson lessons.Lesson
	done   string
}

// Run asks about proposals, those apart that the person has put off, until they or the
// input end. Then it says what was done.
func (r *Review) Run(ctx context.Context, proposals []lessons.Lesson) error {
	r.counts = map[string]int{}
	r.line(proposals)
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

// run asks until the queue or the input ends.
func (r *Review) run(ctx context.Context) error {
	for r.at < len(r.queue) {
		l, err := r.Corpus.Store.Get(r.queue[r.at].ID)
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
	like, against := r.Corpus.Beside(context.Background(), l, 1)
	Card{Lesson: l, Opposed: against, Similar: like}.Terminal(p)
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
		if verb == "q" {
			return true, nil
		}
		if len(verb) > 1 && strings.ContainsAny(verb[:1], "/#") { // without a space
			verb, rest = typed[:1], typed[1:]
		}
		moved, err := r.judge(ctx, l, verb, strings.TrimSpace(rest))
		if errors.Is(err, errNotThat) {
			moved, err = r.look(ctx, l, verb, strings.TrimSpace(rest))
		}
		switch {
		case errors.Is(err, errNotThat):
			fmt.Fprint(r.Out, ReviewHelp)
		case errors.Is(err, io.EOF) || ctx.Err() != nil:
			return false, err
		case err != nil:
			term.Report(r.Err, r.Advise(err))
		case moved:
			return false, nil
		}
	}
}

// errNotThat says that a verb is another's.
var errNotThat = errors.New("no such answer")

// judge does what decides on a proposal or changes it. moved is whether a proposal is to
// be shown now: the next, or this one as it is then.
func (r *Review) judge(ctx context.Context, l lessons.Lesson, verb, rest string) (moved bool, err error) {
	switch verb {
	case "y":
		return r.do(ctx, l, repeat{done: "approved", act: always(curate.Approve)})
	case "n":
		return r.reject(ctx, l, rest)
	case "s":
		return r.do(ctx, l, repeat{done: "snoozed", act: always(curate.Snooze(r.Corpus.Now().Add(24 * time.Hour)))})
	case "m":
		return true, r.merge(ctx, l, rest)
	case ".":
		if r.last == nil {
			return false, errors.New("nothing was decided in this review, so there is nothing to do again")
		}
		return r.do(ctx, l, *r.last)
	case "e":
		if err := r.Edit(ctx, l); err != nil {
			return false, err
		}
		r.changed(ctx, l)
		return true, nil
	case "t":
		return r.do(ctx, l, repeat{act: always(curate.Take), once: true})
	case "u":
		return true, r.undo(ctx)
	case "i", "c", "k", "#":
		return r.change(ctx, l, verb, rest)
	}
	return false, errNotThat
}

// decided goes on to the next proposal.
func (r *Review) decided(ctx context.Context, done string, l lessons.Lesson) {
	r.Stored(ctx)
	r.Say("%s %s", done, l.ID)
	r.counts[done]++
	r.done = append(r.done, decided{l, done})
	r.at++
}

// changed stays at a proposal that is another now.
func (r *Review) changed(ctx context.Context, l lessons.Lesson) {
	r.Stored(ctx)
	r.done = append(r.done, decided{l, ""})
}

func (r *Review) reject(ctx context.Context, l lessons.Lesson, reason string) (moved bool, err error) {
	if reason == "" {
		for i, why := range curate.Reasons {
			r.Say("%d %s", i+1, why)
		}
		if reason, err = r.Ask(ctx, "Why? (a number or words; enter for no reason) "); err != nil && !errors.Is(err, io.EOF) {
			return false, err
		}
	}
	if n, err := strconv.Atoi(reason); err == nil && n >= 1 && n <= len(curate.Reasons) {
		reason = curate.Reasons[n-1]
	}
	return r.do(ctx, l, repeat{done: "rejected", act: always(curate.Reject.Because(reason))})
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
	if _, err = r.Corpus.Merge(curate.Merge{Into: into, From: []lessons.Lesson{l}}); err != nil {
		return err
	}
	r.decided(ctx, "merged", l)
	return nil
}

// undo takes back the last decision of this review and returns to it.
func (r *Review) undo(ctx context.Context) error {
	if len(r.done) == 0 {
		return term.Hint(errors.New("nothing was decided in this review"), "`learnings undo` undoes older decisions")
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
	if r.counts[last.done] > 0 {
		r.counts[last.done]--
	}
	if i := slices.IndexFunc(r.queue, func(l lessons.Lesson) bool { return l.ID == last.lesson.ID }); i >= 0 {
		r.at = i
	} else { // of another lane
		r.queue = slices.Insert(r.queue, r.at, last.lesson)
	}
	return nil
}
