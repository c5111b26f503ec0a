package index_test

import (
	"fmt"
	"testing"

	"learnings/lessons"
)

// Projects keep their spelling, and their lessons are counted by status.
func TestProjects(t *testing.T) {
	var ls []lessons.Lesson
	for i := range 14 {
		ls = append(ls, lesson(fmt.Sprintf("id%02d", i), "Run it", func(l *lessons.Lesson) {
			l.Scope.Project = []string{"shop", "Shop"}[i/12]
			l.Status = []lessons.Status{lessons.Approved, lessons.Approved, lessons.Approved, lessons.Pending}[i%4]
		}))
	}
	all, err := fill(t, ls...).Projects(t.Context())
	if got := fmt.Sprint(all); err != nil || got != "map[Shop:map[approved:2] shop:map[approved:9 pending:3]]" {
		t.Errorf("projects %s, %v", got, err)
	}
}

func ids(ls []lessons.Lesson) []lessons.ID {
	out := []lessons.ID{}
	for _, l := range ls {
		out = append(out, l.ID)
	}
	return out
}
