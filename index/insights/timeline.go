package insights

import (
	"slices"
	"time"

	"learnings/lessons"
)

// MostDays is how many days a [Timeline] holds at most.
const MostDays = 400

// A Timeline is what was done day by day, as far as the journal of this machine goes
// back.
type Timeline struct {
	From    time.Time `json:"from,omitzero"` // of the first change that is known; zero where none is
	Days    []Day     `json:"days"`          // without gaps, the oldest first; the last is today
	Earlier Tally     `json:"earlier"`       // what was done before these days
	Active  int       `json:"active"`        // as the first day began
	Waiting int       `json:"waiting"`
}

// A Tally counts changes of lessons, by what was done. Each lesson of a write counts.
type Tally struct {
	Proposed int `json:"proposed"`
	Added    int `json:"added"` // by hand
	Approved int `json:"approved"`
	Rejected int `json:"rejected"`
	Edited   int `json:"edited"`
	Merged   int `json:"merged"`
	Archived int `json:"archived"`
	Other    int `json:"other"`  // decisions: pinned, confirmed, reopened and the like
	Undone   int `json:"undone"` // or made again
}

// Decided is how often a person decided.
func (t Tally) Decided() int {
	return t.Added + t.Approved + t.Rejected + t.Edited + t.Merged + t.Archived + t.Other
}

func (t Tally) plus(o Tally) Tally {
	return Tally{
		t.Proposed + o.Proposed, t.Added + o.Added, t.Approved + o.Approved, t.Rejected + o.Rejected, t.Edited + o.Edited,
		t.Merged + o.Merged, t.Archived + o.Archived, t.Other + o.Other, t.Undone + o.Undone,
	}
}

// A Day is what was done in a day, and how many lessons there were at its end. Those
// numbers are counted back from today.
type Day struct {
	Date time.Time `json:"date"` // its midnight
	Tally
	Active  int `json:"active"`
	Waiting int `json:"waiting"`
}

// A Week is seven days.
type Week struct {
	From time.Time `json:"from"` // the midnight with which it begins
	Tally
	Active  int `json:"active"` // at its end
	Waiting int `json:"waiting"`
	Grown   int `json:"grown"` // by how many active lessons
}

// Weeks are the last n weeks, the oldest first, of which the last one ends today. There
// are fewer when the journal does not go back as far; the first one may be cut.
func (t Timeline) Weeks(n int) []Week {
	var out []Week
	for end := len(t.Days); end > 0 && len(out) < n; end -= 7 {
		begin, before := max(end-7, 0), t.Active
		if begin > 0 {
			before = t.Days[begin-1].Active
		}
		last := t.Days[end-1]
		w := Week{From: t.Days[begin].Date, Active: last.Active, Waiting: last.Waiting, Grown: last.Active - before}
		for _, d := range t.Days[begin:end] {
			w.Tally = w.plus(d.Tally)
		}
		out = append(out, w)
	}
	slices.Reverse(out)
	return out
}

// Change takes in a change of the journal.
func (c *Collector) Change(ch lessons.Change) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen.journal = true
	mine := func(l *lessons.Lesson) bool { return l != nil && (c.project == "" || l.Scope.Project == c.project) }
	before, after := mine(ch.Before), mine(ch.After)
	if !before && !after {
		return
	}
	d := c.days.of(ch.At)
	d.count(ch)
	if before {
		d.move(ch.Before.Status, -1)
	}
	if after {
		d.move(ch.After.Status, +1)
	}
	if after && ch.After.Status == lessons.Approved && (ch.Before == nil || ch.Before.Status != lessons.Approved) {
		if at, ok := c.since[ch.ID]; !ok || ch.At.Before(at) {
			c.since[ch.ID] = ch.At
		}
	}
	c.reported(ch)
}

// days are the days of which something is known, by their number before today.
type days struct {
	now   time.Time
	first time.Time // of all changes
	past  map[int]*delta
}

// A delta is what a day has changed.
type delta struct {
	Tally
	active, waiting int
}

func newDays(now time.Time) days { return days{now: now, past: map[int]*delta{}} }

// of gives the day of a time. What a clock that was wrong puts into the future is of
// today.
func (d *days) of(at time.Time) *delta {
	if at = at.In(d.now.Location()); at.After(d.now) || at.IsZero() {
		at = d.now
	}
	if d.first.IsZero() || at.Before(d.first) {
		d.first = at
	}
	n := min(d.before(at), MostDays) // the last one is all that is older
	if d.past[n] == nil {
		d.past[n] = &delta{}
	}
	return d.past[n]
}

// before is how many days before today a time lies.
func (d *days) before(at time.Time) int {
	const day = 24 * time.Hour
	return int((midnight(d.now).Sub(midnight(at)) + day/2) / day) // a day may have 23 or 25 hours
}

func midnight(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())
}

func (d *delta) move(s lessons.Status, by int) {
	switch s {
	case lessons.Approved:
		d.active += by
	case lessons.Pending:
		d.waiting += by
	}
}

func (t *Tally) count(ch lessons.Change) {
	switch ch.Op {
	case lessons.OpPropose:
		t.Proposed++
	case lessons.OpAdd:
		t.Added++
	case lessons.OpApprove:
		t.Approved++
	case lessons.OpReject:
		t.Rejected++
	case lessons.OpEdit, lessons.OpRestore:
		t.Edited++
	case lessons.OpMerge:
		if ch.After != nil && ch.After.Status == lessons.Merged { // not the one that they went into
			t.Merged++
		}
	case lessons.OpArchive:
		t.Archived++
	case lessons.OpUndo, lessons.OpRedo:
		t.Undone++
	default:
		if ch.Op.Decides() {
			t.Other++
		}
	}
}

// timeline counts back from how many lessons there are now.
func (d *days) timeline(active, waiting int) Timeline {
	t := Timeline{From: d.first, Active: active, Waiting: waiting, Days: []Day{}}
	if d.first.IsZero() {
		return t
	}
	n := min(d.before(d.first), MostDays-1)
	t.Days = make([]Day, n+1)
	for i := range t.Days {
		day := &t.Days[n-i]
		day.Date = midnight(d.now).AddDate(0, 0, -i)
		day.Active, day.Waiting = t.Active, t.Waiting
		if p := d.past[i]; p != nil {
			day.Tally = p.Tally
			t.Active -= p.active
			t.Waiting -= p.waiting
		}
	}
	if p := d.past[MostDays]; p != nil {
		t.Earlier = p.Tally
	}
	return t
}
