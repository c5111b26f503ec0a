package insights

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"learnings/extractor/past"
	"learnings/extractor/rules"
	"learnings/lessons"
)

const week = 7 * 24 * time.Hour

// MistakeWeeks is how many weeks a mistake is followed.
const MistakeWeeks = 12

// mostMistakes limits how many mistakes are returned.
const mostMistakes = 200

// A Mistake is an error of tools that occurred in several sessions, by its fingerprint.
// (`learnings check recurring` also joins errors that read alike.)
type Mistake struct {
	ID       lessons.ID `json:"id"` // of the lesson that `learnings check recurring --propose` makes of it
	Doing    string     `json:"doing"`
	Says     string     `json:"says"`
	Count    int        `json:"count"`
	Sessions int        `json:"sessions"`
	Projects []string   `json:"projects"` // most frequent first
	First    time.Time  `json:"first,omitzero"`
	Last     time.Time  `json:"last,omitzero"`
	Weeks    []int      `json:"weeks"` // occurrences in each of the last MistakeWeeks weeks; the last one ends now

	Lesson   lessons.ID     `json:"lesson,omitempty"` // the lesson about it
	Status   lessons.Status `json:"status,omitempty"`
	Approved time.Time      `json:"approved,omitzero"` // when the lesson became active
	After    int            `json:"after"`             // sessions that met it since then
}

// Cure returns the time from the first occurrence of a mistake to an active lesson about
// it; false if there is no lesson, or it came before the mistake.
func (m Mistake) Cure() (time.Duration, bool) {
	if m.First.IsZero() || m.Approved.Before(m.First) {
		return 0, false
	}
	return m.Approved.Sub(m.First), true
}

// Rest returns how long a mistake with a lesson has not occurred: since the lesson, or
// since its last occurrence after that.
func (m Mistake) Rest(now time.Time) time.Duration {
	if m.Approved.IsZero() {
		return 0
	}
	if m.Last.After(m.Approved) {
		return max(now.Sub(m.Last), 0)
	}
	return max(now.Sub(m.Approved), 0)
}

// Trend returns how many more occurrences the last four weeks had than the four before;
// negative if fewer.
func (m Mistake) Trend() int {
	n := len(m.Weeks)
	if n < 8 {
		return 0
	}
	sum := 0
	for i := range 4 {
		sum += m.Weeks[n-1-i] - m.Weeks[n-5-i]
	}
	return sum
}

func (c *Collector) mistakes() []Mistake {
	all := map[lessons.ID]*Mistake{}
	projects := map[lessons.ID]map[string]int{}
	for i := range c.rows {
		r := &c.rows[i]
		for _, e := range r.Errors {
			m := all[e.ID]
			if m == nil {
				m = &Mistake{ID: e.ID, Doing: e.Doing, Says: e.Says, Weeks: make([]int, MistakeWeeks)}
				all[e.ID], projects[e.ID] = m, map[string]int{}
				c.cured(m)
			}
			c.met(m, r, e)
			projects[e.ID][r.Project] += e.Count
		}
	}
	out := make([]Mistake, 0, len(all))
	for id, m := range all {
		if m.Sessions < 2 {
			continue
		}
		in := projects[id]
		m.Projects = slices.SortedFunc(maps.Keys(in), func(a, b string) int { return cmp.Or(cmp.Compare(in[b], in[a]), cmp.Compare(a, b)) })
		out = append(out, *m)
	}
	slices.SortFunc(out, func(a, b Mistake) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(b.Sessions, a.Sessions), cmp.Compare(a.ID, b.ID))
	})
	return out[:min(len(out), mostMistakes)]
}

// met counts a session with the mistake.
func (c *Collector) met(m *Mistake, r *past.Row, e past.Error) {
	m.Sessions++
	m.Count += e.Count
	first, last := e.First, e.Last
	if first.IsZero() {
		first, last = r.Session.Start, r.End
	}
	if first.IsZero() {
		return
	}
	if m.First.IsZero() || first.Before(m.First) {
		m.First = first
	}
	if last.After(m.Last) {
		m.Last = last
	}
	if !m.Approved.IsZero() && last.After(m.Approved) {
		m.After++
	}
	if back := int(c.now.Sub(last) / week); back >= 0 && back < MistakeWeeks {
		m.Weeks[MistakeWeeks-1-back] += e.Count
	}
}

// A subject is a lesson about a mistake.
type subject struct {
	id     lessons.ID
	status lessons.Status
	at     time.Time // of the last decision
}

// isAbout records which mistakes a lesson is about: the one it was proposed from, or those
// in its evidence.
func (c *Collector) isAbout(l lessons.Lesson) {
	if l.Status == lessons.Merged || l.Status == lessons.Rejected {
		return
	}
	s := subject{id: l.ID, status: l.Status}
	if l.Status == lessons.Approved {
		s.at = cmp.Or(l.Decided.At, l.Created)
	}
	if l.Origin.Extractor == "recurring" {
		c.byID[l.ID], c.watched[l.ID] = s, true
	}
	for _, e := range l.Evidence {
		if e.By == lessons.ByTool && !e.Opposes() {
			c.note(said(e.Quote), s)
			c.watched[l.ID] = true
		}
	}
}

// note keeps the lesson that became active first, or any if none did.
func (c *Collector) note(says string, s subject) {
	if old, ok := c.about[says]; says != "" && (!ok || old.at.IsZero() || !s.at.IsZero() && s.at.Before(old.at)) {
		c.about[says] = s
	}
}

// said returns the beginning of an error: the rest may be truncated differently each time.
func said(error string) string {
	s := rules.Stable(error)
	return s[:min(len(s), 80)]
}

func (c *Collector) cured(m *Mistake) {
	s, ok := c.byID[m.ID]
	if !ok {
		s, ok = c.about[said(m.Says)]
	}
	if ok {
		m.Lesson, m.Status, m.Approved = s.id, s.status, s.at
		if at, ok := c.since[s.id]; ok && at.Before(s.at) {
			m.Approved = at // it was decided on again since
		}
	}
}
