package recurring

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"learnings/extractor/rules"
	"learnings/lessons"
)

// A Cure is what avoids a mistake: the form in which the failed call worked a little
// later in some session of the project. Its texts are redacted.
type Cure struct {
	rules.Cure
	Project string
	Times   int // how often it was seen
}

// IsLesson reports that a lesson says what a cure says, for its project.
func (c Cure) IsLesson(l lessons.Lesson) bool {
	return c.Says != "" && strings.EqualFold(l.Content, c.Says) && (l.Scope.Global || l.Scope.Project == c.Project)
}

type cureKey struct{ project, says string }

// cured adds a cure to those that were seen.
func (m *gathered) cured(c Cure) {
	if m.cures == nil {
		m.cures = map[cureKey]*Cure{}
	}
	key := cureKey{c.Project, c.Says}
	if have := m.cures[key]; have != nil {
		have.Times += c.Times
		return
	}
	m.cures[key] = &c
}

// cure is the cure that was seen most often.
func (m *gathered) cure(redact func(string) string) Cure {
	all := slices.SortedFunc(maps.Values(m.cures), func(a, b *Cure) int {
		return cmp.Or(cmp.Compare(b.Times, a.Times), cmp.Compare(a.Project, b.Project), cmp.Compare(a.Says, b.Says))
	})
	if len(all) == 0 {
		return Cure{}
	}
	c := *all[0]
	c.Says, c.Example, c.Error = redact(c.Says), redact(c.Example), redact(c.Error)
	return c
}
