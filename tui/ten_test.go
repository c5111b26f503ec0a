package tui

import (
	"fmt"
	"testing"
	"time"

	"learnings/lessons"
	"learnings/tui/review"
)

// many are likely proposals: 14 of the project the person is in, the newer 12 of another.
func many() (ls []lessons.Lesson) {
	of := proposals()[0]
	for i := range 26 {
		l := of
		l.ID, l.Content, l.Scope.Project = lessons.ID(fmt.Sprintf("ten%05d", i)), fmt.Sprintf("Name release %s%c before the tag", "v", 'a'+i), "octofs"
		if l.Created = noon.Add(-time.Duration(50-i) * time.Hour); i >= 14 {
			l.Scope.Project = "webshop"
		}
		l.Evidence = append([]lessons.Evidence{}, l.Evidence...)
		l.Evidence[0].Line, l.Evidence[0].At = 2000+i, l.Created
		ls = append(ls, l)
	}
	return ls
}

// The ten best of the project the person is in are shown, then the next ten; what is behind
// them is counted, and undo, marks, filters and orders go on as before.
func TestTenAtATime(t *testing.T) {
	fx := fxOn(newCorpus(t, many()...))
	fx.Next.Project = "octofs"
	p := playing(t, fx, 120, 40).wants(t, "at first", "1 Review 26", "likely 26", "1/10", "octofs", "4 more in this project, 12 in others", "n brings 10")
	for _, l := range p.a.review.Rows {
		if l.Scope.Project != "octofs" {
			t.Errorf("%s of %s is among the first ten", l.ID, l.Scope.Project)
		}
	}
	first := ids(p.a.review)
	p.press("x").wants(t, "one is decided on", "1 Review 25", "1/9", "4 more in this project")
	p.press("u").wants(t, "undone", "1 Review 26", "1/10", "4 more in this project")
	if now := ids(p.a.review); now != first {
		t.Errorf("after undo: %s, before: %s", now, first)
	}
	p.press("*").wants(t, "marked", "10 marked").press("x", "y").wants(t, "the next ten", "1 Review 16", "likely 16", "1/10", "6 more in other projects")
	p.press("n").wants(t, "more", "1/16").press("u").wants(t, "the ten are back", "1 Review 26", "/26")
	p = playing(t, fx, 80, 24).wants(t, "low", "10 here · 4 more in this project, 12 in others · n brings 10")
	p.press("n").wants(t, "twenty", "/20", "20 here · 6 more in other projects · n brings 6").press("n").wants(t, "all", "/26", "26 left")
	p = playing(t, fx, 120, 40)
	p.press(">").wants(t, "another order", "1/26").press("<").wants(t, "and back", "1/10")
	p.press("/").typed("release").press("enter").wants(t, "a filter", "1/26").press("esc").wants(t, "without it", "/10")
}

func ids(p review.Review) (s string) {
	for _, l := range p.Rows {
		s += string(l.ID) + " "
	}
	return s
}
