package gitsync

import (
	"fmt"
	"strings"

	"learnings/lessons"
)

// A Tally counts lessons by what was done to them: "approved", "edited", and so on.
type Tally map[string]int

// counted are all that a Tally counts, in the order in which it is told.
var counted = []string{"approved", "rejected", "merged", "archived", "reopened", "proposed", "edited", "used", "removed", "forgotten", "moved"}

func (t Tally) String() string {
	var out []string
	for _, what := range counted {
		if t[what] > 0 {
			out = append(out, fmt.Sprintf("%d %s", t[what], what))
		}
	}
	return strings.Join(out, ", ")
}

// Add adds another tally to this one.
func (t Tally) Add(more Tally) {
	for what, n := range more {
		t[what] += n
	}
}

// changesOf counts how a state differs from an earlier one.
func changesOf(was, is *snapshot) Tally {
	t := Tally{}
	for id, d := range is.Docs {
		if what := changeOf(was.Docs[id], d); what != "" {
			t[what]++
		}
	}
	for id := range was.Docs {
		switch {
		case is.Docs[id] != nil:
		case is.Gone[id]:
			t["forgotten"]++
		default:
			t["removed"]++
		}
	}
	return t
}

var became = map[lessons.Status]string{
	lessons.Approved: "approved", lessons.Rejected: "rejected", lessons.Merged: "merged", lessons.Archived: "archived", lessons.Pending: "reopened",
}

func changeOf(was, is *doc) string {
	switch {
	case was == nil && is.Lesson.Status == lessons.Pending:
		return "proposed"
	case was == nil || was.Lesson.Status != is.Lesson.Status:
		return became[is.Lesson.Status]
	case was.is(is):
		return ""
	case was.Name == is.Name:
		return "moved"
	}
	a, b := was.Lesson, is.Lesson
	a.Decided.Signed, b.Decided.Signed = "", ""
	if a.Decided != b.Decided && b.Status != lessons.Pending {
		return became[b.Status]
	}
	a.Use, a.Proof, b.Use, b.Proof = lessons.Use{}, lessons.Proof{}, lessons.Use{}, lessons.Proof{}
	a.Confidence, b.Confidence = 0, 0
	if same(a, b) {
		return "used"
	}
	return "edited"
}
