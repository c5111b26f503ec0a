package pairs

import (
	_ "embed"
	"maps"
	"strconv"
	"strings"
	"sync"
)

//go:embed tables.txt
var tables string

// A group is a set of alternatives: a project uses one at a time.
type group struct {
	name    string // as in "two package managers"
	members []string
	stems   []string        // of the members
	about   map[string]bool // stems of the work that a member is for
	verbs   map[string]bool // that take a member into use; none is any
}

// A member is a thing of a group, as it is written.
type member struct {
	*group
	thing string
}

// Roles are the sections of tables.txt that a word is in, as bits.
type roles uint32

const (
	isStop roles = 1 << iota
	isJoint
	isScope
	isReason
	isNegative
	isRefusal
	isApproval
	isAux
	isGone
	isFine
	isAgainst
	isCondition
	isState
	isValueAfter
	isStart
	isNoise
	isStressed
	isHinge
	isTurn
	isDenial
	isFiller
	isPreposition
	isPlain
	isContrast // it begins such a phrase
	isVerb
	isKind
	isAdditive
)

// sections name the first roles.
var sections = []string{"stop", "joint", "scope", "reason", "negative", "refusal", "approval", "aux", "gone", "fine", "against", "conditions", "states",
	"valueafter", "starts", "noise", "stressed", "hinges", "turns", "denials", "fillers", "prepositions", "plain"}

func (r roles) has(any roles) bool { return r&any != 0 }

// is reports whether a word in lower case has one of the roles.
func is(word string, any roles) bool { return known().roles[word].has(any) }

// knowledge is tables.txt, parsed for lookup, mostly by stem.
type knowledge struct {
	roles                map[string]roles
	same, verbs, numbers map[string]string
	units                map[string]string // a factor, ":" and a dimension
	endings              []string          // of words, each with "=" and what becomes of it
	contrasts            [][]string
	members              map[string]member
	near                 map[string][]string
	common               map[string]bool

	heads, slots map[string]string // by stem: what a word says of a value, and the group that it fills a slot of
	weights      map[string]float64
	announced    map[string][][]string // by the first word
}

// rare is the weight of a stem that few lessons have.
const rare = 1.7

// known is parsed on first use: a hook may not need it.
var known = sync.OnceValue(func() *knowledge {
	text, section := map[string]string{}, ""
	for line := range strings.Lines(tables) {
		if line[0] == '[' {
			section, _, _ = strings.Cut(line[1:], "]")
		} else if line[0] != '#' {
			text[section] += line
		}
	}
	k := &knowledge{roles: map[string]roles{}, members: map[string]member{}, near: map[string][]string{}}
	for i, name := range sections {
		for w := range strings.FieldsSeq(text[name]) {
			k.roles[w] |= 1 << i
		}
	}
	for phrase := range strings.SplitSeq(text["contrast"], ";") {
		p := strings.Fields(phrase)
		k.contrasts, k.roles[p[0]] = append(k.contrasts, p), k.roles[p[0]]|isContrast
	}
	classes := func(name string, form func(string) string) map[string]string {
		out := map[string]string{}
		for class := range strings.SplitSeq(text[name], ";") {
			words := strings.Fields(class)
			for _, w := range words {
				out[form(w)] = form(words[0])
			}
		}
		return out
	}
	k.same, k.numbers, k.units = classes("same", strings.ToLower), classes("numerals", strings.ToLower), classes("units", strings.ToLower)
	k.endings = strings.Fields(text["suffixes"])
	k.verbs = classes("verbs", k.stem)
	set := func(words string) map[string]bool {
		out := map[string]bool{}
		for w := range strings.FieldsSeq(words) {
			out[k.stem(w)] = true
		}
		return out
	}
	k.common = set(text["common"])
	for pair := range strings.FieldsSeq(text["near"]) {
		a, b, _ := strings.Cut(pair, "/")
		a, b = k.stem(a), k.stem(b)
		k.near[a], k.near[b] = append(k.near[a], b), append(k.near[b], a)
	}
	for line := range strings.Lines(text["groups"]) {
		name, rest, is := strings.Cut(line, ":")
		if f := append(strings.Split(rest, "|"), ""); is {
			g := &group{name: name, members: strings.Fields(f[0]), about: set(f[1]), verbs: set(f[2])}
			for _, w := range g.members {
				g.stems = append(g.stems, k.stem(w))
				k.members[k.stem(w)] = member{g, w}
			}
		}
	}
	k.readValues(text, classes)
	return k
})

// readValues reads the sections about values that fill a slot.
func (k *knowledge) readValues(text map[string]string, classes func(string, func(string) string) map[string]string) {
	k.heads, k.slots = classes("verbs", k.stem), map[string]string{}
	maps.Copy(k.heads, classes("heads", k.stem))
	delete(k.heads, k.stem("name")) // a name is what a slot is of
	for w, m := range k.members {
		k.slots[w] = m.name
	}
	for line := range strings.Lines(text["slots"]) {
		name, members, _ := strings.Cut(line, ":")
		for w := range strings.FieldsSeq(members) {
			if s := k.stem(w); k.slots[s] == "" {
				k.slots[s] = name
			}
		}
	}
	for section, role := range map[string]roles{"noise": isNoise, "kinds": isKind, "additive": isAdditive} {
		for w := range strings.FieldsSeq(text[section]) {
			k.roles[w] |= role
			k.roles[k.headOf(w)] |= role
		}
	}
	k.announced = map[string][][]string{}
	for phrase := range strings.SplitSeq(text["announced"], ";") {
		if p := strings.Fields(phrase); len(p) > 0 {
			for first := range strings.SplitSeq(p[0], "|") {
				k.announced[first] = append(k.announced[first], p)
			}
		}
	}
	k.weights = map[string]float64{}
	for line := range strings.Lines(text["weights"]) {
		weight, words, _ := strings.Cut(line, ":")
		x, _ := strconv.ParseFloat(weight, 64)
		for w := range strings.FieldsSeq(words) {
			k.weights[w] = x
		}
	}
}
