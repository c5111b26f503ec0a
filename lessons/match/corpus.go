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
	// in whichever category.
	Equal Rule = "equal"
	// ByJaccard is a word Jaccard of 0.8 or more within a category: Gimli's rule.
	ByJaccard Rule = "jaccard"
	// ByOverlap is an overlap coefficient of keywords (what both have, over the
	// smaller number) above 0.6 within a category: amplihack's rule, which names
	// no denominator. It is held to three shared keywords, because on short texts
	// it fires at nearly everything.
	ByOverlap Rule = "overlap"
	// ByContainment is more than 0.6 of the words of the newer lesson in the
	// older one: Octomind's rule, with its words, which are what is between
	// blanks. It is held to a category and to three words.
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

// A Corpus is lessons prepared for being compared by one [Rule]. It keeps none
// of their texts: some 100 bytes and 4 for each word of a lesson. It is for one
// goroutine.
//
// Lessons of one set of words are one text to it, so a million copies cost no
// more than a million lines.
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
	probe   *prober // made when it is first needed
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

// NewCorpus takes lessons in.
func NewCorpus(r Rule, ls iter.Seq[lessons.Lesson]) *Corpus {
	return newCorpus(r, Synonyms{}, ls)
}

// NewParaphrases takes lessons in to be compared by [ByParaphrase]. Words that
// are synonyms, or synonyms of one, are one word to it.
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

// rank numbers the tokens anew, the rarest first.
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
		c.byHash[c.free(tokens)] = int32(i)
	}
}

// Add takes one more lesson in.
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
	if c.probe != nil && len(c.texts) > before {
		c.probe.add(c.texts[before].tokens)
	}
}

// Len is how many lessons there are.
func (c *Corpus) Len() int { return len(c.members) }

// take puts a lesson to those that have the same words.
func (c *Corpus) take(l lessons.Lesson, token func([]byte) int32) {
	tokens := c.cut(l, token)
	at := c.at(tokens)
	if at < 0 {
		at = int32(len(c.texts))
		c.byHash[c.free(tokens)] = at
		c.texts = append(c.texts, text{tokens: slices.Clone(tokens)})
	}
	c.texts[at].of = append(c.texts[at].of, int32(len(c.members)))
	c.members = append(c.members, member{l.ID, l.Created.UnixNano(), at, l.Status == lessons.Approved})
}

// at finds the text of some tokens, or gives -1.
func (c *Corpus) at(tokens []int32) int32 {
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

// free is where a new text is to be found from now on.
func (c *Corpus) free(tokens []int32) uint64 {
	h := c.hash(tokens)
	for {
		if _, taken := c.byHash[h]; !taken {
			return h
		}
		h++
	}
}

func (c *Corpus) hash(tokens []int32) uint64 {
	c.buf = c.buf[:0]
	for _, t := range tokens {
		c.buf = binary.LittleEndian.AppendUint32(c.buf, uint32(t))
	}
	return maphash.Bytes(c.seed, c.buf)
}

// cut gives the tokens of a lesson under the rule, distinct and in order; they
// are valid until the next call. A word is another token in another kind, so
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

// unknown are the tokens of words that no lesson has. They differ from each
// other, come before all others, and are forgotten after the question.
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

// A Match is a lesson that the rule holds to be a duplicate.
type Match struct {
	ID         lessons.ID
	Similarity float64 // of the rule's measure, from 0 to 1
}

// Find gives the lessons of the corpus that are duplicates of a lesson, the
// most alike first; the lesson itself is left out. It need not be in the
// corpus. For [ByContainment] it is the newer one.
func (c *Corpus) Find(l lessons.Lesson) iter.Seq[Match] {
	return func(yield func(Match) bool) {
		tokens := c.cut(l, c.unknown())
		hits := c.prober().find(tokens, nil)
		slices.SortFunc(hits, func(a, b found) int { return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(a.y, b.y)) })
		for _, h := range hits {
			for _, m := range c.texts[h.y].of {
				if id := c.members[m].id; id != l.ID && !yield(Match{id, h.value}) {
					return
				}
			}
		}
	}
}

func (c *Corpus) prober() *prober {
	if c.probe == nil {
		c.probe = c.newProber(c.rule.measure())
	}
	return c.probe
}

func (c *Corpus) newProber(m measure) *prober {
	p := &prober{measure: m}
	for _, t := range c.texts {
		p.add(t.tokens)
	}
	return p
}

// A Pair is two lessons that are duplicates by the rule; for [ByContainment]
// the first is the newer one.
type Pair struct {
	A, B       lessons.ID
	Similarity float64
}

// Pairs gives all pairs of texts that are duplicates, each pair once, named by
// the first lesson that has each text: lessons with equal sets of words are not
// paired with each other. It works on all cores and holds some thousand pairs at
// a time.
func (c *Corpus) Pairs() iter.Seq[Pair] {
	return func(yield func(Pair) bool) {
		sets := make([][]int32, len(c.texts))
		shift := -1 - c.next // words that came late are below 0
		for i, t := range c.texts {
			sets[i] = t.tokens
			if shift > 0 {
				sets[i] = make([]int32, len(t.tokens))
				for k, v := range t.tokens {
					sets[i][k] = v + shift
				}
			}
		}
		order := bySize(sets)
		sorted := make([][]int32, len(sets))
		for i, o := range order {
			sorted[i] = sets[o]
		}
		first := func(x int32) member { return c.members[c.texts[order[x]].of[0]] }
		older := func(y, x int32) bool { return earlier(first(y), first(x)) < 0 }
		for f := range newJoiner(c.rule.measure(), sorted, len(c.vocab), older).pairs() {
			if !yield(Pair{first(f.x).id, first(f.y).id, f.value}) {
				return
			}
		}
	}
}

func earlier(a, b member) int {
	return cmp.Or(cmp.Compare(a.created, b.created), cmp.Compare(a.id, b.id))
}

// A Cluster is lessons that are all duplicates of its first one.
type Cluster struct {
	IDs        []lessons.ID // the one that should live on is first
	Similarity float64      // of the least alike to the first
}

// Clusters gives the groups of two duplicates or more, each lesson in one of
// them at most. Every member is a duplicate of the first one by the rule itself:
// that a is like b and b like c does not put c with a, which would string texts
// together that have nothing in common. First comes who would survive a merge
// (approved, then older), and takes all that are like it and not taken yet; so
// the work grows with the number of lessons, and not with that of their pairs.
func (c *Corpus) Clusters() iter.Seq[Cluster] {
	return func(yield func(Cluster) bool) {
		m := c.rule.measure()
		if m.kind == containmentMeasure {
			m.kind = coverMeasure // the older one asks
		}
		p := c.newProber(m)
		var hits []found
		for _, i := range c.leaders() {
			if p.gone[i] {
				continue
			}
			p.gone[i] = true
			hits = p.find(c.texts[i].tokens, hits[:0])
			if len(hits) == 0 && len(c.texts[i].of) < 2 {
				continue
			}
			cluster := Cluster{Similarity: 1}
			members := slices.Clone(c.texts[i].of)
			for _, h := range hits {
				p.gone[h.y] = true
				members = append(members, c.texts[h.y].of...)
				cluster.Similarity = min(cluster.Similarity, h.value)
			}
			slices.SortFunc(members, func(a, b int32) int { return c.before(c.members[a], c.members[b]) })
			for _, m := range members {
				cluster.IDs = append(cluster.IDs, c.members[m].id)
			}
			if !yield(cluster) {
				return
			}
		}
	}
}

// before is the order of who lives on.
func (c *Corpus) before(a, b member) int {
	if a.approved != b.approved && c.rule != ByContainment {
		if a.approved {
			return -1
		}
		return 1
	}
	return earlier(a, b)
}

// leaders are the texts in the order of the best of their lessons.
func (c *Corpus) leaders() []int32 {
	best := make([]member, len(c.texts))
	order := make([]int32, len(c.texts))
	for i, t := range c.texts {
		order[i] = int32(i)
		best[i] = c.members[t.of[0]]
		for _, m := range t.of[1:] {
			if c.before(c.members[m], best[i]) < 0 {
				best[i] = c.members[m]
			}
		}
	}
	slices.SortFunc(order, func(a, b int32) int { return c.before(best[a], best[b]) })
	return order
}
