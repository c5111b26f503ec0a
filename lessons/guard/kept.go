package guard

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"learnings/lessons"
	"learnings/lessons/state"
)

// Kept is what is kept of guards in the state folder of this machine: which ones a person
// has chosen here, and the calls that were stopped. A lesson's file says the same, so
// that a guard is in force only where both agree: one that came with a lesson from
// elsewhere is not, and neither is one that was taken off, or whose lesson has changed.
type Kept struct{ dir string }

// At is what is kept in a folder. It reads and creates nothing.
func At(state string) Kept { return Kept{state} }

const (
	chosen    = "guards" // the name under which the state keeps them
	maxChosen = 500
)

// A Choice is a guard that a person chose on this machine.
type Choice struct {
	ID       lessons.ID    `json:"id"`
	Guard    lessons.Guard `json:"guard"`
	Patterns []Pattern     `json:"patterns"` // those of Guard, read
	At       time.Time     `json:"at"`
}

// Choose keeps that a person chose the guard of a lesson. Earlier choices are kept too,
// some 500, so that an undo brings back the guard that was.
func (k Kept) Choose(l lessons.Lesson, at time.Time) error {
	patterns, err := ParseAll(l.Guard.Patterns)
	if err != nil {
		return fmt.Errorf("%w: the guard of %s: %v", lessons.ErrInvalid, l.ID, err)
	}
	err = state.At(k.dir).Durably(func(t state.Tx) error {
		var all []Choice
		if _, err := t.Get(chosen, &all); err != nil {
			all = nil // they cannot be read, so none is in force
		}
		all = slices.DeleteFunc(all, func(c Choice) bool { return c.ID == l.ID && c.Guard.Equal(l.Guard) })
		all = append(all, Choice{ID: l.ID, Guard: l.Guard, Patterns: patterns, At: at.UTC()})
		return t.Put(chosen, all[max(len(all)-maxChosen, 0):])
	})
	if err != nil {
		return fmt.Errorf("keeping the guard of %s: %w", l.ID, err)
	}
	return nil
}

// Chosen are the guards that were chosen here, the newest last: few, and quickly read.
func (k Kept) Chosen() (all []Choice, err error) {
	_, err = state.At(k.dir).Get(chosen, &all)
	if err != nil {
		return nil, fmt.Errorf("reading which guards were chosen: %w", err)
	}
	return all, nil
}

// Last gives the patterns that a person chose last for a lesson on this machine, and
// whether they did so for the sentence that it has now. A guard that was taken off since
// had them too.
func (k Kept) Last(l lessons.Lesson) (patterns []Pattern, same bool) {
	all, _ := k.Chosen() // what cannot be read has none
	for _, c := range slices.Backward(all) {
		if c.ID == l.ID && len(c.Patterns) > 0 {
			l.Guard = c.Guard
			return c.Patterns, l.Unguarded() == ""
		}
	}
	return nil, false
}

// Of gives the lessons that have had a guard here, each once: those that are in the file
// of what was chosen, or, when that is lost, those whose guard has stopped a call.
func (k Kept) Of() (ids []lessons.ID) {
	all, _ := k.Chosen()
	for _, c := range all {
		ids = append(ids, c.ID)
	}
	if len(all) == 0 {
		ids = slices.Collect(maps.Keys(k.Counts()))
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// Off says why the guard of a lesson, as it is now, is not in force on this machine: "" for
// one that is. It completes "the guard is off: …".
func Off(l lessons.Lesson, chosen []Choice) string {
	if why := l.Unguarded(); why != "" {
		return why
	}
	if !slices.ContainsFunc(chosen, func(c Choice) bool { return c.ID == l.ID && c.Guard.Equal(l.Guard) }) {
		return "this machine does not know that it was chosen here"
	}
	return ""
}

// A Stop is a call that a guard stops.
type Stop struct {
	Lesson  lessons.Lesson
	Pattern Pattern // that matched
	Deny    bool    // or else a person is asked
}

// Decide looks whether a call is to be stopped. Of a guard that matches, the lesson is
// read and must still have it; holds says whether the lesson is for this session. A guard
// that denies comes before those that ask. What cannot be read stops nothing.
func (k Kept) Decide(c *Call, get func(lessons.ID) (lessons.Lesson, error), holds func(lessons.Lesson) bool) (stop Stop, found bool, err error) {
	all, err := k.Chosen()
	for i := range all {
		// The newest first: it is the one that the person remembers.
		g := all[len(all)-1-i]
		if found && !g.Guard.Deny {
			continue
		}
		at := slices.IndexFunc(g.Patterns, func(p Pattern) bool { return p.Matches(c) })
		if at < 0 {
			continue
		}
		l, bad := get(g.ID)
		if bad != nil {
			if !errors.Is(bad, lessons.ErrNotFound) {
				err = errors.Join(err, bad)
			}
			continue
		}
		if l.Unguarded() == "" && l.Guard.Equal(g.Guard) && holds(l) {
			stop, found = Stop{l, g.Patterns[at], g.Guard.Deny}, true
		}
		if found && stop.Deny {
			break
		}
	}
	return stop, found, err
}

// Note counts a call that was stopped.
func (k Kept) Note(s Stop, session string, at time.Time) error {
	err := state.At(k.dir).Update(func(t state.Tx) error {
		_, err := t.Exec("INSERT INTO stops (at, lesson, denied, session) VALUES (?, ?, ?, ?)", at.UnixMilli(), string(s.Lesson.ID), s.Deny, session[:min(len(session), 80)])
		return err
	})
	if err != nil {
		return fmt.Errorf("counting a call that was stopped: %w", err)
	}
	return nil
}

// A Count is how often the guard of a lesson stopped calls.
type Count struct {
	Asked  int       `json:"asked"`
	Denied int       `json:"denied"`
	Last   time.Time `json:"last,omitzero"`
}

// Calls is how many it stopped.
func (c Count) Calls() int { return c.Asked + c.Denied }

// Counts returns how many calls the guard of each lesson stopped.
func (k Kept) Counts() map[lessons.ID]Count {
	all := map[lessons.ID]Count{}
	_ = state.At(k.dir).Each(func(r *state.Rows) error { // what cannot be read counts nothing
		var c Count
		var id lessons.ID
		var last int64
		err := r.Scan(&id, &c.Asked, &c.Denied, &last)
		c.Last = time.UnixMilli(last).UTC()
		all[id] = c
		return err
	}, "SELECT lesson, count(*) FILTER (WHERE NOT denied), count(*) FILTER (WHERE denied), max(at) FROM stops GROUP BY lesson")
	return all
}
