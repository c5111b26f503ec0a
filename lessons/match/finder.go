package match

import (
	"math/bits"
	"sort"
)

// A finder finds the sets that are like a given one, with an inverted index. Two
// sets that share as many tokens as the measure requires have one in common among
// the rarest few of each, so only those are looked up (the prefix filter of
// AllPairs). The positions of the shared tokens bound how many more there can be
// (the position filter of PPJoin: Xiao, Wang, Lin and Yu, WWW 2008); the sets that
// remain are compared exactly. Mann, Augsten and Bouros (PVLDB 2016) find that further
// filters that look at the sets cost more than they save.
//
// Sets can be added at any time. Tokens below 0 are words that came after the first
// sets were counted; they are taken to be rarer than all others.
type finder struct {
	measure
	sets   [][]int32
	sizes  []int32     // of the sets, close together for the processor's cache
	marks  []uint64    // by set: a bit for each token, some of which share one
	sorted bool        // by size, ascending
	old    [][]posting // by token from 0
	young  [][]posting // by -1-token
	needs  []int       // for a Jaccard: what the asking set needs, by the size of the other
	short  []int32     // by size, how many first tokens suffice to find sets as large or larger
	tally  tally

	skip   func(set int32) bool // excludes sets; nil excludes none
	hiding bool
	hidden map[int32]bool      // sets that are not found while hiding
	shown  map[int32][]posting // by token, what is left without them
}

// A posting is a place of a token: which set, and at which position in it.
type posting struct{ set, pos int32 }

// A found set is like the one that asked.
type found struct {
	set   int32
	value float64 // of the measure
}

func newFinder(m measure) *finder { return &finder{measure: m, sorted: true} }

// another finds the same sets, and can be asked while others are. Nothing may be added
// to either any more.
func (f *finder) another() *finder {
	o := *f
	o.needs, o.tally = nil, tally{hits: make([]int32, len(f.sets))}
	return &o
}

// add adds a set. Sets are numbered from 0 in the order in which they are added.
func (f *finder) add(s []int32) {
	i := int32(len(f.sets))
	f.sorted = f.sorted && (i == 0 || f.sizes[i-1] <= int32(len(s)))
	f.sets, f.sizes, f.tally.hits = append(f.sets, s), append(f.sizes, int32(len(s))), append(f.tally.hits, 0)
	f.marks = append(f.marks, marksOf(s))
	for n := len(f.short); n <= len(s); n++ {
		f.short = append(f.short, int32(f.prefix(n)))
	}
	for pos, t := range s[:f.indexed(len(s))] {
		list := f.list(t)
		*list = append(*list, posting{i, int32(pos)})
	}
}

func (f *finder) list(t int32) *[]posting {
	lists, i := &f.old, int(t)
	if t < 0 {
		lists, i = &f.young, -1-int(t)
	}
	for len(*lists) <= i {
		*lists = append(*lists, nil)
	}
	return &(*lists)[i]
}

// prefix is how many of its first tokens a set of n needs to meet another one,
// when that is as large or larger. The larger one needs more of its own.
func (f *finder) prefix(n int) int { return max(n-f.need(n, n)+1, 0) }

// indexed is how many of the first tokens of a set of n can be looked up by
// other sets, smaller and larger.
func (f *finder) indexed(n int) int {
	switch f.kind {
	case jaccardMeasure:
		return max(n-f.least(n)+1, 0)
	case coverMeasure:
		return f.prefix(n)
	}
	return max(n-max(min(f.shared, n), 1)+1, 0)
}

// hide says which sets are not found while f is hiding. They then cost nothing,
// however many of them share their tokens.
func (f *finder) hide(sets []int32) {
	f.hidden, f.shown = make(map[int32]bool, len(sets)), map[int32][]posting{}
	for _, s := range sets {
		f.hidden[s] = true
	}
}

// postings are the places of a token.
func (f *finder) postings(t int32) []posting {
	lists, i := f.old, int(t)
	if t < 0 {
		lists, i = f.young, -1-int(t)
	}
	if i >= len(lists) {
		return nil // and finders that are asked at the same time write nothing
	}
	all := lists[i]
	if !f.hiding {
		return all
	}
	shown, ok := f.shown[t]
	if !ok {
		for _, p := range all {
			if !f.hidden[p.set] {
				shown = append(shown, p)
			}
		}
		f.shown[t] = shown
	}
	return shown
}

// marksOf returns a bit for each token. A bit that only one of two sets has is a
// token that they do not share, which bounds how many they do share without comparing
// them (the bitmap filter of Sandes, Teodoro and Melo, 2020).
func marksOf(s []int32) (marks uint64) {
	for _, t := range s {
		marks |= 1 << (uint32(t) % 64)
	}
	return marks
}

// find appends the sets that are like s, itself among them if it was added. For
// a containment s is the newer set, and the older one for a cover.
func (f *finder) find(s []int32, out []found) []found {
	least, most := f.within(len(s))
	if f.kind == jaccardMeasure {
		f.needs = f.needs[:0]
		for n := least; n <= most; n++ {
			f.needs = append(f.needs, f.need(len(s), n))
		}
	}
	prefix, either := f.prefix(len(s)), f.kind == jaccardMeasure || f.kind == overlapMeasure
	first := int32(0)
	if f.sorted {
		first = int32(sort.Search(len(f.sizes), func(i int) bool { return int(f.sizes[i]) >= least }))
	}
	for pos, t := range s[:max(len(s)-f.least(len(s))+1, 0)] {
		list := f.postings(t)
		if first > 0 {
			list = list[sort.Search(len(list), func(i int) bool { return list[i].set >= first }):]
		}
		for _, p := range list {
			size := int(f.sizes[p.set])
			if size > most && f.sorted {
				break
			}
			if size < least || size > most {
				continue
			}
			if either && size >= len(s) && pos >= prefix {
				if f.sorted {
					break
				}
				continue
			}
			if either && size < len(s) && p.pos >= f.short[size] {
				continue
			}
			need := 0
			if f.kind == jaccardMeasure {
				need = f.needs[size-least]
			} else {
				need = f.need(len(s), size)
			}
			f.tally.count(p, need, len(s)-pos, size)
		}
	}
	marks := marksOf(s)
	for _, y := range f.tally.seen {
		if f.tally.hits[y] < 0 || f.skip != nil && f.skip(y) {
			continue
		}
		size := int(f.sizes[y])
		if most := (len(s) + size - bits.OnesCount64(marks^f.marks[y])) / 2; most < f.need(len(s), size) {
			continue
		}
		if v, ok := f.verify(s, f.sets[y]); ok {
			out = append(out, found{y, v})
		}
	}
	f.tally.reset()
	return out
}

// A tally counts the tokens that one set shares with each other set.
type tally struct {
	hits []int32 // by set; dropped, or more, is out
	seen []int32 // sets with hits other than 0
}

const dropped = -1 << 30

func (t *tally) reset() {
	for _, y := range t.seen {
		t.hits[y] = 0
	}
	t.seen = t.seen[:0]
}

// count counts one shared token: rest is how many tokens the asking set has from
// there on, and size how many the other has in all.
func (t *tally) count(p posting, need, rest, size int) {
	h := t.hits[p.set]
	if h < 0 {
		return
	}
	if h == 0 {
		t.seen = append(t.seen, p.set)
	}
	if int(h)+min(rest, size-int(p.pos)) < need {
		t.hits[p.set] = dropped
		return
	}
	t.hits[p.set]++
}
