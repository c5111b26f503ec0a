package meaning

import (
	"cmp"
	"math"
	"slices"
	"testing"
)

// The words around a vector are those with the largest cosines, in their order.
func TestAroundNearest(t *testing.T) {
	w := Words()
	word := func(i int) string {
		start := int32(0)
		if i > 0 {
			start = w.ends[i-1] + 1
		}
		return w.lines[start:w.ends[i]]
	}
	for i := 0; i < len(w.ends); i += 1500 {
		v := w.Of(word(i) + " cache test")
		type place struct {
			word   string
			cosine float64
		}
		var all []place
		for k := range w.ends {
			row := make(Vector, w.dim)
			for j := range row {
				row[j] = int8(w.rows[k*w.dim+j])
			}
			all = append(all, place{word(k), v.Cosine(row)})
		}
		slices.SortStableFunc(all, func(a, b place) int { return cmp.Compare(b.cosine, a.cosine) })
		for k, got := range w.Around(v, 24) {
			if want := all[k]; got != want.word && math.Abs(v.Cosine(w.Of(got))-want.cosine) > 1e-3 {
				t.Errorf("around %q and others, at %d: %q, want %q", word(i), k, got, want.word)
			}
		}
	}
}
