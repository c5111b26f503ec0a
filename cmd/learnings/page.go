package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/charmbracelet/x/ansi"

	"learnings/lessons"
)

// An answer is what a verb found out, in the three forms in which it can be
// given. All text of lessons and transcripts passes through lessons.Line or
// lessons.Block on its way into the first two.
type answer interface {
	terminal(p *page)  // for a person, as Markdown tables that fit the window
	plain(w io.Writer) // tab-separated, one item a line, no headings
	objects() []any    // for JSON: one a line
}

// printJSON writes one object on a line. What JSON leaves as it is and a
// terminal could act on (C1 controls, bidi and other format characters) is
// escaped, which means the same to whoever parses it.
func printJSON(w io.Writer, v any) error {
	var raw bytes.Buffer
	enc := json.NewEncoder(&raw)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("writing JSON: %v", err)
	}
	if bytes.IndexFunc(raw.Bytes(), unseen) < 0 {
		_, err := w.Write(raw.Bytes())
		return err
	}
	var safe strings.Builder
	for _, r := range raw.String() {
		if !unseen(r) {
			safe.WriteRune(r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			fmt.Fprintf(&safe, `\u%04x`, unit)
		}
	}
	_, err := io.WriteString(w, safe.String())
	return err
}

// unseen are the characters that steer a terminal or the reading direction.
func unseen(r rune) bool { return r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) }

// A page is a terminal to write to.
type page struct {
	w      io.Writer
	width  int
	colour bool
}

func (p *page) heading(level int, format string, args ...any) {
	p.strong("%s %s", strings.Repeat("#", level), fmt.Sprintf(format, args...))
	fmt.Fprintln(p.w)
}

// strong writes one line of text that stands out, cut to the window.
func (p *page) strong(format string, args ...any) {
	s := ansi.Truncate(oneLine(fmt.Sprintf(format, args...)), p.width, "…")
	if p.colour {
		s = "\x1b[1m" + s + "\x1b[m"
	}
	fmt.Fprintln(p.w, s)
}

// line writes one line of text, which goes on below its beginning where the
// window is too narrow: what to type is never cut off.
func (p *page) line(format string, args ...any) {
	s := oneLine(fmt.Sprintf(format, args...))
	if ansi.StringWidth(s) <= p.width {
		fmt.Fprintln(p.w, s)
		return
	}
	indent := s[:len(s)-len(strings.TrimLeft(s, " "))]
	p.text(indent, s[len(indent):])
}

// field writes a name and, beside it, its value, wrapped to the window.
func (p *page) field(name, format string, args ...any) {
	const margin = 11
	value := oneLine(fmt.Sprintf(format, args...))
	first := true
	for line := range strings.Lines(ansi.Wrap(value, max(p.width-margin, 10), "")) {
		if !first {
			name = ""
		}
		fmt.Fprintln(p.w, strings.TrimRight(fmt.Sprintf("%-*s%s", margin, name, strings.TrimRight(line, " \n")), " "))
		first = false
	}
}

// text writes paragraphs, wrapped to the window.
func (p *page) text(indent, s string) {
	for line := range strings.Lines(ansi.Wrap(lessons.Block(s), max(p.width-ansi.StringWidth(indent), 10), "")) {
		fmt.Fprintln(p.w, strings.TrimRight(indent+line, " \n"))
	}
}

// leastFlex is how narrow a column that is cut may become.
const leastFlex = 12

// table writes a Markdown table whose columns are aligned. When it is wider
// than the window, the column that is named to flex is cut; when that is not
// enough, each row becomes some lines of text.
func (p *page) table(head []string, rows [][]string, flex int) {
	widths := make([]int, len(head))
	for i, h := range head {
		widths[i] = ansi.StringWidth(h)
	}
	for _, row := range rows {
		for i := range row {
			row[i] = strings.ReplaceAll(lessons.Line(row[i]), "|", "¦")
			widths[i] = max(widths[i], ansi.StringWidth(row[i]))
		}
	}
	total := 1
	for _, w := range widths {
		total += w + 3
	}
	if over := total - p.width; over > 0 {
		if widths[flex]-over < max(ansi.StringWidth(head[flex]), leastFlex) {
			p.stack(head, rows, flex)
			return
		}
		widths[flex] -= over
	}
	rule := make([]string, len(head))
	for i, w := range widths {
		rule[i] = strings.Repeat("-", w)
	}
	for i, row := range append([][]string{head, rule}, rows...) {
		var b strings.Builder
		for j, cell := range row {
			cell = ansi.Truncate(cell, widths[j], "…")
			b.WriteString("| " + cell + strings.Repeat(" ", widths[j]-ansi.StringWidth(cell)+1))
		}
		b.WriteString("|")
		if i == 0 {
			p.strong("%s", b.String())
			continue
		}
		p.line("%s", b.String())
	}
	fmt.Fprintln(p.w)
}

// stack writes the rows of a table that is too wide: the first cell and the one
// that may be cut, and below them the others by their names.
func (p *page) stack(head []string, rows [][]string, flex int) {
	for _, row := range rows {
		title := row[0]
		if flex != 0 {
			title = strings.TrimSpace(title + "  " + row[flex])
		}
		p.strong("%s", title)
		var rest []string
		for i, cell := range row {
			if i != 0 && i != flex && cell != "" {
				rest = append(rest, strings.TrimSpace(strings.ToLower(head[i])+" "+cell))
			}
		}
		p.text("  ", strings.Join(rest, ", "))
	}
	fmt.Fprintln(p.w)
}

// oneLine makes text safe to print on one line, and leaves the blanks in it.
func oneLine(s string) string { return strings.ReplaceAll(lessons.Block(s), "\n", " ") }

// tsv writes one line of tab-separated cells.
func tsv(w io.Writer, cells ...string) {
	for i, c := range cells {
		cells[i] = lessons.Line(c)
	}
	fmt.Fprintln(w, strings.Join(cells, "\t"))
}

// plural is "1 lesson", "2 lessons".
func plural(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	if stem, ok := strings.CutSuffix(one, "y"); ok {
		return fmt.Sprintf("%d %sies", n, stem)
	}
	return fmt.Sprintf("%d %ss", n, one)
}
