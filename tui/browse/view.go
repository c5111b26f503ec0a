package browse

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"learnings/index"
	"learnings/lessons"
	"learnings/tui/card"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// scrollPreview scrolls the preview, at most to its end.
func (p Pane) scrollPreview(by int) Pane {
	c := p.columns()
	n := len(p.preview.lines(c.pw-2, kit.Unseen))
	p.preview.top = max(0, min(p.preview.top+by, n-c.ph))
	return p
}

// columns are the sizes of facets, list and preview. On a narrow screen the facets
// replace the list while they have the focus.
type columns struct {
	fw, fh  int
	lw, lh  int
	pw, ph  int
	side    bool // the facets have their own column
	stacked bool
	tall    int // lines per lesson in the list
}

// threeW is the least width at which the facets have their own column.
const threeW = 110

// roomyH is the least height at which lessons have two lines in the list.
const roomyH = 14

func (p Pane) columns() columns {
	s := kit.SplitBody(p.w, p.h)
	c := columns{fw: s.Lw, fh: s.Lh, lw: s.Lw, lh: s.Lh, pw: s.Cw, ph: s.Ch, stacked: s.Stacked, tall: 1}
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

func (p Pane) Sheet(st *look.Style) kit.Sheet {
	c := p.columns()
	right := kit.Position(p.rows.cur.At, p.rows.total, len(p.marks), st)
	s := kit.Sheet{Stacked: c.stacked, Head: browseHead(p, st), Right: browseOrder(p, st) + right, Running: marksLegend(p, st), Brief: st.Accent.Render("?") + st.Dim.Render(" explains the signs")}
	if c.stacked && p.rows.total == 0 && !p.inFacets {
		c.lh = p.h // the text of an empty list uses the room of the preview
		s.Cols = []kit.Column{bookColumn(p, c, st)}
		return s
	}
	switch {
	case c.side:
		s.Cols = []kit.Column{p.facets.column(c.fw, c.fh, p.inFacets, st), bookColumn(p, c, st)}
	case p.inFacets:
		s.Cols = []kit.Column{p.facets.column(c.fw, c.fh, true, st)}
	default:
		s.Cols = []kit.Column{bookColumn(p, c, st)}
	}
	s.Cols = append(s.Cols, p.preview.column(c, st))
	return s
}

// browseHead draws the path of the query and the number of lessons.
func browseHead(p Pane, st *look.Style) string {
	if p.filter.Typing {
		return p.filter.Head(p.w/2, st)
	}
	path := st.Accent.Render("/") + " " + strings.Join(steps(p.asked), st.Dim.Render(" × "))
	if len(steps(p.asked)) == 0 {
		path += "all lessons"
	}
	if !p.rows.answered {
		return path
	}
	if p.rows.total == 0 && p.asked.String() == atFirst {
		return path
	}
	count := kit.LessonsOf(p.rows.total)
	if p.total > p.rows.total && p.asked.String() != atFirst {
		count += " beside " + kit.Grouped(p.total) + " active"
	}
	return path + "   " + st.Dim.Render(count)
}

// browseOrder draws the order of the list and, if there is room, the views.
func browseOrder(p Pane, st *look.Style) string {
	if p.filter.Typing || p.w < kit.Wide {
		return ""
	}
	s := st.Dim.Render("order ") + string(p.asked.Order()) + "   "
	if names := p.views.names(); p.w >= threeW && len(names) > 0 {
		s += st.Dim.Render("views ") + st.Strong.Render("'") + st.Dim.Render(" "+strings.Join(names[:min(len(names), 3)], " · ")) + "   "
	}
	return s
}

// marksLegend draws the legend, or the keys for marked lessons.
func marksLegend(p Pane, st *look.Style) string {
	if n := len(p.marks); n > 0 && p.fx.Exchange.Forms != nil {
		says := st.Accent.Render(look.Marked) + fmt.Sprintf(" %d marked · ", n) + st.Accent.Render("w") + st.Dim.Render(" writes them")
		return says + "   " + legend(st)
	}
	return legend(st)
}

// legend explains the signs of the list.
func legend(st *look.Style) string {
	return st.OK.Render(look.Approved) + st.Dim.Render(" approved  ") + st.Accent.Render(look.Pinned) + st.Dim.Render(" pinned  ") +
		st.Warn.Render(look.Again) + st.Dim.Render(" to be looked at  "+look.Asleep+" snoozed  "+look.Rejected+" rejected  "+look.Merged+" merged  "+look.Archived+" archived")
}

// Columns of a row of Browse, in cells.
const (
	bookText = 4 // after bar, mark and standing
	bookSign = 5 // at the right
)

// A bookRow is a lesson in the list: its standing, its sentence, and how often sessions
// got it.
type bookRow struct {
	card.Row
	now  time.Time
	tall int
}

func (r bookRow) lines(w int, st *look.Style) []string {
	text := r.Sentence(w-bookText-bookSign, r.tall, st)
	for len(text) < r.tall {
		text = append(text, "")
	}
	sign := card.Standing(r.Lesson, r.now, st)
	mark := " "
	if r.Marked {
		mark = st.Accent.Render(look.Marked)
	}
	used := ""
	if r.Lesson.Use.Used > 0 {
		used = kit.Grouped(min(r.Lesson.Use.Used, 999)) + "×"
	}
	out := make([]string, r.tall)
	for i, t := range text {
		left, right := r.Edge(st)+"   ", ""
		if i == 0 {
			left, right = r.Edge(st)+mark+sign+" ", st.Dim.Render(used)+" "
		}
		out[i] = kit.Ends(left+t, right, w)
	}
	return out
}

func bookColumn(p Pane, c columns, st *look.Style) kit.Column {
	col := kit.Column{W: c.lw, H: c.lh, Lines: p.filter.Problem(c.lw, st)}
	if p.rows.total == 0 {
		col.Lines = append(col.Lines, "")
		for _, l := range kit.Wrap(noneInBrowse(p), c.lw-4) {
			col.Lines = append(col.Lines, "  "+l)
		}
		return col
	}
	col.Lit, col.N = p.rows.cur.Line()+len(col.Lines), c.tall
	now := p.fx.Now()
	col.Lines = append(col.Lines, p.rows.cur.Rows(c.lw, st, func(i int, current bool) []string {
		l, ok := p.rows.at(i)
		if !ok {
			return append([]string{"    …"}, make([]string, c.tall-1)...)
		}
		return bookRow{card.Row{Lesson: l, Current: current, Marked: p.marks[l.ID], On: !p.inFacets}, now, c.tall}.lines(c.lw, st)
	}, nil)...)
	return col
}

// column draws the facets.
func (f facets) column(w, h int, on bool, st *look.Style) kit.Column {
	col := kit.Column{W: w, H: h, Lit: f.cur.Line(), N: 1}
	const bar, number = 4, 6
	col.Lines = f.cur.Rows(w, st, func(i int, current bool) []string {
		r := f.rows[i]
		line := kit.Edge(current && on, st)
		if r.name == "" {
			text := "  " + kit.Grouped(r.n) + " more"
			if r.n == 0 {
				text = "  fewer"
			}
			line += st.Dim.Render(text)
		} else {
			sign, ink := st.Rule.Render("○"), st.Text
			if r.on {
				sign, ink = st.Accent.Render(look.Marked), st.Strong
			}
			name := look.Sentence(lessons.Line(facetSign(r.field, r.name)+r.name), w-bar-number-4)
			share := st.Bar(float64(r.n)/float64(max(r.most, 1)), bar, st.Dim)
			if r.alone {
				share = strings.Repeat(" ", bar)
			}
			if r.field == index.Project {
				ink = st.Place
			}
			line = kit.Ends(line+sign+" "+ink.Render(name), share+kit.Fit("", number-1-len(kit.Grouped(r.n)))+kit.Grouped(r.n)+" ", w)
		}
		return []string{line}
	}, func(i int) string {
		name := string(f.rows[i].field)
		return " " + st.Strong.Render(name) + " " + st.Rule.Render(strings.Repeat("─", max(w-kit.CellsOf(name)-3, 0)))
	})
	return col
}

// facetSign draws the sign before the name of a status.
func facetSign(f index.Field, name string) string {
	if f != index.Status {
		return ""
	}
	sign := map[lessons.Status]string{lessons.Approved: look.Approved, lessons.Rejected: look.Rejected, lessons.Merged: look.Merged, lessons.Archived: look.Archived}[lessons.Status(name)]
	return cmp.Or(sign, "·") + " "
}

// noneInBrowse says why the list is empty, and what to do next.
func noneInBrowse(p Pane) string {
	switch {
	case p.rows.err != nil:
		return "The lessons could not be read: " + lessons.Line(p.rows.err.Error())
	case !p.rows.answered:
		return "Reading…"
	case p.scope.Name != "":
		return "No lesson is like that in " + lessons.Line(p.scope.Name) + ". Z turns to everything."
	case p.asked.String() == atFirst:
		return "Nothing is approved yet. 1 shows what waits for you, 3 the sessions that lessons come from."
	case slices.ContainsFunc(p.asked.Filters, func(f index.Filter) bool { return f.Field == index.Due && f.Value == "yes" }):
		return "Nothing is due: every lesson here was looked at not long ago. esc shows all."
	}
	return "No lesson is like that. esc shows what is approved, f those of another status."
}

// countApproved counts lessons for the tab while another pane is shown.
func countApproved(fx desk.Desk, in desk.Scope) kit.Job {
	return fx.Shared.Others.In(func(ctx context.Context) tea.Msg {
		n, _, err := fx.Corpus.Index.Facets(ctx, in.On(index.Query{Now: fx.Now()}.Where(index.Status, string(lessons.Approved))))
		return desk.ApprovedMsg{N: n, Err: err}
	})
}

// click moves to the row under the pointer, and chooses a facet value.
func (p Pane) click(m kit.ClickMsg) (Pane, kit.Out) {
	switch zoneOf(p, m.X, m.Y) {
	case inFacetsZone:
		if i, ok := p.facets.cur.Hit(m.Y); ok {
			p.inFacets = true
			p.facets.cur = p.facets.cur.To(i)
			return p.choose()
		}
	case inRows:
		if i, ok := p.rows.cur.Hit(m.Y); ok {
			p.inFacets = false
			return p.moveTo(p.rows.cur.To(i))
		}
	}
	return p, kit.Out{}
}

// wheel scrolls the part under the pointer.
func (p Pane) wheel(m kit.WheelMsg) (Pane, kit.Out) {
	switch zoneOf(p, m.X, m.Y) {
	case inFacetsZone:
		p.facets.cur.Top = max(0, min(p.facets.cur.Top+m.By, p.facets.cur.N-p.facets.cur.H)) // only a key or a click moves the cursor
	case inRows:
		p.rows.cur = p.rows.cur.Scroll(m.By)
		return p.look()
	default:
		return p.scrollPreview(m.By), kit.Out{}
	}
	return p, kit.Out{}
}

// A zone is a part of the pane.
type zone int

const (
	inPreview zone = iota
	inFacetsZone
	inRows
)

// zoneOf returns the zone of a cell.
func zoneOf(p Pane, x, y int) zone {
	c, s := p.columns(), kit.SplitBody(p.w, p.h)
	switch {
	case c.side && x < c.fw:
		return inFacetsZone
	case c.side && x < c.fw+c.lw, !c.side && (s.Stacked && y < s.Lh || !s.Stacked && x < s.Lw):
		if !c.side && p.inFacets {
			return inFacetsZone
		}
		return inRows
	}
	return inPreview
}
