package pairs

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"learnings/lessons"
)

// A Pair is two lessons that contradict each other. Keep is the one that [Prefer]
// proposes to keep.
type Pair struct {
	Keep, Lose lessons.Lesson
	Order      string // why Keep
	Judgement         // A is Keep's
}

// An Opposition is two lessons that contradict each other, by their indexes in the input.
// A is the passage of the first.
type Opposition struct {
	First, Second int
	Judgement
}

// Pair returns the opposition of lessons a and b, given in its order.
func (o Opposition) Pair(a, b lessons.Lesson) Pair {
	j := o.Judgement
	first, why := Prefer(a, b)
	if !first {
		a, b, j.A, j.B = b, a, j.B, j.A
	}
	return Pair{Keep: a, Lose: b, Order: why, Judgement: j}
}

// Oppositions finds the contradictions among the pending and approved lessons, each once,
// in their order. If a lesson contradicts more than 200 with the same words, it returns
// 200 of these. It works on all cores and stops early when ctx ends.
func Oppositions(ctx context.Context, ls []lessons.Outline) []Opposition {
	x := newInverted(ctx, ls)
	workers := runtime.GOMAXPROCS(0)
	found := make([][]Opposition, workers)
	var next atomic.Int64
	var wg sync.WaitGroup
	for i := range workers {
		wg.Go(func() {
			met := make([]int32, len(ls))
			for n := next.Add(1); int(n) <= len(ls) && ctx.Err() == nil; n = next.Add(1) {
				for _, o := range x.candidates(int32(n-1), met) {
					a, b := min(int(n-1), int(o)), max(int(n-1), int(o))
					if ls[a].Content == ls[b].Content {
						continue
					}
					if j := x.readings[a].Against(x.readings[b]); j.Opposed() {
						found[i] = append(found[i], Opposition{a, b, j})
					}
				}
			}
		})
	}
	wg.Wait()
	all := slices.Concat(found...)
	slices.SortFunc(all, func(a, b Opposition) int {
		return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(a.Second, b.Second))
	})
	return slices.CompactFunc(all, func(a, b Opposition) bool { return a.First == b.First && a.Second == b.Second })
}

// maxPosts limits how many lessons with the same word a lesson is compared with. A
// generated corpus may have two contradictory rules a thousand times each; a person needs
// to see that once.
const maxPosts = 200

// An inverted index finds candidates for contradictions. A pair is compared only if one
// lesson has one of the rarest words of the other. It considers enough of these that the
// remaining words could not name the same subject.
type inverted struct {
	readings []Reading
	places   []int32 // by lesson: its place, the scope in which it meets others; 0 meets all
	first    []int32 // by lesson: its first frame
	most     int32   // the last place
	words    map[string]int32
	weights  []float64 // by word
	having   []int32   // by word: number of posts
	lessons  posts
	clauses  posts
	frames   []frame
}

// A frame is a clause by its word numbers.
type frame struct {
	lesson       int32
	size         int32 // in words and values
	first, last  int32
	words, gives []int32 // ascending; the values that it gives
	weight       float64
	said         bool // the lesson announces a change
	additive     bool
}

// Posts are lists, by word and place, in ascending order.
type posts map[int64][]int32

func at(place, word int32) int64 { return int64(place)<<32 | int64(word) }

func newInverted(ctx context.Context, ls []lessons.Outline) *inverted {
	x := &inverted{readings: make([]Reading, len(ls)), places: make([]int32, len(ls)), first: make([]int32, len(ls)), words: map[string]int32{}, lessons: posts{}, clauses: posts{}}
	workers := runtime.GOMAXPROCS(0)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			seen := newMemory()
			for i := len(ls) * w / workers; i < len(ls)*(w+1)/workers && ctx.Err() == nil; i++ {
				if l := &ls[i]; l.Status == lessons.Pending || l.Status == lessons.Approved {
					x.readings[i] = readOutline(l, seen)
				}
			}
		})
	}
	wg.Wait()
	places := map[string]int32{}
	for i := range ls {
		if x.readings[i].lesson == nil {
			continue
		}
		if s := ls[i].Scope; !s.Global {
			at := strings.ToLower(s.Project)
			if places[at] == 0 {
				x.most++
				places[at] = x.most
			}
			x.places[i] = places[at]
		}
		x.first[i] = int32(len(x.frames))
		x.post(int32(i))
	}
	return x
}

// post adds a lesson under the words of its claims, the values that it assigns (with a
// "=" in front), and the words of its clauses.
func (x *inverted) post(n int32) {
	add := func(to posts, w string, what int32) int32 {
		id := x.number(w)
		k := at(x.places[n], id)
		if of := to[k]; len(of) == 0 || of[len(of)-1] != what {
			to[k] = append(of, what)
			x.having[id]++
		}
		return id
	}
	r := &x.readings[n]
	for i := range r.claims {
		c := &r.claims[i]
		for _, w := range c.what {
			add(x.lessons, w, n)
		}
		for _, w := range c.when {
			add(x.lessons, w, n)
		}
		add(x.lessons, c.own, n)
	}
	for i := range r.clauses {
		c := &r.clauses[i]
		f := frame{lesson: n, weight: c.weight, said: r.announced, additive: c.additive(known())}
		if ts := c.plain(); len(ts) > 0 {
			f.size, f.first, f.last = int32(len(ts)), x.number("="+ts[0].content()), x.number("="+ts[len(ts)-1].content())
		}
		for _, w := range c.frame {
			f.words = append(f.words, add(x.clauses, w, int32(len(x.frames))))
		}
		for _, v := range c.given {
			f.gives = append(f.gives, add(x.lessons, "="+v, n))
		}
		slices.Sort(f.words)
		x.frames = append(x.frames, f)
	}
}

// number returns the number of a word.
func (x *inverted) number(w string) int32 {
	id, ok := x.words[w]
	if !ok {
		id = int32(len(x.words))
		x.words[w], x.having, x.weights = id, append(x.having, 0), append(x.weights, known().weight(w))
	}
	return id
}

// candidates returns the lessons that may contradict lesson n. met holds, by lesson, the
// last one it was compared with.
func (x *inverted) candidates(n int32, met []int32) (out []int32) {
	places := []int32{0}
	if at := x.places[n]; at != 0 {
		places = append(places, at)
	} else {
		for at := range x.most {
			places = append(places, at+1)
		}
	}
	met[n] = n + 1
	meets := func(o int32) {
		if met[o] != n+1 {
			met[o] = n + 1
			out = append(out, o)
		}
	}
	look := func(in posts, word string, each func(int32)) {
		id, ok := x.words[word]
		for i := 0; ok && i < len(places); i++ {
			of := in[at(places[i], id)]
			for _, o := range of[:min(len(of), maxPosts)] {
				each(o)
			}
		}
	}
	r, first := &x.readings[n], x.first[n]
	for i := range r.claims {
		for _, w := range x.asked(&r.claims[i]) {
			look(x.lessons, w, meets)
		}
	}
	for i := range r.clauses {
		c := &r.clauses[i]
		for _, w := range x.telling(c, r.announced) {
			look(x.clauses, w, func(o int32) {
				if f := &x.frames[o]; met[f.lesson] != n+1 && x.near(&x.frames[int(first)+i], f) {
					meets(f.lesson)
				}
			})
		}
		for _, v := range c.refused {
			look(x.lessons, "="+v, meets)
		}
	}
	return out
}

// asked returns words such that every lesson contradicting a claim has one of them.
func (x *inverted) asked(c *claim) (words []string) {
	if c.con || c.item {
		words = x.rarest(c.what, c.needed())
	}
	if len(c.numbers) > 0 && len(c.settings()) > 0 {
		words = append(words, x.rarest(c.besides(), mostOf)...)
	}
	for _, u := range c.uses {
		words = append(words, u.member)
		if g := known().members[u.member].group; g != nil {
			words = append(words, g.stems...)
		}
	}
	return words
}

// near reports whether two frames may name one slot: each assigns a value that the other
// does not, or they may differ in one span, and they share enough words.
func (x *inverted) near(f, g *frame) bool {
	lacks := func(some, others []int32) bool {
		return slices.ContainsFunc(some, func(v int32) bool { return !slices.Contains(others, v) })
	}
	said := f.said || g.said
	span := f.size-g.size <= 2 && g.size-f.size <= 2 && (f.first == g.first || f.last == g.last) // as [comparison.oneSpan] asks
	fills := len(f.gives) > 0 && len(g.gives) > 0 && lacks(f.gives, g.gives) && lacks(g.gives, f.gives)
	if !span && !fills {
		return false
	}
	shared := 0.0
	for a, b := f.words, g.words; len(a) > 0 && len(b) > 0; {
		switch {
		case a[0] == b[0]:
			shared += x.weights[a[0]]
			a, b = a[1:], b[1:]
		case a[0] < b[0]:
			a = a[1:]
		default:
			b = b[1:]
		}
	}
	smaller := min(f.weight, g.weight)
	small, both := shared/smaller, shared/(f.weight+g.weight-shared)
	switch {
	case span && both >= leastBoth:
		return true
	case !fills:
		return false
	case said:
		return both >= ofBothSaid && small >= ofNamed
	}
	return both >= ofBoth && small >= ofSmaller && smaller-shared < mostResidue && (both >= sameFrame || !f.additive && !g.additive)
}

// sorted returns words, the rarest first.
func (x *inverted) sorted(words []string) []string {
	words = slices.Clone(words)
	slices.SortStableFunc(words, func(a, b string) int { return cmp.Compare(x.having[x.words[a]], x.having[x.words[b]]) })
	return words
}

// rarest returns the fewest rare words, one of which every lesson with this share of the
// words has.
func (x *inverted) rarest(words []string, share float64) []string {
	return x.sorted(distinct(words))[:len(words)-int(math.Ceil(share*float64(len(words))))+min(len(words), 1)]
}

// telling returns words such that every clause for the same slot has one of them.
func (x *inverted) telling(c *clause, announced bool) []string {
	least := ofBoth
	if announced {
		least = ofBothSaid
	} else if len(c.frame) <= 3 {
		least = leastBoth
	} else if len(c.frame) >= 8 { // the clause with fewer words asks
		least = ofSmaller
	}
	words, left := x.sorted(c.frame), c.weight
	for i, w := range words {
		if left -= known().weight(w); left < least*c.weight {
			return words[:i+1]
		}
	}
	return words
}

// leastBoth is the share of common words of two short frames that differ in one span
// ([comparison.oneSpan]).
const leastBoth = 0.33
