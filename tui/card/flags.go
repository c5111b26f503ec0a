package card

import "learnings/lessons"

// Flags returns the reasons to look twice before approving a lesson, the gravest first.
func Flags(l lessons.Lesson) []string {
	var out []string
	for _, d := range lessons.Dangers(l) {
		says := d.Says
		if d.Found != "" {
			says += ": " + d.Found
		}
		out = append(out, says)
	}
	return out
}
