package match

import (
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"iter"
	"math"
	"slices"
	"strings"

	"learnings/lessons"
)

// A Rule is what makes two lessons duplicates of each other.
type Rule string

const (
	// Equal is the same text but for case, white space and punctuation ([Normal]),
	// in any category.
	Equal Rule = "equal"
	// ByJaccard is a word Jaccard of 0.8 or more within a category: Gimli's rule.
	ByJaccard Rule = "jaccard"
	// ByOverlap is an overlap coefficient of keywords (what both have, over the
	// smaller number) above 0.6 within a category: amplihack's rule, which names
	// no denominator. At least three keywords must be shared, because otherwise the
	// rule matches nearly every short text.
	ByOverlap Rule = "overlap"
	// ByContainment is more than 0.6 of the words of the newer lesson in the
	// older one, within a category and at least three: Octomind's rule, which
	// separates words at blanks alone.
	ByContainment Rule = "containment"
)

// Thresholds of the rules.
const (
	overlapAbove = 0.6
	leastShared  = 3
)

func (r Rule) measure() measure {
	switch r {
	case ByJaccard:
		return measure{kind: jaccardMeasure, t: Alike}
	case ByOverlap:
		return measure{overlapMeasure, overlapAbove, leastShared}
	case ByContainment:
		return measure{containmentMeasure, overlapAbove, leastShared}
	case ByParaphrase:
		return measure{jaccardMeasure, math.Nextafter(Reworded, 1), leastShared}
	default:
		return measure{kind: jaccardMeasure, t: 1}
	}
}

// A Corpus is lessons prepared for comparison by one [Rule]. It keeps no texts, only
// some 100 bytes for a lesson and 4 for each of its words. It must not be used by
// several goroutines at once.
//
// Lessons with the same set of words are one text to it, so that copies cost little.
type Corpus struct {
	rule    Rule
	heads   map[string]string // of synonyms: the word that stands for all
	vocab   map[string]int32  // token of a word in a kind
	next    int32             // the token of the next new word, below 0
	kinds   map[string]int32
	members []member
	texts   []text
	byHash  map[uint64]int32 // of the tokens of a text
	seed    maphash.Seed
	find    *finder // made when it is first needed
	buf     []byte
	tokens  []int32
}

// A member is a lesson of a corpus.
type member struct {
	id       lessons.ID
	created  int64 // Unix nanoseconds
	text     int32
	approved bool
}

// A text is a set of tokens, with the lessons that have it.
type text struct {
	tokens []int32
	of     []int32 // members, in their order
}

// NewCorpus returns a corpus of lessons.
func NewCorpus(r Rule, ls iter.Seq[lessons.Lesson]) *Corpus {
	return newCorpus(r, Synonyms{}, ls)
}

// NewParaphrases returns a corpus of lessons for [ByParaphrase]. Words that are
// synonyms, directly or by way of others, are one word to it.
func NewParaphrases(s Synonyms, ls iter.Seq[lessons.Lesson]) *Corpus {
	return newCorpus(ByParaphrase, s, ls)
}

func newCorpus(r Rule, s Synonyms, ls iter.Seq[lessons.Lesson]) *Corpus {
	c := &Corpus{
		rule: r, heads: s.heads(), vocab: map[string]int32{}, kinds: map[string]int32{}, byHash: map[uint64]int32{}, seed: maphash.MakeSeed(),
	}
	for l := range ls {
		c.take(l, func(key []byte) int32 {
			t, ok := c.vocab[string(key)]
			if !ok {
				t = int32(len(c.vocab))
				c.vocab[string(key)] = t
			}
			return t
		})
	}
	c.rank()
	c.next = -1
	return c
}

// rank renumbers the tokens, the rarest first.
func (c *Corpus) rank() {
	seen := make([]int32, len(c.vocab)) // in how many texts
	for _, t := range c.texts {
		for _, k := range t.tokens {
			seen[k]++
		}
	}
	order := make([]int32, len(seen))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(seen[a], seen[b]) })
	rank := make([]int32, len(seen))
	for r, k := range order {
		rank[k] = int32(r)
	}
	for w, k := range c.vocab {
		c.vocab[w] = rank[k]
	}
	clear(c.byHash)
	for i := range c.texts {
		tokens := c.texts[i].tokens
		for k, t := range tokens {
			tokens[k] = rank[t]
		}
		slices.Sort(tokens)
		c.remember(tokens, int32(i))
	}
}

// Add adds a lesson.
func (c *Corpus) Add(l lessons.Lesson) {
	before := len(c.texts)
	c.take(l, func(key []byte) int32 {
		t, ok := c.vocab[string(key)]
		if !ok {
			t = c.next
			c.next--
			c.vocab[string(key)] = t
		}
		return t
	})
	if c.find != nil && len(c.texts) > before {
		c.find.add(c.texts[before].tokens)
	}
}

// take adds a lesson to the text that has the same words.
func (c *Corpus) take(l lessons.Lesson, token func([]byte) int32) {
	tokens := c.cut(l, token)
	at := c.at(tokens)
	if at < 0 {
		at = int32(len(c.texts))
		c.remember(tokens, at)
		c.texts = append(c.texts, text{tokens: slices.Clone(tokens)})
	}
	c.texts[at].of = append(c.texts[at].of, int32(len(c.members)))
	c.members = append(c.members, member{l.ID, l.Created.UnixNano(), at, l.Status == lessons.Approved})
}

// at finds the text with these tokens, or returns -1. For [ByContainment] each lesson
// is a text of its own, because it matters which of two is older.
func (c *Corpus) at(tokens []int32) int32 {
	if c.rule == ByContainment {
		return -1
	}
	for h := c.hash(tokens); ; h++ {
		i, ok := c.byHash[h]
		if !ok {
			return -1
		}
		if slices.Equal(c.texts[i].tokens, tokens) {
			return i
		}
	}
}

// remember makes a new text known to at.
func (c *Corpus) remember(tokens []int32, text int32) {
	if c.rule == ByContainment {
		return
	}
	h := c.hash(tokens)
	for _, taken := c.byHash[h]; taken; _, taken = c.byHash[h] {
		h++
	}
	c.byHash[h] = text
}

func (c *Corpus) hash(tokens []int32) uint64 {
	c.buf = c.buf[:0]
	for _, t := range tokens {
		c.buf = binary.LittleEndian.AppendUint32(c.buf, uint32(t))
	}
	return maphash.Bytes(c.seed, c.buf)
}

// cut returns the tokens of a lesson under the rule, distinct and in order; they
// are valid until the next call. The same word is a different token in each kind, so
// that lessons of two kinds have none in common.
func (c *Corpus) cut(l lessons.Lesson, token func([]byte) int32) []int32 {
	c.tokens = c.tokens[:0]
	var key []byte
	kind := Kind(l.Category)
	if c.rule == Equal {
		kind = ""
	}
	k, ok := c.kinds[kind]
	if !ok {
		k = int32(len(c.kinds))
		c.kinds[kind] = k
	}
	key = binary.AppendVarint(key, int64(k))
	n := len(key)
	add := func(w string) { c.tokens = append(c.tokens, token(append(key[:n], w...))) }
	switch c.rule {
	case ByJaccard:
		c.buf = eachWord(l.Content, c.buf, func(w []byte) {
			key = append(key[:n], w...)
			c.tokens = append(c.tokens, token(key))
		})
	case ByOverlap:
		for _, w := range Keywords(l.Content) {
			add(w)
		}
	case ByParaphrase:
		for _, w := range Keywords(l.Content) {
			if head, ok := c.heads[w]; ok {
				w = head
			}
			add(w)
		}
	case ByContainment:
		for _, w := range strings.Fields(strings.ToLower(l.Content)) {
			add(w)
		}
	}
	if len(c.tokens) == 0 { // or there are no words, as in a row of emoji
		add("\x00" + Normal(l.Content))
	}
	slices.Sort(c.tokens)
	c.tokens = slices.Compact(c.tokens)
	return c.tokens
}

// unknown returns a function that gives words which no lesson has tokens of their
// own, before all others, without adding them to the vocabulary.
func (c *Corpus) unknown() func(key []byte) int32 {
	next, fresh := c.next, map[string]int32{}
	return func(key []byte) int32 {
		if t, ok := c.vocab[string(key)]; ok {
			return t
		}
		t, ok := fresh[string(key)]
		if !ok {
			t = next
			next--
			fresh[string(key)] = t
		}
		return t
	}
}

// A Match is a duplicate under the rule.
type Match struct {
	ID         lessons.ID
	Similarity float64 // by the rule's measure, from 0 to 1
}

// Find returns the lessons of the corpus that are duplicates of l, the most alike
// first and without l itself, which need not be in the corpus. For [ByContainment] l is
// taken to be the newer one.
func (c *Corpus) Find(l lessons.Lesson) iter.Seq[Match] {
	return func(yield func(Match) bool) {
		tokens := c.cut(l, c.unknown())
		hits := c.finder().find(tokens, nil)
		slices.SortFunc(hits, func(a, b found) int { return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(a.set, b.set)) })
		for _, h := range hits {
			for _, m := range c.texts[h.set].of {
				if id := c.members[m].id; id != l.ID && !yield(Match{id, h.value}) {
					return
				}
			}
		}
	}
}

func (c *Corpus) finder() *finder {
	if c.find == nil {
		c.find = newFinder(c.rule.measure())
		for _, t := range c.texts {
			c.find.add(t.tokens)
		}
	}
	return c.find
}

func earlier(a, b member) int {
	return cmp.Or(cmp.Compare(a.created, b.created), cmp.Compare(a.id, b.id))
}

// before is the order of preference for the one that survives a merge.
func (c *Corpus) before(a, b member) int {
	if a.approved != b.approved && c.rule != ByContainment {
		if a.approved {
			return -1
		}
		return 1
	}
	return earlier(a, b)
}

func (c *Corpus) membersOf(t text) []member {
	out := make([]member, len(t.of))
	for i, m := range t.of {
		out[i] = c.members[m]
	}
	return out
}
