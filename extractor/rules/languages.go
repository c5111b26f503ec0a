package rules

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"learnings/lessons"
)

// The model knows only English. In other languages only clear cases are proposed: a standing
// rule, a correction of the agent, one thing to use instead of another:
//
//   - Every form addresses the agent (an imperative, a second person) or points at what it
//     did ("das stimmt nicht", "不是我要的"). A bare "wrong", "error" or "bad" does not
//     count, because every bug report has one.
//   - Questions, and answers to a question of the agent, are never proposed.
//   - Languages written without spaces are matched by character.

// A form is a way to say what should be kept, the same in every language.
type form struct {
	says     string
	m0       float64
	category lessons.Category
	answers  bool // only in reply to something the agent did
}

// forms maps the names that the tables use.
var forms = map[string]form{
	"remember": {"asks to remember it", .85, "preference", false},
	"again":    {"says it again", .75, "correction", true},
	"standing": {"states a standing rule", .70, "preference", false},
	"instead":  {"names one thing instead of another", .60, "preference", true},
	"wrong":    {"says that something is wrong", .55, "correction", true},
	"forbids":  {"forbids something", .50, "preference", true},
	"closed":   {"worded like a rule", .45, "preference", false},
}

// A packLine is a line for a language written with spaces: several phrases that must
// all occur in a sentence.
type packLine struct {
	form  string // "" if it rules a lesson out
	parts int
}

// packBook is the lines of these languages, and the line of each phrase.
var packBook = sync.OnceValue(func() (b struct {
	at    map[string][]int // the parts of lines, by phrase
	parts []int            // the line of each part
	lines []packLine
}) {
	b.at = make(map[string][]int, 8192)
	for _, l := range packs() {
		if l.together != nil {
			continue
		}
		for _, name := range append(formNames, "not") {
			for _, line := range l.phrases[name] {
				parts := strings.Split(line, " .. ")
				for _, part := range parts {
					for _, phrase := range expand(strings.Fields(part)) {
						addPhrase(b.at, phrase, len(b.parts))
					}
					b.parts = append(b.parts, len(b.lines))
				}
				b.lines = append(b.lines, packLine{strings.TrimPrefix(name, "not"), len(parts)})
			}
		}
	}
	return b
})

// formNames lists the forms, the surest first.
var formNames = []string{"remember", "again", "standing", "instead", "wrong", "forbids"}

// spaced returns the forms in words of a language written with spaces, the surest
// first, or none if a phrase rules them out.
func spaced(w []string) (out []string) {
	b := packBook()
	hit, found := map[int]bool{}, map[int]int{} // the number of parts found of each line
	eachPhrase(b.at, w, func(part int) {
		if !hit[part] {
			hit[part] = true
			found[b.parts[part]]++
		}
	})
	for line, n := range found {
		if l := b.lines[line]; n == l.parts {
			if l.form == "" {
				return nil
			}
			out = append(out, l.form)
		}
	}
	slices.SortFunc(out, func(a, b string) int { return slices.Index(formNames, a) - slices.Index(formNames, b) })
	return out
}

// A foreign is a form found in a sentence.
type foreign struct {
	form
	sentence *sentence // the one that states what should be kept
}

// foreignForms returns the forms of a sentence in another language, the surest first.
func foreignForms(s *sentence) []string {
	var names []string
	switch {
	case together(s.text):
		names = inPack(s.text)
	case english(s.words):
		return nil
	default:
		names = spaced(s.words)
	}
	if len(names) == 0 && closedWords(s) {
		return []string{"closed"}
	}
	return names
}

// closedWords reports whether the function words of a sentence make it a rule: it says
// what always or never holds and what to do, without doubt, past or failure.
func closedWords(s *sentence) bool {
	n := size(s.text)
	if n < 4 || n > 60 {
		return false
	}
	p := languageOf(s)
	if p == nil {
		return false
	}
	strong, outright := p.count("strong", s)
	weak, _ := p.count("weak", s)
	against, _ := p.count("against", s)
	return (strong > 0 && weak > 0 || weak > 1 || outright > 0) && against == 0
}

// languageOf returns the language of a sentence that is not English, by its script or
// most function words; nil if unclear.
func languageOf(s *sentence) *pack {
	if p := packOf(s.text); p != nil {
		return p
	}
	var best *pack
	most := 1
	for i, p := range packs() {
		n := 0
		for _, w := range s.words {
			if p.common[w] {
				n++
			}
		}
		if n > most && n*5 >= len(s.words) {
			best, most = &packs()[i], n
		}
	}
	return best
}

// count returns the number of phrases of a section in a sentence, and how many of them
// are of several words. These order by themselves ("from now on", "you must not"); a bare
// "never" is in many a report.
func (p *pack) count(section string, s *sentence) (n, several int) {
	if p.together != nil {
		for _, x := range p.phrases[section] {
			n += min(strings.Count(s.text, x), 1)
		}
		return n, 0
	}
	eachPhrase(p.closed[section], s.words, func(more int) { n, several = n+1, several+more })
	return n, several
}

// inOtherLanguages looks for a form in a sentence of a moment.
func inOtherLanguages(m *moment, i int) (foreign, bool) {
	s := &m.all[i]
	if asksForeign(s.text) {
		return foreign{}, false
	}
	for _, name := range foreignForms(s) {
		f := forms[name]
		if f.answers && m.first {
			continue
		}
		if asked := m.agentAsked(); asked && (name == "wrong" || name == "forbids") {
			continue // a "no" to a question corrects nobody
		}
		if name == "wrong" {
			// That something is wrong teaches nothing; what is right does.
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

// rightInstead returns the sentence that says what is right: the correction if it is
// long enough, or the next sentence.
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

// size returns the number of words of a text; in scripts without spaces two
// characters count as one.
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

// unwordy reports whether a letter is of a script without spaces, or (Hangul) with
// endings for what other languages say in separate words.
func unwordy(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

func together(s string) bool { return strings.IndexFunc(s, unwordy) >= 0 }

// english reports whether words are English, by function words that no other language
// has.
func english(w []string) bool {
	n := 0
	for _, x := range w {
		if englishOnly()[x] {
			n++
		}
	}
	return n > 1 || n > 0 && len(w) < 8
}

var englishOnly = wordSet("english")

// inPack returns the forms of a text in a language written without spaces.
func inPack(text string) []string {
	p, low := packOf(text), strings.ToLower(text)
	if p.together["not"].MatchString(low) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(formNames), func(name string) bool { return !p.together[name].MatchString(low) })
}

// script names the language of a text that is written without spaces: kana is Japanese,
// Hangul Korean, and Han without kana Chinese; "" for any other.
func script(s string) string {
	switch in := func(t ...*unicode.RangeTable) bool {
		return strings.IndexFunc(s, func(r rune) bool { return unicode.In(r, t...) }) >= 0
	}; {
	case in(unicode.Hiragana, unicode.Katakana):
		return "japanese"
	case in(unicode.Hangul):
		return "korean"
	case in(unicode.Han):
		return "chinese"
	}
	return ""
}

// asksForeign reports whether s is a question, with or without its mark.
func asksForeign(s string) bool {
	s = strings.TrimRight(s, " \t\"'”’」』)）…")
	if strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？") || strings.HasPrefix(s, "¿") {
		return true
	}
	if !together(s) {
		return false
	}
	s = strings.TrimRight(s, "。.!！~～")
	return slices.ContainsFunc(strings.Fields(strings.Join(packOf(s).phrases["asks"], " ")), func(end string) bool { return strings.HasSuffix(s, end) })
}
