package tui

import (
	"bytes"
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdown draws CommonMark at a width, in few colours. It takes the tree of a
// parser and draws it itself: what draws more brings highlighters for two hundred
// languages, which cost every verb half of its start.
//
// No entity is decoded and no address becomes a link of the terminal: text comes
// from transcripts, and what is shown is what is written.
func markdown(source string, w int, dark bool) []string {
	src := []byte(source)
	p := parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithInlineParsers(parser.DefaultInlineParsers()...),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...))
	d := markdownDrawing{src: src, st: newStyle(dark)}
	return d.blocks(p.Parse(text.NewReader(src)), w, 0)
}

type markdownDrawing struct {
	src []byte
	st  style
}

// deepestBlock is how far quotes and lists are indented: a hostile text nests
// thousands.
const deepestBlock = 16

// blocks draws what is in a block, one below the other.
func (d markdownDrawing) blocks(in ast.Node, w, depth int) []string {
	var out []string
	for n := in.FirstChild(); n != nil; n = n.NextSibling() {
		lines := d.block(n, max(w, 1), depth)
		if len(lines) == 0 {
			continue
		}
		if _, tight := n.(*ast.TextBlock); len(out) > 0 && !tight && !isTight(in) {
			out = append(out, "")
		}
		out = append(out, lines...)
	}
	return out
}

// isTight reports a list, or an item of one, that has no blank lines.
func isTight(n ast.Node) bool {
	if _, ok := n.(*ast.ListItem); ok {
		n = n.Parent()
	}
	list, ok := n.(*ast.List)
	return ok && list.IsTight
}

func (d markdownDrawing) block(n ast.Node, w, depth int) []string {
	if depth > deepestBlock {
		return []string{d.st.faint.Render("…")}
	}
	switch n := n.(type) {
	case *ast.Heading:
		return wrap(d.st.accent.Render(strings.Repeat("#", n.Level)+" ")+d.inline(n, d.st.accent), w)
	case *ast.ThematicBreak:
		return []string{d.st.faint.Render(strings.Repeat("─", min(w, 8)))}
	case *ast.Blockquote:
		return behindMark(d.st.faint.Render("│ "), d.st.faint.Render("│ "), d.blocks(n, w-2, depth+1))
	case *ast.List:
		return d.list(n, w, depth)
	case *ast.CodeBlock, *ast.FencedCodeBlock, *ast.HTMLBlock:
		return d.verbatim(n, w)
	}
	if n.Type() == ast.TypeBlock && n.FirstChild() != nil && n.FirstChild().Type() == ast.TypeBlock {
		return d.blocks(n, w, depth+1)
	}
	return wrap(d.inline(n, d.st.text), w)
}

func (d markdownDrawing) list(l *ast.List, w, depth int) []string {
	var out []string
	at := l.Start
	for item := l.FirstChild(); item != nil; item = item.NextSibling() {
		mark := "• "
		if l.IsOrdered() {
			mark = fmt.Sprintf("%d%c ", at, l.Marker)
			at++
		}
		if len(out) > 0 && !l.IsTight {
			out = append(out, "")
		}
		wide := lipgloss.Width(mark)
		lines := d.blocks(item, w-wide, depth+1)
		if len(lines) == 0 {
			lines = []string{""}
		}
		out = append(out, behindMark(mark, strings.Repeat(" ", wide), lines)...)
	}
	return out
}

// behindMark puts a mark before the first of some lines, and another before the rest.
func behindMark(first, rest string, lines []string) []string {
	for i, l := range lines {
		if i == 0 {
			lines[i] = first + l
		} else {
			lines[i] = rest + l
		}
	}
	return lines
}

// verbatim draws lines as they are.
func (d markdownDrawing) verbatim(n ast.Node, w int) []string {
	var out []string
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		text := strings.ReplaceAll(strings.TrimRight(string(line.Value(d.src)), "\r\n"), "\t", "    ")
		for _, l := range wrap(text, w) {
			out = append(out, d.st.faint.Render(l))
		}
	}
	return out
}

// inline draws the words of a block.
func (d markdownDrawing) inline(in ast.Node, look lipgloss.Style) string {
	var b strings.Builder
	rows := bytes.HasPrefix(firstLine(in, d.src), []byte("|")) // a table, which is read as a paragraph
	for n := in.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Text:
			b.WriteString(look.Render(string(util.UnescapePunctuations(n.Value(d.src)))))
			switch {
			case n.HardLineBreak(), n.SoftLineBreak() && rows:
				b.WriteString("\n")
			case n.SoftLineBreak():
				b.WriteString(" ")
			}
		case *ast.String:
			b.WriteString(look.Render(string(n.Value)))
		case *ast.CodeSpan:
			b.WriteString(d.code(n))
		case *ast.Emphasis:
			if n.Level == 1 {
				b.WriteString(d.inline(n, look.Italic(true)))
			} else {
				b.WriteString(d.inline(n, look.Bold(true)))
			}
		case *ast.Link:
			b.WriteString(d.inline(n, look) + d.address(n.Destination))
		case *ast.Image:
			b.WriteString(d.inline(n, look) + d.address(n.Destination))
		case *ast.AutoLink:
			b.WriteString(look.Render(string(n.URL(d.src))))
		case *ast.RawHTML:
			for i := range n.Segments.Len() {
				segment := n.Segments.At(i)
				b.WriteString(look.Render(string(segment.Value(d.src))))
			}
		default:
			b.WriteString(d.inline(n, look))
		}
	}
	return b.String()
}

// code is what stands between backquotes.
func (d markdownDrawing) code(n *ast.CodeSpan) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			b.Write(bytes.ReplaceAll(t.Value(d.src), []byte("\n"), []byte(" ")))
		}
	}
	return d.st.warn.Render(b.String())
}

// address is where a link leads, behind its words.
func (d markdownDrawing) address(to []byte) string {
	return d.st.faint.Render(" (" + string(to) + ")")
}

func firstLine(n ast.Node, src []byte) []byte {
	if n.Type() != ast.TypeBlock || n.Lines() == nil || n.Lines().Len() == 0 {
		return nil
	}
	line := n.Lines().At(0)
	return line.Value(src)
}
