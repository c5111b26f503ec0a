package render

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"learnings/cmd/internal/term"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/lessons/pairs"
)

// Contradictions lists contradictions, each with the command that settles it.
func Contradictions(ps []pairs.Pair) term.Answer {
	return term.List[pairs.Pair]{Items: ps,
		Page: func(p *term.Page) {
			if len(ps) == 0 {
				p.Line("nothing: no two lessons are found to contradict each other")
				return
			}
			for i, c := range ps {
				p.Strong("%d. %s", i+1, c.Judgement.Ground)
				p.Text("   ", c.Judgement.Why)
				side(p, "keep", c.Keep)
				side(p, "lose", c.Lose)
				s, why := curate.Propose(c.Keep, c.Lose)
				p.Line("   %s    (%s)", Resolving(s), why)
				fmt.Fprintln(p.W)
			}
			p.Line("**Total:** %s. To keep both: learnings resolve A B --both \"when each holds\"", term.Plural(len(ps), "contradiction"))
		},
		Cells: func(c pairs.Pair) []string {
			s, _ := curate.Propose(c.Keep, c.Lose)
			return []string{string(c.Keep.ID), string(c.Lose.ID), string(c.Judgement.Ground), c.Judgement.Why, c.Order, Resolving(s), c.Keep.Content, c.Lose.Content}
		},
		Object: func(c pairs.Pair) any {
			s, _ := curate.Propose(c.Keep, c.Lose)
			return term.Object(nil, "keep", c.Keep.Record(), "lose", c.Lose.Record(), "ground", c.Judgement.Ground, "why", c.Judgement.Why,
				"keep_says", c.Judgement.A.Text, "lose_says", c.Judgement.B.Text, "order", c.Order, "type", Resolving(s))
		}}
}

func side(p *term.Page, word string, l lessons.Lesson) {
	p.Line("   %s  %s  %s · %s", word, l.ID, l.Status, scope(l.Scope))
	p.Text("         ", l.Content)
}

// Doubts lists lessons to look at again, each with the likeliest command.
func Doubts(ds []lessons.Doubted) term.Answer {
	return term.List[lessons.Doubted]{Items: ds,
		Page: func(p *term.Page) {
			if len(ds) == 0 {
				p.Line("nothing: every active lesson is confirmed and none is doubtful")
				return
			}
			for _, d := range ds {
				p.Strong("%s  %s  %s", d.ID, d.Why[0].Concern, d.Title(max(p.Width-28, 30)))
				p.Text("    ", doubts(d))
				p.Line("    %s", remedy(d))
			}
			p.Line("**Total:** %s to look at again", term.Plural(len(ds), "lesson"))
			p.Line("approve: it holds, without what is gone too · edit: it holds otherwise, or for less, or no more · guard: it is to be kept to")
		},
		Cells: func(d lessons.Doubted) []string {
			return []string{string(d.ID), string(d.Why[0].Concern), doubts(d), remedy(d), d.Content}
		},
		Object: func(d lessons.Doubted) any {
			return term.Object(d.Record(), "bound", d.Bound, "doubts", d.Why, "type", remedy(d))
		}}
}

// doubts returns the reasons against a lesson.
func doubts(d lessons.Doubted) string {
	all := make([]string, len(d.Why))
	for i, w := range d.Why {
		all[i] = w.Says
	}
	return strings.Join(all, "; ")
}

func remedy(d lessons.Doubted) string {
	id := string(d.ID)
	switch r := d.Remedy(); {
	case r == lessons.Narrow && d.Scope.Global && d.Scope.Project != "":
		return "learnings edit " + id + " --global=false"
	case r == lessons.Narrow:
		return "learnings edit " + id + " --path 'GLOB'"
	case r == lessons.Reword:
		return "learnings edit " + id + " --content 'TEXT'"
	case r == lessons.Archive:
		return "learnings edit " + id + " --status archived"
	case r == lessons.Confirm:
		return "learnings approve " + id
	default:
		return "learnings " + string(r) + " " + id
	}
}

// Linted is the result of linting many lessons.
type Linted struct {
	Found []Findings // lessons with findings
	Of    int        // lessons linted
}

// Findings are the findings on one lesson.
type Findings struct {
	lesson lessons.Lesson
	all    []lessons.Finding
}

// Note adds findings on a lesson. It keeps only the parts of the lesson that are shown.
func (ls *Linted) Note(l lessons.Lesson, fs []lessons.Finding) {
	if ls.Of++; len(fs) > 0 {
		l = lessons.Lesson{ID: l.ID, Status: l.Status, Scope: l.Scope, Created: l.Created, Wording: lessons.Wording{Content: l.Content}}
		ls.Found = append(ls.Found, Findings{l, fs})
	}
}

// Sort sorts by age, newest first.
func (ls *Linted) Sort() {
	slices.SortFunc(ls.Found, func(a, b Findings) int {
		return cmp.Or(cmp.Compare(b.lesson.Created.Unix(), a.lesson.Created.Unix()), cmp.Compare(a.lesson.ID, b.lesson.ID))
	})
}

// String says how many lessons could be better.
func (ls Linted) String() string {
	return fmt.Sprintf("%d of %s could be better", len(ls.Found), term.Plural(ls.Of, "lesson"))
}

// Answer lists the findings, for a script one on each line.
func (ls Linted) Answer() term.Answer {
	return term.List[Findings]{Items: ls.Found,
		Page: func(p *term.Page) {
			for _, f := range ls.Found {
				p.Strong("%s  %s  %s", f.lesson.ID, f.lesson.Status, f.lesson.Title(max(p.Width-22, 30)))
				for _, g := range f.all {
					p.Text("    ", fmt.Sprintf("%s: %s", g.Code, advice(g)))
				}
				p.Line("    learnings edit %s", f.lesson.ID)
			}
			p.Line("**Total:** %s", ls)
		},
		Lines: func(f Findings) (out [][]string) {
			for _, g := range f.all {
				out = append(out, []string{string(f.lesson.ID), string(f.lesson.Status), string(g.Code), g.Found, g.Says, f.lesson.Content})
			}
			return out
		},
		Object: func(f Findings) any {
			l := f.lesson
			return term.Object(nil, "id", l.ID, "status", l.Status, "project", l.Scope.Project, "content", l.Content, "findings", f.all)
		}}
}

// Readings lists lessons that may say the same as one, likeliest first.
func Readings(of lessons.Lesson, found []pairs.Candidate) term.Answer {
	cells := func(c pairs.Candidate) []string {
		return []string{string(c.Lesson.ID), string(c.Lesson.Status), fmt.Sprintf("%d of %d", c.Both, c.All), c.Lesson.Content}
	}
	return term.List[pairs.Candidate]{Items: found, Cells: cells,
		Page: func(p *term.Page) {
			p.Heading(2, "Perhaps the same as %s", of.ID)
			p.Text("", of.Content)
			if len(found) == 0 {
				p.Line("nothing is near it")
				return
			}
			p.Table([]string{"ID", "Status", "Overlap", "Content"}, term.Rows(found, cells), 3)
			p.Line("the same? learnings merge %s ID", of.ID)
		},
		Object: func(c pairs.Candidate) any {
			l := c.Lesson
			return term.Object(nil, "id", l.ID, "status", l.Status, "overlap", float64(c.Both)/float64(max(c.All, 1)), "rank", c.Score, "content", l.Content,
				"rule", pairs.ByParaphrase, "ids", []lessons.ID{of.ID, l.ID}, "project", l.Scope.Project)
		}}
}

// A Check is the number of findings of one kind of check.
type Check struct {
	Kind  string `json:"kind"`
	Count int    `json:"count"`
	Says  string `json:"says"`
}

// Checks lists the counts.
func Checks(all []Check) term.Answer {
	cells := func(c Check) []string { return []string{c.Kind, strconv.Itoa(c.Count), c.Says} }
	return term.List[Check]{Items: all, Cells: cells, Object: func(c Check) any { return c }, Page: func(p *term.Page) {
		p.Table([]string{"Kind", "Found", ""}, term.Rows(all, cells), 2)
		p.Line("`learnings check KIND` lists them; `learnings check recurring` reads transcripts for mistakes that come back")
	}}
}
