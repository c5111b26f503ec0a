package pairs

import (
	"cmp"
	"slices"
)

// Slots find lessons of which one may give a slot of the other another value. Only
// clauses are compared of which one has a word that is among the rarest of the other: so
// many that what is left is too little to name the same slot.
type slots struct {
	frames []frame
	of     []int32 // by lesson, and one more: its first frame
	weight []float64
	having []int32         // by word: in how many frames it is
	posts  map[key][]int32 // frames, ascending
	gives  map[key][]int32 // lessons, ascending
	drops  map[int32][]int32
}

// A frame is a clause by the numbers of its words.
type frame struct {
	lesson         int32
	words          []int32 // ascending
	gives          []int32 // values, ascending
	weight         float64
	said, additive bool
	size           int // in words and values
	first, last    int32
}

// slotWords are the clauses of a lesson, with the values that it gives up.
type slotWords struct {
	lesson int32
	frames []slotFrame
	said   bool
	drops  []string
}

type slotFrame struct {
	words, gives []string
	first, last  string
	size         int
	additive     bool
}

func wordsOf(n int32, cs []clause, said bool) slotWords {
	w := slotWords{lesson: n, said: said}
	for i := range cs {
		c := &cs[i]
		f := slotFrame{words: c.frame, gives: distinct(c.given), additive: c.additive(known())}
		if ts := c.plain(); len(ts) > 0 {
			f.first, f.last, f.size = ts[0].content(), ts[len(ts)-1].content(), len(ts)
		}
		w.frames = append(w.frames, f)
		for _, v := range c.given {
			if said && c.leaves(v) {
				w.drops = append(w.drops, v)
			}
		}
		w.drops = append(w.drops, c.refused...)
	}
	return w
}

func newSlots(x *finder) slots {
	s := slots{of: make([]int32, len(x.lessons)+1), posts: map[key][]int32{}, gives: map[key][]int32{}, drops: map[int32][]int32{}}
	k, vocabulary := known(), map[string]int32{}
	number := func(w string) int32 {
		n, ok := vocabulary[w]
		if !ok {
			n = int32(len(vocabulary))
			vocabulary[w], s.weight, s.having = n, append(s.weight, k.weight(w)), append(s.having, 0)
		}
		return n
	}
	for _, p := range x.parts {
		for _, l := range p.slots {
			place := x.places[l.lesson]
			for _, r := range l.frames {
				f := frame{lesson: l.lesson, said: l.said, additive: r.additive, size: r.size, first: number("=" + r.first), last: number("=" + r.last)}
				for _, w := range r.words {
					n := number(w)
					s.having[n]++
					f.words, f.weight = append(f.words, n), f.weight+s.weight[n]
					at := keyOf(place, false, n)
					s.posts[at] = append(s.posts[at], int32(len(s.frames)))
				}
				for _, v := range r.gives {
					n := number("=" + v)
					f.gives = append(f.gives, n)
					at := keyOf(place, false, n)
					s.gives[at] = append(s.gives[at], l.lesson)
				}
				slices.Sort(f.words)
				slices.Sort(f.gives)
				s.frames = append(s.frames, f)
				s.of[l.lesson+1]++
			}
			for _, v := range distinct(l.drops) {
				s.drops[l.lesson] = append(s.drops[l.lesson], number("="+v))
			}
		}
		p.slots = nil
	}
	for i := range x.lessons {
		s.of[i+1] += s.of[i]
	}
	return s
}

// candidates are the lessons that may change one, or that it may change.
func (s *slots) candidates(n int32, places []int32) (out []int32) {
	for _, v := range s.drops[n] {
		for _, at := range places {
			posts := s.gives[keyOf(at, false, v)]
			out = append(out, posts[:min(len(posts), maxPosts)]...)
		}
	}
	for i := s.of[n]; i < s.of[n+1]; i++ {
		f := &s.frames[i]
		for _, w := range s.rarest(f) {
			for _, at := range places {
				posts := s.posts[keyOf(at, false, w)]
				for _, o := range posts[:min(len(posts), maxPosts)] {
					if g := &s.frames[o]; g.lesson != n && s.alike(f, g) {
						out = append(out, g.lesson)
					}
				}
			}
		}
	}
	return distinct(out)
}

// leastBoth is the share of their words that two frames have in common when they differ in
// one span ([comparison.oneSpan]).
const leastBoth = 0.33

// rarest are so many of the words of a frame that another one which names the same slot
// has one of these.
func (s *slots) rarest(f *frame) []int32 {
	ws := slices.Clone(f.words)
	slices.SortStableFunc(ws, func(a, b int32) int { return cmp.Compare(s.having[a], s.having[b]) })
	least := ofBoth
	if f.said {
		least = ofBothSaid
	} else if len(f.words) <= 3 {
		least = leastBoth
	}
	left := f.weight
	for i, w := range ws {
		if left -= s.weight[w]; left < least*f.weight {
			return ws[:i+1]
		}
	}
	return ws
}

// alike reports that the clauses of two frames may name the same slot.
func (s *slots) alike(f, g *frame) bool {
	span := f.size-g.size <= 2 && g.size-f.size <= 2 && (f.first == g.first || f.last == g.last) // as [comparison.oneSpan] asks
	said := f.said || g.said
	additive := !said && (f.additive || g.additive)
	fills := lacks(f.gives, g.gives) && lacks(g.gives, f.gives) && !(additive && f.size-g.size > 3 && g.size-f.size > 3)
	if !span && !fills {
		return false
	}
	a, b, shared := f.words, g.words, 0.0
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] == b[0]:
			shared += s.weight[a[0]]
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
	return both >= ofBoth && small >= ofSmaller && smaller-shared < mostResidue && (both >= sameFrame || !additive)
}

// lacks reports that one of some values is not among others.
func lacks(some, others []int32) bool {
	return slices.ContainsFunc(some, func(v int32) bool { return !slices.Contains(others, v) })
}
