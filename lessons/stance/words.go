package stance

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of what is read of a lesson: the rest of a text of 64 KB says no more
// about what it is for or against.
const (
	maxStanceText = 4 << 10 // bytes
	maxClaims     = 24
)

// A mark is a word or a sign with its place in the text.
type mark struct {
	text       string // in lower case, with a plain apostrophe
	stem       string // of a word that counts; "" of others
	start, end int
	code       bool // stands in backticks, or looks like an identifier
	stop       bool // says nothing by itself
}

func (m mark) is(words ...string) bool {
	for _, w := range words {
		if m.text == w {
			return true
		}
	}
	return false
}

// lexicon is the tables in the form in which they are asked.
type lexicon struct {
	stop, scope, argument, reason, gone, common, settings map[string]bool
	verb                                                  map[string]string // stem to class
	same                                                  map[string]string // synonym to the word that stands for it
	forms                                                 map[string]string // irregular forms
	opposite                                              map[string][]string
	near                                                  map[[2]string]bool // classes of verbs of which one implies the other
	spelled                                               map[string]string  // a member of a group as people write it, by its stem
	member                                                map[string]int     // stem to the index of its group, from 1
	about, takes                                          []map[string]bool
}

var lexis = newLexicon()

func newLexicon() *lexicon {
	x := &lexicon{
		stop: wordSet(stanceStops), scope: wordSet(scopeMarks), argument: wordSet(argumentMarks), reason: wordSet(reasonMarks),
		gone: wordSet(goneWords), same: map[string]string{}, forms: map[string]string{}, verb: map[string]string{},
		opposite: map[string][]string{}, member: map[string]int{}, spelled: map[string]string{},
	}
	byFirst := func(table string, into map[string]string) {
		for line := range strings.Lines(strings.TrimSpace(table)) {
			all := strings.Fields(line)
			for _, w := range all {
				into[w] = all[0]
			}
		}
	}
	byFirst(irregularForms, x.forms)
	byFirst(nouns, x.same)
	for line := range strings.Lines(strings.TrimSpace(verbClasses)) {
		all := strings.Fields(line)
		for _, w := range all {
			x.verb[x.stem(w)] = x.stem(all[0])
		}
	}
	for w := range strings.FieldsSeq(otherVerbs) {
		if s := x.stem(w); x.verb[s] == "" {
			x.verb[s] = s
		}
	}
	for pair := range strings.FieldsSeq(opposites) {
		a, b, _ := strings.Cut(pair, "/")
		a, b = x.stem(a), x.stem(b)
		x.opposite[a] = append(x.opposite[a], b)
		x.opposite[b] = append(x.opposite[b], a)
	}
	x.near = map[[2]string]bool{}
	for pair := range strings.FieldsSeq(nearVerbs) {
		a, b, _ := strings.Cut(pair, "/")
		x.near[[2]string{x.stem(a), x.stem(b)}] = true
	}
	x.common, x.settings = map[string]bool{}, map[string]bool{}
	for w := range strings.FieldsSeq(tradeWords) {
		x.common[x.stem(w)] = true
	}
	for w := range strings.FieldsSeq(settingWords) {
		x.settings[x.stem(w)] = true
	}
	x.about, x.takes = make([]map[string]bool, len(groups)+1), make([]map[string]bool, len(groups)+1)
	for i, g := range groups {
		for w := range strings.FieldsSeq(g.members) {
			x.member[x.stem(w)], x.spelled[x.stem(w)] = i+1, w
		}
		x.about[i+1], x.takes[i+1] = map[string]bool{}, map[string]bool{}
		for w := range strings.FieldsSeq(g.verbs) {
			x.takes[i+1][x.stem(w)] = true
		}
		for w := range strings.FieldsSeq(g.about) {
			x.about[i+1][x.stem(w)] = true
		}
	}
	return x
}

func wordSet(table string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(table) {
		m[w] = true
	}
	return m
}

func stemSet(table string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(table) {
		m[lexis.stem(w)] = true
	}
	return m
}

// stem is what the forms of a word have in common: enough for "installing
// packages" to meet "install a package", and no more. Identifiers stay as they
// are.
func (x *lexicon) stem(w string) string {
	if f, ok := x.forms[w]; ok {
		w = f
	}
	if s, ok := x.same[w]; ok {
		return s
	}
	if len(w) < 4 || !plainLetters(w) {
		return w
	}
	s := w
	switch {
	case strings.HasSuffix(s, "ies") && len(s) > 4:
		s = s[:len(s)-3] + "y"
	case strings.HasSuffix(s, "sses"), strings.HasSuffix(s, "shes"), strings.HasSuffix(s, "ches"), strings.HasSuffix(s, "xes"):
		s = s[:len(s)-2]
	case strings.HasSuffix(s, "s") && !strings.HasSuffix(s, "ss") && !strings.HasSuffix(s, "us") && !strings.HasSuffix(s, "is"):
		s = s[:len(s)-1]
	}
	for _, end := range []string{"ing", "ed"} {
		if t, ok := strings.CutSuffix(s, end); ok && len(t) >= 3 && strings.ContainsAny(t, "aeiouy") {
			s = t
			if n := len(s); n > 3 && s[n-1] == s[n-2] && !strings.ContainsRune("lsz", rune(s[n-1])) {
				s = s[:n-1]
			}
			break
		}
	}
	if r, ok := x.same[s]; ok {
		return r
	}
	if len(s) > 3 {
		s = strings.TrimSuffix(s, "e")
	}
	return s
}

func plainLetters(w string) bool {
	for i := range len(w) {
		if (w[i] < 'a' || w[i] > 'z') && w[i] != '-' {
			return false
		}
	}
	return !strings.Contains(w, "--") && w[0] != '-'
}

// marks cuts a text into words and signs, each with its place. Of signs only
// those that end or join parts of a sentence are kept.
func marks(text string) []mark {
	if len(text) > maxStanceText {
		text = text[:maxStanceText]
		for !utf8.ValidString(text[len(text)-min(4, len(text)):]) && len(text) > 0 && !utf8.RuneStart(text[len(text)-1]) {
			text = text[:len(text)-1]
		}
	}
	out := make([]mark, 0, len(text)/6+1)
	code := false
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == '`':
			code = !code
			i += n
		case wordStart(text, i, r):
			end := wordEnd(text, i)
			out = append(out, newMark(text[i:end], i, end, code))
			i = end
		case r == '%':
			out = append(out, mark{text: "%", stem: "%", start: i, end: i + 1})
			i++
		case !code && strings.ContainsRune(".;:!?\n,()—–", r):
			s := string(r)
			if r == '—' || r == '–' {
				s = ";"
			}
			out = append(out, mark{text: s, start: i, end: i + n, stop: true})
			i += n
		case !code && r == '-' && i > 0 && text[i-1] == ' ' && strings.HasPrefix(text[i:], "- "):
			out = append(out, mark{text: ";", start: i, end: i + 1, stop: true})
			i++
		default:
			i += n
		}
	}
	return out
}

// wordStart reports a letter, a digit, or the sign with which a flag, a hidden
// file, a path or a scoped package begins.
func wordStart(text string, i int, r rune) bool {
	if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' {
		return true
	}
	if !strings.ContainsRune("-.@/~$", r) || i > 0 && !strings.ContainsRune(" `\"'(", rune(text[i-1])) {
		return false
	}
	rest := strings.TrimLeft(text[i+1:min(len(text), i+3)], "-/")
	next, _ := utf8.DecodeRuneInString(rest)
	return unicode.IsLetter(next)
}

// wordEnd is where the word that begins at i ends: signs inside of identifiers,
// paths, versions and contractions belong to it.
func wordEnd(text string, i int) int {
	_, n := utf8.DecodeRuneInString(text[i:])
	end := i + n
	for end < len(text) {
		r, n := utf8.DecodeRuneInString(text[end:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && !unicode.IsMark(r) {
			if !strings.ContainsRune("-./'’:@+#", r) || end+n >= len(text) {
				break
			}
			next, _ := utf8.DecodeRuneInString(text[end+n:])
			if !unicode.IsLetter(next) && !unicode.IsDigit(next) && !(r == '-' && next == '-') && next != '_' {
				break
			}
		}
		end += n
	}
	return end
}

func newMark(s string, start, end int, code bool) mark {
	low := strings.ReplaceAll(strings.ToLower(s), "’", "'")
	low = strings.TrimSuffix(low, "'s")
	m := mark{text: low, start: start, end: end, code: code || identifier(s)}
	if m.stop = !code && lexis.stop[low]; !m.stop {
		m.stem = lexis.stem(low)
	}
	return m
}

// identifier reports a word that people write only for a name in code: with an
// underscore, a dot, a slash, a digit, a leading sign or a capital inside.
func identifier(s string) bool {
	lower := false
	for i, r := range s {
		switch {
		case r == '_' || r == '/' || r == '@' || r == '.' || i == 0 && r == '-':
			return true
		case unicode.IsUpper(r) && lower:
			return true
		}
		lower = unicode.IsLower(r)
	}
	return false
}

// A quantity is a number with a unit.
type quantity struct {
	dimension string // or the stem of what is counted
	value     float64
	bound     string // "most", "least", "exact" or ""
	at        int    // of its mark
}

// measureAt reads a number and its unit at marks[i].
func measureAt(ms []mark, i int) (quantity, bool) {
	text := strings.TrimPrefix(ms[i].text, "v")
	digits := strings.IndexFunc(text, func(r rune) bool { return (r < '0' || r > '9') && r != '.' && r != ',' && r != '_' })
	unit := ""
	if digits < 0 {
		digits = len(text)
	} else {
		unit = strings.TrimLeft(text[digits:], "-")
	}
	if digits == 0 {
		if v, ok := numerals[text]; ok {
			digits, text, unit = 1, v, ""
		} else {
			return quantity{}, false
		}
	}
	v, err := strconv.ParseFloat(strings.NewReplacer(",", "", "_", "").Replace(text[:digits]), 64)
	if err != nil {
		return quantity{}, false
	}
	m := quantity{value: v, at: i, dimension: "number"}
	if unit == "" {
		unit = counted(ms[i+1:])
	}
	if u, ok := units[unit]; ok {
		m.dimension, m.value = u.dimension, v*u.factor
	} else if u, ok := units[strings.TrimSuffix(unit, "s")]; ok {
		m.dimension, m.value = u.dimension, v*u.factor
	} else if unit != "" && allLetters(unit) {
		m.dimension = lexis.stem(unit)
	}
	for back := max(i-3, 0); back < i; back++ {
		switch ms[back].text {
		case "most", "maximum", "max", "under", "below", "within":
			m.bound = "most"
		case "least", "minimum", "min", "above", "over":
			m.bound = "least"
		case "exactly":
			m.bound = "exact"
		}
	}
	if ms[i].text == "one" && m.bound == "" {
		return quantity{}, false // it counts as often as not
	}
	return m, true
}

// counted is what a number before it counts: the next unit, or the last of the
// words that follow: "12 lowercase hex characters".
func counted(ms []mark) string {
	last := ""
	for _, m := range ms[:min(len(ms), 4)] {
		if m.stem == "" || lexis.scope[m.text] || lexis.argument[m.text] {
			break
		}
		last = m.text
		if _, ok := units[strings.TrimSuffix(last, "s")]; ok {
			break
		}
	}
	return last
}

var numerals = map[string]string{"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10"}

func allLetters(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) }) < 0
}

func toNumber(s string) float64 {
	v, _ := strconv.ParseFloat(s, 64)
	return v
}
