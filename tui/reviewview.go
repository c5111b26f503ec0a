package tui

import (
	"cmp"
	"fmt"
	"strings"

	"learnings/index"
	"learnings/lessons"
)

// view draws the queue with the card of the current lesson.
func (p review) view(st style) string {
	s := splitBody(p.w, p.h)
	if s.stacked && len(p.rows) == 0 {
		s.lh = p.h // what to do next takes the room of the card
		return p.list(s, st)
	}
	list := p.list(s, st)
	c := p.cardView(s, st)
	if s.stacked {
		return list + "\n" + c
	}
	return beside(list, c)
}

// orders says what comes first in a list.
var orders = map[index.Sort]string{
	index.Relevance: "best match first", index.Created: "newest evidence first", index.Confirmed: "last confirmed first",
	index.Score: "most confidence first", index.Used: "most used first", index.Queue: "most said, newest",
}

func (p review) list(s split, st style) string {
	title := st.accent.Render("queue") + st.faint.Render(" · "+orders[cmp.Or(p.load.of.order, index.Queue)])
	right := ""
	if n := len(p.rows); n > 0 {
		right = st.faint.Render(fmt.Sprintf("%s/%s", grouped(min(p.cur.at+1, n)), grouped(n)))
	}
	if n := len(p.marks); n > 0 {
		right = st.accent.Render(fmt.Sprintf("✓ %d", n)) + " " + right
	}
	lines := p.filter.lines(s.lw, st)
	if p.places() == 0 {
		lines = append(lines, p.empty(s.lw-4, st)...)
	} else {
		lines = append(lines, p.cur.lines(func(i int, current bool) string {
			if i == len(p.rows) {
				return p.foldRow(current, s.lw-2, st)
			}
			l := p.rows[i]
			return row(l, s.lw-2, current, p.marks[l.ID], st)
		})...)
		if len(p.rows) == 0 {
			lines = append(lines, p.empty(s.lw-4, st)...)
		}
	}
	return box{title: title, right: right, on: true}.draw(lines, s.lw, s.lh, st)
}

// empty says why there is nothing, and what to do next.
func (p review) empty(w int, st style) []string {
	var text string
	switch {
	case p.err != nil:
		text = "The queue could not be read: " + lessons.Line(p.err.Error())
	case p.load.making:
		text = "Reading all lessons for the first time, to make the index…"
	case !p.load.done:
		text = "Reading the queue…"
	case p.filter.query != "" && p.onFold():
		text = "No likely proposal matches the filter.\n\nenter or f shows what may be a lesson, esc all that is likely."
	case p.filter.query != "":
		text = "No proposal matches the filter.\n\nesc shows all of them."
	case p.onFold():
		text = "Nothing likely waits for a decision.\n\nenter or f shows what may be a lesson.\n\n" + p.source() + p.mine.asking()
	default:
		text = "All caught up: nothing waits for a decision.\n\n" + p.source() + p.mine.asking()
		if p.fx.Place != "" {
			text += "\n\nThis corpus is in " + lessons.Line(p.fx.Place) + "."
		}
		if p.fx.OfferSample != nil {
			text += "\n\nS opens a sample to try the keys on. It touches nothing of yours."
		}
	}
	lines := []string{""}
	for _, l := range wrap(text, w) {
		lines = append(lines, " "+st.faint.Render(l))
	}
	return lines
}

// asking says which model could read what the rules have read.
func (m stock) asking() string {
	if m.asks == "" || m.all == 0 {
		return ""
	}
	return "\n\n" + m.asks + " to read what no model has read. What that sends and costs is shown first; nothing is sent unasked."
}

// source says where the next proposals can come from.
func (p review) source() string {
	switch m := p.mine; {
	case m.all == 0 && !m.known:
		return "Proposals come from transcripts, which are being looked for. tab twice lists them."
	case m.all == 0:
		looked := p.fx.Looked[:min(len(p.fx.Looked), 2)]
		text := "No session of an agent was found on this machine. Looked in " + lessons.Line(strings.Join(looked, ", "))
		if n := len(p.fx.Looked) - len(looked); n > 0 {
			text += fmt.Sprintf(" and %d more places; tab twice lists them", n)
		}
		return text + "."
	case m.fresh == 0:
		return counted(m.all, "session") + " were read already. r in Sessions looks for new ones."
	default:
		return fmt.Sprintf("%s of %s hold something new. X extracts from all of them; tab twice lists them, to choose some.", grouped(m.fresh), counted(m.all, "session"))
	}
}

func (p review) cardView(s split, st style) string {
	l, ok := p.current()
	if !ok {
		var lines []string
		if p.onFold() {
			w, _ := p.cardSize()
			lines = append(lines, indented(p.foldCard(w, st))...)
		}
		return box{}.draw(lines, s.cw, s.ch, st)
	}
	title := bar(string(l.Category), l.Scope.Project, l.Scope.Role)
	if l.Scope.Global {
		title = bar(string(l.Category), "global")
	}
	look := st.bad
	switch l.Confidence.Word() {
	case lessons.High:
		look = st.good
	case lessons.Medium:
		look = st.warn
	}
	w, h := p.cardSize()
	c := p.card
	if c.lesson.ID != l.ID {
		c = card{lesson: l}
	}
	all := c.lines(w, st)
	lines := clip(all, c.top, h)
	for i := range lines {
		lines[i] = " " + lines[i]
	}
	right := look.Render(fmt.Sprintf("%.2f %s", float64(l.Confidence), l.Confidence.Word()))
	if l.Waits() == lessons.Maybe {
		right = st.faint.Render("maybe  ") + right
	}
	if rest := len(all) - c.top - h; rest > 0 {
		right = st.faint.Render(fmt.Sprintf("J ↓%d  ", rest)) + right
	}
	return box{title: st.strong.Render(lessons.Line(title)), right: right}.draw(lines, s.cw, s.ch, st)
}
