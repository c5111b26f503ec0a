package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"learnings/index/insights"
	"learnings/tui/look"
)

// heat are the days of weeks as columns, Monday on top.
func (b board) heat(c easel) (string, []string) {
	days := b.days()
	busiest, sum := 0, 0
	for _, d := range days {
		busiest = max(busiest, d.Decided())
		sum += d.Decided()
	}
	if sum == 0 {
		if len(b.figures.Timeline.Days) > len(days) {
			return "", c.later(fmt.Sprintf("Nothing was decided in %d weeks; ‹longer +› looks further back.", b.weeks))
		}
		return "", c.later("Shows from your first decision on: ‹approve a› or ‹reject x› in Review.")
	}
	var on insights.Day
	if rows := b.decidedOn(); c.row >= 0 && c.row < len(rows) {
		on = rows[c.row]
	}
	m := heatmapOf(days, b.weeks, c.w)
	lines := m.lines(busiest, on.Date, c.st)
	if !on.Date.IsZero() {
		facts := on.Date.Format("Mon 2 January") + ": " + dayFacts(on) + " · enter opens them"
		return c.st.Accent.Render(on.Date.Format("Mon 2 Jan")) + c.st.Dim.Render(" · "+counted(on.Decided(), "decision")), append(lines, c.st.Dim.Render(fit(facts, c.w)))
	}
	var scale strings.Builder
	for l := 1; l <= look.HeatLevels; l++ {
		scale.WriteString(c.st.Heat(l))
	}
	facts := fmt.Sprintf("%s, at most %s a day · best streak %s", counted(sum, "decision"), grouped(busiest), counted(b.streak(), "day"))
	right := c.st.Dim.Render("less ") + scale.String() + c.st.Dim.Render(" more")
	if c.h > len(lines) {
		return right, append(lines, c.st.Dim.Render(fit(facts, c.w)))
	}
	return c.st.Dim.Render(fmt.Sprintf("%s · best streak %s", counted(sum, "decision"), counted(b.streak(), "day"))), lines
}

// A heatmap is days in columns of weeks, as many as fit.
type heatmap struct {
	days  []insights.Day
	first int // days that the first week lacks
	weeks int
	cell  int // how wide a day is
}

// heatLabels is how wide the names of weekdays are.
const heatLabels = 4

func heatmapOf(days []insights.Day, most, w int) heatmap {
	cell := 3
	first := int(days[0].Date.Weekday()+6) % 7 // days that the first week lacks
	if first > 0 && first+len(days) > 7*most { // a week that was cut is one column too many
		days, first = days[7-first:], 0
	}
	weeks := (first + len(days) + 6) / 7
	for cell > 1 && heatLabels+cell*weeks > w {
		cell--
	}
	if drop := weeks - (w-heatLabels)/cell; drop > 0 {
		days = days[min(max(7*drop-first, 0), len(days)):]
		first, weeks = 0, weeks-drop
	}
	return heatmap{days, first, weeks, cell}
}

// lines draws the days, and names the months below. The day that one has gone to has a sign.
func (m heatmap) lines(busiest int, on time.Time, st *look.Style) []string {
	lines := make([]string, 0, 8)
	for weekday, name := range []string{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"} {
		if weekday%2 == 1 {
			name = ""
		}
		var row strings.Builder
		for week := range m.weeks {
			i := 7*week + weekday - m.first
			sign, pad := " ", strings.Repeat(" ", m.cell-1)
			if i >= 0 && i < len(m.days) {
				d := m.days[i]
				sign = st.Heat(heatLevel(d.Decided(), busiest))
				switch here := d.Date.Equal(on); {
				case here && m.cell > 1:
					pad = st.Accent.Render("◀") + pad[1:]
				case here:
					sign = st.Accent.Render(look.Pinned)
				}
			}
			row.WriteString(sign + pad)
		}
		lines = append(lines, st.Dim.Render(fit(name, heatLabels))+row.String())
	}
	return append(lines, strings.Repeat(" ", heatLabels)+st.Dim.Render(monthsOfWeeks(m.days, m.first, m.weeks, m.cell)))
}

// decidedOn are the days on which something was decided, the last first.
func (b board) decidedOn() []insights.Day {
	all := slices.DeleteFunc(slices.Clone(b.days()), func(d insights.Day) bool { return d.Decided() == 0 })
	slices.Reverse(all)
	return all
}

// dayFacts says what was decided on a day.
func dayFacts(d insights.Day) string {
	var parts []string
	for _, f := range []struct {
		n    int
		what string
	}{{d.Approved, "approved"}, {d.Rejected, "rejected"}, {d.Merged, "merged"}, {d.Edited, "edited"}, {d.Archived, "archived"}, {d.Added, "added"}, {d.Other, "confirmed or changed"}} {
		if f.n > 0 {
			parts = append(parts, grouped(f.n)+" "+f.what)
		}
	}
	return strings.Join(parts, ", ")
}

// heatLevel is that of an amount, beside the largest.
func heatLevel(n, most int) int {
	if n <= 0 {
		return 0
	}
	return min(1+(n-1)*look.HeatLevels/max(most, 1), look.HeatLevels)
}

// monthsOfWeeks are the names of months over columns of weeks.
func monthsOfWeeks(days []insights.Day, first, weeks, cell int) string {
	line := []byte(strings.Repeat(" ", weeks*cell))
	free := 0
	for i, d := range days {
		x := (first + i) / 7 * cell
		if (d.Date.Day() == 1 || i == 0) && x >= free && x+3 <= len(line) {
			copy(line[x:], d.Date.Format("Jan"))
			free = x + 4
		}
	}
	return string(line)
}
