package tui

import (
	"fmt"
	"time"

	"learnings/tui/look"
)

// A pace is how long decisions take.
type pace struct {
	n     int
	took  time.Duration
	since time.Time // the last decision, or when the first proposal was there
}

// A break is longer than it takes to judge a proposal: the person was away.
const aBreak = 3 * time.Minute

// began notes that there is something to decide on.
func (p pace) began(now time.Time) pace {
	if p.since.IsZero() {
		p.since = now
	}
	return p
}

// decided counts decisions.
func (p pace) decided(n int, now time.Time) pace {
	if d := now.Sub(p.since); d > 0 && d < aBreak && !p.since.IsZero() {
		p.n, p.took = p.n+n, p.took+d
	}
	p.since = now
	return p
}

// undecided takes back decisions that could not be made: the time was spent on the others.
func (p pace) undecided(n int) pace {
	if p.n -= n; p.n <= 0 {
		p.n, p.took = 0, 0
	}
	return p
}

// leastPaced is from how many decisions on a mean says something.
const leastPaced = 3

// each says how long one takes; "" while that is not known.
func (p pace) each() string {
	if p.n < leastPaced {
		return ""
	}
	return fmt.Sprintf("%.1f s each", p.took.Seconds()/float64(p.n))
}

// left says how long as many more take; "" while that is not known, and for less than a
// minute.
func (p pace) left(n int) string {
	if p.n < leastPaced {
		return ""
	}
	switch m := int((p.took / time.Duration(p.n) * time.Duration(n)).Minutes() + 0.5); {
	case m < 1:
		return "less than a minute to go"
	case m < 120:
		return fmt.Sprintf("%d min to go", m)
	default:
		return fmt.Sprintf("%d h to go", m/60)
	}
}

// spent is a time as people say it.
func spent(d time.Duration) string {
	d = d.Round(time.Second)
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%d h %d min", int(d.Hours()), int(d.Minutes())%60)
}

// progressOf says how far the person is: all of it, and as little as fits a narrow line.
func progressOf(p review, st *look.Style) (long, short string) {
	n := p.counts()[p.lane]
	if n == 0 || !p.load.done {
		return "", ""
	}
	short = st.Strong.Render(grouped(n)) + st.Dim.Render(" left")
	long = short
	if s := bar(p.pace.each(), p.pace.left(n)); s != "" {
		long += st.Dim.Render(" · " + s)
	}
	if p.decidedOn > 0 {
		long = st.Bar(float64(p.decidedOn)/float64(p.decidedOn+n), 14, st.Accent) + " " + long
	}
	return long, short
}
