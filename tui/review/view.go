package review

import (
	"strings"

	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/card"
	"learnings/tui/decide"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/look"
	"learnings/tui/reader"
)

func (p Review) Sheet(st *look.Style) kit.Sheet {
	s := splitOf(p)
	head, _, _ := reviewHead(p, st)
	sh := kit.Sheet{Stacked: s.Stacked, Head: head, Right: reviewRight(p, st)}
	sh.Running, sh.Brief = progressOf(p, st)
	if empties(p) {
		sh.Stacked, sh.Cols = true, []kit.Column{emptyPage(p, st)}
		return sh
	}
	if s.Stacked && len(p.Rows) == 0 {
		s.Lh = p.h // the page of an empty queue uses the room of the card
		sh.Cols = []kit.Column{queueColumn(p, s, st)}
		return sh
	}
	sh.Cols = []kit.Column{queueColumn(p, s, st), cardColumn(p, s, st)}
	if s.Aw > 0 {
		sh.Cols = append(sh.Cols, nearColumn(p, s, st))
	}
	return sh
}

// progressOf says how far the person is, in full and for a narrow line.
func progressOf(p Review, st *look.Style) (long, short string) {
	n := p.counts()[p.Lane]
	if n == 0 || !p.load.done {
		return "", ""
	}
	long, short = p.leftSays(len(p.behindLines(st)) > 0, st), p.leftSays(true, st)
	if p.decidedOn > 0 {
		long = st.Bar(float64(p.decidedOn)/float64(p.decidedOn+n), 14, st.Accent) + " " + long
	}
	return long, short
}

// wider is the least width at which the turns around the evidence are beside the card.
const wider = 160

// The height below which the card gets all but a few lines of the list.
const (
	lowBody = 12
	lowList = 3
)

// splitOf divides the body between the queue, its card and the turns around the evidence.
func splitOf(p Review) kit.Split {
	s := kit.SplitBody(p.w, p.h)
	if s.Stacked && p.h < lowBody {
		s.Lh = min(lowList, s.Lh)
		s.Ch = max(p.h-s.Lh-1, 1)
	}
	if p.w < wider || p.narrow {
		return s
	}
	s.Lw = p.w * 31 / 100
	s.Cw = (p.w - s.Lw) * 52 / 100
	s.Aw = p.w - s.Lw - s.Cw - 2
	return s
}

// reviewHead draws the filter and the lanes. at is the first cell of the lanes.
func reviewHead(p Review, st *look.Style) (head string, at int, tabs []laneTab) {
	room := p.w - kit.CellsOf(reviewRight(p, st)) - 3
	if s := p.filter.Head(max(room/3, 24), st); s != "" {
		head = s + "   "
	}
	at = kit.CellsOf(head)
	lanes, tabs := laneTabs(p.Queue, room-at, st)
	return head + lanes, at, tabs
}

// reviewRight draws the order of the list and the position in it.
func reviewRight(p Review, st *look.Style) string {
	s := kit.Position(p.Cur.At, len(p.Rows), len(p.marks), st)
	switch name := orderShown(p); {
	case p.w >= 100:
		return st.Dim.Render("sort ") + name + st.Dim.Render(" ▾   ") + s
	case p.w >= kit.Wide:
		return name + st.Dim.Render(" ▾  ") + s
	}
	return s
}

func queueColumn(p Review, s kit.Split, st *look.Style) kit.Column {
	c := kit.Column{W: s.Lw, H: s.Lh, Lines: p.filter.Problem(s.Lw, st)}
	if len(p.Rows) == 0 {
		c.Lines = append(c.Lines, emptyQueue(p, s.Lw-3, st)...)
		return c
	}
	c.Lit, c.N = p.Cur.Line()+len(c.Lines), p.Cur.Each()
	hits := hitsOf(p)
	c.Lines = append(c.Lines, p.Cur.Rows(s.Lw, st, func(i int, current bool) []string {
		r := card.Row{Lesson: p.Rows[i], Current: current, Marked: p.marks[p.Rows[i].ID], On: true, Hits: hits}
		if x, ok := p.clusters.of[p.Rows[i].ID]; ok && p.Lane == curate.Duplicates {
			r.Times = len(x.Lessons)
		}
		if s.Stacked {
			return []string{r.One(s.Lw, st)}
		}
		return r.Two(s.Lw, st)
	}, func(i int) string {
		return p.groups.Head(i, s.Lw, st)
	})...)
	c.Lines = append(c.Lines, p.behindLines(st)...)
	return c
}

// hitsOf returns the words that found the rows.
func hitsOf(p Review) []string {
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

// emptyQueue says why the list is empty, and what to do next.
func emptyQueue(p Review, w int, st *look.Style) []string {
	var text string
	switch {
	case p.err != nil:
		text = "What waits could not be read: " + lessons.Line(p.err.Error())
	case p.load.making:
		text = "Reading all lessons for the first time, to make the index…"
	case !p.load.done:
		text = "Reading what waits…"
	case p.Lane == curate.Duplicates && !p.clusters.known:
		text = "Comparing what waits…"
	case p.filter.Query != "":
		text = "No proposal matches the filter.\n\nesc shows all of them."
		if p.counts().All() > 0 {
			text = "No proposal in this lane matches the filter.\n\n" + otherLanes(p) + "\n\nesc shows all of them."
		}
	default:
		text = emptyLane[p.Lane] + "\n\n" + otherLanes(p)
	}
	lines := []string{""}
	for _, l := range kit.Wrap(text, w) {
		lines = append(lines, " "+st.Dim.Render(l))
	}
	return lines
}

// emptyLane has the text for each empty lane.
var emptyLane = map[lessons.Lane]string{
	lessons.Likely: "Nothing likely waits for a decision.", lessons.Maybe: "No proposal is a maybe.",
	curate.Duplicates: "No two proposals say the same.", lessons.FromOutside: "Nothing came from outside.", lessons.Quarantined: "No proposal is flagged.", curate.Outdated: "No lesson is out of date.",
}

// otherLanes says what waits in other lanes, and the key.
func otherLanes(p Review) string {
	n := p.counts()
	var parts []string
	for _, lane := range curate.Lanes {
		if lane != p.Lane && n[lane] > 0 {
			parts = append(parts, kit.Grouped(n[lane])+" "+decide.LaneNames[lane][0])
		}
	}
	return "Elsewhere: " + strings.Join(parts, ", ") + ". l turns to the next lane."
}

func cardColumn(p Review, s kit.Split, st *look.Style) kit.Column {
	col := kit.Column{W: s.Cw, H: s.Ch}
	if !s.Stacked {
		col.H = s.Lh
	}
	w, h := p.cardSize()
	l, ok := p.Current()
	if !ok {
		return col
	}
	if x, ok := ClusterOf(p); ok {
		all, at := clusterCard(x, p.given.Usual, w, true, st)
		if len(all) > h { // the effect of approving matters more than the speaker
			all, at = clusterCard(x, p.given.Usual, w, false, st)
		}
		top := max(min(at-h/2, len(all)-h), 0)
		col.Lines = kit.Indented(kit.Clip(all, top, h))
		col.More = max(len(all)-top-h, 0)
		l := x.union()
		col.Title, col.Right = clusterTitle(x, st), card.Confidence(l, st)
		return col
	}
	c := cardOf(p, l)
	all := c.Leaf(w, h, s.Aw > 0, st)
	col.Lines = kit.Indented(kit.Clip(all, c.Top, h))
	col.More = max(len(all)-c.Top-h, 0)
	col.Title, col.Right = card.Title(l, st), card.Confidence(l, st)
	return col
}

// cardOf returns the card of the current lesson, which may not be loaded yet.
func cardOf(p Review, l lessons.Lesson) card.Card {
	c := p.Card
	if c.Lesson.ID != l.ID {
		c = card.Card{Lesson: l}
	}
	c.Reject = desk.ReasonShown(p.given.Usual)
	return c
}

// around returns the turns around the evidence of the card; none while they are unknown.
func (p Review) around() reader.Nearby {
	if p.near.Of != p.Card.Lesson.ID {
		return reader.Nearby{}
	}
	return p.near
}

// nearColumn draws the turns around the evidence.
func nearColumn(p Review, s kit.Split, st *look.Style) kit.Column {
	col := kit.Column{W: s.Aw, H: s.Lh}
	l, ok := p.Current()
	if !ok {
		return col
	}
	c := cardOf(p, l)
	n := p.around()
	lines, from := n.Beside(c, s.Aw-2, s.Ch, st)
	top := from + c.Top
	col.Lines = kit.Indented(kit.Clip(lines, top, s.Ch))
	col.More = max(len(lines)-max(0, min(top, len(lines)-s.Ch))-s.Ch, 0)
	col.Title = n.Title(st)
	col.Right = st.Accent.Render("o") + st.Dim.Render(" read all")
	return col
}
