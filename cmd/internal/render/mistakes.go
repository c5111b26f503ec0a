package render

import (
	"strconv"
	"strings"

	"learnings/cmd/internal/term"
	"learnings/extractor/past"
	"learnings/lessons"
)

// A Mistake is a mistake with its number in the list and its lesson, or nil.
type Mistake struct {
	N int
	past.Mistake
	About *lessons.Lesson
}

// Mistakes are recurring mistakes, most widespread first.
type Mistakes struct {
	All   []Mistake
	Total int // including those beyond the limit
}

// Pick returns the mistake with a number in the list or an id.
func (l Mistakes) Pick(word string) (past.Mistake, error) {
	for _, m := range l.All {
		if string(m.ID) == word || strconv.Itoa(m.N) == word {
			return m.Mistake, nil
		}
	}
	return past.Mistake{}, term.Hint(term.Usagef("there is no recurring mistake %q", word), "`learnings check recurring` numbers them")
}

// Answer lists the mistakes.
func (l Mistakes) Answer() term.Answer {
	return term.List[Mistake]{Items: l.All, Object: Mistake.object,
		Page: func(p *term.Page) {
			if len(l.All) == 0 {
				p.Line("nothing: no error of a tool was met in several sessions")
			}
			for _, m := range l.All {
				m.show(p)
			}
			p.More(l.Total - len(l.All))
		},
		Cells: func(m Mistake) []string {
			about := ""
			if m.About != nil {
				about = string(m.About.ID) + " " + string(m.About.Status)
			}
			return []string{strconv.Itoa(m.N), string(m.ID), strconv.Itoa(m.Count), strconv.Itoa(m.Sessions), strings.Join(m.Projects, ","),
				term.Stamp(m.First), term.Stamp(m.Last), about, m.Doing, m.Name, m.Error, m.Cure.Says}
		}}
}

func (m Mistake) show(p *term.Page) {
	p.Strong("%2d  %s: %s", m.N, m.Doing, m.Name)
	p.Text("    ", m.Error)
	if m.Cure.Says != "" {
		p.Text("    ", "What avoids it: "+m.Cure.Says)
	}
	p.Line("    %s in %s of %s, %s", term.Plural(m.Count, "time"), term.Plural(m.Sessions, "session"), strings.Join(m.Projects, ", "), m.Span())
	if m.About != nil {
		p.Line("    there is a lesson: %s (%s) %s", m.About.ID, m.About.Status, m.About.Title(60))
	} else {
		p.Line("    learnings check recurring --propose %s", m.ID)
	}
}

func (m Mistake) object() any {
	var places []any
	for _, e := range m.Evidence {
		places = append(places, term.Object(nil, "path", e.Path, "line", e.Line, "session", e.Session))
	}
	var about lessons.Lesson
	if m.About != nil {
		about = *m.About
	}
	// ways are the different errors of the mistake; the status is its lesson's.
	return term.Object(nil, "id", m.ID, "name", m.Name, "doing", m.Doing, "error", m.Error, "ways", m.Ways, "count", m.Count, "sessions", m.Sessions,
		"projects", m.Projects, "first?", m.First, "last?", m.Last, "cure?", m.Cure.Says, "example?", m.Cure.Example,
		"lesson?", about.ID, "status?", about.Status, "places", places)
}
