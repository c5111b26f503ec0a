package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"learnings/lessons"
	"learnings/tui/look"
)

// insightProjectMsg is the answer of the dialog that asks for a project.
type insightProjectMsg struct{ name string }

// insightKeys are what can be done with the pictures.
func insightKeys() binds[insightsPane] {
	const move, g = "move", "the picture"
	by := func(dx, dy int) func(insightsPane, string) (insightsPane, out) {
		return func(p insightsPane, _ string) (insightsPane, out) { return p.to(p.page.beside(p.focus, dx, dy)), out{} }
	}
	row := func(by int) func(insightsPane, string) (insightsPane, out) {
		return func(p insightsPane, _ string) (insightsPane, out) { return p.step(by), out{} }
	}
	turn := func(by int) func(insightsPane, string) (insightsPane, out) {
		return func(p insightsPane, _ string) (insightsPane, out) {
			return p.to((p.focus + pictures + picture(by)) % pictures), out{}
		}
	}
	span := func(by int) func(insightsPane, string) (insightsPane, out) {
		return func(p insightsPane, _ string) (insightsPane, out) {
			p.span = max(0, min(p.span+by, len(spans)-1))
			p.board.weeks = spans[p.span]
			return p.resize(p.w, p.h), out{}
		}
	}
	page := func(share int) func(insightsPane, string) (insightsPane, out) {
		return func(p insightsPane, _ string) (insightsPane, out) {
			p.top = max(0, min(p.top+share*max(p.h/2, 1), p.page.H-p.h))
			return p, out{}
		}
	}
	walks := func(p insightsPane) string {
		if !p.focus.walkable() {
			return "this picture has no rows; ‹table T› shows it as a table"
		}
		return ""
	}
	return binds[insightsPane]{
		{Binding: keyed("enter", "open the lessons behind the picture or the row, or what settles it", "enter"), group: g, foot: "lessons behind it", off: insightsPane.behind, do: func(p insightsPane, _ string) (insightsPane, out) { return p.open() }},
		{Binding: keyed("n N", "next picture, the one before", "n"), group: move, foot: "next picture", do: turn(1)},
		{Binding: keyed("N", "the picture before", "N"), group: move, do: turn(-1)},
		{Binding: keyed("← h", "picture to the left", "left", "h"), group: move, do: by(-1, 0)},
		{Binding: keyed("→ l", "picture to the right", "right", "l"), group: move, do: by(1, 0)},
		{Binding: keyed("↑", "picture above", "up"), group: move, do: by(0, -1)},
		{Binding: keyed("↓", "picture below", "down"), group: move, do: by(0, 1)},
		{Binding: keyed("j", "next row of the picture", "j"), group: move, foot: "rows", off: walks, do: row(1)},
		{Binding: keyed("k", "row before", "k"), group: move, off: walks, do: row(-1)},
		{Binding: keyed("g", "first picture", "g", "home"), group: move, do: func(p insightsPane, _ string) (insightsPane, out) { return p.to(0), out{} }},
		{Binding: keyed("G", "last picture", "G", "end"), group: move, do: func(p insightsPane, _ string) (insightsPane, out) { return p.to(pictures - 1), out{} }},
		{Binding: keyed("J pgdn", "scroll down", "J", "pgdown", "ctrl+d"), group: move, do: page(1)},
		{Binding: keyed("K pgup", "scroll up", "K", "pgup", "ctrl+u"), group: move, do: page(-1)},
		{Binding: keyed("+", "look further back", "+", "="), group: g, foot: "span", do: span(1)},
		{Binding: keyed("-", "look less far back", "-"), group: g, do: span(-1)},
		{Binding: keyed("T", "the picture as a table", "T"), group: g, foot: "as a table", off: func(p insightsPane) string {
			if len(p.board.rowsOf(p.focus)) == 0 {
				return "it has nothing to show yet"
			}
			return ""
		}, do: func(p insightsPane, _ string) (insightsPane, out) { return p, ask(newTable(p.focus, p.board)) }},
		{Binding: keyed("p", "of another project, or of all", "p"), group: g, foot: "project", do: func(p insightsPane, _ string) (insightsPane, out) {
			d := newChooser("figures of which project", []option{{name: "every project", answer: insightProjectMsg{}}})
			d.load = func(m projectsMsg) (all []option) {
				for _, n := range m.names {
					all = append(all, option{name: n, answer: insightProjectMsg{n}})
				}
				return all
			}
			return p, ask(d).and(run(listProjects(p.fx)))
		}},
		{Binding: keyed("r", "count again", "r"), group: g, off: func(p insightsPane) string {
			if p.busy {
				return "already counting"
			}
			return ""
		}, do: func(p insightsPane, _ string) (insightsPane, out) { return p.count() }},
	}
}

// A table is a picture as rows and columns.
type table struct {
	of    picture
	heads []string
	rows  []boardRow
	cur   list
	roomMsg
}

func newTable(of picture, b board) table {
	t := table{of: of, heads: b.heads(of), rows: b.rowsOf(of)}
	t.cur = t.cur.resize(len(t.rows), 1)
	return t
}

func (d table) update(msg tea.Msg) (dialog, out) {
	switch m := msg.(type) {
	case roomMsg:
		d.roomMsg = m
		d.cur = d.cur.resize(len(d.rows), max(min(len(d.rows), m.h-5), 1))
	case wheelMsg:
		d.cur = d.cur.scroll(m.by)
	case tea.KeyPressMsg:
		switch m.String() {
		case "esc", "q", "T":
			return nil, out{}
		case "y":
			return d, copied("the table", d.tsv())
		case "enter":
			r := d.rows[d.cur.at]
			switch {
			case r.work == writeOne:
				return nil, out{answer: cureMsg{r.cures}}
			case r.query == "":
				return d, say("no lessons are behind it")
			}
			return nil, browseFor(r.query)
		case "ctrl+d", "pgdown", "J":
			d.cur = d.cur.move(max(d.cur.h/2, 1))
		case "ctrl+u", "pgup", "K":
			d.cur = d.cur.move(-max(d.cur.h/2, 1))
		default:
			d.cur, _ = d.cur.stepped(m.String())
		}
	}
	return d, out{}
}

// tsv is the table for another program.
func (d table) tsv() string {
	lines := []string{strings.Join(d.heads, "\t")}
	for _, r := range d.rows {
		lines = append(lines, strings.Join(r.cells, "\t"))
	}
	return strings.Join(lines, "\n") + "\n"
}

// tableW is how wide a table gets.
const tableW = 110

// widths are those of the columns in w cells: the first and the last give way.
func (d table) widths(w int) []int {
	out := make([]int, len(d.heads))
	for i, h := range d.heads {
		out[i] = ansi.StringWidth(h)
		for _, r := range d.rows {
			out[i] = max(out[i], ansi.StringWidth(lessons.Line(r.cells[i])))
		}
	}
	sum := 2 * (len(out) - 1)
	for _, n := range out {
		sum += n
	}
	for _, i := range []int{len(out) - 1, 0} {
		if sum > w {
			cut := min(sum-w, out[i]-min(out[i], 18))
			out[i] -= cut
			sum -= cut
		}
	}
	return out
}

func (d table) view(w, h int, st *look.Style) string {
	w = min(w, tableW)
	ws := d.widths(w - 6)
	row := func(cells []string, ink look.Ink) string {
		var b strings.Builder
		for i, c := range cells {
			c = lessons.Line(c)
			if n := ws[i] - ansi.StringWidth(c); number(c) && n > 0 {
				c = strings.Repeat(" ", n) + c
			}
			b.WriteString(ink.Render(fit(c, ws[i])) + "  ")
		}
		return b.String()
	}
	lines := []string{"   " + row(d.heads, st.Dim), ""}
	lines = append(lines, d.cur.lines(func(i int, current bool) string {
		if current {
			return st.Select(fit(" "+st.Accent.Render(look.Cursor)+" "+row(d.rows[i].cells, st.Strong), w-2))
		}
		return "   " + row(d.rows[i].cells, st.Text)
	})...)
	right := st.Dim.Render(fmt.Sprintf("%s/%s", grouped(d.cur.at+1), grouped(len(d.rows))))
	return box{title: st.Accent.Render(d.of.title()), right: right, on: true}.draw(lines, w, min(len(lines)+2, h), st)
}

// number reports whether a cell is to stand at the right.
func number(s string) bool {
	return s != "" && strings.Trim(s, "0123456789.,+−× %k") == ""
}

func (d table) hints() []hint {
	return []hint{{key: "enter", foot: "lessons behind it"}, {key: "j k", foot: "move"}, {key: "y", foot: "copy as a table"}, {key: "esc", foot: "back"}}
}
