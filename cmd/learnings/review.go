package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/term"
	"learnings/cmd/internal/view"
	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
)

type reviewOptions struct {
	plain   bool
	project string
	lane    string // one of lessons.Lanes, or "all"; "" for the likely ones
}

func newReview(a *app) *cobra.Command {
	var o reviewOptions
	cmd := &cobra.Command{
		Use: "review", Short: "Judge what waits: on the full screen, or line by line with --plain",
		Long: "Review opens the review desk. With --plain it asks about one proposal after the\n" +
			"other in lines of text, for a pipe or a screen reader:\n\n" + reviewHelp,
		Args: nargs(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !o.plain {
				return openDesk(cmd.Context(), a)
			}
			return reviewPlain(cmd.Context(), a, o)
		},
	}
	cmd.Flags().BoolVar(&o.plain, "plain", false, "lines of text instead of the full screen")
	cmd.Flags().StringVar(&o.project, "project", "", "of this project only (with --plain)")
	cmd.Flags().StringVar(&o.lane, "lane", "", "likely, maybe or all (with --plain; default: likely)")
	return cmd
}

const reviewHelp = `  y            approve
  n [REASON]   reject; without a reason it asks for one
  e            edit in your editor, then decide
  t            take the wording that is offered, then decide
  m [ID]       merge into another lesson: the most similar one, or that of the id
  s            not now: ask again tomorrow
  u            undo the last decision
  q            stop here
  ?            this list
`

// A plainReview is a queue, and where in it the person is.
type plainReview struct {
	a      *app
	c      *curate.Corpus
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

func reviewPlain(ctx context.Context, a *app, o reviewOptions) error {
	c, err := a.decider("review them")
	if err != nil {
		return err
	}
	q, err := showOptions{status: string(lessons.Pending), project: o.project, lane: o.lane}.query(a)
	if err != nil {
		return err
	}
	left := 0
	if o.lane == "" {
		if left, err = folded(ctx, a, q); err != nil {
			return err
		}
	}
	found, err := ask(ctx, a, func(ctx context.Context, x *index.Index) (view.Shelf, error) { return view.ReadShelf(ctx, x, q, 0) })
	if err != nil {
		return err
	}
	r := &plainReview{a: a, c: c, counts: map[string]int{}}
	for _, l := range found.Lessons {
		if !l.Snoozed(a.now()) {
			r.queue = append(r.queue, l.ID)
		}
	}
	if left > 0 {
		defer a.Say("%s", view.Shelf{Folded: left}.Unfold())
	}
	if len(r.queue) == 0 {
		a.Say("nothing waits for review")
		return nil
	}
	err = r.run(ctx)
	var parts []string
	for _, what := range []string{"approved", "rejected", "merged", "snoozed"} {
		if n := r.counts[what]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, what))
		}
	}
	if len(parts) > 0 {
		a.Say("%s; `learnings undo` takes the last one back", strings.Join(parts, ", "))
	}
	return err
}

// run asks until the queue or the input ends.
func (r *plainReview) run(ctx context.Context) error {
	for r.at < len(r.queue) {
		l, err := r.a.store.Get(r.queue[r.at])
		if errors.Is(err, lessons.ErrNotFound) || err == nil && l.Status != lessons.Pending {
			r.at++ // somebody else was quicker
			continue
		} else if err != nil {
			r.a.Warn("%v", err)
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
func (r *plainReview) show(l lessons.Lesson) {
	p := r.a.Page()
	fmt.Fprintln(p.W)
	p.Strong("[%d/%d]", r.at+1, len(r.queue))
	view.Card{Lesson: l, Opposed: r.c.Against(context.Background(), l)[l.ID]}.Terminal(p)
	if like, _ := r.c.Similar(context.Background(), l, 1); len(like) > 0 {
		fmt.Fprintln(p.W)
		p.Line("Similar    %.2f  %s  %s (%s)", like[0].Match, like[0].Lesson.ID, like[0].Lesson.Title(60), like[0].Lesson.Status)
	}
	fmt.Fprintln(p.W)
}

// decide asks about one proposal until there is a decision. A failed decision
// is said, and asked for again.
func (r *plainReview) decide(ctx context.Context, l lessons.Lesson) (stop bool, err error) {
	for {
		typed, err := r.a.Ask(ctx, "y/n/e/m/s/u/q/? ")
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
			tomorrow := r.a.now().Add(24 * time.Hour)
			moved, err = true, r.put(ctx, curate.Snooze(tomorrow), "snoozed", l)
		case "m":
			moved, err = true, r.merge(ctx, l, strings.TrimSpace(rest))
		case "e":
			if _, err = r.a.editLesson(ctx, r.c, l); err == nil {
				r.a.follow(ctx)
				return false, nil // and show what it is now
			}
		case "t":
			if _, err = r.c.Decide(curate.Take, l); err == nil {
				r.a.follow(ctx)
				return false, nil
			}
		case "u":
			if err = r.undo(ctx); err == nil {
				return false, nil
			}
		case "q":
			return true, nil
		default:
			fmt.Fprint(r.a.Out, reviewHelp)
			continue
		}
		switch {
		case errors.Is(err, io.EOF) || ctx.Err() != nil:
			return false, err
		case err != nil:
			term.Report(r.a.Err, r.a.advised(err))
		case moved:
			return false, nil
		}
	}
}

// put makes one decision and goes on to the next proposal.
func (r *plainReview) put(ctx context.Context, act curate.Action, done string, l lessons.Lesson) error {
	_, err := r.c.Decide(act, l)
	return r.decided(ctx, done, err)
}

// decided goes on to the next proposal, unless the decision failed.
func (r *plainReview) decided(ctx context.Context, done string, err error) error {
	if err != nil {
		return err
	}
	r.a.follow(ctx)
	r.a.Say("%s %s", done, r.queue[r.at])
	r.counts[done]++
	r.done = append(r.done, decided{r.at, done})
	r.at++
	return nil
}

func (r *plainReview) reject(ctx context.Context, l lessons.Lesson, reason string) (moved bool, err error) {
	if reason == "" {
		if reason, err = r.a.Ask(ctx, "Why? (enter for no reason) "); err != nil && !errors.Is(err, io.EOF) {
			return false, err
		}
	}
	return true, r.put(ctx, curate.Reject.Because(reason), "rejected", l)
}

// merge puts the proposal into another lesson, whose words stay.
func (r *plainReview) merge(ctx context.Context, l lessons.Lesson, word string) error {
	if word == "" {
		like, _ := r.c.Similar(ctx, l, 1)
		if len(like) == 0 {
			return term.Hint(errors.New("nothing similar to merge with"), "name the other lesson: m ID")
		}
		word = string(like[0].Lesson.ID)
	}
	others, err := r.a.named([]string{word})
	if err != nil {
		return err
	}
	_, err = r.c.Merge(curate.Merge{Into: others[0], From: []lessons.Lesson{l}})
	return r.decided(ctx, "merged", err)
}

// undo takes back the last decision of this review and returns to it.
func (r *plainReview) undo(ctx context.Context) error {
	if len(r.done) == 0 {
		return term.Hint(errors.New("nothing was decided in this review"), "`learnings undo` takes back older decisions")
	}
	changes, err := r.c.Undo(1)
	if err != nil {
		return err
	}
	if len(changes) == 0 {
		return fmt.Errorf("%w: nothing to undo", curate.ErrNothing)
	}
	r.a.follow(ctx)
	for _, c := range changes {
		r.a.Say("undone %s", change(c))
	}
	last := r.done[len(r.done)-1]
	r.done = r.done[:len(r.done)-1]
	r.at = last.at
	r.counts[last.done]--
	return nil
}
