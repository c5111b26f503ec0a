package stance

import (
	"cmp"
	"slices"
	"strings"
)

// A claim is one thing that a lesson wants done, or says to be so; or, where con
// is set, does not. What cannot be read is left out: half a claim would make two
// lessons contradict each other that do not.
type claim struct {
	con        bool
	verb, own  string   // the class of the verb, and the verb itself
	what       []string // stems of what it is about
	when, aim  []string // stems of the situation and of the purpose; none is any
	unless     []string // stems of the exception
	order      string   // "before" or "after", of when
	adverbs    []string // words of order and manner that have opposites
	beside     []string // stems of who or what does it, or of what stands in its place
	bound      []binding
	subject    []binding // of a statement
	numbers    []quantity
	uses       []use
	start, end int // bytes of the content that say so
	marks
}

// marks are what else is known of a claim.
type marks struct {
	item   bool // a thing named in passing ("not Y"): its verb says little
	loose  bool // whatever is done with it ("without Y")
	gone   bool // it is said to be gone or deprecated
	always bool
	only   bool
	narrow bool // a relative clause says which of its objects are meant
	stated bool // a statement, and no instruction
	swap   bool // of "replace X with Y", which may be about a text
	choice bool // "a or b": each of them
	refers bool // to what was named before: "it"
	placed bool // only a place or a means, without what it is for: "not in Y"
}

// A binding is a stem with the preposition before it.
type binding struct{ prep, stem string }

// A use is a member of an exclusive group that a claim takes into use, and what for.
type use struct {
	member string   // its stem
	about  []string // none is for everything
	head   string   // the one of its commands that is meant: "npm view"
}

// maxClaims is how many claims are read of a lesson.
const maxClaims = 24

// A reader reads one sentence after the other.
type reader struct {
	out  []claim
	from int   // the first claim of the sentence
	all  claim // the situation named before the claims of the sentence

	c       claim // is being read
	words   []word
	into    *[]string // where the next word belongs
	prep    string    // the preposition before it
	aux     string    // of a statement of which the verb is still to come
	guessed bool      // the verb of "avoid X", which "avoid doing X" replaces
	skip    bool      // what is read is a reason
	first   int       // the place of its first word
	part    int       // the first claim of the same part of the sentence
	base    int       // the claim that this one is set against; -1 is none
}

// read reads the claims of a text. Known are words that were seen before; nil is none.
func read(text string, known map[string]word) []claim {
	r := &reader{words: split(text, known)}
	r.begin()
	for i := 0; i < len(r.words) && len(r.out) < maxClaims; i++ {
		if r.words[i].is(".", ";", ":", "!", "?", "\n") {
			r.end(i)
			r.from, r.all = len(r.out), claim{}
		} else {
			i += r.word(i)
		}
	}
	r.end(len(r.words))
	for i := range r.out {
		r.out[i].finish()
	}
	return r.out
}

func (r *reader) begin() {
	r.c, r.into, r.prep, r.aux, r.guessed, r.skip, r.base = claim{start: -1}, &r.c.what, "", "", false, false, -1
	r.part = len(r.out)
}

// end keeps the claim that was read up to a word. What is only a situation holds
// for the claims of the sentence that follow, or for those before when it comes last.
func (r *reader) end(at int) {
	c := &r.c
	defer r.begin()
	if r.aux != "" && (len(c.what) > 0 || len(c.when) > 0) {
		c.setVerb(word{stem: "be"})
	}
	if len(c.what) == 0 && (c.verb == "" || r.guessed) {
		if !c.item || len(c.when) == 0 {
			if len(r.out) == r.from {
				r.all.holds(c)
			}
			for k := len(r.out) - 1; k >= r.from; k-- { // "use X, not Y, to Z" holds for both
				if r.out[k].holds(c); !r.out[k].item {
					break
				}
			}
			return
		}
		c.what, c.when, c.placed = c.when, nil, true // "in A, not in B"
	} else if r.base >= 0 && c.item {
		b := &r.out[r.base]
		c.holds(b)
		b.when, b.aim, b.unless = c.when, c.aim, c.unless // "X, not Y, in tests" is for tests
	}
	if c.verb == "" && len(c.what) > 1 && r.words[r.first].stem == c.what[0] { // "make changes": a verb that the tables do not have
		c.setVerb(word{stem: c.what[0]})
		c.what, c.bound = c.what[1:], c.bound[1:]
	}
	if c.verb == "" || c.start < 0 || len(c.what)+len(c.beside)+len(c.when) == 0 && len(r.out) > r.from {
		return
	}
	if len(r.out) > 0 && c.refers { // "keep them": what the claim before is about
		last := &r.out[len(r.out)-1]
		if c.what = append(c.what, last.behind("")...); last.verb == "be" {
			c.what = append(c.what, last.beside...)
		}
	}
	c.holds(&r.all)
	first := len(r.out)
	r.out = append(r.out, *c)
	r.replacement(first)
	for k := min(r.part, first); k < len(r.out); k++ { // "X instead of Y" says both
		r.out[k].end = r.words[at-1].end
	}
}

// oppose ends a claim and begins the one that it is set against.
func (r *reader) oppose(i int) {
	part, start := r.part, r.c.start
	r.end(i)
	if len(r.out) == r.from {
		return
	}
	r.base = len(r.out) - 1
	last, w := &r.out[r.base], r.words[i]
	r.c.start, r.c.con, r.c.item, r.c.gone = w.start, !last.con, true, w.is("no")
	if start >= 0 {
		r.c.start, r.part = start, part
	}
	r.c.verb, r.c.own, r.guessed = last.verb, last.own, true
	r.c.beside = slices.Concat(last.beside, last.behind(""))
	switch {
	case w.is("without"):
		r.c.loose, r.c.order, r.c.beside, r.base = true, "before", nil, -1
		r.c.when = slices.Concat([]string{last.own}, last.what)
		r.c.setVerb(word{stem: "use"})
		if last.con { // "never push without running the tests" is for running them
			r.out = r.out[:len(r.out)-1]
		}
	case w.is("in"): // "avoid Y in favour of X"
		last.con, r.c.con = true, false
	}
}

// opposing is how many words from i on say that what follows is not to be.
func (r *reader) opposing(i int) int {
	ws := r.words[i:]
	fresh := r.c.start < 0 && len(r.out) > r.from
	switch begun := fresh || r.c.verb != "" && len(r.c.what)+len(r.c.when) > 0; {
	case len(ws) < 2 || !begun || r.skip || r.into == &r.c.unless || ws[1].is("just", "only", "merely"):
	case ws[0].is("instead", "place") && ws[1].is("of"), ws[0].is("rather") && ws[1].is("than"), ws[0].is("and", "but") && ws[1].is("not"),
		ws[0].is("no") && ws[1].is("longer"), ws[0].is("in") && ws[1].is("favor", "favour"):
		return 2
	case ws[0].is("without") && !r.c.stated, r.aux == "" && (ws[0].is("not", "never") && (fresh || r.into != &r.c.when) || ws[0].is("no") && fresh) && !ws[1].base(),
		r.c.verb == "use" && (ws[0].is("over") || ws[0].is("to") && members[ws[1].stem].group != nil):
		return 1
	}
	return 0
}

// joins reports an "and" behind which another claim begins.
func joins(ws []word) bool {
	if !ws[0].has(joint) || len(ws) < 2 {
		return false
	}
	next := ws[1]
	return next.is("always", "do", "must", "should", "then") || next.has(negative|refusal) && !next.is("no") ||
		len(ws) > 2 && members[next.stem].group != nil && ws[2].has(scope) || // "snake_case for X and camelCase in Y"
		!ws[0].is("or") && next.base()
}

// word reads one word of a claim, and returns how many more it has read with it.
func (r *reader) word(i int) int {
	c, w, next := &r.c, r.words[i], word{}
	if i+1 < len(r.words) {
		next = r.words[i+1]
	}
	if n := r.opposing(i); n > 0 {
		r.oppose(i)
		return n - 1
	}
	if w.is(",", "(", ")") || joins(r.words[i:]) {
		last := len(r.out)
		if r.end(i); len(r.out) > last && members[next.stem].group != nil {
			r.c.con, r.c.verb, r.c.own = r.out[last].con, r.out[last].verb, r.out[last].own
		}
		return 0
	}
	if c.start < 0 && !w.has(joint) {
		c.start, r.first = w.start, i
	}
	begun := len(c.what) > 0
	open := r.into == &c.what || !begun && c.verb == "" // where an instruction may begin
	switch {
	case r.skip:
	case w.has(reason):
		c.narrow = begun && r.into == &c.what && w.is("that", "which", "who", "whose")
		r.skip = true
	case w.is("no") && next.is("longer"):
		if r.aux == "" {
			r.state(w)
		}
		c.con, c.item, c.gone = !c.con, true, true
		return 1
	case w.has(refusal) && open && next.text != "", w.has(negative) && open && (!w.is("no") || !begun && r.into == &c.what):
		c.con, c.always, r.into = !c.con, true, &c.what
		if !w.has(negative) || w.is("no") {
			c.setVerb(word{stem: "use"})
			r.guessed = true
		}
		if w.has(aux) {
			r.state(w)
		}
	case w.has(approval) && open:
		c.setVerb(word{stem: "use"})
		r.guessed, r.into = true, &c.what
	case w.has(aux) && r.aux == "" && !r.guessed && (begun && c.verb == "" || c.own != "" && r.into == &c.what && len(c.what) <= 1 && !c.con):
		r.state(w)
	case w.is("always"):
		c.always = true
	case w.is("only"):
		c.only = true
	case r.aux != "" && (w.has(fine) || w.has(gone)):
		c.what, c.bound, c.beside, r.aux = c.beside, c.subject, nil, ""
		c.setVerb(word{stem: "use"})
		if w.has(gone) {
			c.con, c.item, c.gone = !c.con, true, true
		}
	case (r.into == &c.what || open && w.is("use")) && r.verb(i, next):
	case w.is("unless", "except"):
		r.into, r.prep = &c.unless, w.text
	case w.is("to") && !next.code && verbs[next.stem] != "" && next.base() && (c.verb != "" && !r.guessed || c.start == w.start):
		r.into, r.prep = &c.aim, w.text
	case w.is("in", "for") && next.is("this", "our") && !placing[c.verb]:
		r.into = nil // the lesson's own project
	case w.is("in", "on", "under", "at") && r.into == &c.what && placing[c.verb]:
		r.prep = w.text
	case w.is("for") && seeking[c.verb] && !begun:
	case w.has(scope) && (next.stem != "" || !w.is("until", "once")):
		if w.is("before", "after") {
			c.order = w.text
			c.adverbs = append(c.adverbs, w.text)
		}
		r.into, r.prep = &c.when, w.text
	case w.has(argument):
		if r.into != &c.when || w.is("with", "by", "via", "using", "through") {
			r.into, r.prep = &c.what, w.text
		}
	case w.is("it", "them", "they") && r.into == &c.what:
		c.refers = true
	case w.has(joint):
		c.choice = c.choice || begun && r.into == &c.what
	case anywhere[w.stem] && r.into == &c.when && (r.prep == "in" || r.prep == "for"):
	default:
		if s := stem(w.text); w.stem == "" && opposites[s] != nil {
			c.adverbs = append(c.adverbs, s)
		}
		if q, ok := quantityAt(r.words, i); ok {
			c.numbers = append(c.numbers, q)
		}
		if w.stem != "" && r.into != nil {
			*r.into = append(*r.into, w.stem)
			c.bound = append(c.bound, binding{r.prep, w.stem})
		}
	}
	return 0
}

// state makes a statement of a claim: what was read is its subject.
func (r *reader) state(w word) {
	c := &r.c
	if c.own != "" && !r.guessed {
		c.what = append([]string{c.own}, c.what...)
	}
	c.beside, c.subject, c.what, c.bound = c.what, c.bound, nil, nil
	c.verb, c.own, r.aux, r.into = "", "", w.text, &c.what
	c.stated = !w.is("must", "should", "shall", "need", "needs")
}

// verb takes a word for the verb of the claim where it can be.
func (r *reader) verb(i int, next word) bool {
	c, w := &r.c, r.words[i]
	third := w.stem != w.text && strings.HasSuffix(w.text, "s")
	switch {
	case w.stem == "":
		return false
	case r.aux != "" && !(verbs[w.stem] != "" && (w.stem == w.text || !strings.HasSuffix(r.aux, "s") || strings.HasSuffix(w.text, "ed") || sameWord[w.text] != "")):
		c.setVerb(word{stem: "be"})
		if strings.HasPrefix(r.aux, "ha") {
			c.setVerb(word{stem: "have"})
		}
		r.aux = ""
		return false
	case r.aux != "":
		if strings.HasSuffix(w.text, "ed") || sameWord[w.text] != "" && sameWord[w.text] != w.text && !third { // a passive
			c.what, c.bound, c.beside = c.beside, c.subject, nil
		}
	case verbs[w.stem] == "" || w.code:
		return false
	case r.guessed && w.gerund() && len(c.what) == 0, c.verb == "" && len(c.what) == 0 && (w.base() || w.gerund()):
		if r.into = &c.what; r.guessed && !c.gone {
			c.item, c.loose, c.beside = false, false, nil
			if r.base >= 0 {
				c.when = slices.Concat([]string{r.out[r.base].own}, r.out[r.base].what)
			}
		}
	case c.verb == "" && w.is("required", "needed", "recommended", "preferred"):
	case c.verb == "" && (third && !next.has(aux|joint) || w.base() && strings.HasSuffix(r.words[i-1].text, "s") && !r.words[i-1].code) && (!common[w.stem] || w.is("use", "uses")):
		r.state(w)
	default:
		return false
	}
	c.setVerb(w)
	r.aux, r.guessed = "", false
	return true
}

// holds narrows a claim to a situation.
func (c *claim) holds(s *claim) {
	c.when, c.aim, c.unless = slices.Concat(s.when, c.when), slices.Concat(s.aim, c.aim), slices.Concat(s.unless, c.unless)
	if c.order == "" {
		c.order = s.order
	}
}

// replacement makes two claims of "replace Y with X" and "switch from Y to X".
func (r *reader) replacement(at int) {
	c := &r.out[at]
	gone, comes := c.behind("from"), c.behind("to")
	if c.own == "replac" {
		gone, comes = c.behind(""), c.behind("with", "by")
	}
	if !swapping[c.own] || len(gone) == 0 || len(comes) == 0 {
		return
	}
	x := claim{con: c.con, what: comes, when: c.when, aim: c.aim, start: c.start, end: c.end, marks: marks{swap: true}}
	x.setVerb(word{stem: "use"})
	y := x
	y.con, y.what, y.item = !c.con, gone, true
	r.out = append(r.out[:at], x, y)
}

// behind are the stems behind one of some prepositions; "" is none.
func (c *claim) behind(preps ...string) (out []string) {
	for _, b := range c.bound {
		if slices.Contains(preps, b.prep) {
			out = append(out, b.stem)
		}
	}
	return out
}

func (c *claim) setVerb(w word) { c.verb, c.own = cmp.Or(verbs[w.stem], w.stem), w.stem }

// finish finds what a claim takes into use.
func (c *claim) finish() {
	if apart := stem("separate"); c.own == "keep" && slices.Contains(c.what, apart) {
		c.setVerb(word{stem: apart})
		c.what = without(c.what, apart)
	}
	c.what = distinct(c.what)
	object := c.behind("")
	c.placed = c.placed || len(object) == 0
	taking := c.verb == "use" || c.item || c.verb == "be" && len(object) <= 2
	c.take(c.own, object)
	if n := len(object); n > 0 {
		if taking {
			c.take(object[n-1], object)
		}
		if taking && n > 1 || c.verb == "run" {
			c.take(object[0], object)
		}
	}
	if !swapping[c.own] {
		for _, w := range c.behind("with", "via", "through", "using", "by", "in", "as", "on") {
			c.take(w, object)
		}
	}
	c.bound = nil
}

func (c *claim) take(stem string, object []string) {
	g := members[stem].group
	if g == nil || g.verbs != "" && (c.swap || !strings.Contains(" "+g.verbs+" ", " "+c.verb+" ")) {
		return
	}
	u := use{member: stem, about: without(slices.Concat(c.what, c.when, c.aim), stem)}
	if c.verb != "use" && c.verb != "be" && c.own != stem {
		u.about = append(u.about, c.own)
	}
	if len(object) > 1 && object[0] == stem {
		u.head = object[1]
	}
	for i, had := range c.uses {
		if members[had.member].group == g {
			if had.member != stem {
				c.uses[i].member = "" // both: it takes no side
			}
			return
		}
	}
	c.uses = append(c.uses, u)
}

func distinct(ws []string) []string {
	ws = slices.Clone(ws)
	slices.Sort(ws)
	return slices.Compact(ws)
}

// without leaves a stem out of some.
func without(ws []string, w string) []string {
	return slices.DeleteFunc(slices.Clone(ws), func(o string) bool { return o == w })
}
