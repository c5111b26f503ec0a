package kit

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"learnings/lessons"
	"learnings/tui/look"
)

// A Log is what the running line has said since the program started, and the error
// that still stands there.
type Log struct {
	Said  []saying
	Fault string // of what went wrong; it stays until esc
}

// A saying is one note, and when it was.
type saying struct {
	Note
	at time.Time
}

// SaidMost is how much is remembered.
const SaidMost = 500

// With is the record with another note. What went wrong while nobody pressed a key for
// it stays on the line.
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

// lines are the notes with their times, the newest last.
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

// Page is the log as a dialog, at its end.
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

// Line is what stands at the right of the running line: what was said last, and the
// error that stays.
func (r Log) Line(n Note, w int, st *look.Style) string {
	switch {
	case r.Fault == "":
		return n.line(st)
	case n.Text == "" || n.Text == r.Fault:
		return Note{Text: look.Fault(lessons.Line(r.Fault), w-8), Bad: true}.line(st) + st.Accent.Render("  esc")
	}
	return n.line(st) + "  " + st.Bad.Render(fmt.Sprintf("%s an error", look.Flagged)) + st.Accent.Render(" @")
}

// line is the note as it looks.
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
