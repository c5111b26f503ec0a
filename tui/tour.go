package tui

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"learnings/tui/look"
)

// A tour goes through the desk in four steps, once. The page is dimmed but for what the
// step is about; keys work meanwhile, so that they can be tried.
type tour struct {
	step int // the first is 1; 0 when there is none
	seen bool
}

// tourMsg asks for the tour.
type tourMsg struct{}

// touredMsg answers the request to remember the tour.
type touredMsg struct{ err error }

// A stop is one step of the tour.
type stop struct {
	title, text string
	column      int // the column of the page that stays lit; -1 for none
	tabs, foot  bool
}

var stops = []stop{
	{title: "what waits", text: "Each row is a proposal: a sentence that a later session may need. The surest come first. *j* and *k* go through them.\n\nNothing here reaches an agent before you approve it.", column: 0},
	{title: "who said it", text: "Each proposal quotes what made it. *person* is you; *agent* and *tool* are around it. A lesson that only a tool speaks for is never approved in bulk.\n\n*enter* opens the session there. Try it, or go on.", column: 1},
	{title: "the keys", text: "*a* approves, *x* rejects, *1-9* say how sure you are, and *u* undoes, as often as you like. Below are the keys of the moment.\n\n*?* lists all of them, and *:* finds one by words.", column: -1, foot: true},
	{title: "the next session", text: "*alt+5* shows what an agent is given when it starts next, and why; type a task there to see what it would bring in.\n\n`learnings setup` makes your agents ask for it.", column: -1, tabs: true},
}

// toured begins the tour in the queue.
func toured(a app) (app, out) {
	var o out
	a.panes, o = a.turn(onReview)
	a.tour = tour{step: 1, seen: true}
	return a, o
}

// guide begins the tour by itself, when the first proposals are on the screen of
// somebody who has not seen it.
func guide(a app) (app, out) {
	if a.fx.Toured == nil || a.tour.seen || a.dialog != nil || a.on != onReview || len(a.review.rows) == 0 {
		return a, out{}
	}
	a.tour = tour{step: 1, seen: true}
	keep := a.fx.Toured
	return a, run(func(context.Context) tea.Msg { return touredMsg{keep()} })
}

// press takes the keys of the tour. taken is false for all others.
func (t tour) press(k string) (next tour, taken bool) {
	if t.step == 0 {
		return t, false
	}
	switch k {
	case "space":
		t.step = (t.step + 1) % (len(stops) + 1)
	case "left":
		t.step = max(t.step-1, 1)
	case "esc":
		t.step = 0
	default:
		return t, false
	}
	return t, true
}

// lit is a page on which only what the step is about is not dimmed.
func (t tour) lit(s sheet) sheet {
	cols := make([]column, len(s.cols))
	for i, c := range s.cols {
		c.lit, c.n = 0, 0
		if i == stops[t.step-1].column {
			c.n = c.h
		}
		cols[i] = c
	}
	s.cols = cols
	return s
}

// tourW is how wide a step gets.
const tourW = 66

// over puts the step over the lines of a page.
func (t tour) over(lines []string, r room, keys keymap, st *look.Style) []string {
	now := stops[t.step-1]
	last := len(lines) - 1
	if !now.tabs {
		lines[0], lines[1] = st.Fade(lines[0]), st.Fade(lines[1])
	}
	if !now.foot {
		lines[last] = st.Fade(lines[last])
	}
	w := min(tourW, r.w-4)
	text := []string{""}
	for _, l := range strings.Split(now.text, "\n") {
		text = append(text, indented(indented(wrap(starred(l, keys, st), w-6)))...)
	}
	dots := st.Accent.Render(strings.Repeat("●", t.step)) + st.Rule.Render(strings.Repeat("●", len(stops)-t.step))
	onward := " on  "
	if t.step == len(stops) {
		onward = " done  "
	}
	text = append(text, "", "  "+dots+"   "+st.Accent.Render("space")+onward+st.Accent.Render("←")+" back  "+st.Accent.Render("esc")+st.Dim.Render(" enough; "+keys.of(onReview, ":")+" tour shows it again"))
	title := st.Accent.Render(string(rune('0'+t.step))+" of "+string(rune('0'+len(stops)))) + "  " + st.Strong.Render(now.title)
	_, h := r.floor()
	from, to := 1+max((h-len(text)-2)/2, 0), 1+h
	if now.column == 1 && r.w < wide {
		from, to = 1, 1+min(len(text)+2, h) // what it speaks of is below
	}
	part := over(lines[from:to], box{title: title, on: true}.draw(text, w, min(len(text)+2, h), st), r.w)
	copy(lines[from:to], part)
	return lines
}

// starred is a text of which what stands between stars is a key, or has weight.
func starred(text string, keys keymap, st *look.Style) string {
	var b strings.Builder
	for i, part := range strings.Split(text, "*") {
		if i%2 == 1 {
			part = st.Accent.Render(keys.of(onReview, part))
		}
		b.WriteString(part)
	}
	return b.String()
}
