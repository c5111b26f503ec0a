package lessons

import (
	"iter"
	"time"
)

// An Outline is the part of a [Lesson] needed to compare it with others. It takes a fifth
// of the memory.
type Outline struct {
	ID        ID
	Rev       Rev
	Status    Status
	Category  Category `json:",omitempty"`
	Content   string
	Scope     Scope
	HoldsWith []Holding `json:",omitempty"`
	Created   time.Time
	Into      ID   `json:",omitempty"` // the survivor of a merge
	Asked     bool `json:",omitempty"` // a person asked to have it remembered
}

// Outline returns the outline of a lesson.
func (l *Lesson) Outline() Outline {
	return Outline{l.ID, l.Rev, l.Status, l.Category, l.Content, l.Scope, l.HoldsWith, l.Created, l.Decided.Into, l.Asked()}
}

// Title is [Wording.Title].
func (o *Outline) Title(n int) string { return clip(o.Content, n) }

// Lesson returns a lesson with only the outline's fields set.
func (o *Outline) Lesson() Lesson {
	return Lesson{
		ID: o.ID, Rev: o.Rev, Status: o.Status, Category: o.Category, Wording: Wording{Content: o.Content},
		Scope: o.Scope, HoldsWith: o.HoldsWith, Created: o.Created, Decided: Decision{Into: o.Into},
	}
}

// FromOutlines yields the outlines as lessons, with only one lesson in memory at a time.
func FromOutlines(os []Outline) iter.Seq[Lesson] {
	return func(yield func(Lesson) bool) {
		for i := range os {
			if !yield(os[i].Lesson()) {
				return
			}
		}
	}
}
