package curate

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"learnings/lessons"
)

// Stats counts lessons. What is not told by status is of active lessons alone.
type Stats struct {
	Statuses   map[lessons.Status]int
	Lanes      map[lessons.Lane]int // of proposals
	Categories map[lessons.Category]Tally
	Used       []lessons.Lesson // the most used ones, most first
	Recent     []lessons.Lesson // the newest ones, newest first
	Proof      struct {
		Used     int `json:"used"`
		Helped   int `json:"helped"`
		Harmed   int `json:"harmed"`
		Pinned   int `json:"pinned"`
		Due      int `json:"due"` // to be looked at again: due, stale or doubtful
		Doubtful int `json:"doubtful"`
	}
}

// NewStats counts nothing yet.
func NewStats() *Stats {
	return &Stats{Statuses: map[lessons.Status]int{}, Lanes: map[lessons.Lane]int{}, Categories: map[lessons.Category]Tally{}}
}

// A Tally counts the lessons of a category.
type Tally struct {
	N   int
	Sum float64 // of their confidence
}

// Average is the mean confidence, or 0 of no lessons.
func (t Tally) Average() float64 { return t.Sum / float64(max(t.N, 1)) }

// mostListed is how many lessons Used and Recent hold.
const mostListed = 5

// Add counts a lesson, as it is at a time.
func (s *Stats) Add(l lessons.Lesson, now time.Time) {
	s.Statuses[l.Status]++
	if lane := l.Waits(); lane != "" {
		s.Lanes[lane]++
	}
	if l.Status != lessons.Approved {
		return
	}
	t := s.Categories[l.Category]
	s.Categories[l.Category] = Tally{t.N + 1, t.Sum + float64(l.Confidence)}
	p := &s.Proof
	p.Used += l.Use.Used
	p.Helped += l.Use.Helped
	p.Harmed += l.Use.Harmed
	if l.Pinned {
		p.Pinned++
	}
	if why := l.Doubts(now, false); len(why) > 0 {
		p.Due++
		if why[0].Concern == lessons.Doubtful {
			p.Doubtful++
		}
	}
	if l.Use.Used > 0 {
		s.Used = first(s.Used, l, func(a, b lessons.Lesson) int { return cmp.Compare(b.Use.Used, a.Use.Used) })
	}
	s.Recent = first(s.Recent, l, func(a, b lessons.Lesson) int { return b.Created.Compare(a.Created) })
}

// first inserts a lesson where an order wants it, and keeps the first few.
func first(ls []lessons.Lesson, l lessons.Lesson, order func(a, b lessons.Lesson) int) []lessons.Lesson {
	i, _ := slices.BinarySearchFunc(ls, l, func(a, b lessons.Lesson) int { return cmp.Or(order(a, b), cmp.Compare(a.ID, b.ID)) })
	if i >= mostListed {
		return ls
	}
	ls = slices.Insert(ls, i, l)
	return ls[:min(len(ls), mostListed)]
}

// Order returns the categories, the largest first.
func (s *Stats) Order() []lessons.Category {
	return slices.SortedFunc(maps.Keys(s.Categories), func(a, b lessons.Category) int {
		return cmp.Or(cmp.Compare(s.Categories[b].N, s.Categories[a].N), cmp.Compare(a, b))
	})
}
