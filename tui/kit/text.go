package kit

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"learnings/lessons"
	"learnings/tui/look"
)

// GroupHead draws the heading of a group of rows, w cells wide.
func GroupHead(name string, n, w int, st *look.Style) string {
	count := " " + Grouped(n) + " "
	name = look.Sentence(lessons.Line(name), max(w-len(count)-4, 1))
	left := " " + st.Place.Bold().Render(name) + " "
	fill := max(w-len([]rune(count))-2-CellsOf(name), 0)
	return left + st.Rule.Render(strings.Repeat("─", fill)) + st.Dim.Render(count)
}

// Grouped formats a number with commas between thousands.
func Grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Dotted joins short texts with dots.
func Dotted(parts ...string) string {
	var some []string
	for _, p := range parts {
		if p != "" {
			some = append(some, p)
		}
	}
	return strings.Join(some, " · ")
}

// Counted formats a number of things.
func Counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return Grouped(n) + " " + what + "s"
}

// Position formats the position in a list and the number of marked rows.
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

// LessonsOf formats a number of lessons.
func LessonsOf(n int) string { return Counted(n, "lesson") }

// FilesOf formats a number of files.
func FilesOf(n int) string { return Counted(n, "file") }

// Edge draws the first cell of a row: a bar if the row has the keyboard focus.
func Edge(on bool, st *look.Style) string {
	if on {
		return st.Accent.Render(look.Cursor)
	}
	return " "
}

// Lit returns the ink of a row: that of the current one, or of another.
func Lit(current bool, st *look.Style) look.Ink {
	if current {
		return st.Strong
	}
	return st.Text
}

// Folded splits a filter into lower-case words.
func Folded(s string) []string { return strings.Fields(strings.ToLower(s)) }

// MostShown limits how many bytes of a lesson's text are shown; its file has the rest.
const MostShown = 8 << 10

// CutTo cuts text to at most n bytes.
func CutTo(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + " …"
}

// TurnOf returns the direction in which key k goes through orders.
func TurnOf(k string) int {
	if k == "<" {
		return -1
	}
	return 1
}

// Size formats a number of bytes in the unit that needs at most three digits before the
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

// Day is how the desk writes a date.
const Day = "2 Jan 2006"

// Ago formats how long ago at was, in one unit.
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
