package page

import (
	"fmt"
	"slices"
)

// Figures are the numbers at the top of the page and the recurring mistakes.
type Figures struct {
	Numbers  []Number
	Mistakes []Mistake
	Weeks    int // length of a mistake's trend
}

// A Tone says whether a number is good or bad.
type Tone string

const (
	Fine    Tone = "ok"
	Plain   Tone = "mid"
	Warning Tone = "warn"
	Bad     Tone = "bad"
)

// A Number is one of the large numbers at the top.
type Number struct {
	Value, Label string
	More         string // beside the label; may be ""
	Tone         Tone   // of More
}

// A Mistake is an error that agents meet again and again.
type Mistake struct {
	Name  string
	Trend []int // occurrences by week, oldest first
	Times int
	Says  string // the outcome
	Tone  Tone
}

// drawn are figures prepared for the template.
type drawn struct {
	Numbers      []Number
	Mistakes     []mistake
	MistakesSpan string
}

type mistake struct {
	Mistake
	Bars []bar
}

// A bar is one week of a trend.
type bar struct{ X, Y, W, H string }

// mostMistakes is how many mistakes are listed.
const mostMistakes = 8

func (f Figures) draw(c *cleaner) drawn {
	var d drawn
	for _, n := range f.Numbers {
		d.Numbers = append(d.Numbers, Number{c.line(n.Value), c.line(n.Label), c.line(n.More), n.Tone})
	}
	if len(f.Mistakes) > 0 && f.Weeks > 0 {
		d.MistakesSpan = fmt.Sprintf("per week, %d weeks", f.Weeks)
	}
	for _, m := range f.Mistakes[:min(mostMistakes, len(f.Mistakes))] {
		m.Name, m.Says = c.line(m.Name), c.line(m.Says)
		d.Mistakes = append(d.Mistakes, mistake{m, bars(m.Trend)})
	}
	return d
}

// bars draws a trend into 100 by 20.
func bars(trend []int) []bar {
	most := max(1, slices.Max(append([]int{0}, trend...)))
	var out []bar
	for i, n := range trend {
		step := 100 / float64(len(trend))
		h := 1 + 18*float64(n)/float64(most)
		out = append(out, bar{fmt.Sprintf("%.1f", step*float64(i)), fmt.Sprintf("%.1f", 20-h), fmt.Sprintf("%.1f", step-1.5), fmt.Sprintf("%.1f", h)})
	}
	return out
}

// Count formats a number for people: 14,391.
func Count(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
