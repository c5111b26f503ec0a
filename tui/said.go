package tui

import (
	"fmt"
	"slices"
	"time"

	"learnings/lessons"
	"learnings/tui/look"
)

// A record is what the running line has said since the program started, and the error
// that still stands there.
type record struct {
	said  []saying
	fault string // of what went wrong; it stays until esc
}

// A saying is one note, and when it was.
type saying struct {
	note
	at time.Time
}

// saidMost is how much is remembered.
const saidMost = 500

// with is the record with another note. What went wrong while nobody pressed a key for
// it stays on the line.
func (r record) with(n note, at time.Time, stays bool) record {
	if n.text == "" {
		return r
	}
	if len(r.said) >= saidMost {
		r.said = slices.Clone(r.said[1:])
	}
	r.said = append(r.said[:len(r.said):len(r.said)], saying{n, at})
	if n.bad && stays {
		r.fault = n.text
	}
	return r
}

// lines are the notes with their times, the newest last.
func (r record) lines(w int, st *look.Style) []string {
	if len(r.said) == 0 {
		return []string{st.Dim.Render("nothing was done yet")}
	}
	var all []string
	for _, s := range r.said {
		mark := " "
		if s.bad {
			mark = st.Bad.Render(look.Flagged)
		}
		for i, l := range wrap(lessons.Line(s.text), max(w-11, 1)) {
			left := st.Dim.Render(s.at.Format("15:04:05")) + " " + mark + " "
			if i > 0 {
				left = fit("", 11)
			}
			all = append(all, left+note{text: l, bad: s.bad}.line(st))
		}
	}
	return all
}

// page is the log as a dialog, at its end.
func (r record) page() textPage {
	bad := 0
	for _, s := range r.said {
		if s.bad {
			bad++
		}
	}
	title := "log of this run"
	if bad > 0 {
		title += " · " + counted(bad, "error")
	}
	return textPage{title: title, lines: r.lines, end: true}
}

// line is what stands at the right of the running line: what was said last, and the
// error that stays.
func (r record) line(n note, w int, st *look.Style) string {
	switch {
	case r.fault == "":
		return n.line(st)
	case n.text == "" || n.text == r.fault:
		return note{text: look.Fault(lessons.Line(r.fault), w-8), bad: true}.line(st) + st.Accent.Render("  esc")
	}
	return n.line(st) + "  " + st.Bad.Render(fmt.Sprintf("%s an error", look.Flagged)) + st.Accent.Render(spelt(" ‹log @›", st))
}
