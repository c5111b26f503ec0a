package embedding

import (
	"slices"

	"learnings/index/meaning"
)

// probes are sentences of which two and two mean the same. By them the cosines of a model
// are put on the scale of the built-in vectors, so that lessons of which the one knows
// nothing can stand beside the others, and what is near by the one is near by the other.
// Whoever changes them makes all vectors that are kept worthless.
var probes = []string{
	"Protect shared state from concurrent access with a mutex", "A lock keeps two threads from changing the same data at once",
	"Add an index to the database table", "A slow query gets faster when the column is indexed",
	"Rerun a flaky test before you blame the code", "Tests that fail now and then should be repeated first",
	"Write commit messages in English", "Describe each change to the repository in the English language",
	"Never put a password into a log file", "Secrets and credentials must not be logged",
	"Install packages with pnpm, not with npm", "Use the pnpm package manager for dependencies",
	"Quote shell variables that may contain blanks", "In bash scripts put double quotes around variable expansions",
	"Deploy on weekdays only", "Releases go to production from Monday to Friday",
}

// A scale puts the cosines of a model on that of the built-in vectors.
type scale struct{ from, factor, to float64 }

func (s scale) on(cosine float64) float64 { return min(max(s.to+(cosine-s.from)*s.factor, 0), 1) }

// leastApart is how much nearer, on the mean, a model must find what means the same than
// what does not.
const leastApart = 0.03

// scaleOf finds the scale of a model by its vectors of the probes.
func scaleOf(vector func(meaning.Key) meaning.Vector) (scale, error) {
	model := make([]meaning.Vector, len(probes))
	own := make([]meaning.Vector, len(probes))
	for i, p := range probes {
		if model[i] = vector(meaning.KeyOf(p)); model[i] == nil {
			return scale{}, ErrNone
		}
		own[i] = meaning.Words().Of(p)
	}
	same, other := apart(model)
	if same-other < leastApart {
		return scale{}, ErrUseless
	}
	ownSame, ownOther := apart(own)
	if ownSame <= ownOther { // without built-in vectors
		ownSame, ownOther = 0.6, 0.1
	}
	return scale{from: other, factor: (ownSame - ownOther) / (same - other), to: ownOther}, nil
}

// apart is how near those of the probes are that mean the same, and the others, on the mean.
func apart(vectors []meaning.Vector) (same, other float64) {
	others := 0
	for i, v := range vectors {
		for j, w := range vectors[:i] {
			if near := max(v.Cosine(w), 0); i == j+1 && i%2 == 1 {
				same += near
			} else {
				other += near
				others++
			}
		}
	}
	return same / float64(len(vectors)/2), other / float64(others)
}

// isProbe reports that a key is of a probe.
func isProbe(k meaning.Key) bool {
	return slices.ContainsFunc(probes, func(p string) bool { return meaning.KeyOf(p) == k })
}
