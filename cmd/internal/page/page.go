// Package page writes a corpus as a shareable HTML page: figures, searchable lessons, and
// the evidence that a person chooses to show. The page is a single file that loads
// nothing from the network and is readable without its script. Secrets, home folders and
// session ids are removed from everything that it shows, and all text is escaped.
package page

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"
	"time"

	"learnings/lessons"
)

// A Page is the content of a report.
type Page struct {
	Title   string
	Project string              // the only project shown; "" for all
	Only    map[lessons.ID]bool // the lessons that are listed, chosen by a person; nil for all approved ones
	Pending bool                // list proposals too
	Home    string              // this user's home folder, which is removed from texts
	Made    time.Time
	Lessons []lessons.Lesson         // the listed lessons, the most important first
	Left    int                      // the number of lessons counted but not listed
	Shown   func(id lessons.ID) bool // whether to show a lesson's evidence; nil shows none
	Trusted bool                     // count unconfirmed lessons of other programs
	Figures Figures
}

var (
	//go:embed page.html
	pageHTML string
	//go:embed page.css
	pageCSS string
	//go:embed page.js
	pageJS string
)

// Mark is at the beginning of every page and identifies it as ours.
const Mark = `<meta name="generator" content="learnings report">`

// Write writes the page and returns how many of its lessons show evidence.
func (p *Page) Write(w io.Writer) (evidence int, err error) {
	t, err := template.New("page").Funcs(template.FuncMap{"mark": func() template.HTML { return Mark }}).Parse(pageHTML)
	if err != nil {
		return 0, err
	}
	projects, more := projects(p.Lessons), p.listed()
	c := newCleaner(p.Home)
	cards := c.cards(p.Lessons, p.Shown, p.Trusted)
	for _, card := range cards {
		if len(card.Said) > 0 {
			evidence++
		}
	}
	return evidence, t.Execute(w, struct {
		Title, Project, Made, Policy string
		Projects, Left               int
		More                         string // how many lessons are not listed, or ""
		CSS                          template.CSS
		JS                           template.JS
		Cards                        []card
		Figures                      drawn
	}{
		Title: c.line(p.Title), Project: c.line(p.Project), Made: p.Made.Format("2 January 2006"), Policy: policy(),
		Projects: projects, Left: p.Left, More: plenty(more),
		CSS: template.CSS(pageCSS), JS: template.JS(pageJS), Cards: cards, Figures: p.Figures.draw(c),
	})
}

// policy returns a content security policy that allows only the page's own style and
// script, by hash, and no requests.
func policy() string {
	sum := func(text string) string {
		h := sha256.Sum256([]byte(text))
		return "'sha256-" + base64.StdEncoding.EncodeToString(h[:]) + "'"
	}
	return "default-src 'none'; style-src " + sum(pageCSS) + "; script-src " + sum(pageJS) + "; base-uri 'none'; form-action 'none'"
}

// plenty formats a number; 0 is "".
func plenty(n int) string {
	if n == 0 {
		return ""
	}
	return Count(n)
}

// projects counts the projects in which lessons were learned.
func projects(ls []lessons.Lesson) int {
	seen := map[string]bool{}
	for _, l := range ls {
		seen[l.Scope.Project] = true
	}
	return len(seen)
}
