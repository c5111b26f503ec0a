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
	var g gramCounts
	s := plainText(sentence)
	g.runs('c', s)
	g.words('s', s)
	g.words('t', plainText(turn))
	out := make([]uint16, 0, g.all)
	for bucket, times := range g.count {
		for range times {
			out = append(out, uint16(bucket))
		}
	}
	return out
}

// A gramCounts says how many pieces are in each bucket: that of a piece is the CRC-32
// of its kind and itself.
type gramCounts struct {
	count [gramBuckets]uint16 // few bytes are looked at, so that none overflows
	all   int
}

func (g *gramCounts) add(sum uint32) {
	g.count[^sum%gramBuckets]++
	g.all++
}

// summed goes on with the sum of a piece that goes on with more. A piece most often
// begins as the one before it does, and only what it has more is added up.
func summed(sum uint32, more string) uint32 {
	for i := range len(more) {
		sum = crc32.IEEETable[byte(sum)^more[i]] ^ sum>>8
	}
	return sum
}

// sumOf is the sum of a piece that has only its kind.
func sumOf(kind byte) uint32 { return summed(^uint32(0), string(kind)) }

// runs counts every run of minRun to maxRun bytes of a text.
func (g *gramCounts) runs(kind byte, s string) {
	for i := range len(s) {
		sum := sumOf(kind)
		for n := 1; n <= maxRun && i+n <= len(s); n++ {
			if sum = summed(sum, s[i+n-1:i+n]); n >= minRun {
				g.add(sum)
			}
		}
	}
}

// words counts every run of 1 to maxGram words of a text.
func (g *gramCounts) words(kind byte, text string) {
	text = strings.Join(strings.Fields(text), " ")
	for from := 0; from < len(text); {
		at, end, next, sum := from, from, len(text), sumOf(kind)
		for n := 1; n <= maxGram && end < len(text); n++ {
			if n > 1 {
				end++ // the blank
			}
			if i := strings.IndexByte(text[end:], ' '); i >= 0 {
				end += i
			} else {
				end = len(text)
			}
			sum, at = summed(sum, text[at:end]), end
			if g.add(sum); n == 1 {
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
