package pairs

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"

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
	s := search{ctx: ctx, ls: ls, workers: make([]worker, min(runtime.GOMAXPROCS(0), runtime.NumCPU()))}
	for i := range s.workers {
		s.workers[i] = worker{met: make([]int32, len(ls))}
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
	workers []worker
}

// A worker is one goroutine of a search.
type worker struct {
	seen  *memory
	query int32   // the number of the current query
	met   []int32 // by lesson: the last query that met it
	found []Opposition
}

// A place holds the lessons of a project, or those for every project, with an inverted
// index of their words.
type place struct {
	lessons  []int32 // by their indexes in the input
	readings []Reading
	posts    index // of words of claims
	slots    index // of words of clauses that give a value
}

// An index has the lessons of a place that have a word, ascending.
type index map[string][]int32

// add adds a lesson.
func (x index) add(lesson int32, words ...string) {
	for _, w := range words {
		if p := x[w]; len(p) == 0 || p[len(p)-1] != lesson {
			x[w] = append(p, lesson)
		}
	}
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
	x := &place{lessons: some, readings: make([]Reading, len(some)), posts: index{}, slots: index{}}
	for i := range s.workers {
		s.workers[i].seen = newMemory()
	}
	s.share(len(some), func(w *worker, i int) { x.readings[i] = readOutline(&s.ls[some[i]], w.seen) })
	for i := range x.readings {
		for _, c := range x.readings[i].claims {
			x.posts.add(int32(i), c.what...)
			x.posts.add(int32(i), c.when...)
			x.posts.add(int32(i), c.own)
		}
		for _, c := range x.readings[i].clauses {
			if len(c.given) > 0 {
				x.slots.add(int32(i), c.frame...)
			}
		}
	}
	return x
}

// asks returns words such that every lesson that contradicts the one at i has one of them,
// or asks for a word of that one: words of claims, and of clauses.
func (x *place) asks(i int) (claims, slots []string) {
	r, k := &x.readings[i], known()
	for _, c := range r.claims {
		if c.con || c.item {
			claims = append(claims, x.posts.rarest(distinct(c.what), func(string) float64 { return 1 }, c.needed())...)
		}
		for _, u := range c.uses {
			claims = append(claims, u.member)
			if g := k.members[u.member].group; g != nil {
				claims = append(claims, g.stems...)
			}
		}
	}
	share := ofSmaller // the clause with fewer words asks
	if r.announced {
		share = ofBothSaid
	}
	for _, c := range r.clauses {
		if len(c.given) > 0 {
			slots = append(slots, x.slots.rarest(slices.Clone(c.frame), k.weight, share)...)
		}
	}
	return claims, slots
}

// rarest sorts words by how rare they are, and returns the first ones, so that all others
// weigh less than a share of all.
func (x index) rarest(words []string, weight func(string) float64, share float64) []string {
	slices.SortStableFunc(words, func(a, b string) int { return cmp.Compare(len(x[a]), len(x[b])) })
	all := 0.0
	for _, w := range words {
		all += weight(w)
	}
	left := all
	for i, w := range words {
		if left -= weight(w); left < share*all {
			return words[:i+1]
		}
	}
	return words
}

// compare compares the lessons of a place with those of a place that have the words that
// they ask for.
func (s *search) compare(x, with *place) {
	s.share(len(x.lessons), func(w *worker, i int) {
		n := x.lessons[i]
		w.query++
		w.met[n] = w.query // not with itself
		look := func(words []string, in index) {
			for _, word := range words {
				having := in[word]
				for _, o := range having[:min(len(having), maxPosts)] {
					m := with.lessons[o]
					if w.met[m] == w.query || s.ls[n].Content == s.ls[m].Content {
						continue
					}
					w.met[m] = w.query
					a, b, first, second := &x.readings[i], &with.readings[o], n, m
					if n > m {
						a, b, first, second = b, a, m, n
					}
					if j := a.against(b); j.Opposed() {
						w.found = append(w.found, Opposition{int(first), int(second), j})
					}
				}
			}
		}
		claims, slots := x.asks(i)
		look(claims, with.posts)
		look(slots, with.slots)
	})
}

// A word is a word of a text, or a sign that ends a sentence (".") or a part of it (",").
type word struct {
	text string // in lower case, without a final 's
	stem string // "" for words without content
	verb string // the class of a verb that is not a name in code
	roles
	start, end int
}

func (w word) is(texts ...string) bool { return slices.Contains(texts, w.text) }

func (w word) ends(suffix string) bool { return strings.HasSuffix(w.text, suffix) }

// base reports whether the word is a verb in the imperative.
func (w word) base() bool {
	return w.verb != "" && !w.ends("ing") && !w.ends("ed") && (w.stem == w.text || !w.ends("s"))
}

// wordAt is the word at a place, or none.
func wordAt(ws []word, i int) word {
	if i < len(ws) {
		return ws[i]
	}
	return word{}
}

// maxText limits the bytes read from a lesson: the rest of a 64 KB text says no more
// about what it is for or against.
const maxText = 4 << 10

func beginning(text string) string { return text[:min(len(text), maxText)] }

// The signs around words.
const (
	opening = "`\"'“”‘’*_([{<~"
	closing = "`\"'“”‘’*_)]}>.,;:!?…"
)

// A memory caches words and pieces of texts between scans; nil caches nothing.
type memory struct {
	words  map[string]word
	pieces map[string][]token
	last   []word // of the text that was read last
}

func newMemory() *memory { return &memory{words: map[string]word{}, pieces: map[string][]token{}} }

// words appends the words and signs of a sentence.
func (k *knowledge) words(out []word, text string, ts []token, seen *memory) []word {
	sign := func(s string, at int) { out = append(out, word{text: s, roles: isStop, start: at, end: at}) }
	for i := 0; i < len(ts); i++ {
		t := ts[i]
		for i+1 < len(ts) && ts[i+1].start == t.end+1 && text[t.end] == '/' { // and/or is one word here
			i++
			t.end, t.stop = ts[i].end, ts[i].stop
		}
		if t.kind == 'p' {
			s := "."
			if strings.Contains(",()", t.text) {
				s = ","
			}
			sign(s, t.start)
		} else {
			at := t.start
			for name := range strings.FieldsSeq(text[t.start:t.end]) {
				if t.kind != 'w' {
					name = strings.TrimRight(strings.TrimLeft(name, opening), closing)
				}
				w, ok := seen.words[name]
				if !ok {
					if !strings.ContainsFunc(name, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
						continue
					}
					w = k.word(name)
					seen.words[name] = w
				}
				if t.quoted && text[t.start] == '`' {
					w.roles, w.verb, w.stem = 0, "", k.stem(w.text)
				}
				at += strings.Index(text[at:t.end], name)
				w.start, w.end = at, at+len(name)
				out = append(out, w)
			}
		}
		if t.stop {
			sign(".", t.end)
		}
	}
	return append(out, word{text: ".", roles: isStop})
}

func (k *knowledge) word(s string) word {
	low := strings.TrimSuffix(strings.ReplaceAll(strings.ToLower(s), "’", "'"), "'s")
	w := word{text: low, roles: k.roles[low]}
	if !w.has(isStop) {
		if w.stem = k.stem(low); !strings.ContainsAny(s, "_/@.") && s[1:] == strings.ToLower(s[1:]) { // else a name in code
			w.verb = k.verbs[w.stem]
		}
	}
	return w
}

// stem returns the common part of a word's forms: just enough for "installing packages"
// to match "install a package". Identifiers stay as they are.
func (k *knowledge) stem(w string) string {
	if f, ok := k.same[w]; ok {
		return f
	}
	if len(w) < 4 || w[0] == '-' || strings.ContainsFunc(w, func(r rune) bool { return (r < 'a' || r > 'z') && r != '-' }) {
		return w
	}
	s := w
	for _, e := range k.endings {
		end, to, _ := strings.Cut(e, "=")
		if rest, ok := strings.CutSuffix(s, end); ok {
			s = rest + to
			break
		}
	}
	for _, end := range []string{"ing", "ed"} {
		if t, ok := strings.CutSuffix(s, end); ok && len(t) >= 3 && strings.ContainsAny(t, "aeiouy") {
			if s = t; len(s) > 3 && s[len(s)-1] == s[len(s)-2] && !strings.ContainsRune("lsz", rune(s[len(s)-1])) {
				s = s[:len(s)-1]
			}
			break
		}
	}
	if f, ok := k.same[s]; ok {
		return f
	}
	if len(s) > 3 {
		s = strings.TrimSuffix(s, "e")
	}
	return s
}
