package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"learnings/index"
	"learnings/index/insights"
	"learnings/lessons"
)

// A picture is one of the eight.
type picture int

// The pictures, as they are read.
const (
	picGrowth picture = iota
	picDays
	picMistakes
	picLanes
	picConfidence
	picGiven
	picUse
	picMinutes
	pictures // how many there are
)

// pictureTitles are what they are called.
var pictureTitles = [pictures]string{
	"active lessons", "decisions by day", "mistakes that come back", "how right each lane was",
	"confidence", "what sessions get", "what earns its place", "worth ten minutes",
}

// title is what a picture is called.
func (p picture) title() string { return pictureTitles[p] }

// A boardWork is what is done about a row, where no query of lessons settles it.
type boardWork int

// The kinds of work.
const (
	noWork     boardWork = iota
	settleThem           // the contradictions
	mergeThem            // the duplicates
	writeOne             // the mistakes that no lesson is about
)

// A boardRow is a part of a picture that one can go to.
type boardRow struct {
	cells []string // of the table; the first says what it is
	query string   // of the lessons behind it; "" for none
	work  boardWork
	why   string // nothing opens; "" when something does
	id    lessons.ID
	cures lessons.ID // the mistake that a lesson would be about
}

// spans are the weeks that a board can go back.
var spans = []int{4, 12, 26, 52}

// Figures are what pictures are made of.
type Figures = insights.Figures

// A board is the figures and what is looked at.
type board struct {
	figures *insights.Figures // nil while nobody has computed them
	weeks   int               // that are drawn
}

// days are those of the span.
func (b board) days() []insights.Day {
	all := b.figures.Timeline.Days
	return all[max(len(all)-7*b.weeks, 0):]
}

// heads are the heads of the columns of a table.
func (b board) heads(p picture) []string {
	return [pictures][]string{
		picGrowth:     {"week from", "active", "grown by", "waiting", "proposed", "approved", "rejected"},
		picDays:       {"day", "decisions", "approved", "rejected", "merged", "edited"},
		picMistakes:   {"mistake", "times", "sessions", "last four weeks", "lesson"},
		picLanes:      {"lane", "approved", "decided", "share", "shown with"},
		picConfidence: {"confidence", "active", "waiting"},
		picGiven:      {"measure", "value", "since", "how it is counted"},
		picUse:        {"lesson", "given", "used", "helped", "harmed"},
		picMinutes:    {"what", "how many", "what it does"},
	}[p]
}

// rowsOf are the rows of a picture's table, and what can be gone to in it.
func (b board) rowsOf(p picture) []boardRow {
	if b.figures == nil {
		return nil
	}
	return [pictures]func() []boardRow{
		picGrowth: b.growthRows, picDays: b.dayRows, picMistakes: b.mistakeRows, picLanes: b.laneRows,
		picConfidence: b.confidenceRows, picGiven: b.givenRows, picUse: b.useRows, picMinutes: b.minuteRows,
	}[p]()
}

// walkable reports whether one can go from row to row in a picture: where each is to be
// seen.
func (p picture) walkable() bool { return p != picGrowth && p != picConfidence }

// queryBehind is that of the lessons behind a picture as a whole; "" for none.
func (b board) queryBehind(p picture) string {
	switch p {
	case picGrowth:
		return fmt.Sprintf("status:approved age:<%dw sort:created", b.weeks)
	case picDays, picLanes:
		return "judged:yes sort:confirmed"
	case picConfidence:
		return "status:approved sort:score"
	case picUse, picGiven:
		return "status:approved used:>0 sort:used"
	case picMistakes:
		return b.queryOf(b.mistakeRows())
	}
	return ""
}

// mostIDs is how many lessons a query names.
const mostIDs = 40

// queryOf is a query of the lessons of rows.
func (b board) queryOf(rows []boardRow) string {
	var ids []string
	for _, r := range rows {
		if id := "id:" + string(r.id); r.id != "" && len(ids) < mostIDs && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return strings.Join(ids, " ")
}

func (b board) growthRows() []boardRow {
	var rows []boardRow
	for _, w := range b.figures.Timeline.Weeks(b.weeks) {
		rows = append(rows, boardRow{query: weekOf(w.From), cells: []string{dateOf(w.From), grouped(w.Active), withSign(w.Grown), grouped(w.Waiting), grouped(w.Proposed), grouped(w.Approved), grouped(w.Rejected)}})
	}
	slices.Reverse(rows)
	return rows
}

// weekOf is the query for what was decided in the week from a day on.
func weekOf(from time.Time) string {
	r := index.Range{Min: index.Day(from), Max: index.Day(from) + 6}
	return index.Query{Sort: index.Confirmed}.Within(index.Decided, r).String()
}

func (b board) dayRows() []boardRow {
	var rows []boardRow
	for _, d := range b.decidedOn() {
		rows = append(rows, boardRow{
			cells: []string{dateOf(d.Date), grouped(d.Decided()), grouped(d.Approved), grouped(d.Rejected), grouped(d.Merged), grouped(d.Edited)},
			query: index.Query{Sort: index.Confirmed}.Within(index.Decided, index.On(d.Date)).String(),
		})
	}
	return rows
}

// streak is the longest run of days on which something was decided.
func (b board) streak() int {
	best, run := 0, 0
	for _, d := range b.figures.Timeline.Days {
		if run++; d.Decided() == 0 {
			run = 0
		}
		best = max(best, run)
	}
	return best
}

func (b board) mistakeRows() []boardRow {
	var rows []boardRow
	for _, m := range b.figures.Mistakes {
		r := boardRow{cells: []string{mistakeName(m), grouped(m.Count), grouped(m.Sessions), trendOf(m.Trend()), cureOf(m, b.figures.Now)}, id: m.Lesson}
		switch {
		case m.Lesson != "":
			r.query = "id:" + string(m.Lesson)
		default:
			r.work, r.cures = writeOne, m.ID
		}
		rows = append(rows, r)
	}
	return rows
}

// mistakeName says which mistake it is.
func mistakeName(m insights.Mistake) string {
	doing, says := lessons.Line(m.Doing), lessons.Line(m.Says)
	if doing == "" {
		return says
	}
	return strings.TrimSuffix(doing+": "+says, ": ")
}

// cureOf says what is done about a mistake.
func cureOf(m insights.Mistake, now time.Time) string {
	const gone = 4 * 7 * 24 * time.Hour
	switch {
	case m.Status == lessons.Approved && m.After == 0 && m.Rest(now) >= gone:
		return "✓ gone"
	case m.Status == lessons.Approved && !m.Approved.IsZero():
		return "✓ lesson in " + m.Approved.Format("Jan")
	case m.Status == lessons.Approved:
		return "✓ lesson"
	case m.Status == lessons.Pending:
		return "≡ waits in Review"
	}
	return "! no lesson yet"
}

// trendOf is by how much something has become more, in words.
func trendOf(n int) string {
	switch {
	case n > 0:
		return "▲ " + grouped(n) + " more"
	case n < 0:
		return "▼ " + grouped(-n) + " less"
	}
	return "as before"
}

func (b board) laneRows() []boardRow {
	var rows []boardRow
	for _, l := range b.figures.Lanes {
		r := boardRow{cells: []string{string(l.Lane), grouped(l.Approved), grouped(l.Decided), "", ""}, query: "judged:yes lane:" + string(l.Lane)}
		if l.Decided > 0 {
			r.cells[3], r.cells[4] = percentOf(l.Share()), fmt.Sprintf("%.2f", l.Said)
		} else {
			r.query, r.why = "", "nothing of this lane was decided on yet"
		}
		rows = append(rows, r)
	}
	return rows
}

func (b board) confidenceRows() []boardRow {
	var rows []boardRow
	c := b.figures.Confidence
	for i := range c.Active {
		to := fmt.Sprintf("<%.1f", float64(i+1)/10)
		if i == 9 {
			to = "<=1"
		}
		rows = append(rows, boardRow{
			cells: []string{fmt.Sprintf("%.1f", float64(i)/10), grouped(c.Active[i]), grouped(c.Waiting[i])},
			query: fmt.Sprintf("conf:>=%.1f conf:%s", float64(i)/10, to),
		})
	}
	return rows
}

// shownMeasures are the measures of what sessions were given, with a name for each.
var shownMeasures = []struct{ of, name string }{
	{insights.InjectionRate, "got a lesson"}, {insights.PrecedentCoverage, "got what fits"}, {insights.UsageRate, "said to help"},
	{insights.Quality, "help over harm"}, {insights.RecurringMistakes, "errors met before"}, {insights.RecurringAfterCure, "back after lesson"},
}

func (b board) measure(of string) insights.Measure {
	i := slices.IndexFunc(b.figures.Success, func(m insights.Measure) bool { return m.Name == of })
	if i < 0 {
		return insights.Measure{Name: of}
	}
	return b.figures.Success[i]
}

func (b board) givenRows() []boardRow {
	var rows []boardRow
	for _, s := range shownMeasures {
		m := b.measure(s.of)
		r := boardRow{cells: []string{s.name, m.String(), dateOf(m.Since), m.How}, query: b.queryBehind(picUse)}
		if !m.Known {
			r.cells[3], r.query, r.why = m.Missing, "", m.Missing
		}
		if s.of == insights.RecurringAfterCure || s.of == insights.RecurringMistakes {
			if r.query = b.queryOf(b.mistakeRows()); r.query == "" {
				r.why = cmp.Or(r.why, "no lesson is about them")
			}
		}
		rows = append(rows, r)
	}
	return rows
}

func (b board) useRows() []boardRow {
	var rows []boardRow
	for _, u := range b.figures.Use.Lessons {
		rows = append(rows, boardRow{
			cells: []string{lessons.Line(u.Title), grouped(u.Given), grouped(u.Used), grouped(u.Helped), grouped(u.Harmed)}, id: u.ID, query: "id:" + string(u.ID),
		})
	}
	return rows
}

// minuteRows are the things to do, those that there are.
func (b board) minuteRows() []boardRow {
	var rows []boardRow
	c := b.figures.Counts
	if n := c.Contradictions; n == nil && c.Active > 1 {
		rows = append(rows, boardRow{cells: []string{"≠ contradictions, not looked for yet", "", "look"}, work: settleThem})
	} else if n != nil && *n > 0 {
		rows = append(rows, boardRow{cells: []string{"≠ " + counted(*n, "contradiction"), grouped(*n), "settle"}, work: settleThem})
	}
	if n := c.Duplicates; n == nil && c.Active > 1 {
		rows = append(rows, boardRow{cells: []string{"≈ duplicates, not looked for yet", "", "look"}, work: mergeThem})
	} else if n != nil && *n > 0 {
		rows = append(rows, boardRow{cells: []string{"≈ " + counted(*n, "cluster") + " say the same", grouped(*n), "merge"}, work: mergeThem})
	}
	if n := c.Again; n > 0 {
		what := "↻ " + grouped(n) + " to look at again"
		if c.Stale > 0 && c.Stale < n {
			what += ", " + grouped(c.Stale) + " stale"
		}
		rows = append(rows, boardRow{cells: []string{what, grouped(n), "look at them"}, query: "status:approved due:yes"})
	}
	n := 0
	for _, m := range b.figures.Mistakes {
		if m.Lesson == "" {
			n++
		}
	}
	if n > 0 {
		rows = append(rows, boardRow{cells: []string{"! " + counted(n, "mistake") + " without a lesson", grouped(n), "see which"}, work: writeOne})
	}
	return rows
}

func withSign(n int) string {
	switch {
	case n > 0:
		return "+" + grouped(n)
	case n < 0:
		return "−" + grouped(-n)
	}
	return "0"
}

func percentOf(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }

func dateOf(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.DateOnly)
}
