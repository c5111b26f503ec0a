package stance

import (
	"cmp"
	"hash/maphash"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	"learnings/lessons"
)

// A Corpus is many lessons among which contradictions can be looked up: the
// pending and approved ones. It keeps their contents and, in 8 bytes each, the
// words under which they are found; what they say is read again when two of them
// are compared. It is safe for use by several goroutines.
//
// Only lessons with a key in common are compared: a word among the rarest of those
// that the other must have to contradict it; see [link]. Keys are kept by project,
// as lessons of two projects do not meet.
type Corpus struct {
	kept     []kept
	places   map[string]bool  // that there are
	frequent map[string]int32 // in how many claims a word is
	posts    []uint64         // sorted: a key and a place in kept
	seed     maphash.Seed
	asks     []int32 // the places in kept of which a search finds all contradictions
}

type kept struct {
	id      lessons.ID
	content string
	scope   *lessons.Scope
	holds   []lessons.Holding
}

// maxPosts is how many lessons of one key are compared with one of them. A
// generated corpus has one rule a thousand times, in two ways that exclude each
// other; a person needs to see it once.
const maxPosts = 200

// A link is what a claim must have that may contradict another one.
type link struct {
	con   bool
	words []string
	share float64  // of the words, at least
	any   []string // at least one of these; none asks for nothing
}

// links are the ways in which other claims may contradict one.
func (c *claim) links() (out []link) {
	k := known()
	if c.con || c.item {
		l := link{!c.con, c.what, c.needed(), nil}
		if !c.item {
			for _, verb := range append([]string{c.verb}, k.near[c.verb]...) {
				l.any = append(l.any, "="+verb)
			}
		}
		out = append(out, l)
	}
	for o, rest := range c.inversions() {
		out = append(out, link{false, rest, mostOf, []string{o}})
	}
	for _, q := range c.settings() {
		out = append(out, link{c.con, c.besides(), mostOf, []string{"#" + q.dimension}})
	}
	for _, u := range c.uses {
		out = append(out, link{!c.con, []string{u.member}, 1, nil})
		if g := k.members[u.member].group; g != nil {
			for _, o := range g.members {
				out = append(out, link{false, []string{k.stem(o)}, 1, nil})
			}
		}
	}
	return out
}

// words are the words by which a claim is found.
func (c *claim) words() []string {
	out := append(slices.Concat(c.bag(), c.when), "="+c.verb)
	for _, q := range c.numbers {
		out = append(out, "#"+q.dimension)
	}
	return distinct(out)
}

// NewCorpus reads lessons, which takes some 10 µs each.
func NewCorpus(ls iter.Seq[lessons.Lesson]) *Corpus {
	x := &Corpus{places: map[string]bool{"": true}, frequent: map[string]int32{}, seed: maphash.MakeSeed()}
	scopes, seen := map[lessons.Scope]*lessons.Scope{}, map[string]word{}
	links := map[int32][]link{}
	for l := range ls {
		if l.Status != lessons.Pending && l.Status != lessons.Approved {
			continue
		}
		if scopes[l.Scope] == nil {
			scopes[l.Scope] = &l.Scope
			x.places[place(l.Scope)] = true
		}
		n := int32(len(x.kept))
		x.kept = append(x.kept, kept{l.ID, l.Content, scopes[l.Scope], l.HoldsWith})
		for _, c := range read(l.Content, seen) {
			for _, w := range c.words() {
				x.frequent[w]++
				x.post(n, c.con, w)
			}
			if ls := c.links(); len(ls) > 0 {
				links[n] = append(links[n], ls...)
			}
		}
	}
	for n, ls := range links {
		x.asks = append(x.asks, n)
		for _, l := range ls {
			for _, w := range x.rarest(l) {
				x.post(n, l.con, "?"+w)
			}
		}
	}
	slices.Sort(x.asks)
	slices.Sort(x.posts)
	x.posts = slices.Clip(slices.Compact(x.posts))
	return x
}

// rarest are so many of the words of a link that who has its share of them has
// one of these.
func (x *Corpus) rarest(l link) []string {
	ws := distinct(l.words)
	slices.SortStableFunc(ws, func(a, b string) int { return cmp.Compare(x.frequent[a], x.frequent[b]) })
	return ws[:min(len(ws), len(ws)-int(math.Ceil(l.share*float64(len(ws))))+1)]
}

func (x *Corpus) post(n int32, con bool, w string) {
	x.posts = append(x.posts, x.key(place(*x.kept[n].scope), con, w)|uint64(n))
}

// key is a hash in the upper half. Two keys that share it by chance cost a
// comparison, no more.
func (x *Corpus) key(place string, con bool, w string) uint64 {
	var h maphash.Hash
	h.SetSeed(x.seed)
	h.WriteString(place)
	if con {
		h.WriteByte('!')
	}
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
	return lessons.Lesson{ID: k.id, Wording: lessons.Wording{Content: k.content}, Scope: *k.scope, HoldsWith: k.holds}
}

// search finds what may contradict a lesson; half of it, only what is not found
// the other way round.
func (x *Corpus) search(s Stance, half bool) (found []int32) {
	places := []string{"", place(s.lesson.Scope)}
	if s.lesson.Scope.Global {
		places = slices.Collect(maps.Keys(x.places))
	}
	for _, place := range distinct(places) {
		for i := range s.claims {
			c := &s.claims[i]
			for _, l := range c.links() {
				for _, w := range x.rarest(l) {
					found = x.all(found, place, l.con, w, func(n int32) bool { return x.fits(n, place, l) })
				}
			}
			if half {
				continue
			}
			for _, w := range c.words() {
				found = x.all(found, place, c.con, "?"+w, func(int32) bool { return true })
			}
		}
	}
	slices.Sort(found)
	return slices.DeleteFunc(slices.Compact(found), func(n int32) bool {
		return x.kept[n].content == s.lesson.Content || !meet(s.lesson, x.lesson(n))
	})
}

// all adds those of the first [maxPosts] lessons posted under a key of which a
// test holds.
func (x *Corpus) all(found []int32, place string, con bool, w string, test func(n int32) bool) []int32 {
	key := x.key(place, con, w)
	from, _ := slices.BinarySearch(x.posts, key)
	for _, post := range x.posts[from:min(len(x.posts), from+maxPosts)] {
		if post&^math.MaxUint32 != key {
			break
		} else if n := int32(post & math.MaxUint32); test(n) {
			found = append(found, n)
		}
	}
	return found
}

// fits reports that a lesson has what a link asks for.
func (x *Corpus) fits(n int32, place string, l link) bool {
	has := func(w string) bool {
		_, ok := slices.BinarySearch(x.posts, x.key(place, l.con, w)|uint64(n))
		return ok
	}
	left := int((1 - l.share) * float64(len(l.words))) // that it may lack
	return (len(l.any) == 0 || slices.ContainsFunc(l.any, has)) && !slices.ContainsFunc(l.words, func(w string) bool {
		if !has(w) {
			left--
		}
		return left < 0
	})
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

// Of gives the lessons that contradict one, in the order in which [Prefer]
// would keep them. The lesson itself need not be in the corpus, and is left out where
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
	slices.SortFunc(out, func(a, b Contrary) int {
		if first, _ := Prefer(a.Lesson, b.Lesson); first {
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
		stances, seen := map[int32]Stance{}, map[string]word{}
		stance := func(n int32) Stance {
			s, ok := stances[n]
			if !ok {
				if len(stances) == mostRead {
					clear(stances)
				}
				l := x.lesson(n)
				s = Stance{l, read(l.Content, seen)}
				stances[n] = s
			}
			return s
		}
		found := map[[2]int32]Contradiction{}
		for _, n := range x.asks {
			for _, o := range x.search(stance(n), true) {
				pair := [2]int32{min(n, o), max(n, o)}
				if c, ok := stance(pair[0]).Contradicts(stance(pair[1])); ok {
					found[pair] = c
				}
			}
		}
		order := func(a, b [2]int32) int { return slices.Compare(a[:], b[:]) }
		for _, pair := range slices.SortedFunc(maps.Keys(found), order) {
			c := found[pair]
			a, ok := get(x.kept[pair[0]].id)
			b, both := get(x.kept[pair[1]].id)
			if !ok || !both {
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
