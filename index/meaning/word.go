package meaning

import (
	"encoding/binary"
	"math"
)

// Word gives the number of a word, in lower case, if the table has it.
func (t *Table) Word(w string) (n int, ok bool) {
	if t == nil {
		return 0, false
	}
	return t.find([]byte(w))
}

// Weight is what the word of a number says of a text that has it, from 0 to 1: more the
// rarer it is in the language.
func (t *Table) Weight(n int) float64 { return weight(t.classes[n]) }

// Alike is how alike the words of two numbers are in what they mean: their cosine, from
// 0 to 1.
func (t *Table) Alike(a, b int) float64 {
	x, y := t.rows[a*t.dim:(a+1)*t.dim], t.rows[b*t.dim:(b+1)*t.dim]
	both := 0
	for i := range len(x) {
		both += int(int8(x[i])) * int(int8(y[i]))
	}
	return min(max(float64(both)*t.scale(a)*t.scale(b), 0), 1) // the vector of a word has the length 1
}

func (t *Table) scale(n int) float64 {
	return float64(math.Float32frombits(binary.LittleEndian.Uint32([]byte(t.scales[4*n : 4*n+4]))))
}
