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
	Judgement         // A is of Keep
}

// An Opposition is two lessons that contradict each other, by their places among
// those that were given; A is the passage of the first of them.
type Opposition struct {
	First, Second int
	Judgement
}

// Pair is the opposition of two lessons, which are given whole and in its order.
func (o Opposition) Pair(a, b lessons.Lesson) Pair {
	j := o.Judgement
	first, why := Prefer(a, b)
	if !first {
		a, b, j.A, j.B = b, a, j.B, j.A
	}
	return Pair{Keep: a, Lose: b, Order: why, Judgement: j}
}

// Oppositions finds the contradictions among those of some lessons that are pending or
// approved, each once, in their order. Of more than 200 lessons that contradict one
// with the same words, it gives 200. It works on all cores, and finds no more when ctx
// ends.
func Oppositions(ctx context.Context, ls []lessons.Outline) []Opposition {
	x := newFinder(ctx, ls)
	found := make([][]Opposition, len(x.parts))
	var next atomic.Int64
	var wg sync.WaitGroup
	for i, p := range x.parts {
		wg.Go(func() {
			r := &rereader{x, p.seen, p.pieces, map[int32]Reading{}, map[int32]Reading{}, max(mostRead/len(x.parts), leastRead)}
			for ctx.Err() == nil {
				to := int(next.Add(block))
				from := min(to-block, len(x.asks))
				if from == len(x.asks) {
					return
				}
				for _, n := range x.asks[from:min(to, len(x.asks))] {
					found[i] = r.opposed(n, found[i])
				}
			}
		})
	}
	wg.Wait()
	all := slices.Concat(found...)
	order := func(a, b Opposition) int {
		return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(a.Second, b.Second))
	}
	valued := func(o Opposition) int { return strings.Compare(string(o.Ground), string(Value)) } // the others say more
	slices.SortFunc(all, func(a, b Opposition) int { return cmp.Or(order(a, b), valued(a)-valued(b)) })
	return slices.CompactFunc(all, func(a, b Opposition) bool { return order(a, b) == 0 })
}

const (
	// maxPosts is how many lessons with one key are compared with a lesson. A
	// generated corpus has one rule a thousand times, in two ways that exclude each
	// other; a person needs to see it once.
	maxPosts  = 200
	leastRead = 1_000
	// block is of how many lessons a core looks for what contradicts them before it
	// takes the next ones.
	block = 64
)

// A finder finds lessons that may contradict each other. Only lessons with a key in
// common are compared: a word among the rarest of those that the other must have to
// contradict it; see [link].
type finder struct {
	lessons  []lessons.Outline
	places   []int32 // by lesson: the place in which it meets others; 0 meets all
	most     int32   // the last place
	parts    []*part
	asks     []int32 // the lessons that can contradict others, one place after the other
	claiming []bool  // by lesson: it has claims that can contradict others
	slots    slots
}

// A part is what a finder knows of lessons that follow each other.
type part struct {
	seen     map[string]word // that were read
	pieces   pieces
	slots    []slotWords // of its lessons
	words    map[string]int32
	frequent []int32 // by word: in how many claims it is
	posts    map[key][]int32
	asks     []int32
	buf      []byte
	tokens   []int32
}

// A key is a word of the claims for or against something in one place: lessons of
// two projects do not meet. Its lessons are ascending.
type key uint64

func keyOf(place int32, con bool, word int32) key {
	k := key(place)<<32 | key(word)<<1
	if con {
		k |= 1
	}
	return k
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

// asks reports that a claim has links.
func (c claim) asks() bool {
	return c.con || c.item || len(c.uses) > 0 || len(c.settings()) > 0
}

func newFinder(ctx context.Context, ls []lessons.Outline) *finder {
	x := &finder{lessons: ls, places: make([]int32, len(ls)), claiming: make([]bool, len(ls))}
	places := map[string]int32{"": 0}
	for i := range ls {
		at := place(ls[i].Scope)
		n, ok := places[at]
		if !ok {
			x.most++
			n = x.most
			places[at] = n
		}
		x.places[i] = n
	}
	workers := runtime.GOMAXPROCS(0)
	var wg sync.WaitGroup
	for w := range workers {
		p := &part{seen: map[string]word{}, pieces: pieces{}, words: map[string]int32{}, posts: map[key][]int32{}}
		x.parts = append(x.parts, p)
		wg.Go(func() {
			for i := len(ls) * w / workers; i < len(ls)*(w+1)/workers && ctx.Err() == nil; i++ {
				if l := &ls[i]; l.Status == lessons.Pending || l.Status == lessons.Approved {
					claims := read(l.Content, p.seen)
					x.claiming[i] = slices.ContainsFunc(claims, claim.asks)
					p.take(int32(i), x.places[i], claims)
					cs, said := clauses(l.Content, p.pieces)
					p.slots = append(p.slots, wordsOf(int32(i), cs, said))
				}
			}
		})
	}
	wg.Wait()
	for _, p := range x.parts {
		x.asks = append(x.asks, p.asks...)
	}
	x.slots = newSlots(x)
	slices.SortStableFunc(x.asks, func(a, b int32) int { return cmp.Compare(x.places[a], x.places[b]) })
	return x
}

// take takes a lesson in.
func (p *part) take(n, place int32, claims []claim) {
	for i := range claims {
		c := &claims[i]
		p.tokens = p.tokens[:0]
		for _, w := range c.what {
			p.token("", w)
		}
		for _, w := range c.when {
			p.token("", w)
		}
		p.token("", c.own)
		p.token("=", c.verb)
		slices.Sort(p.tokens)
		for _, t := range slices.Compact(p.tokens) {
			p.frequent[t]++
			k := keyOf(place, c.con, t)
			if all := p.posts[k]; len(all) == 0 || all[len(all)-1] != n {
				p.posts[k] = append(all, n)
			}
		}
	}
	p.asks = append(p.asks, n)
}

// token adds a word, behind a sign, to the tokens.
func (p *part) token(sign, w string) {
	p.buf = append(append(p.buf[:0], sign...), w...)
	t, ok := p.words[string(p.buf)]
	if !ok {
		t = int32(len(p.words))
		p.words[string(p.buf)] = t
		p.frequent = append(p.frequent, 0)
	}
	p.tokens = append(p.tokens, t)
}

// place is the part of a corpus in which a lesson meets others; "" meets all.
func place(s lessons.Scope) string {
	if s.Global {
		return ""
	}
	return strings.ToLower(s.Project) + "\x00"
}

// A rereader reads lessons of a finder again.
type rereader struct {
	*finder
	seen            map[string]word
	pieces          pieces
	claims, clauses map[int32]Reading // with one of the two only
	most            int               // of each
}

func (x *rereader) stance(from map[int32]Reading, n int32, read func(*lessons.Outline) Reading) Reading {
	s, ok := from[n]
	if !ok {
		if len(from) == x.most {
			clear(from)
		}
		s = read(&x.lessons[n])
		from[n] = s
	}
	return s
}

func (x *rereader) claimsOf(n int32) Reading {
	return x.stance(x.claims, n, func(l *lessons.Outline) Reading { return Reading{lesson: l, claims: read(l.Content, x.seen)} })
}

func (x *rereader) clausesOf(n int32) Reading {
	return x.stance(x.clauses, n, func(l *lessons.Outline) Reading {
		s := Reading{lesson: l}
		s.clauses, s.announced = clauses(l.Content, x.pieces)
		return s
	})
}

// opposed appends the contradictions of a lesson.
func (x *rereader) opposed(n int32, out []Opposition) []Opposition {
	compare := func(with []int32, reading func(int32) Reading) {
		for _, o := range with {
			a, b := min(n, o), max(n, o)
			if x.lessons[a].Content == x.lessons[b].Content || !meet(&x.lessons[a], &x.lessons[b]) {
				continue
			}
			if c := reading(a).Against(reading(b)); c.Opposed() {
				out = append(out, Opposition{int(a), int(b), c})
			}
		}
	}
	places := x.meeting(n)
	if x.claiming[n] {
		compare(x.candidates(places, x.claimsOf(n).claims), x.claimsOf)
	}
	compare(x.slots.candidates(n, places), x.clausesOf)
	return out
}

// meeting are the places in which a lesson meets others.
func (x *finder) meeting(n int32) []int32 {
	places := []int32{0}
	if at := x.places[n]; at != 0 {
		return append(places, at)
	}
	for at := range x.most {
		places = append(places, at+1)
	}
	return places
}

// candidates are the lessons that have what the claims of a lesson ask for.
func (x *finder) candidates(places []int32, claims []claim) (found []int32) {
	for i := range claims {
		for _, l := range claims[i].links() {
			for _, w := range x.rarest(l) {
				for _, at := range places {
					found = x.fitting(at, w, l, found)
				}
			}
		}
	}
	return distinct(found)
}

// rarest are so many of the words of a link that a lesson which has its share of
// them has one of these.
func (x *finder) rarest(l link) []string {
	ws := distinct(l.words)
	frequent := make(map[string]int32, len(ws))
	for _, w := range ws {
		for _, p := range x.parts {
			if t, ok := p.words[w]; ok {
				frequent[w] += p.frequent[t]
			}
		}
	}
	slices.SortStableFunc(ws, func(a, b string) int { return cmp.Compare(frequent[a], frequent[b]) })
	return ws[:min(len(ws), len(ws)-int(math.Ceil(l.share*float64(len(ws))))+1)]
}

// fitting appends the first lessons of a place with a word that have the other words
// that a link asks for too.
func (x *finder) fitting(place int32, w string, l link, out []int32) []int32 {
	left := maxPosts
	for _, p := range x.parts {
		posts := p.with(place, l.con, w)
		if posts = posts[:min(len(posts), left)]; len(posts) == 0 {
			continue
		}
		left -= len(posts)
		words, any := make([][]int32, len(l.words)), make([][]int32, len(l.any))
		for i, w := range l.words {
			words[i] = p.with(place, l.con, w)
		}
		for i, w := range l.any {
			any[i] = p.with(place, l.con, w)
		}
		lacks := int((1 - l.share) * float64(len(l.words)))
		for _, o := range posts {
			if (len(any) == 0 || count(any, o) > 0) && len(words)-count(words, o) <= lacks {
				out = append(out, o)
			}
		}
	}
	return out
}

// with are the lessons of a place with a word.
func (p *part) with(place int32, con bool, w string) []int32 {
	t, ok := p.words[w]
	if !ok {
		return nil
	}
	return p.posts[keyOf(place, con, t)]
}

// count is how many of some lists have a lesson.
func count(lists [][]int32, n int32) (has int) {
	for _, list := range lists {
		if _, ok := slices.BinarySearch(list, n); ok {
			has++
		}
	}
	return has
}
