package card

import (
	"fmt"
	"slices"
	"strings"

	"learnings/index"
	"learnings/lessons"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// A Row is a lesson in a list:
//
//	▌● corr For every test in redact_test.go use   2×
//	▌  ━━━╸ literal expectations, not…
//
// with the confidence below its category, or on one line
//
//	▌● corr ━━╸ For every test in redact_test.go use literal… 2×
type Row struct {
	Lesson          lessons.Lesson
	Current, Marked bool
	On              bool     // the list has the keyboard focus
	Hits            []string // words that found it
	Times           int      // number of lessons in the cluster
}

// Where the parts of a row are, in cells.
const (
	RowText = 8 // after bar, mark and category
	rowSign = 3 // at the right
	RowBar  = 4
)

// Two draws the row in two lines of w cells.
func (r Row) Two(w int, st *look.Style) []string {
	text := look.Lines(lessons.Line(kit.CutTo(r.Lesson.Content, kit.MostShown)), w-RowText-rowSign, 2)
	text = append(text, "", "")
	ink := r.Ink(st)
	first := r.Edge(st) + r.mark(st) + " " + st.Dim.Render(kit.Fit(r.tag(), RowBar)) + " " + kit.Fit(r.sentence(text[0], ink), w-RowText-rowSign) + r.sign(st)
	second := r.Edge(st) + "  " + TrustBar(r.Lesson, RowBar, st) + " " + r.sentence(text[1], ink)
	return []string{r.Ground(first, w, st), r.Ground(second, w, st)}
}

// One draws the row in one line.
func (r Row) One(w int, st *look.Style) string {
	left := r.Edge(st) + r.mark(st) + " " + st.Dim.Render(kit.Fit(r.tag(), RowBar)) + " " + TrustBar(r.Lesson, RowBar-1, st) + " "
	room := w - RowText - RowBar - rowSign
	text := look.Sentence(lessons.Line(kit.CutTo(r.Lesson.Content, kit.MostShown)), room)
	return r.Ground(left+kit.Fit(r.sentence(text, r.Ink(st)), room)+r.sign(st), w, st)
}

// sentence draws a text of the row with the words underlined that found it.
func (r Row) sentence(text string, ink look.Ink) string {
	if len(r.Hits) == 0 {
		return ink.Render(text)
	}
	return kit.Inked(text, ink, ink.Underline(), func(word string) bool {
		return slices.ContainsFunc(index.Words(word), func(w string) bool {
			return slices.ContainsFunc(r.Hits, func(h string) bool { return strings.HasPrefix(w, h) })
		})
	})
}

func (r Row) tag() string {
	if r.Times > 0 {
		return fmt.Sprintf("%s %d×", look.Merged, min(r.Times, 9))
	}
	return look.Tag(lessons.Line(string(r.Lesson.Category)))
}

// Ink returns the style of the row's sentence.
func (r Row) Ink(st *look.Style) look.Ink {
	if r.Current {
		return st.Strong
	}
	return st.Text
}

// Edge draws the first cell of the row.
func (r Row) Edge(st *look.Style) string { return kit.Edge(r.Current && r.On, st) }

// Ground draws the background of the current row under a line.
func (r Row) Ground(line string, w int, st *look.Style) string {
	if r.Current {
		return st.Select(kit.Fit(line, w))
	}
	return line
}

// mark draws the sign for what the person did with the lesson, or should know first.
func (r Row) mark(st *look.Style) string {
	switch l := r.Lesson; {
	case r.Marked:
		return st.Accent.Render(look.Marked)
	case l.Pinned:
		return st.Dim.Render(look.Pinned)
	case l.Offer.Content != "" && l.Status == lessons.Pending:
		return st.OK.Render(look.Edited) // it has the offer of a better wording
	}
	return " "
}

// sign draws the one sign at the right.
func (r Row) sign(st *look.Style) string {
	text, ink := "", st.Dim
	switch n := lessons.Sessions(r.Lesson.Evidence); {
	case len(Flags(r.Lesson)) > 0:
		text, ink = look.Flagged, st.Warn
	case n > 1:
		text = fmt.Sprintf("%d×", min(n, 9))
	case r.Lesson.Waits() == lessons.Maybe:
		text = "?"
	}
	return strings.Repeat(" ", rowSign-1-len([]rune(text))) + ink.Render(text) + " "
}
