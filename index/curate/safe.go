package curate

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"learnings/lessons"
	"learnings/lessons/match"
	"learnings/lessons/stance"
)

// ErrNotSame is the answer to a merge of lessons that do not say the same. The person can
// have it all the same: see [Merge.Anyway].
var ErrNotSame = errors.New("they do not say the same")

// leastCommon is the share of their words from which on two lessons that do not contradict
// each other are taken to say the same.
const leastCommon = 0.35

// NotSame says why two lessons do not say the same; "" when they do.
func NotSame(a, b lessons.Lesson) string {
	if lessons.BothHold(a, b) {
		return "you said that both hold"
	}
	if c, ok := stance.Between(a, b); ok {
		return c.Why
	}
	if stance.Apart(a, b) {
		return "each names a value that the other does not"
	}
	if says(a.Content, b.Content) || says(b.Content, a.Content) {
		return ""
	}
	x, y := match.Keywords(a.Content), match.Keywords(b.Content)
	both := 0
	for _, w := range x {
		if slices.Contains(y, w) {
			both++
		}
	}
	if all := len(x) + len(y) - both; float64(both) < leastCommon*float64(all) {
		return fmt.Sprintf("%d of %d words are in both", both, all)
	}
	return ""
}

// says reports that a text says all that another does.
func says(text, other string) bool { return match.NewSaying(text).Covers(match.NewSaying(other)) }

// Differ gives those that would go into another lesson and do not say the same, with why.
func (m Merge) Differ() (out []Left) {
	for _, l := range m.From {
		if why := NotSame(m.before(), l); why != "" {
			out = append(out, Left{l, why})
		}
	}
	return out
}

// before is the lesson that lives on as it is stored.
func (m Merge) before() lessons.Lesson {
	l := m.Into
	if m.Was != "" {
		l.Content = m.Was
	}
	return l
}

// Gone are the sentences of which the merged lesson does not say all.
func (m Merge) Gone() (out []string) {
	for _, l := range append([]lessons.Lesson{m.before()}, m.From...) {
		if !strings.Contains(m.Into.Content, strings.TrimRight(l.Content, " .\n")) && !says(m.Into.Content, l.Content) && !slices.Contains(out, l.Content) {
			out = append(out, l.Content)
		}
	}
	return out
}

// fullest is the wording that keeps what all of some lessons say: that of one which says
// all that the others do, the first of them before the newest, or else the sentences of
// all, one after the other.
func fullest(ls []lessons.Lesson) lessons.Wording {
	order := slices.Clone(ls)
	slices.SortStableFunc(order[1:], func(a, b lessons.Lesson) int { return b.Created.Compare(a.Created) })
	for _, l := range order {
		if !slices.ContainsFunc(ls, func(o lessons.Lesson) bool { return !says(l.Content, o.Content) }) {
			return l.Wording
		}
	}
	w := ls[0].Wording
	for _, l := range ls[1:] {
		if !says(w.Content, l.Content) {
			w.Content = strings.TrimRight(w.Content, " .\n") + ". " + l.Content
		}
	}
	return w
}
