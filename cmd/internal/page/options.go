package page

import (
	"fmt"
	"time"

	"learnings/lessons"
)

// Options are a person's options for a page.
type Options struct {
	File, Project, Title string
	Evidence             []string // prefixes of ids, or just "all" or "none"
	Force                bool     // replace a file that is not a report
	Pending              bool     // see [Page]
	Trusted              bool     // see [Page]
}

// New returns an empty page. resolve returns the one id with a prefix.
func New(o Options, resolve func(string) (lessons.ID, error), home string, now time.Time) (*Page, error) {
	p := &Page{Title: o.Title, Project: o.Project, Home: home, Made: now, Trusted: o.Trusted, Pending: o.Pending}
	if len(o.Evidence) == 1 && (o.Evidence[0] == "all" || o.Evidence[0] == "none") {
		p.Shown = func(lessons.ID) bool { return o.Evidence[0] == "all" }
		return p, nil
	}
	chosen := map[lessons.ID]bool{}
	for _, word := range o.Evidence {
		id, err := resolve(lessons.Cited(word))
		if err != nil {
			return nil, fmt.Errorf("--evidence %s: %w", word, err)
		}
		chosen[id] = true
	}
	p.Shown = func(id lessons.ID) bool { return chosen[id] }
	return p, nil
}
