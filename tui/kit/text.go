package kit

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"learnings/lessons"
	"learnings/tui/look"
)

// GroupHead stands above the rows of a group in a list of w cells.
func GroupHead(name string, n, w int, st *look.Style) string {
	count := " " + Grouped(n) + " "
	name = look.Sentence(lessons.Line(name), max(w-len(count)-4, 1))
	left := " " + st.Strong.Render(name) + " "
	fill := max(w-len([]rune(count))-2-CellsOf(name), 0)
	return left + st.Rule.Render(strings.Repeat("─", fill)) + st.Dim.Render(count)
}

// Grouped writes a number with commas between thousands.
func Grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Dotted joins short texts with a dot.
func Dotted(parts ...string) string {
	var some []string
	for _, p := range parts {
		if p != "" {
			some = append(some, p)
		}
	}
	return strings.Join(some, " · ")
}

// Counted is a number of things.
func Counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return Grouped(n) + " " + what + "s"
}

// Position is where one is in a list of some length, and how many of it are marked.
func Position(at, n, marked int, st *look.Style) string {
	s := ""
	if n > 0 {
		s = st.Dim.Render(fmt.Sprintf("%s/%s", Grouped(min(at+1, n)), Grouped(n)))
	}
	if marked > 0 {
		s = st.Accent.Render(look.Marked+" "+Grouped(marked)) + "  " + s
	}
	return s
}

// LessonsOf is a number of lessons, in words.
func LessonsOf(n int) string { return Counted(n, "lesson") }

// FilesOf is a number of files, in words.
func FilesOf(n int) string { return Counted(n, "file") }

// Edge is the first cell of a row: the one place that has the keys.
func Edge(on bool, st *look.Style) string {
	if on {
		return st.Accent.Render(look.Cursor)
	}
	return " "
}

// Folded splits a filter into words, in the form in which they are compared.
func Folded(s string) []string { return strings.Fields(strings.ToLower(s)) }

// MostShown is the most of a text that is shown of a lesson; its file has the rest.
const MostShown = 8 << 10

// CutTo is a text of at most n bytes.
func CutTo(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + " …"
}

// TurnOf is in which direction a key goes through orders.
func TurnOf(k string) int {
	if k == "<" {
		return -1
	}
	return 1
}

// Size is a number of bytes in the unit that gives at most three digits before the
// point.
func Size(n int64) string {
	f, unit := float64(n), 0
	for f >= 1000 && unit < 3 {
		f /= 1000
		unit++
	}
	if unit == 0 {
		return fmt.Sprintf("%d B", n)
	}
	return fmt.Sprintf("%.1f %s", f, [...]string{"B", "kB", "MB", "GB"}[unit])
}

// Ago is how long ago something was, in one unit.
func Ago(at, now time.Time) string {
	const day = 24 * time.Hour
	d := now.Sub(at)
	in := func(unit time.Duration, name string) string { return fmt.Sprintf("%d%s", d/unit, name) }
	switch {
	case at.IsZero():
		return "–"
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return in(time.Minute, "m")
	case d < 2*day:
		return in(time.Hour, "h")
	case d < 35*day:
		return in(day, "d")
	case d < 120*day:
		return in(7*day, "w")
	case d < 700*day:
		return in(30*day, "mo")
	}
	return in(365*day, "y")
}
