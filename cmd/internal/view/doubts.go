package view

import (
	"strings"

	"learnings/cmd/internal/term"
	"learnings/lessons"
)

// remedy is what a person would most likely type.
func remedy(d lessons.Doubted) string {
	id := string(d.ID)
	switch r := d.Remedy(); {
	case r == lessons.Narrow && d.Scope.Global && d.Scope.Project != "":
		return "learnings edit " + id + " --global=false"
	case r == lessons.Narrow:
		return "learnings edit " + id + " --path 'GLOB'"
	case r == lessons.Reword:
		return "learnings edit " + id + " --content 'TEXT'"
	default:
		return "learnings " + string(r) + " " + id
	}
}

func says(d lessons.Doubted) string {
	all := make([]string, len(d.Why))
	for i, w := range d.Why {
		all[i] = w.Says
	}
	return strings.Join(all, "; ")
}

// Doubts lists lessons to look at again, with what to type.
func Doubts(ds []lessons.Doubted) term.Answer {
	return term.List[lessons.Doubted]{Items: ds, Page: doubts(ds).show, Cells: doubtCells, Object: doubtObject}
}

type doubts []lessons.Doubted

func (ds doubts) show(p *term.Page) {
	if len(ds) == 0 {
		p.Line("nothing: every active lesson is confirmed and none is doubtful")
		return
	}
	for _, d := range ds {
		p.Strong("%s  %s  %s", d.ID, d.Why[0].Concern, d.Title(max(p.Width-28, 30)))
		p.Text("    ", says(d))
		p.Line("    %s", remedy(d))
	}
	p.Line("**Total:** %s to look at again", term.Plural(len(ds), "lesson"))
	p.Line("confirm: it holds, without what is gone too · edit: it holds otherwise, or for less · archive: it does not any more · guard: it is to be kept to")
}

func doubtCells(d lessons.Doubted) []string {
	return []string{string(d.ID), string(d.Why[0].Concern), says(d), remedy(d), d.Content}
}

func doubtObject(d lessons.Doubted) any {
	type doubt struct {
		Concern lessons.Concern `json:"concern"`
		Says    string          `json:"says"`
	}
	type object struct {
		lessons.Record
		Bound  float64 `json:"bound"`
		Doubts []doubt `json:"doubts"`
		Type   string  `json:"type"`
	}
	o := object{Record: d.Record(), Bound: d.Bound, Type: remedy(d)}
	for _, w := range d.Why {
		o.Doubts = append(o.Doubts, doubt(w))
	}
	return o
}
