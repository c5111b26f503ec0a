package stance

import (
	"slices"
)

// The shares of words from which on two claims speak of the same. They were set
// on the pairs of testdata/stances.jsonl that are not held out.
const (
	nearlyAll = 0.75 // of the words of what is refused must be in what is asked for
	choices   = 0.6  // the same, where it is "a, b or c"
	someOf    = 0.34 // of a situation, or of what is asked for, the other way round
	mostOf    = 0.6  // of the words beside a number or an opposite word, both ways
	halfOf    = 0.5
)

// contained is how much of a is in b, from 0 to 1; nothing is 0.
func contained(a, b []string) float64 {
	n := 0
	for _, w := range a {
		if slices.Contains(b, w) {
			n++
		}
	}
	return float64(n) / float64(max(len(a), 1))
}

// alike reports that of each of two sets of stems a share is in the other.
func alike(a, b []string, share float64) bool {
	return contained(a, b) >= share && contained(b, a) >= share
}

// telling reports that two sets of stems share one that not any lesson has.
func telling(a, b []string) bool {
	return slices.ContainsFunc(a, func(w string) bool { return !common[w] && slices.Contains(b, w) })
}

// coincide reports that two claims can be meant for one situation.
func coincide(p, q *claim) bool {
	if contained(p.unless, q.when) >= halfOf || contained(q.unless, p.when) >= halfOf {
		return false
	}
	return overlap(p.when, q.when) && overlap(p.aim, q.aim)
}

// overlap reports that two situations may be one. None is any.
func overlap(a, b []string) bool {
	x, y := contained(a, b), contained(b, a)
	return len(a) == 0 || len(b) == 0 || max(x, y) >= someOf && (telling(a, b) || min(x, y) == 1)
}

// sameThing reports that two claims are about the same things, whole.
func sameThing(p, q *claim) bool {
	return len(p.what) > 0 && alike(p.what, q.what, 1) && (p.verb == q.verb || p.item || q.item)
}

func neighbours(table map[string][]string, a, b string) bool {
	return slices.Contains(table[a], b)
}

// denies reports that one claim is for what the other is against.
func denies(x, y *claim) bool {
	p, c := x, y
	if x.con {
		p, c = y, x
	}
	switch {
	case x.con == y.con, !coincide(p, c), p.order != "" && c.order != "" && p.order != c.order, // "after S" and "not before S" say the same
		p.only && len(p.when) > 0 && (len(c.unless)+len(c.when) > 0 || c.narrow): // and so do "only when S" and "not unless S"
		return false
	case p.item || c.item:
		return deniesItem(p, c)
	case p.verb != c.verb && !neighbours(near, p.verb, c.verb),
		len(p.beside) > 0 && len(c.beside) > 0 && max(contained(p.beside, c.beside), contained(c.beside, p.beside)) < halfOf, // of two things
		(len(c.when) > 0 && len(p.when) == 0 || c.narrow && !p.narrow) && !p.always:                                          // a rule and its exception
		return false
	case len(c.what) == 0:
		return len(p.what) == 0 && len(c.unless) == 0 && !vague[p.verb] && (len(c.when) == 0 || alike(c.when, p.when, halfOf))
	case !telling(p.what, c.what) && (vague[p.verb] || len(c.what) < 2):
		return false
	}
	return contained(c.what, p.what) >= needed(c) && contained(p.what, c.what) >= someOf
}

// needed is the share of the words of a claim that one that denies it has.
func needed(c *claim) float64 {
	switch {
	case len(c.what) <= 2:
		return 1
	case c.choice:
		return choices
	}
	return nearlyAll
}

// deniesItem compares where one of the two is a thing named in passing: "not Y",
// "instead of Y", "Y is deprecated".
func deniesItem(p, c *claim) bool {
	item, other := c, p
	if !c.item {
		item, other = p, c
	}
	whole := other.what
	if item.placed {
		whole = slices.Concat(whole, other.when)
	}
	if len(item.uses) > 0 && len(other.uses) > 0 || // excludes knows better
		item.gone && other.verb == "be" || item.swap && other.stated ||
		!telling(item.what, whole) || contained(item.what, whole) < needed(item) ||
		item.placed && len(item.beside) > 0 && !telling(other.what, item.beside) {
		return false
	}
	extra := slices.DeleteFunc(slices.Clone(other.what), func(w string) bool { return slices.Contains(item.what, w) })
	if item.gone {
		return len(item.what) >= 2 || contained(other.what, item.what) >= halfOf || identifier(item.what[0])
	}
	if other.verb != item.verb && (!item.loose || contained(item.when, append(slices.Clone(other.what), other.own)) < mostOf) ||
		item.loose && !telling(item.when, slices.Concat(other.what, other.when, []string{other.own})) {
		return false
	}
	if item.verb != "use" && !item.loose && len(item.beside) > 0 && len(extra) > 0 && !telling(extra, item.beside) {
		return false // not of the same thing
	}
	return len(extra) <= 1 || contained(extra, slices.Concat(item.beside, item.when)) > 0
}

// excludes finds an exclusive group of which two claims take different members
// into use, or one a member that the other refuses.
func excludes(x, y *claim) (p, q use, ok bool) {
	if x.con && y.con || !coincide(x, y) {
		return p, q, false
	}
	for _, p := range x.uses {
		for _, q := range y.uses {
			if p.member != "" && q.member != "" && members[p.member].group == members[q.member].group && (p.member == q.member) == (x.con != y.con) && sameWork(p, q) {
				return p, q, true
			}
		}
	}
	return p, q, false
}

// sameWork reports that two members are used for the same work.
func sameWork(p, q use) bool {
	if p.head != "" && len(q.about) > 0 && !slices.Contains(q.about, p.head) || q.head != "" && len(p.about) > 0 && !slices.Contains(p.about, q.head) {
		return false
	}
	if len(p.about) > 0 && len(q.about) > 0 {
		return max(contained(p.about, q.about), contained(q.about, p.about)) >= halfOf
	}
	about := slices.Concat(p.about, q.about)
	return len(about) <= 2 || slices.ContainsFunc(about, func(w string) bool { return members[p.member].about[w] })
}

// inverts reports that two claims for the same say it with opposite words, or
// ask for opposite deeds.
func inverts(x, y *claim) bool {
	switch {
	case x.con || y.con:
		return false
	case neighbours(opposites, x.own, y.own) || neighbours(opposites, x.verb, y.verb):
		return coincide(x, y) && telling(x.what, y.what) && alike(x.what, y.what, nearlyAll)
	case x.verb != y.verb:
		return false
	case x.order != "" && y.order != "" && x.order != y.order:
		return alike(x.when, y.when, halfOf) && alike(x.what, y.what, halfOf)
	case !coincide(x, y):
		return false
	}
	a, b := slices.Concat(x.what, x.adverbs), slices.Concat(y.what, y.adverbs)
	for _, w := range a {
		for _, o := range opposites[w] {
			if !slices.Contains(b, o) || slices.Contains(b, w) || slices.Contains(a, o) {
				continue
			}
			if rest, other := without(a, w), without(b, o); telling(rest, other) && alike(rest, other, mostOf) {
				return true
			}
		}
	}
	return false
}

// differs finds the number in which two claims differ that say the same besides.
func differs(x, y *claim) (m, n quantity, ok bool) {
	if len(x.numbers) == 0 || len(y.numbers) == 0 || x.con != y.con || x.verb != y.verb || !coincide(x, y) {
		return m, n, false
	}
	a, b := besides(x), besides(y)
	if !telling(a, b) && (vague[x.verb] || contained(a, b) == 0) || !alike(a, b, mostOf) {
		return m, n, false
	}
	for _, m := range x.numbers {
		for _, n := range y.numbers {
			if m.dimension == n.dimension && m.value != n.value && (m.bound == "" || n.bound == "" || m.bound == n.bound) && setting(a, m) && setting(b, n) {
				return m, n, true
			}
		}
	}
	return m, n, false
}

// setting reports that a number is a rule and not part of an example.
func setting(ws []string, m quantity) bool {
	return m.bound != "" || settings[stem(m.dimension)] || slices.ContainsFunc(ws, func(w string) bool { return settings[w] })
}

// besides are the stems of a claim without its numbers and their units.
func besides(c *claim) []string {
	return slices.DeleteFunc(slices.Concat(c.beside, c.what, c.when, c.aim), func(w string) bool {
		return w == "" || w[0] >= '0' && w[0] <= '9' || counting[w] || measures[w].dimension != ""
	})
}
