package stance

import (
	"slices"
	"strings"

	"learnings/lessons"
)

// LookFor gives the words by which a search over a corpus finds what may
// contradict a lesson: its own, and of exclusive groups and opposite words the
// others. What is found has still to be compared with [Between].
func LookFor(l lessons.Lesson) string {
	s := Of(l)
	var more []string
	for i := range s.claims {
		c := &s.claims[i]
		for g := range c.adopts {
			more = append(more, strings.Fields(groups[g-1].members)...)
		}
		for _, w := range slices.Concat(c.stems, c.adverbs, []string{c.own}) {
			more = append(more, lexis.opposite[w]...)
		}
	}
	slices.Sort(more)
	content := l.Content[:min(len(l.Content), maxStanceText)]
	return strings.ToValidUTF8(content, "") + "\n" + strings.Join(slices.Compact(more), " ")
}
