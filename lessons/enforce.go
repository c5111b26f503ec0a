package lessons

import (
	"fmt"
	"slices"
)

// A Guard is a person's choice to stop the tool calls that a lesson forbids. It is part
// of the lesson, so that it is undone, journaled and synced with it, but it is in force
// only on machines where a person has chosen it.
type Guard struct {
	Patterns []string `json:"patterns"`       // calls to stop; see package guard
	Deny     bool     `json:"deny,omitempty"` // deny them; otherwise a person is asked
	By       string   `json:"by,omitempty"`   // who chose it
	Of       ID       `json:"of,omitempty"`   // identifies the sentence that it was chosen for
}

// IsZero reports whether a lesson has no guard.
func (g Guard) IsZero() bool { return len(g.Patterns) == 0 }

// Equal reports whether two guards are the same.
func (g Guard) Equal(o Guard) bool {
	return slices.Equal(g.Patterns, o.Patterns) && g.Deny == o.Deny && g.By == o.By && g.Of == o.Of
}

// guardOf identifies the sentence of a lesson.
func guardOf(l Lesson) ID { return IDFrom("guard", l.Content) }

// Guarding sets the guard of an active lesson. The zero Guard removes it.
func (l Lesson) Guarding(d Decision, g Guard) (Lesson, error) {
	if g.IsZero() {
		if l.Guard.IsZero() {
			return l, refused("%s has no guard", l.ID)
		}
		l.Guard = Guard{}
		return l, l.Validate()
	}
	switch {
	case d.By == "":
		return l, fmt.Errorf("%w: nobody is named who guards %s", ErrInvalid, l.ID)
	case l.Status != Approved:
		return l, refused("%s is %s; only an approved lesson can be guarded", l.ID, l.Status)
	case l.Outside:
		return l, refused("another program wrote %s; confirm it first", l.ID)
	}
	l.Guard = Guard{Patterns: slices.Clone(g.Patterns), Deny: g.Deny, By: d.By, Of: guardOf(l)}
	return l, l.Validate()
}

// Unguarded says why the guard of a lesson cannot be in force on any machine: the lesson
// is not active, or its sentence has changed since. It completes "the guard is off: …"
// and is "" if nothing is wrong.
func (l Lesson) Unguarded() string {
	switch {
	case l.Guard.IsZero():
		return "there is none"
	case l.Status != Approved:
		return "the lesson is " + string(l.Status)
	case l.Outside:
		return "another program has changed the lesson"
	case l.Guard.Of != guardOf(l):
		return "the lesson says something else now"
	}
	return ""
}
