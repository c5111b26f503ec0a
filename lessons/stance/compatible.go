package stance

import "learnings/lessons"

// Compatible leaves out of a group of duplicates those of which a person has said
// that they hold beside the first, and those that contradict it: "use npm instead
// of pnpm" has all the words of "use pnpm instead of npm". What is left may be one
// lesson alone.
func Compatible(group []lessons.Lesson) []lessons.Lesson {
	if len(group) < 2 {
		return group
	}
	first, out := Of(group[0]), group[:1:1]
	for _, l := range group[1:] {
		if l.Beside(group[0]) {
			continue
		}
		if _, against := first.Contradicts(Of(l)); !against {
			out = append(out, l)
		}
	}
	return out
}
