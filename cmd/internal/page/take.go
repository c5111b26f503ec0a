package page

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"learnings/index"
	"learnings/index/curate"
	"learnings/index/insights"
	"learnings/lessons"
)

// take adds a lesson of the corpus to the page if it may be given away: a person approved
// it or chose it for this page.
func (p *Page) take(l lessons.Lesson) {
	if p.Project != "" && l.Scope.Project != p.Project || p.Only != nil && !p.Only[l.ID] {
		return
	}
	gone := l.Status == lessons.Rejected || l.Status == lessons.Merged || l.Snoozed(p.Made)
	waits := l.Status == lessons.Pending || l.Outside && !p.Trusted
	if gone || p.Only == nil && (l.Status == lessons.Archived || waits && !p.Pending) {
		p.Left++
		return
	}
	if l.Status != lessons.Pending && (p.Shown == nil || !p.Shown(l.ID)) {
		l.Evidence = nil // most of a lesson's size, and only needed to judge a proposal
	}
	p.Lessons = append(p.Lessons, l)
}

// mostListed is how many lessons a page lists, so that browsers can show it.
const mostListed = 20_000

// listed sorts the lessons, drops those beyond mostListed and returns how many it
// dropped.
func (p *Page) listed() (more int) {
	slices.SortFunc(p.Lessons, order)
	more = max(0, len(p.Lessons)-mostListed)
	p.Lessons = p.Lessons[:len(p.Lessons)-more]
	return more
}

// A Source is the data of a page.
type Source struct {
	Library *curate.Library
	insights.Source
}

// NewSource returns the source of pages and figures of a corpus. project names the
// project of a folder; excluded says what excludes a session.
func NewSource(c *curate.Library, state string, project func(string) string, excluded func(dir, path string) string) Source {
	return Source{Library: c, Source: insights.Source{
		State: state, Project: project, Excluded: excluded, Journal: c.Store.JournalOf,
		Lessons: func(ctx context.Context, do func(lessons.Lesson)) error {
			return c.Index.Each(ctx, index.Query{Now: c.Now()}, do)
		},
	}}
}

// Counter returns a counter of figures for a screen.
func (s Source) Counter(now func() time.Time) *insights.Counter {
	return &insights.Counter{Source: s.Source, Now: now}
}

// Gather adds all lessons and counts figures. It reads no transcripts, only what is
// stored of them.
func (p *Page) Gather(ctx context.Context, from Source) error {
	from.Lessons = func(ctx context.Context, count func(lessons.Lesson)) error {
		return from.Library.Each(ctx, func(l lessons.Lesson) {
			p.take(l)
			count(l)
		})
	}
	f, err := from.Count(ctx, p.Project, p.Made)
	p.Figures = figuresOf(f, p.Pending, p.Made)
	return err
}

// order sorts by status, active lessons first, then by use, then by confidence.
func order(a, b lessons.Lesson) int {
	place := func(l lessons.Lesson) int {
		return slices.Index([]lessons.Status{lessons.Approved, lessons.Pending, lessons.Archived}, l.Status)
	}
	return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(b.Use.Used, a.Use.Used), cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(a.ID, b.ID))
}

// figuresOf converts the figures of a corpus for a page of this time; pending counts the
// proposals too.
func figuresOf(f insights.Figures, pending bool, made time.Time) Figures {
	out := Figures{Numbers: numbers(f, pending, made), Weeks: insights.MistakeWeeks}
	for _, m := range f.Mistakes {
		says, tone := becameOf(m, made)
		out.Mistakes = append(out.Mistakes, Mistake{m.Doing + ": " + m.Says, m.Weeks, m.Count, says, tone})
	}
	return out
}

// becameOf returns the outcome of a mistake.
func becameOf(m insights.Mistake, made time.Time) (string, Tone) {
	switch {
	case m.Status == lessons.Approved && m.After == 0:
		return "✓ since " + dated(m.Approved, made), Fine
	case m.Status == lessons.Approved:
		return fmt.Sprintf("%s since the lesson", counted(m.After, "session")), Warning
	case m.Status == lessons.Pending:
		return "waits to be judged", Warning
	case m.Lesson != "":
		return "its lesson is " + string(m.Status), Plain
	}
	return "no lesson yet", Bad
}

// numbers returns at most four of the known figures.
func numbers(f insights.Figures, pending bool, made time.Time) []Number {
	approved := Number{Value: Count(f.Counts.Active), Label: "lessons approved"}
	out := []Number{approved}
	for _, m := range f.Success {
		switch {
		case !m.Known:
		case m.Name == insights.InjectionRate:
			out = append(out, Number{Value: percent(m.Value), Label: "of sessions were given one"})
		case m.Name == insights.RecurringAfterCure:
			out = append(out, Number{Value: percent(m.Value), Label: "of cured mistakes came back"})
		}
	}
	if helped := f.Use.Helped; helped > 0 && len(out) < 3 {
		out = append(out, Number{Value: Count(helped), Label: "times one was said to help"})
	}
	if !pending {
		return out
	}
	wait := Number{Value: Count(f.Counts.Waiting.All()), Label: "wait to be judged"}
	if !f.Counts.Oldest.IsZero() {
		wait.More, wait.Tone = "· the oldest of "+dated(f.Counts.Oldest, made), "dim"
	}
	return append(out, wait)
}

// dated formats a day, with its year unless that is the year of now.
func dated(t, now time.Time) string {
	if t.Year() == now.Year() {
		return t.Format("2 January")
	}
	return t.Format("2 January 2006")
}

func percent(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }

func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return Count(n) + " " + what
}
