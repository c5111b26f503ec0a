package view

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"learnings/cmd/internal/term"
	"learnings/index"
	"learnings/lessons"
)

// Results lists what a search found, the best first, with what reading each costs in
// tokens.
func Results(query string, page index.Page, cost func(lessons.Lesson) int) term.Answer {
	r := results{query, page, cost}
	return term.List[index.Hit]{Items: page.Hits, Page: r.show, Cells: r.cells, Object: r.object}
}

type results struct {
	query string
	page  index.Page
	cost  func(lessons.Lesson) int
}

const insightLength = 200 // characters, as in the /learnings command

func (r results) show(p *term.Page) {
	p.Heading(2, "Search Results for: %q", r.query)
	for i, h := range r.page.Hits {
		l := h.Lesson
		mark := ""
		if l.Status != lessons.Approved {
			mark = fmt.Sprintf(" [%s]", l.Status)
		}
		fits := fmt.Sprintf("Match: %.0f%%", h.Match*100)
		if h.ByMeaning {
			fits = fmt.Sprintf("by meaning: %.0f%%", h.Near*100)
		}
		p.Strong("### %d. %s: %s (%s)%s", i+1, l.Category, l.Content, fits, mark)
		p.Line("%s · %s · %s %s · %s · %s", l.ID, Scope(l.Scope), l.Confidence, l.Confidence.Word(), day(l), term.Plural(r.cost(l), "token"))
		if words := strings.Join(l.Keywords(5), ", "); words != "" {
			p.Line("**Keywords:** %s", words)
		}
		if s := lessons.Line(l.Insight); s != "" {
			p.Text("", "**Insight:** "+cut(s, insightLength))
		}
		fmt.Fprintln(p.W)
	}
	p.Line("**Found:** %s", term.Plural(r.page.Total, "matching learning"))
	if more := r.page.Total - len(r.page.Hits); more > 0 {
		p.Line("… %d of them not shown: --limit %d", more, r.page.Total)
	}
}

// cut shortens to n characters, with three dots for the rest.
func cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n]) + "..."
}

// day is when a lesson was made.
func day(l lessons.Lesson) string { return l.Created.Format("2006-01-02") }

func (r results) cells(h index.Hit) []string {
	l := h.Lesson
	how := "words"
	if h.ByMeaning {
		how = "meaning"
	}
	return []string{string(l.ID), fmt.Sprintf("%.2f", h.Match), string(l.Status), string(l.Category), l.Scope.Project, l.Confidence.String(), l.Content,
		day(l), fmt.Sprint(r.cost(l)), how}
}

func (r results) object(h index.Hit) any {
	return struct {
		lessons.Record
		Match     float64 `json:"match"`                // how much of the query it has
		Near      float64 `json:"near"`                 // how near it is in what it means
		ByMeaning bool    `json:"by_meaning,omitempty"` // it has none of the words
		Tokens    int     `json:"tokens"`               // what reading it costs
	}{h.Lesson.Record(), h.Match, h.Near, h.ByMeaning, r.cost(h.Lesson)}
}
