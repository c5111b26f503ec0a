package index

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"sync"

	"learnings/lessons"
)

// others is the number of further lessons assumed when judging how rare a word is. Without
// it, a corpus of ten would take every word it lacks for the rarest of all.
const others = 1000

// chatter are words that any sentence may have and that say nothing about the subject. They
// are searched for, but a lesson without them can still be on the subject.
var chatter = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields("i me my we us our you your he she him her his its them they what which who when where how why " +
		"am been being do does did have has had can could would should may might must shall let need want like please thank thanks hello hi " +
		"just also so very too here now well okay ok yes") {
		m[stem(w)] = true
	}
	return m
})

// Telling returns the words of a text that can say what it is about: its [Words] without
// chatter. There may be none.
func Telling(text string) []string {
	return slices.DeleteFunc(Words(text), func(w string) bool { return chatter()[w] })
}

// A gauge measures how much of a query's words a text has, each weighted by its rarity in
// the index.
type gauge struct {
	words    []string
	prefixes []begun
	weights  map[string]float64 // of words and prefixes, once weigh has run
	lessons  map[string]uint64  // number of lessons with each word
	total    float64
}

func newGauge(q Query) *gauge {
	g := &gauge{}
	for i, t := range q.Terms {
		if t.Not {
			continue
		}
		ws := Words(t.Text)
		if q.begun(i) {
			begin, last := cutLast(t.Text)
			ws = Words(begin)
			if last.start != "" {
				g.prefixes = append(g.prefixes, last)
			}
		}
		for _, w := range ws {
			if !slices.Contains(g.words, w) {
				g.words = append(g.words, w)
			}
		}
	}
	isChatter := func(w string) bool { return chatter()[w] }
	if rest := slices.DeleteFunc(slices.Clone(g.words), isChatter); len(rest) > 0 {
		g.words = rest
	}
	return g
}

// weigh looks up how rare each word is, once. A nil gauge measures nothing.
func (g *gauge) weigh(r *reader) error {
	if g == nil || g.weights != nil || len(g.words)+len(g.prefixes) == 0 {
		return nil
	}
	all, err := r.snap.DocCount()
	if err != nil {
		return err
	}
	g.weights, g.lessons = map[string]float64{}, map[string]uint64{}
	for _, w := range g.words {
		n, err := r.frequency(w)
		if err != nil {
			return err
		}
		g.lessons[w] = n
		g.set(w, all, n)
	}
	for _, p := range g.prefixes {
		// A half-typed word says little; its rarity is not worth a scan.
		g.set(p.start+"*", all, all/100+1)
	}
	return nil
}

func (g *gauge) set(w string, all, n uint64) {
	idf := math.Log1p((float64(all) + others - float64(n) + 0.5) / (float64(n) + 0.5))
	g.weights[w] = idf
	g.total += idf
}

// rarest returns the n words of most weight among those that more than few lessons have.
func (g *gauge) rarest(n int, few uint64) []string {
	words := slices.DeleteFunc(slices.Clone(g.words), func(w string) bool { return g.lessons[w] <= few })
	slices.SortStableFunc(words, func(a, b string) int { return cmp.Compare(g.weights[b], g.weights[a]) })
	return words[:min(n, len(words))]
}

// needed returns the rarest words, such that the others alone cannot reach the share of the
// weight: a text with that share has at least one of them. It returns nil if no lesson can
// reach the share.
func (g *gauge) needed(share float64) []string {
	words := slices.Clone(g.words)
	slices.SortStableFunc(words, func(a, b string) int { return cmp.Compare(g.weights[b], g.weights[a]) })
	const tiny = 1e-9 // rounding error of adding in another order
	rest, can := g.total, 0.0
	var out []string
	for _, w := range words {
		if rest > share*g.total-tiny && g.lessons[w] > 0 {
			out = append(out, w)
		}
		rest -= g.weights[w]
		if g.lessons[w] > 0 {
			can += g.weights[w]
		}
	}
	if can < share*g.total-tiny {
		return nil
	}
	return out
}

// passing is the weight of a word that a lesson has only in passing.
const passing = 0.38

// measure returns a lesson's [Hit.Match] and [Hit.Cover].
func (g *gauge) measure(l lessons.Lesson) (match, cover float64) {
	if g.total == 0 {
		return 1, 1
	}
	said := g.find(append(append([]string{l.Content}, l.Triggers...), l.Tags...)...)
	base, best, all := g.weight(said), 0.0, said
	for passage := range strings.SplitSeq(l.Insight+"\n\n"+l.Example, "\n\n") {
		if found := g.find(passage); slices.Contains(found, true) {
			best = max(best, g.weight(either(said, found)))
			all = either(all, found)
		}
	}
	return g.weight(all), base + passing*max(best-base, 0)
}

// find reports for each word, and then for each prefix, whether the texts have it.
func (g *gauge) find(texts ...string) []bool {
	found := make([]bool, len(g.words)+len(g.prefixes))
	for _, t := range texts {
		for _, w := range split(t, root) {
			if i := slices.Index(g.words, w.term); i >= 0 {
				found[i] = true
			}
			for i, p := range g.prefixes {
				found[len(g.words)+i] = found[len(g.words)+i] || p.may(w.term)
			}
		}
	}
	return found
}

func either(a, b []bool) []bool {
	out := slices.Clone(a)
	for i, x := range b {
		out[i] = out[i] || x
	}
	return out
}

// weight returns the share of the weight that the found words and prefixes have, from 0 to
// 1.
func (g *gauge) weight(found []bool) float64 {
	sum := 0.0
	for i, w := range g.words {
		if found[i] {
			sum += g.weights[w]
		}
	}
	for i, p := range g.prefixes {
		if found[len(g.words)+i] {
			sum += g.weights[p.start+"*"]
		}
	}
	return min(sum/g.total, 1)
}
