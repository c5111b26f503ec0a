package pairs

import (
	"fmt"
	"slices"
	"strings"
)

// Shares of words from which two claims are about the same thing, set on the pairs of
// testdata/stances.jsonl that are not held out.
const (
	mostOf = 0.6  // of the words of what is refused, or beside a number or a member of a group
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

// mostly reports whether most stems of each set are in the other.
func mostly(a, b []string) bool { return contained(a, b) >= mostOf && contained(b, a) >= mostOf }

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
}{{Polarity, polarity}, {Exclusive, excludes}, {Number, differs}}

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

// differs compares the numbers of two otherwise equal claims.
func differs(x, y *claim) string {
	if len(x.numbers) == 0 || len(y.numbers) == 0 || x.con != y.con || x.verb != y.verb || !coincide(x, y) {
		return ""
	}
	a, b := x.besides(), y.besides()
	if !telling(append(a, x.own), append(b, y.own)) || !mostly(a, b) {
		return ""
	}
	for _, m := range x.settings() {
		for _, n := range y.settings() {
			if m.dimension == n.dimension && m.value != n.value {
				return strings.ReplaceAll(fmt.Sprintf("%g %s and %g %s", m.value, m.dimension, n.value, n.dimension), "%", "%%") + " for the same: “%s”, “%s”"
			}
		}
	}
	return ""
}

// settings returns the numbers of a claim that are rules rather than parts of examples.
func (c *claim) settings() []quantity {
	k := known()
	rule := slices.ContainsFunc(c.besides(), func(w string) bool { return k.settings[w] })
	return slices.DeleteFunc(slices.Clone(c.numbers), func(q quantity) bool { return !rule && !q.bound && !k.settings[k.stem(q.dimension)] })
}

// besides returns the stems of a claim without numbers and units.
func (c *claim) besides() []string {
	k := known()
	return slices.DeleteFunc(c.whole(), func(w string) bool {
		return w[0] >= '0' && w[0] <= '9' || k.numbers[w] != "" || k.units[w] != ""
	})
}
