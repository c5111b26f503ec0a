package render

import (
	"strconv"
	"strings"
	"time"

	"learnings/cmd/internal/term"
	"learnings/extractor/past"
	"learnings/lessons"
)

// A Mistake is one with its number in the list, and the lesson that there is for it, or
// nil.
type Mistake struct {
	N int
	past.Mistake
	About *lessons.Lesson
}

// Mistakes are the mistakes that were found, the most widespread first.
type Mistakes struct {
	All   []Mistake
	Total int // those beyond the limit included
}

// Pick finds the one with a number in the list, or an id.
func (l Mistakes) Pick(word string) (past.Mistake, error) {
	for _, m := range l.All {
		if string(m.ID) == word || strconv.Itoa(m.N) == word {
			return m.Mistake, nil
		}
	}
	return past.Mistake{}, term.Hint(term.Usagef("there is no recurring mistake %q", word), "`learnings check recurring` numbers them")
}

// Answer lists them.
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
	type place struct {
		Path    string `json:"path"`
		Line    int    `json:"line"`
		Session string `json:"session"`
	}
	o := struct {
		ID       lessons.ID     `json:"id"`
		Name     string         `json:"name"`
		Doing    string         `json:"doing"`
		Error    string         `json:"error"`
		Ways     int            `json:"ways"` // different errors in it
		Count    int            `json:"count"`
		Sessions int            `json:"sessions"`
		Projects []string       `json:"projects"`
		First    time.Time      `json:"first,omitzero"`
		Last     time.Time      `json:"last,omitzero"`
		Cure     string         `json:"cure,omitempty"` // what avoids it, where a session shows that
		Example  string         `json:"example,omitempty"`
		Lesson   lessons.ID     `json:"lesson,omitempty"`
		Status   lessons.Status `json:"status,omitempty"` // of that lesson
		Places   []place        `json:"places"`
	}{m.ID, m.Name, m.Doing, m.Error, m.Ways, m.Count, m.Sessions, m.Projects, m.First, m.Last, m.Cure.Says, m.Cure.Example, "", "", nil}
	if m.About != nil {
		o.Lesson, o.Status = m.About.ID, m.About.Status
	}
	for _, e := range m.Evidence {
		o.Places = append(o.Places, place{e.Path, e.Line, e.Session})
	}
	return o
}
