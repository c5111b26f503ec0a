package match

import "math"

// This file says when two sets of words are alike, and how few words they must
// then share: the length filter of AllPairs (Bayardo, Ma and Srikant, WWW 2007).
//
// A set is a slice of distinct tokens in ascending order, where a lower token
// is a rarer one.

// A measure says how many tokens two sets must share to be alike. Equal sets
// always are.
type measure struct {
	kind   measureKind
	t      float64 // the threshold
	shared int     // and at least so many tokens
}

type measureKind uint8

const (
	jaccardMeasure     measureKind = iota // |x∩y| / |x∪y| >= t
	overlapMeasure                        // |x∩y| / min(|x|, |y|) > t
	containmentMeasure                    // |x∩y| / |x| > t: x is new, y is old
	coverMeasure                          // |x∩y| / |y| > t: the same, asked by the old one
)

// slack keeps the rounding of thresholds from dropping a pair that is exactly
// on one. What gets through is verified.
const slack = 1e-9

// need is the least number of tokens that sets of n and o must share.
func (m measure) need(n, o int) int {
	shared := m.shared
	if n == o {
		shared = min(shared, n)
	}
	switch m.kind {
	case jaccardMeasure:
		return max(atLeast(m.t/(1+m.t)*float64(n+o)), shared, 1)
	case overlapMeasure:
		return max(above(m.t*float64(min(n, o))), shared, 1)
	case coverMeasure:
		return max(above(m.t*float64(o)), shared, 1)
	default:
		return max(above(m.t*float64(n)), shared, 1)
	}
}

// value is the similarity, and whether it is enough.
func (m measure) value(both, n, o int) (v float64, ok bool) {
	switch m.kind {
	case jaccardMeasure:
		v = float64(both) / float64(n+o-both)
		ok = v >= m.t
	case overlapMeasure:
		v = float64(both) / float64(min(n, o))
		ok = v > m.t
	case coverMeasure:
		v = float64(both) / float64(o)
		ok = v > m.t
	default:
		v = float64(both) / float64(n)
		ok = v > m.t
	}
	return v, both > 0 && ok && (both >= m.shared || both == n && both == o)
}

// least is the smallest need of a set of n beside a set of any size.
func (m measure) least(n int) int {
	switch m.kind {
	case jaccardMeasure:
		return max(atLeast(m.t*float64(n)), min(m.shared, n), 1)
	case overlapMeasure, coverMeasure:
		return max(min(m.shared, n), 1)
	default:
		return m.need(n, n)
	}
}

// within are the sizes that a partner of a set of n can have.
func (m measure) within(n int) (least, most int) {
	if m.kind == jaccardMeasure {
		return atLeast(m.t * float64(n)), int(math.Floor(float64(n)/m.t + slack))
	}
	return min(m.shared, n), math.MaxInt
}

func atLeast(f float64) int { return int(math.Ceil(f - slack)) }
func above(f float64) int   { return int(math.Floor(f-slack)) + 1 }

// verify counts what two sets share, and stops when it cannot be enough.
func (m measure) verify(x, y []int32) (float64, bool) {
	need := m.need(len(x), len(y))
	both, i, k := 0, 0, 0
	for i < len(x) && k < len(y) {
		if both+min(len(x)-i, len(y)-k) < need {
			return 0, false
		}
		switch {
		case x[i] == y[k]:
			both++
			i++
			k++
		case x[i] < y[k]:
			i++
		default:
			k++
		}
	}
	return m.value(both, len(x), len(y))
}
