package redact

import (
	"regexp"

	"learnings/lessons"
)

// FromHome writes paths in and below a person's home folder with "~" in what a lesson
// says. Removing the person's name would otherwise turn "/home/sam/notes" into a place
// that no agent finds. Quotes stay. An empty home, or the root, changes nothing.
func FromHome(l lessons.Lesson, home string) lessons.Lesson {
	if len(home) < 2 {
		return l
	}
	at := regexp.MustCompile(`(^|[^\w./-])` + regexp.QuoteMeta(home) + `($|[^\w.-]|[.](?:\s|$))`)
	for _, text := range []*string{&l.Content, &l.Insight, &l.Example} {
		*text = at.ReplaceAllString(*text, "$1~$2")
	}
	return l
}

// HomeOf is the home folder in which a folder lies, as systems name them; "" for none.
func HomeOf(dir string) string { return homes().FindString(dir) }

var homes = lessons.LazyRegexp(`^(?:/(?:home|Users)/[^/]+|[A-Za-z]:\\Users\\[^\\]+)`)
