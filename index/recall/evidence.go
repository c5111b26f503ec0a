package recall

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"learnings/index"
	"learnings/lessons"
)

// This file decides what a prompt is about. A lesson is on its subject when the words
// that it shares with one passage of the prompt are too unlikely to be chance.
//
// A word is in a passage of n words by chance with q = 1 − (1 − p)^(n/40), where p is
// how usual the word is ([Known]), and what is shared weighs S = Σ −ln q. By chance a
// lesson of words w shares as much with a probability of at most
//
//	exp(−t·S) · Π (1 − q_w + q_w^(1−t))    for each 0 < t < 1
//
// (Chernoff's bound for independent words). The evidence is the negative logarithm of
// the smallest of these. So a long prompt and a long lesson, which share more by chance,
// have to share more.

const (
	passageWords = 60 // per passage; a longer sentence is split
	maxPassages  = 40
	leastWords   = 4 // minimum length of a passage in the formula

	// Enough is the evidence, in nats, that puts one of thirty lessons on the subject: ten
	// of a thousand prompts of the same project on other matters reach it. It grows with
	// the number of lessons, because the best of many has more by chance.
	Enough     = 8.5
	grows      = 0.6 // nats for each nat of the number of lessons; measured from 30 to 14,000
	fewLessons = 30
	// From longPrompt words and names on, a prompt's best passage has more evidence by
	// chance: a nat for each nat of its length.
	longPrompt = 150

	// floor is the evidence that suffices in a short prompt that passes the Gate.
	floor = 2.5

	nameCounts = 1.5 // weight of an identifier or file name, relative to a word as rare
	partCounts = 0.5 // weight of the other words of a name, beside the best of them
	amongMore  = 20  // a word of k of n lessons is as usual as (k − 1) / (n + amongMore)

	leastWorth = 1.5 // nats a word needs to be searched for
	mostWords  = 80  // words of a prompt that are searched for: the rarest
	mostFound  = 32  // lessons read
	mostJudged = 3   // passages per lesson
	leastSum   = 1.5 // nats a passage must share to be judged
	bodyWords  = 100 // words per paragraph of a lesson's reasons
	maxBodies  = 3   // paragraphs of reasons

	leastTilt, mostTilt = 0.1, 0.95 // range of t in the bound
)

// An asking is what is said, split into passages of words.
type asking struct {
	words    []string // distinct: stems, and whole names
	texts    []string // by word: its first spelling
	at       map[string]int
	passages []passage
	units    int // number of words and names
}

// A passage is a run of whole sentences.
type passage struct {
	tokens []token
	n      float64 // number of words
}

// A token is a word of a passage, or a name followed by its words.
type token struct {
	word int // index in the words of the asking
	unit int // the same for a name and its words
	name bool
}

// askingOf splits texts into passages of at most passageWords, one starting at each
// sentence.
func askingOf(texts ...string) *asking {
	a := &asking{at: map[string]int{}}
	for _, t := range texts {
		var all []passage
		for _, s := range sentences(cut(t)) {
			all = append(all, a.sentence(index.Units(s))...)
		}
		for i := range all {
			p, end := all[i], i+1
			for ; end < len(all) && p.n+all[end].n <= passageWords; end++ {
				p.tokens, p.n = append(p.tokens[:len(p.tokens):len(p.tokens)], all[end].tokens...), p.n+all[end].n
			}
			if a.passages = append(a.passages, p); len(a.passages) == maxPassages || end == len(all) {
				break
			}
		}
	}
	return a
}

// sentence splits a sentence into passages; only a long one gives several.
func (a *asking) sentence(units []index.Unit) (out []passage) {
	p := passage{}
	for _, u := range units {
		a.units++
		if u.Name != "" {
			p.tokens = append(p.tokens, token{a.word(u.Name, u.Text), a.units, true})
		}
		for _, w := range u.Words {
			p.tokens = append(p.tokens, token{a.word(w, u.Text), a.units, false})
		}
		if p.n += float64(max(1, len(u.Words))); p.n >= passageWords {
			out, p = append(out, p), passage{}
		}
	}
	if p.n > 0 {
		out = append(out, p)
	}
	return out
}

func (a *asking) word(w, text string) int {
	i, ok := a.at[w]
	if !ok {
		i = len(a.words)
		a.at[w], a.words, a.texts = i, append(a.words, w), append(a.texts, text)
	}
	return i
}

// A usual says how usual words are in a situation.
type usual struct {
	known *Known
	of    int            // number of lessons that could be given
	with  map[string]int // how many of them have a word
	memo  map[string]float64
}

// chance returns the probability that a text of [usualWords] words has a word.
func (u *usual) chance(word string) float64 {
	p, ok := u.memo[word]
	if !ok {
		p = u.known.chance(word)
		if k := u.with[word]; k > 1 {
			p = max(p, float64(k-1)/float64(u.of+amongMore))
		}
		u.memo[word] = p
	}
	return p
}

// weight returns how unlikely a word is to be among n words by chance, in nats; 0 for a
// word that says nothing.
func (u *usual) weight(word string, n float64) float64 {
	if len(word) < 2 || len(word) < 3 && strings.Trim(word, "0123456789") == "" {
		return 0
	}
	return -math.Log(1 - math.Pow(1-u.chance(word), n/usualWords))
}

// enough returns the evidence that puts a lesson on the subject.
func (u *usual) enough() float64 {
	e := Enough + grows*math.Log(max(1, float64(u.of)/fewLessons))
	if k := u.known; k != nil && k.of > 0 { // as measured on this machine
		e = k.nats + grows*math.Log(max(1, float64(u.of)/float64(k.of)))
	}
	return e
}

// long returns the evidence that a prompt has by chance because of its length.
func (a *asking) long() float64 { return math.Log(max(1, float64(a.units)/longPrompt)) }

// Evidence says why a lesson is on the subject of a task, or how much it lacks.
type Evidence struct {
	Nats  float64  `json:"nats"`  // see [Enough]
	Needs float64  `json:"needs"` // to be on the subject
	Words []string `json:"words"` // shared words, the most telling first, and whole names
	Only  string   `json:"only,omitempty"`
}

// shared finds the lessons that share most with what is said, and returns a function that
// judges any lesson.
func (s Situation) shared(ctx context.Context, x Searcher, asked bool) (judge func(lessons.Lesson) Evidence, found []lessons.Lesson, err error) {
	a := askingOf(s.Around)
	if asked {
		a = askingOf(strings.Join(telling(cut(s.Error)), "\n"), s.Prompt)
	}
	words := a.rarest(&usual{known: s.Known, memo: map[string]float64{}})
	if len(words) == 0 || s.OnlySubject && len(words) < s.leastWords() {
		return func(lessons.Lesson) Evidence { return Evidence{} }, nil, nil
	}
	given := func(with map[string]int, of int) *usual {
		return &usual{known: s.Known, of: of, with: with, memo: map[string]float64{}}
	}
	worth := func(word string, with, of int) float64 {
		if w := given(map[string]int{word: with}, of).weight(word, passageWords); with > 0 && w >= leastWorth {
			return w
		}
		return 0
	}
	sharing, err := x.Shared(ctx, s.conditions(), words, mostFound, worth)
	u := given(sharing.With, sharing.Of)
	return func(l lessons.Lesson) Evidence { return u.evidence(l, a) }, sharing.Lessons, err
}

// rarest returns the words to search for.
func (a *asking) rarest(u *usual) []string {
	words := slices.DeleteFunc(slices.Clone(a.words), func(w string) bool { return u.weight(w, passageWords) <= 0 })
	slices.SortStableFunc(words, func(v, w string) int {
		return cmp.Compare(u.weight(w, passageWords), u.weight(v, passageWords))
	})
	return words[:min(len(words), mostWords)]
}

// evidence returns a lesson's evidence in its best passage: by its sentence and what it is
// known by, alone or with one paragraph of its reasons. Of several paragraphs the best has
// more by chance.
func (u *usual) evidence(l lessons.Lesson, a *asking) Evidence {
	base := map[string]bool{}
	put(base, l.Content, bodyWords)
	for _, t := range append(slices.Clone(l.Triggers), l.Tags...) {
		put(base, t, bodyWords)
	}
	best := u.best(base, a, 0)
	var bodies []map[string]bool
	for body := range strings.SplitSeq(strings.TrimSpace(l.Insight), "\n\n") {
		if with := maps.Clone(base); len(bodies) < maxBodies && put(with, body, bodyWords) {
			bodies = append(bodies, with)
		}
	}
	for _, with := range bodies {
		chance := math.Log(float64(1 + len(bodies)))
		if e := u.best(with, a, best.Nats+chance); e.Nats > 0 {
			best = e
			best.Nats -= chance
		}
	}
	best.Needs = u.enough() + a.long()
	if best.Words == nil {
		best.Words = []string{}
	}
	return best
}

// put adds the first words of a text, and reports whether there are any.
func put(words map[string]bool, text string, most int) bool {
	us := index.Units(text)
	for _, u := range us[:min(len(us), most)] {
		if u.Name != "" {
			words[u.Name] = true
		}
		for _, w := range u.Words {
			words[w] = true
		}
	}
	return len(us) > 0
}

// best returns the evidence of the passage that shares most with a lesson's words; zero if
// it is not more than least.
func (u *usual) best(words map[string]bool, a *asking, least float64) (best Evidence) {
	mine, some := make([]bool, len(a.words)), false
	for i, w := range a.words {
		mine[i] = words[w]
		some = some || mine[i]
	}
	if !some {
		return Evidence{}
	}
	type shared struct {
		shares []share
		sum, n float64
	}
	var most []shared // the passages that share most
	for _, p := range a.passages {
		if shares, sum := u.sum(mine, a, p); sum > leastSum {
			most = append(most, shared{shares, sum, max(p.n, leastWords)})
		}
	}
	slices.SortStableFunc(most, func(a, b shared) int { return cmp.Compare(b.sum, a.sum) })
	for _, m := range most[:min(len(most), mostJudged)] {
		if m.sum*mostTilt <= max(best.Nats, least) {
			continue // the bound cannot be larger
		}
		e := u.bound(words, m.n, m.sum)
		if e <= max(best.Nats, least) {
			continue
		}
		best = Evidence{Nats: e}
		for _, s := range m.shares {
			if text := a.texts[s.word]; !slices.Contains(best.Words, text) {
				best.Words = append(best.Words, text)
			}
			if s.name && best.Only == "" && u.with[a.words[s.word]] == 1 {
				best.Only = a.texts[s.word]
			}
		}
	}
	return best
}

// A share is a word or name that a lesson and a passage have in common.
type share struct {
	token
	nats float64
}

// sum returns the weight of the words that a lesson and a passage share. A word counts
// once; of a name and its words the best counts, and a part of the others.
func (u *usual) sum(mine []bool, a *asking, p passage) (shares []share, sum float64) {
	n := max(p.n, leastWords)
	for _, t := range p.tokens {
		if !mine[t.word] || slices.ContainsFunc(shares, func(s share) bool { return s.word == t.word }) {
			continue
		}
		w := u.weight(a.words[t.word], n)
		if t.name {
			w *= nameCounts
		}
		if w > 0 {
			shares = append(shares, share{t, w})
		}
	}
	slices.SortStableFunc(shares, func(a, b share) int { return cmp.Compare(b.nats, a.nats) })
	for i, s := range shares {
		if slices.ContainsFunc(shares[:i], func(o share) bool { return o.unit == s.unit }) {
			s.nats *= partCounts
		}
		sum += s.nats
	}
	return shares, sum
}

// bound returns the negative logarithm of Chernoff's bound on the probability that words
// share so much with n others.
func (u *usual) bound(words map[string]bool, n, sum float64) float64 {
	weights := make([]float64, 0, len(words))
	for w := range words {
		if e := u.weight(w, n); e > 0 {
			weights = append(weights, e)
		}
	}
	at := func(t float64) float64 {
		k := t * sum
		for _, e := range weights {
			k -= math.Log1p(math.Exp((t-1)*e) - math.Exp(-e))
		}
		return k
	}
	// The function is concave in t.
	lo, hi := leastTilt, mostTilt
	for range 5 {
		third := (hi - lo) / 3
		if at(lo+third) < at(hi-third) {
			lo += third
		} else {
			hi -= third
		}
	}
	return max(0, at((lo+hi)/2))
}

// Enough reports whether the evidence puts a lesson on the subject without further
// conditions.
func (e Evidence) Enough() bool { return e.Needs > 0 && e.Nats >= e.Needs }

// said describes the evidence.
func (e Evidence) said() string {
	words := e.Words[:min(len(e.Words), 5)]
	for i, w := range words {
		words[i] = lessons.Line(w)
	}
	switch {
	case len(words) == 0:
		return "shares no telling word with it"
	case e.Only != "" && e.Enough():
		return fmt.Sprintf("names `%s`, which no other lesson names", lessons.Line(e.Only))
	case e.Enough():
		return "shares " + strings.Join(words, ", ") + " with it"
	}
	return fmt.Sprintf("shares only %s: weighs %.1f, needs %.1f", strings.Join(words, ", "), e.Nats, e.Needs)
}
