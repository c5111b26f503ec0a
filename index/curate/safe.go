package curate

import (
	"cmp"
	"errors"
	"fmt"
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

// elsewhere reports whether two lessons hold in different places within a project.
func elsewhere(a, b lessons.Lesson) bool {
	return !a.Limit.Equal(b.Limit) || a.Scope.Role != b.Scope.Role && a.Scope.Role != "" && b.Scope.Role != ""
}

// where says within its project where a lesson holds.
func where(l lessons.Lesson) string {
	out := l.Limit.String()
	if l.Scope.Role != "" {
		out = strings.TrimPrefix(out+", for the role "+l.Scope.Role, ", ")
	}
	return cmp.Or(out, "anywhere")
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

// Gone returns the sentences that the merged lesson does not keep.
func (m Merge) Gone() (out []string) {
	for _, l := range m.stored() {
		if !keeps(m.Into.Content, l.Content) && !slices.Contains(out, l.Content) {
			out = append(out, l.Content)
		}
	}
	return out
}

// Lost returns the conditions under which one of the lessons holds and the merged lesson
// does not, and the other way round, in words that follow "the merged lesson".
func (m Merge) Lost() (out []string) {
	for _, l := range m.stored() {
		if elsewhere(l, m.before()) {
			out = append(out, "holds "+where(m.before())+", and not "+where(l))
		}
		if keeps(m.Into.Content, l.Content) {
			continue
		}
		lost, added := pairs.Narrower(m.Into.Content, l.Content)
		for _, c := range lost {
			out = append(out, fmt.Sprintf("loses “%s”", lessons.Line(c)))
		}
		for _, c := range added {
			out = append(out, fmt.Sprintf("holds only “%s”, which “%s” does not say", lessons.Line(c), l.Title(60)))
		}
	}
	return out
}

// stored returns the lessons of the merge as they are stored.
func (m Merge) stored() []lessons.Lesson {
	return append([]lessons.Lesson{m.before()}, m.From...)
}

// keeps reports whether a text has another as whole sentences, or says all that it does.
func keeps(text, other string) bool {
	trim := func(s string) string { return strings.TrimRight(lessons.Line(s), " .") }
	return strings.Contains(". "+trim(text)+". ", ". "+trim(other)+". ") || says(text, other)
}

// fullest returns a wording that keeps what all of the lessons say: that of one which
// covers the others, preferring the first and then the newest, or else the sentences of all
// in turn.
func fullest(ls []lessons.Lesson) lessons.Wording {
	order := slices.Clone(ls)
	slices.SortStableFunc(order[1:], func(a, b lessons.Lesson) int { return b.Created.Compare(a.Created) })
	for _, l := range order {
		if !slices.ContainsFunc(ls, func(o lessons.Lesson) bool { return !keeps(l.Content, o.Content) }) {
			return l.Wording
		}
	}
	w := ls[0].Wording
	for _, l := range ls[1:] {
		if !keeps(w.Content, l.Content) {
			w.Content = strings.TrimRight(w.Content, " .\n") + ". " + l.Content
		}
	}
	return w
}
