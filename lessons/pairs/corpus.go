package pairs

import (
	"cmp"
	"iter"
	"slices"
	"strconv"

	"learnings/lessons"
)

// A Rule is what makes two lessons duplicates of each other.
type Rule string

const (
	// Equal is the same text but for case, white space and punctuation ([Normal]),
	// in any category.
	Equal Rule = "equal"
	// ByJaccard is a word Jaccard of 0.8 or more within a category: Gimli's rule. It
	// proposes and does not decide, because in technical texts one number or path that
	// differs makes another lesson.
	ByJaccard Rule = "jaccard"
	// ByParaphrase is the same said in other words, within a category: more than 0.6 of
	// the keywords of both lessons, and at least three, are common to both, where learned
	// synonyms are one word.
	ByParaphrase Rule = "paraphrase"
)

// leastShared is how many keywords a paraphrase must share: with less the rule would
// match many short texts.
const leastShared = 3

// alike reports whether sets of n and m words, which both have some of, are duplicates.
// Sets that are equal always are.
func (r Rule) alike(both, n, m int) bool {
	all := n + m - both
	switch {
	case both == all:
		return both > 0
	case r == ByJaccard:
		return 5*both >= 4*all
	case r == ByParaphrase:
		return 5*both > 3*all && both >= leastShared
	}
	return false
}

// least is how many words a set of n shares at least with any duplicate, which is at
// least that large.
func (r Rule) least(n int) int {
	switch r {
	case ByJaccard:
		return (4*n + 4) / 5
	case ByParaphrase:
		return (3*n + 4) / 5
	}
	return n
}

// A Corpus is lessons prepared for comparison by one [Rule]. It keeps no texts, only
// some 100 bytes for a lesson and 4 for each of its words. It must not be used by
// several goroutines at once.
//
// Two sets that share as many words as the rule asks for have one in common among
// the rarest few of each, so only those are looked up: the prefix filter of AllPairs
// (Bayardo, Ma and Srikant, WWW 2007). A word counts as the rarer the later it was first
// met. Lessons with the same set of words are one text, so that copies cost little.
type Corpus struct {
	rule     Rule
	synonyms Synonyms
	vocab    map[string]map[string]int32 // by kind: lessons of two kinds have no word in common
	next     int32                       // the number of the next new word
	members  []entry
	texts    []text
	known    map[string]int32  // by its words: the text
	posts    map[int32][]int32 // by word: the texts that have it among their first
	searches int32
}

// An entry is a lesson of a corpus.
type entry struct {
	id       lessons.ID
	created  int64 // Unix nanoseconds
	approved bool
}

// A text is a set of words, the highest numbers first, with the lessons that have it.
type text struct {
	words  []int32
	of     []int32
	groups []int32 // in which it stands, ascending
	met    int32   // the last search that looked at it
}

// NewCorpus returns a corpus of lessons. Only [ByParaphrase] needs synonyms.
func NewCorpus(r Rule, s Synonyms, ls iter.Seq[lessons.Lesson]) *Corpus {
	c := &Corpus{rule: r, synonyms: s, vocab: map[string]map[string]int32{}, known: map[string]int32{}, posts: map[int32][]int32{}}
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

// first are so many of its words that a text shares one of them with any duplicate.
func (c *Corpus) first(words []int32) []int32 { return words[:len(words)-c.rule.least(len(words))+1] }

// words are the words of a lesson that the rule compares, each once, the highest numbers
// first. Those that no lesson has yet become known, or else get numbers for this call only.
func (c *Corpus) words(l lessons.Lesson, learn bool) []int32 {
	kind, words := "", []string(nil)
	switch c.rule {
	case ByJaccard:
		kind, words = Kind(l.Category), Words(l.Content)
	case ByParaphrase:
		kind, words = Kind(l.Category), c.synonyms.keywords(l.Content)
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

// A hit is a text that is a duplicate.
type hit struct {
	text      int32
	both, all int // words
}

func (h hit) share() float64 { return float64(h.both) / float64(h.all) }

// find gives the texts that are duplicates of one with these words, itself among them.
func (c *Corpus) find(words []int32) (out []hit) {
	c.searches++
	for _, w := range c.first(words) {
		for _, at := range c.posts[w] {
			t := &c.texts[at]
			n, m := len(words), len(t.words)
			if t.met == c.searches || !c.rule.alike(min(n, m), n, m) {
				continue
			}
			t.met = c.searches
			if both := inBoth(words, t.words); c.rule.alike(both, n, m) {
				out = append(out, hit{at, both, n + m - both})
			}
		}
	}
	return out
}

// inBoth counts what two descending lists have in common.
func inBoth(x, y []int32) (n int) {
	for len(x) > 0 && len(y) > 0 {
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

// Find returns the lessons of the corpus that are duplicates of l, the most alike
// first and without l itself, which need not be in the corpus.
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

// before is the order in which lessons would survive a merge; see [lessons.Survivor].
func before(a, b entry) int {
	if a.approved != b.approved {
		if a.approved {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(a.created, b.created), cmp.Compare(a.id, b.id))
}

// A Group is lessons that are all duplicates of its first one.
type Group struct {
	IDs       []lessons.ID // the one that should live on is first
	Both, All int          // words that the first and the one least like it share, of those that either has
}

// mostLed is how many texts a group has at most whose members may lead groups of their
// own. Thousands made from one template would cost time by the number of their pairs.
const mostLed = 64

// Groups returns the groups of two or more duplicates. Any two lessons that are duplicates
// under the rule are together in at least one group, unless one of them is in a group of
// more than 64 texts.
//
// Every member is a duplicate of the first by the rule itself: if a is like b and b
// like c, that does not put c with a, or texts would be chained together that have
// nothing in common. So a lesson can be in several groups. The first of a group is the
// one that would survive a merge ([lessons.Survivor]: approved, then older). The groups
// do not depend on the order of the lessons.
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
			apart := func(h hit) bool { return inBoth(c.texts[h.text].groups, t.groups) == 0 }
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

// group makes a group of a text and those that are like it.
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
