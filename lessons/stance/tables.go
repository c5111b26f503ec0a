package stance

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed tables.txt
var tables string

// A group is a set of things of which a project uses one at a time.
type group struct {
	name    string // as in "two package managers"
	members []string
	about   map[string]bool // stems of the work that a member is for
	verbs   map[string]bool // that take a member into use; none is any
}

// A member is a thing of a group, as it is written.
type member struct {
	*group
	thing string
}

// knowledge is tables.txt, for looking up. What is not a form of a word is found
// by its stem.
type knowledge struct {
	roles                map[string]string // the sections that a word is in, each with a space behind it
	same, verbs, numbers map[string]string
	units                map[string]string // a factor, ":" and a dimension
	endings              []string          // of words, each with "=" and what becomes of it
	contrasts            [][]string
	members              map[string]member
	near                 map[string][]string
	common, settings     map[string]bool
}

// known is read on first use: a hook starts the program and may need none of it.
var known = sync.OnceValue(func() *knowledge {
	text, section := map[string]string{}, ""
	for line := range strings.Lines(tables) {
		if line[0] == '[' {
			section, _, _ = strings.Cut(line[1:], "]")
		} else if line[0] != '#' {
			text[section] += line
		}
	}
	k := &knowledge{roles: map[string]string{}, members: map[string]member{}, near: map[string][]string{}}
	for _, name := range []string{"stop", "joint", "scope", "reason", "negative", "refusal", "approval", "aux", "gone", "fine"} {
		for w := range strings.FieldsSeq(text[name]) {
			k.roles[w] += name + " "
		}
	}
	for phrase := range strings.SplitSeq(text["contrast"], ";") {
		p := strings.Fields(phrase)
		k.contrasts, k.roles[p[0]] = append(k.contrasts, p), k.roles[p[0]]+"contrast "
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
	k.common, k.settings = set(text["common"]), set(text["settings"])
	for pair := range strings.FieldsSeq(text["near"]) {
		a, b, _ := strings.Cut(pair, "/")
		a, b = k.stem(a), k.stem(b)
		k.near[a], k.near[b] = append(k.near[a], b), append(k.near[b], a)
	}
	for line := range strings.Lines(text["groups"]) {
		name, rest, is := strings.Cut(line, ":")
		if f := append(strings.Split(rest, "|"), ""); is {
			g := &group{name, strings.Fields(f[0]), set(f[1]), set(f[2])}
			for _, w := range g.members {
				k.members[k.stem(w)] = member{g, w}
			}
		}
	}
	return k
})
