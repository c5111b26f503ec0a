package next

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"learnings/index/curate"
	"learnings/index/recall"
	"learnings/lessons"
	"learnings/lessons/exchange/formats"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// This file shows the files that an agent reads at its start, and what they say twice or
// against each other.

// before returns the number of rows above the lessons.
func (p Pane) before() int { return len(p.got.reads.Clashes) + len(p.got.reads.Files) }

// beside reports whether the cursor is on such a row.
func (p Pane) beside() bool { return p.cur.At < p.before() }

// clash returns the two sentences under the cursor, if any.
func (p Pane) clash() (formats.Clash, bool) {
	if p.cur.At >= len(p.got.reads.Clashes) {
		return formats.Clash{}, false
	}
	return p.got.reads.Clashes[p.cur.At], true
}

// reading returns the file under the cursor, if any.
func (p Pane) reading() (formats.Start, bool) {
	i := p.cur.At - len(p.got.reads.Clashes)
	if i < 0 || i >= len(p.got.reads.Files) {
		return formats.Start{}, false
	}
	return p.got.reads.Files[i], true
}

// aimed lays out the file under the cursor.
func (p Pane) aimed() Pane {
	f, ok := p.reading()
	if p.file = nil; !ok {
		return p
	}
	w := max(p.parts().bw-8, 10)
	for i, l := range strings.Split(strings.TrimSuffix(cmp.Or(f.Text, f.Raw), "\n"), "\n") {
		number := fmt.Sprint(i + 1)
		for _, part := range kit.Wrap(lessons.Block(l), w) {
			p.file = append(p.file, fmt.Sprintf(" %4s  %s", number, part))
			number = ""
		}
	}
	return p
}

// besideLines draws the file or the two sentences under the cursor.
func (p Pane) besideLines(st *look.Style) (lines []string) {
	w := max(p.parts().bw-4, 10)
	if c, ok := p.clash(); ok {
		for _, s := range []formats.Stated{c.A, c.B} {
			lines = append(lines, "", "  "+st.Dim.Render(lessons.Line(s.Where)))
			lines = append(lines, kit.Indented(kit.Indented(kit.Paragraph(lessons.Line(s.Text), w, st.Text)))...)
		}
		return append(lines, "", "  "+st.Dim.Render("enter settles it"))
	}
	f, _ := p.reading()
	for _, left := range f.Left {
		lines = append(lines, kit.Indented(kit.Paragraph("! "+lessons.Line(left), w, st.Warn))...)
	}
	for _, l := range p.file {
		if f.Text == "" {
			lines = append(lines, st.Dim.Render(l))
		} else {
			lines = append(lines, st.Dim.Render(l[:7])+l[7:])
		}
	}
	return lines
}

func tokensOf(text string) string { return kit.Counted(recall.Tokens(text), "token") }

func clashWord(c formats.Clash) string {
	if c.Opposite {
		return "it is told both"
	}
	return "it is told twice"
}

// besideHead draws the line above the rows of one kind.
func (p Pane) besideHead(i int, st *look.Style) string {
	if i < len(p.got.reads.Clashes) {
		more := ""
		if n := p.got.reads.Left; n > 0 {
			more = fmt.Sprintf("  %s sentences were not compared", kit.Grouped(n))
		}
		return " " + st.Warn.Bold().Render("to settle") + st.Dim.Render("  told twice, or both"+more)
	}
	n := 0
	for _, f := range p.got.reads.Files {
		n += recall.Tokens(f.Text)
	}
	return " " + st.Strong.Render("reads at its start") + st.Dim.Render("  "+kit.Counted(n, "token"))
}

// besideRow draws a file, or two sentences.
func (p Pane) besideRow(i int, current bool, w int, st *look.Style) []string {
	edge, ink := kit.Edge(current, st), kit.Lit(current, st)
	var first, second string
	if c := len(p.got.reads.Clashes); i < c {
		c := p.got.reads.Clashes[i]
		sign := st.Warn.Render("≈ ")
		if c.Opposite {
			sign = st.Bad.Render("≠ ")
		}
		first = edge + sign + ink.Render(look.Sentence(lessons.Line(c.A.Text), w-4))
		second = edge + "  " + st.Dim.Render(kit.Fit(lessons.Line(c.A.Where+" · "+c.B.Where), w-4))
	} else {
		f := p.got.reads.Files[i-c]
		size := kit.Grouped(recall.Tokens(f.Text))
		if f.Text == "" {
			size = "(" + kit.Grouped(recall.Tokens(f.Raw)) + ")"
		}
		first = edge + kit.Ends(ink.Render(lessons.Line(f.Name)), st.Dim.Render(size+" "), w-1)
		switch {
		case len(f.Left) > 0:
			second = edge + st.Warn.Render(kit.Fit("! "+lessons.Line(strings.Join(f.Left, "; ")), w-2))
		case f.From != "":
			second = edge + st.Dim.Render(kit.Fit("included by "+lessons.Line(f.From), w-2))
		default:
			second = edge + st.Dim.Render(look.Sentence(lessons.Line(strings.TrimLeft(f.Text, "# \n")), w-2))
		}
	}
	return []string{first, second}
}

// open opens what is under the cursor: the ways to settle two sentences, the file in the
// person's editor, or the lesson in Browse.
func (p Pane) open() kit.Out {
	if f, ok := p.reading(); ok {
		return p.edit(f.Path, 1)
	}
	c, ok := p.clash()
	if !ok {
		l, _ := p.Current()
		return desk.Browse("id:" + string(l.ID))
	}
	var all []kit.Option
	for _, s := range []formats.Stated{c.A, c.B} {
		note := look.Sentence(lessons.Line(s.Text), 60)
		if s.Path != "" {
			all = append(all, kit.Option{Name: fmt.Sprintf("edit %s:%d", lessons.Line(filepath.Base(s.Path)), s.Line), Note: note, Do: p.edit(s.Path, s.Line)})
			continue
		}
		all = append(all, kit.Option{Name: "open " + s.Where, Note: note, Do: desk.Browse("id:" + string(s.Lesson))})
		if i := slices.IndexFunc(p.got.in, func(c recall.Choice) bool { return c.Lesson.ID == s.Lesson }); i >= 0 {
			all = append(all, kit.Option{Name: "archive " + s.Where, Note: "no session is given it", Do: kit.Out{Writes: []kit.Job{p.fx.Decide(curate.Archive, desk.Only(p.got.in[i].Lesson))}}})
		}
	}
	return kit.Ask(kit.NewChooser(clashWord(c), all))
}

// edit opens a file and then looks again.
func (p Pane) edit(path string, line int) kit.Out {
	return p.fx.EditFile(path, line, kit.Then[Pane](func(p Pane) (Pane, kit.Out) { return p.look() }))
}
