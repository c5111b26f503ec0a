package card

import (
	"fmt"
	"slices"
	"strings"
	"time"

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
	rowSign = 4 // at the right
	RowBar  = 4
)

// Two draws the row in two lines of w cells.
func (r Row) Two(w int, st *look.Style) []string {
	text := append(r.Sentence(w-RowText-rowSign, 2, st), "", "")
	first := r.left(st) + kit.Fit(text[0], w-RowText-rowSign) + r.sign(st)
	second := r.Edge(st) + "  " + TrustBar(r.Lesson, RowBar, st) + " " + text[1]
	return []string{first, second}
}

// One draws the row in one line.
func (r Row) One(w int, st *look.Style) string {
	left := r.left(st) + TrustBar(r.Lesson, RowBar-1, st) + " "
	room := w - RowText - RowBar - rowSign
	return left + kit.Fit(strings.Join(r.Sentence(room, 1, st), ""), room) + r.sign(st)
}

// left draws the row up to its sentence or bar.
func (r Row) left(st *look.Style) string {
	ink := st.Dim
	if r.Current && r.On {
		ink = st.Accent
	}
	return r.Edge(st) + r.mark(st) + " " + ink.Render(kit.Fit(r.tag(), RowBar)) + " "
}

// Sentence draws the lesson in at most n lines of w cells: its code in colour, or the words
// underlined that found it.
func (r Row) Sentence(w, n int, st *look.Style) []string {
	lines := look.Lines(lessons.Line(kit.CutTo(r.Lesson.Content, kit.MostShown)), w, n)
	ink, code := kit.Lit(r.Current, st), st.Code
	if r.Current {
		code = code.Bold()
	}
	if len(r.Hits) == 0 {
		return kit.Coded(lines, ink, code)
	}
	for i, text := range lines {
		lines[i] = kit.Inked(text, ink, ink.Underline(), func(word string) bool {
			return slices.ContainsFunc(index.Words(word), func(w string) bool {
				return slices.ContainsFunc(r.Hits, func(h string) bool { return strings.HasPrefix(w, h) })
			})
		})
	}
	return lines
}

func (r Row) tag() string {
	if r.Times > 0 {
		return fmt.Sprintf("%s %d×", look.Merged, min(r.Times, 9))
	}
	return look.Tag(lessons.Line(string(r.Lesson.Category)))
}

// Edge draws the first cell of the row.
func (r Row) Edge(st *look.Style) string { return kit.Edge(r.Current && r.On, st) }

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

// Standing draws the sign for the status of a lesson.
func Standing(l lessons.Lesson, now time.Time, st *look.Style) string {
	due, dated := l.Due()
	switch {
	case l.Status == lessons.Rejected:
		return st.Bad.Render(look.Rejected)
	case l.Status == lessons.Merged:
		return st.Dim.Render(look.Merged)
	case l.Status == lessons.Archived:
		return st.Dim.Render(look.Archived)
	case l.Snoozed(now):
		return st.Dim.Render(look.Asleep)
	case l.Status == lessons.Pending:
		return st.Dim.Render("·")
	case l.Pinned:
		return st.Accent.Render(look.Pinned)
	case dated && !due.After(now):
		return st.Warn.Render(look.Again)
	}
	return st.OK.Render(look.Approved)
}
