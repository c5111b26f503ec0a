package stance

import (
	"cmp"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	"learnings/lessons"
)

// A Pair is two lessons that contradict each other. Keep is the one that [Prefer]
// proposes to keep.
type Pair struct {
	Keep, Lose    lessons.Lesson
	Order         string // why Keep
	Contradiction        // A is of Keep
}

// Pairs finds the contradictions among those of some lessons that are pending or
// approved, each once, in their order. All are found before the first is given. Of
// more than 200 lessons that contradict one with the same words, it gives 200.
func Pairs(ls []lessons.Lesson) iter.Seq[Pair] {
	return func(yield func(Pair) bool) {
		x := newFinder(ls)
		found := map[[2]int32]Contradiction{}
		for _, n := range x.asks {
			for _, o := range x.candidates(n) {
				pair := [2]int32{min(n, o), max(n, o)}
				if c, ok := x.stance(pair[0]).Contradicts(x.stance(pair[1])); ok {
					found[pair] = c
				}
			}
		}
		order := func(a, b [2]int32) int { return slices.Compare(a[:], b[:]) }
		for _, pair := range slices.SortedFunc(maps.Keys(found), order) {
			if !yield(pairOf(ls[pair[0]], ls[pair[1]], found[pair])) {
				return
			}
		}
	}
}

func pairOf(a, b lessons.Lesson, c Contradiction) Pair {
	first, why := Prefer(a, b)
	if !first {
		a, b, c.A, c.B = b, a, c.B, c.A
	}
	return Pair{Keep: a, Lose: b, Order: why, Contradiction: c}
}

// Whole is the pair of the same lessons, given in the order of [Pairs], of which Pairs
// was given no more than ID, status, content, scope and what they hold with.
func (p Pair) Whole(a, b lessons.Lesson) Pair {
	if a.ID != p.Keep.ID {
		p.Contradiction.A, p.Contradiction.B = p.Contradiction.B, p.Contradiction.A
	}
	return pairOf(a, b, p.Contradiction)
}

const (
	// maxPosts is how many lessons with one key are compared with a lesson. A
	// generated corpus has one rule a thousand times, in two ways that exclude each
	// other; a person needs to see it once.
	maxPosts = 200
	// mostRead is how many lessons a finder remembers. Reading one takes some 10 µs.
	mostRead = 10_000
)

// A finder finds lessons that may contradict each other. Only lessons with a key in
// common are compared: a word among the rarest of those that the other must have to
// contradict it; see [link].
type finder struct {
	lessons  []lessons.Lesson
	words    map[string]word // that were read
	stances  map[int32]Stance
	places   map[string]bool  // that there are
	frequent map[string]int32 // in how many claims a word is
	posts    map[key][]int32  // lessons, ascending
	asks     []int32          // the lessons of which some claim has links
}

// A key is a word of the claims for or against something in one place: lessons of
// two projects do not meet.
type key struct {
	place string
	con   bool
	word  string
}

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
	if len(c.settings()) > 0 {
		out = append(out, link{c.con, c.besides(), mostOf, []string{"=" + c.verb}})
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
	return distinct(append(c.whole(), c.own, "="+c.verb))
}

func newFinder(ls []lessons.Lesson) *finder {
	x := &finder{
		lessons: ls, words: map[string]word{}, stances: map[int32]Stance{},
		places: map[string]bool{"": true}, frequent: map[string]int32{}, posts: map[key][]int32{},
	}
	for i, l := range ls {
		if l.Status != lessons.Pending && l.Status != lessons.Approved {
			continue
		}
		n, place, asks := int32(i), place(l.Scope), false
		x.places[place] = true
		for _, c := range x.stance(n).claims {
			asks = asks || len(c.links()) > 0
			for _, w := range c.words() {
				x.frequent[w]++
				k := key{place, c.con, w}
				if all := x.posts[k]; len(all) == 0 || all[len(all)-1] != n {
					x.posts[k] = append(all, n)
				}
			}
		}
		if asks {
			x.asks = append(x.asks, n)
		}
	}
	return x
}

func (x *finder) stance(n int32) Stance {
	s, ok := x.stances[n]
	if !ok {
		if len(x.stances) == mostRead {
			clear(x.stances)
		}
		s = Stance{&x.lessons[n], read(x.lessons[n].Content, x.words)}
		x.stances[n] = s
	}
	return s
}

// place is the part of a corpus in which a lesson meets others; "" meets all.
func place(s lessons.Scope) string {
	if s.Global {
		return ""
	}
	return strings.ToLower(s.Project) + "\x00"
}

// candidates are the lessons that have what a lesson's claims ask for.
func (x *finder) candidates(n int32) (found []int32) {
	l := x.lessons[n]
	places := []string{"", place(l.Scope)}
	if l.Scope.Global {
		places = slices.Collect(maps.Keys(x.places))
	}
	for _, c := range x.stance(n).claims {
		for _, link := range c.links() {
			for _, w := range x.rarest(link) {
				for _, place := range distinct(places) {
					posts := x.posts[key{place, link.con, w}]
					for _, o := range posts[:min(len(posts), maxPosts)] {
						if x.fits(o, place, link) {
							found = append(found, o)
						}
					}
				}
			}
		}
	}
	return slices.DeleteFunc(distinct(found), func(o int32) bool {
		return x.lessons[o].Content == l.Content || !meet(&l, &x.lessons[o])
	})
}

// rarest are so many of the words of a link that a lesson which has its share of
// them has one of these.
func (x *finder) rarest(l link) []string {
	ws := distinct(l.words)
	slices.SortStableFunc(ws, func(a, b string) int { return cmp.Compare(x.frequent[a], x.frequent[b]) })
	return ws[:min(len(ws), len(ws)-int(math.Ceil(l.share*float64(len(ws))))+1)]
}

// fits reports that a lesson has the words that a link asks for.
func (x *finder) fits(n int32, place string, l link) bool {
	has := func(w string) bool {
		_, ok := slices.BinarySearch(x.posts[key{place, l.con, w}], n)
		return ok
	}
	if len(l.any) > 0 && !slices.ContainsFunc(l.any, has) {
		return false
	}
	lacks := 0
	for _, w := range l.words {
		if !has(w) {
			lacks++
		}
	}
	return lacks <= int((1-l.share)*float64(len(l.words)))
}
