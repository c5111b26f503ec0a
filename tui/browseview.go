package tui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"learnings/index"
	"learnings/lessons"
	"learnings/tui/look"
)

// scrollPreview scrolls the preview by some lines, at most to its end.
func (p browse) scrollPreview(by int) browse {
	c := p.columns()
	n := len(p.preview.lines(c.pw-2, unseenStyle))
	p.preview.top = max(0, min(p.preview.top+by, n-c.ph))
	return p
}

// columns are the sizes of facets, lessons and preview. On a narrow screen the facets take
// the place of the list while they have the keys.
type columns struct {
	fw, fh  int
	lw, lh  int
	pw, ph  int
	side    bool // the facets have a column of their own
	stacked bool
	tall    int // lines of a lesson in the list
}

// threeW is the width from which the facets have a column of their own.
const threeW = 110

// roomyH is the height from which on a lesson has two lines in the list.
const roomyH = 14

func (p browse) columns() columns {
	s := splitBody(p.w, p.h)
	c := columns{fw: s.lw, fh: s.lh, lw: s.lw, lh: s.lh, pw: s.cw, ph: s.ch, stacked: s.stacked, tall: 1}
	if p.w >= threeW {
		c.side = true
		c.fw = min(max(p.w*22/100, 24), 32)
		c.lw = (p.w - c.fw - 2) * 9 / 20
		c.pw = p.w - c.fw - c.lw - 2
	}
	if c.lh >= roomyH {
		c.tall = 2
	}
	return c
}

func (p browse) sheet(st *look.Style) sheet {
	c := p.columns()
	right := position(p.rows.cur.at, p.rows.total, len(p.marks), st)
	s := sheet{stacked: c.stacked, head: browseHead(p, st), right: browseOrder(p, st) + right, running: marksLegend(p, st)}
	if c.stacked && p.rows.total == 0 && !p.inFacets {
		c.lh = p.h // what to do next takes the room of the preview
		s.cols = []column{bookColumn(p, c, st)}
		return s
	}
	switch {
	case c.side:
		s.cols = []column{p.facets.column(c.fw, c.fh, p.inFacets, st), bookColumn(p, c, st)}
	case p.inFacets:
		s.cols = []column{p.facets.column(c.fw, c.fh, true, st)}
	default:
		s.cols = []column{bookColumn(p, c, st)}
	}
	s.cols = append(s.cols, p.preview.column(c, st))
	return s
}

// browseHead is the path: what was chosen and typed, and how many lessons that leaves.
func browseHead(p browse, st *look.Style) string {
	if p.filter.typing {
		return p.filter.head(p.w/2, st)
	}
	path := st.Accent.Render("/") + " " + strings.Join(steps(p.asked), st.Dim.Render(" × "))
	if len(steps(p.asked)) == 0 {
		path += "all lessons"
	}
	if p.rows.of != p.rows.seq {
		return path
	}
	count := lessonsOf(p.rows.total)
	if p.total > p.rows.total && p.asked.String() != atFirst {
		count += " beside " + grouped(p.total) + " active"
	}
	return path + "   " + st.Dim.Render(count)
}

// browseOrder says how the list is ordered, and which views there are, as far as there is room.
func browseOrder(p browse, st *look.Style) string {
	if p.filter.typing || p.w < wide {
		return ""
	}
	s := st.Dim.Render("order ") + string(p.asked.Order()) + "   "
	if names := p.views.names(); p.w >= threeW && len(names) > 0 {
		s += st.Dim.Render("views ") + st.Strong.Render(spelt("‹views '›", st)) + st.Dim.Render(" "+strings.Join(names[:min(len(names), 3)], " · ")) + "   "
	}
	return s
}

// marksLegend is the legend, and what can be done with what is marked.
func marksLegend(p browse, st *look.Style) string {
	if n := len(p.marks); n > 0 && p.fx.Exchange.Forms != nil {
		says := st.Accent.Render(look.Marked) + fmt.Sprintf(" %d marked · ", n) + st.Accent.Render(spelt("‹write w›", st)) + st.Dim.Render(" writes them  ") + st.Accent.Render(spelt("‹compare D›", st)) + st.Dim.Render(" diff of two")
		return says + "   " + legend(st)
	}
	return legend(st)
}

// legend says what the signs of the list mean.
func legend(st *look.Style) string {
	return st.OK.Render(look.Approved) + st.Dim.Render(" approved  ") + st.Accent.Render(look.Pinned) + st.Dim.Render(" pinned  ") +
		st.Warn.Render(look.Again) + st.Dim.Render(" to be looked at  "+look.Asleep+" snoozed  "+look.Rejected+" rejected  "+look.Merged+" merged  "+look.Archived+" archived")
}

// standing is the sign for where a lesson stands.
func standing(l lessons.Lesson, now time.Time, st *look.Style) string {
	due, dated := l.Due()
	switch {
	case l.Status == lessons.Rejected:
		return st.Bad.Render(look.Rejected)
	case l.Status == lessons.Merged:
		return st.Dim.Render(look.Merged)
	case l.Status == lessons.Archived:
		return st.Dim.Render(look.Archived)
	case l.Snoozed(now):
		return st.Dim.Render(look.Asleep)
	case l.Status == lessons.Pending:
		return st.Dim.Render("·")
	case l.Pinned:
		return st.Accent.Render(look.Pinned)
	case dated && !due.After(now):
		return st.Warn.Render(look.Again)
	}
	return st.OK.Render(look.Approved)
}

// Where the parts of a row of Browse are, in cells.
const (
	bookText = 4 // behind bar, mark and standing
	bookSign = 5 // at the right
)

// A bookRow is a lesson in the list of Browse: how it stands, its sentence, and how often
// sessions were given it.
type bookRow struct {
	lessonRow
	now  time.Time
	tall int
}

func (r bookRow) lines(w int, st *look.Style) []string {
	text := look.Lines(lessons.Line(cutTo(r.lesson.Content, shown)), w-bookText-bookSign, r.tall)
	for len(text) < r.tall {
		text = append(text, "")
	}
	sign := standing(r.lesson, r.now, st)
	mark := " "
	if r.marked {
		mark = st.Accent.Render(look.Marked)
	}
	used := ""
	if r.lesson.Status == lessons.Approved || r.lesson.Use.Used > 0 {
		used = grouped(min(r.lesson.Use.Used, 999)) + "×"
	}
	out := make([]string, r.tall)
	for i, t := range text {
		left, right := r.edge(st)+"   ", ""
		if i == 0 {
			left, right = r.edge(st)+mark+sign+" ", st.Dim.Render(used)+" "
		}
		out[i] = r.ground(ends(left+r.ink(st).Render(t), right, w), w, st)
	}
	return out
}

func bookColumn(p browse, c columns, st *look.Style) column {
	col := column{w: c.lw, h: c.lh, lines: p.filter.problem(c.lw, st)}
	if p.rows.total == 0 {
		col.lines = append(col.lines, "")
		for _, l := range wrap(spelt(noneInBrowse(p), st), c.lw-4) {
			col.lines = append(col.lines, "  "+l)
		}
		return col
	}
	col.lit, col.n = p.rows.cur.line()+len(col.lines), c.tall
	now := p.fx.Now()
	col.lines = append(col.lines, p.rows.cur.rows(func(i int, current bool) []string {
		l, ok := p.rows.at(i)
		if !ok {
			return append([]string{"    …"}, make([]string, c.tall-1)...)
		}
		return bookRow{lessonRow{lesson: keptIn(p.fx, l), current: current, marked: p.marks[l.ID], on: !p.inFacets}, now, c.tall}.lines(c.lw, st)
	}, nil)...)
	return col
}

// column draws the facets.
func (f facets) column(w, h int, on bool, st *look.Style) column {
	col := column{w: w, h: h, lit: f.cur.line(), n: 1}
	if f.err != nil {
		col.lines = paragraph("The counts could not be read: "+f.err.Error(), w-2, st.Warn)
		return col
	}
	const bar, number = 4, 6
	col.lines = f.cur.lines(func(i int, current bool) string {
		r := f.rows[i]
		line := edge(current && on, st)
		switch r.part {
		case facetHead:
			line = ends(line+st.Strong.Render(facetName(r.field)), st.Dim.Render(spelt("‹raise-facet F›", st))+" ", w)
		case facetValue:
			sign, ink := st.Rule.Render("○"), st.Text
			if r.on {
				sign, ink = st.Accent.Render(look.Marked), st.Strong
			}
			name := look.Sentence(lessons.Line(facetSign(r.field, r.name)+r.name), w-bar-number-4)
			share := st.Bar(float64(r.n)/float64(max(r.most, 1)), bar, st.Dim)
			line = ends(line+sign+" "+ink.Render(name), share+fit("", number-1-len(grouped(r.n)))+grouped(r.n)+" ", w)
		case facetRest:
			text := grouped(r.n) + " more"
			if r.n == 0 {
				text = "fewer"
			}
			line += "  " + st.Dim.Render(text)
		}
		if current && r.part != facetGap {
			return st.Select(fit(line, w))
		}
		return line
	})
	return col
}

// facetSign stands before the name of a status.
func facetSign(f index.Field, name string) string {
	if f != index.Status {
		return ""
	}
	sign := map[lessons.Status]string{lessons.Approved: look.Approved, lessons.Rejected: look.Rejected, lessons.Merged: look.Merged, lessons.Archived: look.Archived}[lessons.Status(name)]
	return cmp.Or(sign, "·") + " "
}

// noneInBrowse says why no lesson is shown, and what to do next.
func noneInBrowse(p browse) string {
	switch {
	case p.rows.err != nil:
		return "The lessons could not be read: " + lessons.Line(p.rows.err.Error())
	case p.rows.of != p.rows.seq:
		return "Reading…"
	case p.asked.String() == atFirst:
		return "Nothing is approved yet. Judge what waits in Review, or take lessons from Sessions."
	case slices.ContainsFunc(p.asked.Filters, func(f index.Filter) bool { return f.Field == index.Due && f.Value == "yes" }):
		return "Nothing is due: every lesson here was looked at not long ago. esc shows all."
	}
	return "No lesson is like that. esc shows what is approved, ‹status f› those of another status."
}

// countedMsg answers count.
type countedMsg struct {
	seq    int
	facets []index.Facet
	err    error
}

// count asks how many lessons each value of some fields would leave. Of requests that
// came one after the other the last is answered.
func (fx effects) count(seq int, q index.Query, fields []index.Field) job {
	fx.shared.counted.ask(seq)
	return func(ctx context.Context) tea.Msg {
		if !fx.shared.others.take(ctx) {
			return nil
		}
		defer fx.shared.others.giveBack()
		ctx, end, ok := fx.shared.counted.begin(ctx, seq)
		defer end()
		if !ok {
			return nil
		}
		q.Now = fx.Now()
		_, found, err := fx.Corpus.Index.Facets(ctx, q, fields...)
		if ctx.Err() != nil {
			return nil
		}
		if errors.Is(err, index.ErrNoIndex) {
			err = nil // the sync under way makes one
		}
		return countedMsg{seq: seq, facets: found, err: err}
	}
}

// approvedMsg answers countApproved.
type approvedMsg struct {
	n   int
	err error
}

// countApproved counts what the tab says, while nothing else of the pane is shown.
func (fx effects) countApproved() job {
	return func(ctx context.Context) tea.Msg {
		if !fx.shared.others.take(ctx) {
			return nil
		}
		defer fx.shared.others.giveBack()
		n, err := fx.Corpus.Index.Totals(ctx, index.Query{Now: fx.Now()}.Where(index.Status, string(lessons.Approved)))
		if err != nil {
			return approvedMsg{err: err}
		}
		return approvedMsg{n: n[0]}
	}
}

// click goes to the row under the pointer, and chooses a value of the facets.
func (p browse) click(m clickMsg) (browse, out) {
	switch zoneOf(p, m.x, m.y) {
	case inFacetsZone:
		if i, ok := p.facets.cur.hit(m.y); ok {
			p.inFacets = true
			p.facets.cur = p.facets.cur.to(i)
			return p.choose()
		}
	case inRows:
		if i, ok := p.rows.cur.hit(m.y); ok {
			p.inFacets = false
			return p.moveTo(p.rows.cur.to(i))
		}
	}
	return p, out{}
}

// wheel scrolls what is under the pointer.
func (p browse) wheel(m wheelMsg) (browse, out) {
	switch zoneOf(p, m.x, m.y) {
	case inFacetsZone:
		p.facets.cur.top = max(0, min(p.facets.cur.top+m.by, p.facets.cur.n-p.facets.cur.h)) // only a key or a click moves the cursor
	case inRows:
		p.rows.cur = p.rows.cur.scroll(m.by)
		return p.look(false)
	default:
		return p.scrollPreview(m.by), out{}
	}
	return p, out{}
}

// A zone is what of Browse is at a place.
type zone int

const (
	inPreview zone = iota
	inFacetsZone
	inRows
)

// zoneOf returns what is at a place of the pane.
func zoneOf(p browse, x, y int) zone {
	c, s := p.columns(), splitBody(p.w, p.h)
	switch {
	case c.side && x < c.fw:
		return inFacetsZone
	case c.side && x < c.fw+c.lw, !c.side && (s.stacked && y < s.lh || !s.stacked && x < s.lw):
		if !c.side && p.inFacets {
			return inFacetsZone
		}
		return inRows
	}
	return inPreview
}
