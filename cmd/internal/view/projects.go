package view

import (
	"fmt"
	"strings"

	"learnings/cmd/internal/term"
	"learnings/lessons"
)

// A ProjectCount is how many lessons a project has of each status.
type ProjectCount struct {
	Project string                 `json:"project"`
	Total   int                    `json:"total"`
	Counts  map[lessons.Status]int `json:"counts"`
	Aliases []string               `json:"aliases,omitempty"`
}

// Projects lists projects with how many lessons they have.
func Projects(ps []ProjectCount) term.Answer {
	return term.List[ProjectCount]{Items: ps, Page: projectList(ps).show, Cells: ProjectCount.cells, Object: func(x ProjectCount) any { return x }}
}

type projectList []ProjectCount

func (ps projectList) show(p *term.Page) {
	if len(ps) == 0 {
		p.Line("no lessons yet: `learnings extract` takes them from sessions")
		return
	}
	rows := make([][]string, 0, len(ps))
	for _, x := range ps {
		rows = append(rows, []string{x.Project, fmt.Sprint(x.Counts[lessons.Approved]), fmt.Sprint(x.Counts[lessons.Pending]),
			fmt.Sprint(x.Total), strings.Join(x.Aliases, ", ")})
	}
	p.Table([]string{"Project", "Approved", "Pending", "All", "Aliases"}, rows, 0)
	p.Line("**Total:** %s", term.Plural(len(ps), "project"))
}

func (x ProjectCount) cells() []string {
	return []string{x.Project, fmt.Sprint(x.Counts[lessons.Approved]), fmt.Sprint(x.Counts[lessons.Pending]), fmt.Sprint(x.Total), strings.Join(x.Aliases, ",")}
}
