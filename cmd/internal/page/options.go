package page

import (
	"fmt"
	"time"

	"learnings/lessons"
)

// Options say what a person wants of a page.
type Options struct {
	File, Project, Title string
	Evidence             []string // beginnings of ids; or "all" or "none" alone
	Force                bool     // replace a file that is no report
	Trusted              bool     // see [Page]
}

// Help is what the page is, and what it leaves out.
const Help = "It writes one page for a browser: how many lessons there are and how they came,\n" +
	"decisions by day, mistakes that come back, how right proposals were, and the lessons\n" +
	"with a search. It is one file, which asks no network for anything: to look at, to\n" +
	"print, or to share with a team.\n\n" +
	"Secrets, home folders, files and sessions stay out. What was said stays out too, but\n" +
	"for the lessons that --evidence names. Rejected lessons and those that went into\n" +
	"others are counted and not listed. A file that is no page of ours is not replaced."

// New is an empty page. The function resolve gives the one id that begins with a word.
func New(o Options, resolve func(string) (lessons.ID, error), home string, now time.Time) (*Page, error) {
	p := &Page{Title: o.Title, Project: o.Project, Home: home, Made: now, Trusted: o.Trusted}
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
