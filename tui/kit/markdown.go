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

// markedUp matches text that is better drawn as Markdown: a list, a heading, a table,
// code, a quote, bold words, a link.
var markedUp = regexp.MustCompile("(?m)^\\s*(?:[-*+]|\\d{1,3}[.)])\\s+\\S|^#{1,6} \\S|^\\s*\\|.*\\||^\\s*(?:```|~~~)|`[^`\n]+`|\\*\\*[^*\n]+\\*\\*|\\[[^\\]\n]+\\]\\([^)\n]+\\)|^> ")

// Markdown draws text at a width, or plainly if it cannot be rendered. The only escape
// sequences in the result set styles.
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

// dunder matches code and Python names such as __init__, which Markdown would take for
// bold text.
var dunder = regexp.MustCompile("(?s:```.*?```)|`[^`\n]*`|(?m:^(?: {4}|\t).*$)|\\b__\\w+?__")

// unbolded escapes a name that dunder matched; it leaves code as it is.
func unbolded(name string) string {
	if !strings.HasPrefix(name, "__") {
		return name
	}
	return strings.ReplaceAll(name, "_", `\_`)
}

// entity matches a character reference of Markdown.
var entity = regexp.MustCompile(`&(?:#[0-9]{1,8}|#[xX][0-9a-fA-F]{1,8}|[A-Za-z][A-Za-z0-9]{1,31});?`)

// seen drops a character reference that stands for an unsafe character: Markdown resolves
// references after the text was made safe.
func seen(entity string) string {
	if s := html.UnescapeString(html.UnescapeString(entity)); lessons.Line(s) != strings.TrimSpace(s) {
		return ""
	}
	return entity
}

// LookOf matches an escape sequence that sets a style.
var LookOf = regexp.MustCompile(`\x1b\[[0-9;:]*m`)

// harmless removes all escape sequences but styles from a line.
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

// drawn caches drawings: drawing Markdown costs more than the rest of a frame.
var (
	drawn  = map[drawing][]string{}
	drawnM sync.Mutex
)

// A drawing is the cache key: a text at a width in a style.
type drawing struct {
	text string
	w    int
	st   *look.Style
}

// mostDrawn is the capacity of the cache.
const mostDrawn = 200

// Drawn returns the cached result of [Markdown]. The caller must not change it.
func Drawn(text string, w int, st *look.Style) []string {
	of := drawing{text, w, st}
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

// Prose draws a text of a lesson, as Markdown if it has any.
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
