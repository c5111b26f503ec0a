package pairs

import (
	"cmp"
	"slices"
)

// A claim is one thing that a lesson wants done or states or, if con is set, does not. A
// part of a sentence makes at most one; unreadable parts are skipped.
type claim struct {
	con        bool
	verb, own  string   // the class of the verb, and its stem
	what       []string // stems of what it is about
	when       []string // stems of the situation and the purpose; empty for any
	unless     []string // stems of the exception
	uses       []use
	start, end int // bytes of the content: of its sentence

	item   bool     // a thing named in contrast ("not Y"), or declared gone
	gone   bool     // an item no longer in use
	beside []string // of an item: stems of its counterpart
}

// A use is a member of an exclusive group that a claim adopts, and what for.
type use struct {
	member string   // its stem
	about  []string // stems; empty for everything
}

// maxClaims limits the claims read from a lesson.
const maxClaims = 24

// A reader reads one sentence after the other.
type reader struct {
	*knowledge
	out  []claim
	from int   // the first claim of the sentence
	lead claim // the situation named before the claims of the sentence
}

// claimsOf returns the claims of a text.
func claimsOf(ws []word) []claim {
	r := reader{knowledge: known()}
	for len(ws) > 0 && len(r.out) < maxClaims {
		n := slices.IndexFunc(ws, func(w word) bool { return w.is(".") }) // the last word is one
		r.from, r.lead = len(r.out), claim{}
		if r.sentence(ws[:n]); n > 0 {
			for i := r.from; i < len(r.out); i++ {
				r.out[i].start, r.out[i].end = ws[0].start, ws[n-1].end
			}
		}
		ws = ws[n+1:]
	}
	for i := range r.out {
		r.take(&r.out[i])
	}
	return r.out
}

// sentence splits a sentence into parts: at commas, at conjunctions before another verb,
// and at words of contrast.
func (r *reader) sentence(ws []word) {
	from, contrast := 0, ""
	for i := range ws {
		n := 0
		if i >= from {
			n = r.contrasting(ws, from, i)
		}
		if n > 0 || i >= from && (ws[i].is(",") || r.joins(ws[i:])) {
			r.part(ws[from:i], contrast)
			from, contrast = i+max(n, 1), ""
			if n > 0 {
				contrast = ws[i].text
			}
		}
	}
	r.part(ws[from:], contrast)
}

// contrasting returns how many words from i on contrast what follows with what came
// before in the sentence.
func (r *reader) contrasting(ws []word, from, i int) int {
	fresh := i == from
	if !ws[i].has(isContrast) || fresh && len(r.out) == r.from {
		return 0
	}
	next := wordAt(ws, i+1)
	for _, p := range r.contrasts {
		switch {
		case p[0] != ws[i].text, len(p) == 2 && p[1] != next.text:
		case len(p) == 1 && (next.base() || !fresh && ws[i-1].has(isAux)),
			p[0] == "no" && !fresh,
			p[0] == "over" && !slices.ContainsFunc(ws[from:i], func(w word) bool { return w.has(isApproval) }):
			return 0
		default:
			return len(p)
		}
	}
	return 0
}

// joins reports whether another claim begins after an "and".
func (r *reader) joins(ws []word) bool {
	next := wordAt(ws, 1)
	return ws[0].has(isJoint) && (next.has(isNegative|isRefusal) || !ws[0].is("or") && next.base())
}

// part reads one part of a sentence and its contrast with the part before.
func (r *reader) part(ws []word, contrast string) {
	if len(ws) == 0 {
		return
	}
	c := claim{}
	if contrast != "" && len(r.out) > r.from {
		last := r.out[len(r.out)-1]
		c = claim{con: !last.con, item: true, gone: contrast == "no", verb: last.verb, own: last.own, beside: last.what, when: last.when, unless: last.unless}
	}
	r.words(&c, ws)
	c.what, c.when = distinct(c.what), distinct(c.when)
	switch {
	case len(c.what) == 0 && c.item && len(c.when) > 0: // "in A, not in B"
		c.what, c.when = c.when, nil
	case len(c.what) == 0 && c.verb == "" && len(r.out) == r.from:
		r.lead.narrow(c)
	case len(c.what) == 0 && c.verb == "": // "use X, not Y, for Z" is for Z twice
		for i := len(r.out) - 1; i >= r.from; i-- {
			if r.out[i].narrow(c); !r.out[i].item {
				break
			}
		}
	}
	if c.verb != "" && len(c.what) > 0 {
		c.narrow(r.lead)
		r.out = append(r.out, c)
	}
}

// narrow limits a claim to a situation.
func (c *claim) narrow(s claim) {
	if len(s.when) == 0 && len(s.unless) == 0 {
		return
	}
	c.when, c.unless = distinct(slices.Concat(s.when, c.when)), slices.Concat(s.unless, c.unless)
}

// words reads the words of a part into a claim.
func (r *reader) words(c *claim, ws []word) {
	into := &c.what   // where the next word belongs
	guessed := c.item // the verb is one that another may replace: "avoid doing X"
	stated := false   // a verb was met that makes a statement
	use := func() { c.verb, c.own = "use", "use" }
	for i, w := range ws {
		next := wordAt(ws, i+1)
		switch {
		case w.is("it", "them") && into == &c.what: // what is meant is not read
			c.verb = ""
			return
		case w.has(isReason):
			return
		case w.is("no") && next.is("longer"):
			c.con, c.item, c.gone, stated = !c.con, true, true, true
		case w.has(isNegative) && into == &c.what:
			if c.con, stated = !c.con, w.has(isAux) && c.verb == ""; w.is("no") {
				use()
			}
		case w.has(isRefusal|isApproval) && c.verb == "" && next.text != "":
			c.con, guessed = c.con != w.has(isRefusal), true
			use()
		case stated && w.has(isGone|isFine):
			if use(); w.has(isGone) {
				c.con, c.item, c.gone = !c.con, true, true
			}
		case w.has(isAux) && (into == &c.what && len(c.what) <= 1 || c.verb == "" && len(c.what) > 0):
			stated = true
		case w.is("unless", "except"):
			into = &c.unless
		case w.is("to") && next.base() && (c.verb != "" && !guessed || i == 0):
			into = &c.when
		case w.is("in", "for") && next.is("this", "our"):
			into = nil // the lesson's own project
		case w.has(isScope):
			into = &c.when
		case into == &c.what && (c.verb == "" || guessed) && r.isVerb(ws, i, len(c.what) == 0, guessed, stated):
			c.verb, c.own, guessed, stated, c.item = w.verb, w.stem, false, false, c.gone
		default:
			if w.stem != "" && into != nil {
				*into = append(*into, w.stem)
				if stated && c.verb == "" {
					c.verb, c.own = "be", "be"
				}
			}
		}
	}
}

// isVerb reports whether ws[i] is the verb of its part: first in an instruction, after
// the subject in a statement.
func (r *reader) isVerb(ws []word, i int, first, guessed, stated bool) bool {
	w, next := ws[i], wordAt(ws, i+1)
	switch {
	case w.verb == "":
		return false
	case stated || first:
		return stated || w.base() || w.ends("ing") && (guessed || i == 0)
	case guessed:
		return false
	}
	return (!r.common[w.stem] || w.verb == "use") && (w.ends("s") && w.stem != w.text && !next.has(isAux|isJoint) && !next.is("of") || w.base() && ws[i-1].ends("s"))
}

// take finds the members of exclusive groups that a claim adopts. A claim that names two
// of a group takes no side.
func (r *reader) take(c *claim) {
	for _, w := range append(slices.Clone(c.what), c.own) {
		g := r.members[w].group
		if g == nil || len(g.verbs) > 0 && !g.verbs[c.verb] {
			continue
		}
		if i := slices.IndexFunc(c.uses, func(u use) bool { return r.members[u.member].group == g }); i >= 0 {
			c.uses[i].member = ""
			continue
		}
		about := c.whole()
		if c.verb != "use" && c.verb != "be" {
			about = append(about, c.own)
		}
		c.uses = append(c.uses, use{w, without(distinct(about), []string{w})})
	}
}

func distinct[T cmp.Ordered](ws []T) []T {
	ws = slices.Clone(ws)
	slices.Sort(ws)
	return slices.Compact(ws)
}

// without returns ws without the words of others.
func without(ws, others []string) []string {
	return slices.DeleteFunc(slices.Clone(ws), func(w string) bool { return slices.Contains(others, w) })
}
