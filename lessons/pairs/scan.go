package pairs

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// A word is a word of a text, or a sign that ends a sentence (".") or a part of it (",").
type word struct {
	text string // in lower case, without a final 's
	stem string // "" for words without content
	verb string // the class of a verb that is not a name in code
	roles
	start, end int
}

func (w word) is(texts ...string) bool { return slices.Contains(texts, w.text) }

func (w word) ends(suffix string) bool { return strings.HasSuffix(w.text, suffix) }

// base reports whether the word is a verb in the imperative.
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

// maxText limits the bytes read from a lesson: the rest of a 64 KB text says no more
// about what it is for or against.
const maxText = 4 << 10

func beginning(text string) string { return text[:min(len(text), maxText)] }

// The signs around words.
const (
	opening = "`\"'“”‘’*_([{<~"
	closing = "`\"'“”‘’*_)]}>.,;:!?…"
)

// A memory caches words and pieces of texts between scans; nil caches nothing.
type memory struct {
	words  map[string]word
	pieces map[string][]token
	last   []word // of the text that was read last
}

func newMemory() *memory { return &memory{words: map[string]word{}, pieces: map[string][]token{}} }

// words appends the words and signs of a sentence.
func (k *knowledge) words(out []word, text string, ts []token, seen *memory) []word {
	sign := func(s string, at int) { out = append(out, word{text: s, roles: isStop, start: at, end: at}) }
	for i := 0; i < len(ts); i++ {
		t := ts[i]
		for i+1 < len(ts) && ts[i+1].start == t.end+1 && text[t.end] == '/' { // and/or is one word here
			i++
			t.end, t.stop = ts[i].end, ts[i].stop
		}
		if t.kind == 'p' {
			s := "."
			if strings.Contains(",()", t.text) {
				s = ","
			}
			sign(s, t.start)
		} else {
			at := t.start
			for name := range strings.FieldsSeq(text[t.start:t.end]) {
				if t.kind != 'w' {
					name = strings.TrimRight(strings.TrimLeft(name, opening), closing)
				}
				w, ok := seen.words[name]
				if !ok {
					if !strings.ContainsFunc(name, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
						continue
					}
					w = k.word(name)
					seen.words[name] = w
				}
				if t.quoted && text[t.start] == '`' {
					w.roles, w.verb, w.stem = 0, "", k.stem(w.text)
				}
				at += strings.Index(text[at:t.end], name)
				w.start, w.end = at, at+len(name)
				out = append(out, w)
			}
		}
		if t.stop {
			sign(".", t.end)
		}
	}
	return append(out, word{text: ".", roles: isStop})
}

func (k *knowledge) word(s string) word {
	low := strings.TrimSuffix(strings.ReplaceAll(strings.ToLower(s), "’", "'"), "'s")
	w := word{text: low, roles: k.roles[low]}
	if !w.has(isStop) {
		if w.stem = k.stem(low); !strings.ContainsAny(s, "_/@.") && s[1:] == strings.ToLower(s[1:]) { // else a name in code
			w.verb = k.verbs[w.stem]
		}
	}
	return w
}

// stem returns the common part of a word's forms: just enough for "installing packages"
// to match "install a package". Identifiers stay as they are.
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
	for j := i + 1; (unit == "" || j > i+1) && j < min(len(ws), i+5) && ws[j].stem != "" && !ws[j].has(isScope) && k.units[unit] == ""; j++ {
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
