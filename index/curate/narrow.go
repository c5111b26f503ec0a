package curate

import (
	"fmt"
	"strings"

	"learnings/lessons"
)

// A Narrowing limits each of two contradicting lessons to where it was said, so that both
// are right.
type Narrowing struct {
	By   string // what differs between the places: "project", "role" or "files"
	A, B Narrower
}

// A Narrower is a lesson after narrowing.
type Narrower struct {
	lessons.Lesson
	Where   string // where it holds then, safe to show
	Changed bool   // it holds in fewer places than before
}

// Narrowed narrows two lessons that were said in different places, each to its own: to its
// project if one holds in all, to its role, or to the files it is limited to. It returns
// false if they were said in the same place, or nobody knows where.
func Narrowed(a, b lessons.Lesson) (Narrowing, bool) {
	x, y := a.Scope, b.Scope
	if x.Project != "" && y.Project != "" && !strings.EqualFold(x.Project, y.Project) && (x.Global || y.Global) {
		a.Scope.Global, b.Scope.Global = false, false
		return Narrowing{"project", Narrower{a, lessons.Line(x.Project), x.Global}, Narrower{b, lessons.Line(y.Project), y.Global}}, true
	}
	if x.Role != "" && y.Role != "" && x.Role != y.Role {
		return Narrowing{"role", Narrower{a, lessons.Line(x.Role), false}, Narrower{b, lessons.Line(y.Role), false}}, true
	}
	p, q := a.Limit.Paths, b.Limit.Paths
	if len(p) == 0 || len(q) == 0 || meet(p, q) {
		return Narrowing{}, false
	}
	return Narrowing{"files", Narrower{a, lessons.Line(strings.Join(p, ", ")), false}, Narrower{b, lessons.Line(strings.Join(q, ", ")), false}}, true
}

// Own describes where the lessons then hold, as in "each in its own project".
func (n Narrowing) Own() string { return "each in its own " + n.By }

// reason returns the text stored with both lessons: which of them holds where.
func (n Narrowing) reason() string {
	return fmt.Sprintf("%s: %s in %s, %s in %s", n.Own(), n.A.ID, n.A.Where, n.B.ID, n.B.Where)
}

// meet reports whether a pattern of p may match a file that one of q matches.
func meet(p, q []string) bool {
	for _, a := range p {
		for _, b := range q {
			if lessons.MeansFile(a, b) || lessons.MeansFile(b, a) {
				return true
			}
		}
	}
	return false
}
