package pairs

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A clause is a part of a lesson that may assign a value to a slot: "end the names of
// attributes with `_i`".
type clause struct {
	tokens     []token
	values     []value
	given      []string  // the values assigned, without the refused ones
	refused    []string  // the values replaced: "X instead of Y" refuses Y
	frame      []string  // stems of all other words, in order, each once
	weights    []float64 // of each stem of the frame
	weight     float64   // of all of them
	before     []string  // of each stem of the frame, the preceding one; "" for none
	when       []string  // stems of its conditions
	verb       string
	adds       bool // many objects of the verb can hold side by side
	con        bool // it is against something
	start, end int  // bytes of the content
}

// A token is a word, a value, a unit after a number, or a sign between words.
type token struct {
	text, stem string
	value      *value
	start, end int
	roles
	kind   byte // 'w', 'v', 'u' or 'p'
	quoted bool
	stop   bool // a sentence ends after it
}

func (t *token) word(texts ...string) bool { return t.kind == 'w' && slices.Contains(texts, t.text) }

// A value can fill a slot: a literal, a quantity, or a member of a group.
type value struct {
	kind    byte   // 'L', 'N' or 'G'
	text    string // in lower case; of a number its amount in its dimension's base unit
	of      string // the dimension or the group
	as      string // as written
	refused bool
}

// maxClauses limits the clauses read from a lesson.
const maxClauses = 8

// scan returns the words of a text, which are valid until the next scan with seen, its
// clauses, and whether it announces a change.
func scan(text string, seen *memory) (ws []word, out []clause, announced bool) {
	k := known()
	text, ws = beginning(text), seen.last[:0]
	for start := 0; start < len(text); {
		end := sentenceEnd(text, start)
		ts := k.tokens(text[start:end], start, seen)
		ws = k.words(ws, text, ts, seen)
		if start = end; len(out) == maxClauses {
			continue
		}
		announced = announced || k.announces(ts)
		for _, part := range halves(anyPlace(ts)) {
			if len(part) > 0 && len(out) < maxClauses {
				c := clause{tokens: part, start: part[0].start, end: part[len(part)-1].end}
				c.read(k)
				out = append(out, c)
			}
		}
	}
	seen.last = ws
	return ws, out, announced
}

// sentenceEnd returns the end of the sentence that begins at start, including the space
// after it.
func sentenceEnd(text string, start int) int {
	for i := start + 1; i < len(text)-1; i++ {
		if !blank(text[i]) {
			continue
		}
		rest := strings.TrimLeft(text[i:], " \t\r\n")
		next := len(text) - len(rest)
		gap := text[i:next]
		if rest == "" {
			return len(text)
		}
		upper := rest[0] >= 'A' && rest[0] <= 'Z' || strings.ContainsRune("`'\"(*", rune(rest[0]))
		last := text[i-1]
		switch {
		case last == ';', strings.ContainsRune(".!?", rune(last)) && upper && i > start+1 && !strings.ContainsRune(" .,", rune(text[i-2])),
			strings.Contains(gap, "\n") && (strings.Count(gap, "\n") > 1 || strings.ContainsRune("-*#", rune(rest[0]))):
			return next
		}
		i = next - 1
	}
	return len(text)
}

func blank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// wordEnd returns the length of the text up to a blank, a sign between words or the
// beginning of a quotation.
func wordEnd(s string, colons bool) int {
	for i, r := range s {
		switch r {
		case ',', ';', '(', ')', '—', '–', '`', '“':
			return i
		case ':':
			if colons {
				return i
			}
		default:
			if r <= ' ' || r >= utf8.RuneSelf && unicode.IsSpace(r) {
				return i
			}
		}
	}
	return len(s)
}

// tokens splits a sentence that begins at at in the content.
func (k *knowledge) tokens(s string, at int, seen *memory) []token {
	out := make([]token, 0, len(s)/6+1)
	for i := 0; i < len(s); {
		if n, text := quotation(s, i); n > 0 {
			out = append(out, token{kind: 'v', value: new(literalOf(text, s[i:i+n])), quoted: true, start: at + i, end: at + i + n})
			i += n
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case unicode.IsSpace(r):
			if r == '\n' && len(out) > 0 {
				out[len(out)-1].stop = true
			}
			i += size
			continue
		case strings.ContainsRune(",;:()—–", r):
			out = append(out, token{kind: 'p', text: string(r), start: at + i, end: at + i + size})
			i += size
			continue
		}
		n := wordEnd(s[i:], true)
		if n == 0 {
			n = size // a sign of a quotation that does not end
		} else if i+n+1 < len(s) && s[i+n] == ':' && !unicode.IsSpace(rune(s[i+n+1])) { // x:y, and the port of a host
			n += wordEnd(s[i+n:], false)
		}
		if s[i:i+n] == "-" || s[i:i+n] == "=" {
			out = append(out, token{kind: 'p', text: s[i : i+n], start: at + i, end: at + i + n})
		} else {
			ts, ok := seen.pieces[s[i:i+n]]
			if !ok {
				ts = k.piece(nil, s[i:i+n])
				seen.pieces[s[i:i+n]] = ts
			}
			for _, t := range ts {
				t.start, t.end = at+i+t.start, at+i+t.end
				out = append(out, t)
			}
			if last := strings.TrimRight(s[i:i+n], "`'\"”*_]}>"); len(out) > 0 && strings.ContainsAny(last[max(len(last)-1, 0):], ".!?") {
				out[len(out)-1].stop = true
			}
		}
		i += n
	}
	return k.measured(out)
}

// quotations are the signs around a quotation, and its longest text in bytes.
var quotations = []struct {
	open, end string
	most      int
}{{"`", "`", maxText}, {`"`, `"`, 60}, {"“", "”", 60}, {"'", "'", 40}}

// quotation returns the length in bytes of a quotation at s[i], and the quoted text.
func quotation(s string, i int) (n int, text string) {
	for _, q := range quotations {
		rest, ok := strings.CutPrefix(s[i:], q.open)
		if !ok {
			continue
		}
		inside, after, ok := strings.Cut(rest, q.end)
		apostrophe := q.open == "'" && (i > 0 && letter(s[i-1]) || after != "" && letter(after[0]))
		if text = strings.TrimSpace(inside); ok && text != "" && len(text) <= q.most && !apostrophe {
			return len(s) - i - len(after), text
		}
		break
	}
	return 0, ""
}

// piece reads the text between two blanks: a value or words.
func (k *knowledge) piece(out []token, s string) []token {
	if v, ok := k.value(s); ok {
		return append(out, token{kind: 'v', value: &v, end: len(s)})
	}
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if !unicode.IsLetter(r) {
			i += size
			continue
		}
		n := strings.IndexFunc(s[i:], func(r rune) bool { return !unicode.IsLetter(r) && !strings.ContainsRune("'’-", r) })
		if n < 0 {
			n = len(s) - i
		}
		text := strings.ReplaceAll(strings.ToLower(s[i:i+n]), "’", "'")
		out = append(out, k.wordToken(text, i, i+n))
		i += n
	}
	return out
}

func (k *knowledge) wordToken(text string, start, end int) token {
	t := token{kind: 'w', text: text, stem: k.headOf(text), start: start, end: end}
	t.roles = k.roles[text] | k.roles[t.stem]&(isNoise|isKind|isAdditive)
	if s := k.stem(text); t.stem != "name" && (k.verbs[s] != "" || k.heads[s] != "") {
		t.roles |= isVerb
	}
	return t
}

// headOf returns the stem that represents a word and its synonyms.
func (k *knowledge) headOf(w string) string {
	s := k.stem(strings.TrimSuffix(w, "'s"))
	if h, ok := k.heads[s]; ok {
		return h
	}
	return s
}

// value returns the value that a bare word stands for.
func (k *knowledge) value(s string) (value, bool) {
	bare := strings.TrimRight(strings.TrimLeft(s, ",;!?()*\"'"), ".,;!?()*\"'")
	low := strings.ToLower(bare)
	if low == "" {
		return value{}, false
	}
	if name, ok := k.slots[k.stem(low)]; ok {
		return value{kind: 'G', text: k.stem(low), of: name, as: bare}, true
	}
	if v, ok := k.number(low); ok {
		v.as = bare
		return v, true
	}
	if a, b, ok := strings.Cut(low, "/"); ok && a != "" && b != "" && !strings.ContainsFunc(a+b, func(r rune) bool { return r < 'a' || r > 'z' }) {
		return value{}, false // and/or
	}
	if Literal(bare) && strings.ContainsFunc(bare, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return literalOf(bare, bare), true
	}
	return value{}, false
}

// literalOf returns a literal as a value. A folder's trailing slash does not matter.
func literalOf(text, as string) value {
	text = strings.ToLower(text)
	if cut := strings.TrimRight(text, "/"); cut != "" {
		text = cut
	}
	return value{kind: 'L', text: text, as: as}
}

// number reads 5, 80%, 30s, 60-second and two.
func (k *knowledge) number(low string) (v value, ok bool) {
	low = strings.Trim(low, "<>≤≥~")
	n := len(low) - len(strings.TrimLeft(low, "0123456789.,"))
	digits, unit := strings.ReplaceAll(low[:n], ",", ""), strings.TrimPrefix(low[n:], "-")
	if n == 0 {
		if digits = k.numbers[low]; digits == "" || low == "one" {
			return v, false
		}
		unit = ""
	}
	amount, err := strconv.ParseFloat(digits, 64)
	if err != nil || unit != "" && k.unit(unit) == "" {
		return v, false
	}
	v = value{kind: 'N', text: digits}
	if unit != "" {
		v.text, v.of = k.amount(amount, unit)
	}
	return v, true
}

func (k *knowledge) unit(w string) string {
	if u := k.units[w]; u != "" {
		return u
	}
	return k.units[strings.TrimSuffix(w, "s")]
}

func (k *knowledge) amount(n float64, unit string) (text, dimension string) {
	by, dimension, _ := strings.Cut(k.unit(unit), ":")
	factor, _ := strconv.ParseFloat(by, 64)
	return fmt.Sprintf("%g", n*factor), dimension
}

// measured gives numbers the unit named by the next word.
func (k *knowledge) measured(ts []token) []token {
	for i := range ts[:max(len(ts)-1, 0)] {
		v, next := ts[i].value, &ts[i+1]
		if v == nil || v.kind != 'N' || v.of != "" || next.kind != 'w' || k.unit(next.text) == "" {
			continue
		}
		v = new(*v) // it is shared
		ts[i].value = v
		n, _ := strconv.ParseFloat(v.text, 64)
		v.text, v.of = k.amount(n, next.text)
		v.as += " " + next.text
		next.kind, next.roles = 'u', 0
	}
	return ts
}

// anyPlace drops "in this project" and "in every repo", which narrow no lesson.
func anyPlace(ts []token) []token {
	out := ts[:0]
	is := func(i int, texts ...string) bool { return i < len(ts) && ts[i].word(texts...) }
	for i := 0; i < len(ts); i++ {
		if is(i, "in", "for", "of", "across") {
			j := i + 1
			if is(j, "the") && is(j+1, "whole") {
				j++
			}
			if is(j, "this", "our", "whole", "the", "every", "all") && is(j+1, "repo", "repos", "repository", "project", "projects", "codebase") {
				i = j + 1
				continue
			}
		}
		out = append(out, ts[i])
	}
	return out
}

// halves splits a sentence at an "and" between two quotations before another clause.
func halves(ts []token) [][]token {
	quotes := func(ts []token) bool { return slices.ContainsFunc(ts, func(t token) bool { return t.quoted }) }
	for i := range ts {
		if ts[i].word("and", "but") && i+1 < len(ts) && ts[i+1].has(isStart) && quotes(ts[:i]) && quotes(ts[i+1:]) {
			return append([][]token{ts[:i]}, halves(ts[i+1:])...)
		}
	}
	return [][]token{ts}
}

// read reads the tokens of a clause.
func (c *clause) read(k *knowledge) {
	inCondition, last, contrast := false, "", -1
	for i, t := range c.tokens {
		next := func(n int) token {
			if i+n < len(c.tokens) {
				return c.tokens[i+n]
			}
			return token{}
		}
		switch {
		case t.kind == 'p':
			inCondition, last, contrast = inCondition && t.text != ",", "", -1
			continue
		case t.kind == 'u':
			continue
		case t.kind == 'v':
			v := *t.value
			v.refused = contrast >= 0 && i-contrast <= 4
			if c.values = append(c.values, v); v.refused {
				c.refused = append(c.refused, v.text)
			} else {
				c.given = append(c.given, v.text)
			}
			last = ""
			continue
		case t.has(isAgainst):
			valued := (next(1).kind == 'v' || next(2).kind == 'v') && !next(1).has(isVerb)
			if valued && (t.text == "not" && len(c.values) > 0 || t.word("not", "never") && len(c.frame) > 0 && c.tokens[i-1].kind == 'p') {
				contrast = i
			} else {
				c.con = c.con || t.text != "without"
			}
			last = ""
			continue
		case t.text == "instead" && next(1).text == "of", t.text == "rather" && next(1).text == "than", t.word("over", "replaces", "replacing", "superseding", "supersedes"):
			contrast = i
			continue
		case t.has(isCondition):
			inCondition, last = true, ""
			continue
		case t.has(isStop):
			if !t.word("a", "the", "an", "your", "our", "all") {
				last = ""
			}
			continue
		case t.has(isNoise) && t.stem != "name":
			if t.text != "string" {
				last = ""
			}
			continue
		}
		if t.stem == "name" && t.text == "naming" {
			last = ""
			continue
		}
		if c.verb == "" && t.has(isVerb) {
			c.verb, c.adds = t.stem, t.has(isAdditive)
		}
		if inCondition {
			c.when = append(c.when, t.stem)
		}
		if !slices.Contains(c.frame, t.stem) {
			c.frame, c.before = append(c.frame, t.stem), append(c.before, last)
		} else if n := slices.Index(c.frame, t.stem); c.before[n] == "" {
			c.before[n] = last
		}
		last = t.stem
	}
	for _, w := range c.frame {
		c.weights = append(c.weights, k.weight(w))
		c.weight += k.weight(w)
	}
}

// announces reports whether a sentence says that something changes, ignoring quotations.
func (k *knowledge) announces(ts []token) bool {
	for i, t := range ts {
		if slices.ContainsFunc(k.announced[t.text], func(phrase []string) bool { return begins(ts[i:], phrase) }) {
			return true
		}
	}
	return false
}

// begins reports whether tokens begin with a phrase: "a|b" matches either word, "$" the end.
func begins(ts []token, phrase []string) bool {
	for n, p := range phrase {
		w := "$"
		if n < len(ts) {
			w = ts[n].text // "" for a value
		}
		if !slices.Contains(strings.Split(p, "|"), w) {
			return false
		}
	}
	return true
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
