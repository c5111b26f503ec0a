package insights

import (
	"time"

	"learnings/extractor/telemetry"
)

// SessionWeeks is over how many weeks sessions are followed.
const SessionWeeks = 12

// Sessions is what agents did, in the sessions that telemetry is kept of.
type Sessions struct {
	From        time.Time              `json:"from,omitzero"` // when the first one began
	Count       int                    `json:"count"`
	Turns       int                    `json:"turns"` // of the person
	Corrections int                    `json:"corrections"`
	Errors      int                    `json:"errors"`
	Calls       map[string]int         `json:"calls"` // by kind of tool
	Reads       int                    `json:"reads"`
	Edits       int                    `json:"edits"`
	Few         int                    `json:"few"`   // with fewer than two reads for each edit
	Kinds       map[telemetry.Kind]int `json:"kinds"` // a session may be of several
	Weeks       []SessionWeek          `json:"weeks"` // the last SessionWeeks, the oldest first
}

// ReadsPerEdit is how many files were read for each edit; false if nothing was edited.
func (s Sessions) ReadsPerEdit() (float64, bool) {
	return float64(s.Reads) / float64(max(s.Edits, 1)), s.Edits > 0
}

// A SessionWeek is what agents did in seven days.
type SessionWeek struct {
	From        time.Time `json:"from"`
	Sessions    int       `json:"sessions"`
	Corrections int       `json:"corrections"`
	Errors      int       `json:"errors"`
	Spinning    int       `json:"spinning"`
	Reads       int       `json:"reads"`
	Edits       int       `json:"edits"`
}

const week = 7 * 24 * time.Hour

func (c *Collector) did() Sessions {
	s := Sessions{Calls: map[string]int{}, Kinds: map[telemetry.Kind]int{}, Weeks: make([]SessionWeek, SessionWeeks)}
	for i := range s.Weeks {
		s.Weeks[i].From = midnight(c.now).AddDate(0, 0, 1-7*(SessionWeeks-i))
	}
	for i := range c.rows {
		r := &c.rows[i]
		reads, edits := r.Of(telemetry.Reads), r.Of(telemetry.Edits)
		s.Count++
		s.Turns += r.Human
		s.Corrections += r.Corrections
		s.Errors += r.ToolErrors
		s.Reads += reads
		s.Edits += edits
		for _, t := range telemetry.Tools {
			s.Calls[t.Name()] += r.Of(t)
		}
		if ratio, ok := r.ReadsPerEdit(); ok && ratio < telemetry.FewReads {
			s.Few++
		}
		for _, k := range r.Kinds() {
			s.Kinds[k]++
		}
		start := r.Session.Start
		if start.IsZero() {
			start = r.ModTime
		}
		if s.From.IsZero() || start.Before(s.From) {
			s.From = start
		}
		if at := s.week(start); at != nil {
			at.Sessions++
			at.Corrections += r.Corrections
			at.Errors += r.ToolErrors
			at.Reads += reads
			at.Edits += edits
			if r.Is(telemetry.Spinning) {
				at.Spinning++
			}
		}
	}
	return s
}

func (s *Sessions) week(at time.Time) *SessionWeek {
	for i := len(s.Weeks) - 1; i >= 0; i-- {
		if w := &s.Weeks[i]; !at.Before(w.From) {
			return w
		}
	}
	return nil
}
