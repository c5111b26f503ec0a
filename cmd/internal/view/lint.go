package view

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"learnings/cmd/internal/term"
	"learnings/lessons"
)

// findings are what lint says of a lesson.
type findings struct {
	lesson lessons.Lesson
	all    []lessons.Finding
}

// Linted is what lint says of many lessons.
type Linted struct {
	all []findings
	Of  int // how many were looked at
}

// Note adds what was found in a lesson. Of the lesson it keeps what is shown.
func (ls *Linted) Note(l lessons.Lesson, fs []lessons.Finding) {
	if ls.Of++; len(fs) > 0 {
		l = lessons.Lesson{ID: l.ID, Status: l.Status, Scope: l.Scope, Created: l.Created, Wording: lessons.Wording{Content: l.Content}}
		ls.all = append(ls.all, findings{l, fs})
	}
}

// Sort puts the newest lessons first.
func (ls *Linted) Sort() {
	slices.SortFunc(ls.all, func(a, b findings) int {
		return cmp.Or(cmp.Compare(b.lesson.Created.Unix(), a.lesson.Created.Unix()), cmp.Compare(a.lesson.ID, b.lesson.ID))
	})
}

// Found counts the lessons of which something is said.
func (ls Linted) Found() int { return len(ls.all) }

func (ls Linted) Terminal(p *term.Page) {
	for _, f := range ls.all {
		p.Strong("%s  %s  %s", f.lesson.ID, f.lesson.Status, f.lesson.Title(max(p.Width-22, 30)))
		for _, g := range f.all {
			p.Text("    ", fmt.Sprintf("%s: %s", g.Code, Advice(g)))
		}
		p.Line("    learnings edit %s", f.lesson.ID)
	}
	p.Line("**Total:** %d of %s could be better", len(ls.all), term.Plural(ls.Of, "lesson"))
}

func (ls Linted) Plain(w io.Writer) {
	for _, f := range ls.all {
		for _, g := range f.all {
			term.TSV(w, string(f.lesson.ID), string(f.lesson.Status), string(g.Code), g.Found, g.Says, f.lesson.Content)
		}
	}
}

func (ls Linted) Objects() []any {
	type object struct {
		ID       lessons.ID     `json:"id"`
		Status   lessons.Status `json:"status"`
		Project  string         `json:"project"`
		Content  string         `json:"content"`
		Findings []Finding      `json:"findings"`
	}
	return term.Objects(ls.all, func(f findings) any {
		return object{f.lesson.ID, f.lesson.Status, f.lesson.Scope.Project, f.lesson.Content, FindingsOf(f.all)}
	})
}
