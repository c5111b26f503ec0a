package past

import (
	"cmp"
	"math"
	"slices"

	"learnings/lessons/pairs"
)

// This file finds errors that are about the same thing and differ in a name or two.

// alikeErrors is the least cosine at which two errors count as one. Of 252 different
// errors in 171 real sessions it joins 51 to an earlier one, 4 of them wrongly; at 0.6
// it would be 38 and 3, at 0.4 68 and 10. Errors have too few words to need latent
// semantic analysis.
const alikeErrors = 0.5

// A word in more than rareTexts texts, and in more than one of rareShare, is not
// looked up: texts that share only such words are hardly alike.
const (
	rareTexts = 100
	rareShare = 10
)

// A rarity counts the texts in which each word occurs. A text is a list of distinct
// words.
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

// name gives at most n of the words that more than half of some texts share, the
// rarest first. Common words are left out.
func (r *rarity) name(texts [][]string, n int) []string {
	shared := map[string]int{}
	for _, words := range texts {
		for _, w := range words {
			shared[w]++
		}
	}
	var out []string
	for w, in := range shared {
		if 2*in > len(texts) && !pairs.Common(w) {
			out = append(out, w)
		}
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(cmp.Compare(r.idf(b), r.idf(a)), cmp.Compare(a, b)) })
	return out[:min(n, len(out))]
}

// leaders clusters texts in their order. Each joins the earlier leader that it is most
// like, if the cosine of their tf-idf vectors is at least least, or becomes a leader
// itself. The result has the index of the leader of each text. The texts that matter
// most should come first, because they become leaders.
func (r *rarity) leaders(texts [][]string, least float64) []int {
	out := make([]int, len(texts))
	norms := make([]float64, len(texts))
	has := map[string][]int{} // leaders that have a word
	// Looking up common words would cost most, and find what rarer ones find too.
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

// nearest is the index of the candidate that text i is most like, or i.
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
