// Package stance says which lessons contradict each other. It is pure: it reads the
// texts of lessons and knows nothing of files or of an index.
package stance

import (
	"slices"
	"strings"

	"learnings/lessons"
)

// This file reads what a lesson is for and what it is against. The rules are:
//
//   - A text is cut into sentences and those into claims: one verb, what it is
//     done to, and when. "never", "do not", "avoid" and their like turn a claim
//     around; "X instead of Y" is one claim for X and one against Y.
//   - What cannot be read is left out. Half a claim is worse than none: it would
//     make two lessons oppose each other that do not.

// A Stance is a lesson with what it is for and against.
type Stance struct {
	lesson lessons.Lesson
	claims []signed
}

// Of reads the content of a lesson. Of a text of more than 4 KB it reads
// the beginning.
func Of(l lessons.Lesson) Stance { return Stance{l, parse(l.Content)} }

// Pro is what a lesson is for, in the order of the text.
func (s Stance) Pro() []Claim { return s.side(false) }

// Con is what it is against.
func (s Stance) Con() []Claim { return s.side(true) }

func (s Stance) side(con bool) (out []Claim) {
	for _, c := range s.claims {
		if c.con == con {
			out = append(out, c.Claim)
		}
	}
	return out
}

// A Claim is one thing that a lesson wants done, or says to be so; or, of
// [Stance.Con], does not.
type Claim struct {
	Verb       string   // the class of verbs that say the same: "use" for "prefer"
	Object     []string // stems of what it is done to
	Rest       []string // stems of the other parts: to, from, with, by …
	Subject    []string // stems of who or what does it, where that is said
	When       []string // stems of the situation; none is: always
	For        []string // stems of the purpose, where that is said
	Start, End int      // bytes of the content that say so

	stems    []string // of Object and Rest, each once
	own      string   // the verb itself
	item     bool     // said of a thing in passing ("not Y"), so that the verb says little
	always   bool
	only     bool
	stated   bool     // a statement, and no instruction
	gone     bool     // the thing is said to be gone or deprecated
	unless   []string // stems of the exception
	order    string   // "before" or "after", of When
	measures []quantity
	swap     bool              // of "replace Y with X", which may be about a text
	loose    bool              // whatever is done with it
	narrow   bool              // only of some of its objects
	choice   bool              // "a or b": each of them
	adverbs  []string          // words of order and manner that are opposites of others
	adopts   map[int]adoption  // by group
	pairs    map[string]string // preposition to the first stem behind it
}

// An adoption is a member of an exclusive group that a claim takes into use.
type adoption struct {
	member  string
	about   []string // what for; none is: for everything
	command string   // the one of its commands that is meant: "npm view"
}

// A signed claim knows which side it is on while it is read.
type signed struct {
	Claim
	con bool
}

// A reader reads one sentence after the other.
type reader struct {
	out     []signed
	pending []string // stems of a situation named before its claims
	aim     []string
	order   string
	unless  []string
	from    int // the first claim of the sentence
}

func parse(text string) []signed {
	ms := marks(text)
	var r reader
	for start := 0; start < len(ms); {
		end := start
		for end < len(ms) && !ms[end].is(".", ";", ":", "!", "?", "\n") {
			end++
		}
		r.sentence(ms[start:end])
		start = end + 1
	}
	if len(r.out) > maxClaims {
		r.out = r.out[:maxClaims]
	}
	return r.out
}

// sentence reads the segments between commas and before conjunctions that a new
// claim follows.
func (r *reader) sentence(ms []mark) {
	*r = reader{out: r.out, from: len(r.out)}
	for start := 0; start < len(ms) && len(r.out) < maxClaims; {
		end := start
		for end < len(ms) && !ms[end].is(",", "(", ")") && (end == start || !joinsClaims(ms, end)) {
			end++
		}
		r.segment(ms[start:end])
		if start = end; start < len(ms) && ms[start].is(",", "(", ")") {
			start++
		}
	}
}

// joinsClaims reports a conjunction behind which another claim begins.
func joinsClaims(ms []mark, i int) bool {
	if !ms[i].is("and", "but", "or", "then", "so", "nor") || i+1 >= len(ms) {
		return false
	}
	next := ms[i+1]
	if next.is("always", "never", "do", "don't", "must", "should", "avoid", "then", "not") {
		return true
	}
	if i+2 < len(ms) && next.stem != "" && lexis.member[next.stem] > 0 && lexis.scope[ms[i+2].text] {
		return true // "snake_case for X and camelCase in Y"
	}
	return !ms[i].is("or") && baseVerb(next)
}

// baseVerb reports a verb in the form of an instruction.
func baseVerb(m mark) bool {
	return !m.code && lexis.verb[m.stem] != "" && !strings.HasSuffix(m.text, "ing") && !strings.HasSuffix(m.text, "ed") &&
		!(strings.HasSuffix(m.text, "s") && m.stem != m.text)
}

func (r *reader) segment(ms []mark) {
	for len(ms) > 0 && ms[0].is("and", "but", "or", "then", "so", "nor", "also", "please") {
		ms = ms[1:]
	}
	if len(ms) == 0 {
		return
	}
	last := len(r.out) - 1
	switch {
	case len(ms) > 1 && ms[0].is("not") && ms[1].is("just", "only", "merely"):
	case r.contrast(ms, last):
	case lexis.scope[ms[0].text] || ms[0].is("to") && len(ms) > 1 && lexis.verb[ms[1].stem] != "":
		r.situation(ms)
	case len(r.out) > r.from && lexis.member[ms[0].stem] > 0 && len(ms) > 1 && lexis.scope[ms[1].text]:
		c := clause{verb: r.out[last].own, con: r.out[last].con}
		c.parts(ms)
		r.add(c, ms)
	case lexis.reason[ms[0].text]:
	default:
		r.clause(ms)
	}
}

// contrast reads "not Y", "instead of Y" and "never from Y" behind a claim.
func (r *reader) contrast(ms []mark, last int) bool {
	if last < r.from {
		return false
	}
	skip := 0
	switch {
	case ms[0].is("not", "never", "no") && len(ms) > 1 && !verbAhead(ms[1:]):
		skip = 1
	case ms[0].is("instead", "rather") && len(ms) > 2 && ms[1].is("of", "than"):
		skip = 2
	default:
		return false
	}
	base := r.out[last]
	if verbAhead(ms[skip:]) {
		c := clause{con: !base.con}
		c.read(ms[skip:])
		r.add(c, ms)
		return true
	}
	c := clause{verb: base.own, con: !base.con, item: true}
	c.parts(ms[skip:])
	c.context = slices.Concat(base.Subject, base.Object)
	if len(c.object)+len(c.rest) == 0 {
		c.rest, c.when = c.when, nil // "in A, not in B"
	} else {
		c.when = append(c.when, base.When...)
	}
	c.aim = append(c.aim, base.For...)
	c.gone = ms[0].is("no")
	r.add(c, ms)
	return true
}

// verbAhead reports that a verb comes next, as an instruction or a gerund.
func verbAhead(ms []mark) bool {
	for len(ms) > 0 && ms[0].is("to", "just", "also") {
		ms = ms[1:]
	}
	return len(ms) > 0 && !ms[0].code && lexis.verb[ms[0].stem] != "" && (baseVerb(ms[0]) && len(ms) > 1 || strings.HasSuffix(ms[0].text, "ing"))
}

// situation keeps what holds for the claims of the sentence that follow, or for
// those before when it comes last.
func (r *reader) situation(ms []mark) {
	if k := startsWithin(ms); k > 0 {
		// "In the dashboard prefer X": no comma before the instruction.
		r.situation(ms[:k])
		r.clause(ms[k:])
		return
	}
	c := clause{}
	c.parts(ms)
	if len(r.out) == r.from {
		r.pending, r.aim = append(r.pending, c.when...), append(r.aim, c.aim...)
		r.order, r.unless = c.order, append(r.unless, c.unless...)
		return
	}
	// "use X, not Y, to Z": what comes last holds for both.
	for k := len(r.out) - 1; k >= r.from; k-- {
		last := &r.out[k]
		last.When, last.For = append(last.When, c.when...), append(last.For, c.aim...)
		last.unless = append(last.unless, c.unless...)
		if c.order != "" {
			last.order = c.order
		}
		last.adopts = adoptions(&last.Claim)
		if !last.item {
			return
		}
	}
}

// startsWithin finds where an instruction begins behind a situation.
func startsWithin(ms []mark) int {
	for k := 2; k+1 < len(ms); k++ {
		if ms[k].is("never", "always", "avoid", "prefer", "use", "don't") || ms[k].is("do", "must") && ms[k+1].is("not") {
			return k
		}
	}
	return 0
}

func (r *reader) clause(ms []mark) {
	c := clause{}
	if c.read(ms) {
		r.add(c, ms)
	}
}

// add turns a clause into its claims.
func (r *reader) add(c clause, ms []mark) {
	for _, one := range c.claims() {
		if c.pronoun && len(one.Object) == 0 && len(r.out) > 0 {
			// "keep them": what the claim before was about.
			before := r.out[len(r.out)-1]
			if one.Object = before.Object; before.Verb == "be" || len(before.Object) == 0 {
				one.Object = before.Subject
			}
		}
		one.When = append(slices.Clone(r.pending), one.When...)
		one.For = append(slices.Clone(r.aim), one.For...)
		one.unless = append(slices.Clone(r.unless), one.unless...)
		if one.order == "" {
			one.order = r.order
		}
		one.Start, one.End = ms[0].start, ms[len(ms)-1].end
		one.stems = slices.Concat(one.Object, one.Rest)
		slices.Sort(one.stems)
		one.stems = slices.Compact(one.stems)
		one.adopts = adoptions(&one.Claim)
		if len(one.Object)+len(one.Rest)+len(one.Subject) > 0 || one.own != "" && one.own != "be" {
			r.out = append(r.out, one)
		}
	}
}

// adoptions finds the members of exclusive groups that a claim takes into use.
func adoptions(c *Claim) map[int]adoption {
	var out map[int]adoption
	put := func(stem string) {
		g := lexis.member[stem]
		if g == 0 || len(lexis.takes[g]) > 0 && (c.swap || !lexis.takes[g][c.Verb]) {
			return
		}
		var about []string
		for _, w := range slices.Concat(c.Object, c.Rest, c.When, c.For) {
			if w != stem {
				about = append(about, w)
			}
		}
		if c.Verb != "use" && c.Verb != "be" && c.own != stem {
			about = append(about, c.own)
		}
		if out == nil {
			out = map[int]adoption{}
		}
		if had, twice := out[g]; twice && had.member != stem {
			out[g] = adoption{} // both: it takes no side
			return
		}
		out[g] = adoption{member: stem, about: about}
		if len(c.Object) > 1 && c.Object[0] == stem {
			out[g] = adoption{stem, about, c.Object[1]}
		}
	}
	put(c.own)
	takes := c.Verb == "use" || c.item || c.Verb == "be" && len(c.Object) <= 2
	if n := len(c.Object); n > 0 {
		if takes {
			put(c.Object[n-1])
		}
		if takes && n > 1 || c.Verb == "run" {
			put(c.Object[0])
		}
	}
	for prep, stem := range c.pairs {
		if !swaps[c.own] && slices.Contains([]string{"with", "via", "through", "using", "by", "in", "as", "on"}, prep) {
			put(stem)
		}
	}
	for g, a := range out {
		if a.member == "" {
			delete(out, g)
		}
	}
	return out
}
