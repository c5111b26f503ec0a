package view

import (
	"fmt"

	"learnings/cmd/internal/term"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/lessons/stance"
)

// Contradictions lists the contradictions of a corpus, with what settles each.
func Contradictions(ps []stance.Pair) term.Answer {
	return term.List[stance.Pair]{Items: ps, Page: contradictionList(ps).show, Cells: contradictionCells, Object: contradictionObject}
}

type contradictionList []stance.Pair

func (ps contradictionList) show(p *term.Page) {
	if len(ps) == 0 {
		p.Line("nothing: no two lessons are found to contradict each other")
		return
	}
	for i, c := range ps {
		p.Strong("%d. %s", i+1, c.Contradiction.Ground)
		p.Text("   ", c.Contradiction.Why)
		for _, side := range []struct {
			word   string
			lesson lessons.Lesson
		}{{"keep", c.Keep}, {"lose", c.Lose}} {
			l := side.lesson
			p.Line("   %s  %s  %s · %s", side.word, l.ID, l.Status, Scope(l.Scope))
			p.Text("         ", l.Content)
		}
		s, why := curate.Propose(c.Keep, c.Lose)
		p.Line("   %s    (%s)", Resolving(s), why)
		fmt.Fprintln(p.W)
	}
	p.Line("**Total:** %s. To keep both: learnings resolve A B --both \"when each holds\"", term.Plural(len(ps), "contradiction"))
}

func contradictionCells(c stance.Pair) []string {
	s, _ := curate.Propose(c.Keep, c.Lose)
	return []string{string(c.Keep.ID), string(c.Lose.ID), string(c.Contradiction.Ground), c.Contradiction.Why, c.Order,
		Resolving(s), c.Keep.Content, c.Lose.Content}
}

func contradictionObject(c stance.Pair) any {
	s, _ := curate.Propose(c.Keep, c.Lose)
	type object struct {
		Keep     lessons.Record `json:"keep"`
		Lose     lessons.Record `json:"lose"`
		Ground   stance.Ground  `json:"ground"`
		Why      string         `json:"why"`
		KeepSays string         `json:"keep_says"` // the words that contradict the others
		LoseSays string         `json:"lose_says"`
		Order    string         `json:"order"` // why that one is to be kept
		Type     string         `json:"type"`
	}
	return object{c.Keep.Record(), c.Lose.Record(), c.Contradiction.Ground, c.Contradiction.Why,
		c.Contradiction.A.Text, c.Contradiction.B.Text, c.Order, Resolving(s)}
}
