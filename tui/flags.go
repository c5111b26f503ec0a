package tui

import "learnings/lessons"

// flags are what a person should look at twice before approving, the gravest
// first. They forbid nothing.
func flags(l lessons.Lesson) []string {
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
