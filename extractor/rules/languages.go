package rules

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"learnings/lessons"
)

// The model knows English. In other languages only what leaves little doubt is
// proposed: a standing rule, a correction of the agent, a thing to use instead
// of another. The rules are:
//
//   - Every form speaks to the agent (an imperative, a second person) or points
//     at what it did ("das stimmt nicht", "不是我要的"). A bare "wrong", "error" or
//     "bad" is in every bug report, and is never one.
//   - Questions, and answers to a question of the agent, are none.
//   - Languages that write words together are matched by character.

// A form is a way to say what is to be kept, the same in every language.
type form struct {
	says     string
	m0       float64
	category lessons.Category
	answers  bool // only as an answer to something that the agent did
}

// forms by the name that the tables use.
var forms = map[string]form{
	"remember": {"asks to remember it", .85, "preference", false},
	"again":    {"says it again", .75, "correction", true},
	"standing": {"states a standing rule", .70, "preference", false},
	"instead":  {"names one thing instead of another", .60, "preference", true},
	"wrong":    {"says that something is wrong", .55, "correction", true},
	"forbids":  {"forbids something", .50, "preference", true},
}

// packPhrases are the phrases of the packs that write words apart.
type packPhrases struct {
	at    map[string][]int // parts of lines, by phrase
	parts []int            // of each part, its line
	lines []packLine
}

type packLine struct {
	form  string // "" for what is none
	parts int
}

var apart = sync.OnceValue(func() *packPhrases {
	p := &packPhrases{at: make(map[string][]int, 8192)}
	add := func(form, list string) {
		for line := range strings.Lines(list) {
			parts := strings.Split(line, " .. ")
			if strings.TrimSpace(line) == "" {
				continue
			}
			for _, part := range parts {
				for _, phrase := range expand(strings.Fields(part)) {
					p.at[phrase] = append(p.at[phrase], len(p.parts))
				}
				p.parts = append(p.parts, len(p.lines))
			}
			p.lines = append(p.lines, packLine{form, len(parts)})
		}
	}
	for _, l := range packs() {
		if l.together {
			continue
		}
		for _, name := range formNames {
			add(name, l.phrases[name])
		}
		add("", l.phrases["not"])
	}
	return p
})

// formNames, the surest first.
var formNames = []string{"remember", "again", "standing", "instead", "wrong", "forbids"}

// found gives the forms of a row of words, the surest first, or none when
// something says that it is none.
func (p *packPhrases) found(w []string) []string {
	row := append(append([]string{"^"}, w...), "$")
	hit := map[int]bool{}
	var b []byte
	for i := range row {
		b = b[:0]
		for n := 0; n < maxPhrase && i+n < len(row); n++ {
			if n > 0 {
				b = append(b, ' ')
			}
			b = append(b, row[i+n]...)
			for _, k := range p.at[string(b)] {
				hit[k] = true
			}
		}
	}
	if len(hit) == 0 {
		return nil
	}
	parts := map[int]int{} // of lines, how many parts are there
	for k := range hit {
		parts[p.parts[k]]++
	}
	var out []string
	for line, n := range parts {
		if l := p.lines[line]; n == l.parts {
			if l.form == "" {
				return nil
			}
			out = append(out, l.form)
		}
	}
	slices.SortFunc(out, func(a, b string) int { return slices.Index(formNames, a) - slices.Index(formNames, b) })
	return out
}

// A foreign form found in a sentence.
type foreign struct {
	form
	sentence *sentence // that states what is to be kept
}

// inOtherLanguages looks for a form in a sentence of a moment.
func inOtherLanguages(m *moment, i int) (foreign, bool) {
	s := &m.all[i]
	if asksForeign(s.text) {
		return foreign{}, false
	}
	var names []string
	if together(s.text) {
		names = inPack(s.text)
	} else if !english(s.words) {
		names = apart().found(s.words)
	}
	for _, name := range names {
		f := forms[name]
		if f.answers && m.first {
			continue
		}
		if asked := strings.HasSuffix(strings.TrimSpace(m.before), "?"); asked && (name == "wrong" || name == "forbids") {
			continue // a "no" to a question corrects nobody
		}
		if name == "wrong" {
			// What is wrong teaches nothing yet: what is right does.
			if s = m.rightInstead(i); s == nil {
				continue
			}
		} else if n := size(s.text); n < 4 && !(n == 3 && together(s.text)) {
			continue
		}
		return foreign{f, s}, true
	}
	return foreign{}, false
}

// rightInstead is the sentence that says how it should be: the one that
// corrects, when it goes on, or the next.
func (m *moment) rightInstead(i int) *sentence {
	s := &m.all[i]
	if size(s.text) >= 7 {
		return s
	}
	if i+1 < len(m.all) && size(m.all[i+1].text) >= 4 && !asksForeign(m.all[i+1].text) && !m.all[i+1].bullet {
		return &m.all[i+1]
	}
	return nil
}

// size is the number of words of a text; where they are written together, two
// characters count for one.
func size(s string) int {
	n, others := 0, 0
	for _, w := range strings.FieldsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-' && r != '.' && r != '\''
	}) {
		n++
		for _, r := range w {
			if unwordy(r) {
				others++
			}
		}
	}
	return n + others/2
}

// unwordy are letters of scripts that write words together, or (Hangul) add to
// them what other languages say by words of their own.
func unwordy(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

func together(s string) bool { return strings.IndexFunc(s, unwordy) >= 0 }

// english reports that a row of words is English, which needs no pack: its
// small words are in no other language.
func english(w []string) bool {
	n := 0
	for _, x := range w {
		if englishOnly()[x] {
			n++
		}
	}
	return n > 1 || n > 0 && len(w) < 8
}

var englishOnly = lazySet("the and of is are we you it this that with not for should don't i'd i'm it's let's can would just")

// inPack gives the forms of a text in the packs that write words together.
func inPack(text string) []string {
	var names []string
	low := strings.ToLower(text)
	for _, p := range packs() {
		if !p.together || !writtenIn(p.language, text) {
			continue
		}
		if anyLine(p.phrases["not"], low) {
			return nil
		}
		for _, name := range formNames {
			if anyLine(p.phrases[name], low) {
				names = append(names, name)
			}
		}
		break
	}
	return names
}

// writtenIn tells the languages apart by their scripts: kana is Japanese,
// Hangul Korean, and Han alone Chinese.
func writtenIn(language, s string) bool {
	kana := strings.IndexFunc(s, func(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana) }) >= 0
	hangul := strings.IndexFunc(s, func(r rune) bool { return unicode.Is(unicode.Hangul, r) }) >= 0
	switch language {
	case "japanese":
		return kana
	case "korean":
		return hangul && !kana
	}
	return !kana && !hangul
}

func anyLine(list, low string) bool {
	for line := range strings.Lines(list) {
		if p := strings.TrimSpace(line); p != "" && matches(p, low) {
			return true
		}
	}
	return false
}

// mostBetween is how many characters "…" stands for at most.
const mostBetween = 8

// matches looks for a pattern of characters: "^" at its head for the start of
// the text, "…" for some characters.
func matches(pattern, s string) bool {
	first, atStart := strings.CutPrefix(pattern, "^")
	parts := strings.Split(first, "…")
	for from := 0; from <= len(s); {
		i := strings.Index(s[from:], parts[0])
		if i < 0 || atStart && from+i > 0 {
			return false
		}
		if follow(parts[1:], s[from+i+len(parts[0]):]) {
			return true
		}
		_, n := utf8.DecodeRuneInString(s[from+i:])
		from += i + max(n, 1)
	}
	return false
}

// follow reports that parts come one after another in s, each close behind the
// one before.
func follow(parts []string, s string) bool {
	if len(parts) == 0 {
		return true
	}
	for between := 0; between <= mostBetween; between++ {
		if rest, ok := strings.CutPrefix(s, parts[0]); ok && follow(parts[1:], rest) {
			return true
		}
		_, n := utf8.DecodeRuneInString(s)
		if n == 0 {
			return false
		}
		s = s[n:]
	}
	return false
}

// asksForeign reports a question, with or without its mark.
func asksForeign(s string) bool {
	s = strings.TrimRight(s, " \t\"'”’」』)）…")
	if strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？") || strings.HasPrefix(s, "¿") {
		return true
	}
	if !together(s) {
		return false
	}
	s = strings.TrimRight(s, "。.!！~～")
	for _, p := range packs() {
		if p.together && writtenIn(p.language, s) {
			for _, end := range strings.Fields(p.phrases["asks"]) {
				if strings.HasSuffix(s, end) {
					return true
				}
			}
			return false
		}
	}
	return false
}
