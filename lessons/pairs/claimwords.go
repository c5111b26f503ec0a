package pairs

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// A word is a word of a text, or a sign that ends a sentence (".") or a part of
// one (",").
type word struct {
	text       string // in lower case, without a final 's
	stem       string // of a word that says something; "" of the others
	verb       string // the class of a verb that is no name in code
	role       string // the sections of tables.txt that have it
	start, end int
}

func (w word) is(texts ...string) bool { return slices.Contains(texts, w.text) }

func (w word) has(roles ...string) bool {
	return w.role != "" && slices.ContainsFunc(roles, func(r string) bool { return strings.Contains(w.role, r) })
}

func (w word) ends(suffix string) bool { return strings.HasSuffix(w.text, suffix) }

// base reports a verb in the form of an instruction.
func (w word) base() bool {
	return w.verb != "" && !w.ends("ing") && !w.ends("ed") && (w.stem == w.text || !w.ends("s"))
}

// wordAt is the word at a place, or none.
func wordAt(ws []word, i int) word {
	if i < len(ws) {
		return ws[i]
	}
	return word{}
}

// maxText is how many bytes of a lesson are read: the rest of a text of 64 KB
// says no more about what it is for or against.
const maxText = 4 << 10

func beginning(text string) string { return text[:min(len(text), maxText)] }

// The signs around words, and between them.
const (
	opening = "`\"'“”‘’*_([{<~"
	closing = "`\"'“”‘’*_)]}>.,;:!?…"
	dash    = "—" // which separates words as white space does
)

// split cuts a text into words and signs. Seen keeps words from one text to the
// next; nil is none.
func (k *knowledge) split(text string, seen map[string]word) []word {
	text = beginning(text)
	out := make([]word, 0, len(text)/5+1)
	code := false // between backticks
	for i := 0; i < len(text); {
		n, plain := fieldOf(text[i:])
		field := text[i : i+n]
		name, before, after := field, "", ""
		if !plain {
			left := strings.TrimLeft(field, opening)
			name = strings.TrimRight(left, closing)
			before, after = field[:len(field)-len(left)], left[len(name):]
		}
		sign := func(s string) { out = append(out, word{text: s, role: "stop", start: i, end: i}) }
		if strings.Contains(before, "(") && !code {
			sign(",")
		}
		inCode := code || strings.Contains(before, "`")
		if plain && n > 0 || strings.ContainsFunc(name, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			w, ok := seen[name]
			if !ok {
				if w = k.word(name); seen != nil {
					seen[name] = w
				}
			}
			if inCode {
				w.role, w.verb, w.stem = "", "", k.stem(w.text)
			}
			w.start, w.end = i+len(before), i+len(before)+len(name)
			out = append(out, w)
		} else if name != "" && !inCode {
			sign(".") // a dash
		}
		code = code != (!plain && strings.Count(field, "`")%2 == 1)
		i += n
		gap := gapOf(text[i:])
		if i += len(gap); code || plain && gap == " " {
		} else if strings.ContainsAny(after, ".;:!?…") || strings.ContainsAny(gap, "\n—") {
			sign(".")
		} else if strings.ContainsAny(after, ",)") {
			sign(",")
		}
	}
	return out
}

// fieldOf is how many bytes stand before the next space of a text, and whether they
// are letters and digits of ASCII alone.
func fieldOf(text string) (n int, plain bool) {
	plain = true
	for ; n < len(text) && !space(text[n:]); n++ {
		c := text[n]
		plain = plain && (c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9')
	}
	return n, plain
}

// gapOf are the spaces with which a text begins.
func gapOf(text string) string {
	n := 0
	for n < len(text) && space(text[n:]) {
		if n++; text[n-1] == dash[0] {
			n += len(dash) - 1
		}
	}
	return text[:n]
}

// space reports that a text begins with one of the spaces.
func space(text string) bool {
	switch text[0] {
	case ' ', '\t', '\r', '\n':
		return true
	}
	return text[0] == dash[0] && strings.HasPrefix(text, dash)
}

func (k *knowledge) word(s string) word {
	low := strings.TrimSuffix(strings.ReplaceAll(strings.ToLower(s), "’", "'"), "'s")
	w := word{text: low, role: k.roles[low]}
	if !w.has("stop") {
		if w.stem = k.stem(low); !strings.ContainsAny(s, "_/@.") && s[1:] == strings.ToLower(s[1:]) { // else a name in code
			w.verb = k.verbs[w.stem]
		}
	}
	return w
}

// stem is what the forms of a word have in common: enough for "installing
// packages" to meet "install a package", and no more. Identifiers stay as they
// are.
func (k *knowledge) stem(w string) string {
	if f, ok := k.same[w]; ok {
		return f
	}
	if len(w) < 4 || w[0] == '-' || strings.ContainsFunc(w, func(r rune) bool { return (r < 'a' || r > 'z') && r != '-' }) {
		return w
	}
	s := w
	for _, e := range k.endings {
		end, to, _ := strings.Cut(e, "=")
		if rest, ok := strings.CutSuffix(s, end); ok {
			s = rest + to
			break
		}
	}
	for _, end := range []string{"ing", "ed"} {
		if t, ok := strings.CutSuffix(s, end); ok && len(t) >= 3 && strings.ContainsAny(t, "aeiouy") {
			if s = t; len(s) > 3 && s[len(s)-1] == s[len(s)-2] && !strings.ContainsRune("lsz", rune(s[len(s)-1])) {
				s = s[:len(s)-1]
			}
			break
		}
	}
	if f, ok := k.same[s]; ok {
		return f
	}
	if len(s) > 3 {
		s = strings.TrimSuffix(s, "e")
	}
	return s
}

// A quantity is a number and what it counts.
type quantity struct {
	dimension string // "s" for seconds and hours, or the stem of what is counted
	value     float64
	bound     bool // "at most", "at least" or "exactly" that many
}

// quantityAt reads the number at ws[i], where there is one.
func (k *knowledge) quantityAt(ws []word, i int) (q quantity, ok bool) {
	number, spelled := k.numbers[ws[i].text]
	unit := ""
	if text := strings.TrimPrefix(ws[i].text, "v"); !spelled {
		digits := len(text) - len(strings.TrimLeft(text, "0123456789.,"))
		number, unit = strings.ReplaceAll(text[:digits], ",", ""), strings.TrimLeft(text[digits:], "-")
	}
	if number == "" {
		return q, false
	}
	for j := i + 1; (unit == "" || j > i+1) && j < min(len(ws), i+5) && ws[j].stem != "" && !ws[j].has("scope") && k.units[unit] == ""; j++ {
		unit = ws[j].text // "12 lowercase hex characters" counts characters
	}
	q.value, _ = strconv.ParseFloat(number, 64)
	if factor, dimension, ok := strings.Cut(cmp.Or(k.units[unit], k.units[strings.TrimSuffix(unit, "s")]), ":"); ok {
		f, _ := strconv.ParseFloat(factor, 64)
		q.value, q.dimension = q.value*f, dimension
	} else if !strings.ContainsFunc(unit, func(r rune) bool { return !unicode.IsLetter(r) }) {
		q.dimension = k.stem(unit)
	}
	q.bound = i > 0 && ws[i-1].is("most", "least", "exactly")
	return q, !ws[i].is("one") || q.bound // "one" is an article as often
}
