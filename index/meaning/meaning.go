// Package meaning measures how near two texts are in meaning, even if they share no word.
// It uses built-in word vectors and needs no network and no model.
//
// The vector of a text is the mean of the vectors of its words, weighted by rarity; unknown
// words are skipped. It is good for ordering texts on one subject. It says little about
// texts that have little in common.
package meaning

import (
	_ "embed"
	"encoding/binary"
	"math"
	"sort"
	"strings"
	"sync"
	"unicode/utf8"
)

// The file is the string VEC1; the numbers of words, dimensions and bytes of words as
// little-endian uint32; the words, sorted and separated by line ends; and for each word a
// float32 factor, a byte for its frequency, and its numbers, a signed byte each, to be
// multiplied by the factor.
//
//go:embed words.bin
var file string

// A table is the parsed file.
type table struct {
	dim     int
	lines   string
	ends    []int32 // of the words in lines
	scales  string
	classes string // of frequency: 8 × log2(rank + 1)
	rows    string
	weights [256]float64 // by class
}

var words = sync.OnceValue(func() *table {
	const header = len("VEC1") + 3*4
	n, size := int(number(4)), int(number(12))
	rest := file[header+size:]
	t := &table{dim: int(number(8)), lines: file[header : header+size], ends: make([]int32, 0, n),
		scales: rest[:4*n], classes: rest[4*n : 5*n], rows: rest[5*n:]}
	for i := range len(t.lines) {
		if t.lines[i] == '\n' {
			t.ends = append(t.ends, int32(i))
		}
	}
	t.ends = append(t.ends, int32(size))
	for c := range t.weights {
		t.weights[c] = weight(byte(c))
	}
	return t
})

// number reads a uint32 of the file.
func number(at int) uint32 { return binary.LittleEndian.Uint32([]byte(file[at : at+4])) }

// common is the frequency in the language of a word that counts half.
const common = 1e-3

// weight returns the weight of a word by its frequency class, after Zipf's law.
func weight(class byte) float64 {
	rank := math.Exp2(float64(class) / 8)
	const harmonic = 12 // of a vocabulary of 100,000 words
	return common / (common + 1/(harmonic*rank))
}

func (t *table) word(i int) string {
	start := int32(0)
	if i > 0 {
		start = t.ends[i-1] + 1
	}
	return t.lines[start:t.ends[i]]
}

// add adds the weighted vector of a word to sum. It reports whether the table has the word.
func (t *table) add(sum []float64, word []byte) bool {
	w := string(word)
	i, ok := sort.Find(len(t.ends), func(i int) int { return strings.Compare(w, t.word(i)) })
	if !ok {
		return false
	}
	scale := math.Float32frombits(binary.LittleEndian.Uint32([]byte(t.scales[4*i : 4*i+4])))
	f := float64(scale) * t.weights[t.classes[i]]
	for k := range sum {
		sum[k] += f * float64(int8(t.rows[i*t.dim+k]))
	}
	return true
}

// A Vector is the meaning of a text; only its direction counts. A text without a known word
// has a nil Vector, which is near to nothing.
type Vector []int8

// Of returns the vector of a text.
func Of(text string) Vector {
	t := words()
	sum := make([]float64, t.dim)
	known := false
	var word [64]byte
	n := 0
	end := func() {
		if n > 0 && n <= len(word) && t.add(sum, word[:n]) {
			known = true
		}
		n = 0
	}
	for i := range len(text) {
		c := text[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		switch {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c >= utf8.RuneSelf:
			if n < len(word) {
				word[n] = c
			}
			n++
		default:
			end()
		}
	}
	end()
	if !known {
		return nil
	}
	return round(sum)
}

// round scales a vector so that its largest number is 127.
func round(v []float64) Vector {
	most := 0.0
	for _, x := range v {
		most = max(most, math.Abs(x))
	}
	if most == 0 {
		return nil
	}
	out := make(Vector, len(v))
	for i, x := range v {
		out[i] = int8(math.Round(127 * x / most))
	}
	return out
}

// most limits how many vectors a lesson has.
const most = 12

// Lesson returns the vectors of a lesson as bytes, to be stored with it: of each sentence
// of its content, of the whole content, of each trigger, and of rest.
func Lesson(content string, triggers []string, rest string) (out []byte) {
	texts := sentences(content)
	if len(texts) > 1 {
		texts = append(texts, content)
	}
	texts = append(texts, triggers...)
	if rest != "" {
		texts = append(texts, rest)
	}
	for _, s := range texts {
		if len(out) < most*words().dim {
			for _, x := range Of(s) {
				out = append(out, byte(x))
			}
		}
	}
	return out
}

// sentences splits a text at line ends, and after full stops and the like that a blank
// follows.
func sentences(s string) (out []string) {
	start := 0
	for i := range len(s) {
		if s[i] == '\n' || strings.IndexByte(".!?;:", s[i]) >= 0 && i+1 < len(s) && s[i+1] == ' ' {
			out = append(out, s[start:i+1])
			start = i + 1
		}
	}
	return append(out, s[start:])
}

// Whole reports whether vectors can be a result of [Lesson].
func Whole(vectors []byte) bool {
	return len(vectors)%words().dim == 0 && len(vectors) <= most*words().dim
}

// Near returns the cosine of a vector and the nearest one of a lesson, from 0 to 1.
func (v Vector) Near(lesson []byte) float64 {
	if len(v) == 0 {
		return 0
	}
	own := square(v)
	best := 0.0
	for ; len(lesson) >= len(v); lesson = lesson[len(v):] {
		both, other := 0, 0
		for i, x := range v {
			y := int(int8(lesson[i]))
			both += int(x) * y
			other += y * y
		}
		if both > 0 {
			best = max(best, float64(both)/math.Sqrt(float64(own)*float64(other)))
		}
	}
	return min(best, 1)
}

// Cosine returns the cosine of two vectors, from -1 to 1; 0 if their lengths differ.
func (v Vector) Cosine(w Vector) float64 {
	own, other := square(v), square(w)
	if len(v) != len(w) || own == 0 || other == 0 {
		return 0
	}
	both := 0
	for i, x := range v {
		both += int(x) * int(w[i])
	}
	return float64(both) / math.Sqrt(float64(own)*float64(other))
}

// square returns the squared length of a vector.
func square(v Vector) (sum int) {
	for _, x := range v {
		sum += int(x) * int(x)
	}
	return sum
}
