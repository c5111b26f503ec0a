package view

import (
	"fmt"
	"unicode/utf8"

	"learnings/cmd/internal/term"
	"learnings/index"
	"learnings/lessons"
)

// Results lists what a search found, the best first.
func Results(query string, page index.Page) term.Answer {
	return term.List[index.Hit]{Items: page.Hits, Page: results{query, page}.show, Cells: hitCells, Object: hitObject}
}

type results struct {
	query string
	page  index.Page
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
		p.Strong("### %d. %s: %s (Match: %.0f%%)%s", i+1, l.Category, l.Content, h.Match*100, mark)
		p.Line("%s · %s · %s %s", l.ID, Scope(l.Scope), l.Confidence, l.Confidence.Word())
		if words := Keywords(l, 5); words != "" {
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

func hitCells(h index.Hit) []string {
	l := h.Lesson
	return []string{string(l.ID), fmt.Sprintf("%.2f", h.Match), string(l.Status), string(l.Category), l.Scope.Project, l.Confidence.String(), l.Content}
}

func hitObject(h index.Hit) any {
	return struct {
		lessons.Record
		Match float64 `json:"match"` // how well it fits the query
	}{h.Lesson.Record(), h.Match}
}
