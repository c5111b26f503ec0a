package stance

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A word is a word or a sign of a text.
type word struct {
	text       string // in lower case, without a final 's
	stem       string // of a word that says something; "" of the others
	role       role
	start, end int
	code       bool // in backticks, or written as only names in code are
}

func (w word) is(texts ...string) bool {
	for _, t := range texts {
		if w.text == t {
			return true
		}
	}
	return false
}

func (w word) has(r role) bool { return w.role&r != 0 }

// base reports a verb in the form of an instruction.
func (w word) base() bool {
	return !w.code && verbs[w.stem] != "" && !strings.HasSuffix(w.text, "ing") && !strings.HasSuffix(w.text, "ed") &&
		(w.stem == w.text || !strings.HasSuffix(w.text, "s"))
}

func (w word) gerund() bool {
	return !w.code && verbs[w.stem] != "" && strings.HasSuffix(w.text, "ing")
}

// maxText is how many bytes of a lesson are read: the rest of a text of 64 KB
// says no more about what it is for or against.
const maxText = 4 << 10

func beginning(text string) string { return text[:min(len(text), maxText)] }

// split cuts a text into words and the signs that end a sentence or a clause.
func split(text string, known map[string]word) []word {
	text = beginning(text)
	out := make([]word, 0, len(text)/5+1)
	code := false
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == '`':
			code = !code
		case starts(text, i, r):
			n = extent(text[i:])
			w, ok := known[text[i:i+n]]
			if !ok || code {
				if w = newWord(text[i:i+n], code); !code && known != nil {
					known[text[i:i+n]] = w
				}
			}
			w.start, w.end = i, i+n
			out = append(out, w)
		case r == '%':
			out = append(out, word{text: "%", stem: "%", start: i, end: i + n})
		case code:
		case r == '—' || r == '–' || r == '-' && i > 0 && text[i-1] == ' ' && strings.HasPrefix(text[i:], "- "):
			out = append(out, word{text: ";", start: i, end: i + n, role: stop})
		case strings.ContainsRune(".;:!?\n,()", r):
			out = append(out, word{text: string(r), start: i, end: i + n, role: stop})
		}
		i += n
	}
	return out
}

func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || unicode.IsMark(r)
}

// starts reports a letter, a digit, or the sign with which a flag, a path, a
// hidden file or a scoped package begins.
func starts(text string, i int, r rune) bool {
	if inWord(r) {
		return true
	}
	if !strings.ContainsRune("-.@/~$", r) || i > 0 && !strings.ContainsRune(" `\"'(", rune(text[i-1])) {
		return false
	}
	next, _ := utf8.DecodeRuneInString(strings.TrimLeft(text[i+1:min(len(text), i+6)], "-/"))
	return unicode.IsLetter(next)
}

// extent is the length of the word that text begins with. The signs inside of
// identifiers, paths, versions and contractions belong to it.
func extent(text string) int {
	_, end := utf8.DecodeRuneInString(text)
	for end < len(text) {
		r, n := utf8.DecodeRuneInString(text[end:])
		if !inWord(r) {
			next, _ := utf8.DecodeRuneInString(text[end+n:])
			if !strings.ContainsRune("-./'’:@+#", r) || !inWord(next) && (r != '-' || next != '-') {
				break
			}
		}
		end += n
	}
	return end
}

func newWord(s string, code bool) word {
	low := strings.TrimSuffix(strings.ReplaceAll(strings.ToLower(s), "’", "'"), "'s")
	w := word{text: low, code: code || identifier(s)}
	if !code {
		w.role = roles[low]
	}
	if !w.has(stop) {
		w.stem = stem(low)
	}
	return w
}

// identifier reports a word that only names in code are written like: with a
// sign or a capital inside.
func identifier(s string) bool {
	lower := false
	for i, r := range s {
		if strings.ContainsRune("_/@.", r) || i == 0 && r == '-' || unicode.IsUpper(r) && lower {
			return true
		}
		lower = unicode.IsLower(r)
	}
	return false
}

// stem is what the forms of a word have in common: enough for "installing
// packages" to meet "install a package", and no more. Identifiers stay as they
// are.
func stem(w string) string {
	if f, ok := sameWord[w]; ok {
		return f
	}
	if len(w) < 4 || strings.IndexFunc(w, func(r rune) bool { return (r < 'a' || r > 'z') && r != '-' }) >= 0 || w[0] == '-' {
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
			if s = t; len(s) > 3 && s[len(s)-1] == s[len(s)-2] && !strings.ContainsRune("lsz", rune(s[len(s)-1])) {
				s = s[:len(s)-1]
			}
			break
		}
	}
	if f, ok := sameWord[s]; ok {
		return f
	}
	if len(s) > 3 {
		s = strings.TrimSuffix(s, "e")
	}
	return s
}

// A quantity is a number and what it counts.
type quantity struct {
	dimension string // "time" for seconds and hours, or the stem of what is counted
	value     float64
	bound     string // "most", "least" or "exact", where that is said
}

// quantityAt reads the number at ws[i], where there is one.
func quantityAt(ws []word, i int) (q quantity, ok bool) {
	text := strings.TrimPrefix(ws[i].text, "v")
	if numerals[text] == "" && (text == "" || text[0] < '0' || text[0] > '9') {
		return q, false
	}
	digits := len(text) - len(strings.TrimLeft(text, "0123456789.,_"))
	number, unit := text[:digits], strings.TrimLeft(text[digits:], "-")
	if n, ok := numerals[text]; ok {
		number, unit = n, ""
	}
	var err error
	if q.value, err = strconv.ParseFloat(strings.ReplaceAll(strings.ReplaceAll(number, ",", ""), "_", ""), 64); err != nil {
		return q, false
	}
	for _, w := range ws[i+1 : min(len(ws), i+5)] { // "12 lowercase hex characters" counts characters
		if text[digits:] != "" && numerals[text] == "" || w.stem == "" || w.has(scope|argument) || measures[unit].dimension != "" {
			break
		}
		unit = w.text
	}
	q.dimension = "number"
	if u, ok := measures[unit]; ok {
		q.dimension, q.value = u.dimension, q.value*u.factor
	} else if unit != "" && strings.IndexFunc(unit, func(r rune) bool { return !unicode.IsLetter(r) }) < 0 {
		q.dimension = stem(unit)
	}
	for _, w := range ws[max(i-3, 0):i] {
		if b := bounds[w.text]; b != "" {
			q.bound = b
		}
	}
	return q, ws[i].text != "one" || q.bound != "" // "one" is an article as often
}
