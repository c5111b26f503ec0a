package curate

import (
	"errors"
	"slices"
	"strings"

	"learnings/lessons"
	"learnings/lessons/pairs"
)

// ErrNotSame is the error for merging lessons that do not say the same. [Merge.Anyway]
// merges them all the same.
var ErrNotSame = errors.New("they do not say the same")

// NotSame returns why two lessons do not say the same. It returns "" if they may: they are
// about one subject and neither names a value that the other lacks.
func NotSame(a, b lessons.Lesson) string {
	j := pairs.Judge(a, b)
	if j.Relation == pairs.SameRule || j.Relation == pairs.SameSubject && !j.Differ {
		return ""
	}
	return j.Why
}

// says reports whether a text says all that another does.
func says(text, other string) bool { return pairs.NewSaying(text).Covers(pairs.NewSaying(other)) }

// Differ returns the lessons that do not say the same as Into, with the reason.
func (m Merge) Differ() (out []Left) {
	for _, l := range m.From {
		if why := NotSame(m.before(), l); why != "" {
			out = append(out, Left{l, why})
		}
	}
	return out
}

// before returns the surviving lesson as it is stored.
func (m Merge) before() lessons.Lesson {
	l := m.Into
	if m.Was != "" {
		l.Content = m.Was
	}
	return l
}

// Gone returns the sentences that the merged lesson does not fully cover.
func (m Merge) Gone() (out []string) {
	for _, l := range append([]lessons.Lesson{m.before()}, m.From...) {
		if !strings.Contains(m.Into.Content, strings.TrimRight(l.Content, " .\n")) && !says(m.Into.Content, l.Content) && !slices.Contains(out, l.Content) {
			out = append(out, l.Content)
		}
	}
	return out
}

// fullest returns a wording that keeps what all of the lessons say: that of one which
// covers the others, preferring the first and then the newest, or else the sentences of all
// in turn.
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
