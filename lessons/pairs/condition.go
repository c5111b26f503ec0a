package pairs

import "slices"

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
			if turns[t.text] {
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
	narrower(own, others, func(c condition, only bool) bool {
		of, out := other, &lost
		if only {
			of, out = text, &added
		}
		if s := of[c.start:c.end]; !slices.Contains(*out, s) {
			*out = append(*out, s)
		}
		return true
	})
	return lost, added
}

// narrower calls yield for each condition of others that own lacks, and with only for those
// that own adds, until it returns false.
func narrower(own, others []clause, yield func(c condition, only bool) bool) {
	for i := range others {
		q := &others[i]
		p := q.nearest(own)
		for _, c := range q.conditions() {
			if !c.in(p) && !yield(c, false) {
				return
			}
		}
		for _, c := range p.conditions() {
			if !slices.ContainsFunc(others, func(q clause) bool { return c.in(&q) }) && !yield(c, true) {
				return
			}
		}
	}
}

// sameConditions is [SameConditions] for readings.
func sameConditions(r, o *Reading) bool {
	same := true
	narrower(r.clauses, o.clauses, func(condition, bool) bool { same = false; return false })
	return same
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
