package insights

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"learnings/index/insights"
	"learnings/lessons"
	"learnings/tui/decide"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// A topic is a section of Insights.
type topic int

// The topics, in their order on the screen.
const (
	waitingTopic topic = iota
	givenTopic
	backTopic
	oldTopic
	topics
)

// topicKeys say what enter does on the figures of a topic.
var topicKeys = [topics]string{"enter lists them", "enter lists the lessons", "enter shows the lesson, or proposes one", "enter settles it"}

var topicTitles = [topics]string{"what waits", "what is given and followed", "what came back", "what is out of date or does harm"}

// A grade says whether a figure is good.
type grade int

const (
	plain grade = iota
	good
	poor
	bad
)

func (g grade) ink(st *look.Style) look.Ink {
	return [...]look.Ink{st.Accent, st.OK, st.Warn, st.Bad}[g]
}

// A figureRow is one figure and what enter opens.
type figureRow struct {
	of     topic
	label  string
	share  float64 // of the bar; negative for no bar
	grade  grade
	figure string
	note   string
	query  string                     // finds the lessons behind it
	do     func(Pane) (Pane, kit.Out) // what enter does if query is ""
	why    string                     // why nothing opens
}

// figureRows returns the rows of all figures. A topic without data has a row that says
// when there will be some.
func figureRows(f *desk.Figures, all bool) []figureRow {
	if f == nil {
		return nil
	}
	return slices.Concat(waitingRows(f), givenRows(f), backRows(f, all), oldRows(f))
}

// compared takes the bar from a figure that has no other beside it: alone it would be a
// solid block.
func compared(rows []figureRow) []figureRow {
	if len(rows) == 1 {
		rows[0].share = -1
	}
	return rows
}

// nothingYet returns the row of a topic without data.
func nothingYet(of topic, text string) []figureRow {
	return []figureRow{{of: of, label: text, share: -1, why: text}}
}

func waitingRows(f *desk.Figures) []figureRow {
	c := f.Counts
	if c.Waiting.All() == 0 {
		return nothingYet(waitingTopic, "nothing waits for your decision")
	}
	var rows []figureRow
	most := slices.Max(slices.Collect(maps.Values(c.Waiting)))
	for _, lane := range lessons.QueueLanes {
		if n := c.Waiting[lane]; n > 0 {
			rows = append(rows, figureRow{
				of: waitingTopic, label: string(lane), figure: kit.Grouped(n), share: shareOf(n, most),
				query: "status:pending snoozed:no lane:" + string(lane),
			})
		}
	}
	if !c.Oldest.IsZero() {
		rows[0].note = "the oldest was said " + kit.Ago(c.Oldest, f.Now) + " ago"
	}
	return compared(rows)
}

// shownMeasures are the measures of what sessions were given, with their names.
var shownMeasures = []struct{ of, name, note string }{
	{insights.InjectionRate, "sessions that got a lesson", "of %s sessions"},
	{insights.PrecedentCoverage, "sessions that got a fitting one", "of %s sessions"},
	{insights.UsageRate, "lessons followed when given", "of %s given"},
	{insights.Quality, "reports of help, not of harm", "of %s reports"},
}

// leastOf is how many cases make a percentage. mostUsed limits the lessons that sessions got, and mostBack the mistakes before the
// person asks for all.
const (
	leastOf  = 5
	mostUsed = 5
	mostBack = 6
)

func givenRows(f *desk.Figures) []figureRow {
	var rows []figureRow
	for _, s := range shownMeasures {
		i := slices.IndexFunc(f.Success, func(m insights.Measure) bool { return m.Name == s.of && m.Known })
		if i < 0 {
			continue
		}
		m := f.Success[i]
		r := figureRow{
			of: givenTopic, label: s.name, figure: percentOf(m.Value), share: m.Value, grade: good,
			note: kit.Grouped(m.Part) + " " + fmt.Sprintf(s.note, kit.Grouped(m.Of)), query: "status:approved used:>0 sort:used",
		}
		if m.Of < leastOf {
			r.figure, r.share = "–", -1 // a percentage of so few says nothing
		}
		rows = append(rows, r)
	}
	uses := f.Use.Lessons[:min(len(f.Use.Lessons), mostUsed)]
	first := len(rows)
	for _, u := range uses {
		n := max(u.Given, u.Used)
		r := figureRow{
			of: givenTopic, label: lessons.Line(u.Title), figure: times(n), share: shareOf(n, max(uses[0].Given, uses[0].Used)),
			query: "id:" + string(u.ID),
		}
		if u.Helped > 0 {
			r.grade, r.note = good, "helped "+times(u.Helped)
		}
		rows = append(rows, r)
	}
	if rows == nil {
		return nothingYet(givenTopic, "no session got a lesson yet: `learnings setup`")
	}
	return append(rows[:first], compared(rows[first:])...)
}

func backRows(f *desk.Figures, all bool) []figureRow {
	ms := f.Mistakes
	switch {
	case len(ms) == 0 && f.Sessions.Count == 0:
		return nothingYet(backTopic, "no session was read yet: X reads what is new")
	case len(ms) == 0:
		return nothingYet(backTopic, fmt.Sprintf("no mistake came back in %s", kit.Counted(f.Sessions.Count, "session")))
	}
	most := 0
	for _, m := range ms {
		most = max(most, m.Count)
	}
	var rows []figureRow
	for i, m := range ms {
		if n := len(ms) - i; i == mostBack && n > 1 && !all {
			return append(rows, figureRow{
				of: backTopic, label: kit.Grouped(n) + " more", share: -1,
				do: func(p Pane) (Pane, kit.Out) { p.all = true; return p.laid(), kit.Out{} },
			})
		}
		r := figureRow{of: backTopic, label: mistakeName(m), figure: times(m.Count), share: shareOf(m.Count, most)}
		r.note, r.grade = cureOf(m, f.Now)
		if r.query = "id:" + string(m.Lesson); m.Lesson == "" {
			r.query, r.do = "", func(p Pane) (Pane, kit.Out) { return cure(p, m.ID) }
		}
		rows = append(rows, r)
	}
	return compared(rows)
}

// mistakeName names a mistake.
func mistakeName(m insights.Mistake) string {
	doing, says := lessons.Line(m.Doing), lessons.Line(m.Says)
	if doing == "" {
		return says
	}
	return strings.TrimSuffix(doing+": "+says, ": ")
}

// cureOf says what became of a mistake.
func cureOf(m insights.Mistake, now time.Time) (string, grade) {
	const gone = 4 * 7 * 24 * time.Hour
	switch {
	case m.Status == lessons.Approved && m.After == 0 && m.Rest(now) >= gone:
		return "✓ gone", good
	case m.Status == lessons.Approved && m.After > 0:
		return "back in " + kit.Counted(m.After, "session") + " since its lesson", bad
	case m.Status == lessons.Approved:
		return "✓ has a lesson", good
	case m.Status == lessons.Pending:
		return "its lesson waits in Review", poor
	case m.Lesson != "":
		return "its lesson is " + string(m.Status), plain
	}
	return "no lesson yet", bad
}

func oldRows(f *desk.Figures) []figureRow {
	c := f.Counts
	var rows []figureRow
	found := func(n *int, name, verb string, kind decide.Kind) {
		r := figureRow{of: oldTopic, label: name, share: -1, do: func(p Pane) (Pane, kit.Out) { return p, desk.Browse("").And(decide.List(p.fx, kind)) }}
		switch {
		case n == nil && c.Active > 1:
			r.note = "not looked for: enter looks"
		case n != nil && *n > 0:
			r.figure, r.share, r.grade, r.note = kit.Grouped(*n), shareOf(*n, c.Active), poor, "enter "+verb
		default:
			return
		}
		rows = append(rows, r)
	}
	found(c.Contradictions, "contradictions", "settles them", decide.Contradictions)
	found(c.Duplicates, "groups of duplicates", "merges them", decide.Duplicates)
	if c.Again > 0 {
		r := figureRow{of: oldTopic, label: "to look at again", figure: kit.Grouped(c.Again), share: shareOf(c.Again, c.Active), grade: poor, query: "status:approved due:yes"}
		if c.Stale > 0 {
			r.note = kit.Grouped(c.Stale) + " not confirmed for long"
		}
		rows = append(rows, r)
	}
	var harm []string
	for _, u := range f.Use.Lessons {
		if u.Harmed > u.Helped && len(harm) < mostIDs {
			harm = append(harm, "id:"+string(u.ID))
		}
	}
	if n := len(harm); n > 0 {
		rows = append(rows, figureRow{of: oldTopic, label: "harmed more than they helped", figure: kit.Grouped(n), share: shareOf(n, c.Active), grade: bad, query: strings.Join(harm, " ")})
	}
	if rows == nil {
		return nothingYet(oldTopic, "nothing to settle, to merge or to look at again")
	}
	return rows
}

// mostIDs is how many lessons a query names.
const mostIDs = 40

func shareOf(n, most int) float64 { return float64(n) / float64(max(most, 1)) }

func times(n int) string { return kit.Grouped(n) + "×" }

func percentOf(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }

// draw draws the row in w cells, with room for a note.
func (r figureRow) draw(current bool, w, note int, st *look.Style) string {
	ink, line := kit.Lit(current, st), " "+kit.Edge(current, st)+" "
	if r.figure == "" && r.note == "" {
		line += st.Dim.Render(kit.Fit(r.label, w-4))
	} else {
		const figure = 8
		label := max(w*2/5, 20)
		bar := min(w-label-figure-note-7, 24)
		if bar < 4 {
			bar, label = 0, max(w-figure-note-7, 12)
		}
		code, note := st.Text, st.Dim
		if r.of == backTopic {
			code, note = st.Code, r.grade.ink(st) // what failed, and what became of it
		}
		if current {
			code = code.Bold()
		}
		line += kit.Coded([]string{kit.Fit(look.Sentence(r.label, label), label)}, ink, code)[0] + "  "
		if r.share >= 0 {
			line += st.Bar(r.share, bar, r.grade.ink(st))
		} else {
			line += strings.Repeat(" ", max(bar, 0))
		}
		line += st.Strong.Render(kit.Rightly(r.figure, figure)) + "  " + note.Render(r.note)
	}
	return kit.Fit(line, w)
}

// cure asks for a lesson about a mistake.
func cure(p Pane, mistake lessons.ID) (Pane, kit.Out) {
	fx := p.fx
	if fx.Cure == nil {
		return p, kit.Say("nothing can be proposed here")
	}
	return p, kit.Say("reading the sessions for it…").And(kit.Out{Writes: []kit.Job{func(ctx context.Context) tea.Msg {
		l, old, err := fx.Cure(ctx, mistake)
		o := kit.Say("✓ proposed “%s” · it waits in Review, where you say what avoids it · u undoes it", l.Title(48))
		switch {
		case err != nil:
			o = kit.Warn("nothing was proposed: %v", err)
		case old:
			o = desk.Browse("id:" + string(l.ID)).And(kit.Say("this lesson is about it already"))
		}
		return kit.OutMsg{Out: o.And(kit.Run(fx.Sync()))}
	}}})
}
