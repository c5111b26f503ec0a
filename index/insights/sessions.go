package insights

import (
	"time"

	"learnings/extractor/past"
)

// Sessions is what agents did, in the sessions that telemetry is kept of.
type Sessions struct {
	From  time.Time         `json:"from,omitzero"` // when the first one began
	Count int               `json:"count"`
	Reads int               `json:"reads"`
	Edits int               `json:"edits"`
	Few   int               `json:"few"`   // with fewer than two reads for each edit
	Kinds map[past.Kind]int `json:"kinds"` // a session may be of several
}

// ReadsPerEdit is how many files were read for each edit; false if nothing was edited.
func (s Sessions) ReadsPerEdit() (float64, bool) {
	return float64(s.Reads) / float64(max(s.Edits, 1)), s.Edits > 0
}

const week = 7 * 24 * time.Hour

func (c *Collector) did() Sessions {
	s := Sessions{Kinds: map[past.Kind]int{}}
	for i := range c.rows {
		r := &c.rows[i]
		reads, edits := r.Of(past.Reads), r.Of(past.Edits)
		s.Count++
		s.Reads += reads
		s.Edits += edits
		if ratio, ok := r.ReadsPerEdit(); ok && ratio < past.FewReads {
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
	}
	return s
}
