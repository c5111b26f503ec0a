package term

import (
	"strings"

	"learnings/lessons"
)

// Meant returns a hint for a name that there is not: the one that was probably meant, or
// else all of them.
func Meant(typed string, names []string) string {
	if near, ok := lessons.Nearest(typed, names); ok {
		return "did you mean " + near + "?"
	}
	return "there are " + strings.Join(names, ", ")
}
