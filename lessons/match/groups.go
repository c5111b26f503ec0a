package match

import (
	"cmp"
	"iter"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"learnings/lessons"
)

// A Group is lessons that are all duplicates of its first one.
type Group struct {
	IDs        []lessons.ID // the one that should live on is first
	Similarity float64      // of the least alike to the first
}

// Groups returns the groups of two or more duplicates. Any two lessons that are
// duplicates under the rule are together in at least one group.
//
// Every member is a duplicate of the first by the rule itself: if a is like b and b
// like c, that does not put c with a, or texts would be chained together that have
// nothing in common. So a lesson can be in several groups. The first of a group is the
// one that would survive a merge ([lessons.Survivor]: approved, then older), for
// [ByContainment] the oldest. The groups do not depend on the order of the lessons.
//
// In a first round each lesson that is in no group yet, the best first, takes all that
// are like it. That leaves pairs whose better lesson was taken by a third one that the
// other is not like; in a second round such a lesson leads a group of its own. Lessons
// that are together already are not looked up again, so that thousands made from one
// template cost time by their number and not by that of their pairs.
func (c *Corpus) Groups() iter.Seq[Group] {
	return func(yield func(Group) bool) {
		g := c.newGrouping()
		for s, hits := range g.ahead() {
			if len(hits) == 0 && len(g.text(s).of) < 2 {
				continue
			}
			if !yield(g.group(s, hits)) {
				return
			}
		}
		for _, members := range g.taken {
			g.finder.hide(members)
			for _, s := range members {
				apart := slices.ContainsFunc(g.after(s, len(members) >= manyTaken), func(f found) bool { return !g.together(s, f.set) })
				if apart && !yield(g.group(s, g.after(s, false))) {
					return
				}
			}
		}
	}
}

// ahead gives the sets that are in no group when it comes to them, the best first, and
// for each what is like it and comes after it. It finds that on all cores, for the next
// few hundred sets at a time: most of them are not taken until it comes to them.
func (g *grouping) ahead() iter.Seq2[int32, []found] {
	const block = 512
	return func(yield func(int32, []found) bool) {
		finders := []*finder{g.finder}
		for len(finders) < runtime.GOMAXPROCS(0) {
			finders = append(finders, g.finder.another())
		}
		var hits [block][]found
		for order := g.order; len(order) > 0; order = order[min(block, len(order)):] {
			part := order[:min(block, len(order))]
			var next atomic.Int32
			var wg sync.WaitGroup
			for _, f := range finders {
				wg.Go(func() {
					for i := int(next.Add(1)) - 1; i < len(part); i = int(next.Add(1)) - 1 {
						if hits[i] = hits[i][:0]; len(g.in[part[i]]) == 0 {
							hits[i] = g.afterBy(f, part[i], hits[i])
						}
					}
				})
			}
			wg.Wait()
			for i, s := range part {
				if len(g.in[s]) == 0 && !yield(s, hits[i]) {
					return
				}
			}
		}
	}
}

// manyTaken is from how many members on it pays to hide a group from its own
// members.
const manyTaken = 8

// A grouping is the state while groups are made. Its sets are the texts of the
// corpus in ascending order of size.
type grouping struct {
	corpus *Corpus
	finder *finder
	texts  []int32   // by set: which text it is
	order  []int32   // the sets, the best first
	place  []int32   // by set: where in that order it stands
	in     [][]int32 // by set: the groups it stands in, ascending
	taken  [][]int32 // by group of the first round: the sets that it took, the best first
	groups int32
	hits   []found
}

func (c *Corpus) newGrouping() *grouping {
	m := c.rule.measure()
	if m.kind == containmentMeasure {
		m.kind = coverMeasure // the older one asks
	}
	n := len(c.texts)
	g := &grouping{corpus: c, finder: newFinder(m), texts: make([]int32, n), place: make([]int32, n), in: make([][]int32, n)}
	for i := range g.texts {
		g.texts[i] = int32(i)
	}
	slices.SortStableFunc(g.texts, func(a, b int32) int { return cmp.Compare(len(c.texts[a].tokens), len(c.texts[b].tokens)) })
	best := make([]member, n)
	for s := range g.texts {
		t := g.text(int32(s))
		g.finder.add(t.tokens)
		g.order = append(g.order, int32(s))
		best[s] = slices.MinFunc(c.membersOf(t), c.before)
	}
	slices.SortFunc(g.order, func(a, b int32) int { return c.before(best[a], best[b]) })
	for i, s := range g.order {
		g.place[s] = int32(i)
	}
	return g
}

func (g *grouping) text(s int32) text { return g.corpus.texts[g.texts[s]] }

// after returns the sets that are like s and come after it in the order. They are
// valid until the next call.
func (g *grouping) after(s int32, hiding bool) []found {
	g.finder.hiding = hiding
	g.hits = g.afterBy(g.finder, s, g.hits[:0])
	return g.hits
}

// afterBy appends what after gives, found by a finder.
func (g *grouping) afterBy(f *finder, s int32, out []found) []found {
	f.skip = func(other int32) bool { return g.place[other] <= g.place[s] }
	return f.find(g.text(s).tokens, out)
}

// together reports whether two sets are in one group.
func (g *grouping) together(a, b int32) bool {
	x, y := g.in[a], g.in[b]
	for len(x) > 0 && len(y) > 0 {
		switch {
		case x[0] == y[0]:
			return true
		case x[0] < y[0]:
			x = x[1:]
		default:
			y = y[1:]
		}
	}
	return false
}

// group makes a group of a set and those that are like it.
func (g *grouping) group(s int32, hits []found) Group {
	out := Group{Similarity: 1}
	members := g.corpus.membersOf(g.text(s))
	var taken []int32
	first := len(g.in[s]) == 0
	for _, h := range hits {
		members = append(members, g.corpus.membersOf(g.text(h.set))...)
		out.Similarity = min(out.Similarity, h.value)
		if len(g.in[h.set]) == 0 {
			taken = append(taken, h.set)
		}
		g.in[h.set] = append(g.in[h.set], g.groups)
	}
	g.in[s] = append(g.in[s], g.groups)
	g.groups++
	if first {
		slices.SortFunc(taken, func(a, b int32) int { return cmp.Compare(g.place[a], g.place[b]) })
		g.taken = append(g.taken, taken)
	}
	slices.SortFunc(members, g.corpus.before)
	for _, m := range members {
		out.IDs = append(out.IDs, m.id)
	}
	return out
}
