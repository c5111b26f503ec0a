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

func bruteForce(m measure, sets [][]int32, older func(y, x int32) bool) map[string]float64 {
	out := map[string]float64{}
	for x := range sets {
		for y := range sets {
			if x == y || !m.directed() && x > y || m.directed() && !older(int32(y), int32(x)) {
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

// TestJoinIsExact holds the join, and the search for one set, to comparing all
// with all.
func TestJoinIsExact(t *testing.T) {
	seeds := uint64(60)
	if RaceEnabled {
		seeds = 6
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 1))
		vocabulary := 5 + r.IntN(60)
		sets := randomSets(r, 80+r.IntN(80), vocabulary, 1+r.IntN(20))
		order := bySize(sets)
		sorted := make([][]int32, len(sets))
		for i, o := range order {
			sorted[i] = sets[o]
		}
		older := func(y, x int32) bool { return order[y] < order[x] }
		for _, m := range measures() {
			want := bruteForce(m, sorted, older)
			got := map[string]float64{}
			for f := range newJoiner(m, sorted, vocabulary, older).pairs() {
				k := pairKey(m, f.x, f.y)
				if _, twice := got[k]; twice {
					t.Fatalf("seed %d, %+v: pair %s came twice", seed, m, k)
				}
				got[k] = f.value
			}
			same(t, fmt.Sprintf("join, seed %d, %+v", seed, m), got, want)

			if m.kind == containmentMeasure {
				m.kind = []measureKind{containmentMeasure, coverMeasure}[seed%2]
			}
			p := &prober{measure: m}
			clear(got)
			for i := range sets { // every second set came late
				if i%2 == 0 {
					p.add(sets[i])
				}
			}
			for i := range sets {
				if i%2 == 1 {
					p.add(sets[i])
				}
			}
			for x := range p.sets {
				for _, f := range p.find(p.sets[x], nil) {
					if int(f.y) != x && (m.directed() || int(f.y) > x) {
						got[pairKey(m, int32(x), f.y)] = f.value
					}
				}
			}
			want = bruteForce(m, p.sets, func(int32, int32) bool { return true })
			same(t, fmt.Sprintf("find, seed %d, %+v", seed, m), got, want)
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

// TestJoinStops: who has seen enough leaves no goroutine behind.
func TestJoinStops(t *testing.T) {
	sets := make([][]int32, 20_000)
	for i := range sets {
		sets[i] = []int32{int32(i / 4), 6000}
	}
	j := newJoiner(measure{kind: jaccardMeasure, t: 0.8}, sets, 6001, nil)
	n := 0
	for range j.pairs() {
		if n++; n == 10 {
			break
		}
	}
	if n != 10 {
		t.Errorf("%d pairs before the end", n)
	}
}
