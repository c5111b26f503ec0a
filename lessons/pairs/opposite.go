package pairs

import "slices"

// Shares of words from which two claims are about the same thing, set on the pairs of
// testdata/stances.jsonl that are not held out.
const (
	mostOf = 0.6  // of the words of what is refused, or beside a member of a group
	halfOf = 0.5  // of an exception
	someOf = 0.34 // of a situation, or of what is asked for
)

// contained returns the share of a that is in b, from 0 to 1; 0 if a is empty.
func contained(a, b []string) float64 {
	n := 0
	for _, w := range a {
		if slices.Contains(b, w) {
			n++
		}
	}
	return float64(n) / float64(max(len(a), 1))
}

// telling reports whether two sets share a stem that is not common to most lessons.
func telling(a, b []string) bool {
	common := known().common
	return slices.ContainsFunc(a, func(w string) bool { return !common[w] && slices.Contains(b, w) })
}

// whole returns the stems of a claim and its situation.
func (c *claim) whole() []string { return slices.Concat(c.what, c.when) }

// coincide reports whether two claims can apply to one situation.
func coincide(p, q *claim) bool {
	x, y := contained(p.when, q.when), contained(q.when, p.when)
	return contained(p.unless, q.when) < halfOf && contained(q.unless, p.when) < halfOf &&
		(len(p.when) == 0 || len(q.when) == 0 || max(x, y) >= someOf && (telling(p.when, q.when) || min(x, y) == 1))
}

// grounds are checked in this order. Each returns the reason as a format for the passages
// of the two claims, or "" if they do not contradict each other.
var grounds = []struct {
	ground Ground
	why    func(x, y *claim) string
}{{Polarity, polarity}, {Exclusive, excludes}}

// polarity compares a claim for something with one against it.
func polarity(x, y *claim) string {
	p, c, why := x, y, "“%s” asks for what “%s” is against"
	if x.con {
		p, c, why = y, x, "“%s” is against what “%s” asks for"
	}
	holds := func() bool {
		switch {
		case x.con == y.con, !coincide(p, c):
			return false
		case p.item || c.item:
			return deniesItem(p, c)
		case p.verb != c.verb && !slices.Contains(known().near[p.verb], c.verb),
			!telling(p.whole(), c.what):
			return false
		}
		return contained(c.what, p.whole()) >= c.needed() && contained(p.what, c.whole()) >= someOf
	}
	if !holds() {
		return ""
	}
	return why
}

// needed is the share of a claim's words that its denial must have.
func (c *claim) needed() float64 {
	if len(c.what) <= 2 || c.gone {
		return 1
	}
	return mostOf
}

// deniesItem handles a claim that only names a thing in passing: "not Y", "instead of Y",
// "Y is deprecated".
func deniesItem(p, c *claim) bool {
	item, other := c, p
	if !c.item {
		item, other = p, c
	}
	if len(item.uses) > 0 && len(other.uses) > 0 || // excludes knows better
		!telling(item.what, other.whole()) || contained(item.what, other.whole()) < item.needed() {
		return false
	}
	if item.gone {
		return len(item.beside) == 0 || contained(item.beside, other.whole()) >= halfOf
	}
	extra := slices.DeleteFunc(slices.Clone(other.what), func(w string) bool { return slices.Contains(item.what, w) })
	return other.verb == item.verb && (len(extra) <= 1 || contained(extra, slices.Concat(item.beside, item.when)) > 0)
}

// excludes compares members of exclusive groups: two claims use different ones for the
// same work, or one uses what the other refuses.
func excludes(x, y *claim) string {
	if len(x.uses) == 0 || len(y.uses) == 0 || x.con && y.con || !coincide(x, y) {
		return ""
	}
	for _, u := range x.uses {
		for _, v := range y.uses {
			p, q := known().members[u.member], known().members[v.member]
			if p.group == nil || p.group != q.group || (u.member == v.member) == (x.con == y.con) {
				continue
			}
			about := slices.Concat(u.about, v.about)
			same := max(contained(u.about, v.about), contained(v.about, u.about)) >= mostOf
			if len(u.about) == 0 || len(v.about) == 0 { // of the thing in general
				same = len(about) <= 2 || slices.ContainsFunc(about, func(w string) bool { return p.about[w] })
			}
			if same && p.thing == q.thing {
				return "one takes " + p.thing + " and the other refuses it: “%s”, “%s”"
			} else if same {
				return p.thing + " and " + q.thing + " are two " + p.name + ": “%s”, “%s”"
			}
		}
	}
	return ""
}

// A condition is the part of a clause that says when, where or for what it holds: "on an
// unpushed branch". It ends before a comma, another condition, or the end of the clause.
type condition struct {
	start, end int // bytes of the content
	stems      []string
}

// conditions returns those of a clause.
func (c *clause) conditions() (out []condition) {
	open := false
	for _, t := range c.tokens {
		last := len(out) - 1
		switch {
		case t.has(isCondition|isScope) && t.kind == 'w':
			open = true
			out = append(out, condition{start: t.start, end: t.end})
			if t.has(isTurn) {
				out[last+1].stems = []string{t.text}
			}
		case !open:
		case t.kind == 'p':
			open = false
		case t.kind == 'v':
			out[last].end, out[last].stems = t.end, append(out[last].stems, t.value.text)
		case !t.has(isStop|isNoise) && !Common(t.text) && !Common(t.stem):
			out[last].end, out[last].stems = t.end, append(out[last].stems, t.stem)
		}
	}
	return slices.DeleteFunc(out, func(c condition) bool { return len(c.stems) == 0 })
}

// has reports whether a word or value of the clause has the stem.
func (c *clause) has(stem string) bool {
	return slices.ContainsFunc(c.tokens, func(t token) bool {
		return t.stem == stem || t.text == stem || t.value != nil && t.value.text == stem
	})
}

// Narrower returns the conditions that keep a text from saying what another does: those of
// the other that the clause nearest in words does not have, and those of such clauses that
// the other does not have.
func Narrower(text, other string) (lost, added []string) {
	_, own, _ := scan(text, newMemory())
	_, others, _ := scan(other, newMemory())
	l, a := narrower(own, others)
	passages := func(of string, some []condition) (out []string) {
		for _, c := range some {
			if s := of[c.start:c.end]; !slices.Contains(out, s) {
				out = append(out, s)
			}
		}
		return out
	}
	return passages(other, l), passages(text, a)
}

// narrower is [Narrower] for clauses.
func narrower(own, others []clause) (lost, added []condition) {
	for i := range others {
		p := others[i].nearest(own)
		lost = append(lost, slices.DeleteFunc(others[i].conditions(), func(c condition) bool { return c.in(p) })...)
		for _, c := range p.conditions() {
			if !slices.ContainsFunc(others, func(q clause) bool { return c.in(&q) }) {
				added = append(added, c)
			}
		}
	}
	return lost, added
}

// in reports whether a clause has all that the condition names.
func (c condition) in(of *clause) bool {
	return !slices.ContainsFunc(c.stems, func(w string) bool { return !of.has(w) })
}

// nearest returns the clause that has most of the words of c; an empty one if none has any.
func (c *clause) nearest(some []clause) *clause {
	best, most := &clause{}, 0.0
	for i := range some {
		shared := 0.0
		for j, w := range c.frame {
			if slices.Contains(some[i].frame, w) {
				shared += c.weights[j]
			}
		}
		for _, v := range c.values {
			if some[i].has(v.text) {
				shared += rare
			}
		}
		if shared > most {
			best, most = &some[i], shared
		}
	}
	return best
}

// SameConditions reports whether no condition keeps a text from saying what another does.
func SameConditions(text, other string) bool {
	lost, added := Narrower(text, other)
	return len(lost)+len(added) == 0
}
