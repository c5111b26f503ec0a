// Package report is what was found in sessions, and what that has cost, in lines of text:
// the mistakes that come back, the models that can be asked and what was paid, and how
// right proposals were.
package report

import (
	"fmt"
	"io"
	"strings"

	"learnings/cmd/internal/term"
	"learnings/lessons"
	"learnings/lessons/calibrate"
)

// Grades are decisions on proposals, and what follows from them.
type Grades struct {
	Judged  []calibrate.Judged
	Learned calibrate.Calibration
	Off     []string // habits that are switched off
}

// by are the ways in which decisions are counted.
var by = []struct {
	name, title string
	of          func(calibrate.Judged) string
}{
	{"lane", "Lane", func(j calibrate.Judged) string { return string(j.Lane) }},
	{"rule", "Proposed for", func(j calibrate.Judged) string { return j.Kind }},
	{"agent", "Agent", func(j calibrate.Judged) string { return j.Agent }},
	{"extractor", "Extractor", func(j calibrate.Judged) string { return j.Extractor }},
}

func (g Grades) Terminal(p *term.Page) {
	p.Heading(2, "Learnings: how right proposals were")
	if len(g.Judged) == 0 {
		p.Line("You have not decided on a proposal yet.")
		return
	}
	for _, b := range by {
		rows := [][]string{}
		for _, x := range calibrate.Grades(g.Judged, b.of) {
			rows = append(rows, []string{lessons.Line(x.Name), fmt.Sprint(x.Count), fmt.Sprintf("%.2f", x.True()), fmt.Sprintf("%.2f", x.Said)})
		}
		p.Table([]string{b.title, "Decided", "Right", "Said"}, rows, 0)
		p.Line("")
	}
	for _, x := range calibrate.Grades(g.Judged, func(j calibrate.Judged) string { return j.Extractor }) {
		if b := g.Learned.Bias(x.Name, ""); b != 0 {
			p.Line("Confidences of %s are moved by %+.2f (log odds): .60 becomes %s.", lessons.Line(x.Name), b, g.Learned.At(lessons.LikelyAt, x.Name, ""))
		}
	}
	for _, h := range g.Learned.Habits() {
		p.Line("You rejected %s as %s (%s): others like them go to maybe.", lessons.Line(h.Kind), h.Refusal, join(h.From))
		p.Line("    to switch that off: learning.not_learned = [%q]", h)
	}
	for _, name := range g.Off {
		p.Line("Switched off: %s", lessons.Line(name))
	}
}

func join(ids []lessons.ID) string {
	words := make([]string, len(ids))
	for i, id := range ids {
		words[i] = string(id)
	}
	return strings.Join(words, ", ")
}

func (g Grades) Plain(w io.Writer) {
	for _, b := range by {
		for _, x := range calibrate.Grades(g.Judged, b.of) {
			term.TSV(w, b.name, x.Name, "decided", fmt.Sprint(x.Count), "right", fmt.Sprintf("%.2f", x.True()), "said", fmt.Sprintf("%.2f", x.Said))
		}
	}
	for _, h := range g.Learned.Habits() {
		term.TSV(w, "habit", h.String(), join(h.From))
	}
	for _, name := range g.Off {
		term.TSV(w, "off", name)
	}
}

func (g Grades) Objects() []any {
	type graded struct {
		By      string  `json:"by"`
		Name    string  `json:"name"`
		Decided int     `json:"decided"`
		Right   float64 `json:"right"`
		Said    float64 `json:"said"`
		Bias    float64 `json:"bias,omitempty"` // log odds, of extractors
	}
	type habit struct {
		Habit string          `json:"habit"`
		Why   lessons.Refusal `json:"refusal"`
		Rule  string          `json:"rule"`
		From  []lessons.ID    `json:"from"`
	}
	out := []any{}
	for _, b := range by {
		for _, x := range calibrate.Grades(g.Judged, b.of) {
			o := graded{By: b.name, Name: x.Name, Decided: x.Count, Right: x.True(), Said: x.Said}
			if b.name == "extractor" {
				o.Bias = g.Learned.Bias(x.Name, "")
			}
			out = append(out, o)
		}
	}
	for _, h := range g.Learned.Habits() {
		out = append(out, habit{h.String(), h.Refusal, h.Kind, h.From})
	}
	return out
}
