package render

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"learnings/cmd/internal/term"
	"learnings/index"
	"learnings/lessons"
	"learnings/tui/card"
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
		s.Lessons = term.Map(hits, func(h index.Hit) lessons.Lesson { return h.Lesson })
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
	return term.Map(s.Lessons, func(l lessons.Lesson) any { return l.Record() })
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
		p.Table([]string{"Project", "Approved", "Pending", "All", "Aliases"}, term.Map(ps, cells), 0)
		p.Line("**Total:** %s", term.Plural(len(ps), "project"))
	}}
}

// This file draws lessons on a terminal as the desk does.

// LookOf returns how lessons look on a terminal: in the theme of the desk, unless that goes
// by the background and the terminal does not say it in COLORFGBG. Then it is the terminal's
// own colours: asking would wait for an answer and could take what is typed ahead.
func LookOf(theme string, colour bool, getenv func(string) string) *look.Style {
	light, known := look.Ground(getenv)
	switch {
	case !colour:
		theme = look.None
	case theme == look.Auto && !known:
		theme, light = look.Terminal, true // whose plain colours are legible on most grounds
	}
	depth := look.Colours16
	if strings.Contains(getenv("TERM"), "256color") {
		depth = look.Colours256
	}
	if c := getenv("COLORTERM"); c == "truecolor" || c == "24bit" {
		depth = look.TrueColour
	}
	return look.New(theme, !light, depth)
}

// mostWide is the greatest width of a lesson, for the eyes.
const mostWide = 110

// write prints drawn lines, without styles where the terminal has none.
func write(p *term.Page, lines ...string) {
	for _, l := range lines {
		if !p.Colour {
			l = ansi.Strip(l)
		}
		fmt.Fprintln(p.W, strings.TrimRight(l, " "))
	}
}

// heading prints the title of a list and its size.
func heading(p *term.Page, title, size string, st *look.Style) {
	write(p, kit.Ends(" "+st.Strong.Render(lessons.Line(title)), st.Dim.Render(size), min(p.Width, mostWide)), "")
}

// row prints a lesson of a list in two lines, its project and id at the right, and below it
// what else there is to say.
func row(p *term.Page, l lessons.Lesson, hits []string, now time.Time, st *look.Style, notes ...string) {
	w := min(p.Width, mostWide)
	side := max(kit.CellsOf(string(l.ID)), min(w/5, 16))
	text := append(card.Row{Lesson: l, Hits: hits}.Sentence(max(w-card.RowText-side-2, 8), 2, st), "")
	where := cmp.Or(lessons.Line(l.Scope.Project), "every project")
	if l.Scope.Global {
		where = "every project"
	}
	right := func(s string) string { return kit.Rightly(s, side+1) }
	write(p, kit.Ends(" "+card.Standing(l, now, st)+" "+st.Dim.Render(kit.Fit(look.Tag(lessons.Line(string(l.Category))), card.RowBar))+" "+text[0], right(st.Place.Render(look.Sentence(where, side))), w),
		kit.Ends("   "+card.TrustBar(l, card.RowBar, st)+" "+text[1], right(st.Dim.Render(string(l.ID))), w))
	for _, note := range notes {
		if note == "" {
			continue
		}
		for _, line := range look.Lines(lessons.Line(note), w-card.RowText, 2) {
			write(p, kit.Fit("", card.RowText)+st.Dim.Render(line))
		}
	}
}
