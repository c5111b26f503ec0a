package recurring

import (
	"cmp"
	"math"
	"slices"

	"learnings/lessons/match"
)

// This file finds texts that speak of the same: errors that differ in a name or
// two.

// alikeErrors is the cosine from which on two errors are taken for one. Of the 252 different errors in 171 real sessions it joins 51
// to an earlier one, 4 of them of another cause as we read them; at 0.6 these
// are 38 and 3, at 0.4 they are 68 and 10. With so few words to an error, this
// does without the latent semantic analysis that longer texts would ask for.
const alikeErrors = 0.5

// A word that is in more texts than rareTexts, and in more than one of rareShare,
// is not looked up: what has only such words in common is hardly alike.
const (
	rareTexts = 100
	rareShare = 10
)

// A rarity knows in how many of some texts each word is. The texts are lists of
// distinct words.
type rarity struct {
	texts int
	in    map[string]int
}

// newRarity counts the words of texts.
func newRarity(texts [][]string) *rarity {
	r := &rarity{texts: len(texts), in: map[string]int{}}
	for _, words := range texts {
		for _, w := range words {
			r.in[w]++
		}
	}
	return r
}

// idf is the inverse document frequency, ln(1 + texts/in).
func (r *rarity) idf(word string) float64 {
	return math.Log1p(float64(r.texts) / float64(max(r.in[word], 1)))
}

// name gives the rarest words that more than half of some texts share, at most
// n of them and the rarest first. Words that name nothing are left out.
func (r *rarity) name(texts [][]string, n int) []string {
	shared := map[string]int{}
	for _, words := range texts {
		for _, w := range words {
			shared[w]++
		}
	}
	var out []string
	for w, in := range shared {
		if 2*in > len(texts) && !match.Common(w) {
			out = append(out, w)
		}
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(cmp.Compare(r.idf(b), r.idf(a)), cmp.Compare(a, b)) })
	return out[:min(n, len(out))]
}

// leaders clusters texts in their order: each joins the earlier leader that it
// is most like, if the cosine of their tf-idf vectors is at least that, or
// becomes a leader itself. It gives for each text the number of its leader. The
// first texts should be those that matter most: they lead.
func (r *rarity) leaders(texts [][]string, least float64) []int {
	out := make([]int, len(texts))
	norms := make([]float64, len(texts))
	has := map[string][]int{} // leaders that have a word
	// Words of most texts find nothing that rarer ones do not, and cost most.
	common := max(rareTexts, r.texts/rareShare)
	score := map[int]float64{}
	for i, words := range texts {
		for _, w := range words {
			x := r.idf(w)
			norms[i] += x * x
		}
		norms[i] = math.Sqrt(norms[i])
		clear(score)
		for _, w := range words {
			if r.in[w] <= common {
				for _, k := range has[w] {
					score[k] = 0
				}
			}
		}
		out[i] = r.nearest(texts, norms, i, score, least)
		if out[i] == i {
			for _, w := range words {
				if r.in[w] <= common {
					has[w] = append(has[w], i)
				}
			}
		}
	}
	return out
}

// nearest is the candidate that a text is most like, or the text itself.
func (r *rarity) nearest(texts [][]string, norms []float64, i int, candidates map[int]float64, least float64) int {
	mine := map[string]bool{}
	for _, w := range texts[i] {
		mine[w] = true
	}
	best, most := i, least
	for k := range candidates {
		dot := 0.0
		for _, w := range texts[k] {
			if mine[w] {
				x := r.idf(w)
				dot += x * x
			}
		}
		cosine := dot / (norms[i] * norms[k])
		if cosine > most || cosine == most && k < best {
			best, most = k, cosine
		}
	}
	return best
}
