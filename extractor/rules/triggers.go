package rules

import (
	"slices"
	"strings"
	"sync"
	"unicode"
)

// tagWords say of what a lesson speaks.
var tagWords = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"test": "testing", "tests": "testing", "testing": "testing", "tdd": "testing", "coverage": "testing", "e2e": "testing",
		"commit": "git", "commits": "git", "branch": "git", "branches": "git", "rebase": "git", "merge": "git", "worktree": "git", "push": "git", "squash": "git",
		"pr": "review", "prs": "review", "review": "review", "reviewer": "review",
		"docs": "docs", "documentation": "docs", "readme": "docs", "changelog": "docs", "comment": "docs", "comments": "docs", "<doc>": "docs",
		"lint": "lint", "linter": "lint", "fmt": "lint", "format": "lint",
		"name": "naming", "names": "naming", "naming": "naming", "rename": "naming", "spelling": "naming", "called": "naming",
		"error": "errors", "errors": "errors", "log": "logging", "logs": "logging", "logging": "logging",
		"config": "config", "configuration": "config", "settings": "config", "flag": "config", "option": "config",
		"ui": "ui", "button": "ui", "page": "ui", "screen": "ui", "table": "ui", "color": "ui",
		"api": "api", "schema": "schema", "database": "database", "migration": "database", "ci": "ci", "release": "release", "deploy": "release",
		"security": "security", "secret": "security", "secrets": "security", "token": "security", "performance": "performance", "slow": "performance",
		"dependency": "dependencies", "dependencies": "dependencies", "package": "dependencies", "library": "dependencies",
	}
})

func tags(said ...*sentence) []string {
	var out []string
	for _, s := range said {
		for _, w := range s.words {
			if tag := tagWords()[w]; tag != "" && !slices.Contains(out, tag) && len(out) < 4 {
				out = append(out, tag)
			}
		}
	}
	return out
}

const (
	maxTriggers = 8
	minTrigger  = 3 // letters
	maxTrigger  = 60
)

// Triggers are the words of a lesson's sentence by which a later task would call for it, the
// most telling first.
func Triggers(text string) []string {
	said := sentences(text)
	all := make([]*sentence, len(said))
	for i := range said {
		all[i] = &said[i]
	}
	return triggers(all...)
}

// triggers are the words of sentences by which a later task would call for what
// they say: names of code first, as they are, then words that few people use
// when they speak to an agent, then the rest.
func triggers(said ...*sentence) []string {
	var names, rare, common []string
	for _, s := range said {
		for _, f := range strings.Fields(strings.ReplaceAll(straight.Replace(s.text), "...", " ")) {
			w := strings.TrimRight(strings.TrimLeft(f, "\"'`()[]{}<>*_,;:?!="), "\"'`()[]{}<>*_.,;:?!=/")
			if len(w) < minTrigger || len(w) > maxTrigger || strings.ContainsAny(w, "\"") {
				continue
			}
			switch c := class(w); {
			case c == "<num>" || c == "<url>" || w == "e.g" || w == "i.e":
			case c[0] == '<':
				names = once(names, w)
			case dulled(c):
			case learned().turn["w "+c] != 0:
				common = once(common, strings.TrimSuffix(c, "'s"))
			default:
				rare = once(rare, strings.TrimSuffix(c, "'s"))
			}
		}
	}
	out := slices.Concat(names, rare, common)
	return out[:min(len(out), maxTriggers)]
}

func once(list []string, w string) []string {
	if slices.Contains(list, w) {
		return list
	}
	return append(list, w)
}

// dulled reports a word by which nobody would look for a lesson: one of the
// small change of the language, however it is spelled, or no word at all.
func dulled(w string) bool {
	w = strings.TrimSuffix(w, "'s")
	if len(w) < minTrigger || strings.Contains(w, "'") || stopWords()[w] || dull()[w] || passing()[w] || drawl(w+" ") > 0 {
		return true
	}
	letters := 0
	for _, r := range w {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	if letters < minTrigger && !together(w) {
		return true
	}
	return len(w) > 4 && misspelled(w)
}

// passing are words that people say in passing. Features do not know them.
var passing = lazySet("perhaps sorry wait man simply meant basically seems seem eventually recently thought hey alright yeah anyway")

// misspelled reports that a word is one slip away from a word of the small
// change: shouild, becuase, everthing.
func misspelled(w string) bool {
	for _, stop := range []string{"should", "would", "could", "because", "please", "really", "always", "never", "maybe", "actually", "there", "their", "these", "which", "while", "where", "again", "about", "before", "everything", "something", "anything", "without", "instead", "think", "though", "through", "probably", "doesn't", "shouldn't", "wouldn't"} {
		if w[0] == stop[0] && w != stop && slip(w, stop) {
			return true
		}
	}
	return false
}

// slip reports that one letter more, less or other, or two that changed places,
// make a of b.
func slip(a, b string) bool {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	switch len(a) - len(b) {
	case 1:
		return a[i+1:] == b[i:]
	case -1:
		return a[i:] == b[i+1:]
	case 0:
		return i == len(a) || a[i+1:] == b[i+1:] && len(a) > 6 || i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
	}
	return false
}

// dull are words of many lessons and so of none.
var dull = lazySet(`yeah yep yes hmm okay please thanks let's lets tell told ask asked specifically say said see like think mean know just i'd i'm i've you're we're don't doesn't isn't
	always never instead rather could would want need needs must thing things way good better best sure maybe first actually already still only without everything anything
	something nothing every each same case lot bit kind much one two got give going look looks work works doing done were wasn't lets gonna wanna kinda sorta hey huh yet ever currently right well ensure remember forget whenever every kinds stuff
	anyway otherwise though although however bring note hang sec second`)
