// Package style prints what verbs found as other programs print it, for those who are
// used to them.
package style

import (
	"fmt"
	"io"
	"time"

	"learnings/cmd/internal/term"
	"learnings/lessons"
	"learnings/lessons/exchange/gimli"
)

// GimliStats is what Gimli's dashboard shows of lessons.
type GimliStats struct{ gimli.Board }

// Gimli counts lessons as Gimli does.
func Gimli(ls []lessons.Lesson, now time.Time) GimliStats {
	return GimliStats{gimli.BoardOf(ls, now)}
}

// shares are the counts in the order in which they are shown.
func (s GimliStats) shares() (out [][3]string) {
	m := s.Metrics
	for _, g := range []struct {
		name string
		keys []string
		of   map[string]int
	}{{"category", gimli.Categories, m.ByCategory}, {"confidence", gimli.Confidences, m.ByConfidence}, {"source", gimli.Sources, m.BySource}} {
		for _, k := range g.keys {
			out = append(out, [3]string{g.name, k, fmt.Sprint(g.of[k])})
		}
	}
	return out
}

// Terminal is for people.
func (s GimliStats) Terminal(p *term.Page) {
	m := s.Metrics
	p.Heading(2, "Learnings: as Gimli counts them")
	var rows [][]string
	for _, r := range s.shares() {
		rows = append(rows, r[:])
	}
	p.Table([]string{"By", "", "Count"}, append(rows, []string{"total", "", fmt.Sprint(m.Total)}), 0)
	p.Line("accuracy %v of 100, by confidence; %d in a day, %d in a week, %d in a month, %.2f a day", m.Accuracy, m.Time.Day, m.Time.Week, m.Time.Month, m.Time.PerDay)
	for _, c := range gimli.Categories {
		if len(s.Top[c]) == 0 {
			continue
		}
		fmt.Fprintln(p.W)
		p.Heading(3, "Top %s", c)
		for _, t := range s.Top[c] {
			p.Line("- %s: %s (%s)", t.ID, lessons.Wording{Content: t.Content}.Title(80), t.Confidence)
		}
	}
}

// Plain is for scripts.
func (s GimliStats) Plain(w io.Writer) {
	m := s.Metrics
	term.TSV(w, "total", fmt.Sprint(m.Total))
	for _, r := range s.shares() {
		term.TSV(w, r[0], r[1], r[2])
	}
	term.TSV(w, "accuracy", fmt.Sprint(m.Accuracy))
	for _, t := range [][2]string{{"day", fmt.Sprint(m.Time.Day)}, {"week", fmt.Sprint(m.Time.Week)}, {"month", fmt.Sprint(m.Time.Month)}, {"per_day", fmt.Sprint(m.Time.PerDay)}} {
		term.TSV(w, "time", t[0], t[1])
	}
	for _, c := range gimli.Categories {
		for _, t := range s.Top[c] {
			term.TSV(w, "top", c, t.ID, t.Confidence, lessons.Line(t.Content))
		}
	}
}

// Objects is the dashboard as Gimli gives it.
func (s GimliStats) Objects() []any { return []any{s.Board} }
