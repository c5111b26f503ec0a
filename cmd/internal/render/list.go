package render

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"learnings/cmd/internal/term"
	"learnings/index"
	"learnings/lessons"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// MostHits is the page size of index queries.
const MostHits = 10_000

// A Shelf is a list of lessons.
type Shelf struct {
	Title      string
	Lessons    []lessons.Lesson
	Total      int // including those beyond the limit
	Categories int
	Waiting    lessons.Waiting // for the reminder
	Folded     lessons.Waiting // what the list leaves out
	Now        time.Time
	Look       *look.Style // on a terminal
}

// ReadShelf reads the newest lessons that match a query. A positive limit bounds them.
func ReadShelf(ctx context.Context, x *index.Index, q index.Query, limit int) (s Shelf, err error) {
	err = index.Open(ctx, x, func(x *index.Index) error {
		_, facets, err := x.Facets(ctx, q, index.Category)
		if err != nil {
			return err
		}
		s.Categories = len(facets[0].Values)
		var hits []index.Hit
		if limit > 0 && limit <= MostHits {
			q.Limit = limit
			page, err := x.Search(ctx, q)
			if err != nil {
				return err
			}
			hits, s.Total = page.Hits, page.Total
		} else if hits, err = x.All(ctx, q); err != nil {
			return err
		} else if s.Total = len(hits); limit > 0 {
			hits = hits[:min(limit, len(hits))]
		}
		for _, h := range hits {
			s.Lessons = append(s.Lessons, h.Lesson)
		}
		if q.Has(index.Status) && !slices.ContainsFunc(q.Filters, func(f index.Filter) bool { return f.Field == index.Status && f.Value == string(lessons.Approved) }) {
			return nil
		}
		s.Waiting, err = x.Waiting(ctx, index.Query{Now: q.Now})
		return err
	})
	return s, err
}

// Shown returns the listed lessons, which are then compared with their files.
func (s Shelf) Shown() []lessons.Lesson { return s.Lessons }

func (s Shelf) Terminal(p *term.Page) {
	heading(p, s.Title, fmt.Sprintf("%s in %s", term.Plural(s.Total, "lesson"), term.Plural(s.Categories, "category")), s.Look)
	for _, l := range s.Lessons {
		row(p, l, nil, s.Now, s.Look, kit.Dotted(keywords(l, 3), lessons.SaidAgain(l.Evidence)))
	}
	if len(s.Lessons) > 0 {
		write(p, "")
	}
	p.More(s.Total - len(s.Lessons))
	if n := s.Waiting.All(); n > 0 {
		wait := "wait"
		if n == 1 {
			wait = "waits"
		}
		p.Line("%s %s for your review: learnings review", term.InLanes(s.Waiting, "proposal"), wait)
	}
	if len(s.Folded) > 0 {
		p.Line("%s", s.Unfold())
	}
}

// Unfold says how to list the proposals left out.
func (s Shelf) Unfold() string {
	var counts, lanes []string
	for _, lane := range lessons.QueueLanes {
		if n := s.Folded[lane]; n > 0 {
			counts, lanes = append(counts, fmt.Sprintf("%d %s", n, lane)), append(lanes, string(lane))
		}
	}
	return fmt.Sprintf("in other lanes %s: --lane %s, or all", strings.Join(counts, ", "), lanes[0])
}

func (s Shelf) Plain(w io.Writer) {
	for _, l := range s.Lessons {
		term.TSV(w, string(l.ID), string(l.Status), string(l.Category), l.Scope.Project, l.Scope.Role, l.Trust(), l.Content)
	}
}

func (s Shelf) Objects() []any {
	return term.Objects(s.Lessons, func(l lessons.Lesson) any { return l.Record() })
}

// mostInsight is how many characters of an insight a search result shows.
const mostInsight = 200

// Results lists search hits, best first, with the tokens that reading each costs.
func Results(query string, found index.Page, cost func(lessons.Lesson) int, now time.Time, st *look.Style) term.Answer {
	return term.List[index.Hit]{Items: found.Hits,
		Page: func(p *term.Page) {
			heading(p, query, term.Plural(found.Total, "lesson")+" found", st)
			hits := index.Words(query)
			for _, h := range found.Hits {
				l, fits := h.Lesson, fmt.Sprintf("fits %.0f %%", h.Match*100)
				if h.ByMeaning {
					fits = fmt.Sprintf("near in meaning, %.0f %%", h.Near*100)
				}
				row(p, l, hits, now, st, kit.Dotted(fits, made(l), term.Plural(cost(l), "token"), keywords(l, 5)), lessons.Wording{Content: l.Insight}.Title(mostInsight))
			}
			write(p, "")
			if more := found.Total - len(found.Hits); more > 0 {
				p.Line("… %d of them not shown: --limit %d", more, found.Total)
			}
		},
		Cells: func(h index.Hit) []string {
			l := h.Lesson
			how, _ := likeness(h)
			return []string{string(l.ID), fmt.Sprintf("%.2f", h.Match), string(l.Status), string(l.Category), l.Scope.Project, l.Trust(), l.Content,
				made(l), fmt.Sprint(cost(l)), how}
		},
		Object: func(h index.Hit) any {
			return term.Object(h.Lesson.Record(), "match", h.Match, "near", h.Near, "by_meaning?", h.ByMeaning, "tokens", cost(h.Lesson))
		}}
}

// keywords returns the first keywords of a lesson, at most n, without words that only repeat
// its sentence.
func keywords(l lessons.Lesson, n int) string {
	words := l.Tags
	if len(words) == 0 && len(l.Triggers) > 0 {
		words = l.Keywords()
	}
	return strings.Join(words[:min(len(words), n)], ", ")
}

// made returns the day on which a lesson was created.
func made(l lessons.Lesson) string { return l.Created.Format("2006-01-02") }

// A ProjectCount is a project's number of lessons by status.
type ProjectCount struct {
	Project string                 `json:"project"`
	Total   int                    `json:"total"`
	Counts  map[lessons.Status]int `json:"counts"`
	Aliases []string               `json:"aliases,omitempty"`
}

// Projects lists projects with their numbers of lessons.
func Projects(ps []ProjectCount) term.Answer {
	cells := func(x ProjectCount) []string {
		return []string{x.Project, fmt.Sprint(x.Counts[lessons.Approved]), fmt.Sprint(x.Counts[lessons.Pending]), fmt.Sprint(x.Total), strings.Join(x.Aliases, ",")}
	}
	return term.List[ProjectCount]{Items: ps, Cells: cells, Object: func(x ProjectCount) any { return x }, Page: func(p *term.Page) {
		if len(ps) == 0 {
			p.Line("no lessons yet: `learnings extract` takes them from sessions")
			return
		}
		p.Table([]string{"Project", "Approved", "Pending", "All", "Aliases"}, term.Rows(ps, cells), 0)
		p.Line("**Total:** %s", term.Plural(len(ps), "project"))
	}}
}
