package stance

import (
	"cmp"
	"hash/maphash"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"learnings/lessons"
)

// A Corpus is many lessons among which contradictions can be looked up: the
// pending and approved ones. It keeps their contents and, in 8 bytes each, under
// which words they are found; what they say is read again when two of them are
// compared. It is safe for use by several goroutines.
//
// Only lessons with a key in common are compared. What is for something is kept
// under all of its words, and what is against something under the rarest, for most
// of the words have to be the same; numbers and opposite words are kept with the
// rarest of the words beside them, and members of exclusive groups by themselves.
// Keys are kept by project, as lessons of two projects do not meet.
type Corpus struct {
	kept     []kept
	scopes   []lessons.Scope
	holds    map[int32][]lessons.Holding
	frequent map[string]int32 // in how many claims a word is
	posts    []uint64         // sorted: a key and a claim
	owners   []int32          // of the claims: places in kept
	seed     maphash.Seed
	asks     []int32 // the places in kept of which a search finds all contradictions
}

type kept struct {
	id      lessons.ID
	content string
	scope   int32
}

// maxPosts is how many lessons of one key are compared with one of them. A
// generated corpus has one rule a thousand times, in two ways that exclude each
// other; a person needs to see it once.
const maxPosts = 500

// The kinds of keys.
const (
	asked   = "p" // a word of what a lesson is for
	refused = "c" // a word of what it is against
	done    = "v" // the verb of what it is for
	taken   = "t" // a member of a group that it uses
	shunned = "s" // or refuses
	paired  = "w" // two opposite words, and one beside them
	counted = "n" // a dimension, and a word beside it
)

// A rare is a key with the rarest of some stems, to be made when it is known which
// they are.
type rare struct {
	at    int32
	kind  string
	stems []string
	share float64 // of the stems, that a lesson must have that contradicts
}

// NewCorpus reads lessons, which takes some 10 µs each.
func NewCorpus(ls iter.Seq[lessons.Lesson]) *Corpus {
	x := &Corpus{holds: map[int32][]lessons.Holding{}, frequent: map[string]int32{}, seed: maphash.MakeSeed()}
	scopes := map[lessons.Scope]int32{}
	known := map[string]word{}
	var later []rare
	for l := range ls {
		if l.Status != lessons.Pending && l.Status != lessons.Approved {
			continue
		}
		n := int32(len(x.kept))
		if _, ok := scopes[l.Scope]; !ok {
			scopes[l.Scope] = int32(len(x.scopes))
			x.scopes = append(x.scopes, l.Scope)
		}
		x.kept = append(x.kept, kept{l.ID, l.Content, scopes[l.Scope]})
		if len(l.HoldsWith) > 0 {
			x.holds[n] = l.HoldsWith
		}
		claims := read(l.Content, known)
		before, uses := len(later), false
		for i := range claims {
			for _, w := range claims[i].words() {
				x.frequent[w]++
			}
			x.owners = append(x.owners, n)
			later = x.keep(int32(len(x.owners)-1), &claims[i], later)
			uses = uses || len(claims[i].uses) > 0
		}
		if uses || len(later) > before {
			x.asks = append(x.asks, n)
		}
	}
	for _, r := range later {
		for _, w := range x.rarest(r.stems, r.share) {
			x.post(r.at, r.kind, w)
		}
	}
	slices.Sort(x.posts)
	x.posts = slices.Clip(slices.Compact(x.posts))
	return x
}

// keep posts a claim, but for the keys that take the rarest of its words.
func (x *Corpus) keep(n int32, c *claim, later []rare) []rare {
	if c.con {
		later = append(later, rare{n, refused, c.words(), choices})
	} else {
		x.post(n, done, c.verb)
		for _, w := range slices.Concat(c.words(), c.when) {
			x.post(n, asked, w)
		}
		for w, o := range c.inversions() {
			later = append(later, rare{n, c.pair(w, o), without(c.what, w), halfOf})
		}
	}
	for kind := range c.counts() {
		later = append(later, rare{n, kind, besides(c), mostOf})
		for _, w := range besides(c) {
			x.post(n, asked, w)
		}
	}
	for _, u := range c.uses {
		x.post(n, map[bool]string{false: taken, true: shunned}[c.con], u.member)
	}
	return later
}

// words are the stems of what a claim is about, or its verb where it has no others.
func (c *claim) words() []string {
	if len(c.what) == 0 {
		return []string{c.own}
	}
	return c.what
}

// inversions are the words of a claim that have opposites, with each of them.
func (c *claim) inversions() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for _, w := range distinct(slices.Concat(c.what, c.adverbs, []string{c.own, c.verb})) {
			for _, o := range opposites[w] {
				if !yield(w, o) {
					return
				}
			}
		}
	}
}

// pair is the kind of key for a claim with one of two opposite words. Unless they
// are its verbs, the verb has to be the same.
func (c *claim) pair(w, o string) string {
	if w == c.own || w == c.verb || o == c.own || o == c.verb {
		return paired + w + " " + o + " "
	}
	return paired + w + " " + o + " " + c.verb + " "
}

// counts are the kinds of key for the numbers of a claim that are rules.
func (c *claim) counts() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, q := range c.numbers {
			if setting(besides(c), q) && !yield(counted+q.dimension+" "+c.verb+strconv.FormatBool(c.con)+" ") {
				return
			}
		}
	}
}

// rarest are so many of the stems that two sets which share that part of both,
// from 0 to 1, share one of these.
func (x *Corpus) rarest(stems []string, share float64) []string {
	ws := distinct(stems)
	slices.SortStableFunc(ws, func(a, b string) int { return cmp.Compare(x.frequent[a], x.frequent[b]) })
	return ws[:min(len(ws), len(ws)-int(math.Ceil(share*float64(len(ws))))+1)]
}

func (x *Corpus) post(n int32, kind, w string) {
	x.posts = append(x.posts, x.key(x.place(n), kind, w)|uint64(n))
}

// place is the part of the corpus that a claim is in.
func (x *Corpus) place(claim int32) string { return place(x.scopes[x.kept[x.owners[claim]].scope]) }

// key is a hash in the upper half. Two keys that share it by chance cost a
// comparison, no more.
func (x *Corpus) key(place, kind, w string) uint64 {
	var h maphash.Hash
	h.SetSeed(x.seed)
	h.WriteString(place)
	h.WriteString(kind)
	h.WriteString(w)
	return h.Sum64() &^ math.MaxUint32
}

// place is the part of a corpus in which a lesson meets others.
func place(s lessons.Scope) string {
	if s.Global {
		return ""
	}
	return strings.ToLower(s.Project) + "\x00"
}

// lesson is what a comparison needs of one.
func (x *Corpus) lesson(n int32) lessons.Lesson {
	k := &x.kept[n]
	return lessons.Lesson{ID: k.id, Wording: lessons.Wording{Content: k.content}, Scope: x.scopes[k.scope], HoldsWith: x.holds[n]}
}

// A search finds the lessons that may contradict one.
type search struct {
	*Corpus
	places []string // where it meets others: its own and the global one; for a global lesson, all
	found  []int32
}

func (x *Corpus) search(s Stance, half bool) []int32 {
	f := search{Corpus: x, places: []string{place(s.lesson.Scope), ""}}
	if s.lesson.Scope.Global {
		for _, o := range x.scopes {
			f.places = append(f.places, place(o))
		}
	}
	f.places = distinct(f.places)
	for i := range s.claims {
		f.claim(&s.claims[i], half)
	}
	slices.Sort(f.found)
	return slices.DeleteFunc(slices.Compact(f.found), func(n int32) bool {
		return x.kept[n].content == s.lesson.Content || !meet(s.lesson, x.lesson(n))
	})
}

// claim looks for what may contradict a claim: never for what says the same, of
// which there may be much. Half of a search leaves out what is found the other way
// round: what is against something the claim is for.
func (f *search) claim(c *claim, half bool) {
	if c.con {
		verbs := append([]string{c.verb}, near[c.verb]...)
		for _, w := range f.rarest(c.words(), needed(c)) {
			f.all(asked, w, func(n int32) bool {
				return f.share(n, c.words(), needed(c)) && (c.item || slices.ContainsFunc(verbs, func(v string) bool { return f.has(n, done, v) }))
			})
		}
	} else {
		for _, w := range slices.Concat(c.words(), c.when) {
			if !half {
				f.all(refused, w, nil)
			}
		}
		for w, o := range c.inversions() {
			for _, r := range f.rarest(without(c.what, w), halfOf) {
				f.all(c.pair(o, w), r, func(n int32) bool { return f.share(n, without(c.what, w), halfOf) })
			}
		}
	}
	for kind := range c.counts() {
		for _, w := range f.rarest(besides(c), mostOf) {
			f.all(kind, w, func(n int32) bool { return f.share(n, besides(c), mostOf) })
		}
	}
	for _, u := range c.uses {
		if c.con {
			f.all(taken, u.member, nil)
			continue
		}
		f.all(shunned, u.member, nil)
		for m := range strings.FieldsSeq(members[u.member].group.members) {
			if m = stem(m); m != u.member {
				f.all(taken, m, nil)
			}
		}
	}
}

// has reports that a lesson is posted under a key.
func (f *search) has(n int32, kind, w string) bool {
	_, ok := slices.BinarySearch(f.posts, f.key(f.place(n), kind, w)|uint64(n))
	return ok
}

// share reports that what a lesson is for has a share of some words.
func (f *search) share(n int32, words []string, share float64) bool {
	there := 0
	for _, w := range words {
		if f.has(n, asked, w) {
			there++
		}
	}
	return float64(there) >= share*float64(len(words))
}

// all finds the lessons posted under a key of which a test holds, of each place
// [maxPosts] at most.
func (f *search) all(kind, w string, test func(n int32) bool) {
	for _, place := range f.places {
		key := f.key(place, kind, w)
		from, _ := slices.BinarySearch(f.posts, key)
		for left := maxPosts; from < len(f.posts) && f.posts[from]&^math.MaxUint32 == key && left > 0; from++ {
			if n := int32(f.posts[from] & math.MaxUint32); test == nil || test(n) {
				f.found = append(f.found, f.owners[n])
				left--
			}
		}
	}
}

// A Get reads a lesson of a corpus as it is now. It reports false for one that is
// gone, or no longer counts.
type Get func(lessons.ID) (lessons.Lesson, bool)

// From gets lessons out of a slice.
func From(ls []lessons.Lesson) Get {
	all := make(map[lessons.ID]*lessons.Lesson, len(ls))
	for i := range ls {
		all[ls[i].ID] = &ls[i]
	}
	return func(id lessons.ID) (lessons.Lesson, bool) {
		if l, ok := all[id]; ok {
			return *l, true
		}
		return lessons.Lesson{}, false
	}
}

// A Contrary is a lesson that contradicts another one.
type Contrary struct {
	Lesson        lessons.Lesson
	Contradiction // A is the passage of the lesson that was asked about
}

// Of gives the lessons that contradict one, those that [Prefer] proposes to keep
// over it first. The lesson itself need not be in the corpus, and is left out where
// it is. A lesson that has changed since the corpus was made is found if it
// contradicts before and after.
func (x *Corpus) Of(l lessons.Lesson, get Get) (out []Contrary) {
	s := Of(l)
	for _, n := range x.search(s, false) {
		if _, ok := s.Contradicts(Of(x.lesson(n))); !ok {
			continue
		}
		if now, ok := get(x.kept[n].id); ok {
			if c, ok := s.Contradicts(Of(now)); ok {
				out = append(out, Contrary{now, c})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Contrary) int {
		x, _ := Prefer(a.Lesson, l)
		y, _ := Prefer(b.Lesson, l)
		if x == y {
			return cmp.Compare(a.Lesson.ID, b.Lesson.ID)
		} else if x {
			return -1
		}
		return 1
	})
	return out
}

// A Pair is two lessons that contradict each other. Keep is the one that [Prefer]
// proposes to keep.
type Pair struct {
	Keep, Lose    lessons.Lesson
	Order         string // why Keep
	Contradiction        // A is of Keep
}

// Pairs gives all contradictions, each once, in the order of the corpus.
func (x *Corpus) Pairs(get Get) iter.Seq[Pair] {
	return func(yield func(Pair) bool) {
		stances, known := map[int32]Stance{}, map[string]word{}
		stance := func(n int32) Stance {
			s, ok := stances[n]
			if !ok {
				if len(stances) == mostRead {
					clear(stances)
				}
				l := x.lesson(n)
				s = Stance{l, read(l.Content, known)}
				stances[n] = s
			}
			return s
		}
		var found []uint64 // pairs of places, the smaller one first
		for _, n := range x.asks {
			for _, o := range x.search(stance(n), true) {
				found = append(found, uint64(min(n, o))<<32|uint64(max(n, o)))
			}
		}
		slices.Sort(found)
		for _, pair := range slices.Compact(found) {
			n, o := int32(pair>>32), int32(pair&math.MaxUint32)
			c, ok := stance(n).Contradicts(stance(o))
			if !ok {
				continue
			}
			a, found := get(x.kept[n].id)
			b, both := get(x.kept[o].id)
			if !found || !both {
				continue
			}
			first, why := Prefer(a, b)
			if !first {
				a, b, c.A, c.B = b, a, c.B, c.A
			}
			if !yield(Pair{Keep: a, Lose: b, Order: why, Contradiction: c}) {
				return
			}
		}
	}
}

// mostRead is how many lessons [Corpus.Pairs] remembers.
const mostRead = 10_000
