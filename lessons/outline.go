package lessons

import (
	"iter"
	"time"
)

// An Outline is what it takes to compare a lesson with others: a fifth of what a
// [Lesson] takes, where a corpus is held in memory as a whole.
type Outline struct {
	ID        ID
	Rev       Rev
	Status    Status
	Category  Category `json:",omitempty"`
	Content   string
	Scope     Scope
	HoldsWith []Holding `json:",omitempty"`
	Created   time.Time
	Into      ID `json:",omitempty"` // into what it was merged
}

// Outline is the outline of a lesson.
func (l *Lesson) Outline() Outline {
	return Outline{l.ID, l.Rev, l.Status, l.Category, l.Content, l.Scope, l.HoldsWith, l.Created, l.Decided.Into}
}

// Title is [Wording.Title].
func (o *Outline) Title(n int) string { return clip(o.Content, n) }

// Lesson is a lesson of which there is only the outline: all else is empty.
func (o *Outline) Lesson() Lesson {
	return Lesson{
		ID: o.ID, Rev: o.Rev, Status: o.Status, Category: o.Category, Wording: Wording{Content: o.Content},
		Scope: o.Scope, HoldsWith: o.HoldsWith, Created: o.Created, Decided: Decision{Into: o.Into},
	}
}

// FromOutlines gives one lesson after the other, so that no more than one is in memory
// as such.
func FromOutlines(os []Outline) iter.Seq[Lesson] {
	return func(yield func(Lesson) bool) {
		for i := range os {
			if !yield(os[i].Lesson()) {
				return
			}
		}
	}
}
