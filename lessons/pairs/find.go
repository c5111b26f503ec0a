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
//
// It takes one project after the other, so that only its lessons and those for every
// project are in memory as readings.
func Oppositions(ctx context.Context, ls []lessons.Outline) []Opposition {
	s := search{ctx: ctx, ls: ls, words: map[string]int32{}, workers: make([]worker, runtime.GOMAXPROCS(0))}
	for i := range s.workers {
		s.workers[i] = worker{seen: newMemory(), claims: make([]int32, len(ls)), slots: make([]int32, len(ls))}
	}
	var general []int32
	projects := map[string][]int32{}
	for i := range ls {
		switch l := &ls[i]; {
		case l.Status != lessons.Pending && l.Status != lessons.Approved:
		case l.Scope.Global:
			general = append(general, int32(i))
		default:
			at := strings.ToLower(l.Scope.Project)
			projects[at] = append(projects[at], int32(i))
		}
	}
	everywhere := s.read(general)
	s.compare(everywhere, everywhere)
	for _, of := range projects {
		x := s.read(of)
		s.compare(x, x)
		if len(general) > 0 {
			s.compare(x, everywhere)
			s.compare(everywhere, x)
		}
	}
	var all []Opposition
	for i := range s.workers {
		all = append(all, s.workers[i].found...)
	}
	slices.SortFunc(all, func(a, b Opposition) int {
		return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(a.Second, b.Second))
	})
	return slices.CompactFunc(all, func(a, b Opposition) bool { return a.First == b.First && a.Second == b.Second })
}

// maxPosts limits how many lessons with the same word a lesson is compared with. A
// generated corpus may have two contradictory rules a thousand times each; a person needs
// to see that once.
const maxPosts = 200

// A search looks for contradictions in many lessons. A pair is compared only if one
// lesson has one of the rarest words of the other. It considers enough of these that the
// remaining words could not name the same subject.
type search struct {
	ctx     context.Context
	ls      []lessons.Outline
	words   map[string]int32 // their numbers
	weights []float64        // by word
	workers []worker
}

// A worker is one goroutine of a search.
type worker struct {
	seen          *memory
	query         int32   // the number of the current query
	claims, slots []int32 // by lesson: the last query that met it by a claim, and by a slot
	found         []Opposition
}

// A place holds the lessons of a project, or those for every project, with an inverted
// index of their words.
type place struct {
	lessons  []int32 // by their indexes in the input
	readings []Reading
	queries  []query
	posts    map[int32]*post
}

// A post tells where a word is, in ascending order.
type post struct {
	lessons []int32 // those of a place, by number
	frames  []*frame
}

func (p *post) having() int { return len(p.lessons) + len(p.frames) }

// A query is what a lesson looks for.
type query struct {
	claims  []int32 // words of which every lesson that contradicts its claims has one
	frames  []*frame
	refused []int32 // values, with a "=" in front
}

// A frame is a clause by its word numbers.
type frame struct {
	lesson       int32   // of its place
	asks         []int32 // words of which every clause for the same slot has one
	size         int32   // in words and values
	first, last  int32
	words, gives []int32 // ascending; the values that it gives
	weight       float64
	said         bool // the lesson announces a change
	additive     bool
}

// share runs a function for each number below n, on all workers.
func (s *search) share(n int, do func(w *worker, i int)) {
	const batch = 16
	var next atomic.Int64
	var wg sync.WaitGroup
	for i := range s.workers {
		wg.Go(func() {
			for s.ctx.Err() == nil {
				to := int(next.Add(batch))
				if to-batch >= n {
					return
				}
				for j := to - batch; j < min(to, n); j++ {
					do(&s.workers[i], j)
				}
			}
		})
	}
	wg.Wait()
}

// read reads the lessons of a place.
func (s *search) read(some []int32) *place {
	x := &place{lessons: some, readings: make([]Reading, len(some)), queries: make([]query, len(some)), posts: map[int32]*post{}}
	s.share(len(some), func(w *worker, i int) { x.readings[i] = readOutline(&s.ls[some[i]], w.seen) })
	for i := range some {
		s.post(x, int32(i))
	}
	for i := range x.queries {
		q := &x.queries[i]
		for j := range x.readings[i].claims {
			q.claims = append(q.claims, s.asked(x, &x.readings[i].claims[j])...)
		}
		for _, f := range q.frames {
			f.asks = s.telling(x, f)
		}
	}
	return x
}

// post adds a lesson under the words of its claims, the values that it assigns (with a
// "=" in front), and the words of its clauses.
func (s *search) post(x *place, n int32) {
	at := func(id int32) *post {
		p := x.posts[id]
		if p == nil {
			p = &post{}
			x.posts[id] = p
		}
		return p
	}
	add := func(w string) int32 {
		id := s.number(w)
		if p := at(id); len(p.lessons) == 0 || p.lessons[len(p.lessons)-1] != n {
			p.lessons = append(p.lessons, n)
		}
		return id
	}
	r, q := &x.readings[n], &x.queries[n]
	for i := range r.claims {
		c := &r.claims[i]
		for _, w := range c.what {
			add(w)
		}
		for _, w := range c.when {
			add(w)
		}
		add(c.own)
	}
	for i := range r.clauses {
		c := &r.clauses[i]
		f := &frame{lesson: n, weight: c.weight, said: r.announced, additive: c.additive(known())}
		for _, t := range c.tokens {
			if t.plain() {
				id := s.number("=" + t.content())
				if f.last = id; f.size == 0 {
					f.first = id
				}
				f.size++
			}
		}
		for _, w := range c.frame {
			id := s.number(w)
			p := at(id)
			p.frames, f.words = append(p.frames, f), append(f.words, id)
		}
		for _, v := range c.given {
			f.gives = append(f.gives, add("="+v))
		}
		for _, v := range c.refused {
			q.refused = append(q.refused, s.number("="+v))
		}
		slices.Sort(f.words)
		q.frames = append(q.frames, f)
	}
}

// number returns the number of a word.
func (s *search) number(w string) int32 {
	id, ok := s.words[w]
	if !ok {
		id = int32(len(s.words))
		s.words[w], s.weights = id, append(s.weights, known().weight(w))
	}
	return id
}

// compare compares the lessons of a place with those of a place that its queries find.
func (s *search) compare(x, with *place) {
	s.share(len(x.lessons), func(w *worker, i int) {
		n, q := x.lessons[i], &x.queries[i]
		w.query++
		w.claims[n], w.slots[n] = w.query, w.query // not with itself
		var some []int32                           // lessons of with
		look := func(word int32, met []int32) {
			if p := with.posts[word]; p != nil {
				for _, o := range p.lessons[:min(len(p.lessons), maxPosts)] {
					if at := with.lessons[o]; met[at] != w.query {
						met[at] = w.query
						some = append(some, o)
					}
				}
			}
		}
		judge := func(slots bool) {
			for _, o := range some {
				m := with.lessons[o]
				if !slots && w.slots[m] == w.query || s.ls[n].Content == s.ls[m].Content {
					continue
				}
				a, b := &x.readings[i], &with.readings[o]
				first, second := n, m
				if n > m {
					a, b, first, second = b, a, m, n
				}
				if j := a.against(b, slots); j.Opposed() {
					w.found = append(w.found, Opposition{int(first), int(second), j})
				}
			}
			some = some[:0]
		}
		for _, f := range q.frames {
			for _, word := range f.asks {
				if p := with.posts[word]; p != nil {
					for _, g := range p.frames[:min(len(p.frames), maxPosts)] {
						if at := with.lessons[g.lesson]; w.slots[at] != w.query && s.near(f, g) {
							w.slots[at] = w.query
							some = append(some, g.lesson)
						}
					}
				}
			}
		}
		for _, v := range q.refused {
			look(v, w.slots)
		}
		judge(true)
		for _, word := range q.claims {
			look(word, w.claims)
		}
		judge(false)
	})
}

// asked returns words such that every lesson contradicting a claim has one of them.
func (s *search) asked(x *place, c *claim) (ids []int32) {
	var words []string
	if c.con || c.item {
		words = s.rarest(x, c.what, c.needed())
	}
	if len(c.numbers) > 0 && len(c.settings()) > 0 {
		words = append(words, s.rarest(x, c.besides(), mostOf)...)
	}
	for _, u := range c.uses {
		words = append(words, u.member)
		if g := known().members[u.member].group; g != nil {
			words = append(words, g.stems...)
		}
	}
	for _, w := range words {
		if id, ok := s.words[w]; ok {
			ids = append(ids, id)
		}
	}
	return ids
}

// near reports whether two frames may name one slot: each assigns a value that the other
// does not, or they may differ in one span, and they share enough words.
func (s *search) near(f, g *frame) bool {
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
			shared += s.weights[a[0]]
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

// rarest returns the fewest rare words, one of which every lesson with this share of the
// words has.
func (s *search) rarest(x *place, words []string, share float64) []string {
	having := func(w string) int {
		if p := x.posts[s.number(w)]; p != nil {
			return p.having()
		}
		return 0
	}
	words = distinct(words)
	slices.SortStableFunc(words, func(a, b string) int { return cmp.Compare(having(a), having(b)) })
	return words[:len(words)-int(math.Ceil(share*float64(len(words))))+min(len(words), 1)]
}

// telling returns words such that every clause for the same slot has one of them.
func (s *search) telling(x *place, f *frame) []int32 {
	least := ofBoth
	if f.said {
		least = ofBothSaid
	} else if len(f.words) <= 3 {
		least = leastBoth
	} else if len(f.words) >= 8 { // the clause with fewer words asks
		least = ofSmaller
	}
	words, left := slices.Clone(f.words), f.weight
	slices.SortStableFunc(words, func(a, b int32) int { return cmp.Compare(x.posts[a].having(), x.posts[b].having()) })
	for i, w := range words {
		if left -= s.weights[w]; left < least*f.weight {
			return words[:i+1]
		}
	}
	return words
}

// leastBoth is the share of common words of two short frames that differ in one span
// ([comparison.oneSpan]).
const leastBoth = 0.33
