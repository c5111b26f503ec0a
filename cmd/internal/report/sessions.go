// Package report is what was found in sessions, and what that has cost, in lines of text:
// the sessions, the mistakes that come back in them, the models that can be asked and
// what was paid, and how right proposals were.
package report

import (
	"fmt"
	"time"

	"learnings/cmd/internal/term"
	"learnings/extractor"
	"learnings/extractor/rules"
	"learnings/lessons"
)

// Sessions are what was found, newest first.
type Sessions struct {
	Shown []extractor.Session
	All   int
	Short int // of those, how many are not read because little was said in them
	Where string
}

// Answer lists them.
func (s Sessions) Answer() term.Answer {
	return term.List[extractor.Session]{Items: s.Shown, Page: s.show, Cells: sessionCells, Object: sessionObject}
}

func (s Sessions) show(p *term.Page) {
	if s.All == 0 {
		p.Line("no sessions in %s", s.Where)
		p.Line("--from PATH looks elsewhere; `learnings --sample` has some to try")
		return
	}
	rows := make([][]string, 0, len(s.Shown))
	for _, x := range s.Shown {
		mark := ""
		switch {
		case x.Excluded != "":
			mark = "excluded"
		case x.Fresh:
			mark = "new"
		case x.Short:
			mark = "short"
		}
		rows = append(rows, []string{string(x.Format), x.Project, shortID(x.Session.ID), term.Moment(x.Session.Start),
			fmt.Sprint(x.Human), fmt.Sprint(x.ToolErrors), ReadsPerEdit(x.Work), term.Size(x.Size), fmt.Sprint(x.Lessons), mark})
	}
	p.Table([]string{"Agent", "Project", "Session", "Start", "Person", "Errors", "Reads/edit", "Size", "Lessons", ""}, rows, 1)
	if more := s.All - len(s.Shown); more > 0 {
		p.Line("… and %d more: --limit 0 shows all", more)
	}
	p.Line("**Total:** %s in %s", term.Plural(s.All, "session"), s.Where)
	if s.Short > 0 {
		p.Line("%s; `learnings extract FILE` reads one", LeftShort(s.Short))
	}
}

func sessionCells(x extractor.Session) []string {
	return []string{string(x.Format), x.Project, x.Session.ID, term.Stamp(x.Session.Start), fmt.Sprint(x.Human), fmt.Sprint(x.ToolErrors),
		fmt.Sprint(x.Size), fmt.Sprint(x.Lessons), x.Path, ReadsPerEdit(x.Work)}
}

func sessionObject(x extractor.Session) any {
	type object struct {
		Agent    string     `json:"agent"`
		Project  string     `json:"project"`
		Role     string     `json:"role"`
		ID       string     `json:"id"`
		Parent   string     `json:"parent,omitempty"`
		Path     string     `json:"path"`
		Start    *time.Time `json:"start"`
		Person   int        `json:"person"`
		Errors   int        `json:"errors"`
		Refusals int        `json:"refusals"`
		Lines    int        `json:"lines"`
		BadLines int        `json:"bad_lines"`
		Size     int64      `json:"size"`
		Lessons  int        `json:"lessons"`
		New      bool       `json:"new"`
		Short    bool       `json:"short"`
		Excluded string     `json:"excluded,omitempty"` // by which pattern of learning.exclude
		Work     *Work      `json:"work,omitempty"`     // of what an extraction has read
	}
	o := object{
		string(x.Format), x.Project, x.Role, x.Session.ID, x.Session.Parent, x.Path, nil, x.Human, x.ToolErrors, x.Refusals,
		x.Lines, x.BadLines, x.Size, x.Lessons, x.Fresh, x.Short, x.Excluded, WorkOf(x.Work),
	}
	if start := x.Session.Start; !start.IsZero() {
		o.Start = &start
	}
	return o
}

// ReadsPerEdit is how many files an agent read for each edit; "" when that is not
// known.
func ReadsPerEdit(w rules.Work) string {
	if ratio, ok := w.ReadsPerEdit(); ok {
		return fmt.Sprintf("%.1f", ratio)
	}
	return ""
}

// Work is what an agent did, for programs.
type Work struct {
	rules.Work
	ReadsPerEdit *float64 `json:"reads_per_edit,omitempty"` // left out when nothing was edited
}

// WorkOf is nil when nothing is known.
func WorkOf(w rules.Work) *Work {
	if w == (rules.Work{}) {
		return nil
	}
	o := &Work{Work: w}
	if ratio, ok := w.ReadsPerEdit(); ok {
		o.ReadsPerEdit = &ratio
	}
	return o
}

// shortID is enough of a session's id for people to tell it by.
func shortID(id string) string {
	id = lessons.Line(id)
	return id[:min(8, len(id))]
}

// LeftShort says how many sessions were not read because little was said in
// them so far.
func LeftShort(n int) string {
	until := "they grow"
	if n == 1 {
		until = "it grows"
	}
	return fmt.Sprintf("%s left until %s (learning.min_transcript_chars)", term.Plural(n, "short session"), until)
}
