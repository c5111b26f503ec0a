package pairs

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"learnings/lessons"
)

// mostUnsaid is how many words are listed; more would tell the person nothing new.
const mostUnsaid = 8

var (
	// operand matches an order to install, run or use something, whose name can look
	// like any other word. "Use" is also followed by an adjective and a noun ("use
	// concrete types"), so there the name must end the clause.
	operand = lessons.LazyRegexp(`(?im)(?:^|[.;:,(]|\b(?:and|then|or|to|always|never|first|must|should|please|not|don't|do|by|before|after))\s*(?:` +
		`\b(?:install(?:ing)?|npx|uvx|pipx|download(?:ing)?|curl|wget|import(?:ing)?|require|run(?:ning)?|execut(?:e|ing)|invok(?:e|ing)|launch(?:ing)?|clon(?:e|ing)|visit(?:ing)?|open(?:ing)?|fetch(?:ing)?)\s+(?:(?:-\S+|the|an?|from)\s+)*([\w@./:-]+)` +
		`|\b(?:us(?:e|ing)|add(?:ing)?|prefer|choose|switch(?:ing)? to|mov(?:e|ing) to|migrat(?:e|ing) to|depend(?:ing)? on)\s+([\w@./:-]+)(?:[.,;:!?)]|$|\s+(?:for|with|before|after|in|on|to|as|instead|when|and|or|over|from|rather|via)\b))`)

	// affirms matches the beginning of an answer that agrees with the agent.
	affirms = lessons.LazyRegexp(`(?i)^\W*(?:yes|yep|yeah|yup|ok(?:ay)?|sure|agreed?|right|correct|exactly|good|great|perfect|nice|do (?:it|that|so|both|all)|go (?:ahead|for|with)|i (?:agree|like)|sounds|looks|makes sense|please do|that'?s (?:right|correct|fine|good)|both|all|option|\d+|[a-d]\b|ja|oui|sí|si|sim)\b`)
)

// things are operands that name nothing in particular.
var things = map[string]bool{
	"dependencies": true, "dependency": true, "deps": true, "package": true, "packages": true, "library": true, "libraries": true,
	"module": true, "modules": true, "tools": true, "it": true, "them": true, "all": true, "any": true, "new": true, "what": true,
}

// Affirms reports that an answer begins with words that agree with what was said
// before it, which then counts as said too.
func Affirms(answer string) bool { return affirms().MatchString(answer) }

// Unsaid returns the words of a lesson that its session does not have. A proposer may
// quote one thing and write another, talked into it by a page or a log, or making it up.
// Paraphrases are fine: only commands, addresses, packages, paths and names must have
// been said, and the lesson must share a word with the text near its quote; else the
// words that tell its subject are returned.
func Unsaid(w lessons.Wording, near, said Heard) []string {
	var about []string
	for word := range strings.FieldsSeq(apart(w.Content)) {
		if keys := Keywords(word); len(keys) > 0 && !Common(keys[0]) && !Common(strings.ToLower(word)) {
			about = append(about, word)
		}
	}
	if len(about) > 0 && !slices.ContainsFunc(about, near.has) {
		return about[:min(len(about), mostUnsaid)]
	}
	text := w.Content + "\n" + w.Insight + "\n" + w.Example
	words := slices.DeleteFunc(append(Unfounded(text), names(text)...), isTerm)
	words = append(words, operands(text)...)
	var out []string
	for _, word := range words {
		word = strings.TrimRight(strings.Trim(word, "`'\"“”()[]"), ".,;:!?")
		if len(out) < mostUnsaid && !slices.Contains(out, word) && !said.has(word) {
			out = append(out, word)
		}
	}
	return out
}

// operands returns what a text orders somebody to install, run or use.
func operands(text string) []string {
	var out []string
	for rest := text; ; {
		m := operand().FindStringSubmatchIndex(rest)
		if m == nil {
			return out
		}
		from, to := max(m[2], m[4]), max(m[3], m[5]) // one of the two names is not there
		if word := rest[from:to]; !things[strings.ToLower(word)] {
			out = append(out, word)
		}
		rest = rest[to:]
	}
}

// A Speech is text in which words are looked up.
type Speech struct {
	low      string // in lower case
	squeezed string // without blanks and signs
	words    map[string]bool
}

// Has reports whether the speech contains a text, ignoring case.
func (s Speech) Has(text string) bool { return strings.Contains(s.low, strings.ToLower(text)) }

// NewSpeech makes ready what was said in texts.
func NewSpeech(texts []string) Speech {
	low := strings.ToLower(strings.Join(texts, "\n"))
	s := Speech{low: low, squeezed: squeezed(low), words: make(map[string]bool)}
	for _, w := range Keywords(apart(low)) {
		s.words[w] = true
	}
	return s
}

// Heard is all text in which a word may have been said.
type Heard []Speech

func (h Heard) any(f func(Speech) bool) bool { return slices.ContainsFunc(h, f) }

// has reports whether a word was said: as it is, with other capitals or signs, in another
// form, or part by part. An address must have been said as it is.
func (h Heard) has(word string) bool {
	low := strings.ToLower(word)
	short := squeezed(low)
	switch {
	case !strings.ContainsFunc(short, unicode.IsLetter), h.any(func(s Speech) bool { return strings.Contains(s.low, low) }):
		return true
	case strings.ContainsFunc(short, unspaced):
		return h.any(func(s Speech) bool { return sharesPair(s.low, low) })
	case strings.Contains(low, "://"):
		return false
	case len(short) >= leastSqueezed && h.any(func(s Speech) bool { return strings.Contains(s.squeezed, short) }):
		return true
	}
	compound := word != low && strings.Trim(low, "abcdefghijklmnopqrstuvwxyz-") == ""
	for part := range strings.FieldsSeq(apart(word)) {
		if compound && part == strings.ToLower(part) {
			continue // the "owned" of Initech-owned
		}
		for _, w := range Keywords(part) {
			if !h.any(func(s Speech) bool { return s.words[w] || s.words[strings.TrimSuffix(w, "s")] }) {
				return false
			}
		}
	}
	return true
}

// isTerm reports an abbreviation: UUID and SSH are terms, not things to install or run.
func isTerm(word string) bool {
	return word == strings.ToUpper(word) && !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) })
}

// unspaced reports a letter of a script that puts no blanks between words.
func unspaced(r rune) bool { return r >= 0x2e80 && unicode.IsLetter(r) }

// sharesPair reports whether two neighbouring characters of word are neighbours in text.
func sharesPair(text, word string) bool {
	last := ""
	for _, r := range word {
		if last != "" && strings.Contains(text, last+string(r)) {
			return true
		}
		last = string(r)
	}
	return false
}

// leastSqueezed is the length from which equal letters are no coincidence.
const leastSqueezed = 6

func squeezed(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s)
}

// apart separates the parts of names and paths by blanks.
func apart(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '\'' || r == '’' {
			return r
		}
		return ' '
	}, s)
}

// names returns the capitalized words that do not begin a sentence.
func names(text string) []string {
	var out []string
	begins := true
	for f := range strings.FieldsSeq(text) {
		word := strings.Trim(f, "`'\"“”.,;:!?()[]*")
		word = strings.TrimSuffix(strings.TrimSuffix(word, "'s"), "’s") // who said it of a thing said its name
		first, _ := utf8.DecodeRuneInString(word)
		if !begins && len(word) > 1 && unicode.IsUpper(first) && word != strings.ToUpper(word) {
			out = append(out, word)
		}
		begins = strings.HasSuffix(f, ".") || strings.HasSuffix(f, ":") || strings.HasSuffix(f, "!") || strings.HasSuffix(f, "?") || f == "-" || f == "*"
	}
	return out
}
