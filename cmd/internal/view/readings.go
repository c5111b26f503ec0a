package view

import (
	"strconv"

	"learnings/cmd/internal/term"
	"learnings/lessons"
	"learnings/lessons/match"
)

// Readings lists lessons that perhaps say the same as one, the likeliest first.
func Readings(of lessons.Lesson, found []match.Reading) term.Answer {
	r := readings{of, found}
	return term.List[match.Reading]{Items: found, Page: r.show, Cells: readingCells, Object: r.object}
}

// readings are the candidates for one lesson, the likeliest first.
type readings struct {
	of    lessons.Lesson
	found []match.Reading
}

func (r readings) show(p *term.Page) {
	p.Heading(2, "Perhaps the same as %s", r.of.ID)
	p.Text("", r.of.Content)
	rows := make([][]string, 0, len(r.found))
	for _, c := range r.found {
		rows = append(rows, []string{string(c.Lesson.ID), string(c.Lesson.Status), c.Lesson.Content, strconv.FormatFloat(c.Overlap, 'f', 2, 64)})
	}
	if len(rows) == 0 {
		p.Line("nothing is near it")
		return
	}
	p.Table([]string{"ID", "Status", "Content", "Overlap"}, rows, 2)
	p.Line("the same? learnings merge %s ID", r.of.ID)
}

func readingCells(c match.Reading) []string {
	return []string{string(c.Lesson.ID), string(c.Lesson.Status), strconv.FormatFloat(c.Overlap, 'f', 2, 64), c.Lesson.Content}
}

func (r readings) object(c match.Reading) any {
	type object struct {
		ID      lessons.ID     `json:"id"`
		Status  lessons.Status `json:"status"`
		Overlap float64        `json:"overlap"` // of the keywords of both, synonyms included
		Rank    float64        `json:"rank"`    // by which they are ordered
		Content string         `json:"content"`
		Rule    match.Rule     `json:"rule"`
		IDs     [2]lessons.ID  `json:"ids"`
		Project string         `json:"project"`
	}
	return object{c.Lesson.ID, c.Lesson.Status, c.Overlap, c.Score, c.Lesson.Content, match.ByParaphrase,
		[2]lessons.ID{r.of.ID, c.Lesson.ID}, c.Lesson.Scope.Project}
}
