package style

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"learnings/cmd/internal/term"
	"learnings/index"
	"learnings/lessons"
)

// The names of the styles. That of amplihack is of its /learnings command: the same
// Markdown for a person, a script and an agent.
const (
	NameAmplihack = "amplihack"
	NameGimli     = "gimli"
)

// A markdown is an answer that is the same for everybody.
type markdown string

func (m markdown) Terminal(p *term.Page) { m.Plain(p.W) }
func (m markdown) Plain(w io.Writer)     { _, _ = io.WriteString(w, string(m)) }
func (m markdown) Objects() []any        { return []any{string(m)} }

// AmplihackShelf is a list in the style: of so many lessons of so many categories.
func AmplihackShelf(title string, ls []lessons.Lesson, total, categories int) term.Answer {
	var b strings.Builder
	fmt.Fprintf(&b, "## Learnings: %s\n\n", lessons.Line(title))
	b.WriteString("| ID | Keywords | Summary | Confidence |\n| --- | --- | --- | --- |\n")
	for _, l := range ls {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", l.ID, cell(keywords(l)), cell(l.Content), short(float64(l.Confidence)))
	}
	fmt.Fprintf(&b, "\n**Total:** %d learnings across %d categories\n", total, categories)
	return markdown(b.String())
}

// AmplihackHits is what a search found in the style.
func AmplihackHits(query string, page index.Page) term.Answer {
	const most = 200 // characters of an insight
	var b strings.Builder
	fmt.Fprintf(&b, "## Search Results for: \"%s\"\n\n", lessons.Line(query))
	for i, h := range page.Hits {
		l := h.Lesson
		fmt.Fprintf(&b, "### %d. %s: %s (Match: %.0f%%)\n\n", i+1, l.Category, lessons.Line(l.Content), h.Match*100)
		if words := keywords(l); words != "" {
			fmt.Fprintf(&b, "**Keywords:** %s\n", lessons.Line(words))
		}
		if s := lessons.Line(l.Insight); s != "" {
			if utf8.RuneCountInString(s) > most {
				s = string([]rune(s)[:most]) + "..."
			}
			fmt.Fprintf(&b, "**Insight:** %s\n", s)
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "**Found:** %d matching learnings\n", page.Total)
	return markdown(b.String())
}

// AmplihackStats are the counts in the style.
func AmplihackStats(s *index.Stats) term.Answer {
	var b strings.Builder
	b.WriteString("## Learning Statistics\n\n| Category | Count | Avg Confidence |\n| --- | --- | --- |\n")
	total := 0
	for _, c := range s.Order() {
		t := s.Categories[c]
		total += t.N
		fmt.Fprintf(&b, "| %s | %d | %.2f |\n", cell(string(c)), t.N, t.Average())
	}
	fmt.Fprintf(&b, "\n**Total:** %d learnings\n", total)
	list := func(title string, ls []lessons.Lesson, note func(lessons.Lesson) string) {
		if len(ls) == 0 {
			return
		}
		fmt.Fprintf(&b, "\n### %s\n\n", title)
		for i, l := range ls {
			fmt.Fprintf(&b, "%d. %s: \"%s\" (%s)\n", i+1, l.ID, lessons.Line(l.Content), note(l))
		}
	}
	list("Most Used", s.Used, func(l lessons.Lesson) string { return fmt.Sprintf("used %d times", l.Use.Used) })
	list("Recently Added", s.Recent, func(l lessons.Lesson) string { return l.Created.Local().Format("2006-01-02") })
	return markdown(b.String())
}

// keywords are the first five of a lesson.
func keywords(l lessons.Lesson) string {
	words := l.Tags
	if len(words) == 0 {
		words = l.Triggers
	}
	return strings.Join(words[:min(5, len(words))], ", ")
}

// cell is text that does not end its cell of a table.
func cell(s string) string { return strings.ReplaceAll(lessons.Line(s), "|", `\|`) }

// short is a confidence with no more digits than it has.
func short(c float64) string {
	return strconv.FormatFloat(float64(lessons.Confidence(c).Round()), 'f', -1, 64)
}
