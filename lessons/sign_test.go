package lessons

import (
	"math/rand/v2"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// TestSigns makes texts that match each sign and holds it to find them: the words
// that a text must have may leave none out.
func TestSigns(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, s := range append([]sign{absolute, practical, abbreviation}, bounds...) {
		tree, err := syntax.Parse(s.re().String(), syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for range 3000 {
			text := written(r, tree)
			if r.IntN(3) > 0 {
				text = "Some words, " + text + ": and others"
			}
			want, lower := s.re().FindStringIndex(text), folded(text)
			if s.re() == abbreviation.re() {
				lower = text
			}
			if got := s.at(text, lower); !slices.Equal(got, want) {
				t.Fatalf("%v in %q: %v instead of %v", s.re(), text, got, want)
			}
			if want != nil {
				found++
			}
		}
		if found < 1000 {
			t.Errorf("%v: only %d texts match", s.re(), found)
		}
	}
}

// written is a text that an expression matches, but for what stands around it.
func written(r *rand.Rand, re *syntax.Regexp) string {
	var out strings.Builder
	switch re.Op {
	case syntax.OpLiteral:
		for _, c := range re.Rune {
			for n := r.IntN(3); re.Flags&syntax.FoldCase != 0 && n > 0; n-- {
				c = unicode.SimpleFold(c)
			}
			out.WriteRune(c)
		}
	case syntax.OpCharClass:
		i := r.IntN(len(re.Rune)/2) * 2
		out.WriteRune(re.Rune[i] + rune(r.IntN(int(re.Rune[i+1]-re.Rune[i]+1))))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		out.WriteString("'")
	case syntax.OpConcat, syntax.OpCapture:
		for _, sub := range re.Sub {
			out.WriteString(written(r, sub))
		}
	case syntax.OpAlternate:
		return written(r, re.Sub[r.IntN(len(re.Sub))])
	case syntax.OpQuest, syntax.OpStar, syntax.OpPlus, syntax.OpRepeat:
		least := map[syntax.Op]int{syntax.OpPlus: 1, syntax.OpRepeat: re.Min}[re.Op]
		for range least + r.IntN(2) {
			out.WriteString(written(r, re.Sub[0]))
		}
	}
	return out.String()
}

// Patterns are compiled when a text first asks for them: all of them must compile.
func TestSignsCompile(t *testing.T) {
	all := slices.Concat(orders(), commands(), shells(), keys(), []sign{assigned(), redaction(), address()})
	for _, one := range all {
		if one.re().MatchString("") || len(one.has) == 0 {
			t.Errorf("%s matches nothing, or has no words", one.re())
		}
	}
}
