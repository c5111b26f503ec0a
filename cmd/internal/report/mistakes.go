package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"learnings/cmd/internal/term"
	"learnings/extractor/past"
	"learnings/lessons"
)

// A Mistake is a mistake with the lesson that there is for it, or nil.
type Mistake struct {
	past.Mistake
	About *lessons.Lesson
}

// Mistakes are the mistakes that were found, the most widespread first.
type Mistakes struct {
	All   []Mistake
	Total int // those beyond the limit included
}

// Pick finds the one with a number in the list, from 1, or an id.
func (l Mistakes) Pick(word string) (past.Mistake, error) {
	if n, err := strconv.Atoi(word); err == nil && n >= 1 && n <= len(l.All) {
		return l.All[n-1].Mistake, nil
	}
	for _, m := range l.All {
		if string(m.ID) == word {
			return m.Mistake, nil
		}
	}
	return past.Mistake{}, term.Hint(term.Usagef("there is no recurring mistake %q", word), "`learnings recurring` numbers them")
}

// about says what lesson there is.
func (m Mistake) about() string {
	if m.About == nil {
		return ""
	}
	return fmt.Sprintf("%s %s", m.About.ID, m.About.Status)
}

func (l Mistakes) Terminal(p *term.Page) {
	if len(l.All) == 0 {
		p.Line("nothing: no error of a tool was met in several sessions")
		return
	}
	for i, m := range l.All {
		p.Strong("%2d  %s: %s", i+1, m.Doing, m.Name)
		p.Text("    ", m.Error)
		if m.Cure.Says != "" {
			p.Text("    ", "What avoids it: "+m.Cure.Says)
		}
		p.Line("    %s in %s of %s, %s", term.Plural(m.Count, "time"), term.Plural(m.Sessions, "session"), strings.Join(m.Projects, ", "), m.Span())
		if m.About != nil {
			p.Line("    there is a lesson: %s (%s) %s", m.About.ID, m.About.Status, m.About.Title(60))
		} else {
			p.Line("    learnings recurring --propose %s", m.ID)
		}
	}
	if more := l.Total - len(l.All); more > 0 {
		p.Line("… and %d more: --limit 0 shows all", more)
	}
}

func (l Mistakes) Plain(w io.Writer) {
	for i, m := range l.All {
		term.TSV(w, strconv.Itoa(i+1), string(m.ID), strconv.Itoa(m.Count), strconv.Itoa(m.Sessions), strings.Join(m.Projects, ","),
			term.Stamp(m.First), term.Stamp(m.Last), m.about(), m.Doing, m.Name, m.Error, m.Cure.Says)
	}
}

func (l Mistakes) Objects() []any { return term.Objects(l.All, Mistake.object) }

func (m Mistake) object() any {
	type place struct {
		Path    string `json:"path"`
		Line    int    `json:"line"`
		Session string `json:"session"`
	}
	type object struct {
		ID       lessons.ID     `json:"id"`
		Name     string         `json:"name"`
		Doing    string         `json:"doing"`
		Error    string         `json:"error"`
		Ways     int            `json:"ways"` // different errors in it
		Count    int            `json:"count"`
		Sessions int            `json:"sessions"`
		Projects []string       `json:"projects"`
		First    *time.Time     `json:"first,omitempty"`
		Last     *time.Time     `json:"last,omitempty"`
		Lesson   lessons.ID     `json:"lesson,omitempty"`
		Status   lessons.Status `json:"status,omitempty"` // of that lesson
		Cure     string         `json:"cure,omitempty"`   // what avoids it, where a session shows that
		Example  string         `json:"example,omitempty"`
		Places   []place        `json:"places"`
	}
	o := object{ID: m.ID, Name: m.Name, Doing: m.Doing, Error: m.Error, Ways: m.Ways, Count: m.Count, Sessions: m.Sessions, Projects: m.Projects, Cure: m.Cure.Says, Example: m.Cure.Example}
	if !m.First.IsZero() {
		o.First, o.Last = &m.First, &m.Last
	}
	if m.About != nil {
		o.Lesson, o.Status = m.About.ID, m.About.Status
	}
	for _, e := range m.Evidence {
		o.Places = append(o.Places, place{e.Path, e.Line, e.Session})
	}
	return o
}
