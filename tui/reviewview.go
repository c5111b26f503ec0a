package tui

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/look"
)

// sheet draws the queue with the card of the current lesson.
func (p review) sheet(st *look.Style) sheet {
	if p.fx.ASCII {
		p = keptReview(p)
	}
	s := splitOf(p)
	head, _, _ := reviewHead(p, st)
	sh := sheet{stacked: s.stacked, head: head, right: reviewRight(p, st)}
	sh.running, sh.brief = progressOf(p, st)
	if empties(p) {
		sh.stacked, sh.cols = true, []column{emptyPage(p, st)}
		return sh
	}
	if s.stacked && len(p.rows) == 0 {
		s.lh = p.h // what to do next takes the room of the card
		sh.cols = []column{queueColumn(p, s, st)}
		return sh
	}
	sh.cols = []column{queueColumn(p, s, st), cardColumn(p, s, st)}
	if s.aw > 0 {
		sh.cols = append(sh.cols, nearColumn(p, s, st))
	}
	return sh
}

// wider is the width from which on the turns around the evidence lie beside the card.
const wider = 160

// The height below which the list leaves all but some lines to its card.
const (
	lowBody = 12
	lowList = 3
)

// splitOf is how the queue, its card and the turns around the evidence share the body.
func splitOf(p review) split {
	s := splitBody(p.w, p.h)
	if s.stacked && p.h < lowBody {
		s.lh = min(lowList, s.lh)
		s.ch = max(p.h-s.lh-1, 1)
	}
	if p.w < wider || p.narrow {
		return s
	}
	s.lw = p.w * 31 / 100
	s.cw = (p.w - s.lw) * 52 / 100
	s.aw = p.w - s.lw - s.cw - 2
	return s
}

// reviewHead says what limits the list, and which lanes there are, from which cell on.
func reviewHead(p review, st *look.Style) (head string, at int, tabs []laneTab) {
	room := p.w - cellsOf(reviewRight(p, st)) - 3
	if s := p.filter.head(max(room/3, 24), st); s != "" {
		head = s + "   "
	}
	at = cellsOf(head)
	lanes, tabs := laneTabs(p.queue, room-at, st)
	return head + lanes, at, tabs
}

// reviewRight says in which order the list is, and where in it one is.
func reviewRight(p review, st *look.Style) string {
	s := position(p.cur.at, len(p.rows), len(p.marks), st)
	switch name := orderShown(p); {
	case p.w >= 100:
		return st.Dim.Render("sort ") + name + st.Dim.Render(" ▾   ") + s
	case p.w >= wide:
		return name + st.Dim.Render(" ▾  ") + s
	}
	return s
}

func queueColumn(p review, s split, st *look.Style) column {
	c := column{w: s.lw, h: s.lh, lines: p.filter.problem(s.lw, st)}
	if len(p.rows) == 0 {
		c.lines = append(c.lines, emptyQueue(p, s.lw-3, st)...)
		return c
	}
	c.lit, c.n = p.cur.line()+len(c.lines), p.cur.each()
	hits := hitsOf(p)
	c.lines = append(c.lines, p.cur.rows(func(i int, current bool) []string {
		r := lessonRow{lesson: p.rows[i], current: current, marked: p.marks[p.rows[i].ID], on: true, hits: hits}
		if x, ok := p.clusters.of[p.rows[i].ID]; ok && p.lane == curate.Duplicates {
			r.times = len(x.Lessons)
		}
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
		text = "What waits could not be read: " + lessons.Line(p.err.Error())
	case p.load.making:
		text = "Reading all lessons for the first time, to make the index…"
	case !p.load.done:
		text = "Reading what waits…"
	case p.lane == curate.Duplicates && !p.clusters.known:
		text = "Comparing what waits…"
	case p.filter.query != "":
		text = "No proposal matches the filter.\n\nesc shows all of them."
		if p.counts().all() > 0 {
			text = "No proposal in this lane matches the filter.\n\n" + otherLanes(p) + "\n\nesc shows all of them."
		}
	case p.counts().all() > 0:
		text = emptyLane[p.lane] + "\n\n" + otherLanes(p)
		if p.mine.all > 0 {
			text += "\n\n" + sourceOf(p) + p.mine.asking()
		}
	default:
		text = "All caught up: nothing waits for a decision.\n\n" + sourceOf(p) + p.mine.asking()
		if p.fx.Place != "" {
			text += "\n\nThis corpus is in " + lessons.Line(p.fx.Place) + "."
		}
		if p.fx.OfferSample != nil {
			text += "\n\n‹sample S› opens a sample to try the keys on. It touches nothing of yours."
		}
	}
	lines := []string{""}
	for _, l := range wrap(spelt(text, st), w) {
		lines = append(lines, " "+st.Dim.Render(l))
	}
	return lines
}

// emptyLane says that there is nothing in a lane.
var emptyLane = map[lessons.Lane]string{
	lessons.Likely: "Nothing likely waits for a decision.", lessons.Maybe: "No proposal is a maybe.",
	curate.Duplicates: "No two proposals say the same.", lessons.FromOutside: "Nothing came from outside.", lessons.Quarantined: "No proposal is flagged.", curate.Outdated: "No lesson is out of date.",
}

// otherLanes says what waits in the other lanes, and the key.
func otherLanes(p review) string {
	n := p.counts()
	var parts []string
	for _, lane := range curate.Lanes {
		if lane != p.lane && n[lane] > 0 {
			parts = append(parts, grouped(n[lane])+" "+laneNames[lane][0])
		}
	}
	return "Elsewhere: " + strings.Join(parts, ", ") + ". ‹next-lane l› turns to the next lane."
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
		return counted(m.all, "session") + " were read already. ‹find-sessions r› in Sessions looks for new ones."
	default:
		return fmt.Sprintf("%s of %s hold something new. ‹extract-new X› extracts from all of them; tab twice lists them, to choose some.", grouped(m.fresh), counted(m.all, "session"))
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
		return col
	}
	if x, ok := clusterOf(p); ok {
		all, at := clusterCard(x, p.given.Usual, w, true, st)
		if len(all) > h { // what approving does matters more than who said it
			all, at = clusterCard(x, p.given.Usual, w, false, st)
		}
		top := max(min(at-h/2, len(all)-h), 0)
		col.lines = indented(clip(all, top, h))
		col.more = max(len(all)-top-h, 0)
		l := x.union()
		col.title, col.right = clusterTitle(x, st), confidence(l, st)
		return col
	}
	c := cardOf(p, l)
	all := p.drawn.leaf(c, w, h, s.aw > 0, st)
	col.lines = indented(clip(all, c.top, h))
	col.more = max(len(all)-c.top-h, 0)
	col.title, col.right = cardTitle(l, st), confidence(l, st)
	return col
}

// cardOf is the card of the current lesson, of which nothing else may be known yet.
func cardOf(p review, l lessons.Lesson) card {
	c := p.card
	if c.lesson.ID != l.ID {
		c = card{lesson: l}
	}
	c.reject = p.given.Usual
	return c
}

// A drawnCard keeps a card as it was last drawn: to find what fits costs more than all
// the rest of a frame. What it holds follows from what it is asked.
type drawnCard struct {
	of    card
	room  room
	wide  bool
	look  string
	lines []string
}

func (d *drawnCard) leaf(c card, w, h int, wide bool, st *look.Style) []string {
	c.top, c.seq = 0, 0
	if d.lines == nil || d.room != (room{w, h}) || d.wide != wide || d.look != st.Name || !reflect.DeepEqual(d.of, c) {
		*d = drawnCard{of: c, room: room{w, h}, wide: wide, look: st.Name, lines: c.leaf(w, h, wide, st)}
	}
	return d.lines
}

// leaf is the card as it stands in h lines: with what approving does in sight, and with
// the block where there is room for it, or else below when the card is a wide one.
func (c card) leaf(w, h int, wide bool, st *look.Style) []string {
	lines := c.fitted(w, h, st)
	if block := c.block(w, st); len(block) > 0 && (wide || len(lines)+1+len(block) <= h) {
		lines = append(append(lines, ""), block...)
	}
	return lines
}

// beside are the turns around the evidence, and the first of their lines that is in
// sight: the evidence stands a third down.
func (c card) beside(w, h int, st *look.Style) (lines []string, from int) {
	lines, at := c.near.laid(c, w, st)
	return lines, max(0, min(at-h/3, len(lines)-h))
}

// nearColumn has the turns around the evidence.
func nearColumn(p review, s split, st *look.Style) column {
	col := column{w: s.aw, h: s.lh}
	l, ok := p.current()
	if !ok {
		return col
	}
	c := cardOf(p, l)
	lines, from := c.beside(s.aw-2, s.ch, st)
	top := from + c.top
	col.lines = indented(clip(lines, top, s.ch))
	col.more = max(len(lines)-max(0, min(top, len(lines)-s.ch))-s.ch, 0)
	col.title = c.near.title(st)
	col.right = st.Accent.Render(spelt("‹evidence o›", st)) + st.Dim.Render(" read all")
	return col
}

// cardTitle names what a lesson is and where it holds.
func cardTitle(l lessons.Lesson, st *look.Style) string {
	where, role := l.Scope.Project, cmp.Or(l.Scope.Role, "any role")
	if l.Scope.Global || where == "" {
		where = "every project"
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
