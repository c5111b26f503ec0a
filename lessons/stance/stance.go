// Package stance says which lessons contradict each other. It is pure: it reads
// the texts of lessons, and knows nothing of files or of an index.
//
// It knows negation, things that exclude each other, and numbers with units. What
// takes knowledge of the world it does not find.
package stance

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"learnings/lessons"
)

// A Ground is the kind of a contradiction: one word.
type Ground string

const (
	Polarity  Ground = "polarity"  // one is for what the other is against
	Exclusive Ground = "exclusive" // two things of which a project uses one
	Number    Ground = "number"    // the same with another number
	Value     Ground = "value"     // the newer one gives the slot of the older one another value
)

// A Passage is the part of a lesson's content that contradicts another's: bytes
// of the content, and their text.
type Passage struct {
	Start, End int
	Text       string
}

// A Contradiction is why two lessons contradict each other.
type Contradiction struct {
	Ground Ground
	Why    string // in words for a person, on one line and safe to show
	A, B   Passage
}

// Between reports whether two lessons tell an agent opposite things, and which
// words do. It reads their contents alone, of each the first 4 KB, and answers the
// same whichever comes first, with A and B exchanged.
//
// Lessons of two projects do not contradict each other, nor do those for two
// roles, unless one is global or for any role; nor do claims for situations that
// have nothing in common ("in tests", "for releases"), nor lessons of which a
// person has said that both hold ([lessons.Lesson.HoldsWith]).
func Between(a, b lessons.Lesson) (Contradiction, bool) { return Of(a).Contradicts(Of(b)) }

// A Stance is what a lesson is for and against. Reading it once pays
// where one lesson is compared with several.
type Stance struct {
	lesson    *lessons.Outline
	claims    []claim
	clauses   []clause
	announced bool     // it says that something changes
	told      []string // where it was said; none is not known
	paths     []string // the files that it is for
}

// Of reads the stance of a lesson.
func Of(l lessons.Lesson) Stance {
	o := l.Outline()
	s := stanceOf(&o, nil, nil)
	s.told, s.paths = told(l), l.Limit.Paths
	return s
}

func stanceOf(o *lessons.Outline, seen map[string]word, parts pieces) Stance {
	s := Stance{lesson: o, claims: read(o.Content, seen)}
	s.clauses, s.announced = clauses(o.Content, parts)
	return s
}

// told are the sessions and the files in which a lesson was said. What was told together
// in one of them is no change, unless it says so.
func told(l lessons.Lesson) (out []string) {
	for _, e := range l.Evidence {
		if e.Session != "" {
			out = append(out, e.Session)
		} else if e.Path != "" {
			out = append(out, e.Path)
		}
	}
	if l.Origin.Source != "" {
		out = append(out, l.Origin.Source)
	}
	return out
}

// Contradicts is [Between] for lessons that were read before.
func (s Stance) Contradicts(o Stance) (Contradiction, bool) {
	if !meet(s.lesson, o.lesson) {
		return Contradiction{}, false
	}
	// An order of their own makes the answer the same both ways.
	if cmp.Or(cmp.Compare(s.lesson.ID, o.lesson.ID), cmp.Compare(s.lesson.Content, o.lesson.Content)) <= 0 {
		return between(s, o)
	}
	c, ok := between(o, s)
	c.A, c.B = c.B, c.A
	return c, ok
}

// A Contrary is a lesson that contradicts another one.
type Contrary struct {
	Lesson        lessons.Lesson
	Contradiction // A is the passage of the lesson that was asked about
}

// Against gives those of some lessons that contradict one, in the order in which
// [Prefer] would keep them.
func Against(l lessons.Lesson, some []lessons.Lesson) (out []Contrary) {
	s := Of(l)
	for _, o := range some {
		if c, ok := s.Contradicts(Of(o)); ok {
			out = append(out, Contrary{o, c})
		}
	}
	slices.SortFunc(out, func(a, b Contrary) int {
		if first, _ := Prefer(a.Lesson, b.Lesson); first {
			return -1
		}
		return 1
	})
	return out
}

// A Memory has the stances of some lessons that were read before, by their ids.
type Memory map[lessons.ID]Stance

func (m Memory) of(l *lessons.Lesson) Stance {
	s, ok := m[l.ID]
	if !ok {
		if len(m) >= mostRead {
			clear(m)
		}
		s = Of(*l)
		m[l.ID] = s
	}
	return s
}

// Compatible leaves out of a group of duplicates those of which a person has said
// that they hold beside another of the group, and those that contradict one or name
// another value: "use npm instead of pnpm" has all the words of "use pnpm instead of
// npm". What is left may be one lesson alone.
func (m Memory) Compatible(group []lessons.Lesson) []lessons.Lesson {
	if len(group) < 2 {
		return group
	}
	var out []lessons.Lesson
	for i := range group {
		if !slices.ContainsFunc(out[:min(len(out), mostBeside)], func(l lessons.Lesson) bool { return m.apart(l, group[i]) }) {
			out = append(out, group[i])
		}
	}
	return out
}

// mostBeside is with how many of a group each other lesson of it is compared.
const mostBeside = 16

// Apart reports that two lessons that are alike do not say the same: they contradict each
// other, or each names a value that the other does not.
func Apart(a, b lessons.Lesson) bool { return Memory{}.apart(a, b) }

func (m Memory) apart(a, b lessons.Lesson) bool {
	if lessons.BothHold(a, b) {
		return true
	}
	s, o := m.of(&a), m.of(&b)
	if _, against := s.Contradicts(o); against {
		return true
	}
	x, y := s.values(), o.values()
	named := func(v, o string) bool { // RepoMap and repomap.RepoMap
		return v == o || strings.HasSuffix(v, "."+o) || strings.HasSuffix(o, "."+v) || strings.HasSuffix(v, "/"+o) || strings.HasSuffix(o, "/"+v)
	}
	lacks := func(p, q []string) bool {
		return slices.ContainsFunc(p, func(v string) bool { return !slices.ContainsFunc(q, func(o string) bool { return named(v, o) }) })
	}
	return lacks(x, y) && lacks(y, x)
}

// values are those that the clauses name.
func (s Stance) values() (out []string) {
	for _, c := range s.clauses {
		for _, v := range c.values {
			out = append(out, v.text)
		}
	}
	return out
}

// meet reports whether one agent can be told both.
func meet(a, b *lessons.Outline) bool {
	return (a.ID != b.ID || a.ID == "") && !a.HoldsBeside(b) &&
		(a.Scope.Global || b.Scope.Global || strings.EqualFold(a.Scope.Project, b.Scope.Project)) &&
		(a.Scope.Role == "" || b.Scope.Role == "" || base(a.Scope) == base(b.Scope))
}

func base(s lessons.Scope) string {
	base, _, _ := strings.Cut(s.Role, ":")
	return strings.ToLower(base)
}

// between compares all claims of one with all of the other, so that the plainest
// ground is named.
func between(a, b Stance) (Contradiction, bool) {
	for _, g := range grounds {
		for i := range a.claims {
			for j := range b.claims {
				x, y := &a.claims[i], &b.claims[j]
				if why := g.why(x, y); why != "" {
					p, q := passage(a.lesson, x), passage(b.lesson, y)
					return Contradiction{g.ground, fmt.Sprintf(why, clipped(p.Text), clipped(q.Text)), p, q}, true
				}
			}
		}
	}
	return replaced(a, b)
}

// replaced finds a value of the older of two lessons that the newer one replaces.
func replaced(a, b Stance) (Contradiction, bool) {
	older, newer := a, b
	if x, y := a.lesson.Created, b.lesson.Created; x.After(y) {
		older, newer = b, a
	}
	together := slices.ContainsFunc(a.told, func(s string) bool { return slices.Contains(b.told, s) })
	// What holds here may differ from what holds everywhere, or elsewhere.
	p, q := a.lesson.Scope, b.lesson.Scope
	if !slices.Equal(a.paths, b.paths) || !newer.announced && (p.Global != q.Global || base(p) != base(q)) {
		return Contradiction{}, false
	}
	c, ok := changed(older, newer, together)
	if !ok {
		return Contradiction{}, false
	}
	part := func(l *lessons.Outline, c clause) Passage { return Passage{c.start, c.end, l.Content[c.start:c.end]} }
	x, y := part(older.lesson, c.old), part(newer.lesson, c.new)
	if older.lesson != a.lesson {
		x, y = y, x
	}
	return Contradiction{Value, c.why(), x, y}, true
}

func passage(l *lessons.Outline, c *claim) Passage {
	return Passage{c.start, c.end, l.Content[c.start:c.end]}
}

// clipped is a passage as it is quoted: on one line of at most 90 characters.
func clipped(s string) string {
	return lessons.Lesson{Wording: lessons.Wording{Content: lessons.Line(s)}}.Title(90)
}

// LookFor gives the words by which a search over an index finds what may contradict
// a lesson: its own, and the others of exclusive groups. What is found has still to
// be compared.
func LookFor(l lessons.Lesson) string {
	out := strings.ToValidUTF8(beginning(l.Content), "") + "\n"
	for _, c := range read(l.Content, nil) {
		for _, u := range c.uses {
			if g := known().members[u.member].group; g != nil {
				out += strings.Join(g.members, " ") + " "
			}
		}
	}
	return out
}

// Asks reports whether a text asks for something: it has an instruction in English, or
// says what is not to be done. A statement of how things are asks for nothing.
func Asks(text string) bool {
	k := known()
	if slices.ContainsFunc(read(text, nil), func(c claim) bool { return c.con }) {
		return true
	}
	ws := k.split(text, nil)
	for i, w := range ws {
		begins := i == 0 || ws[i-1].is(".", ",") || ws[i-1].is("please", "always", "then")
		if begins && (w.base() && i+1 < len(ws) && !ws[i+1].is(".", ",") || w.has("refusal", "approval")) {
			return true
		}
	}
	return false
}
