package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"learnings/cmd/internal/term"
	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/file"
)

// tell prints what was done to which lessons.
func (a *app) tell(done string, ls []lessons.Lesson, asJSON bool) error {
	if asJSON {
		return a.Give(shelf{lessons: ls}, true)
	}
	for _, l := range ls {
		a.Say("%s %s  %s", done, l.ID, l.Title(80))
	}
	return nil
}

// mostHits is how many the index gives at a time.
const mostHits = 10_000

// screenful is how many lessons a terminal gets when nothing else is said.
const screenful = 50

// readShelf reads the newest lessons of a query up to a limit, or all of them.
func readShelf(ctx context.Context, x *index.Index, q index.Query, limit int) (shelf, error) {
	var s shelf
	counts, err := x.Count(ctx, q)
	if err != nil {
		return s, err
	}
	s.total, s.categories = counts.Total, len(counts.Categories)
	var hits []index.Hit
	if limit > 0 && limit <= mostHits {
		q.Limit = limit
		page, err := x.Search(ctx, q)
		if err != nil {
			return s, err
		}
		hits = page.Hits
	} else if hits, err = x.All(ctx, q); err != nil {
		return s, err
	} else if limit > 0 {
		hits = hits[:min(limit, len(hits))]
	}
	for _, h := range hits {
		s.lessons = append(s.lessons, h.Lesson)
	}
	if !q.Has(index.Status) || slices.ContainsFunc(q.Filters, func(f index.Filter) bool { return f.Field == index.Status && f.Value == "approved" }) {
		waiting, err := x.Count(ctx, index.Query{}.Where(index.Status, string(lessons.Pending)))
		if err != nil {
			return s, err
		}
		s.waiting = waiting
	}
	return s, nil
}

// chosen narrows a query by what --status and --project say. The status "all" and
// the project "" are no condition.
func (a *app) chosen(q index.Query, status, project string) (index.Query, error) {
	switch {
	case status == "all":
	case slices.Contains(lessons.Statuses, lessons.Status(status)):
		q = q.Where(index.Status, status)
	default:
		return q, term.Hint(term.Usagef("there is no status %q", status), "pending, approved, rejected, merged, archived or all")
	}
	if project == "" {
		return q, nil
	}
	c, err := a.configuration()
	return q.Where(index.Project, c.Canonical(project)), err
}

// eachLesson calls do with every lesson of the corpus, read from the files. It
// warns of a file that cannot be read, counts it and goes on.
func (a *app) eachLesson(ctx context.Context, do func(lessons.Lesson)) (broken int, err error) {
	s, err := a.corpus()
	if err != nil {
		return 0, err
	}
	for l, err := range s.All() {
		switch {
		case ctx.Err() != nil:
			return broken, ctx.Err()
		case errors.As(err, new(*file.Error)):
			a.Warn("%v", err)
			broken++
		case err != nil:
			return broken, err
		default:
			do(l)
		}
	}
	return broken, nil
}

// rereadLessons takes lessons from their files, whole: an index leaves out the turns
// around the evidence. One that is gone by now is left out.
func rereadLessons(a *app, ls []lessons.Lesson) ([]lessons.Lesson, error) {
	s, err := a.corpus()
	if err != nil {
		return nil, err
	}
	out := make([]lessons.Lesson, 0, len(ls))
	for _, l := range ls {
		l, err := s.Get(l.ID)
		switch {
		case errors.Is(err, lessons.ErrNotFound):
			continue
		case errors.As(err, new(*file.Error)):
			a.Warn("%v", err)
			continue
		case err != nil:
			return nil, err
		}
		out = append(out, l)
	}
	return out, nil
}

// A shelf is a list of lessons.
type shelf struct {
	title      string
	lessons    []lessons.Lesson
	total      int // those beyond the limit included
	categories int
	waiting    index.Counts // of proposals, to remind of
	folded     int          // proposals that may be lessons, which are not listed
}

func (s shelf) Terminal(p *term.Page) {
	p.Heading(2, "Learnings: %s", s.title)
	rows := make([][]string, 0, len(s.lessons))
	for _, l := range s.lessons {
		summary := l.Content
		if s := lessons.SaidAgain(l.Evidence); s != "" {
			summary += " (" + s + ")"
		}
		rows = append(rows, []string{string(l.ID), keywords(l, 3), summary, l.Confidence.String() + " " + l.Confidence.Word()})
	}
	if len(rows) > 0 {
		p.Table([]string{"ID", "Keywords", "Summary", "Confidence"}, rows, 2)
	}
	if more := s.total - len(s.lessons); more > 0 {
		p.Line("… and %d more: --limit 0 shows all", more)
	}
	kinds := "categories"
	if s.categories == 1 {
		kinds = "category"
	}
	p.Line("**Total:** %s across %d %s", term.Plural(s.total, "learning"), s.categories, kinds)
	if n := s.waiting.Total; n > 0 {
		maybe := s.waiting.Lane(lessons.Maybe)
		p.Line("%s for your review: learnings review", inLanes(n-maybe, maybe, "proposal")+waits(n))
	}
	if s.folded > 0 {
		p.Line("%s", s.unfold())
	}
}

func waits(n int) string {
	if n == 1 {
		return " waits"
	}
	return " wait"
}

// unfold says how to see the proposals that are not listed.
func (s shelf) unfold() string { return fmt.Sprintf("%d more may be lessons: --lane maybe", s.folded) }

func (s shelf) Plain(w io.Writer) {
	for _, l := range s.lessons {
		term.TSV(w, string(l.ID), string(l.Status), string(l.Category), l.Scope.Project, l.Scope.Role, l.Confidence.String(), l.Content)
	}
}

func (s shelf) Objects() []any {
	return term.Objects(s.lessons, func(l lessons.Lesson) any { return l.Record() })
}

// keywords are the first tags of a lesson, or else of its triggers.
func keywords(l lessons.Lesson, n int) string {
	words := l.Tags
	if len(words) == 0 {
		words = l.Triggers
	}
	return strings.Join(words[:min(n, len(words))], ", ")
}

func scope(s lessons.Scope) string {
	if s.Global {
		return "for every project, learned in " + s.Project
	}
	return strings.Trim(s.Project+" · "+s.Role, " ·")
}
