package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/port"
	"learnings/cmd/internal/render"
	"learnings/cmd/internal/setup"
	"learnings/cmd/internal/term"
	"learnings/extractor/past"
	"learnings/index"
	"learnings/index/curate"
	"learnings/index/recall"
	"learnings/lessons"
	"learnings/tui/look"
)

// statusNames are the values of --status, for errors.
const statusNames = "pending, approved, rejected, merged, archived or all"

// showOptions are the options of `learnings show`.
type showOptions struct {
	what    string // a category, or a prefix of an id; "" for everything
	status  string // one of lessons.Statuses, or "all"
	project string
	role    string
	lane    string // one of lessons.QueueLanes, or "all"; "" for the default
	limit   int    // 0 is no limit
}

func newShow(a *app) *cobra.Command {
	v := a.verb("show", needsReading, countArgs(0, 1, ""))
	var o showOptions
	v.StringVar(&o.status, "status", string(lessons.Approved), statusNames)
	v.StringVar(&o.lane, "lane", "", "of proposals: likely, maybe, outside, quarantined or all (default: likely; all with --json)")
	v.StringVar(&o.project, "project", "", "of this project only")
	v.StringVar(&o.role, "role", "", "of this role only")
	limit := v.limit("at most so many; 0 for all (default: 50 on a terminal, else all)")
	v.json(a, "one JSON object a line")
	return v.Run(func(ctx context.Context, args []string) error {
		if len(args) > 0 {
			o.what = args[0]
		}
		o.limit = a.atMost(*limit, screenful)
		return show(ctx, a, o)
	})
}

func show(ctx context.Context, a *app, o showOptions) error {
	q, err := o.query(a)
	if err != nil {
		return err
	}
	known := lessons.Category(o.what).Known()
	if o.what != "" && !known {
		if done, err := showOne(ctx, a, o.what); done || err != nil {
			return err
		}
	}
	list, err := ask(ctx, a, func(ctx context.Context, x *index.Index) (render.Shelf, error) {
		return render.ReadShelf(ctx, x, q, o.limit)
	})
	if err == nil && o.lane == "" && q.Has(index.Lane) {
		list.Folded, err = folded(ctx, a, q)
	}
	if err != nil {
		return err
	}
	if o.what != "" && list.Total+len(list.Folded) == 0 && !known {
		err := fmt.Errorf("%w and no such category: %s", lessons.ErrNotFound, o.what)
		if unmet, _ := ask(ctx, a, func(ctx context.Context, x *index.Index) ([]index.Unmet, error) { return x.Unmet(ctx, q) }); len(unmet) > 0 && unmet[0].Near != "" {
			return term.Hint(err, "did you mean `learnings show %s`?", unmet[0].Near)
		}
		return term.Hint(err, "`learnings stats` lists the categories, `learnings search` finds ids")
	}
	list.Now, list.Look = a.now(), a.appearance()
	if list.Title = o.what; o.what == "" {
		list.Title = o.status
	}
	if a.JSON {
		if list.Lessons, err = a.corpus.Whole(list.Lessons); err != nil {
			return err
		}
	}
	if err := a.Give(list); err != nil {
		return err
	}
	if n := len(slices.DeleteFunc(slices.Clone(list.Lessons), func(l lessons.Lesson) bool { return !l.Outside || l.Status != lessons.Approved })); n > 0 {
		a.notGiven(n)
	}
	if len(list.Folded) > 0 && !a.Terminals.Out {
		a.Note("%s", list.Unfold())
	}
	return nil
}

// appearance is how lessons look on this terminal.
func (a *app) appearance() *look.Style {
	return render.LookOf(a.conf.Desk.Theme.Value, a.Colour, a.getenv)
}

// notGiven says that sessions are not given n active lessons of another program.
func (a *app) notGiven(n int) {
	if !a.conf.TrustEdits.Value {
		a.Note("%s another program wrote: no session is given any before you confirm them with `learnings approve --outside`", term.Plural(n, "active lesson"))
	}
}

// folded counts the proposals in lanes that a query leaves out by default.
func folded(ctx context.Context, a *app, q index.Query) (lessons.Waiting, error) {
	return ask(ctx, a, func(ctx context.Context, x *index.Index) (lessons.Waiting, error) {
		n, err := x.Waiting(ctx, q)
		delete(n, lessons.Likely)
		return n, err
	})
}

// showOne shows one lesson; done is false if word is no id.
func showOne(ctx context.Context, a *app, word string) (done bool, err error) {
	c := a.corpus
	id, err := c.Store.Resolve(word)
	if errors.Is(err, lessons.ErrNotFound) {
		return false, nil // perhaps an unknown category
	} else if err != nil {
		return false, err
	}
	l, err := c.Store.Get(id)
	if err != nil {
		return false, err
	}
	path, err := c.Store.Path(id)
	if err != nil {
		return false, err
	}
	like, against := c.Beside(ctx, l, 3) // the card works without them
	card := render.Card{Lesson: l, Similar: like, Path: a.short(path), Opposed: against, How: a.corpus.How(l.ID), Guard: render.GuardOf(guards(a.places.State), l), Now: a.now(), Look: a.appearance()}
	if book, err := render.OpenBook(a.places.State, a.now(), id); err == nil { // optional
		if x, err := past.OutcomeOf(c.Store, book, l); err == nil {
			card.Effect = x.Figures
		}
	}
	if len(a.conf.Targets()) > 0 {
		card.Published = a.publisher().In(l)
	}
	return true, a.Give(card)
}

// query converts the options to an index query.
func (o showOptions) query(a *app) (index.Query, error) {
	q, err := a.chosen(index.Query{Now: a.now()}, o.status, o.project)
	if err != nil {
		return q, err
	}
	if o.role != "" {
		q = q.Where(index.Role, o.role)
	}
	if o.what != "" && lessons.Category(o.what).Known() {
		q = q.Where(index.Kind, o.what)
	} else if o.what != "" {
		q = q.Where(index.Category, o.what)
	}
	lane := o.lane
	switch pending := o.status == string(lessons.Pending); {
	case lane == string(curate.Duplicates):
		return q, term.Hint(term.Usagef("what is said more than once is compared first"), "`learnings check duplicates`")
	case lane != "" && !within(lane, lessons.QueueLanes):
		return q, term.Hint(term.Usagef("there is no lane %q", lane), "likely, maybe, outside, quarantined or all")
	case !pending && lane != "":
		return q, term.Hint(term.Usagef("only proposals are in lanes"), "`learnings show --status pending --lane %s`", lane)
	case !pending:
		return q, nil
	case lane == "" && !a.JSON:
		lane = string(lessons.Likely)
	}
	q.Sort = index.Queue // the order of the queue
	if lane == "" || lane == "all" {
		return q, nil
	}
	return q.Waiting().Where(index.Lane, lane), nil
}

// chosen narrows a query by --status and --project. Status "all" and project "" match
// everything.
func (a *app) chosen(q index.Query, status, project string) (index.Query, error) {
	if !within(status, lessons.Statuses) {
		return q, term.Hint(term.Usagef("there is no status %q", status), statusNames)
	}
	if status != "all" {
		q = q.Where(index.Status, status)
	}
	if project != "" {
		q = q.Where(index.Project, a.conf.Canonical(project))
	}
	return q, nil
}

func newSearch(a *app) *cobra.Command {
	v := a.verb("search", needsReading, countArgs(1, -1, "something to search for"))
	limit := v.IntP("limit", "n", 10, "at most so many; 0 for all, up to 10,000")
	all := v.Bool("all", false, "only lessons that have all of the words")
	each := v.Bool("each", false, "only lessons that hold each argument, in words or in meaning")
	v.json(a, "one JSON object a line, with \"match\", \"near\" and \"tokens\"")
	return v.Run(func(ctx context.Context, args []string) error {
		words := strings.Join(args, " ")
		q, err := index.ParseQuery(words)
		if err != nil {
			return term.Hint(term.Usagef("%v", err), "`learnings search --help` shows the language")
		}
		if !q.Has(index.Status) {
			q = curate.WhatCounts(q)
		}
		if q.Limit, q.Now = *limit, a.now(); q.Limit == 0 {
			q.Limit = render.MostHits
		}
		q.AllWords, q.Meaning = *all, index.Outstanding
		if !*each {
			args = nil
		}
		terms, err := index.TermsOf(args)
		if err != nil {
			return err
		}
		var unmet []index.Unmet
		page, err := ask(ctx, a, func(ctx context.Context, x *index.Index) (_ index.Page, err error) {
			if unmet, err = x.Unmet(ctx, q); err != nil {
				return index.Page{}, err
			}
			if len(terms) > 0 {
				return x.Every(ctx, q, terms...)
			}
			return x.Search(ctx, q)
		})
		for i := 0; err == nil && a.JSON && i < len(page.Hits); i++ {
			page.Hits[i].Lesson, err = a.whole(page.Hits[i].Lesson)
		}
		if err != nil {
			return err
		}
		defer func() {
			for _, u := range unmet {
				a.Note("%s", u)
			}
		}()
		return a.Give(render.Results(words, page, func(l lessons.Lesson) int { return recall.Choice{Lesson: l}.Tokens() }, a.now(), a.appearance()))
	})
}

// whole adds to a lesson of the index what only its file holds.
func (a *app) whole(l lessons.Lesson) (lessons.Lesson, error) {
	whole, err := a.corpus.Whole([]lessons.Lesson{l})
	if err != nil || len(whole) != 1 {
		return l, err
	}
	return whole[0], nil
}

func newInject(a *app) *cobra.Command {
	v := a.verb("inject", needsCorpus, countArgs(0, 0, ""))
	var at recall.Situation
	v.StringVar(&at.Prompt, "task", "", "what the session is about")
	v.StringVar(&at.Project, "project", "", "the project (default: that of the current folder)")
	v.StringVar(&at.Role, "role", "", "the agent's role")
	v.StringVar(&at.Agent, "agent", "", "the agent that asks, for lessons that are for one alone")
	v.StringVar(&at.Session, "session", "", "the id of the session, for what learning.holdout holds out of it")
	v.StringArrayVar(&at.Files, "file", nil, "a file that the session is about; repeat it for more")
	why := v.Bool("why", false, "list the candidates: why each is in or out, what its rank is made of, the gate and the budget")
	v.BoolVar(why, "explain", false, "") // the former name of --why
	v.Hide("explain")
	start := v.String("start", "", "list what an agent, such as claude, reads when a session starts here: files, lessons, what it is told twice or both ways")
	v.json(a, "one JSON object a line: each candidate, with \"in\", \"why\" and \"parts\"")
	return v.Run(func(ctx context.Context, _ []string) error {
		if at.Project = a.conf.Canonical(at.Project); !v.Changed("project") && a.cwd != "" {
			at.Project = a.project(a.cwd)
		}
		at.Role = cmp.Or(at.Role, a.conf.Role.Value)
		at.TrustEdits, at.Now, at.Holdout, at.All = a.conf.TrustEdits.Value, a.now(), a.conf.Learning.Holdout.Value, *why || a.JSON
		if *start != "" {
			return startOf(ctx, a, *start, at)
		}
		at.Known, at.Tree = recall.KnownOf(a.places.State, at.Project), a.tree(at.Project)
		defer at.Tree.Close()
		list := render.Candidates{Why: *why, Style: recall.Style{Project: at.Project}, Budget: a.budget(), Task: at.Prompt != ""}
		if a.conf.Learning.MaxInject.Value > 0 {
			var err error
			if list.Choices, err = ask(ctx, a, func(ctx context.Context, x *index.Index) ([]recall.Choice, error) {
				pick := recall.Picker(func(at recall.Situation, b recall.Budget, _ bool) ([]recall.Choice, error) {
					return recall.Pick(ctx, x, a.corpus.Store.Reread, at, b)
				})
				return pick.Given(at, list.Budget)
			}); err != nil {
				return err
			}
		}
		if err := a.Give(list); err != nil || *why {
			return err
		}
		ls, err := a.corpus.Outside(ctx)
		if n := len(slices.DeleteFunc(ls, func(l lessons.Lesson) bool {
			return l.Status != lessons.Approved || l.Scope.Project != at.Project && !l.Scope.Global
		})); n > 0 {
			a.notGiven(n)
		}
		return err
	})
}

// startOf lists what an agent reads when a session starts.
func startOf(ctx context.Context, a *app, agent string, at recall.Situation) error {
	if !slices.Contains(setup.Names(), agent) {
		return term.Hint(term.Usagef("there is no agent %q", agent), "%s", strings.Join(setup.Names(), ", "))
	}
	at.All = false
	ahead, err := ask(ctx, a, func(ctx context.Context, x *index.Index) (recall.Ahead, error) {
		return a.preview(x).Ahead(ctx, agent, at)
	})
	if err != nil {
		return err
	}
	return a.Give(port.Opening{Opening: a.opening(ctx, agent, at.Project, ahead.Given()), Told: ahead.Told})
}

func newReview(a *app) *cobra.Command {
	v := a.verb("review", needsNothing, countArgs(0, 0, ""), "{answers}", render.ReviewHelp)
	plain := v.Bool("plain", false, "lines of text instead of the full screen")
	project := v.String("project", "", "of this project only (with --plain)")
	lane := v.String("lane", "", "likely, maybe, outside, quarantined or all (with --plain; default: likely)")
	return v.Run(func(ctx context.Context, _ []string) error {
		if !*plain {
			return openDesk(ctx, a)
		}
		if err := a.person("review them"); err != nil {
			return err
		}
		q, err := showOptions{status: string(lessons.Pending), project: *project, lane: *lane}.query(a)
		if err != nil {
			return err
		}
		list, err := ask(ctx, a, func(ctx context.Context, x *index.Index) (render.Shelf, error) {
			return render.ReadShelf(ctx, x, q.Waiting(), 0)
		})
		if err == nil && *lane == "" {
			list.Folded, err = folded(ctx, a, q)
		}
		if err != nil {
			return err
		}
		if len(list.Folded) > 0 {
			defer a.Say("%s", list.Unfold())
		}
		r := render.Review{
			Corpus: a.corpus, Console: a.Console, Stored: a.follow, Advise: a.advised,
			Edit: func(ctx context.Context, l lessons.Lesson, flags []string) error {
				cmd := newEdit(a)
				cmd.SetArgs(append([]string{string(l.ID)}, flags...))
				cmd.SilenceErrors, cmd.SilenceUsage = true, true
				return cmd.ExecuteContext(ctx)
			},
		}
		return r.Run(ctx, list.Lessons)
	})
}

func newHistory(a *app) *cobra.Command {
	v := a.verb("history", needsReading, countArgs(0, 1, ""))
	limit := v.IntP("limit", "n", 30, "at most so many steps; 0 for all")
	since := v.String("since", "", "only since a day (2026-11-20), a moment, or for so long (36h, 7d)")
	by := v.String("by", "", "only what one person or program did")
	op := v.String("op", "", "only one kind of step, such as approve, reject, edit, merge, propose, undo")
	project := v.String("project", "", "only lessons of one project")
	v.json(a, "one JSON object a line")
	return v.Run(func(_ context.Context, args []string) error {
		if *op != "" && !slices.Contains(lessons.Ops, lessons.Op(*op)) {
			return term.Hint(term.Usagef("there is no kind of step %q", *op), "%s", strings.Join(lessons.Texts(lessons.Ops), ", "))
		}
		after, err := term.Since(*since, a.now())
		if err != nil {
			return err
		}
		wants := func(c lessons.Change) bool {
			return !c.At.Before(after) && (*by == "" || *by == c.By) && (*op == "" || *op == string(c.Op)) && (*project == "" || *project == c.Subject().Scope.Project)
		}
		if len(args) > 0 {
			_, changes, err := a.corpus.History(args[0])
			if err != nil {
				return err
			}
			most := *limit
			if !v.Changed("limit") {
				most = 0 // show whole lessons
			}
			return a.Give(render.Chronicle(changes, wants, most))
		}
		steps, err := a.corpus.Steps(*limit, wants)
		if err != nil {
			return err
		}
		for _, path := range a.corpus.Store.Aside() {
			a.Warn("a journal could not be read and was put aside as %s; what was done before that is not listed", a.short(path))
		}
		return a.Give(render.Journal(steps))
	})
}
