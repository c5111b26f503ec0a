package stance

import (
	"slices"
	"strings"
)

// A clause is one verb with its parts, while it is read.
type clause struct {
	verb     string // its stem
	con      bool
	item     bool
	always   bool
	only     bool
	gone     bool
	subject  []string
	object   []string
	rest     []string
	when     []string
	aim      []string
	unless   []string
	order    string
	measures []quantity
	adverbs  []string
	pairs    map[string]string
	loose    bool
	narrow   bool // a relative clause says which of its objects are meant
	stated   bool // a statement, and no instruction
	pronoun  bool // its object is "it" or "them"
	choice   bool
	context  []string // of what a contrast was said

	other   *clause // the thing "instead of" which
	without *clause
}

// read finds verb and polarity and then the parts. It reports false for what is
// no claim that can be read.
func (c *clause) read(ms []mark) bool {
	i := c.lead(ms)
	if i >= len(ms) {
		return false
	}
	if k, ok := predicate(ms, i); ok {
		return c.declare(ms, i, k)
	}
	switch m := ms[i]; {
	case c.verb != "": // "avoid X", "prefer X": the verb is known
		if gerund(m) || c.verb == "use" && !c.con && baseVerb(m) && len(ms) > i+1 && ms[max(i-1, 0)].is("to") {
			c.verb = m.stem
			i++
		}
	case m.stem == "" || m.code && lexis.verb[m.stem] == "":
		return false
	case lexis.verb[m.stem] == "" && (i == 0 && !c.con || len(ms) < i+2):
		// An unknown first word may be a verb or the head of a title.
		if len(ms) < i+2 || ms[i+1].stop && !ms[i+1].is("the", "a", "an", "all", "each", "every", "any", "your") {
			return false
		}
		c.verb = m.stem
		i++
	default:
		c.verb = m.stem
		i++
	}
	c.parts(ms[i:])
	return true
}

func gerund(m mark) bool {
	return !m.code && strings.HasSuffix(m.text, "ing") && lexis.verb[m.stem] != ""
}

// lead reads what stands before the verb of an instruction, and returns where
// the verb should be.
func (c *clause) lead(ms []mark) int {
	i := 0
	next := func(ws ...string) bool { return i+1 < len(ms) && ms[i+1].is(ws...) }
	for ; i < len(ms); i++ {
		switch m := ms[i]; {
		case m.is("always", "everywhere"):
			c.always = true
		case m.is("only"):
			c.only = true
		case m.is("never", "don't", "cannot", "can't", "mustn't", "shouldn't", "not"):
			c.con, c.always = !c.con, true
		case m.is("do", "must", "should", "shall", "may", "can") && next("not", "never"):
		case m.is("no") && next("longer"):
			c.con = true
			i++
		case m.is("no") && next("need"):
			c.con = true
			i++
		case m.is("no"):
			c.con, c.verb = true, "use"
		case m.is("avoid", "stop", "refrain") && i+1 < len(ms):
			c.con, c.always = !c.con, true
			if !m.is("stop") || !gerund(ms[i+1]) && !next("to") {
				c.verb = "use"
			}
		case m.is("prefer", "prefers", "favor", "favour"):
			c.verb = "use"
			if next("to") && i+2 < len(ms) && baseVerb(ms[i+2]) {
				c.verb = ""
			}
		case m.is("make", "be") && next("sure"), m.is("try", "remember", "please", "just", "also", "then", "still", "instead", "simply", "generally",
			"directly", "explicitly", "immediately", "to", "that", "from", "should", "must", "shall", "sure", "need", "we", "you", "agents", "there", "ensure", "longer", "free", "feel", "first"):
			if m.is("there") || m.is("need") && !next("to", "not") {
				return i
			}
		default:
			return i
		}
	}
	return i
}

// predicate finds the verb of a statement: an auxiliary, or a verb in the third
// person, with a subject before it.
func predicate(ms []mark, from int) (int, bool) {
	prep := false
	for k := from; k < len(ms); k++ {
		m := ms[k]
		switch {
		case k > from && m.is("no") && k+1 < len(ms) && ms[k+1].is("longer"):
			return k, true
		case m.is("is", "are", "was", "were", "must", "should", "shall", "will", "can", "cannot", "can't", "may", "has", "have", "does", "do", "isn't", "aren't",
			"doesn't", "don't", "needs", "mustn't", "shouldn't", "need") && k > from:
			return k, true
		case lexis.scope[m.text] && k > from:
			prep = true
		case lexis.reason[m.text], m.is("to", "instead", "not", "without", "and", "or") && k > from:
			return 0, false
		case k == from && baseVerb(m):
			// An instruction, unless what follows says that it is a noun.
			if k+1 < len(ms) && ms[k+1].is("is", "are", "must", "should", "has", "have", "was", "does", "need", "needs", "may", "cannot") {
				continue
			}
			if k+2 < len(ms) && ms[k+1].stem != "" && ms[k+2].is("are", "is", "must", "should", "need", "needs", "may") {
				continue
			}
			return 0, false
		case k > from && !prep && baseVerb(m) && strings.HasSuffix(ms[k-1].text, "s") && lexis.verb[ms[from].stem] == "" && (m.is("use") || !lexis.common[m.stem]):
			return k, true // "watchers use"
		case k > from && !prep && strings.HasSuffix(m.text, "ed") && m.is("required", "needed", "forbidden", "deprecated", "removed", "recommended", "preferred") && lexis.verb[ms[from].stem] == "":
			return k, true // a title: "token auth required"
		case k > from && !prep && !m.code && strings.HasSuffix(m.text, "s") && m.stem != m.text && lexis.verb[m.stem] != "" && !lexis.common[m.stem] &&
			k+1 < len(ms) && !ms[k+1].is("is", "are", "and", "or", "of", "must", "should"):
			return k, true
		}
	}
	return 0, false
}

// declare reads a statement: "packages are installed with X", "Y is deprecated",
// "the watcher must not poll", "it has no Z".
func (c *clause) declare(ms []mark, from, k int) bool {
	c.stated = !ms[k].is("must", "should", "shall", "need", "needs")
	about := &c.subject
	for _, m := range ms[from:k] {
		if lexis.scope[m.text] {
			about = &c.when
			continue
		}
		if m.stem != "" {
			*about = append(*about, m.stem)
		}
	}
	aux := ms[k]
	if strings.HasSuffix(aux.text, "ed") {
		aux = mark{text: "is"}
	}
	i := k
	if !baseThird(ms[k]) && !aux.is("no") && !strings.HasSuffix(ms[k].text, "ed") {
		i++
	}
	if strings.HasSuffix(aux.text, "n't") || aux.is("cannot") {
		c.con = !c.con
	}
	for ; i < len(ms); i++ {
		switch m := ms[i]; {
		case m.is("not", "never"):
			c.con, c.always = !c.con, true
		case m.is("no"):
			c.con = !c.con
			if i+1 < len(ms) && ms[i+1].is("longer") {
				c.gone, c.item = true, true
				i++
			}
		case m.is("always"):
			c.always = true
		case m.is("only"):
			c.only = true
		case m.is("be", "been", "being", "also", "now", "currently", "to", "still", "just", "already", "directly", "the", "a", "an"):
		default:
			return c.predicate(ms[i:], aux)
		}
	}
	return false
}

func baseThird(m mark) bool { return m.stem != "" && lexis.verb[m.stem] != "" && !m.stop }

// predicate reads what a statement says of its subject.
func (c *clause) predicate(ms []mark, aux mark) bool {
	m := ms[0]
	passive := aux.is("is", "are", "was", "were", "isn't", "aren't", "must", "should", "shall", "will", "may", "can", "cannot", "can't") &&
		(strings.HasSuffix(m.text, "ed") || lexis.forms[m.text] != "" && lexis.forms[m.text] != m.text) && lexis.verb[m.stem] != ""
	switch {
	case fine[m.text] && aux.is("is", "are", "isn't", "aren't"):
		c.verb, c.object, c.subject = "use", c.subject, nil
		c.passiveParts(ms[1:])
		return len(c.object) > 0
	case goneWord(m):
		c.gone, c.con, c.verb, c.item = true, !c.con, "use", true
		c.object, c.subject = c.subject, nil
		return len(c.object) > 0 && c.con
	case passive:
		c.verb, c.object, c.subject = m.stem, c.subject, nil
		if lexis.verb[m.stem] == lexis.verb["support"] && c.con {
			c.gone, c.item, c.verb = true, true, "use"
		}
		c.passiveParts(ms[1:])
		return true
	case lexis.verb[m.stem] != "" && (aux.text == m.text || !aux.is("is", "are", "was", "were", "has", "have")):
		c.verb = m.stem
		c.parts(ms[1:])
		return true
	case aux.is("has", "have"):
		c.verb = "have"
	default:
		c.verb = "be"
	}
	c.parts(ms)
	return true
}

// fine are the words with which a thing is allowed.
var fine = wordSet("fine ok okay allowed acceptable permitted welcome")

func goneWord(m mark) bool { return lexis.gone[m.text] }

// passiveParts reads what follows a passive verb: there the object has been already.
func (c *clause) passiveParts(ms []mark) {
	object := c.object
	c.object = nil
	c.parts(ms)
	c.rest = append(c.object, c.rest...)
	c.object = object
}

// locative verbs take a place: "store X in Y" is about X and Y.
var locative = stemSet("store put save place record persist write keep log create add set be locate live lie file commit push publish deploy run")

// everywhere are the words of a situation that is none: "in this project".
var everywhere = stemSet("project repository codebase everywhere")

// seeks are the verbs whose object stands behind "for".
var seeks = stemSet("ask search look wait check watch call")

// swaps are the verbs of "replace X with Y" and "switch from X to Y".
var swaps = stemSet("replace swap switch migrate move change")

// turn reads from i on what a claim is set against: "not Y", "instead of Y",
// "without Z". It reports whether it has read the rest.
func (c *clause) turn(ms []mark, i int) bool {
	m, next, rest := ms[i], mark{}, ms[i+1:]
	if len(rest) > 0 {
		next = rest[0]
	}
	switch {
	case m.is("instead", "place") && next.is("of"), m.is("rather") && next.is("than"), m.is("and", "but") && next.is("not"):
		c.instead(rest[1:], false)
	case m.is("no") && next.is("longer") && len(c.object) > 0:
		c.instead(rest[1:], true)
	case m.is("over") && c.verb == "use" && len(c.object) > 0, m.is("not", "never") && len(c.object)+len(c.rest) > 0 && !verbAhead(rest),
		m.is("to") && c.verb == "use" && len(c.object) > 0 && next.stem != "" && lexis.member[next.stem] > 0:
		c.instead(rest, false)
	case m.is("in") && next.is("favor", "favour"):
		// "avoid Y in favour of X", "drop Y in favour of X"
		c.con, c.verb = true, "use"
		c.instead(rest[1:], false)
	case m.is("without") && c.stated:
	case m.is("without"):
		c.without = &clause{con: !c.con, item: true, loose: true, verb: "use"}
		if verbAhead(rest) {
			c.without.verb, rest = next.stem, rest[1:]
		}
		c.without.parts(rest)
	default:
		return false
	}
	return true
}

// parts sorts what follows the verb: its object, other parts, the situation,
// and what it is not to be.
func (c *clause) parts(ms []mark) {
	into, purpose := &c.object, false
	prep := ""
	for i := 0; i < len(ms); i++ {
		m := ms[i]
		next := mark{}
		if i+1 < len(ms) {
			next = ms[i+1]
		}
		if c.turn(ms, i) {
			return
		}
		switch {
		case m.is("to") && next.stem != "" && !next.code && lexis.verb[next.stem] != "" && baseVerb(next):
			into, purpose, prep = &c.aim, true, ""
		case lexis.reason[m.text]:
			c.narrow = m.is("that", "which", "who", "whose") && len(c.object) > 0 && into != &c.when
			return
		case m.is("unless", "except"):
			into, prep = &c.unless, ""
		case m.is("in", "for") && next.is("this", "our") && !locative[c.verb]:
			into, prep = new([]string), "" // the lesson's own project
		case m.is("in", "on", "under", "at") && !purpose && locative[c.verb]:
			into, prep = &c.rest, m.text
		case m.is("for") && seeks[c.verb] && into == &c.object && len(c.object) == 0:
		case lexis.scope[m.text] && !(m.is("until", "once") && next.stem == "") && !(m.is("first")):
			if m.is("before", "after") {
				c.order = m.text
				c.adverbs = append(c.adverbs, m.text)
			}
			into, prep = &c.when, m.text
		case lexis.argument[m.text]:
			if into != &c.when || m.is("with", "by", "via", "using", "through") {
				into, prep = &c.rest, m.text
			}
		case m.is("always"):
			c.always = true
		case m.is("it", "them", "they") && into == &c.object:
			c.pronoun = true
		case m.is("or", "and") && into == &c.object && len(c.object) > 0:
			c.choice = true
		case everywhere[m.stem] && into == &c.when && (prep == "in" || prep == "for"):
		case m.stem == "":
			if _, opposed := lexis.opposite[lexis.stem(m.text)]; opposed {
				c.adverbs = append(c.adverbs, lexis.stem(m.text))
			}
			if n, ok := measureAt(ms, i); ok {
				c.measures = append(c.measures, n)
			}
		default:
			if n, ok := measureAt(ms, i); ok {
				c.measures = append(c.measures, n)
			}
			if prep != "" {
				if c.pairs == nil {
					c.pairs = map[string]string{}
				}
				if _, had := c.pairs[prep]; !had {
					c.pairs[prep] = m.stem
				}
			}
			*into = append(*into, m.stem)
		}
	}
}

// instead reads the thing in whose place another is wanted.
func (c *clause) instead(ms []mark, gone bool) {
	if len(ms) == 0 {
		return
	}
	o := &clause{verb: c.verb, con: !c.con, item: true}
	if verbAhead(ms) {
		o.item = false
		o.verb = ms[0].stem
		o.when = slices.Concat([]string{c.verb}, c.object)
		ms = ms[1:]
	}
	o.parts(ms)
	if o.item {
		c.when, c.aim = append(c.when, o.when...), append(c.aim, o.aim...)
	}
	o.gone = gone
	c.other = o
}

// claims are the one or two that a clause makes.
func (c *clause) claims() []signed {
	one := c.claim()
	if c.without != nil {
		// "never push without running the tests" is for running the tests.
		w := c.without.claim()
		w.When = append(w.When, slices.Concat([]string{c.verb}, c.object)...)
		w.order = "before"
		if c.con {
			return []signed{w}
		}
		return []signed{one, w}
	}
	if swaps[c.verb] {
		if out := c.swap(); out != nil {
			return out
		}
	}
	if c.other == nil {
		return []signed{one}
	}
	o := c.other.claim()
	if o.item {
		o.When, o.For = slices.Clone(c.when), slices.Clone(c.aim)
		o.Subject = slices.Concat(c.subject, c.object)
	}
	return []signed{one, o}
}

// swap reads "replace Y with X" and "switch from Y to X".
func (c *clause) swap() []signed {
	var gone, comes []string
	switch {
	case c.pairs["from"] != "" && c.pairs["to"] != "":
		gone, comes = []string{c.pairs["from"]}, []string{c.pairs["to"]}
	case c.verb == lexis.stem("replace") && len(c.object) > 0 && (c.pairs["with"] != "" || c.pairs["by"] != ""):
		gone, comes = c.object, c.rest
	default:
		return nil
	}
	if c.con {
		gone, comes = comes, gone
	}
	x := clause{verb: "use", object: comes, when: c.when, aim: c.aim}
	y := clause{verb: "use", object: gone, when: c.when, aim: c.aim, con: true, item: true}
	out := []signed{x.claim(), y.claim()}
	out[0].swap, out[1].swap = true, true
	return out
}

func (c *clause) claim() signed {
	if apart := lexis.stem("separate"); c.verb == "keep" && slices.Contains(c.object, apart) {
		c.verb, c.object = apart, except(c.object, apart)
	}
	class := lexis.verb[c.verb]
	if class == "" {
		class = c.verb
	}
	return signed{Claim{
		Verb: class, own: c.verb, Object: c.object, Rest: c.rest, Subject: append(slices.Clone(c.subject), c.context...), When: c.when, For: c.aim,
		item: c.item, always: c.always, only: c.only, gone: c.gone, unless: c.unless, order: c.order,
		measures: c.measures, adverbs: c.adverbs, pairs: c.pairs, choice: c.choice, stated: c.stated, narrow: c.narrow, loose: c.loose,
	}, c.con}
}
