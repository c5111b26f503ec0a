package kit

import (
	"cmp"
	"fmt"
	"html"
	"regexp"
	"strings"
	"sync"

	"charm.land/lipgloss/v2"
	"charm.land/lipgloss/v2/table"
	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"learnings/lessons"
	"learnings/tui/look"
)

// markedUp is what text has that reads better drawn: a list, a heading, a table, code, a
// quote, bold words, a link.
var markedUp = regexp.MustCompile("(?m)^\\s*(?:[-*+]|\\d{1,3}[.)])\\s+\\S|^#{1,6} \\S|^\\s*\\|.*\\||^\\s*(?:```|~~~)|`[^`\n]+`|\\*\\*[^*\n]+\\*\\*|\\[[^\\]\n]+\\]\\([^)\n]+\\)|^> ")

// Prose is text of a lesson, drawn where it is Markdown.
func Prose(text string, w int, st *look.Style) []string {
	text = strings.TrimRight(text, "\n ")
	if len(text) > MostShown {
		text = strings.ToValidUTF8(text[:MostShown], "") + " …"
	}
	if w < 8 || !markedUp.MatchString(text) {
		return Paragraph(text, w, st.Text)
	}
	return Markdown(text, w, st)
}

// parsed parses Markdown. It is made when it is first needed, not at each start.
var parsed = sync.OnceValue(func() parser.Parser { return goldmark.New(goldmark.WithExtensions(extension.Table)).Parser() })

// Markdown draws text in lines of w cells. The text may be hostile: it is made safe before it
// is parsed, and again where a character stands by its name or number.
func Markdown(source string, w int, st *look.Style) []string {
	d := drawing{[]byte(lessons.Block(source)), st}
	return d.blocks(parsed().Parse(text.NewReader(d.source)), w)
}

// A drawing is Markdown that is drawn in a style.
type drawing struct {
	source []byte
	st     *look.Style
}

// blocks draws the blocks in a node, with blank lines between them except in a tight list.
func (d drawing) blocks(n ast.Node, w int) (lines []string) {
	_, item := n.(*ast.ListItem)
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if len(lines) > 0 && !(item && n.Parent().(*ast.List).IsTight) {
			lines = append(lines, "")
		}
		lines = append(lines, d.block(c, max(w, 8))...)
	}
	return lines
}

func (d drawing) block(n ast.Node, w int) []string {
	switch n := n.(type) {
	case *ast.Heading:
		return Wrap(strings.Repeat("#", n.Level)+" "+d.inline(n, look.Ink{}), w)
	case *ast.List:
		return d.list(n, w)
	case *ast.Blockquote:
		return hung(d.blocks(n, w-2), look.Said+" ", look.Said+" ")
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		return d.verbatim(n, w, d.st.Tool)
	case *ast.HTMLBlock:
		return d.verbatim(n, w, look.Ink{})
	case *ast.ThematicBreak:
		return []string{strings.Repeat("-", 8)}
	case *tables.Table:
		return d.table(n, w)
	}
	return Wrap(d.inline(n, look.Ink{}), w)
}

func (d drawing) list(n *ast.List, w int) (lines []string) {
	number := n.Start
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		sign := "• "
		if n.IsOrdered() {
			sign = fmt.Sprintf("%d. ", number)
			number++
		}
		if len(lines) > 0 && !n.IsTight {
			lines = append(lines, "")
		}
		lines = append(lines, hung(d.blocks(item, w-CellsOf(sign)), sign, strings.Repeat(" ", CellsOf(sign)))...)
	}
	return lines
}

// hung are lines with a sign before the first of them and another before the others.
func hung(lines []string, first, others string) []string {
	for i, l := range lines {
		lines[i] = strings.TrimRight(first+l, " ")
		first = others
	}
	return lines
}

// verbatim are the lines of code or HTML as they stand.
func (d drawing) verbatim(n ast.Node, w int, ink look.Ink) (lines []string) {
	for i := range n.Lines().Len() {
		at := n.Lines().At(i)
		for _, l := range strings.Split(ansi.Wrap(strings.TrimRight(string(at.Value(d.source)), "\n"), w, ""), "\n") {
			lines = append(lines, ink.Render(l))
		}
	}
	return lines
}

func (d drawing) table(n *tables.Table, w int) []string {
	t := table.New().BorderTop(false).BorderBottom(false).BorderLeft(false).BorderRight(false)
	widths := make([]int, len(n.Alignments))
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		var cells []string
		for c := row.FirstChild(); c != nil; c = c.NextSibling() {
			cells = append(cells, " "+d.inline(c, look.Ink{})+" ")
			widths[len(cells)-1] = max(widths[len(cells)-1], CellsOf(cells[len(cells)-1]))
		}
		if _, head := row.(*tables.TableHeader); head {
			t.Headers(cells...)
		} else {
			t.Row(cells...)
		}
	}
	whole := len(widths) - 1
	for _, n := range widths {
		whole += n
	}
	return strings.Split(t.Border(lipgloss.NormalBorder()).Width(min(whole, w)).String(), "\n")
}

// inline is the text in a node, in an ink and the looks that Markdown gives to its parts.
func (d drawing) inline(n ast.Node, ink look.Ink) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			b.WriteString(ink.Render(shown(c.Segment.Value(d.source))))
			if c.HardLineBreak() {
				b.WriteString("\n")
			} else if c.SoftLineBreak() {
				b.WriteString(" ")
			}
		case *ast.CodeSpan:
			code := cmp.Or(d.st.Tool, look.Ink{}.Bold())
			for t := c.FirstChild(); t != nil; t = t.NextSibling() {
				b.WriteString(code.Render(strings.ReplaceAll(string(t.(*ast.Text).Segment.Value(d.source)), "\n", " ")))
			}
		case *ast.Emphasis:
			b.WriteString(d.emphasis(c, ink))
		case *ast.Link:
			b.WriteString(d.inline(c, d.st.Accent) + " " + d.st.Accent.Render(shown(c.Destination)))
		case *ast.Image:
			b.WriteString(d.inline(c, d.st.Accent) + " " + d.st.Accent.Render(shown(c.Destination)))
		case *ast.AutoLink:
			b.WriteString(d.st.Accent.Render(shown(c.URL(d.source))))
		case *ast.RawHTML:
			b.Write(c.Segments.Value(d.source))
		default:
			b.WriteString(d.inline(c, ink))
		}
	}
	return b.String()
}

// emphasis draws bold and italic words. Names of Python's such as __init__.py are neither.
func (d drawing) emphasis(n *ast.Emphasis, ink look.Ink) string {
	if n.Level == 1 {
		return d.inline(n, ink.Italic())
	}
	if t, ok := n.FirstChild().(*ast.Text); ok && t.Segment.Start > 0 && d.source[t.Segment.Start-1] == '_' {
		return "__" + d.inline(n, ink) + "__"
	}
	return d.inline(n, ink.Bold())
}

// shown is text with what stands for a character replaced by it, unless that is not seen.
func shown(source []byte) string {
	return strings.ReplaceAll(lessons.Block(html.UnescapeString(string(util.UnescapePunctuations(source)))), "\n", " ")
}
