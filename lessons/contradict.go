package lessons

import (
	"fmt"
	"slices"
)

// A Holding names another lesson that seems to contradict this one. A person has
// said that both hold, each in a situation of its own.
type Holding struct {
	ID     ID     `json:"id"`
	Reason string `json:"reason,omitempty"` // on one line: which situation is whose
}

// String is the id and the reason, as in the file.
func (h Holding) String() string {
	if h.Reason == "" {
		return string(h.ID)
	}
	return string(h.ID) + ": " + h.Reason
}

// Supersede settles a contradiction for one of two lessons. The other keeps all
// that it has and names the one that took its place in [Decision].SupersededBy:
// an approved one is archived, a proposal rejected. It gives back both; of the
// one that is kept nothing changes.
func Supersede(d Decision, keep, lose Lesson) ([]Lesson, error) {
	switch {
	case keep.ID == lose.ID:
		return nil, fmt.Errorf("%w: %s cannot take its own place", ErrInvalid, keep.ID)
	case keep.Status != Approved && keep.Status != Pending:
		return nil, fmt.Errorf("%w: %s is %s and can take no other's place", ErrInvalid, keep.ID, keep.Status)
	}
	d.SupersededBy, d.Into = keep.ID, ""
	var err error
	switch lose.Status {
	case Approved:
		lose, err = lose.Archive(d)
	case Pending:
		lose, err = lose.Reject(d)
	default:
		err = fmt.Errorf("%w: %s is %s already", ErrInvalid, lose.ID, lose.Status)
	}
	if err != nil {
		return nil, err
	}
	return []Lesson{keep, lose}, nil
}

// HoldBoth settles a contradiction for both lessons. Each names the other and the
// reason, so that either file tells it wherever it is synced to; their status and
// what was decided on them stay. A reason given before is replaced.
func HoldBoth(d Decision, a, b Lesson) ([]Lesson, error) {
	switch {
	case a.ID == b.ID:
		return nil, fmt.Errorf("%w: %s does not contradict itself", ErrInvalid, a.ID)
	case d.By == "":
		return nil, fmt.Errorf("%w: nobody is named who decides on %s", ErrInvalid, a.ID)
	case d.Reason == "":
		return nil, fmt.Errorf("%w: it is not said when %s holds and when %s", ErrInvalid, a.ID, b.ID)
	}
	a.HoldsWith = withHolding(a.HoldsWith, Holding{b.ID, Line(d.Reason)})
	b.HoldsWith = withHolding(b.HoldsWith, Holding{a.ID, Line(d.Reason)})
	return []Lesson{a, b}, nil
}

func withHolding(all []Holding, h Holding) []Holding {
	out := slices.DeleteFunc(slices.Clone(all), func(o Holding) bool { return o.ID == h.ID })
	return append(out, h)
}

// BothHold reports that a person has said of two lessons that both hold. One of
// them may say so alone.
func BothHold(a, b Lesson) bool { return names(a.HoldsWith, b.ID) || names(b.HoldsWith, a.ID) }

// HoldsBeside is [BothHold] for outlines.
func (o *Outline) HoldsBeside(other *Outline) bool {
	return names(o.HoldsWith, other.ID) || names(other.HoldsWith, o.ID)
}

func names(all []Holding, id ID) bool {
	return slices.ContainsFunc(all, func(h Holding) bool { return h.ID == id })
}

// mergeHoldings joins those of two lessons that become one, without that one.
func mergeHoldings(into ID, a, b []Holding) []Holding {
	out := slices.Clone(a)
	for _, h := range b {
		if h.ID != into && !slices.ContainsFunc(out, func(o Holding) bool { return o.ID == h.ID }) {
			out = append(out, h)
		}
	}
	return out
}
