package lessons

import (
	"cmp"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// LazyRegexp returns a function that compiles expr on its first call. A hook runs for a
// few milliseconds and would spend two of them on expressions that it never uses.
func LazyRegexp(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// A sign is an expression that few texts match. It is compiled and asked only for a text
// that has one of the words that every match has: looking for those takes a tenth of the
// time.
type sign struct {
	re    func() *regexp.Regexp
	words func() []string // nil if there are none
}

func signOf(expr string) sign {
	return sign{LazyRegexp(expr), sync.OnceValue(func() []string {
		re, err := syntax.Parse(expr, syntax.Perl)
		if err != nil {
			return nil // LazyRegexp panics
		}
		words, _ := wordsOf(re)
		slices.SortFunc(words, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) })
		var few []string // a word that holds another one says no more
		for _, w := range words {
			if !slices.ContainsFunc(few, func(f string) bool { return strings.Contains(w, f) }) {
				few = append(few, w)
			}
		}
		return few
	})}
}

// at returns where a text, which is given in lower case too, matches; nil for nowhere.
func (s sign) at(text, lower string) []int {
	if words := s.words(); words != nil && !slices.ContainsFunc(words, func(w string) bool { return strings.Contains(lower, w) }) {
		return nil
	}
	return s.re().FindStringIndex(text)
}

// find returns the first match in a text, or "".
func (s sign) find(text, lower string) string {
	if at := s.at(text, lower); at != nil {
		return text[at[0]:at[1]]
	}
	return ""
}

// blanked returns a text with a blank in place of each match.
func (s sign) blanked(text, lower string) string {
	if s.at(text, lower) == nil {
		return text
	}
	return s.re().ReplaceAllString(text, " ")
}

// lowered returns a text in lower case. Two texts that an expression takes for the same if
// it ignores case are the same here.
func lowered(text string) string {
	if plain(text) {
		return strings.ToLower(text)
	}
	return strings.Map(func(r rune) rune {
		least := r
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			least = min(least, f)
		}
		if least < utf8.RuneSelf {
			return unicode.ToLower(least)
		}
		return least
	}, text)
}

// A run of expressions has no more words than this.
const (
	fewWords   = 16
	mostWords  = 100 // if they would be short without
	longEnough = 4   // bytes that make a word rare
	longest    = 6   // bytes: a longer one is no rarer
)

// A hold says where the words of an expression stand in a match.
type hold int

const (
	inside hold = iota
	begins
	whole
)

// wordsOf returns texts in lower case, one of which is in every match of an expression; nil
// if it finds none.
func wordsOf(re *syntax.Regexp) (words []string, h hold) {
	switch re.Op {
	case syntax.OpLiteral:
		return []string{lowered(string(re.Rune))}, whole
	case syntax.OpCharClass:
		for i := 0; i < len(re.Rune); i += 2 {
			if re.Rune[i+1]-re.Rune[i] > 10 {
				return nil, inside
			}
			for r := re.Rune[i]; r <= re.Rune[i+1]; r++ {
				words = append(words, lowered(string(r)))
			}
		}
		slices.Sort(words)
		return slices.Compact(words), whole
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return []string{""}, whole
	case syntax.OpCapture:
		return wordsOf(re.Sub[0])
	case syntax.OpQuest:
		if words, h = wordsOf(re.Sub[0]); h == whole {
			return append([]string{""}, words...), whole
		}
	case syntax.OpPlus, syntax.OpRepeat:
		if re.Op == syntax.OpPlus || re.Min > 0 {
			words, h = wordsOf(re.Sub[0])
			return words, min(h, begins)
		}
	case syntax.OpAlternate:
		h = whole
		for _, sub := range re.Sub {
			some, is := wordsOf(sub)
			if some == nil {
				return nil, inside
			}
			words, h = append(words, some...), min(h, is)
		}
		return words, h
	case syntax.OpConcat:
		return wordsInRow(re.Sub)
	}
	return nil, inside
}

// wordsInRow is [wordsOf] for expressions one after the other: the words of a run of them,
// few and long.
func wordsInRow(subs []*syntax.Regexp) (best []string, h hold) {
	length := func(words []string) int { // of the shortest
		return len(slices.MinFunc(words, func(a, b string) int { return len(a) - len(b) }))
	}
	keep := func(words []string, is hold) {
		if len(words) == 0 || length(words) == 0 || h == begins && length(best) >= longEnough {
			return
		}
		if best == nil || cmp.Or(min(length(words), longest)-min(length(best), longest), len(best)-len(words)) > 0 {
			best, h = words, is
		}
	}
	run, at := []string{""}, whole // at is begins or inside for a run that does not reach the end
	for _, sub := range subs {
		some, is := wordsOf(sub)
		n := len(run) * len(some)
		joins := is != inside && (n <= fewWords || n <= mostWords && length(run) < longEnough || len(some) == 1)
		if joins {
			var both []string
			for _, a := range run {
				for _, b := range some {
					both = append(both, a+b)
				}
			}
			if run = both; is == whole {
				continue
			}
		}
		keep(run, min(at, begins))
		at, run = inside, []string{""}
		if !joins {
			if keep(some, inside); is == whole {
				run = some
			}
		}
	}
	if at == whole {
		return run, whole
	}
	keep(run, inside)
	return best, h
}

// This file makes hostile text safe to show. The rules are:
//
//    - Nothing that a terminal would act on passes: escape sequences are dropped,
//      control characters become a visible sign.
//    - Nothing invisible passes that could make text read differently from what it
//      says: bidi controls, zero-width characters, tag characters.
//    - Letters, marks and emoji of all scripts pass unchanged.

// Line makes text safe to show on one line. White space becomes single blanks.
func Line(s string) string {
	return strings.Join(strings.Fields(Block(s)), " ")
}

// Block makes text safe to show and keeps its lines. Tabs become four blanks, so that the
// measured width is the shown one.
func Block(s string) string {
	if plain(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	var last rune
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == '\x1b' || r == '\u009b' || r == '\u009d' || r == '\u0090' {
			i += escape(s[i:])
			continue
		}
		i += n
		switch {
		case r == '\n':
			b.WriteByte('\n')
		case r == '\t':
			b.WriteString("    ")
		case r == '\r':
			if !strings.HasPrefix(s[i:], "\n") {
				b.WriteByte('\n')
			}
		case r == '\u2028' || r == '\u2029' || r == '\v' || r == '\f':
			b.WriteByte('\n')
		case r < ' ':
			b.WriteRune('\u2400' + r) // control pictures: ␀ … ␟
		case r == '\x7f':
			b.WriteRune('␡')
		case r == '\u200d':
			// A joiner combines emoji; anywhere else it only hides.
			next, _ := utf8.DecodeRuneInString(s[i:])
			if pictograph(last) && pictograph(next) {
				b.WriteRune(r)
			}
		case hidden(r):
		case r == utf8.RuneError:
			b.WriteRune('\ufffd')
		default:
			b.WriteRune(r)
		}
		last = r
	}
	return b.String()
}

// Hidden reports whether text contains invisible characters that could change how it
// reads, or escape sequences.
func Hidden(s string) bool {
	if plain(s) {
		return false
	}
	var last rune
	for i, r := range s {
		switch {
		case r == '\u200d' && pictograph(last):
			if next, _ := utf8.DecodeRuneInString(s[i+len("\u200d"):]); !pictograph(next) {
				return true
			}
		case r == '\x1b', r != '\n' && r != '\t' && r != '\r' && unicode.IsControl(r), hidden(r) && r != '\ufeff':
			return true
		}
		last = r
	}
	return false
}

// plain reports whether nothing needs to change, the common case.
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < ' ' && c != '\n') || c >= 0x7f {
			return false
		}
	}
	return true
}

// hidden reports whether a character is invisible and can change how text reads.
func hidden(r rune) bool {
	switch {
	case r >= 0x80 && r <= 0x9f, // C1 controls
		r >= 0x200b && r <= 0x200f,   // zero width, direction marks
		r >= 0x202a && r <= 0x202e,   // bidi embeddings and overrides
		r >= 0x2060 && r <= 0x206f,   // invisible operators, bidi isolates
		r >= 0xfff9 && r <= 0xfffb,   // interlinear annotation
		r >= 0xe0000 && r <= 0xe0fff: // tags, variation selectors supplement
		return true
	}
	switch r {
	case 0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180e, 0x3164, 0xfeff, 0xffa0:
		return true
	}
	return false
}

func pictograph(r rune) bool {
	return r >= 0x1f000 && r <= 0x1faff || r >= 0x2600 && r <= 0x27bf || r == 0xfe0f
}

// escape returns the length of the escape sequence at the start of s: CSI, a short one,
// or a string sequence (OSC, DCS, APC, PM, SOS) up to its end or, if unterminated, to the
// end of the line.
func escape(s string) int {
	r, n := utf8.DecodeRuneInString(s)
	kind := byte(0)
	switch {
	case r == '\u009b':
		kind = '['
	case r == '\u009d' || r == '\u0090':
		kind = ']'
	case len(s) > 1:
		kind = s[1]
		n = 2
	default:
		return 1
	}
	switch kind {
	case '[':
		for n < len(s) && s[n] >= 0x20 && s[n] <= 0x3f {
			n++
		}
		if n < len(s) && s[n] >= 0x40 && s[n] <= 0x7e {
			n++
		}
		return n
	case ']', 'P', '_', '^', 'X':
		for i := n; i < len(s); i++ {
			switch {
			case s[i] == '\a':
				return i + 1
			case s[i] == '\x1b' && i+1 < len(s) && s[i+1] == '\\':
				return i + 2
			case s[i] == '\n':
				return i
			}
		}
		return len(s)
	}
	if kind >= 0x20 && kind <= 0x2f { // ESC ( B and the like
		for n < len(s) && s[n] >= 0x20 && s[n] <= 0x2f {
			n++
		}
		return min(n+1, len(s))
	}
	if kind < 0x20 || kind >= 0x7f {
		return 1
	}
	return n
}

// Nearest returns the name that was probably meant. It is false if every name differs by
// more than two edits and more than a third of the letters.
func Nearest(typed string, names []string) (string, bool) {
	best, least := "", max(2, len(typed)/3)+1
	for _, name := range names {
		if d := Distance(typed, name); d < least {
			best, least = name, d
		}
	}
	return best, best != "" && least < len(typed)
}

// Distance is the optimal string alignment distance: letters deleted, inserted, replaced
// or swapped with their neighbour.
func Distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	var before []int
	last := make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := range x {
		row := make([]int, len(y)+1)
		row[0] = i + 1
		for j := range y {
			cost := 1
			if x[i] == y[j] {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(y)]
}

// SetOf returns the set of the items of a list.
func SetOf[T comparable](list []T) map[T]bool {
	set := make(map[T]bool, len(list))
	for _, item := range list {
		set[item] = true
	}
	return set
}

// WordSet returns the set of the words of a text, which blanks separate.
func WordSet(text string) map[string]bool { return SetOf(strings.Fields(text)) }

// Texts returns the items of a list as texts.
func Texts[S ~string](list []S) []string {
	out := make([]string, len(list))
	for i, item := range list {
		out[i] = string(item)
	}
	return out
}
