package pairs

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Thresholds for two clauses to name one slot, as shares of the weight of their words,
// and for how much one may say beyond the other. They were set on the half of
// ../shared/outside/pairs that was not held out.
const (
	ofSmaller, ofBoth            = 0.60, 0.42
	ofSmallerSaid, ofBothSaid    = 0.45, 0.22 // if the newer one announces a change
	mostResidue, mostResidueSaid = 1.3, 3.5
	conditionClash               = 0.7
	sameFrame, sameFrameWords    = 0.9, 5
)

// A change is a new value that a newer clause assigns to an older one's slot.
type change struct {
	old, new clause
	from, to string // as they are written
	both     float64
}

// changed finds how the newer of two lessons changes the older one. If they were said
// together, the change must be announced.
func changed(older, newer *Reading, together bool) (best change, ok bool) {
	for i := range older.clauses {
		for j := range newer.clauses {
			c := compare(&older.clauses[i], &newer.clauses[j], newer.announced)
			if from, to, is := c.changes(together); is && (!ok || c.both > best.both) {
				best, ok = change{older.clauses[i], newer.clauses[j], from, to, c.both}, true
			}
		}
	}
	return best, ok
}

// why says what changes, in words.
func (c change) why() string {
	var both []string
	for _, t := range c.new.tokens {
		if t.kind == 'w' && slices.Contains(c.new.frame, t.stem) && slices.Contains(c.old.frame, t.stem) {
			both = append(both, t.text)
		}
	}
	about := "the same"
	if len(both) > 0 {
		about = "“" + strings.Join(both, " ") + "”"
	}
	return fmt.Sprintf("both are about %s: %s before, %s now", clipped(about), clipped(c.from), clipped(c.to))
}

// A comparison is of an older and a newer clause.
type comparison struct {
	p, q   *clause
	k      *knowledge
	said   bool     // the newer one announces a change
	shared []string // stems of both frames
	both   float64  // their share of the weight of both
	meet   [][2]value
	same   int // values that both give
}

// compare compares two clauses that name one slot by their words; else it returns nil.
func compare(p, q *clause, said bool) *comparison {
	if len(p.given) == 0 || len(q.given) == 0 {
		return nil
	}
	shared, smaller := 0.0, min(p.weight, q.weight)
	for i, w := range p.frame {
		if slices.Contains(q.frame, w) {
			shared += p.weights[i]
		}
	}
	small, both, residue := ofSmaller, ofBoth, mostResidue
	if said {
		small, both, residue = ofSmallerSaid, ofBothSaid, mostResidueSaid
	}
	all := p.weight + q.weight - shared
	if shared == 0 || shared < small*smaller || shared < both*all || smaller-shared >= residue {
		return nil
	}
	c := comparison{p: p, q: q, k: known(), said: said, both: shared / all}
	for _, w := range p.frame {
		if slices.Contains(q.frame, w) {
			c.shared = append(c.shared, w)
		}
	}
	for _, u := range p.values {
		for _, v := range q.values {
			switch {
			case u.refused || v.refused:
			case u.text == v.text:
				c.same++
			case !slices.Contains(q.given, u.text) && !slices.Contains(p.given, v.text) && u.meets(v, said):
				c.meet = append(c.meet, [2]value{u, v})
			}
		}
	}
	return &c
}

// weight returns the weight of a stem: low if many lessons have it.
func (k *knowledge) weight(w string) float64 {
	if x, ok := k.weights[w]; ok {
		return x
	}
	return rare
}

func (k *knowledge) weigh(ws []string, but []string) (sum float64) {
	for _, w := range ws {
		if !slices.Contains(but, w) {
			sum += k.weight(w)
		}
	}
	return sum
}

// otherCondition reports whether each has a condition of its own.
func (c *comparison) otherCondition() bool {
	return c.k.weigh(c.p.when, c.q.frame) > conditionClash && c.k.weigh(c.q.when, c.p.frame) > conditionClash
}

// changes returns the old and the new value.
func (c *comparison) changes(together bool) (from, to string, ok bool) {
	if c == nil || len(c.meet) == 0 || c.p.con || c.q.con || together && !c.said || c.otherThing() || c.otherSubject() || c.otherCondition() || c.additive() {
		return "", "", false
	}
	least := 2
	if slices.ContainsFunc(c.meet, func(m [2]value) bool { return m[0].kind != 'L' || c.said && m[0].meets(m[1], false) }) {
		least = 1
	}
	return c.meet[0][0].as, c.meet[0][1].as, len(c.shared)+c.same >= least
}

// additive reports whether the clauses ask for something that can apply to many things
// side by side, so that another object is another rule.
func (c *comparison) additive() bool {
	runs := func(x *clause) bool {
		return slices.ContainsFunc(x.values, func(v value) bool { return v.kind == 'L' && shapeOf(v.text) == command })
	}
	return (c.both < sameFrame || len(c.shared)+c.same < sameFrameWords) && (c.p.adds && !runs(c.p) || c.q.adds && !runs(c.q))
}

// meets reports whether two values can fill one slot: members of one group, quantities of
// one dimension, or literals, of one shape unless a change is announced.
func (u value) meets(v value, said bool) bool {
	switch {
	case u.text == v.text:
		return false
	case u.kind != v.kind:
		return u.kind != 'N' && v.kind != 'N'
	case u.kind == 'G':
		return u.of == v.of
	case u.kind == 'N':
		return u.of == v.of || u.of == "" || v.of == ""
	case said:
		return true
	}
	x, y := shapeOf(u.text), shapeOf(v.text)
	if x != command || y != command {
		return x == y
	}
	p, q := strings.Fields(u.text), strings.Fields(v.text)
	if p[0] != q[0] { // another program for the same work
		return slices.ContainsFunc(p[1:], func(w string) bool { return slices.Contains(q[1:], w) })
	}
	return len(p) == 2 && strings.HasSuffix(p[0], ":") || len(p) > 2 && 10*(len(p)-len(without(p, q))) >= 3*(len(p)+len(q))
}

const command = "command"

// shapeOf returns what a literal looks like.
func shapeOf(s string) string {
	switch {
	case strings.Contains(s, " "):
		return command
	case strings.HasPrefix(s, "_"):
		return "suffix"
	case strings.HasSuffix(s, "_"), strings.HasSuffix(s, ":"), strings.HasSuffix(s, "-"):
		return "prefix"
	case strings.Contains(s, "/"), len(path.Ext(s)) > 1 && len(path.Ext(s)) < 7:
		return "path"
	case strings.ContainsAny(s, "0123456789"):
		return "code"
	}
	return "word"
}

// otherThing reports whether a common noun has different modifiers: "function names",
// "method names".
func (c *comparison) otherThing() bool {
	verbs := []string{c.p.verb, c.q.verb, "start", "end"}
	for _, x := range [2][2]*clause{{c.p, c.q}, {c.q, c.p}} {
		if slices.Contains(x[0].frame, "start") && slices.Contains(x[1].frame, "end") && !slices.Contains(x[0].frame, "end") && !slices.Contains(x[1].frame, "start") {
			return true
		}
	}
	for _, w := range c.shared {
		a, b := c.p.before[slices.Index(c.p.frame, w)], c.q.before[slices.Index(c.q.frame, w)]
		if a != "" && b != "" && a != b && !slices.Contains(verbs, w) && !slices.Contains(verbs, a) && !slices.Contains(verbs, b) && c.k.weight(a) > .3 && c.k.weight(b) > .3 {
			return true
		}
	}
	return false
}

// otherSubject reports whether both state something about different things: "the API
// listens", "the web server listens".
func (c *comparison) otherSubject() bool {
	a, b := c.p.subject(), c.q.subject()
	return len(a) > 0 && len(b) > 0 && !slices.ContainsFunc(a, func(w string) bool { return slices.Contains(b, w) })
}

// subject returns the subject of a statement; nil for an instruction.
func (c *clause) subject() (out []string) {
	for _, t := range c.tokens {
		switch {
		case t.kind == 'p':
			return nil
		case t.has(isState):
			return out
		case t.has(isStop | isNoise):
		case t.has(isVerb):
			return out
		case t.kind == 'w':
			out = append(out, t.stem)
		case t.kind == 'v':
			out = append(out, t.value.text)
		}
	}
	return nil
}
