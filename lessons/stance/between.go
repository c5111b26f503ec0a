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
	Antonym   Ground = "antonym"   // the same with opposite words: before and after
	Number    Ground = "number"    // the same with another number
)

// A Passage is the part of a lesson's content that opposes another's: bytes of
// the content, and their text.
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

// Between reports whether two lessons tell an agent opposite things, and
// which words do. It reads their contents alone, and answers the same whichever
// comes first, with A and B exchanged.
//
// Lessons of two projects do not contradict, nor do those for two roles, unless
// one is global or for any role; nor do claims for situations that have nothing
// in common ("in tests", "for releases"), nor lessons of which a person has said
// that both hold ([lessons.Lesson.HoldsWith]).
//
// It knows negation, things that exclude each other, opposite words and numbers
// with units. What takes knowledge of the world it does not find.
func Between(a, b lessons.Lesson) (Contradiction, bool) { return Of(a).Contradicts(Of(b)) }

// Contradicts is [Between] for lessons that were read before. It compares them in
// an order of their own, so that the answer does not depend on which is asked.
func (s Stance) Contradicts(o Stance) (Contradiction, bool) {
	if !meet(s.lesson, o.lesson) {
		return Contradiction{}, false
	}
	if cmp.Or(cmp.Compare(s.lesson.ID, o.lesson.ID), cmp.Compare(s.lesson.Content, o.lesson.Content)) <= 0 {
		return opposed(s, o)
	}
	c, ok := opposed(o, s)
	c.A, c.B = c.B, c.A
	return c, ok
}

// meet reports whether one agent can be told both.
func meet(a, b lessons.Lesson) bool {
	switch {
	case a.ID == b.ID && a.ID != "", a.Beside(b):
		return false
	case !a.Scope.Global && !b.Scope.Global && !strings.EqualFold(a.Scope.Project, b.Scope.Project):
		return false
	case a.Scope.Role != "" && b.Scope.Role != "" && roleBase(a.Scope.Role) != roleBase(b.Scope.Role):
		return false
	}
	return true
}

func roleBase(role string) string {
	base, _, _ := strings.Cut(role, ":")
	return strings.ToLower(base)
}

// opposed compares all claims of one with all of the other. The grounds are
// asked in their order, so that the plainest one is named.
func opposed(a, b Stance) (Contradiction, bool) {
	for _, g := range []struct {
		ground Ground
		holds  func(a, b *signed) bool
	}{{Polarity, denies}, {Exclusive, excludes}, {Antonym, inverts}, {Number, differs}} {
		for i := range a.claims {
			for j := range b.claims {
				x, y := &a.claims[i], &b.claims[j]
				if g.holds(x, y) && !agree(a.claims, b.claims, x, y) {
					c := Contradiction{Ground: g.ground, A: passage(a.lesson, x), B: passage(b.lesson, y)}
					c.Why = why(g.ground, c, x, y)
					return c, true
				}
			}
		}
	}
	return Contradiction{}, false
}

// agree reports that the texts take the same side elsewhere: "X, never Y" and
// "Y is wrong, always X" share both. It keeps a claim that was read wrongly from
// setting against each other two lessons that say the same.
func agree(a, b []signed, x, y *signed) bool {
	for i := range a {
		for j := range b {
			p, q := &a[i], &b[j]
			if p == x && q == y || p.con != q.con {
				continue
			}
			if p.con && sameThing(p, q) {
				return true
			}
		}
	}
	return false
}

// sameThing reports that two claims are about the same things, whole.
func sameThing(p, q *signed) bool {
	a, b := p.stems, q.stems
	return len(a) == len(b) && len(a) > 0 && len(b) > 0 && contained(a, b) >= 0.99 && contained(b, a) >= 0.99 && (p.Verb == q.Verb || p.item || q.item)
}

func passage(l lessons.Lesson, c *signed) Passage {
	return Passage{c.Start, c.End, l.Content[c.Start:c.End]}
}

func why(g Ground, c Contradiction, x, y *signed) string {
	a, b := lessons.Line(c.A.Text), lessons.Line(c.B.Text)
	switch g {
	case Polarity:
		if x.con {
			return fmt.Sprintf("“%s” is against what “%s” asks for", clipped(a), clipped(b))
		}
		return fmt.Sprintf("“%s” asks for what “%s” is against", clipped(a), clipped(b))
	case Exclusive:
		for id, p := range x.adopts {
			q, ok := y.adopts[id]
			if ok && p.member == q.member {
				return fmt.Sprintf("one takes %s and the other refuses it: “%s”, “%s”", lexis.spelled[p.member], clipped(a), clipped(b))
			}
			if ok {
				return fmt.Sprintf("%s and %s are two %s: “%s”, “%s”", lexis.spelled[p.member], lexis.spelled[q.member], groups[id-1].name, clipped(a), clipped(b))
			}
		}
	case Number:
		if m, n, ok := twoNumbers(x, y); ok {
			return fmt.Sprintf("%s and %s for the same: “%s”, “%s”", amount(m), amount(n), clipped(a), clipped(b))
		}
	}
	return fmt.Sprintf("opposite words for the same: “%s”, “%s”", clipped(a), clipped(b))
}

func clipped(s string) string { return lessons.Lesson{Wording: lessons.Wording{Content: s}}.Title(90) }

func amount(m quantity) string {
	unit := map[string]string{"time": " s", "size": " bytes", "share": " %", "number": ""}
	u, ok := unit[m.dimension]
	if !ok {
		u = " " + m.dimension
	}
	return fmt.Sprintf("%g%s", m.value, u)
}

// contained is how much of a is in b, from 0 to 1.
func contained(a, b []string) float64 {
	if len(a) == 0 {
		return 0
	}
	n := 0
	for _, w := range a {
		if slices.Contains(b, w) {
			n++
		}
	}
	return float64(n) / float64(len(a))
}

// telling are those of the stems that more than any lesson could have.
func telling(ws []string) int {
	n := 0
	for _, w := range ws {
		if !lexis.common[w] {
			n++
		}
	}
	return n
}

func inCommon(a, b []string) (out []string) {
	for _, w := range a {
		if slices.Contains(b, w) && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// coincide reports that two claims can be meant for one situation.
func coincide(p, q *Claim) bool {
	if contained(p.unless, q.When) >= 0.5 || contained(q.unless, p.When) >= 0.5 {
		return false
	}
	return overlap(p.When, q.When) && overlap(p.For, q.For)
}

// overlap reports that two situations may be one. None is any.
func overlap(a, b []string) bool {
	if len(a) == 0 || len(b) == 0 {
		return true
	}
	x, y := contained(a, b), contained(b, a)
	return max(x, y) >= 0.34 && (telling(inCommon(a, b)) > 0 || min(x, y) >= 0.99)
}

// generic are the classes of verbs that say little of what is to be done.
var generic = stemSet("use be have create")

// denies reports that one claim is for what the other is against.
func denies(x, y *signed) bool {
	if x.con == y.con {
		return false
	}
	p, c := x, y
	if x.con {
		p, c = y, x
	}
	if !coincide(&p.Claim, &c.Claim) {
		return false
	}
	if p.only && len(p.When) > 0 && (len(c.unless)+len(c.When) > 0 || c.narrow) {
		return false // "only when S" and "not unless S" say the same
	}
	if p.order != "" && c.order != "" && p.order != c.order {
		return false // and so do "after S" and "not before S"
	}
	if c.item || p.item {
		return deniesItem(p, c)
	}
	if p.Verb != c.Verb && !lexis.near[[2]string{p.Verb, c.Verb}] {
		return false
	}
	if len(p.Subject) > 0 && len(c.Subject) > 0 && max(contained(p.Subject, c.Subject), contained(c.Subject, p.Subject)) < 0.5 {
		return false
	}
	if (len(c.When) > 0 && len(p.When) == 0 || c.narrow && !p.narrow) && !p.always {
		return false // a rule and its exception
	}
	a, b := p.stems, c.stems
	generic := generic[p.Verb]
	if len(b) == 0 {
		return len(a) == 0 && len(c.unless) == 0 && !generic && (len(c.When) == 0 || contained(c.When, p.When) >= 0.67 && contained(p.When, c.When) >= 0.67)
	}
	common := inCommon(a, b)
	if telling(common) == 0 && (generic || len(common) == 0) ||
		len(p.Object) > 0 && len(c.Object) > 0 && len(inCommon(p.Object, c.Object)) == 0 {
		return false
	}
	need := 0.75
	switch {
	case c.choice && len(b) > 2:
		need = 0.6
	case len(b) <= 2:
		need = 1
	}
	return contained(b, a) >= need && contained(a, b) >= 0.34
}

// deniesItem compares where one of the two is a thing named in passing: "not Y",
// "instead of Y", "Y is deprecated".
func deniesItem(p, c *signed) bool {
	item, other := c, p
	if !c.item {
		item, other = p, c
	}
	if len(item.adopts) > 0 && len(other.adopts) > 0 {
		return false // excludes knows better
	}
	if item.gone && other.Verb == "be" || item.swap && other.stated {
		return false
	}
	things, whole := item.stems, other.stems
	if len(item.Object) == 0 {
		whole = slices.Concat(whole, other.When)
	}
	if len(things) == 0 || telling(inCommon(things, whole)) == 0 {
		return false
	}
	need := 0.75
	if len(things) <= 2 {
		need = 1
	}
	if contained(things, whole) < need {
		return false
	}
	extra := outside(other.Object, things)
	if item.gone {
		return contained(other.Object, things) >= 0.5 && contained(things, other.Object) >= 0.5 || telling(things) >= 2 || slices.ContainsFunc(things, identifier)
	}
	if other.Verb != item.Verb && (!item.loose || contained(item.When, append(other.stems, other.own)) < 0.6) {
		return false
	}
	if left := outside(other.stems, things); item.Verb != "use" && !item.loose && len(item.Subject) > 0 && len(left) > 0 && telling(inCommon(left, item.Subject)) == 0 {
		return false // not of the same thing
	}
	if len(item.Object) == 0 && len(other.Object)+len(item.Subject) > 0 && len(inCommon(other.Object, item.Subject)) == 0 {
		return false // "not in the database": of the same thing only
	}
	return len(extra) <= 1 || len(inCommon(extra, slices.Concat(item.Subject, item.When))) > 0
}

// excludes reports that two claims take different members of an exclusive group
// into use, or one takes a member that the other refuses.
func excludes(x, y *signed) bool {
	if x.con && y.con {
		return false
	}
	for g, p := range x.adopts {
		q, ok := y.adopts[g]
		if !ok || (p.member == q.member) == (x.con == y.con) || x.con != y.con && p.member != q.member {
			continue
		}
		if coincide(&x.Claim, &y.Claim) && sameWork(g, p, q) {
			return true
		}
	}
	return false
}

// sameWork reports that two adoptions are for the same work.
func sameWork(g int, p, q adoption) bool {
	for _, x := range [][2]adoption{{p, q}, {q, p}} {
		if x[0].command != "" && len(x[1].about) > 0 && !slices.Contains(x[1].about, x[0].command) {
			return false
		}
	}
	if len(p.about) == 0 && len(q.about) == 0 {
		return true
	}
	if len(p.about) == 0 || len(q.about) == 0 {
		rest := slices.Concat(p.about, q.about)
		for _, w := range rest {
			if lexis.about[g][w] {
				return true
			}
		}
		return len(rest) <= 2
	}
	shared := inCommon(p.about, q.about)
	return len(shared) > 0 && 2*len(shared) >= min(len(p.about), len(q.about))
}

// inverts reports that two claims for the same say it with opposite words, or
// ask for opposite deeds.
func inverts(x, y *signed) bool {
	if x.con || y.con {
		return false
	}
	a, b := x.stems, y.stems
	if slices.Contains(lexis.opposite[x.own], y.own) || slices.Contains(lexis.opposite[x.Verb], y.Verb) {
		common := inCommon(a, b)
		return coincide(&x.Claim, &y.Claim) && telling(common) > 0 && contained(a, b) >= 0.75 && contained(b, a) >= 0.75
	}
	if x.Verb != y.Verb {
		return false
	}
	if x.order != "" && y.order != "" && x.order != y.order {
		return contained(x.When, y.When) >= 0.5 && contained(y.When, x.When) >= 0.5 && contained(a, b) >= 0.5 && contained(b, a) >= 0.5
	}
	if !coincide(&x.Claim, &y.Claim) {
		return false
	}
	a, b = slices.Concat(a, x.adverbs), slices.Concat(b, y.adverbs)
	for _, w := range a {
		for _, o := range lexis.opposite[w] {
			if !slices.Contains(b, o) || slices.Contains(b, w) || slices.Contains(a, o) {
				continue
			}
			rest, other := except(a, w), except(b, o)
			if telling(inCommon(rest, other)) > 0 && contained(rest, other) >= 0.6 && contained(other, rest) >= 0.6 {
				return true
			}
		}
	}
	return false
}

// outside are those of a that b does not have.
func outside(a, b []string) (out []string) {
	for _, w := range a {
		if !slices.Contains(b, w) {
			out = append(out, w)
		}
	}
	return out
}

func except(ws []string, w string) (out []string) {
	for _, o := range ws {
		if o != w {
			out = append(out, o)
		}
	}
	return out
}

// differs reports that two claims say the same but for a number.
func differs(x, y *signed) bool {
	_, _, ok := twoNumbers(x, y)
	return ok
}

func twoNumbers(x, y *signed) (m, n quantity, ok bool) {
	if len(x.measures) == 0 || len(y.measures) == 0 || x.con != y.con || x.Verb != y.Verb || !coincide(&x.Claim, &y.Claim) {
		return m, n, false
	}
	a, b := slices.Concat(x.Subject, x.stems, x.When, x.For), slices.Concat(y.Subject, y.stems, y.When, y.For)
	for _, m := range x.measures {
		for _, n := range y.measures {
			if m.dimension != n.dimension || m.value == n.value || m.bound != "" && n.bound != "" && m.bound != n.bound {
				continue
			}
			rest, other := noNumbers(a), noNumbers(b)
			if !setting(rest, m) || !setting(other, n) {
				continue
			}
			if common := inCommon(rest, other); (telling(common) > 0 || len(common) > 0 && !generic[x.Verb]) && contained(rest, other) >= 0.6 && contained(other, rest) >= 0.6 {
				return m, n, true
			}
		}
	}
	return m, n, false
}

// setting reports that a number is a rule and not part of an example.
func setting(ws []string, m quantity) bool {
	return m.bound != "" || lexis.settings[lexis.stem(m.dimension)] || slices.ContainsFunc(ws, func(w string) bool { return lexis.settings[w] })
}

func noNumbers(ws []string) (out []string) {
	for _, w := range ws {
		if w == "" || w[0] >= '0' && w[0] <= '9' || numerals[w] != "" || w == "fiv" || w == "nin" || w == "%" {
			continue
		}
		if _, unit := units[w]; unit {
			continue
		}
		out = append(out, w)
	}
	return out
}
