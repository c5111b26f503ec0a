// Package pairs judges how two lessons relate: whether they say the same, one sets a
// newer value, they contradict each other, or they only share a subject. It is pure: it
// reads the texts of lessons, and no files or index.
//
// It knows words, negation, exclusive alternatives, numbers with units and quoted values.
// It does not find what takes knowledge of the world.
package pairs

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"learnings/lessons"
)

// A Relation is how two lessons relate. A pair has exactly one.
type Relation string

const (
	Nothing      Relation = ""
	SameSubject  Relation = "subject"  // both can stand: they share words, or literals differ
	SameRule     Relation = "same"     // one of them is enough
	NewerValue   Relation = "newer"    // the newer one sets another value
	OppositeRule Relation = "opposite" // an agent cannot follow both
)

// A Ground is the kind of a contradiction: one word.
type Ground string

const (
	Polarity  Ground = "polarity"  // one demands what the other forbids
	Exclusive Ground = "exclusive" // they use different members of an exclusive group
	Value     Ground = "value"     // another value in one slot: [NewerValue]
)

// A Passage is a part of a lesson's content: its byte range and text.
type Passage struct {
	Start, End int
	Text       string
}

// A Judgement is how two lessons relate, and why.
type Judgement struct {
	Relation Relation
	Why      string // in words for a person, on one line and safe to show
	Ground   Ground // of an opposite or a newer value
	Differ   bool   // same subject, but known to say different things
	A, B     Passage
}

// Short is Why without the quotes at its end, for a face that shows both lessons.
func (j Judgement) Short() string {
	short, _, _ := strings.Cut(j.Why, ": “")
	return short
}

// Opposed reports whether the lessons contradict each other: they are opposites, or one
// has a newer value.
func (j Judgement) Opposed() bool { return j.Relation == OppositeRule || j.Relation == NewerValue }

// Judge returns how two lessons relate. It reads the first 4 KB of each content. Swapping
// the arguments only swaps A and B.
//
// Lessons of different projects do not contradict each other, nor do those for different
// roles, unless one is global or for any role; nor do claims for unrelated situations
// ("in tests", "for releases"), nor lessons that a person has said both hold
// ([lessons.Lesson.HoldsWith]).
func Judge(a, b lessons.Lesson) Judgement {
	r, o := Read(a), Read(b)
	if j := r.Against(o); j.Opposed() {
		return j
	}
	return alike(a, b, r, o)
}

// leastCommon is the share of common keywords from which two lessons have the same
// subject.
const leastCommon = 0.35

// alike judges two lessons that do not contradict each other.
func alike(a, b lessons.Lesson, r, o Reading) Judgement {
	both, all := overlap(Keywords(a.Content), Keywords(b.Content))
	why := fmt.Sprintf("%d of %d words are in both", both, all)
	x, y := NewSaying(a.Content), NewSaying(b.Content)
	switch {
	case lessons.BothHold(a, b):
		return Judgement{Relation: SameSubject, Why: "you said that both hold", Differ: true}
	case r.otherValues(o):
		return Judgement{Relation: SameSubject, Why: "each names a value that the other does not", Differ: true}
	case r.otherKinds(o):
		return Judgement{Relation: SameSubject, Why: "they are about different kinds of things in code", Differ: true}
	case x.normal == y.normal:
		return Judgement{Relation: SameRule, Why: "both say it in the same words"}
	case x.Covers(y) || y.Covers(x):
		return Judgement{Relation: SameRule, Why: "one says all that the other does"}
	case Synonyms{}.Says(a, b):
		return Judgement{Relation: SameRule, Why: why}
	case float64(both) >= leastCommon*float64(all):
		return Judgement{Relation: SameSubject, Why: why}
	}
	return Judgement{Why: why}
}

// A Reading is a parsed lesson. Reuse it to compare one lesson with several.
type Reading struct {
	lesson    *lessons.Outline
	claims    []claim
	clauses   []clause
	announced bool     // it says that something changes
	told      []string // the sessions and files where it was said; nil if unknown
	paths     []string // the files it applies to
}

// Read reads a lesson.
func Read(l lessons.Lesson) Reading { return read(&l, newMemory()) }

func read(l *lessons.Lesson, seen *memory) Reading {
	o := l.Outline()
	// What a person asked to have remembered is worded without its "from now on".
	o.Asked = o.Asked && slices.ContainsFunc(l.Evidence, func(e lessons.Evidence) bool {
		_, _, announced := scan(e.Quote, seen)
		return e.From == lessons.FromAsked && announced
	})
	r := readOutline(&o, seen)
	r.paths = l.Limit.Paths
	// Two values from one session or file are no change unless announced.
	for _, e := range l.Evidence {
		if at := cmp.Or(e.Session, e.Path); at != "" {
			r.told = append(r.told, at)
		}
	}
	if l.Origin.Source != "" {
		r.told = append(r.told, l.Origin.Source)
	}
	return r
}

func readOutline(o *lessons.Outline, seen *memory) Reading {
	ws, clauses, announced := scan(o.Content, seen)
	return Reading{lesson: o, claims: claimsOf(ws), clauses: clauses, announced: announced || o.Asked}
}

// Against judges only whether two lessons contradict each other; else it returns
// [Nothing].
func (r Reading) Against(o Reading) Judgement { return r.against(&o) }

func (r *Reading) against(o *Reading) Judgement {
	if !meet(r.lesson, o.lesson) {
		return Judgement{}
	}
	// A fixed order makes the result symmetric.
	if cmp.Or(cmp.Compare(r.lesson.ID, o.lesson.ID), cmp.Compare(r.lesson.Content, o.lesson.Content)) <= 0 {
		return contradiction(r, o)
	}
	j := contradiction(o, r)
	j.A, j.B = j.B, j.A
	return j
}

// meet reports whether one agent can be given both.
func meet(a, b *lessons.Outline) bool {
	return (a.ID != b.ID || a.ID == "") && !a.HoldsBeside(b) &&
		(a.Scope.Global || b.Scope.Global || strings.EqualFold(a.Scope.Project, b.Scope.Project)) &&
		(a.Scope.Role == "" || b.Scope.Role == "" || base(a.Scope) == base(b.Scope))
}

func base(s lessons.Scope) string {
	base, _, _ := strings.Cut(s.Role, ":")
	return strings.ToLower(base)
}

// contradiction compares all claims of both, to name the plainest ground, and then their
// slots.
func contradiction(a, b *Reading) Judgement {
	passage := func(r *Reading, start, end int) Passage { return Passage{start, end, r.lesson.Content[start:end]} }
	for _, g := range grounds {
		for i := range a.claims {
			for j := range b.claims {
				x, y := &a.claims[i], &b.claims[j]
				if why := g.why(x, y); why != "" {
					p, q := passage(a, x.start, x.end), passage(b, y.start, y.end)
					return Judgement{OppositeRule, fmt.Sprintf(why, clipped(p.Text), clipped(q.Text)), g.ground, false, p, q}
				}
			}
		}
	}
	older, newer := a, b
	if a.lesson.Created.After(b.lesson.Created) {
		older, newer = b, a
	}
	// A project's value may differ from a global or another project's one.
	p, q := a.lesson.Scope, b.lesson.Scope
	if !slices.Equal(a.paths, b.paths) || !newer.announced && (p.Global != q.Global || base(p) != base(q)) {
		return Judgement{}
	}
	c, ok := changed(older, newer, slices.ContainsFunc(a.told, func(s string) bool { return slices.Contains(b.told, s) }))
	if !ok {
		return Judgement{}
	}
	x, y := passage(older, c.old.start, c.old.end), passage(newer, c.new.start, c.new.end)
	if older.lesson != a.lesson {
		x, y = y, x
	}
	return Judgement{NewerValue, c.why(), Value, false, x, y}
}

// clipped shortens a passage for quoting: one line of at most 90 characters.
func clipped(s string) string {
	return lessons.Lesson{Wording: lessons.Wording{Content: lessons.Line(s)}}.Title(90)
}

// otherValues reports whether each lesson names a value that the other does not.
func (r Reading) otherValues(o Reading) bool {
	named := func(v, o string) bool { // RepoMap and repomap.RepoMap
		return v == o || strings.HasSuffix(v, "."+o) || strings.HasSuffix(o, "."+v) || strings.HasSuffix(v, "/"+o) || strings.HasSuffix(o, "/"+v)
	}
	lacks := func(p, q []string) bool {
		return slices.ContainsFunc(p, func(v string) bool { return !slices.ContainsFunc(q, func(o string) bool { return named(v, o) }) })
	}
	x, y := r.values(), o.values()
	return lacks(x, y) && lacks(y, x)
}

// values returns the values named in the clauses.
func (r Reading) values() (out []string) {
	for _, c := range r.clauses {
		for _, v := range c.values {
			out = append(out, v.text)
		}
	}
	return out
}

// otherKinds reports whether one lesson is about a kind of thing in code that the other
// does not name: functions, classes, the arguments of functions.
func (r Reading) otherKinds(o Reading) bool { return !slices.Equal(r.kinds(), o.kinds()) }

func (r Reading) kinds() (out []string) {
	for _, c := range r.clauses {
		for _, t := range c.tokens {
			if t.has(isKind) {
				out = append(out, t.stem)
			}
		}
	}
	return distinct(out)
}

// sameConditions is [SameConditions] for readings.
func (r Reading) sameConditions(o Reading) bool {
	lost, added := narrower(r.clauses, o.clauses)
	return len(lost)+len(added) == 0
}

// A Contrary is a lesson that contradicts a given one.
type Contrary struct {
	Lesson    lessons.Lesson
	Judgement // A is the given lesson's passage
}

// Against returns the lessons that contradict l, in [Prefer] order.
func Against(l lessons.Lesson, some []lessons.Lesson) (out []Contrary) {
	seen := newMemory()
	r := read(&l, seen)
	for _, o := range some {
		if outline := o.Outline(); !meet(r.lesson, &outline) {
			continue
		}
		if j := r.Against(read(&o, seen)); j.Opposed() {
			out = append(out, Contrary{o, j})
		}
	}
	slices.SortFunc(out, func(a, b Contrary) int {
		if first, _ := Prefer(a.Lesson, b.Lesson); first {
			return -1
		}
		return 1
	})
	return out
}

// A Memory caches readings by lesson id.
type Memory struct {
	readings map[lessons.ID]Reading
	seen     *memory
}

// NewMemory returns an empty memory.
func NewMemory() *Memory { return &Memory{map[lessons.ID]Reading{}, newMemory()} }

// mostRead limits the cached lessons.
const mostRead = 10_000

func (m *Memory) of(l *lessons.Lesson) Reading {
	r, ok := m.readings[l.ID]
	if !ok {
		if len(m.readings) >= mostRead {
			clear(m.readings)
		}
		r = read(l, m.seen)
		m.readings[l.ID] = r
	}
	return r
}

// Compatible removes, from a group of duplicates by a rule, lessons that contradict another
// one, name another value or kind of thing, hold under other conditions [ByFrame], or that a
// person has said hold beside another: "use npm instead of pnpm" has all the words of "use
// pnpm instead of npm". It may leave a single lesson.
func (m *Memory) Compatible(by Rule, group []lessons.Lesson) []lessons.Lesson {
	if len(group) < 2 {
		return group
	}
	var out []lessons.Lesson
	for i := range group {
		l := &group[i]
		r := m.of(l)
		if !slices.ContainsFunc(out[:min(len(out), mostBeside)], func(o lessons.Lesson) bool {
			p := m.of(&o)
			return lessons.BothHold(*l, o) || r.Against(p).Opposed() || r.otherValues(p) || r.otherKinds(p) ||
				by == ByFrame && !(r.sameConditions(p) && p.sameConditions(r))
		}) {
			out = append(out, *l)
		}
	}
	return out
}

// mostBeside limits how many of a group each other lesson is compared with.
const mostBeside = 16

// LookFor returns the search words for lessons that may contradict l: its own, and the
// alternatives in exclusive groups. The results still have to be judged.
func LookFor(l lessons.Lesson) string {
	out := strings.ToValidUTF8(beginning(l.Content), "") + "\n"
	for _, c := range Read(l).claims {
		for _, u := range c.uses {
			if g := known().members[u.member].group; g != nil {
				out += strings.Join(g.members, " ") + " "
			}
		}
	}
	return out
}

// Asks reports whether a text demands something: it has an English instruction or a
// prohibition. A statement of fact demands nothing.
func Asks(text string) bool {
	ws, _, _ := scan(text, newMemory())
	if slices.ContainsFunc(claimsOf(ws), func(c claim) bool { return c.con }) {
		return true
	}
	for i, w := range ws {
		begins := i == 0 || ws[i-1].is(".", ",") || ws[i-1].is("please", "always", "then")
		if begins && (w.base() && i+1 < len(ws) && !ws[i+1].is(".", ",") || w.has(isRefusal|isApproval)) {
			return true
		}
	}
	return false
}
