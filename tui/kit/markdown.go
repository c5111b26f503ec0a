package kit

import (
	"html"
	"regexp"
	"strings"
	"sync"

	"charm.land/glamour/v2"

	"learnings/lessons"
	"learnings/tui/look"
)

// This file draws text that is Markdown.

// marked up is what text has that reads better drawn: a list, a heading, a table, code, a
// quote, bold words, a link.
var markedUp = regexp.MustCompile("(?m)^\\s*(?:[-*+]|\\d{1,3}[.)])\\s+\\S|^#{1,6} \\S|^\\s*\\|.*\\||^\\s*(?:```|~~~)|`[^`\n]+`|\\*\\*[^*\n]+\\*\\*|\\[[^\\]\n]+\\]\\([^)\n]+\\)|^> ")

// Markdown draws text at a width. What cannot be drawn is shown as it is. Of escape
// sequences only those that set a look are in it.
func Markdown(text string, w int, st *look.Style) []string {
	r, err := glamour.NewTermRenderer(glamour.WithStyles(st.Markdown()), glamour.WithWordWrap(w))
	if err != nil {
		return Wrap(text, w)
	}
	s, err := r.Render(entity.ReplaceAllStringFunc(dunder.ReplaceAllStringFunc(text, unbolded), seen))
	if err != nil {
		return Wrap(text, w)
	}
	lines := strings.Split(strings.Trim(s, "\n"), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(harmless(l), " ")
	}
	return lines
}

// dunder is a name of Python's, __init__.py, which is no bold word, or code, in which
// nothing is.
var dunder = regexp.MustCompile("(?s:```.*?```)|`[^`\n]*`|(?m:^(?: {4}|\t).*$)|\\b__\\w+?__")

// unbolded is such a name as Markdown would have it.
func unbolded(name string) string {
	if !strings.HasPrefix(name, "__") {
		return name
	}
	return strings.ReplaceAll(name, "_", `\_`)
}

// entity is a character by its name or number in Markdown.
var entity = regexp.MustCompile(`&(?:#[0-9]{1,8}|#[xX][0-9a-fA-F]{1,8}|[A-Za-z][A-Za-z0-9]{1,31});?`)

// seen leaves an entity that stands for something that is seen, and drops another: it
// would be made one after the text was made safe.
func seen(entity string) string {
	if s := html.UnescapeString(html.UnescapeString(entity)); lessons.Line(s) != strings.TrimSpace(s) {
		return ""
	}
	return entity
}

// look of a part of a line.
var LookOf = regexp.MustCompile(`\x1b\[[0-9;:]*m`)

// harmless drops from a line what a terminal acts on, but for looks.
func harmless(line string) string {
	var b strings.Builder
	at := 0
	for _, m := range LookOf.FindAllStringIndex(line, -1) {
		b.WriteString(lessons.Block(line[at:m[0]]) + line[m[0]:m[1]])
		at = m[1]
	}
	b.WriteString(lessons.Block(line[at:]))
	return b.String()
}

// drawn has texts as they were drawn lately: to draw costs more than the frame around it.
var (
	drawn  = map[drawing][]string{}
	drawnM sync.Mutex
)

// A drawing is a text at a width in a theme.
type drawing struct {
	text, look string
	w          int
}

// mostDrawn is of how many texts drawings are kept.
const mostDrawn = 200

// Drawn is text as [Markdown] draws it, unless it was drawn lately. What it gives is the
// caller's to read, not to change.
func Drawn(text string, w int, st *look.Style) []string {
	of := drawing{text, st.Name, w}
	drawnM.Lock()
	defer drawnM.Unlock()
	lines, ok := drawn[of]
	if !ok {
		if len(drawn) >= mostDrawn {
			clear(drawn)
		}
		lines = Markdown(lessons.Block(text), w, st)
		drawn[of] = lines
	}
	return lines
}

// Prose is text of a lesson, drawn where it is Markdown.
func Prose(text string, w int, st *look.Style) []string {
	text = strings.TrimRight(text, "\n ")
	if len(text) > MostShown {
		text = strings.ToValidUTF8(text[:MostShown], "") + " …"
	}
	if w < 8 || !markedUp.MatchString(text) {
		return Paragraph(text, w, st.Text)
	}
	return Drawn(text, w, st)
}
