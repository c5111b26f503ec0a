package tui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"learnings/index"
	"learnings/lessons"
	"learnings/tui/look"
)

// A lessonRow is a lesson in a list:
//
//	▌● corr For every test in redact_test.go use   2×
//	▌  ━━━╸ literal expectations, not…
//
// with the confidence below its category, or on one line
//
//	▌● corr ━━╸ For every test in redact_test.go use literal… 2×
type lessonRow struct {
	lesson          lessons.Lesson
	current, marked bool
	on              bool     // the list has the keys
	hits            []string // words by which it was found
	times           int      // how many say the same, of a cluster
}

// Where the parts of a row are, in cells.
const (
	rowText = 8 // behind bar, mark and category
	rowSign = 3 // at the right
	rowBar  = 4
)

// two draws the row on two lines of w cells.
func (r lessonRow) two(w int, st *look.Style) []string {
	text := look.Lines(lessons.Line(cutTo(r.lesson.Content, shown)), w-rowText-rowSign, 2)
	text = append(text, "", "")
	ink := r.ink(st)
	share := float64(r.lesson.Confidence)
	first := r.edge(st) + r.mark(st) + " " + st.Dim.Render(fit(r.tag(), rowBar)) + " " + fit(r.sentence(text[0], ink), w-rowText-rowSign) + r.sign(st)
	second := r.edge(st) + "  " + st.Bar(share, rowBar, st.Grade(share)) + " " + r.sentence(text[1], ink)
	return []string{r.ground(first, w, st), r.ground(second, w, st)}
}

// one draws it on one line.
func (r lessonRow) one(w int, st *look.Style) string {
	share := float64(r.lesson.Confidence)
	left := r.edge(st) + r.mark(st) + " " + st.Dim.Render(fit(r.tag(), rowBar)) + " " + st.Bar(share, rowBar-1, st.Grade(share)) + " "
	room := w - rowText - rowBar - rowSign
	text := look.Sentence(lessons.Line(cutTo(r.lesson.Content, shown)), room)
	return r.ground(left+fit(r.sentence(text, r.ink(st)), room)+r.sign(st), w, st)
}

// sentence is a text of the row with the words underlined by which it was found.
func (r lessonRow) sentence(text string, ink look.Ink) string {
	if len(r.hits) == 0 {
		return ink.Render(text)
	}
	var b strings.Builder
	for i, word := range strings.Split(text, " ") {
		if i > 0 {
			b.WriteString(ink.Render(" "))
		}
		hit := slices.ContainsFunc(index.Words(word), func(w string) bool {
			return slices.ContainsFunc(r.hits, func(h string) bool { return strings.HasPrefix(w, h) })
		})
		if hit {
			b.WriteString(ink.Underline().Render(word))
		} else {
			b.WriteString(ink.Render(word))
		}
	}
	return b.String()
}

func (r lessonRow) tag() string {
	if r.times > 0 {
		return fmt.Sprintf("%s %d×", look.Merged, min(r.times, 9))
	}
	return look.Tag(lessons.Line(string(r.lesson.Category)))
}

func (r lessonRow) ink(st *look.Style) look.Ink {
	if r.current {
		return st.Strong
	}
	return st.Text
}

// edge is the first cell: the one place that has the keys.
func (r lessonRow) edge(st *look.Style) string { return edge(r.current && r.on, st) }

func edge(on bool, st *look.Style) string {
	if on {
		return st.Accent.Render(look.Cursor)
	}
	return " "
}

func (r lessonRow) ground(line string, w int, st *look.Style) string {
	if r.current {
		return st.Select(fit(line, w))
	}
	return line
}

// mark is what the person did to it, or should know before all else.
func (r lessonRow) mark(st *look.Style) string {
	switch l := r.lesson; {
	case r.marked:
		return st.Accent.Render(look.Marked)
	case l.Pinned:
		return st.Dim.Render(look.Pinned)
	case l.Offer.Content != "" && l.Status == lessons.Pending:
		return st.OK.Render(look.Edited) // a better wording is offered
	}
	return " "
}

// sign is the one signal at the right.
func (r lessonRow) sign(st *look.Style) string {
	text, ink := "", st.Dim
	switch n := lessons.Sessions(r.lesson.Evidence); {
	case len(flags(r.lesson)) > 0:
		text, ink = look.Flagged, st.Warn
	case n > 1:
		text = fmt.Sprintf("%d×", min(n, 9))
	case r.lesson.Waits() == lessons.Maybe:
		text = "?"
	}
	return strings.Repeat(" ", rowSign-1-len([]rune(text))) + ink.Render(text) + " "
}

// groupHead stands above the rows of a group in a list of w cells.
func groupHead(name string, n, w int, st *look.Style) string {
	count := " " + grouped(n) + " "
	name = look.Sentence(lessons.Line(name), max(w-len(count)-4, 1))
	left := " " + st.Strong.Render(name) + " "
	fill := max(w-len([]rune(count))-2-cellsOf(name), 0)
	return left + st.Rule.Render(strings.Repeat("─", fill)) + st.Dim.Render(count)
}

// grouped writes a number with commas between thousands.
func grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// bar joins short texts with a dot.
func bar(parts ...string) string {
	var some []string
	for _, p := range parts {
		if p != "" {
			some = append(some, p)
		}
	}
	return strings.Join(some, " · ")
}

// counted is a number of things.
func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return grouped(n) + " " + what + "s"
}

// position is where one is in a list of some length, and how many of it are marked.
func position(at, n, marked int, st *look.Style) string {
	s := ""
	if n > 0 {
		s = st.Dim.Render(fmt.Sprintf("%s/%s", grouped(min(at+1, n)), grouped(n)))
	}
	if marked > 0 {
		s = st.Accent.Render(look.Marked+" "+grouped(marked)) + "  " + s
	}
	return s
}

func lessonsOf(n int) string { return counted(n, "lesson") }
func filesOf(n int) string   { return counted(n, "file") }
