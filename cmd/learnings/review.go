package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/term"
	"learnings/index"
	"learnings/lessons"
)

type reviewOptions struct {
	plain   bool
	project string
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
	return cmd
}

const reviewHelp = `  y            approve
  n [REASON]   reject; without a reason it asks for one
  e            edit in your editor, then decide
  m [ID]       merge into another lesson: the most similar one, or that of the id
  s            not now: ask again tomorrow
  u            undo the last decision
  q            stop here
  ?            this list
`

// A sitting is one plain review: a queue, and where in it the person is.
type sitting struct {
	a       *app
	who     string
	queue   []lessons.ID
	at      int
	decided []decided // in this sitting, for undo
	counts  map[string]int
}

// A decided place in the queue.
type decided struct {
	at   int
	done string
}

func reviewPlain(ctx context.Context, a *app, o reviewOptions) error {
	who, err := a.decider("review them")
	if err != nil {
		return err
	}
	q := index.Query{Now: a.now()}.Where(index.Status, string(lessons.Pending))
	if o.project != "" {
		c, err := a.configuration()
		if err != nil {
			return err
		}
		q = q.Where(index.Project, c.Canonical(o.project))
	}
	found, err := ask(ctx, a, func(ctx context.Context, x *index.Index) (shelf, error) { return readShelf(ctx, x, q, 0) })
	if err != nil {
		return err
	}
	r := &sitting{a: a, who: who, counts: map[string]int{}}
	for _, l := range found.lessons {
		if !l.Snoozed(a.now()) {
			r.queue = append(r.queue, l.ID)
		}
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
func (r *sitting) run(ctx context.Context) error {
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
func (r *sitting) show(l lessons.Lesson) {
	p := r.a.Page()
	fmt.Fprintln(p.W)
	p.Strong("[%d/%d]", r.at+1, len(r.queue))
	card{lesson: l, opposed: r.a.opposites(context.Background(), l)[l.ID]}.Terminal(p)
	if like := r.similar(context.Background(), l, 1); len(like) > 0 {
		fmt.Fprintln(p.W)
		p.Line("Similar    %.2f  %s  %s (%s)", like[0].Match, like[0].Lesson.ID, like[0].Lesson.Title(60), like[0].Lesson.Status)
	}
	fmt.Fprintln(p.W)
}

// similar are lessons that still count and say something close.
func (r *sitting) similar(ctx context.Context, l lessons.Lesson, n int) []index.Hit {
	_, x, err := r.a.both()
	if err != nil {
		return nil
	}
	hits, err := x.Similar(ctx, l, n+5)
	if err != nil {
		return nil // only a help; without it the decision is still possible
	}
	hits = slices.DeleteFunc(hits, func(h index.Hit) bool {
		return h.Lesson.ID == l.ID || (h.Lesson.Status != lessons.Approved && h.Lesson.Status != lessons.Pending)
	})
	return hits[:min(n, len(hits))]
}

// decide asks about one proposal until there is a decision. A failed decision
// is said, and asked for again.
func (r *sitting) decide(ctx context.Context, l lessons.Lesson) (stop bool, err error) {
	for {
		typed, err := r.a.Ask(ctx, "y/n/e/m/s/u/q/? ")
		if err != nil {
			return false, err
		}
		verb, rest, _ := strings.Cut(typed, " ")
		moved, err := false, error(nil)
		switch verb {
		case "y":
			moved, err = true, r.put(ctx, "approve", "approved", l, lessons.Lesson.Approve, "")
		case "n":
			moved, err = r.reject(ctx, l, strings.TrimSpace(rest))
		case "s":
			tomorrow := r.a.now().Add(24 * time.Hour)
			moved, err = true, r.put(ctx, "snooze", "snoozed", l, func(l lessons.Lesson, d lessons.Decision) (lessons.Lesson, error) {
				return l.Snooze(d, tomorrow)
			}, "")
		case "m":
			moved, err = true, r.merge(ctx, l, strings.TrimSpace(rest))
		case "e":
			if _, err = r.a.editLesson(ctx, l, r.who); err == nil {
				return false, nil // and show what it is now
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
			term.Report(r.a.Err, err)
		case moved:
			return false, nil
		}
	}
}

// put stores one decision and goes on to the next proposal.
func (r *sitting) put(ctx context.Context, op, done string, l lessons.Lesson, do func(lessons.Lesson, lessons.Decision) (lessons.Lesson, error), reason string) error {
	l, err := do(l, lessons.Decision{By: r.who, Reason: reason, At: r.a.now()})
	if err != nil {
		return err
	}
	return r.store(ctx, op, done, l)
}

func (r *sitting) store(ctx context.Context, op, done string, ls ...lessons.Lesson) error {
	if _, err := r.a.write(ctx, op, r.who, ls...); err != nil {
		return err
	}
	r.a.Say("%s %s", done, r.queue[r.at])
	r.counts[done]++
	r.decided = append(r.decided, decided{r.at, done})
	r.at++
	return nil
}

func (r *sitting) reject(ctx context.Context, l lessons.Lesson, reason string) (moved bool, err error) {
	if reason == "" {
		if reason, err = r.a.Ask(ctx, "Why? (enter for no reason) "); err != nil && !errors.Is(err, io.EOF) {
			return false, err
		}
	}
	return true, r.put(ctx, "reject", "rejected", l, lessons.Lesson.Reject, reason)
}

// merge puts the proposal into another lesson, whose words stay.
func (r *sitting) merge(ctx context.Context, l lessons.Lesson, word string) error {
	if word == "" {
		like := r.similar(ctx, l, 1)
		if len(like) == 0 {
			return term.Hint(errors.New("nothing similar to merge with"), "name the other lesson: m ID")
		}
		word = string(like[0].Lesson.ID)
	}
	others, err := r.a.named([]string{word})
	if err != nil {
		return err
	}
	merged, err := lessons.Merge(lessons.Decision{By: r.who, At: r.a.now()}, others[0], l)
	if err != nil {
		return err
	}
	return r.store(ctx, "merge", "merged", merged...)
}

// undo takes back the last decision of this sitting and returns to it.
func (r *sitting) undo(ctx context.Context) error {
	if len(r.decided) == 0 {
		return term.Hint(errors.New("nothing was decided in this sitting"), "`learnings undo` takes back older decisions")
	}
	changes, err := r.a.store.Undo(1, r.who)
	if err != nil {
		return err
	}
	if len(changes) == 0 {
		return fmt.Errorf("%w: nothing to undo", errNothing)
	}
	r.a.follow(ctx)
	for _, c := range changes {
		r.a.Say("undone %s", change(c))
	}
	last := r.decided[len(r.decided)-1]
	r.decided = r.decided[:len(r.decided)-1]
	r.at = last.at
	r.counts[last.done]--
	return nil
}
