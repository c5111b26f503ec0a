package match

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// randomSets are sets over a small vocabulary in which rare and common tokens
// are mixed as in texts, with near copies among them.
func randomSets(r *rand.Rand, n, vocabulary, longest int) [][]int32 {
	var sets [][]int32
	for len(sets) < n {
		if len(sets) > 0 && r.IntN(3) == 0 { // a near copy
			s := slices.Clone(sets[r.IntN(len(sets))])
			if len(s) > 0 {
				s[r.IntN(len(s))] = int32(r.IntN(vocabulary))
			}
			if r.IntN(2) == 0 {
				s = append(s, int32(r.IntN(vocabulary)))
			}
			sets = append(sets, distinct(s))
			continue
		}
		s := make([]int32, r.IntN(longest+1))
		for i := range s {
			s[i] = int32(float64(vocabulary) * (1 - r.Float64()*r.Float64()))
			s[i] = min(s[i], int32(vocabulary-1))
		}
		sets = append(sets, distinct(s))
	}
	return sets
}

func distinct(s []int32) []int32 {
	slices.Sort(s)
	return slices.Compact(s)
}

func measures() []measure {
	var out []measure
	for _, t := range []float64{0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 1} {
		out = append(out, measure{kind: jaccardMeasure, t: t})
	}
	for _, t := range []float64{0, 0.34, 0.6, 0.75} {
		for _, shared := range []int{1, 3} {
			out = append(out, measure{overlapMeasure, t, shared}, measure{containmentMeasure, t, shared})
		}
	}
	return out
}

func bruteForce(m measure, sets [][]int32, asked func(y, x int32) bool) map[string]float64 {
	out := map[string]float64{}
	for x := range sets {
		for y := range sets {
			if x == y || !m.directed() && x > y || !asked(int32(y), int32(x)) {
				continue
			}
			both := 0
			for _, t := range sets[x] {
				if slices.Contains(sets[y], t) {
					both++
				}
			}
			if v, ok := m.value(both, len(sets[x]), len(sets[y])); ok {
				out[pairKey(m, int32(x), int32(y))] = v
			}
		}
	}
	return out
}

func (m measure) directed() bool { return m.kind == containmentMeasure || m.kind == coverMeasure }

func pairKey(m measure, x, y int32) string {
	if !m.directed() && x > y {
		x, y = y, x
	}
	return fmt.Sprint(x, " ", y)
}

// TestFindIsExact holds the search for one set to comparing it with all.
func TestFindIsExact(t *testing.T) {
	seeds := uint64(60)
	if RaceEnabled {
		seeds = 6
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 1))
		vocabulary := 5 + r.IntN(60)
		sets := randomSets(r, 80+r.IntN(80), vocabulary, 1+r.IntN(20))
		if seed%3 == 0 {
			slices.SortStableFunc(sets, func(a, b []int32) int { return len(a) - len(b) })
		}
		for _, m := range measures() {
			if m.kind == containmentMeasure {
				m.kind = []measureKind{containmentMeasure, coverMeasure}[seed%2]
			}
			f := newFinder(m)
			for _, s := range sets {
				f.add(s)
			}
			var hidden []int32
			if seed%2 == 1 {
				hidden = []int32{3, 5, 8}
				f.hide(hidden)
				f.hiding = true
			}
			got := map[string]float64{}
			for x := range sets {
				for _, hit := range f.find(sets[x], nil) {
					if slices.Contains(hidden, hit.set) {
						t.Fatalf("seed %d, %+v: %d was to be hidden", seed, m, hit.set)
					}
					if int(hit.set) != x && (m.directed() || int(hit.set) > x) {
						got[pairKey(m, int32(x), hit.set)] = hit.value
					}
				}
			}
			want := bruteForce(m, sets, func(y, x int32) bool { return !slices.Contains(hidden, y) })
			same(t, fmt.Sprintf("seed %d, %+v", seed, m), got, want)
		}
	}
}

func same(t *testing.T, what string, got, want map[string]float64) {
	t.Helper()
	for k, v := range want {
		if w, ok := got[k]; !ok || w != v {
			t.Fatalf("%s: pair %s is %v (found: %v), want %v", what, k, w, ok, v)
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%s: %d pairs, want %d", what, len(got), len(want))
	}
}
