package lessons

import (
	"fmt"
	"slices"
)

// A Holding names another lesson that seems to contradict this one although a person has
// said that both hold, each in its own situation.
type Holding struct {
	ID     ID     `json:"id"`
	Reason string `json:"reason,omitempty"` // one line: when each of them holds
}

// String returns the id and the reason, as in the file.
func (h Holding) String() string {
	if h.Reason == "" {
		return string(h.ID)
	}
	return string(h.ID) + ": " + h.Reason
}

// Supersede settles a contradiction in favour of keep. It returns keep unchanged and lose
// with [Decision].SupersededBy set: archived if it was approved, rejected if it was a
// proposal.
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

// HoldBoth settles a contradiction by keeping both lessons. Each names the other and the
// reason, so that either file can be synced without the other. Status and decisions stay.
// An earlier reason is replaced.
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

// BothHold reports whether a person has said that both lessons hold. It is enough that
// one of them says so.
func BothHold(a, b Lesson) bool { return names(a.HoldsWith, b.ID) || names(b.HoldsWith, a.ID) }

// HoldsBeside is [BothHold] for outlines.
func (o *Outline) HoldsBeside(other *Outline) bool {
	return names(o.HoldsWith, other.ID) || names(other.HoldsWith, o.ID)
}

func names(all []Holding, id ID) bool {
	return slices.ContainsFunc(all, func(h Holding) bool { return h.ID == id })
}

// mergeHoldings joins the holdings of two lessons that are merged, without that of into
// itself.
func mergeHoldings(into ID, a, b []Holding) []Holding {
	out := slices.Clone(a)
	for _, h := range b {
		if h.ID != into && !slices.ContainsFunc(out, func(o Holding) bool { return o.ID == h.ID }) {
			out = append(out, h)
		}
	}
	return out
}
