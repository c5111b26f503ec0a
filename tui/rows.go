package tui

import (
	"fmt"
	"strconv"
	"strings"

	"learnings/lessons"
)

// row is a lesson on one line of w cells:
//
//	▌✓! correction  Run make generate after editing any .proto file  2× 0.85
func row(l lessons.Lesson, w int, current, marked bool, st style) string {
	bar, look := " ", st.text
	if current {
		bar, look = st.accent.Render("▌"), st.strong
	}
	mark := " "
	switch {
	case marked:
		mark = st.accent.Render("✓")
	case l.Pinned:
		mark = st.faint.Render("◆")
	case l.Offer.Content != "" && l.Status == lessons.Pending:
		mark = st.good.Render("✎") // a better wording is offered
	}
	flag := " "
	switch {
	case len(flags(l)) > 0:
		flag = st.warn.Render("!")
	case l.Waits() == lessons.Maybe:
		flag = st.faint.Render("?")
	}
	kind := fit(lessons.Line(string(l.Category)), 11)
	right := fmt.Sprintf(" %.2f ", float64(l.Confidence))
	if n := lessons.Sessions(l.Evidence); n > 1 {
		right = fmt.Sprintf(" %d×", n) + right
	}
	left := bar + mark + flag
	if w >= 40 {
		left += " " + st.faint.Render(kind)
	}
	return ends(left+" "+look.Render(l.Title(w)), st.faint.Render(right), w)
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

func lessonsOf(n int) string { return counted(n, "lesson") }
func filesOf(n int) string   { return counted(n, "file") }
