package pairs

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strconv"

	"learnings/lessons"
)

// A Rule decides whether two lessons are duplicates.
type Rule string

const (
	// Equal means the same text except for case, white space and punctuation ([Normal]),
	// in any category.
	Equal Rule = "equal"
	// ByJaccard means a word Jaccard of at least 0.8 within a category: Gimli's rule. It
	// only proposes, because in technical texts one different number or path makes
	// another lesson.
	ByJaccard Rule = "jaccard"
	// ByParaphrase means the same in other words, within a category: more than 0.6 of all
	// keywords, and at least three, are common to both. Learned synonyms count as one
	// word.
	ByParaphrase Rule = "paraphrase"
	// ByFrame means the same once what only leads up to it is left out ("one of our
	// conventions is to …"): more than two thirds of the words and values of their clauses,
	// and at least two, are common to both, which turn alike ("off", "only"). Categories matter.
	ByFrame Rule = "frame"
)

// leastShared is the minimum number of shared keywords of a paraphrase. With fewer, many
// short texts would match.
const leastShared = 3

// leastFrame is the minimum number of words and values of a frame.
const leastFrame = 2

// alike reports whether sets of n and m words with both in common are duplicates. Equal
// sets always are.
func (r Rule) alike(both, n, m int) bool {
	all := n + m - both
	switch {
	case both == all:
		return both > 0
	case r == ByJaccard:
		return 5*both >= 4*all
	case r == ByParaphrase:
		return 5*both > 3*all && both >= leastShared
	case r == ByFrame:
		return 3*both > 2*all && both >= leastFrame
	}
	return false
}

// least returns the minimum number of words that a set of n shares with a duplicate of at
// least its size.
func (r Rule) least(n int) int {
	switch r {
	case ByJaccard:
		return (4*n + 4) / 5
	case ByParaphrase:
		return (3*n + 4) / 5
	case ByFrame:
		return (2*n + 2) / 3
	}
	return n
}

// A Corpus holds lessons prepared for comparison by one [Rule]. It stores no texts, only
// about 100 bytes per lesson and 4 per word. It is not safe for concurrent use.
//
// Two sets that share enough words have one of the rarest few of each in common, so only
// those are looked up: the prefix filter of AllPairs (Bayardo, Ma and Srikant, WWW 2007).
// Words met later count as rarer. Lessons with the same set of words share one text, so
// that copies are cheap.
type Corpus struct {
	rule     Rule
	synonyms Synonyms
	vocab    map[string]map[string]int32 // by kind: lessons of two kinds have no word in common
	next     int32                       // the number for the next new word
	members  []entry
	texts    []text
	known    map[string]int32  // text by its words
	posts    map[int32][]int32 // by word: the texts that have it in their prefix
	searches int32
	seen     *memory
}

// An entry is a lesson of a corpus.
type entry struct {
	id       lessons.ID
	created  int64 // Unix nanoseconds
	approved bool
}

// A text is a set of words, in descending order, and the lessons that have it.
type text struct {
	words  []int32
	of     []int32
	groups []int32 // the groups it is in, ascending
	met    int32   // the last search that visited it
}

// NewCorpus returns a corpus of lessons. Only [ByParaphrase] needs synonyms.
func NewCorpus(r Rule, s Synonyms, ls iter.Seq[lessons.Lesson]) *Corpus {
	c := &Corpus{rule: r, synonyms: s, vocab: map[string]map[string]int32{}, known: map[string]int32{}, posts: map[int32][]int32{}, seen: newMemory()}
	for l := range ls {
		c.Add(l)
	}
	return c
}

// Add adds a lesson.
func (c *Corpus) Add(l lessons.Lesson) {
	words := c.words(l, true)
	key := make([]byte, 0, 4*len(words))
	for _, w := range words {
		key = strconv.AppendInt(append(key, ' '), int64(w), 36)
	}
	at, ok := c.known[string(key)]
	if !ok {
		at = int32(len(c.texts))
		c.known[string(key)] = at
		c.texts = append(c.texts, text{words: words})
		for _, w := range c.first(words) {
			c.posts[w] = append(c.posts[w], at)
		}
	}
	c.texts[at].of = append(c.texts[at].of, int32(len(c.members)))
	c.members = append(c.members, entry{l.ID, l.Created.UnixNano(), l.Status == lessons.Approved})
}

// first returns a prefix of the words; any duplicate has at least one of them.
func (c *Corpus) first(words []int32) []int32 { return words[:len(words)-c.rule.least(len(words))+1] }

// words returns the distinct words of a lesson that the rule compares, in descending
// order. With learn, new words are stored; else they get numbers for this call only.
func (c *Corpus) words(l lessons.Lesson, learn bool) []int32 {
	kind, words := "", []string(nil)
	switch c.rule {
	case ByJaccard:
		kind, words = Kind(l.Category), Words(l.Content)
	case ByParaphrase:
		kind, words = Kind(l.Category), c.synonyms.keywords(l.Content)
	case ByFrame:
		kind, words = c.frame(l)
	}
	if len(words) == 0 { // or there are no words, as in a row of emoji
		words = []string{"\x00" + Normal(l.Content)}
	}
	vocab := c.vocab[kind]
	if vocab == nil {
		vocab = map[string]int32{}
		c.vocab[kind] = vocab
	}
	out, next, fresh := make([]int32, len(words)), c.next, map[string]int32{}
	for i, w := range words {
		n, ok := vocab[w]
		if !ok {
			if n, ok = fresh[w]; !ok {
				n, fresh[w] = next, next
				next++
			}
			if learn {
				vocab[w], c.next = n, next
			}
		}
		out[i] = n
	}
	slices.SortFunc(out, func(a, b int32) int { return cmp.Compare(b, a) })
	return slices.Compact(out)
}

// frame returns the words and values of the clauses of a lesson; no words if they are too
// few. Lessons that turn in other ways are of another kind.
func (c *Corpus) frame(l lessons.Lesson) (kind string, words []string) {
	_, clauses, _ := scan(l.Content, c.seen)
	kind = Kind(l.Category)
	denied := false
	var turning []string
	for i := range clauses {
		words = append(words, clauses[i].frame...)
		for _, v := range clauses[i].values {
			words = append(words, "="+v.text)
		}
		for _, t := range clauses[i].tokens {
			if denied = denied || t.has(isDenial); t.has(isTurn) {
				turning = append(turning, t.text)
			}
		}
	}
	if words = distinct(words); len(words) < leastFrame {
		return kind, nil
	}
	return fmt.Sprint(kind, denied, distinct(turning)), words
}

// A hit is a text that is a duplicate.
type hit struct {
	text      int32
	both, all int // words
}

func (h hit) share() float64 { return float64(h.both) / float64(h.all) }

// find returns the duplicates of a text with these words, including itself.
func (c *Corpus) find(words []int32) (out []hit) {
	c.searches++
	for _, w := range c.first(words) {
		for _, at := range c.posts[w] {
			t := &c.texts[at]
			if t.met == c.searches {
				continue
			}
			t.met = c.searches
			n, m := len(words), len(t.words)
			if both := inBoth(words, t.words, c.rule.least(max(n, m))); c.rule.alike(both, n, m) {
				out = append(out, hit{at, both, n + m - both})
			}
		}
	}
	return out
}

// inBoth counts the common elements of two descending lists. It may stop counting when
// there are fewer than least.
func inBoth(x, y []int32, least int) (n int) {
	for len(x) > 0 && len(y) > 0 && n+min(len(x), len(y)) >= least {
		switch {
		case x[0] == y[0]:
			n++
			x, y = x[1:], y[1:]
		case x[0] > y[0]:
			x = x[1:]
		default:
			y = y[1:]
		}
	}
	return n
}

// Find yields the lessons of the corpus that are duplicates of l, the most alike first,
// without l itself, which need not be in the corpus.
func (c *Corpus) Find(l lessons.Lesson) iter.Seq[lessons.ID] {
	return func(yield func(lessons.ID) bool) {
		hits := c.find(c.words(l, false))
		slices.SortFunc(hits, func(a, b hit) int { return cmp.Or(cmp.Compare(b.share(), a.share()), cmp.Compare(a.text, b.text)) })
		for _, h := range hits {
			for _, m := range c.texts[h.text].of {
				if id := c.members[m].id; id != l.ID && !yield(id) {
					return
				}
			}
		}
	}
}

// before orders lessons by precedence in a merge; see [lessons.Survivor].
func before(a, b entry) int {
	if a.approved != b.approved {
		if a.approved {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(a.created, b.created), cmp.Compare(a.id, b.id))
}

// A Group is a lesson with its duplicates.
type Group struct {
	IDs       []lessons.ID // the survivor of a merge is first
	Both, All int          // words shared by the first and the least similar one, and words that either has
}

// mostLed is the largest group, in texts, whose members may lead groups of their own.
// With thousands from one template, comparing all pairs would take too long.
const mostLed = 64

// Groups yields the groups of two or more duplicates. Any two duplicates are together in
// at least one group, unless one of them is in a group of more than 64 texts.
//
// Every member is a duplicate of the first by the rule itself. If a is like b and b like
// c, that does not put c with a, which would chain unrelated texts; so a lesson can be in
// several groups. The first is the survivor of a merge ([lessons.Survivor]: approved,
// then older). The result does not depend on the order of the lessons.
func (c *Corpus) Groups() iter.Seq[Group] {
	return func(yield func(Group) bool) {
		order := make([]int32, len(c.texts))
		for i := range c.texts {
			t := &c.texts[i]
			order[i], t.groups = int32(i), nil
			slices.SortFunc(t.of, func(a, b int32) int { return before(c.members[a], c.members[b]) })
		}
		best := func(t int32) entry { return c.members[c.texts[t].of[0]] }
		slices.SortFunc(order, func(a, b int32) int { return before(best(a), best(b)) })
		large, groups := map[int32]bool{}, int32(0)
		for _, at := range order {
			t := &c.texts[at]
			if slices.ContainsFunc(t.groups, func(g int32) bool { return large[g] }) {
				continue
			}
			hits := slices.DeleteFunc(c.find(t.words), func(h hit) bool { return before(best(h.text), best(at)) <= 0 })
			apart := func(h hit) bool { return inBoth(c.texts[h.text].groups, t.groups, 1) == 0 }
			if !slices.ContainsFunc(hits, apart) && (len(t.groups) > 0 || len(hits)+len(t.of) < 2) {
				continue
			}
			for _, h := range append(hits, hit{text: at}) {
				c.texts[h.text].groups = append([]int32{groups}, c.texts[h.text].groups...)
			}
			large[groups] = len(hits) >= mostLed
			groups++
			if !yield(c.group(at, hits)) {
				return
			}
		}
	}
}

// group makes a group of a text and its duplicates.
func (c *Corpus) group(at int32, hits []hit) Group {
	n := len(c.texts[at].words)
	least, members := hit{at, n, n}, slices.Clone(c.texts[at].of)
	for _, h := range hits {
		members = append(members, c.texts[h.text].of...)
		if h.share() < least.share() {
			least = h
		}
	}
	slices.SortFunc(members, func(a, b int32) int { return before(c.members[a], c.members[b]) })
	out := Group{Both: least.both, All: least.all}
	for _, m := range members {
		out.IDs = append(out.IDs, c.members[m].id)
	}
	return out
}
