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

// Kept stores guards in this machine's state folder: which ones a person has chosen here,
// and the calls they stopped. A guard is in force only if the lesson's file agrees, so
// not if it arrived with a lesson from elsewhere, was removed, or its lesson has changed.
type Kept struct{ dir string }

// At returns the Kept of a state folder. It reads and creates nothing.
func At(state string) Kept { return Kept{state} }

const (
	chosen    = "guards" // their key in the state database
	maxChosen = 500
)

// A Choice is a guard that a person chose on this machine.
type Choice struct {
	ID       lessons.ID    `json:"id"`
	Guard    lessons.Guard `json:"guard"`
	Patterns []Pattern     `json:"patterns"` // the parsed patterns of Guard
	At       time.Time     `json:"at"`
}

// Choose records that a person chose a lesson's guard. It keeps the last 500 or so
// choices, so that an undo can restore a guard.
func (k Kept) Choose(l lessons.Lesson, at time.Time) error {
	patterns, err := ParseAll(l.Guard.Patterns)
	if err != nil {
		return fmt.Errorf("%w: the guard of %s: %v", lessons.ErrInvalid, l.ID, err)
	}
	err = state.At(k.dir).Durably(func(t state.Tx) error {
		var all []Choice
		if _, err := t.Get(chosen, &all); err != nil {
			all = nil // unreadable, so none is in force
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

// Drop removes the choices of a lesson that is gone.
func (k Kept) Drop(id lessons.ID) error {
	return state.At(k.dir).Durably(func(t state.Tx) error {
		var all []Choice
		if _, err := t.Get(chosen, &all); err != nil {
			return err
		}
		return t.Put(chosen, slices.DeleteFunc(all, func(c Choice) bool { return c.ID == id }))
	})
}

// Chosen returns the guards chosen here, the newest last.
func (k Kept) Chosen() (all []Choice, err error) {
	_, err = state.At(k.dir).Get(chosen, &all)
	if err != nil {
		return nil, fmt.Errorf("reading which guards were chosen: %w", err)
	}
	return all, nil
}

// Last returns the patterns that a person last chose for a lesson on this machine, even
// if the guard was removed since, and whether they were for its current sentence.
func (k Kept) Last(l lessons.Lesson) (patterns []Pattern, same bool) {
	all, _ := k.Chosen() // if unreadable, there are none
	for _, c := range slices.Backward(all) {
		if c.ID == l.ID && len(c.Patterns) > 0 {
			l.Guard = c.Guard
			return c.Patterns, l.Unguarded() == ""
		}
	}
	return nil, false
}

// Of returns the lessons that have had a guard here, each once: those of the recorded
// choices or, if these are lost, those whose guard has stopped a call.
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

// Off says why the guard of a lesson is not in force on this machine; "" if it is. It
// completes "the guard is off: …".
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
	Pattern Pattern // the one that matched
	Deny    bool    // deny; otherwise a person is asked
}

// Decide returns whether a guard stops a call. It rereads the lesson of a matching guard,
// which must still have it; holds reports whether the lesson applies to this session. A
// guard that denies comes before guards that ask. Unreadable guards stop nothing.
func (k Kept) Decide(c *Call, get func(lessons.ID) (lessons.Lesson, error), holds func(lessons.Lesson) bool) (stop Stop, found bool, err error) {
	all, err := k.Chosen()
	for i := range all {
		// Newest first, since the person remembers that best.
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

// Note records a stopped call.
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

// Calls returns their total.
func (c Count) Calls() int { return c.Asked + c.Denied }

// Counts returns how many calls the guard of each lesson stopped.
func (k Kept) Counts() map[lessons.ID]Count {
	all := map[lessons.ID]Count{}
	_ = state.At(k.dir).Each(func(r *state.Rows) error { // if unreadable, the counts are 0
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
