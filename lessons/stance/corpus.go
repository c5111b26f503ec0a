package stance

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"learnings/lessons"
)

// This file finds contradictions in a corpus without comparing all pairs. Only
// lessons with a key in common are compared. Each ground has its own:
//
//   - Polarity: what is for something is kept under all stems of it, and what is
//     against something under the rarest of its stems; for an opposition needs
//     most of those.
//   - Exclusive: the group.
//   - Antonym and Number: the two words or the dimension, with the rarest stems of
//     the rest, of which most must be the same.
//
// Keys are kept by project, as lessons of two projects do not meet.

// A Contrary is a lesson that contradicts another one.
type Contrary struct {
	Lesson        lessons.Lesson
	Contradiction Contradiction // A is the passage of the lesson that was asked about
}

func counts(l lessons.Lesson) bool {
	return l.Status == lessons.Pending || l.Status == lessons.Approved
}

func sortContraries(l lessons.Lesson, out []Contrary) {
	slices.SortStableFunc(out, func(a, b Contrary) int {
		x, _ := Prefer(l, a.Lesson)
		y, _ := Prefer(l, b.Lesson)
		return cmp.Or(compareBool(x, y), cmp.Compare(a.Lesson.ID, b.Lesson.ID))
	})
}

func compareBool(x, y bool) int {
	switch {
	case x == y:
		return 0
	case y:
		return -1
	}
	return 1
}

// Corpus is a corpus in which contradictions can be looked up. Its zero value
// is no corpus: make one with [NewCorpus]. It is safe for use by several
// goroutines.
type Corpus struct {
	stances  []Stance
	frequent map[string]int // in how many claims a stem is
	posts    map[key][]int  // to stances, in order
	all      []string       // places
}

// A key is where lessons that may oppose each other meet.
type key struct {
	place string
	kind  byte // one of the below
	stem  string
}

const (
	keyPro    = 'p'
	keyCon    = 'c'
	keyGroup  = 'g'
	keyWords  = 'w' // two opposite words
	keyNumber = 'n'
)

// maxPosts is how many lessons of one key are compared with one of them. A
// hostile or a generated corpus has one rule a thousand times, in two ways that
// exclude each other; a person needs to see it once.
const maxPosts = 500

// NewCorpus reads a corpus: the pending and approved lessons of it.
func NewCorpus(corpus iter.Seq[lessons.Lesson]) *Corpus {
	x := &Corpus{frequent: map[string]int{}, posts: map[key][]int{}}
	seen := map[string]bool{}
	for l := range corpus {
		if !counts(l) {
			continue
		}
		r := Of(l)
		if len(r.claims) == 0 {
			continue
		}
		x.stances = append(x.stances, r)
		for i := range r.claims {
			for _, w := range r.claims[i].stems {
				x.frequent[w]++
			}
		}
		if at := place(l); !seen[at] {
			seen[at] = true
			x.all = append(x.all, at)
		}
	}
	for i, r := range x.stances {
		at := place(r.lesson)
		for _, k := range x.keys(r) {
			k.place = at
			x.posts[k] = append(x.posts[k], i)
		}
	}
	return x
}

// everyProject is the place of global lessons.
const everyProject = "\x00"

// place is the part of the corpus in which a lesson meets others.
func place(l lessons.Lesson) string {
	if l.Scope.Global {
		return everyProject
	}
	return strings.ToLower(l.Scope.Project) + "\x00"
}

// keys are where a lesson is kept.
func (x *Corpus) keys(r Stance) []key {
	var out []key
	put := func(kind byte, stem string) { out = append(out, key{kind: kind, stem: stem}) }
	for i := range r.claims {
		c := &r.claims[i]
		for g := range c.adopts {
			put(keyGroup, groupKey(g, c.adopts[g].member, c.con))
		}
		if c.con {
			for _, w := range x.rarest(named(c), 0.6) {
				put(keyCon, w)
			}
		} else {
			for _, w := range named(c) {
				put(keyPro, w)
			}
			for _, w := range c.When {
				put(keyPro, w)
			}
		}
		if !c.con {
			for _, w := range slices.Concat(c.stems, c.adverbs, []string{c.own, c.Verb}) {
				for _, o := range lexis.opposite[w] {
					for _, rare := range x.rarest(c.stems, 0.5) {
						put(keyWords, w+" "+o+" "+rare)
					}
				}
			}
		}
		for _, m := range c.measures {
			for _, w := range x.rarest(noNumbers(slices.Concat(c.Subject, c.stems, c.When, c.For)), 0.6) {
				put(keyNumber, m.dimension+" "+w)
			}
		}
	}
	return unique(out)
}

// sought are where the opponents of a lesson are kept: never where lessons that say
// the same are, of which there may be many.
func (x *Corpus) sought(r Stance) []key {
	var out []key
	for _, k := range x.keys(r) {
		switch k.kind {
		case keyPro:
			k.kind = keyCon
		case keyCon:
			k.kind = keyPro
		case keyWords:
			w, rest, _ := strings.Cut(k.stem, " ")
			o, rare, _ := strings.Cut(rest, " ")
			k.stem = o + " " + w + " " + rare
		case keyGroup:
			continue
		}
		out = append(out, k)
	}
	for i := range r.claims {
		c := &r.claims[i]
		for g, a := range c.adopts {
			out = append(out, key{kind: keyGroup, stem: groupKey(g, a.member, !c.con)})
			for w := range strings.FieldsSeq(groups[g-1].members) {
				if m := lexis.stem(w); m != a.member && !c.con {
					out = append(out, key{kind: keyGroup, stem: groupKey(g, m, false)})
				}
			}
		}
	}
	return unique(out)
}

func groupKey(g int, member string, con bool) string {
	return strconv.Itoa(g) + " " + member + " " + strconv.FormatBool(con)
}

// named are the stems of a claim, or its verb where it has no others.
func named(c *signed) []string {
	if len(c.stems) == 0 {
		return []string{c.own}
	}
	return c.stems
}

// rarest are so many of the stems that whoever shares a part of them, from 0 to 1,
// shares one of these. One more is added, for a word that may be the opposite one.
func (x *Corpus) rarest(stems []string, part float64) []string {
	ws := slices.Clone(stems)
	slices.SortFunc(ws, func(a, b string) int {
		return cmp.Or(cmp.Compare(x.frequent[a], x.frequent[b]), cmp.Compare(a, b))
	})
	ws = slices.Compact(ws)
	return ws[:min(len(ws), len(ws)-int(math.Ceil(part*float64(len(ws))))+2)]
}

func unique(keys []key) []key {
	slices.SortFunc(keys, func(a, b key) int { return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.stem, b.stem)) })
	return slices.Compact(keys)
}

// Of gives the lessons that contradict one, those that [Prefer] proposes to keep over it first. The lesson
// itself need not be in the corpus, and is left out where it is.
func (x *Corpus) Of(l lessons.Lesson) []Contrary {
	r := Of(l)
	var out []Contrary
	for _, i := range x.candidates(r, -1) {
		if c, ok := r.Contradicts(x.stances[i]); ok {
			out = append(out, Contrary{x.stances[i].lesson, c})
		}
	}
	sortContraries(l, out)
	return out
}

// candidates are the stances behind after that share a key and a place.
func (x *Corpus) candidates(r Stance, after int) []int {
	var out []int
	places := x.places(r.lesson)
	for _, k := range x.sought(r) {
		for _, k.place = range places {
			posts := x.posts[k]
			from, _ := slices.BinarySearch(posts, after+1)
			out = append(out, posts[from:min(len(posts), from+maxPosts)]...)
		}
	}
	slices.Sort(out)
	out = slices.Compact(out)
	return slices.DeleteFunc(out, func(i int) bool {
		o := &x.stances[i].lesson
		return o.Content == r.lesson.Content || !meet(r.lesson, *o)
	})
}

// places are the parts of the corpus where a lesson meets others: its own and
// the global one; for a global lesson, all.
func (x *Corpus) places(l lessons.Lesson) []string {
	if !l.Scope.Global {
		return []string{place(l), everyProject}
	}
	return x.all
}

// A Pair is two lessons that contradict each other. Keep is the one that the
// order of [Prefer] proposes to keep.
type Pair struct {
	Keep, Lose    lessons.Lesson
	Contradiction Contradiction // A is of Keep
	Order         string        // why Keep
}

// Pairs are all contradictions of the corpus, each once, in the order of the
// corpus.
func (x *Corpus) Pairs() iter.Seq[Pair] {
	return func(yield func(Pair) bool) {
		for i, r := range x.stances {
			for _, j := range x.candidates(r, i) {
				c, ok := r.Contradicts(x.stances[j])
				if !ok {
					continue
				}
				p := Pair{Keep: r.lesson, Lose: x.stances[j].lesson, Contradiction: c}
				var first bool
				if first, p.Order = Prefer(p.Keep, p.Lose); !first {
					p.Keep, p.Lose = p.Lose, p.Keep
					p.Contradiction.A, p.Contradiction.B = c.B, c.A
				}
				if !yield(p) {
					return
				}
			}
		}
	}
}
