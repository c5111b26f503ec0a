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
