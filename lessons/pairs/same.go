package pairs

import (
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"learnings/lessons"
)

// Kind is the class of categories within which lessons are compared: the shelf of a
// category, or the category itself if no known system uses it.
func Kind(c lessons.Category) string {
	if s := c.Shelf(); s != lessons.Other {
		return string(s)
	}
	return strings.ToLower(string(c))
}

// Same reports whether two lessons say the same, so that one of them is enough:
// equal [Normal] text; or, within a [Kind], duplicates [ByJaccard] with the same literals
// and the same words that negate or join. Their scopes are not compared.
func Same(a, b lessons.Lesson) bool {
	return Normal(a.Content) == Normal(b.Content) ||
		Kind(a.Category) == Kind(b.Category) && sameWords(a, b) && compatible(a.Content, b.Content)
}

func sameWords(a, b lessons.Lesson) bool {
	both, all := overlap(Words(a.Content), Words(b.Content))
	return both > 0 && ByJaccard.alike(both, both, all)
}

// compatible reports whether two texts that are alike can mean the same: their
// literals, hinges and conditions are the same.
func compatible(a, b string) bool {
	return SameLiterals(a, b) && slices.Equal(hinged(a), hinged(b)) && SameConditions(a, b) && SameConditions(b, a)
}

func hinged(text string) []string {
	var out []string
	for _, w := range Words(text) {
		for _, w := range expand(w) {
			if is(w, isHinge) {
				out = append(out, w)
			}
		}
	}
	slices.Sort(out)
	return out
}

// Mergeable reports whether two lessons may be merged without a person comparing
// them: they have the same scope and [Kind], and their texts are the same but for case,
// punctuation, fillers (the, is, this) and forms of one word. Of real technical
// instructions that are duplicates only one in fourteen means the same, hence the care.
// Two lessons that a person has said both hold are not mergeable.
func Mergeable(a, b lessons.Lesson) bool {
	return !lessons.BothHold(a, b) && a.Scope.Role == b.Scope.Role && a.Scope.Global == b.Scope.Global &&
		(a.Scope.Global || a.Scope.Project == b.Scope.Project) && backbone(a) == backbone(b)
}

// backbone is the kind and the text of a lesson without fillers and inflections, in order.
// Literals and signs stay as they are.
func backbone(l lessons.Lesson) string {
	out := []string{Kind(l.Category)}
	for _, f := range fields(l.Content) {
		if Literal(f) {
			out = append(out, f)
			continue
		}
		for _, w := range expand(f) {
			if !is(w, isFiller) {
				out = append(out, known().stem(w))
			}
		}
	}
	return strings.Join(out, " ")
}

// Merges groups the lessons that may be merged without a person comparing them
// ([Mergeable] with the first of each group), in their order. All others are left out.
func Merges(ls iter.Seq[lessons.Lesson]) [][]lessons.Lesson {
	var groups [][]lessons.Lesson
	like := map[string][]int{} // the groups with one backbone
	for l := range ls {
		key := backbone(l)
		i := slices.IndexFunc(like[key], func(g int) bool { return Mergeable(groups[g][0], l) })
		if i < 0 {
			like[key] = append(like[key], len(groups))
			groups = append(groups, []lessons.Lesson{l})
			continue
		}
		g := like[key][i]
		groups[g] = append(groups[g], l)
	}
	return slices.DeleteFunc(groups, func(g []lessons.Lesson) bool { return len(g) < 2 })
}

// mostCompared bounds the comparison of wordings in a large group.
const mostCompared = 50

// Wording returns the duplicate whose text should be kept: an approved one, because a
// person has read it, or else the one that is most like all others. It makes up no
// words.
func Wording(ls []lessons.Lesson) lessons.Lesson {
	some := ls[:min(len(ls), mostCompared)]
	best, most := 0, -1.0
	for i, l := range some {
		if l.Status == lessons.Approved {
			return l
		}
		sum := 0.0
		for _, o := range some {
			sum += Jaccard(l.Content, o.Content)
		}
		if sum > most {
			best, most = i, sum
		}
	}
	return ls[best]
}

// Prefer reports whether the first of two contradicting lessons is the one to keep, and
// why, in words that follow "because it is". It prefers, in this order:
//
//  1. one that a person pinned,
//  2. a person's correction to one that only an agent or a tool supports,
//  3. the one last said more recently,
//  4. the one with better outcomes.
//
// It is a proposal: a person decides.
func Prefer(a, b lessons.Lesson) (first bool, why string) {
	if a.Pinned != b.Pinned {
		return a.Pinned, "pinned"
	}
	if x, y := corrects(a), corrects(b); x != y {
		return x, "a person's own words"
	}
	x, y := lastSaid(a), lastSaid(b)
	if !x.Equal(y) {
		return x.After(y), "newer"
	}
	if p, q := a.Bound(x), b.Bound(x); p != q {
		return p > q, "better proven"
	}
	return a.ID < b.ID, "the first by its id; nothing else tells them apart"
}

// corrects reports whether a person said the lesson, typed in or told to an agent.
func corrects(l lessons.Lesson) bool { return l.SaidBy() == lessons.ByPerson }

// lastSaid returns when a lesson was made or last said again. The time of approval does
// not count: clearing a queue approves old and new together.
func lastSaid(l lessons.Lesson) time.Time {
	at := l.Created
	for _, e := range l.Evidence {
		if e.At.After(at) {
			at = e.At
		}
	}
	return at
}

// This file compares a text with a lesson by what each denies of its subject: whether it
// says the lesson, corrects it, or is about the same thing.

const (
	// onSubject is the share of the keywords of the shorter of two texts that the
	// longer one must have: amplihack's rule, relative to the smaller number.
	onSubject = 0.6
	// sharedKeywords keeps a text of one keyword from matching every subject.
	sharedKeywords = 2
	// leastCovered keeps a lesson of one keyword ("use pnpm") from being said
	// by every text that has the word.
	leastCovered = 2
)

func denies(w string) bool { return is(w, isDenial) }

// leanings are the stems of a text's keywords, with whether the text denies them: one of
// the two words before, articles and "as" aside, is a denial. A "no" that opens an answer is
// addressed to the agent and does not count.
func leanings(text string) map[string]bool {
	words := Words(text)
	if len(words) > 0 && (words[0] == "no" || words[0] == "nope") {
		words = words[1:]
	}
	words = slices.DeleteFunc(words, func(w string) bool { return w == "a" || w == "an" || w == "the" || w == "as" })
	out := map[string]bool{}
	for i, w := range words {
		if !Common(w) {
			out[known().stem(w)] = slices.ContainsFunc(words[max(i-2, 0):i], denies)
		}
	}
	return out
}

// OnSubject reports whether two texts are about the same thing: they share at least
// 0.6 of the keywords of the shorter one, and at least two.
func OnSubject(a, b string) bool {
	x, y := leanings(a), leanings(b)
	both, _ := overlap(slices.Collect(maps.Keys(x)), slices.Collect(maps.Keys(y)))
	return both >= sharedKeywords && float64(both) >= onSubject*float64(min(len(x), len(y)))
}

// Corrects reports whether what a person said corrects a lesson: it is on its
// subject, denies or replaces something, and does not merely repeat the lesson.
func Corrects(said, lesson string) bool {
	return OnSubject(said, lesson) && slices.ContainsFunc(Words(said), denies) && !repeats(said, lesson)
}

// repeats reports whether a text has all keywords of a lesson, and denies those that
// the lesson denies.
func repeats(said, lesson string) bool {
	x := leanings(said)
	for w, denied := range leanings(lesson) {
		if other, ok := x[w]; !ok || other != denied {
			return false
		}
	}
	return true
}

// A Saying is a text prepared for [Saying.Covers], for texts that are compared with
// several others.
type Saying struct {
	text     string
	normal   string
	keywords map[string]bool // with whether the text denies them
	words    map[string]int  // bare, as often as they stand there
	literals []string
	hinges   []string
}

// NewSaying reads a text.
func NewSaying(text string) Saying {
	return Saying{text: text, normal: Normal(text), keywords: leanings(text), words: bareWords(text), literals: Literals(text), hinges: hinged(text)}
}

// Covers reports whether a text says what a lesson does, perhaps among other things:
// the text has four in five of the lesson's keywords and all of its literals, and of
// these it denies exactly what the lesson denies. A lesson of a single keyword is
// covered only by a text about nothing else, with the same negations and conjunctions.
// Both hold under the same conditions ([Narrower]).
//
// It is meant for instructions of a sentence or two: a long text has most words of
// many lessons.
func (s Saying) Covers(lesson Saying) bool {
	if s.normal == lesson.normal {
		return true
	}
	least := (4*len(lesson.keywords) + 4) / 5
	switch n := len(lesson.keywords); {
	case n == 0 || len(s.keywords) < least:
		return false
	case n < leastCovered && (len(s.keywords) > n || !slices.Equal(s.hinges, lesson.hinges)):
		return false
	}
	both := 0
	for w, denied := range lesson.keywords {
		other, ok := s.keywords[w]
		if ok && other != denied {
			return false
		} else if ok {
			both++
		}
	}
	return both >= least && !slices.ContainsFunc(lesson.literals, func(l string) bool { return s.words[l] == 0 }) && SameConditions(s.text, lesson.text)
}
