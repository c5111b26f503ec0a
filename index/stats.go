package index

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"
	segment "github.com/blevesearch/scorch_segment_api/v2"

	"learnings/lessons"
)

// Stats are counts of lessons. What is not by status or lane is of active lessons
// alone.
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

// Shown are the lessons that are listed.
func (s *Stats) Shown() []lessons.Lesson { return slices.Concat(s.Used, s.Recent) }

// A Tally counts the lessons of a category.
type Tally struct {
	N   int
	Sum float64 // of their confidence
}

// Average is the mean confidence, or 0 of no lessons.
func (t Tally) Average() float64 { return t.Sum / float64(max(t.N, 1)) }

// Order returns the categories, the largest first.
func (s *Stats) Order() []lessons.Category {
	return slices.SortedFunc(maps.Keys(s.Categories), func(a, b lessons.Category) int {
		return cmp.Or(cmp.Compare(s.Categories[b].N, s.Categories[a].N), cmp.Compare(a, b))
	})
}

// mostListed is how many lessons Used and Recent hold.
const mostListed = 5

// Stats counts the lessons of a project, spelled as it is written, or of all for "",
// as of a time. It reads which lessons have a term, term by term, and of the lessons
// themselves only the few that it lists or that a term does not decide on.
//
// The errors to decide on are those of [Index.Search].
func (x *Index) Stats(ctx context.Context, project string, now time.Time) (*Stats, error) {
	s := &Stats{Statuses: map[lessons.Status]int{}, Lanes: map[lessons.Lane]int{}, Categories: map[lessons.Category]Tally{}}
	err := x.view(ctx, func(b bleve.Index) error {
		snap, done, err := snapshot(b)
		if err != nil {
			return searchError(ctx, err)
		}
		defer done()
		for _, seg := range snap.Segments() {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := (&counter{part: part{seg}, Stats: s, now: now}).add(project); err != nil {
				return searchError(ctx, err)
			}
		}
		return nil
	})
	return s, err
}

// Projects counts the lessons of each project, as it is written, by their status.
//
// The errors to decide on are those of [Index.Search].
func (x *Index) Projects(ctx context.Context) (map[string]map[lessons.Status]int, error) {
	out := map[string]map[lessons.Status]int{}
	err := x.view(ctx, func(b bleve.Index) error {
		snap, done, err := snapshot(b)
		if err != nil {
			return searchError(ctx, err)
		}
		defer done()
		for _, seg := range snap.Segments() {
			if err := (part{seg}).projects(out); err != nil {
				return searchError(ctx, err)
			}
		}
		return ctx.Err()
	})
	return out, err
}

// A part is one file of the index. Its documents are numbers from 0.
type part struct{ *scorch.SegmentSnapshot }

// each calls f with the terms of a field, from one on and ascending, that some
// documents of a set have, and with these documents, until f returns false. They are
// f's for the time of the call.
func (p part) each(field, from string, of *roaring.Bitmap, f func(term string, docs *roaring.Bitmap) bool) error {
	dict, err := p.Segment().Dictionary(field)
	if err != nil {
		return err
	}
	var list segment.PostingsList
	docs := roaring.New()
	for terms := dict.AutomatonIterator(nil, []byte(from), nil); ; {
		e, err := terms.Next()
		if err != nil || e == nil {
			return err
		}
		if list, err = dict.PostingsList([]byte(e.Term), nil, list); err != nil {
			return err
		}
		all, ok := list.(interface{ OrInto(*roaring.Bitmap) })
		if !ok {
			return fmt.Errorf("%w: a file of another kind", errDamaged)
		}
		docs.Clear()
		all.OrInto(docs)
		if docs.And(of); !docs.IsEmpty() && !f(e.Term, docs) {
			return nil
		}
	}
}

// live are the documents that are not deleted.
func (p part) live() *roaring.Bitmap {
	in := roaring.New()
	in.AddRange(0, uint64(p.FullSize()))
	if gone := p.Deleted(); gone != nil {
		in.AndNot(gone)
	}
	return in
}

// projects adds the lessons of a file to counts.
func (p part) projects(counts map[string]map[lessons.Status]int) error {
	all, having := p.live(), map[lessons.Status]*roaring.Bitmap{}
	err := p.each(statusField, "", all, func(term string, docs *roaring.Bitmap) bool {
		having[lessons.Status(term)] = docs.Clone()
		return true
	})
	if err != nil {
		return err
	}
	return p.each(writtenField, "", all, func(project string, docs *roaring.Bitmap) bool {
		for status, of := range having {
			if n := of.AndCardinality(docs); n > 0 {
				if counts[project] == nil {
					counts[project] = map[lessons.Status]int{}
				}
				counts[project][status] += int(n)
			}
		}
		return true
	})
}

// with are the documents of a set that have a term.
func (p part) with(field, term string, of *roaring.Bitmap) (*roaring.Bitmap, error) {
	found := roaring.New()
	err := p.each(field, term, of, func(t string, docs *roaring.Bitmap) bool {
		if t == term {
			found.Or(docs)
		}
		return false
	})
	return found, err
}

// highest are the documents of a set with the highest terms of a field, from a term
// on: n and those that equal the last of them, or fewer if there are no more. The
// lowest of these terms is 0 if there are none.
func (p part) highest(field, from string, of *roaring.Bitmap, n uint64) (found *roaring.Bitmap, lowest float64, err error) {
	var last []*roaring.Bitmap // of the highest terms, ascending
	var terms []string
	count := uint64(0)
	err = p.each(field, from, of, func(term string, docs *roaring.Bitmap) bool {
		last, terms = append(last, docs.Clone()), append(terms, term)
		count += docs.GetCardinality()
		for count-last[0].GetCardinality() >= n {
			count -= last[0].GetCardinality()
			last, terms = last[1:], terms[1:]
		}
		return true
	})
	if len(terms) > 0 {
		lowest = number(terms[0])
	}
	return roaring.FastOr(last...), lowest, err
}

// lessons reads documents.
func (p part) lessons(docs *roaring.Bitmap, f func(uint32, lessons.Lesson)) error {
	for it := docs.Iterator(); it.HasNext(); {
		doc := it.Next()
		var l lessons.Lesson
		err := readField(p.SegmentSnapshot, uint64(doc), lessonField, func(value []byte) error { return json.Unmarshal(value, &l) })
		if err != nil {
			return err
		}
		f(doc, l)
	}
	return nil
}

// A counter adds the lessons of one file to counts.
type counter struct {
	part
	*Stats
	now    time.Time
	active *roaring.Bitmap
}

func (c *counter) add(project string) error {
	in := c.live()
	if project != "" {
		var err error
		if in, err = c.with(writtenField, project, in); err != nil {
			return err
		}
	}
	c.active = roaring.New()
	byStatus := c.each(statusField, "", in, func(term string, docs *roaring.Bitmap) bool {
		c.Statuses[lessons.Status(term)] += int(docs.GetCardinality())
		if term == string(lessons.Approved) {
			c.active = docs.Clone()
		}
		return true
	})
	byLane := c.each(laneField, "", in, func(term string, docs *roaring.Bitmap) bool {
		c.Lanes[lessons.Lane(term)] += int(docs.GetCardinality())
		return true
	})
	return cmp.Or(byStatus, byLane, c.categories(), c.proof(), c.doubts(), c.lists())
}

func (c *counter) categories() error {
	in := map[lessons.Category]*roaring.Bitmap{}
	err := c.each(namedField, "", c.active, func(term string, docs *roaring.Bitmap) bool {
		in[lessons.Category(term)] = docs.Clone()
		return true
	})
	if err != nil {
		return err
	}
	return c.each(confidenceField, "", c.active, func(term string, docs *roaring.Bitmap) bool {
		for name, of := range in {
			if n := of.AndCardinality(docs); n > 0 {
				t := c.Categories[name]
				c.Categories[name] = Tally{t.N + int(n), t.Sum + float64(n)*number(term)}
			}
		}
		return true
	})
}

func number(term string) float64 {
	f, _ := strconv.ParseFloat(term, 64) // as share and whole made it
	return f
}

func (c *counter) proof() error {
	sum := func(field string, into *int) error {
		return c.each(field, "", c.active, func(term string, docs *roaring.Bitmap) bool {
			*into += int(number(term)) * int(docs.GetCardinality())
			return true
		})
	}
	pinned, err := c.with(pinnedField, "yes", c.active)
	if err != nil {
		return err
	}
	c.Proof.Pinned += int(pinned.GetCardinality())
	return cmp.Or(sum(usedField, &c.Proof.Used), sum(helpedField, &c.Proof.Helped), sum(harmedField, &c.Proof.Harmed))
}

// doubts counts the lessons to be looked at again. The lesson itself says so where
// its time comes within this hour, and where outcomes may speak against it.
func (c *counter) doubts() error {
	due, unsure := roaring.New(), roaring.New()
	hour := whole(hoursOf(c.now))
	byTime := c.each(againField, "", c.active, func(term string, docs *roaring.Bitmap) bool {
		switch {
		case term < hour:
			due.Or(docs)
		case term == hour:
			unsure.Or(docs)
		}
		return term < hour
	})
	byOutcome := c.each(triedField, "", c.active, func(_ string, docs *roaring.Bitmap) bool {
		unsure.Or(docs)
		return true
	})
	if err := cmp.Or(byTime, byOutcome); err != nil {
		return err
	}
	c.Proof.Due += int(due.GetCardinality())
	return c.lessons(unsure, func(doc uint32, l lessons.Lesson) {
		why := l.Doubts(c.now, false)
		if len(why) == 0 {
			return
		}
		if !due.Contains(doc) {
			c.Proof.Due++
		}
		if why[0].Concern == lessons.Doubtful {
			c.Proof.Doubtful++
		}
	})
}

func (c *counter) lists() error {
	used, _, err := c.highest(usedField, whole(1), c.active, mostListed)
	if err != nil {
		return err
	}
	// Every lesson may have a second of its own, so the seconds are looked at only of
	// the last hours.
	recent, hour, err := c.highest(hourField, "", c.active, mostListed)
	if err != nil {
		return err
	}
	if recent, _, err = c.highest(createdField, whole(hour*time.Hour.Seconds()), recent, mostListed); err != nil {
		return err
	}
	mostUsed := c.lessons(used, func(_ uint32, l lessons.Lesson) {
		c.Used = first(c.Used, l, func(a, b lessons.Lesson) int { return cmp.Compare(b.Use.Used, a.Use.Used) })
	})
	newest := c.lessons(recent, func(_ uint32, l lessons.Lesson) {
		c.Recent = first(c.Recent, l, func(a, b lessons.Lesson) int { return b.Created.Compare(a.Created) })
	})
	return cmp.Or(mostUsed, newest)
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
