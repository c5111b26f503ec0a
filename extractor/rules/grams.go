package rules

import (
	_ "embed" // for grams.bin
	"hash/crc32"
	"math"
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
func gramsOf(sentence, turn string) []uint16 {
	var count [gramBuckets]uint16 // few bytes are looked at, so that none overflows
	n := 0
	hit := func(kind byte, piece string) {
		var b [gramBytes + 1]byte
		key := append(append(b[:0], kind), piece...)
		count[crc32.ChecksumIEEE(key)%gramBuckets]++
		n++
	}
	s := plainText(sentence)
	for size := minRun; size <= maxRun; size++ {
		for i := 0; i+size <= len(s); i++ {
			hit('c', s[i:i+size])
		}
	}
	runsOfWords(s, func(run string) { hit('s', run) })
	runsOfWords(plainText(turn), func(run string) { hit('t', run) })
	out := make([]uint16, 0, n)
	for bucket, times := range count {
		for range times {
			out = append(out, uint16(bucket))
		}
	}
	return out
}

// runsOfWords calls f for every run of 1 to maxGram words of a text.
func runsOfWords(text string, f func(run string)) {
	text = strings.Join(strings.Fields(text), " ")
	for from := 0; from < len(text); {
		end, next := from, len(text)
		for n := 1; n <= maxGram && end < len(text); n++ {
			if n > 1 {
				end++ // the blank
			}
			if i := strings.IndexByte(text[end:], ' '); i >= 0 {
				end += i
			} else {
				end = len(text)
			}
			if f(text[from:end]); n == 1 {
				next = end + 1
			}
		}
		from = next
	}
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
