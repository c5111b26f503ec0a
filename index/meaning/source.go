package meaning

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"strings"
)

// A Key stands for what a text says: two texts have the same key if they are the same.
type Key uint64

// KeyOf gives the key of a text.
func KeyOf(text string) Key {
	sum := sha256.Sum256([]byte(text))
	return Key(binary.LittleEndian.Uint64(sum[:]))
}

// Said is all of a lesson that a vector of it is made of.
func Said(content string, triggers []string, rest string) string {
	parts := append([]string{content}, triggers...)
	if rest != "" {
		parts = append(parts, rest)
	}
	return strings.Join(parts, "\n")
}

// Stored is what is kept beside a lesson: the key of what it says, and its vectors.
func (t *Table) Stored(content string, triggers []string, rest string) []byte {
	k := binary.LittleEndian.AppendUint64(nil, uint64(KeyOf(Said(content, triggers, rest))))
	return append(k, t.Lesson(content, triggers, rest)...)
}

// Restored takes apart what [Table.Stored] has made. It is not ok when that is broken, or made
// with another table.
func Restored(b []byte) (k Key, vectors []byte, ok bool) {
	if len(b) < 8 {
		return 0, nil, false
	}
	k, vectors = Key(binary.LittleEndian.Uint64(b)), b[8:]
	if t := Words(); t != nil && (len(vectors)%t.dim != 0 || len(vectors) > most*t.dim) {
		return k, nil, false
	}
	return k, vectors, true
}

// A Source has vectors of lessons that are better than the built-in ones, such as those
// of a server. Any number of goroutines may use it.
type Source interface {
	// Asked measures how near lessons are to a text, and Like how near they are to the
	// lesson of a key, for which nobody is asked. Both give nil when the source cannot
	// tell: then the built-in vectors do.
	Asked(ctx context.Context, text string) Measure
	Like(k Key) Measure
}

// A Measure says how near lessons are: near has what the built-in vectors say, from 0 to
// 1, and gets what is known better, on the same scale. What the measure does not know
// stays. It is for one goroutine.
type Measure func(lessons []Key, near []float64)

// Shrunk is a vector as it is kept; nil for one without a direction.
func Shrunk(v []float32) Vector {
	wide := make([]float64, len(v))
	for i, x := range v {
		if wide[i] = float64(x); math.IsNaN(wide[i]) || math.IsInf(wide[i], 0) {
			return nil
		}
	}
	return round(wide)
}

// Cosine is how near two vectors are, from -1 to 1; 0 for those of different lengths.
func (v Vector) Cosine(w Vector) float64 {
	if len(v) != len(w) || len(v) == 0 {
		return 0
	}
	var both, own, other int
	for i, x := range v {
		both += int(x) * int(w[i])
		own += int(x) * int(x)
		other += int(w[i]) * int(w[i])
	}
	if own == 0 || other == 0 {
		return 0
	}
	return float64(both) / math.Sqrt(float64(own)*float64(other))
}
