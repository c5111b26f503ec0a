package index_test

import (
	"fmt"
	"testing"
	"time"

	"learnings/index"
	"learnings/lessons"
)

// TestStats counts the lessons of one project and of all.
func TestStats(t *testing.T) {
	now := day0.AddDate(0, 0, 10)
	var ls []lessons.Lesson
	for i := range 14 {
		ls = append(ls, lesson(fmt.Sprintf("id%02d", i), "Run it", func(l *lessons.Lesson) {
			l.Scope.Project = []string{"shop", "Shop"}[i/12]
			l.Status = []lessons.Status{lessons.Approved, lessons.Approved, lessons.Approved, lessons.Pending}[i%4]
			l.Lane = []lessons.Lane{"", lessons.Maybe}[i/4%2]
			l.Category = []lessons.Category{"workflows", "errors"}[i%2]
			l.Created = day0.Add(time.Duration(i) * time.Hour)
			l.Use = lessons.Use{Used: i % 3, Helped: i % 2, Harmed: []int{0, 0, 0, 0, 4}[i%5]}
			l.Pinned = i == 2
		}))
	}
	for project, want := range map[string]string{
		"":     "map[approved:11 pending:3] [workflows errors] 7 0.80 [id08 id05 id02 id13 id10] [id13 id12 id10 id09 id08] {10 4 8 1 10 2}",
		"shop": "map[approved:9 pending:3] [workflows errors] 6 0.80 [id08 id05 id02 id10 id04] [id10 id09 id08 id06 id05] {9 3 8 1 8 2}",
		"none": "map[] [] 0 0.00 [] [] {0 0 0 0 0 0}",
	} {
		s := index.NewStats()
		for _, l := range ls {
			if project == "" || l.Scope.Project == project {
				s.Add(l, now)
			}
		}
		most := s.Categories["workflows"]
		got := fmt.Sprintf("%v %v %d %.2f %v %v %v", s.Statuses, s.Order(), most.N, most.Average(), ids(s.Used), ids(s.Recent), s.Proof)
		if got != want {
			t.Errorf("of %q:\n got %s\nwant %s", project, got, want)
		}
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
