package rules

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"learnings/extractor/transcript"
)

// wording makes the lesson's sentence of what was said: without address,
// politeness and the like, names, commands and reasons as they were. When that
// cannot be done safely (a question, a word that points at what is not there)
// the lesson is the quote without its pleasantries, and asSaid is true.
func wording(s *sentence) (content string, asSaid bool) {
	quote := strings.Join(strings.Fields(s.text), " ")
	text := strings.TrimLeft(quote, " ,.:;-–—!")
	for {
		rest := strings.TrimLeft(cutOpening(text), " ,.:;-–—!")
		if rest == text || rest == "" {
			break
		}
		text = rest
	}
	asked := false
	if rest, ok := request(text); ok {
		text, asked = rest, true
	}
	text = trimEnd(text)
	if !asked {
		if rest, ok := standing(text); ok {
			text, asked = rest, true
		}
	}
	if text == "" || !asked && (strings.HasSuffix(quote, "?") || asksUnmarked(text)) || points(text) {
		return unadorned(quote), true
	}
	text = capitalised(text)
	if last := text[len(text)-1]; last != '.' && last != '!' && last != ':' && last != '`' {
		text += "."
	}
	return text, false
}

// unadorned takes off a quote what never bears on its meaning, and nothing
// from one that is hardly more than that.
func unadorned(quote string) string {
	s := quote
	for {
		low := strings.ToLower(s)
		rest := s
		for _, p := range slices.Concat(pleasantries, hesitations) {
			if len(low) == len(s) && strings.HasPrefix(low, p) && len(s) > len(p) && strings.IndexByte(" ,.!", s[len(p)]) >= 0 {
				if s[len(p)] == ' ' && slices.Contains(meaningful, p) && !slices.Contains(pleasantries, p) {
					continue
				}
				rest = strings.TrimLeft(s[len(p):], " ,.!")
			}
		}
		if rest == s {
			break
		}
		s = rest
	}
	switch cut := trimEnd(s); {
	case len(words(cut)) < 4:
		return quote
	case s != quote:
		return capitalised(cut) // its first word stood in the middle
	default:
		return cut
	}
}

// capitalised begins a sentence with a capital, unless its first word is a name
// that is spelled so.
func capitalised(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	first, _, _ := strings.Cut(s, " ")
	if unicode.IsLower(r) && class(first) == strings.ToLower(first) {
		return string(unicode.ToUpper(r)) + s[n:]
	}
	return s
}

// standing finds the rule in a sentence that begins with something to do now:
// "let's update the docs, but make sure that …".
func standing(s string) (string, bool) {
	low := strings.ToLower(s)
	if len(low) != len(s) || !startsTask(low) {
		return s, false
	}
	for _, o := range []string{"make sure ", "always ", "never ", "don't ever ", "do not ever "} {
		for _, join := range []string{" but ", ", and ", " and ", ", ", "; "} {
			at := strings.Index(low, join+o)
			if at < 0 {
				continue
			}
			if rest := s[at+len(join):]; !points(rest) && !strings.HasSuffix(rest, "?") {
				return rest, true
			}
		}
	}
	return s, false
}

// startsTask reports that a sentence begins with what to do now.
func startsTask(low string) bool {
	first, _, _ := strings.Cut(low, " ")
	switch first {
	case "let's", "lets", "let", "can", "could", "i'd", "i'll", "we'll", "go":
		return true
	}
	return tasks()[first]
}

// tasks are verbs of what is done once.
var tasks = lazySet(`add fix update commit push create implement change rename move delete remove write run rebase merge refactor extract restore install deploy clean split`)

// hesitations are what people begin with while they think; before a mere blank
// some of them mean more.
var hesitations = []string{"yeah", "yep", "yes", "no", "nope", "nah", "hmm", "hm", "uh", "uhh", "um", "umm", "oh", "ah", "ahh", "huh", "well", "mmmk", "i mean", "actually", "and", "but", "so", "right", "sorry", "wait", "hold on"}

var pleasantries = []string{"ok", "okay", "please", "pls", "hey", "hi", "thanks", "thank you", "cool", "great", "alright"}

// openings are what people say before what they say.
var openings = []string{
	"ok", "okay", "yes", "yeah", "yep", "no", "nope", "nah", "hmm", "hm", "uh", "uhh", "um", "umm", "oh", "ah", "ahh", "well", "so", "and", "but", "also", "actually", "basically", "right",
	"great", "cool", "perfect", "nice", "good", "thanks", "thank you", "please", "sorry", "wait", "hold on", "hey", "man", "no man", "mmmk", "alright", "sure", "fine", "then",
	"i think", "i believe", "i guess", "i mean", "i'd say", "i would say", "just to be clear", "to be clear", "fyi", "btw", "by the way", "again", "in my opinion", "imo", "remember", "note", "rule", "lesson", "q",
	"i'd like you to", "i would like you to", "i want you to", "i need you to", "i'd prefer you to", "you should", "you need to", "you have to", "you must", "remember to", "remember that", "note that",
	"that means", "this means", "which means", "it means", "the idea is that", "the point is that", "my point is that", "one more thing", "anyway", "first of all", "in theory", "otherwise",
	"that's wrong", "that is wrong", "that's not right", "that is not right", "that's not correct", "that's incorrect", "you're wrong", "not quite", "wrong",
}

// cutOpening takes one opening off, if a blank or a mark follows it.
func cutOpening(s string) string {
	low := strings.ToLower(s)
	best := 0
	for _, o := range openings {
		if len(o) > best && strings.HasPrefix(low, o) && len(low) > len(o) && strings.IndexByte(" ,.:;!-", low[len(o)]) >= 0 {
			// "no tests" and "right side" are not openings: one word needs a mark behind it, unless it never means more.
			if low[len(o)] == ' ' && slices.Contains(meaningful, o) {
				continue
			}
			best = len(o)
		}
	}
	if len(low) != len(s) { // lower case changed the length: the cut would not fit
		return s
	}
	return s[best:]
}

// meaningful are openings that before a mere blank belong to the sentence.
var meaningful = []string{"wrong", "not quite", "no", "right", "good", "great", "nice", "fine", "perfect", "cool", "note", "rule", "lesson", "then", "sure", "man", "sorry", "again", "remember", "q", "wait", "hold on", "so", "thanks"}

// request turns "can you use X?" into "use X".
func request(s string) (string, bool) {
	low := strings.ToLower(s)
	if len(low) != len(s) {
		return s, false
	}
	for _, o := range []string{"then can you ", "then can we ", "can you please ", "could you please ", "can you also ", "could you also ", "can you ", "could you ", "would you ", "will you ", "can we please ", "can we also ", "can we ", "could we "} {
		if rest, ok := strings.CutPrefix(low, o); ok {
			if first, _, _ := strings.Cut(rest, " "); verbs()[first] && strings.Count(rest, "?") <= 1 {
				return strings.TrimSuffix(s[len(o):], "?"), true
			}
			return s, false
		}
	}
	return s, false
}

var verbs = lazySet(`use add make keep remove run write put move rename fix update commit push create implement delete change drop set call avoid ensure follow include return rebase merge
	document support stop skip leave match align refactor extract reuse wrap store save load send pass print render display copy replace restore deploy install configure enable disable define
	declare import export generate treat default respect clean simplify reduce split combine group sort limit truncate hide spawn wait stick prefer`)

// trimEnd takes pleasantries and marks off the end.
func trimEnd(s string) string {
	for {
		before := s
		s = strings.TrimRight(s, " ,;-–—")
		for _, e := range []string{" please", " thanks", " thank you", " pls", " :)", " :-)", " ;)", " :D", ", ok", ", right", "!"} {
			if n := len(s) - len(e); n > 0 && strings.EqualFold(s[n:], e) {
				s = s[:n]
			}
		}
		if s == before {
			return s
		}
	}
}

// points reports that a sentence points at something outside of itself, or is
// too short or too long to stand alone.
func points(s string) bool {
	w := words(s)
	if len(w) < 4 || len(w) > 60 {
		return true
	}
	if slices.Contains([]string{"it", "this", "that", "they", "these", "those", "he", "she", "it's", "that's", "its", "them", "which", "because", "or", "than", "not", "the"}, w[0]) && w[0] != "the" && w[0] != "not" {
		return true
	}
	for i, x := range w {
		switch x {
		case "above", "below", "earlier", "latter", "former", "yesterday", "here":
			return true
		case "this", "that", "these", "those", "it", "them":
			if i == len(w)-1 || len(w[i+1]) == 1 && strings.Contains(".,;:!?", w[i+1]) {
				return true
			}
		}
	}
	return false
}

// asksUnmarked reports a question without its mark, and words about the moment
// rather than the matter: what I saw, what you did.
func asksUnmarked(s string) bool {
	w := words(s)
	if len(w) == 0 {
		return true
	}
	switch w[0] {
	case "why", "what", "how", "where", "which", "who", "when", "is", "are", "do", "does", "did", "was", "were", "has", "have", "should", "shouldn't", "could", "can", "would", "will",
		"i", "i'd", "i'm", "i've", "i'll", "you", "you're", "you've", "maybe", "perhaps", "might", "let's":
		return w[0] != "do" || len(w) < 2 || w[1] != "not" // "do not …" is an order
	}
	return false
}

// insight says why a rule holds, in the words that stand beside it, and at
// what occasion a refusal was made; the words alone seldom do.
func insight(s *sentence, m *moment, t *transcript.Turn) string {
	why := reasonBeside(s, m)
	if m.kind != transcript.Rejection || t.Tool == nil {
		return why
	}
	return strings.TrimLeft(why+"\n\n"+occasion(t), "\n")
}

func occasion(t *transcript.Turn) string {
	what := t.Tool.Command
	if what == "" {
		what = t.Tool.Path
	}
	what = strings.Join(strings.Fields(head(what, 400)), " ")
	if len(what) > 160 {
		what = head(what, 160) + "…"
	}
	if what == "" {
		return "Said when refusing a call of " + t.Tool.Name + "."
	}
	return "Said when refusing a call of " + t.Tool.Name + ": `" + strings.ReplaceAll(what, "`", "'") + "`"
}

// reasonBeside gives the sentence behind a rule, or else the one before it,
// when that is plainly its reason; "" when the rule says its reason itself.
func reasonBeside(s *sentence, m *moment) string {
	if s.bullet || s.has("reason") {
		return ""
	}
	at := slices.IndexFunc(m.all, func(o sentence) bool { return o.text == s.text })
	if at+1 < len(m.all) && justifies(&m.all[at+1], s, true) {
		return m.all[at+1].text
	}
	if at > 0 && justifies(&m.all[at-1], s, false) {
		return m.all[at-1].text
	}
	return ""
}

// justifies reports that a sentence says what comes of a thing: it begins like
// a reason, or names an effect and a thing of which the rule speaks.
func justifies(o, rule *sentence, behind bool) bool {
	w := o.words
	if o.bullet || len(w) < 4 || len(w) > 40 || len(o.text) > 300 || strings.HasSuffix(o.text, "?") || o.has("asks you") || o.has("lets") || o.has("goes on") {
		return false
	}
	if behind {
		switch w[0] {
		case "because", "otherwise":
			return true
		case "that's", "the":
			if len(w) > 1 && (w[1] == "why" || w[1] == "because" || w[1] == "reason") {
				return true
			}
		}
	}
	if !slices.ContainsFunc(w, func(x string) bool { return effects()[x] }) {
		return false
	}
	if behind && (w[0] == "it" || w[0] == "they" || w[0] == "this" || w[0] == "that") {
		return true
	}
	things := contentWords(rule.text)
	for x := range contentWords(o.text) {
		if things[x] {
			return true
		}
	}
	return slices.ContainsFunc(w, func(x string) bool { return len(x) > 2 && !stopWords()[x] && slices.Contains(rule.words, x) })
}

// effects are what people say that a thing does, when they say why not to use
// it, or why to.
var effects = lazySet(`break breaks broke fail fails cause causes caused leads leak leaks delete deletes deleted overwrite overwrites loses lose slows blocks hides confuses conflicts corrupts
	crashes clashes drops costs wastes duplicates relies depends prevents avoids ensures guarantees rewrites ignores expects requires invalidates`)

// has reports that a sentence bears a sign.
func (s *sentence) has(name string) bool {
	return slices.ContainsFunc(s.signs, func(k int) bool { return signs()[k].name == name })
}

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

func tags(s *sentence) []string {
	var out []string
	for _, w := range s.words {
		if tag := tagWords()[w]; tag != "" && !slices.Contains(out, tag) && len(out) < 4 {
			out = append(out, tag)
		}
	}
	return out
}

// triggers are the words of a sentence by which a later task would call for
// it: its own nouns and verbs, names and paths as they are.
func triggers(s *sentence) []string {
	var out []string
	for _, f := range strings.Fields(straight.Replace(s.text)) {
		w := strings.Trim(f, "\"'`()[]{}<>*.,;:?!")
		if len(w) < 3 || len(w) > 60 {
			continue
		}
		low := strings.ToLower(w)
		if c := class(w); c == "<num>" || c == "<url>" || stopWords()[low] || dull()[low] {
			continue
		} else if c[0] != '<' {
			w = low
		}
		if !slices.Contains(out, w) && len(out) < 10 {
			out = append(out, w)
		}
	}
	return out
}

// dull are words of many lessons and so of none.
var dull = lazySet(`yeah yep yes hmm okay please thanks let's lets tell told ask asked specifically say said see like think mean know just i'd i'm i've you're we're don't doesn't isn't
	always never instead rather could would want need needs must thing things way good better best sure maybe first actually already still only without everything anything
	something nothing every each same case lot bit kind much one two got give going look looks work works doing done were wasn't`)
