// Package meaning says how near two texts are in what they mean, also when they share
// no word: by word vectors that are built in, without a network or a model.
//
// A text is the mean of the vectors of its words, rare words weighing more, so a word
// that the table does not know says nothing. It is good for an order among texts that
// are about a subject already; of two that have little to do with each other it says
// little.
package meaning

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"unicode/utf8"
)

// A Table has the vectors of words. Any number of goroutines may use it.
type Table struct {
	dim     int
	lines   string  // the words, sorted, each with a line end
	ends    []int32 // of the words in lines
	scales  string
	classes string // of frequency: 8 × log2(rank + 1)
	rows    string

	known map[string]int32 // of a remembering one: the places of words; -1 for those that it lacks
}

// Remembering is the same table for one goroutine that makes many vectors: it finds a
// word that it was asked for before faster.
func (t *Table) Remembering() *Table {
	if t == nil {
		return nil
	}
	own := *t
	own.known = map[string]int32{}
	return &own
}

// magic begins a table.
const magic = "VEC1"

// Open reads a table without copying it. It is the string magic, the numbers of words,
// dimensions and bytes of words as little-endian uint32, the words, sorted, with a line
// end between them, and then for each word a float32 by which its numbers are
// multiplied, one byte for its frequency, and its numbers, a signed byte each.
func Open(data string) (*Table, error) {
	const header = len(magic) + 3*4
	if len(data) < header || data[:len(magic)] != magic {
		return nil, errors.New("reading word vectors: this is no table of them")
	}
	number := func(i int) int {
		return int(binary.LittleEndian.Uint32([]byte(data[len(magic)+4*i : len(magic)+4*i+4])))
	}
	n, dim, size := number(0), number(1), number(2)
	const large = 1 << 20 // of words and of dimensions: products of them stay small
	if n == 0 || dim == 0 || n > large || dim > large || size > len(data) {
		return nil, errors.New("reading word vectors: the table's header is not one")
	}
	if want := header + size + n*(4+1+dim); len(data) != want {
		return nil, fmt.Errorf("reading word vectors: the table has %d bytes of %d", len(data), want)
	}
	t := &Table{dim: dim, lines: data[header : header+size]}
	rest := data[header+size:]
	t.scales, t.classes, t.rows = rest[:4*n], rest[4*n:5*n], rest[5*n:]
	t.ends = make([]int32, 0, n)
	for at := 0; ; {
		end := strings.IndexByte(t.lines[at:], '\n')
		if end < 0 {
			t.ends = append(t.ends, int32(len(t.lines)))
			break
		}
		at += end + 1
		t.ends = append(t.ends, int32(at-1))
	}
	if len(t.ends) != n {
		return nil, fmt.Errorf("reading word vectors: the table has %d words of %d", len(t.ends), n)
	}
	return t, nil
}

// mostKnown is how many words a table remembers.
const mostKnown = 1 << 15

// find gives the place of a word.
func (t *Table) find(w []byte) (int, bool) {
	if t.known == nil {
		return t.search(w)
	}
	if at, ok := t.known[string(w)]; ok {
		return int(at), at >= 0
	}
	if len(t.known) >= mostKnown {
		clear(t.known)
	}
	at, ok := t.search(w)
	if !ok {
		at = -1
	}
	t.known[string(w)] = int32(at)
	return at, ok
}

func (t *Table) search(w []byte) (int, bool) {
	lo, hi := 0, len(t.ends)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		start := int32(0)
		if mid > 0 {
			start = t.ends[mid-1] + 1
		}
		switch word := t.lines[start:t.ends[mid]]; {
		case word == string(w):
			return mid, true
		case word < string(w):
			lo = mid + 1
		default:
			hi = mid
		}
	}
	return 0, false
}

// A Vector is what a text means: its direction alone counts. A text without a known
// word has none, and is near to nothing.
type Vector []int8

// common is how often a word must be in a text of the language to count half.
const common = 1e-3

// weight is that of a word of a class of frequency, after Zipf's law.
func weight(class byte) float64 {
	rank := math.Exp2(float64(class) / 8)
	const harmonic = 12 // of a vocabulary of 100,000 words
	return common / (common + 1/(harmonic*rank))
}

// weights are those of all classes.
var weights = sync.OnceValue(func() *[256]float64 {
	var all [256]float64
	for c := range all {
		all[c] = weight(byte(c))
	}
	return &all
})

// Of gives the vector of a text.
func (t *Table) Of(text string) Vector {
	if t == nil {
		return nil
	}
	sum := make([]float64, t.dim)
	known := false
	var word [64]byte
	n := 0
	end := func() {
		if n > 0 && n <= len(word) {
			if i, ok := t.find(word[:n]); ok {
				known = true
				t.add(sum, i)
			}
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

func (t *Table) add(sum []float64, i int) {
	scale := math.Float32frombits(binary.LittleEndian.Uint32([]byte(t.scales[4*i : 4*i+4])))
	f := float64(scale) * weights()[t.classes[i]]
	for k := range sum {
		sum[k] += f * float64(int8(t.rows[i*t.dim+k]))
	}
}

// round makes the largest number of a vector 127.
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

//go:embed words.bin
var words string

// Words is the table that is built in; nil if it cannot be read. It is opened by the
// first call.
var Words = sync.OnceValue(func() *Table {
	t, err := Open(words)
	if err != nil {
		return nil
	}
	return t
})

// most is how many vectors a lesson has at most.
const most = 12

// Lesson gives the vectors of a lesson: of the sentences of its content, of all of them,
// of each trigger, and one of all that it says besides. They are bytes, to be kept
// beside it.
func (t *Table) Lesson(content string, triggers []string, rest string) []byte {
	if t == nil {
		return nil
	}
	texts := sentences(content)
	if len(texts) > 1 {
		texts = append(texts, content)
	}
	texts = append(texts, triggers...)
	if rest != "" {
		texts = append(texts, rest)
	}
	var out []byte
	for _, s := range texts {
		if v := t.Of(s); v != nil && len(out) < most*t.dim {
			for _, x := range v {
				out = append(out, byte(x))
			}
		}
	}
	return out
}

// sentences cuts a text at line ends, and after full stops and the like that a blank follows.
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

// Whole reports that bytes are what [Table.Lesson] of the built-in table may have made.
func Whole(vectors []byte) bool {
	t := Words()
	return t == nil || len(vectors)%t.dim == 0 && len(vectors) <= most*t.dim
}

// Near is how near a vector is to the nearest of a lesson's: their cosine, from 0 to 1.
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

// Cosine is how near two vectors are, from -1 to 1; 0 for those of different lengths.
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

// square is the square of the length of a vector.
func square(v Vector) (sum int) {
	for _, x := range v {
		sum += int(x) * int(x)
	}
	return sum
}
