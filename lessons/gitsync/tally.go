package gitsync

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"learnings/lessons"
)

// A Tally counts what became of lessons, by what was done.
type Tally map[string]int

// deeds are all that a Tally counts, in the order in which it is told.
var deeds = []string{"approved", "rejected", "merged", "archived", "reopened", "proposed", "edited", "used", "removed", "forgotten", "moved"}

func (t Tally) String() string {
	var out []string
	for _, d := range deeds {
		if t[d] > 0 {
			out = append(out, fmt.Sprintf("%d %s", t[d], d))
		}
	}
	return strings.Join(out, ", ")
}

// tallyOf counts how a side differs from what it was.
func tallyOf(was, is *side) Tally {
	t := Tally{}
	for id, d := range is.docs {
		if deed := deedOf(was.docs[id], d); deed != "" {
			t[deed]++
		}
	}
	for id := range was.docs {
		if is.docs[id] == nil {
			if is.gone[id] {
				t["forgotten"]++
			} else {
				t["removed"]++
			}
		}
	}
	return t
}

var deedTo = map[lessons.Status]string{
	lessons.Approved: "approved", lessons.Rejected: "rejected", lessons.Merged: "merged", lessons.Archived: "archived", lessons.Pending: "reopened",
}

func deedOf(was, is *doc) string {
	switch {
	case was == nil && is.lesson.Status == lessons.Pending:
		return "proposed"
	case was == nil || was.lesson.Status != is.lesson.Status:
		return deedTo[is.lesson.Status]
	case was.name == is.name && was.Path == is.Path:
		return ""
	case was.name == is.name:
		return "moved"
	}
	a, b := was.lesson, is.lesson
	if a.Decided != b.Decided && b.Status != lessons.Pending {
		return deedTo[b.Status]
	}
	a.Use, a.Proof, b.Use, b.Proof = lessons.Use{}, lessons.Proof{}, lessons.Use{}, lessons.Proof{}
	a.Confidence, b.Confidence = 0, 0
	if same(a, b) {
		return "used"
	}
	return "edited"
}

// message is what a commit says: what was done and never what a lesson says, for
// nothing takes words out of a commit again.
func message(t Tally, is, was tree) string {
	if s := t.String(); s != "" {
		return "learnings: " + s + "\n"
	}
	n := 0
	for _, p := range slices.Concat(slices.Collect(maps.Keys(is)), slices.Collect(maps.Keys(was))) {
		if is[p] != was[p] {
			n++
		}
	}
	return fmt.Sprintf("learnings: %d files\n", n)
}
