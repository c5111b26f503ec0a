package pairs

import (
	"fmt"
	"slices"
	"strings"
)

// Thresholds for two clauses to name one slot, as shares of the weight of their words,
// and for how much one may say beyond the other. They were set on the half of
// ../shared/outside/pairs that was not held out.
const (
	ofSmaller, ofBoth             = 0.60, 0.42
	ofSmallerSaid, ofBothSaid     = 0.45, 0.22 // if the newer one announces a change
	mostResidue, mostResidueSaid  = 1.3, 3.5
	ofNamed                       = 0.34 // if the newer one refuses the older one's value
	mostValues                    = 5    // a longer list is not a slot
	conditionClash                = 0.7
	sameFrame, sameFrameWords     = 0.9, 5
	keyFrame, keyWords, listFrame = 0.75, 3, 0.85
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
	p, q        *clause
	k           *knowledge
	said        bool     // the newer one announces a change
	shared      []string // stems of both frames
	small, both float64  // weight of these, of the smaller frame and of both together
	residue     float64
	meet        [][2]value // values that can stand in one slot
	same        int        // values that both give
	clash       bool       // they are about different things, or for different conditions
}

func compare(p, q *clause, said bool) comparison {
	k := known()
	c := comparison{p: p, q: q, k: k, said: said}
	shared := 0.0
	for i, w := range p.frame {
		if slices.Contains(q.frame, w) {
			c.shared = append(c.shared, w)
			shared += p.weights[i]
		}
	}
	c.small, c.both = shared/max(min(p.weight, q.weight), 1e-9), shared/max(p.weight+q.weight-shared, 1e-9)
	c.residue = min(p.weight, q.weight) - shared
	if c.small < ofNamed && !p.bare() {
		return c // about other things
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
	c.clash = c.otherThing() || c.otherSubject()
	return c
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
	p, q := c.p, c.q
	if c.small < ofNamed && !p.bare() || c.otherCondition() {
		return "", "", false
	}
	if v, ok := c.givesUp(); ok && (c.said || !together) && !p.con && (c.small >= ofNamed && len(c.shared) >= 1 || p.bare()) {
		return v.as, c.valueNow(v), true
	}
	if p.con != q.con {
		return "", "", false
	}
	if pair, ok := c.fills(together); ok {
		return pair[0].as, pair[1].as, true
	}
	return c.oneSpan(together)
}

// fills finds two values that fill one slot.
func (c *comparison) fills(together bool) (pair [2]value, ok bool) {
	p, q := c.p, c.q
	key, other := p.key(), q.key()
	switch {
	case len(c.meet) == 0, c.clash, together && !c.said, p.con && !c.said,
		max(len(p.given), len(q.given)) > mostValues && !(key && other && c.both >= listFrame),
		key != other && !c.said, key && other && (c.both < keyFrame || len(c.shared) < keyWords && c.both < 0.99),
		!c.said && c.additive() && !(key && other):
		return pair, false
	}
	small, both, residue := ofSmaller, ofBoth, mostResidue
	if c.said {
		small, both, residue = ofSmallerSaid, ofBothSaid, mostResidueSaid
	}
	least := 2 // literals of two shapes meet only because a change is announced
	if slices.ContainsFunc(c.meet, func(m [2]value) bool { return m[0].kind != 'L' || c.said && m[0].meets(m[1], false) }) {
		least = 1
	}
	return c.meet[0], c.small >= small && c.both >= both && c.residue < residue && len(c.shared) >= 1 && len(c.shared)+c.same >= least
}

// additive reports whether the clauses ask for something that can apply to many things
// side by side, so that another object is another rule.
func (c *comparison) additive() bool {
	return (c.both < sameFrame || len(c.shared)+c.same < sameFrameWords) && (c.p.additive(c.k) || c.q.additive(c.k))
}

func (c *clause) additive(k *knowledge) bool {
	if slices.ContainsFunc(c.values, func(v value) bool { return v.kind == 'L' && shapeOf(v.text) == command }) {
		return false
	}
	return k.additive[c.verb] || slices.ContainsFunc(c.frame, func(w string) bool { return k.many[w] })
}

// bare reports whether a clause is little more than one or two values.
func (c *clause) bare() bool { return len(c.given) <= 2 && c.weight < 1.6 }

// givesUp finds a value of the older clause that the newer one refuses.
func (c *comparison) givesUp() (value, bool) {
	for _, v := range c.p.values {
		if v.refused {
			continue
		}
		if slices.Contains(c.q.refused, v.text) && len(c.q.given) > 0 {
			return v, true
		}
	}
	return value{}, false
}

// valueNow returns the replacement of a value.
func (c *comparison) valueNow(old value) string {
	first := "another"
	for _, v := range c.q.values {
		if v.refused || v.text == old.text || slices.Contains(c.p.given, v.text) {
			continue
		}
		if old.meets(v, true) {
			return v.as
		}
		if first == "another" {
			first = v.as
		}
	}
	return first
}

// key reports whether a clause begins with its value, as in "`x` – does y".
func (c *clause) key() bool {
	return len(c.tokens) > 2 && c.tokens[0].kind == 'v' &&
		(c.tokens[1].text == ":" || slices.ContainsFunc(c.tokens, func(t token) bool { return t.kind == 'p' && strings.Contains("-=—–", t.text) }))
}

// meets reports whether two values can fill one slot.
func (u value) meets(v value, loose bool) bool {
	switch {
	case u.text == v.text:
		return false
	case u.kind == 'G' && v.kind == 'G':
		return u.of == v.of
	case u.kind == 'N' && v.kind == 'N':
		return u.of == v.of || u.of == "" || v.of == ""
	case u.kind == 'L' && v.kind == 'L':
		return alikeShapes(u.text, v.text, loose)
	}
	return u.kind != 'N' && v.kind != 'N'
}

// The shapes of literals.
const (
	command   = "command"
	path      = "path"
	fileName  = "file"
	plainWord = "word"
)

func shapeOf(s string) string {
	switch {
	case strings.HasPrefix(s, "http:"), strings.HasPrefix(s, "https:"), strings.HasPrefix(s, "//"), strings.HasPrefix(s, "www."):
		return "url"
	case strings.Contains(s, " "):
		return command
	case strings.HasPrefix(s, "-"):
		return "flag"
	case strings.HasPrefix(s, "@") && !strings.Contains(s, "/"):
		return "decorator"
	case strings.Contains(s, "/"):
		return path
	case strings.HasPrefix(s, "_"):
		return "suffix"
	case strings.HasSuffix(s, "_"), strings.HasSuffix(s, ":"), strings.HasSuffix(s, "-"):
		return "prefix"
	case isFileName(s):
		return fileName
	case strings.ContainsAny(s, "0123456789") && !threeLetters(s):
		return "code"
	}
	return plainWord
}

func isFileName(s string) bool {
	_, end, ok := strings.Cut(s[strings.LastIndexByte("/"+s, '/'):], ".")
	if i := strings.LastIndexByte(end, '.'); i >= 0 {
		end = end[i+1:]
	}
	return ok && len(end) >= 1 && len(end) <= 5 && !strings.ContainsFunc(end, func(r rune) bool { return !isWordRune(r) })
}

func isWordRune(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'z'
}

func threeLetters(s string) bool {
	n := 0
	for i := range len(s) {
		if n++; !letter(s[i]) {
			n = 0
		} else if n == 3 {
			return true
		}
	}
	return false
}

// alikeShapes reports whether two literals look interchangeable.
func alikeShapes(a, b string, loose bool) bool {
	x, y := shapeOf(a), shapeOf(b)
	file := func(s string) bool { return s == path || s == fileName || s == plainWord }
	switch {
	case x == command && y == command:
		p, q := strings.Fields(a), strings.Fields(b)
		if p[0] != q[0] { // another program for the same work
			return loose || slices.ContainsFunc(p[1:], func(w string) bool { return slices.Contains(q[1:], w) })
		}
		return loose || len(p) == 2 && strings.HasSuffix(p[0], ":") || len(p) > 2 && 10*(len(p)-len(without(p, q))) >= 3*(len(p)+len(q))
	case file(x) && file(y):
		return x == y || loose || x != plainWord && y != plainWord
	}
	return x == y || loose
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
	if len(a) == 0 || len(b) == 0 || slices.ContainsFunc(a, func(w string) bool { return slices.Contains(b, w) }) {
		return false
	}
	return !(len(a) == 1 && len(b) == 1 && slices.Contains(c.p.given, a[0]) && slices.Contains(c.q.given, b[0]))
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

// oneSpan reports whether two clauses differ only in one short span with a value.
func (c *comparison) oneSpan(together bool) (from, to string, ok bool) {
	if c.p.con || c.clash || c.additive() {
		return "", "", false
	}
	x, y := c.p.plain(), c.q.plain()
	text := token.content
	begin, end := 0, 0
	for begin < min(len(x), len(y)) && text(x[begin]) == text(y[begin]) {
		begin++
	}
	for end < min(len(x), len(y))-begin && text(x[len(x)-1-end]) == text(y[len(y)-1-end]) {
		end++
	}
	a, b := x[begin:len(x)-end], y[begin:len(y)-end]
	if len(a) == 0 || len(b) == 0 || len(a) > 3 || len(b) > 3 || begin+end < 2 || c.p.key() && c.q.key() {
		return "", "", false
	}
	var u, v []value
	for _, t := range a {
		if t.kind == 'v' {
			u = append(u, *t.value)
		}
		if slices.ContainsFunc(b, func(o token) bool { return text(o) == text(t) }) {
			return "", "", false
		}
	}
	for _, t := range b {
		if t.kind == 'v' {
			v = append(v, *t.value)
		}
	}
	if len(u) != len(v) || len(u) > 0 && !slices.ContainsFunc(u, func(u value) bool {
		return slices.ContainsFunc(v, func(v value) bool { return u.meets(v, c.said) })
	}) {
		return "", "", false
	}
	if a[0].has(isVerb) && b[0].has(isVerb) {
		return "", "", false // another thing to do
	}
	var before token
	if begin > 0 {
		before = x[begin-1]
	}
	if before.has(isValueAfter) || begin+end >= 7 && !before.has(isCondition) && !together {
		return written(a), written(b), true
	}
	return "", "", false
}

// plain returns the words and values of a clause without filler.
func (c *clause) plain() (out []token) {
	for _, t := range c.tokens {
		if t.plain() {
			out = append(out, t)
		}
	}
	return out
}

// plain reports whether a token is a word or a value, and no filler.
func (t *token) plain() bool {
	return (t.kind == 'w' || t.kind == 'v') && !t.word("the", "a", "an", "always", "now", "please")
}

// content returns a token in the form in which it is compared.
func (t token) content() string {
	if t.kind == 'v' {
		return "\x00" + t.value.text
	}
	return t.text
}

func written(ts []token) string {
	var out []string
	for _, t := range ts {
		if t.kind == 'v' {
			out = append(out, t.value.as)
		} else {
			out = append(out, t.text)
		}
	}
	return strings.Join(out, " ")
}
