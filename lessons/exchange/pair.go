package exchange

import "learnings/lessons"

// Pairs say which entry of a store is that of which lesson. They are found by one way
// after the other, the surest first; an entry goes to one lesson.
type Pairs struct {
	Of    []int  // by lesson: its entry; -1 for none
	Way   []int  // by lesson: the number of the way by which it was found, from 1; 0 for none
	Taken []bool // by entry

	ls   []lessons.Lesson
	ways int
}

// NewPairs is for lessons and so many entries.
func NewPairs(ls []lessons.Lesson, entries int) *Pairs {
	p := &Pairs{Of: make([]int, len(ls)), Way: make([]int, len(ls)), Taken: make([]bool, entries), ls: ls}
	for i := range p.Of {
		p.Of[i] = -1
	}
	return p
}

// Find is a way: it says which entries may be that of a lesson, best first.
func (p *Pairs) Find(way func(i int, l lessons.Lesson) []int) {
	p.ways++
	for i, l := range p.ls {
		if p.Of[i] >= 0 {
			continue
		}
		for _, at := range way(i, l) {
			if !p.Taken[at] {
				p.Of[i], p.Way[i], p.Taken[at] = at, p.ways, true
				break
			}
		}
	}
}

// ByLedger finds the entry that was written for a lesson, by the key of each.
func (p *Pairs) ByLedger(ledger *Ledger, keys []string) {
	at := places(keys)
	p.Find(func(_ int, l lessons.Lesson) []int {
		if was, ok := ledger.Of(l.ID); ok {
			return at[was.Key]
		}
		return nil
	})
}

// ByID finds the entry of which a lesson was made.
func (p *Pairs) ByID(ids []lessons.ID) {
	at := places(ids)
	p.Find(func(_ int, l lessons.Lesson) []int { return at[l.ID] })
}

// ByText finds an entry that says one of the things that a lesson says.
func (p *Pairs) ByText(texts []string, says func(lessons.Lesson) []string) {
	at := places(texts)
	p.Find(func(_ int, l lessons.Lesson) (out []int) {
		for _, text := range says(l) {
			out = append(out, at[text]...)
		}
		return out
	})
}

// places are the numbers of equal things; nothing is equal to what is empty.
func places[T ~string](all []T) map[T][]int {
	at := make(map[T][]int, len(all))
	for i, x := range all {
		if x != "" {
			at[x] = append(at[x], i)
		}
	}
	return at
}
