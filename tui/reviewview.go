package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"learnings/index"
	"learnings/lessons"
	"learnings/tui/look"
)

// sheet draws the queue with the card of the current lesson.
func (p review) sheet(st *look.Style) sheet {
	s := splitBody(p.w, p.h)
	sh := sheet{stacked: s.stacked, head: reviewHead(p, st), right: position(p.cur.at, len(p.rows), len(p.marks), st)}
	sh.running, sh.brief = progressOf(p, st)
	if s.stacked && len(p.rows) == 0 {
		s.lh = p.h // what to do next takes the room of the card
		sh.cols = []column{queueColumn(p, s, st)}
		return sh
	}
	sh.cols = []column{queueColumn(p, s, st), cardColumn(p, s, st)}
	return sh
}

// reviewHead says which lanes there are, or what limits the list, and in which order it is.
func reviewHead(p review, st *look.Style) string {
	sort := st.Dim.Render("   sort " + orders[cmp.Or(p.load.of.order, index.Queue)])
	if s := p.filter.head(p.w-40, st); s != "" {
		return s + sort
	}
	n := p.waiting()
	lane := func(name string, n int, on bool) string {
		if on {
			return st.Accent.Underline().Render(name) + " " + st.Strong.Render(grouped(n))
		}
		return st.Dim.Render(name + " " + grouped(n))
	}
	l, ok := p.current()
	maybe := p.onFold() || ok && l.Waits() == lessons.Maybe
	s := lane("likely", n.likely, !maybe)
	if n.maybe > 0 {
		s += "   " + lane("maybe", n.maybe, maybe)
	}
	return s + sort
}

// orders says what comes first in a list.
var orders = map[index.Sort]string{
	index.Relevance: "best match first", index.Created: "newest evidence first", index.Confirmed: "last confirmed first",
	index.Score: "most confidence first", index.Used: "most used first", index.Queue: "most said, newest",
}

func queueColumn(p review, s split, st *look.Style) column {
	c := column{w: s.lw, h: s.lh, lines: p.filter.problem(s.lw, st)}
	if p.places() == 0 {
		c.lines = append(c.lines, emptyQueue(p, s.lw-3, st)...)
		return c
	}
	c.lit, c.n = p.cur.line()+len(c.lines), p.cur.each()
	hits := hitsOf(p)
	c.lines = append(c.lines, p.cur.rows(func(i int, current bool) []string {
		if i == len(p.rows) {
			return []string{p.foldRow(current, s.lw, st)}
		}
		r := lessonRow{lesson: p.rows[i], current: current, marked: p.marks[p.rows[i].ID], on: true, hits: hits}
		if s.stacked {
			return []string{r.one(s.lw, st)}
		}
		return r.two(s.lw, st)
	}, func(i int) string {
		at, first := slices.BinarySearch(p.cur.head, i)
		if !first {
			at--
		}
		return groupHead(p.groups[at].name, p.groups[at].n, s.lw, st)
	})...)
	if len(p.rows) == 0 {
		c.lines = append(c.lines, emptyQueue(p, s.lw-3, st)...)
	}
	return c
}

// hitsOf are the words by which the rows were found.
func hitsOf(p review) []string {
	if p.load.of.query == "" {
		return nil
	}
	q, _ := index.ParseQuery(p.load.of.query)
	var out []string
	for _, t := range q.Terms {
		if !t.Not {
			out = append(out, index.Words(t.Text)...)
		}
	}
	return out
}

// emptyQueue says why there is nothing, and what to do next.
func emptyQueue(p review, w int, st *look.Style) []string {
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
		text = "Nothing likely waits for a decision.\n\nenter or f shows what may be a lesson.\n\n" + sourceOf(p) + p.mine.asking()
	default:
		text = "All caught up: nothing waits for a decision.\n\n" + sourceOf(p) + p.mine.asking()
		if p.fx.Place != "" {
			text += "\n\nThis corpus is in " + lessons.Line(p.fx.Place) + "."
		}
		if p.fx.OfferSample != nil {
			text += "\n\nS opens a sample to try the keys on. It touches nothing of yours."
		}
	}
	lines := []string{""}
	for _, l := range wrap(text, w) {
		lines = append(lines, " "+st.Dim.Render(l))
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

// sourceOf says where the next proposals can come from.
func sourceOf(p review) string {
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

func cardColumn(p review, s split, st *look.Style) column {
	col := column{w: s.cw, h: s.ch}
	if !s.stacked {
		col.h = s.lh
	}
	w, h := p.cardSize()
	l, ok := p.current()
	if !ok {
		if p.onFold() {
			col.lines = append([]string{""}, indented(p.foldCard(w, st))...)
		}
		return col
	}
	c := p.card
	if c.lesson.ID != l.ID {
		c = card{lesson: l}
	}
	c.reject = p.given.Last
	all := c.lines(w, st)
	col.lines = indented(clip(all, c.top, h))
	col.more = max(len(all)-c.top-h, 0)
	col.title, col.right = cardTitle(l, st), confidence(l, st)
	return col
}

// cardTitle names what a lesson is and where it holds.
func cardTitle(l lessons.Lesson, st *look.Style) string {
	where, role := l.Scope.Project, cmp.Or(l.Scope.Role, "any role")
	if l.Scope.Global || where == "" {
		where = "everywhere"
	}
	return st.Strong.Render(lessons.Line(string(l.Category))) + st.Dim.Render(" · "+lessons.Line(where)+" · "+lessons.Line(role))
}

// confidence is the confidence of a lesson as a bar, a figure and a word.
func confidence(l lessons.Lesson, st *look.Style) string {
	share := float64(l.Confidence)
	ink := st.Bad
	switch l.Confidence.Word() {
	case lessons.High:
		ink = st.OK
	case lessons.Medium:
		ink = st.Warn
	}
	s := st.Bar(share, 8, ink) + " " + st.Strong.Render(fmt.Sprintf("%.2f", share)) + " " + string(l.Confidence.Word())
	if l.Waits() == lessons.Maybe {
		return st.Dim.Render("maybe  ") + s
	}
	return s
}
