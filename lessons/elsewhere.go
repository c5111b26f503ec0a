package lessons

import (
	"cmp"
	"time"
)

// An Approval is one that somebody else made on another copy of the corpus. It
// makes nothing active here; it is shown to the person who decides here.
type Approval struct {
	By     string    `json:"approved_by,omitempty"` // a name, as the other copy has it; nobody has proved it
	At     time.Time `json:"approved_at,omitzero"`
	Reason string    `json:"approved_reason,omitempty"`
}

// somebody stands for the name of an approval that has none.
const somebody = "somebody"

// String says who approved, on which day and why, as in "approved by ada on
// 2026-04-05: fits us"; "" for the zero Approval. It is one line that is safe to show.
func (a Approval) String() string {
	if a == (Approval{}) {
		return ""
	}
	s := "approved by " + Line(a.By)
	if !a.At.IsZero() {
		s += " on " + a.At.Local().Format(time.DateOnly)
	}
	if a.Reason != "" {
		s += ": " + Line(a.Reason)
	}
	return s
}

// Withheld gives an approved lesson as a proposal that says who approved it
// elsewhere. [Lesson.Released] is the way back.
func (l Lesson) Withheld() Lesson {
	l.Elsewhere = Approval{By: cmp.Or(l.Decided.By, somebody), At: l.Decided.At, Reason: l.Decided.Reason}
	l.Status, l.Decided = Pending, Decision{}
	return l
}

// Released gives a proposal that [Lesson.Withheld] made as those have it who
// approved it. It is false for any other lesson.
func (l Lesson) Released() (Lesson, bool) {
	if l.Status != Pending || l.Elsewhere == (Approval{}) {
		return l, false
	}
	a := l.Elsewhere
	if a.By == somebody {
		a.By = ""
	}
	l.Status, l.Decided, l.Elsewhere = Approved, Decision{By: a.By, At: a.At, Reason: a.Reason}, Approval{}
	return l, true
}
