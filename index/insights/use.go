package insights

import (
	"cmp"
	"slices"
	"time"

	"learnings/lessons"
	"learnings/lessons/proof"
)

const (
	maxTitle = 100
	// MostUses is how many lessons [Use] lists.
	MostUses = 200
)

// Use is what became of active lessons in sessions.
type Use struct {
	From     time.Time   `json:"from,omitzero"` // of the first session that is known to have been given a lesson
	Times    int         `json:"times"`         // lessons were given
	Sessions int         `json:"sessions"`      // were given one
	Never    int         `json:"never"`         // active lessons that no session was given
	Lessons  []LessonUse `json:"lessons"`       // those that were, the most often given first
}

// A LessonUse is what became of a lesson.
type LessonUse struct {
	ID         lessons.ID         `json:"id"`
	Title      string             `json:"title"`
	Project    string             `json:"project"`
	Category   lessons.Category   `json:"category"`
	Confidence lessons.Confidence `json:"confidence"`
	Pinned     bool               `json:"pinned,omitempty"`

	Given    int       `json:"given"`    // by hooks, as far as their record goes back
	Sessions int       `json:"sessions"` // that were given it, of these
	Used     int       `json:"used"`     // as its file counts: sessions in whose transcript it stands
	Helped   int       `json:"helped"`
	Harmed   int       `json:"harmed"`
	Last     time.Time `json:"last,omitzero"`
}

func (c *Collector) use() Use {
	u := Use{Lessons: []LessonUse{}}
	given := map[lessons.ID]LessonUse{}
	for g, n := range c.gifts {
		t := given[g.lesson]
		t.Given, t.Sessions = t.Given+n, t.Sessions+1
		given[g.lesson] = t
		u.Times += n
	}
	sessions := map[string]bool{}
	for _, r := range c.sessions {
		sessions[r.Session] = true
		if u.From.IsZero() || r.At.Before(u.From) {
			u.From = r.At
		}
		for _, id := range r.Lessons {
			if t := given[id]; r.At.After(t.Last) {
				t.Last = r.At
				given[id] = t
			}
		}
	}
	u.Sessions = len(sessions)
	for _, l := range c.uses {
		t := given[l.ID]
		l.Given, l.Sessions = t.Given, t.Sessions
		if t.Last.After(l.Last) {
			l.Last = t.Last
		}
		if l.Given == 0 && l.Used == 0 {
			u.Never++
			continue
		}
		u.Lessons = append(u.Lessons, l)
	}
	slices.SortFunc(u.Lessons, func(a, b LessonUse) int {
		return cmp.Or(cmp.Compare(max(b.Given, b.Used), max(a.Given, a.Used)), cmp.Compare(b.Helped, a.Helped), cmp.Compare(a.ID, b.ID))
	})
	u.Lessons = u.Lessons[:min(len(u.Lessons), MostUses)]
	return u
}

// reported notes what a person or an agent said that a lesson did in a session.
func (c *Collector) reported(ch lessons.Change) {
	if ch.Session == "" || ch.Before == nil || ch.After == nil {
		return
	}
	switch g := (gift{ch.Session, ch.ID}); {
	case ch.After.Use.Harmed > ch.Before.Use.Harmed:
		c.reports[g]--
	case ch.After.Use.Helped > ch.Before.Use.Helped:
		c.reports[g]++
	}
}

// Outcomes takes in what was seen to come of lessons in the sessions that were read, as
// it is kept in a state folder: one that was followed or cited there was used, as one is
// that somebody said helped. What somebody said of it in that session goes before.
func (c *Collector) Outcomes(state string) error {
	all, err := proof.Readings(state)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, r := range all {
		for _, came := range r.Lessons {
			g := gift{r.Session, came.ID}
			if c.reports[g] != 0 || c.gifts[g] == 0 {
				continue
			}
			switch {
			case came.Has(proof.Contradicted):
				c.reports[g] = -1
			case came.Has(proof.Followed), came.Has(proof.Cited):
				c.reports[g] = 1
			}
		}
	}
	return nil
}
