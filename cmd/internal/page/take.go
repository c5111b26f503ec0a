package page

import (
	"cmp"
	"slices"
	"time"

	"learnings/lessons"
	"learnings/lessons/calibrate"
)

// Take takes a lesson of the corpus into the page: into what it counts and, unless it was
// rejected or went into another, into what it lists.
func (p *Page) Take(l lessons.Lesson) {
	if p.Project != "" && l.Scope.Project != p.Project {
		return
	}
	if l.Status == lessons.Rejected || l.Status == lessons.Merged {
		p.Left++
	} else {
		p.Lessons = append(p.Lessons, l)
	}
	if j, ok := calibrate.Of(l); ok {
		p.judged = append(p.judged, j)
	}
	if at := l.Decided.At; !at.IsZero() {
		if p.Figures.Days == nil {
			p.Figures.Days = map[string]int{}
		}
		p.Figures.Days[at.In(p.Made.Location()).Format(time.DateOnly)]++
	}
}

// order is by status, as in a lesson's life but for those in force first; then what was
// used most, then what is surest.
func order(a, b lessons.Lesson) int {
	place := func(l lessons.Lesson) int {
		return slices.Index([]lessons.Status{lessons.Approved, lessons.Pending, lessons.Archived}, l.Status)
	}
	return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(b.Use.Used, a.Use.Used), cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(a.ID, b.ID))
}

// lanes are how right the proposals of each lane were, of those that were decided on
// lately.
func (p *Page) lanes() []Lane {
	var out []Lane
	for _, g := range calibrate.Grades(calibrate.Latest(p.judged), func(j calibrate.Judged) string { return string(cmp.Or(j.Lane, lessons.Likely)) }) {
		out = append(out, Lane{g.Name, g.Right, g.Count})
	}
	slices.SortFunc(out, func(a, b Lane) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// numbers are those that follow from the lessons alone.
func (p *Page) numbers() []Number {
	approved, waiting, week, used := 0, 0, 0, 0
	for _, l := range p.Lessons {
		switch l.Status {
		case lessons.Approved:
			approved++
			if p.Made.Sub(l.Confirmed()) < 7*24*time.Hour && p.Made.Sub(l.Created) < 7*24*time.Hour {
				week++
			}
			if l.Use.Used > 0 {
				used++
			}
		case lessons.Pending:
			waiting++
		}
	}
	ns := []Number{{Value: Count(approved), Label: "lessons approved"}, {Value: Count(used), Label: "of them were given to a session"}, {Value: Count(waiting), Label: "wait to be judged"}}
	if week > 0 {
		ns[0].More, ns[0].Tone = "▲ "+Count(week)+" this week", Fine
	}
	return ns
}
