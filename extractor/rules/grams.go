package rules

import (
	_ "embed" // for grams.bin
	"hash/crc32"
	"math"
	"slices"
	"strings"
)

// Beside words and signs, the model looks at short pieces of text: runs of 3 to
// 5 bytes and of 1 to 3 words of the best sentence, and runs of 1 to 3 words of
// the whole turn. Each piece is hashed into one of gramBuckets, so that neither
// the program nor what it is learned from holds anyone's text.

const (
	gramBuckets = 8192
	gramBytes   = 400 // of a sentence and of a turn that are looked at
	minRun      = 3   // bytes of a run
	maxRun      = 5
	maxGram     = 3   // words in a row
	gramScale   = 64. // a stored weight is a 32nd
)

// gramWeights holds a signed byte for each bucket: the weight times gramScale.
// TestLearn writes it.
//
//go:embed grams.bin
var gramWeights string

// A gramModel scores hashed pieces of text.
type gramModel struct {
	weights string // a signed byte each; too short a string knows nothing
}

func newGramModel(weights string) *gramModel { return &gramModel{weights} }

// score is the sum of the weights, each by the logarithm of how often its
// bucket was hit, over the length of that vector. grams are sorted.
func (g *gramModel) score(grams []uint16) float64 {
	if len(g.weights) < gramBuckets {
		return 0
	}
	sum, norm := 0.0, 0.0
	eachGram(grams, func(bucket uint16, amount float64) {
		sum += amount * float64(int8(g.weights[bucket])) / gramScale
		norm += amount * amount
	})
	if norm == 0 {
		return 0
	}
	return sum / math.Sqrt(norm)
}

// eachGram calls f for each bucket of a sorted list, once, with ln(1+count).
func eachGram(grams []uint16, f func(bucket uint16, amount float64)) {
	for i := 0; i < len(grams); {
		n := i
		for n < len(grams) && grams[n] == grams[i] {
			n++
		}
		f(grams[i], math.Log1p(float64(n-i)))
		i = n
	}
}

// gramsOf gives the buckets of the pieces of a sentence and of its turn, sorted,
// each as often as it occurs.
func gramsOf(sentence, turn string) (out []uint16) {
	add := func(piece string) { out = append(out, uint16(crc32.ChecksumIEEE([]byte(piece))%gramBuckets)) }
	inWords := func(kind, text string) {
		w := strings.Fields(text)
		for i := range w {
			for n := 1; n <= maxGram && i+n <= len(w); n++ {
				add(kind + strings.Join(w[i:i+n], " "))
			}
		}
	}
	s := plainText(sentence)
	for i := range len(s) {
		for n := minRun; n <= maxRun && i+n <= len(s); n++ {
			add("c" + s[i:i+n])
		}
	}
	inWords("s", s)
	inWords("t", plainText(turn))
	slices.Sort(out)
	return out
}

// plainText is the beginning of a text in lower case, with every digit as 0.
func plainText(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return '0'
		}
		return r
	}, strings.ToLower(head(s, gramBytes)))
}
