// Package page is a corpus as one page for a browser: its figures, its lessons with a
// search, and the evidence that a person chooses to show. The page is a single file
// that asks no network for anything and is readable without its script. It is made to
// be given to others: whatever it shows goes through the redactor, names no folder of
// this machine's users and no session, and is text wherever it stands.
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

// A Page is what is shown.
type Page struct {
	Title   string
	Project string              // the only one that it is of; "" for all
	Only    map[lessons.ID]bool // the lessons that are listed; nil for all
	Home    string              // the folder of this user, which is not named
	Made    time.Time
	Lessons []lessons.Lesson         // those that are listed, the most important first
	Left    int                      // lessons that are counted and not listed
	Shown   func(id lessons.ID) bool // whose evidence is shown; nil for nobody's
	Trusted bool                     // whether what other programs write counts unconfirmed
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

// Mark is what the first bytes of every page have, and by which one is known.
const Mark = `<meta name="generator" content="learnings report">`

// Write writes the page and says how many of its lessons show evidence.
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
		More                         string // lessons that are too many; "" for none
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

// policy allows the page its own style and script, by what they are, and nothing else:
// no other script, no request to anywhere.
func policy() string {
	sum := func(text string) string {
		h := sha256.Sum256([]byte(text))
		return "'sha256-" + base64.StdEncoding.EncodeToString(h[:]) + "'"
	}
	return "default-src 'none'; style-src " + sum(pageCSS) + "; script-src " + sum(pageJS) + "; base-uri 'none'; form-action 'none'"
}

// plenty is a number, or nothing for 0.
func plenty(n int) string {
	if n == 0 {
		return ""
	}
	return Count(n)
}

// projects counts those in which lessons were learned.
func projects(ls []lessons.Lesson) int {
	seen := map[string]bool{}
	for _, l := range ls {
		seen[l.Scope.Project] = true
	}
	return len(seen)
}
