package kit

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"learnings/lessons"
	"learnings/tui/look"
)

// A Log holds the notes of the status line since the program started, and the error that
// is still shown.
type Log struct {
	Said  []saying
	Fault string // the error that is shown until esc
}

// A saying is one note and its time.
type saying struct {
	Note
	at time.Time
}

// SaidMost is how many notes a Log keeps.
const SaidMost = 500

// With returns the log with another note. An error with stays set remains visible until
// esc.
func (r Log) With(n Note, at time.Time, stays bool) Log {
	if n.Text == "" {
		return r
	}
	if len(r.Said) >= SaidMost {
		r.Said = slices.Clone(r.Said[1:])
	}
	r.Said = append(r.Said[:len(r.Said):len(r.Said)], saying{n, at})
	if n.Bad && stays {
		r.Fault = n.Text
	}
	return r
}

// lines returns the notes with their times, the newest last.
func (r Log) lines(w int, st *look.Style) []string {
	if len(r.Said) == 0 {
		return []string{st.Dim.Render("nothing was done yet")}
	}
	var all []string
	for _, s := range r.Said {
		mark := " "
		if s.Bad {
			mark = st.Bad.Render(look.Flagged)
		}
		for i, l := range Wrap(lessons.Line(s.Text), max(w-11, 1)) {
			left := st.Dim.Render(s.at.Format("15:04:05")) + " " + mark + " "
			if i > 0 {
				left = Fit("", 11)
			}
			all = append(all, left+Note{Text: l, Bad: s.Bad}.line(st))
		}
	}
	return all
}

// Page returns the log as a dialog, scrolled to its end.
func (r Log) Page() Text {
	bad := 0
	for _, s := range r.Said {
		if s.Bad {
			bad++
		}
	}
	title := "log of this run"
	if bad > 0 {
		title += " · " + Counted(bad, "error")
	}
	return Text{Title: title, Lines: r.lines, End: true, Keys: []TextKey{{Keys: []string{"enter", "@"}}}}
}

// Line draws the right part of the status line: the last note and the error that stays.
func (r Log) Line(n Note, w int, st *look.Style) string {
	switch {
	case r.Fault == "" && CellsOf(n.Text)+2 > w:
		return n.within(w-4).line(st) + st.Accent.Render("  @")
	case r.Fault == "":
		return n.line(st)
	case n.Text == "" || n.Text == r.Fault:
		return Note{Text: look.Fault(lessons.Line(r.Fault), w-8), Bad: true}.line(st) + st.Accent.Render("  esc")
	}
	return n.line(st) + "  " + st.Bad.Render(fmt.Sprintf("%s an error", look.Flagged)) + st.Accent.Render(" @")
}

// within drops the last parts of a note until it fits w cells. The log has it whole.
func (n Note) within(w int) Note {
	n.Text = lessons.Line(n.Text)
	for CellsOf(n.Text) > w {
		i := max(strings.LastIndex(n.Text, " · "), strings.LastIndex(n.Text, "; "))
		if i < 0 {
			n.Text = look.Fault(n.Text, w)
			break
		}
		n.Text = n.Text[:i]
	}
	return n
}

// line returns the styled note.
func (n Note) line(st *look.Style) string {
	text := lessons.Line(n.Text)
	switch {
	case n.Bad:
		return st.Bad.Render(text)
	case strings.HasPrefix(text, look.Approved):
		return st.OK.Render(text)
	case strings.HasPrefix(text, look.Rejected):
		return st.Bad.Render(look.Rejected) + st.Dim.Render(strings.TrimPrefix(text, look.Rejected))
	}
	return st.Dim.Render(text)
}
