package view

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"learnings/cmd/internal/term"
	"learnings/index"
	"learnings/lessons"
)

// MostHits is how many lessons the index gives at a time.
const MostHits = 10_000

// ReadShelf reads the newest lessons of a query up to a limit, or all of them.
func ReadShelf(ctx context.Context, x *index.Index, q index.Query, limit int) (Shelf, error) {
	var s Shelf
	err := index.Open(ctx, x, func(x *index.Index) (err error) {
		s, err = readShelf(ctx, x, q, limit)
		return err
	})
	return s, err
}

func readShelf(ctx context.Context, x *index.Index, q index.Query, limit int) (s Shelf, err error) {
	if s.Categories, err = index.Distinct(ctx, x, q, index.Category); err != nil {
		return s, err
	}
	var hits []index.Hit
	if limit > 0 && limit <= MostHits {
		q.Limit = limit
		page, err := x.Search(ctx, q)
		if err != nil {
			return s, err
		}
		hits, s.Total = page.Hits, page.Total
	} else if hits, err = x.All(ctx, q); err != nil {
		return s, err
	} else if s.Total = len(hits); limit > 0 {
		hits = hits[:min(limit, len(hits))]
	}
	for _, h := range hits {
		s.Lessons = append(s.Lessons, h.Lesson)
	}
	if !q.Has(index.Status) || slices.ContainsFunc(q.Filters, func(f index.Filter) bool { return f.Field == index.Status && f.Value == "approved" }) {
		pending := index.Query{}.Where(index.Status, string(lessons.Pending))
		waiting, err := x.Totals(ctx, pending, index.Query{}.Where(index.Lane, string(lessons.Maybe)))
		if err != nil {
			return s, err
		}
		s.Waiting, s.Maybe = waiting[0], waiting[1]
	}
	return s, nil
}

// A Shelf is a list of lessons.
type Shelf struct {
	Title      string
	Lessons    []lessons.Lesson
	Total      int // those beyond the limit included
	Categories int
	Waiting    int // proposals, to remind of,
	Maybe      int // and how many of them may be lessons
	Folded     int // proposals that may be lessons, which are not listed
}

// Shown are the lessons that are listed.
func (s Shelf) Shown() []lessons.Lesson { return s.Lessons }

func (s Shelf) Terminal(p *term.Page) {
	p.Heading(2, "Learnings: %s", s.Title)
	rows := make([][]string, 0, len(s.Lessons))
	for _, l := range s.Lessons {
		summary := l.Content
		if s := lessons.SaidAgain(l.Evidence); s != "" {
			summary += " (" + s + ")"
		}
		rows = append(rows, []string{string(l.ID), strings.Join(l.Keywords(3), ", "), summary, l.Confidence.String() + " " + l.Confidence.Word()})
	}
	if len(rows) > 0 {
		p.Table([]string{"ID", "Keywords", "Summary", "Confidence"}, rows, 2)
	}
	if more := s.Total - len(s.Lessons); more > 0 {
		p.Line("… and %d more: --limit 0 shows all", more)
	}
	kinds := "categories"
	if s.Categories == 1 {
		kinds = "category"
	}
	p.Line("**Total:** %s across %d %s", term.Plural(s.Total, "learning"), s.Categories, kinds)
	if n := s.Waiting; n > 0 {
		p.Line("%s for your review: learnings review", term.InLanes(n-s.Maybe, s.Maybe, "proposal")+waits(n))
	}
	if s.Folded > 0 {
		p.Line("%s", s.Unfold())
	}
}

func waits(n int) string {
	if n == 1 {
		return " waits"
	}
	return " wait"
}

// Unfold says how to see the proposals that are not listed.
func (s Shelf) Unfold() string { return fmt.Sprintf("%d more may be lessons: --lane maybe", s.Folded) }

func (s Shelf) Plain(w io.Writer) {
	for _, l := range s.Lessons {
		term.TSV(w, string(l.ID), string(l.Status), string(l.Category), l.Scope.Project, l.Scope.Role, l.Confidence.String(), l.Content)
	}
}

func (s Shelf) Objects() []any {
	return term.Objects(s.Lessons, func(l lessons.Lesson) any { return l.Record() })
}

// Scope says for which sessions a lesson holds.
func Scope(s lessons.Scope) string {
	if s.Global {
		return "for every project, learned in " + s.Project
	}
	return strings.Trim(s.Project+" · "+s.Role, " ·")
}
