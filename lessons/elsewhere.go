package lessons

import (
	"cmp"
	"strings"
	"time"
)

// An Approval was made by somebody else on another copy of the corpus. It does not make
// the lesson active here; it is shown to the person who decides.
type Approval struct {
	By     string    `json:"approved_by,omitempty"` // a name from the other copy, unverified
	At     time.Time `json:"approved_at,omitzero"`
	Reason string    `json:"approved_reason,omitempty"`
	Signed string    `json:"approved_signed,omitempty"` // see [Lesson.Signature]
}

// somebody is the name in an approval without one.
const somebody = "somebody"

// String returns, for example, "approved by ada on 2026-04-05: fits us", or "" for the
// zero Approval. It is one line and safe to show.
func (a Approval) String() string {
	if a == (Approval{}) {
		return ""
	}
	s := "approved by " + a.Who()
	if !a.At.IsZero() {
		s += " on " + a.At.Local().Format(time.DateOnly)
	}
	if a.Reason != "" {
		s += ": " + Line(a.Reason)
	}
	return s
}

// Who names who approved, and the key that signed it, if there is one.
func (a Approval) Who() string {
	key, _, _ := strings.Cut(a.Signed, " ")
	if key == "" {
		return Line(a.By) + ", unsigned"
	}
	return Line(a.By) + ", key " + Line(ShortKey(key))
}

// Withheld turns an approved lesson into a proposal that says who approved it elsewhere.
// [Lesson.Released] reverses it.
func (l Lesson) Withheld() Lesson {
	l.Elsewhere = Approval{By: cmp.Or(l.Decided.By, somebody), At: l.Decided.At, Reason: l.Decided.Reason, Signed: l.Decided.Signed}
	l.Status, l.Decided = Pending, Decision{}
	return l
}

// Released turns a proposal made by [Lesson.Withheld] back into the approved lesson. It
// returns false for any other lesson.
func (l Lesson) Released() (Lesson, bool) {
	if l.Status != Pending || l.Elsewhere == (Approval{}) {
		return l, false
	}
	a := l.Elsewhere
	if a.By == somebody {
		a.By = ""
	}
	l.Status, l.Decided, l.Elsewhere = Approved, Decision{By: a.By, At: a.At, Reason: a.Reason, Signed: a.Signed}, Approval{}
	return l, true
}
