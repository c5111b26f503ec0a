package meaning

import "math"

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
