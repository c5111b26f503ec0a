package curate

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"learnings/lessons"
)

// A Narrowing is two lessons that contradict each other, each of which holds only where
// it was said: then both are right.
type Narrowing struct {
	By   string // what tells the places apart: "project", "role" or "files"
	A, B Narrower
}

// A Narrower is a lesson as it would be.
type Narrower struct {
	lessons.Lesson
	Where   string // it holds then, safe to show
	Changed bool   // it holds in fewer places than before
}

// Narrowed finds whether two lessons were said in different places, and narrows each to
// its own: to its project where one holds in all, to its role, or to the files that it
// names. It is false when they were said in the same place, or nobody knows where.
func Narrowed(a, b lessons.Lesson) (Narrowing, bool) {
	x, y := a.Scope, b.Scope
	if x.Project != "" && y.Project != "" && !strings.EqualFold(x.Project, y.Project) && (x.Global || y.Global) {
		a.Scope.Global, b.Scope.Global = false, false
		return Narrowing{"project", Narrower{a, lessons.Line(x.Project), x.Global}, Narrower{b, lessons.Line(y.Project), y.Global}}, true
	}
	if x.Role != "" && y.Role != "" && x.Role != y.Role {
		return Narrowing{"role", Narrower{a, lessons.Line(x.Role), false}, Narrower{b, lessons.Line(y.Role), false}}, true
	}
	p, q := filesOf(a), filesOf(b)
	if len(p) == 0 || len(q) == 0 || meet(p, q) {
		return Narrowing{}, false
	}
	n := Narrowing{"files", Narrower{a, lessons.Line(strings.Join(p, ", ")), len(a.Limit.Paths) == 0}, Narrower{b, lessons.Line(strings.Join(q, ", ")), len(b.Limit.Paths) == 0}}
	n.A.Limit.Paths, n.B.Limit.Paths = p, q
	return n, true
}

// Own says what each of the lessons has for itself, as in "each in its own project".
func (n Narrowing) Own() string { return "each in its own " + n.By }

// reason is what is kept with both lessons: which of them holds where.
func (n Narrowing) reason() string {
	return fmt.Sprintf("%s: %s in %s, %s in %s", n.Own(), n.A.ID, n.A.Where, n.B.ID, n.B.Where)
}

// filesOf are the files that a lesson is for: those of its limit, or else those that its
// sentence and what persons said of it name.
func filesOf(l lessons.Lesson) []string {
	if len(l.Limit.Paths) > 0 {
		return l.Limit.Paths
	}
	texts := []string{l.Content}
	for _, e := range l.Evidence {
		if e.By == lessons.ByPerson {
			texts = append(texts, e.Quote)
		}
	}
	var out []string
	for _, text := range texts {
		for w := range strings.FieldsSeq(text) {
			w = strings.TrimFunc(w, func(r rune) bool { return unicode.IsPunct(r) && !strings.ContainsRune("/_*.", r) })
			w = strings.TrimPrefix(strings.TrimRight(w, "."), "./")
			if isFile(w) && !slices.Contains(out, w) && len(out) < lessons.MaxTerms {
				out = append(out, w)
			}
		}
	}
	return out
}

// suffixes are of the files that lessons name.
var suffixes = strings.Fields("go mod sum py js mjs ts tsx jsx vue svelte css scss html rs c h cc cpp hpp java kt swift rb php cs scala ex lua zig sh bash sql md txt json yaml yml toml xml proto tf ini cfg conf lock")

// isFile reports that a word names a file or a folder of a project.
func isFile(w string) bool {
	if len(w) > 200 || strings.Contains(w, "://") || strings.HasPrefix(w, "/") || strings.HasPrefix(w, "~") || strings.HasPrefix(w, "..") || !lessons.FilePattern(w) {
		return false
	}
	base := w[strings.LastIndexByte(w, '/')+1:]
	if base == "" {
		return len(w) > 1
	}
	dot := strings.LastIndexByte(base, '.')
	return dot >= 0 && slices.Contains(suffixes, base[dot+1:]) && (dot > 0 || strings.HasPrefix(base, "."))
}

// meet reports that one of some patterns may mean what one of others means.
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
