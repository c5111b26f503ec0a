package observations

import (
	"math"
	"strings"
)

// Tokens are the words by which the companion of claude-mem compares texts: of two
// and more ASCII letters and digits, in lower case. It drops a list of words, too,
// which is published nowhere.
func Tokens(s string) []string {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	out := words[:0]
	for _, w := range words {
		if len(w) > 1 {
			out = append(out, w)
		}
	}
	return out
}

// A Vector is how often each word of a text stands in it.
type Vector struct {
	words []string // in the order in which they came, so that sums are the same each time
	share map[string]float64
	norm  float64
}

// Frequencies gives each word its share of all.
func Frequencies(words []string) Vector {
	v := Vector{share: make(map[string]float64, len(words))}
	for _, w := range words {
		if v.share[w] == 0 {
			v.words = append(v.words, w)
		}
		v.share[w]++
	}
	for w := range v.share {
		v.share[w] /= float64(len(words))
	}
	return v.measured()
}

// measured has the length of a vector.
func (v Vector) measured() Vector {
	sum := 0.0
	for _, w := range v.words {
		sum += v.share[w] * v.share[w]
	}
	v.norm = math.Sqrt(sum)
	return v
}

// Cosine is how alike two texts are by their words, from 0 to 1.
func (v Vector) Cosine(o Vector) float64 {
	dot := 0.0
	for _, w := range v.words {
		dot += v.share[w] * o.share[w]
	}
	if dot == 0 {
		return 0
	}
	return dot / (v.norm * o.norm)
}
