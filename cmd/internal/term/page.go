package term

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"

	"github.com/charmbracelet/x/ansi"

	"learnings/lessons"
)

// An Answer is the printable result of a verb. A list also has a form for scripts, Plain:
// tab-separated, one item a line, no headings.
type Answer interface {
	Terminal(p *Page) // for a person: text and tables that fit the window
	Objects() []any   // for a program: each becomes one line of JSON
}

// Unbounded is the width of a page without wrapping.
const Unbounded = 1 << 20

// A List is an answer with items that scripts and programs get one by one.
type List[T any] struct {
	Items  []T
	Page   func(p *Page)           // prints all items for a person
	Cells  func(item T) []string   // the cells of a script's line
	Lines  func(item T) [][]string // in place of Cells, for items with several lines or none; may be nil
	Object func(item T) any        // the JSON value
}

func (l List[T]) Terminal(p *Page) { l.Page(p) }

func (l List[T]) Plain(w io.Writer) {
	for _, item := range l.Items {
		if l.Lines == nil {
			TSV(w, l.Cells(item)...)
			continue
		}
		for _, cells := range l.Lines(item) {
			TSV(w, cells...)
		}
	}
}

func (l List[T]) Objects() []any { return Map(l.Items, l.Object) }

// Map converts each item of a list.
func Map[T, U any](items []T, to func(item T) U) []U {
	out := make([]U, len(items))
	for i, item := range items {
		out[i] = to(item)
	}
	return out
}

// Object returns a JSON object with ordered members: those of base, which may be nil,
// then pairs of a name and a value. A name ending in ? is left out if its value is zero
// or empty.
func Object(base any, pairs ...any) json.Marshaler { return object{base, pairs} }

type object struct {
	base  any
	pairs []any
}

func (o object) MarshalJSON() ([]byte, error) {
	out := []byte("{")
	if o.base != nil {
		text, err := encode(o.base)
		if err != nil {
			return nil, err
		}
		out = text[:len(text)-1]
	}
	for i := 0; i < len(o.pairs); i += 2 {
		name, optional := strings.CutSuffix(o.pairs[i].(string), "?")
		if optional && empty(reflect.ValueOf(o.pairs[i+1])) {
			continue
		}
		text, err := encode(o.pairs[i+1])
		if err != nil {
			return nil, err
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(strconv.AppendQuote(out, name), ':')
		out = append(out, text...)
	}
	return append(out, '}'), nil
}

func empty(v reflect.Value) bool {
	return !v.IsValid() || v.IsZero() || (v.Kind() == reflect.Slice || v.Kind() == reflect.Map) && v.Len() == 0
}

// encode encodes JSON without escaping HTML.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// WriteJSON writes v as one line of JSON. It escapes characters that JSON allows but a
// terminal could act on: C1 controls, bidi and other format characters.
func WriteJSON(w io.Writer, v any) error {
	raw, err := encode(v)
	if err != nil {
		return fmt.Errorf("writing JSON: %v", err)
	}
	raw = append(raw, '\n')
	if bytes.IndexFunc(raw, unseen) < 0 {
		_, err := w.Write(raw)
		return err
	}
	var safe strings.Builder
	for _, r := range string(raw) {
		if !unseen(r) {
			safe.WriteRune(r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			fmt.Fprintf(&safe, `\u%04x`, unit)
		}
	}
	_, err = io.WriteString(w, safe.String())
	return err
}

// unseen reports whether r controls a terminal or the reading direction.
func unseen(r rune) bool { return r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) }

// A Page is text for a person, of a known width.
type Page struct {
	W      io.Writer
	Width  int  // columns
	Colour bool // colours and bold text are allowed
}

// Heading writes a Markdown heading and a blank line.
func (p *Page) Heading(level int, format string, args ...any) {
	p.Strong("%s %s", strings.Repeat("#", level), fmt.Sprintf(format, args...))
	fmt.Fprintln(p.W)
}

// Strong writes one line of emphasised text, cut to the width.
func (p *Page) Strong(format string, args ...any) {
	s := ansi.Truncate(OneLine(fmt.Sprintf(format, args...)), p.Width, "…")
	if p.Colour {
		s = "\x1b[1m" + s + "\x1b[m"
	}
	fmt.Fprintln(p.W, s)
}

// Line writes one line of text, wrapped with the same indentation: a command to type is
// never cut.
func (p *Page) Line(format string, args ...any) {
	s := OneLine(fmt.Sprintf(format, args...))
	if ansi.StringWidth(s) <= p.Width {
		fmt.Fprintln(p.W, s)
		return
	}
	indent := s[:len(s)-len(strings.TrimLeft(s, " "))]
	p.Text(indent, s[len(indent):])
}

// More says that a list left out n items; it prints nothing for 0.
func (p *Page) More(n int) {
	if n > 0 {
		p.Line("… and %d more: --limit 0 shows all", n)
	}
}

// Field writes a name and its value, wrapped to the width.
func (p *Page) Field(name, format string, args ...any) {
	p.Beside(fmt.Sprintf("%-11s", name), fmt.Sprintf(format, args...))
}

// Text writes paragraphs, wrapped to the width and indented.
func (p *Page) Text(indent, s string) { p.wrap(indent, indent, lessons.Block(s)) }

// Beside writes text beside a label, wrapped to the width with a hanging indent. The
// label is printed unchanged and may be painted.
func (p *Page) Beside(label, s string) {
	p.wrap(label, strings.Repeat(" ", ansi.StringWidth(label)), OneLine(s))
}

// wrap writes text with something before its first line and before the others.
func (p *Page) wrap(first, others, s string) {
	for line := range strings.Lines(ansi.Wrap(s, max(p.Width-ansi.StringWidth(others), 10), "")) {
		fmt.Fprintln(p.W, strings.TrimRight(first+line, " \n"))
		first = others
	}
}

// A Role is the meaning of a colour.
type Role string

// The colours of the terminal's own palette.
const (
	Good    Role = "32" // green
	Caution Role = "33" // yellow
	Alarm   Role = "31" // red
)

// Paint colours text by its role, if colours are shown. The text must be safe to print.
func (p *Page) Paint(r Role, s string) string {
	if !p.Colour {
		return s
	}
	return "\x1b[" + string(r) + "m" + s + "\x1b[m"
}

// leastFlex is the least width of the column that is cut.
const leastFlex = 12

// Table writes a Markdown table with aligned columns. If it is too wide, the column with
// the index flex is cut; if that is not enough, each row becomes several lines. It
// modifies rows.
func (p *Page) Table(head []string, rows [][]string, flex int) {
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
	if over := total - p.Width; over > 0 {
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
			p.Strong("%s", b.String())
			continue
		}
		p.Line("%s", b.String())
	}
	fmt.Fprintln(p.W)
}

// stack writes the rows of a table that is too wide: the first cell and the flexible one,
// and below them the others with their names.
func (p *Page) stack(head []string, rows [][]string, flex int) {
	for _, row := range rows {
		title := row[0]
		if flex != 0 {
			title = strings.TrimSpace(title + "  " + row[flex])
		}
		p.Strong("%s", title)
		var rest []string
		for i, cell := range row {
			if i != 0 && i != flex && cell != "" {
				rest = append(rest, strings.TrimSpace(strings.ToLower(head[i])+" "+cell))
			}
		}
		p.Text("  ", strings.Join(rest, ", "))
	}
	fmt.Fprintln(p.W)
}

// OneLine makes text safe to print on one line. It keeps blanks.
func OneLine(s string) string { return strings.ReplaceAll(lessons.Block(s), "\n", " ") }

// TSV writes one line of tab-separated cells.
func TSV(w io.Writer, cells ...string) {
	for i, c := range cells {
		cells[i] = lessons.Line(c)
	}
	fmt.Fprintln(w, strings.Join(cells, "\t"))
}

// Plural returns "1 lesson", "2 lessons".
func Plural(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	if stem, ok := strings.CutSuffix(one, "y"); ok {
		return fmt.Sprintf("%d %sies", n, stem)
	}
	return fmt.Sprintf("%d %ss", n, one)
}

// InLanes describes proposals: by their lanes, unless all are likely.
func InLanes(n lessons.Waiting, what string) string {
	if n.All() == n[lessons.Likely] {
		return Plural(n.All(), what)
	}
	return n.String()
}

// Stamp formats a time for programs; the zero time is "".
func Stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// Moment formats a time for people, in their time zone; the zero time is "".
func Moment(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Local().Format("2006-01-02 15:04")
}

// Size formats a number of bytes.
func Size(n int64) string {
	switch {
	case n >= 10<<30:
		return fmt.Sprintf("%d GB", n>>30)
	case n >= 10<<20:
		return fmt.Sprintf("%d MB", n>>20)
	case n >= 10<<10:
		return fmt.Sprintf("%d KB", n>>10)
	}
	return fmt.Sprintf("%d B", n)
}

// Since parses the value of --since: a day, a time, or how long ago. "" is the zero time.
func Since(s string, now time.Time) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	if t, ok := moment(s, now, -1); ok {
		return t, nil
	}
	return time.Time{}, Hint(Usagef("--since: %q is neither a time nor how long ago", s), "2026-11-20, 2026-11-20T15:04, 36h, 7d and 2w are understood")
}

// Until parses an end: a day, a time, or how long from now.
func Until(s string, now time.Time) (time.Time, error) {
	if t, ok := moment(s, now, 1); ok && t.After(now) {
		return t, nil
	}
	return time.Time{}, Hint(Usagef("%q is neither a time to come nor how long", s), "45m, 2h, 3d, 1w, 2026-11-20 and \"2026-11-20 15:04\" are understood")
}

// moment parses a day, a time, or a duration before now, or after now if sign is 1.
func moment(s string, now time.Time, sign int) (time.Time, bool) {
	for _, layout := range []string{time.DateOnly, time.RFC3339, "2006-01-02T15:04", "2006-01-02 15:04"} {
		if t, err := time.ParseInLocation(layout, s, now.Location()); err == nil {
			return t, true
		}
	}
	for unit, days := range map[string]int{"d": 1, "w": 7} {
		if count, ok := strings.CutSuffix(s, unit); ok {
			if n, err := strconv.Atoi(count); err == nil && n >= 0 && n < 100_000 {
				return now.AddDate(0, 0, sign*days*n), true
			}
		}
	}
	d, err := time.ParseDuration(s)
	return now.Add(time.Duration(sign) * d), err == nil && d >= 0
}

// Meant returns a hint for a name that there is not: the one that was probably meant, or
// else all of them.
func Meant(typed string, names []string) string {
	if near, ok := lessons.Nearest(typed, names); ok {
		return "did you mean " + near + "?"
	}
	return "there are " + strings.Join(names, ", ")
}
