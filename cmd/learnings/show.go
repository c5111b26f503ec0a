package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/render"
	"learnings/cmd/internal/term"
	"learnings/extractor/outcome"
	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/lessons/guard"
	"learnings/lessons/outcomes"
)

// showOptions are what `learnings show` was asked for.
type showOptions struct {
	what    string // a category, or the beginning of an id; "" for everything
	status  string // one of lessons.Statuses, or "all"
	project string
	role    string
	lane    string // one of lessons.QueueLanes, or "all"; "" for what the reader is to see first
	limit   int    // 0 is no limit
	json    bool
}

func newShow(a *app) *cobra.Command {
	o := showOptions{limit: -1}
	cmd := &cobra.Command{
		Use: "show [CATEGORY|ID]", Short: "List the lessons, or show one",
		Long: "Show lists the approved lessons, newest first: all, or those of a category with\n" +
			"the ones that mean the same (error, errors, bugfix). With an id, or a beginning\n" +
			"of one that fits no other, it shows that lesson whole, whatever its status.\n\n" +
			"Of proposals (--status pending) it lists those that likely are lessons, what was\n" +
			"said in more sessions first, and counts those that may be: --lane shows them. The\n" +
			"desk sets two kinds aside from both: what came from outside, and what is flagged\n" +
			"and so quarantined.",
		Example: "  learnings show errors\n  learnings show k7m2p9qx\n  learnings show --status pending --json",
		Args:    nargs(0, 1, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				o.what = args[0]
			}
			if o.limit < 0 && a.Terminals.Out && !o.json {
				o.limit = screenful
			}
			return show(cmd.Context(), a, o)
		},
	}
	cmd.Flags().StringVar(&o.status, "status", string(lessons.Approved), "pending, approved, rejected, merged, archived or all")
	cmd.Flags().StringVar(&o.lane, "lane", "", "of proposals: likely, maybe, outside, quarantined or all (default: likely; all with --json)")
	cmd.Flags().StringVar(&o.project, "project", "", "of this project only")
	cmd.Flags().StringVar(&o.role, "role", "", "of this role only")
	cmd.Flags().IntVarP(&o.limit, "limit", "n", -1, "at most so many; 0 for all (default: 50 on a terminal, else all)")
	takeStyle(cmd)
	cmd.Flags().BoolVar(&o.json, "json", false, "one JSON object a line")
	return cmd
}

func show(ctx context.Context, a *app, o showOptions) error {
	q, err := o.query(a)
	if err != nil {
		return err
	}
	if o.what != "" && !lessons.Category(o.what).Known() {
		done, err := showOne(ctx, a, o)
		if done || err != nil {
			return err
		}
	}
	found, err := ask(ctx, a, func(ctx context.Context, x *index.Index) (render.Shelf, error) {
		return render.ReadShelf(ctx, x, q, o.limit)
	})
	if err != nil {
		return err
	}
	if o.lane == "" && q.Has(index.Lane) {
		if found.Folded, err = folded(ctx, a, q); err != nil {
			return err
		}
	}
	if o.what != "" && found.Total+found.Folded == 0 && !lessons.Category(o.what).Known() {
		return term.Hint(fmt.Errorf("%w and no such category: %s", lessons.ErrNotFound, o.what), "`learnings stats` lists the categories, `learnings search` finds ids")
	}
	found.Title = "All"
	if o.what != "" {
		found.Title = o.what
	}
	if o.json {
		if found.Lessons, err = a.library.Whole(found.Lessons); err != nil {
			return err
		}
	}
	if err := a.Give(found, o.json); err != nil || found.Folded == 0 || a.Terminals.Out {
		return err
	}
	a.Note("%s", found.Unfold())
	return nil
}

// folded counts the proposals that may be lessons, where a query for those that
// likely are leaves them out unasked.
func folded(ctx context.Context, a *app, q index.Query) (int, error) {
	for i, f := range q.Filters {
		if f.Field == index.Lane {
			q.Filters = slices.Clone(q.Filters)
			q.Filters[i].Value = string(lessons.Maybe)
		}
	}
	return ask(ctx, a, func(ctx context.Context, x *index.Index) (int, error) {
		n, err := x.Totals(ctx, q)
		return n[0], err
	})
}

// showOne shows the lesson of an id; done says whether it was one.
func showOne(ctx context.Context, a *app, o showOptions) (done bool, err error) {
	c, err := a.read()
	if err != nil {
		return false, err
	}
	s := c.Store
	id, err := s.Resolve(o.what)
	if errors.Is(err, lessons.ErrNotFound) {
		return false, nil // perhaps a category that we do not know
	} else if err != nil {
		return false, err
	}
	l, err := s.Get(id)
	if err != nil {
		return false, err
	}
	path, err := s.Path(id)
	if err != nil {
		return false, err
	}
	like, against := c.Beside(ctx, l, 3) // the card is good without them
	card := render.Card{Lesson: l, Similar: like, Path: a.short(path), Opposed: against, Guard: render.GuardOf(guard.At(a.places.State), l)}
	if book, err := outcomes.Open(a.places.State, a.now(), id); err == nil { // it is only told
		if x, err := outcome.Of(s, book, l); err == nil {
			card.Effect = x.Figures
		}
	}
	if conf, err := a.configuration(); err == nil && len(conf.Targets()) > 0 {
		p, err := a.publisher(conf)
		if err != nil {
			return false, err
		}
		card.Published = p.In(l)
	}
	return true, a.Give(card, o.json)
}

// query is the options in the language of the index.
func (o showOptions) query(a *app) (index.Query, error) {
	q, err := a.chosen(index.Query{Now: a.now()}, o.status, o.project)
	if err != nil {
		return q, err
	}
	if o.role != "" {
		q = q.Where(index.Role, o.role)
	}
	if q, err = o.inLane(q); err != nil {
		return q, err
	}
	if o.what != "" {
		field := index.Category
		if lessons.Category(o.what).Known() {
			field = index.Kind
		}
		q = q.Where(field, o.what)
	}
	return q, nil
}

// inLane narrows a query for proposals to a lane of them, in the order in which they
// wait.
func (o showOptions) inLane(q index.Query) (index.Query, error) {
	lane := o.lane
	switch pending := o.status == string(lessons.Pending); {
	case lane == string(curate.Duplicates):
		return q, term.Hint(term.Usagef("what is said more than once is compared first"), "`learnings check duplicates`")
	case lane != "" && lane != "all" && !slices.Contains(lessons.QueueLanes, lessons.Lane(lane)):
		return q, term.Hint(term.Usagef("there is no lane %q", lane), "likely, maybe, outside, quarantined or all")
	case !pending && lane != "":
		return q, term.Hint(term.Usagef("only proposals are in lanes"), "`learnings show --status pending --lane %s`", lane)
	case !pending:
		return q, nil
	case lane == "" && !o.json:
		lane = string(lessons.Likely)
	}
	q.Sort = index.Queue
	if lane == "" || lane == "all" {
		return q, nil
	}
	return q.Where(index.Lane, lane), nil
}
