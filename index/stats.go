package index

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/search/query"

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
// as of a time. Of the lessons themselves it reads only the few that it lists or that the
// fields of the index do not decide on.
//
// The errors to decide on are those of [Index.Search].
func (x *Index) Stats(ctx context.Context, project string, now time.Time) (*Stats, error) {
	s := &Stats{Statuses: map[lessons.Status]int{}, Lanes: map[lessons.Lane]int{}, Categories: map[lessons.Category]Tally{}}
	return s, x.view(ctx, func(r *reader) error {
		of := query.Query(bleve.NewMatchAllQuery())
		if project != "" {
			of = term(project, writtenField)
		}
		docs, err := r.docs(of)
		if err != nil {
			return err
		}
		var unsure []uint64 // what is due by its time among them has been counted
		var active []listed
		due := map[uint64]bool{}
		hour := whole(hoursOf(now))
		fields := []string{
			statusField, laneField, namedField, confidenceField, usedField, helpedField, harmedField, pinnedField, newestField, againField, triedField,
		}
		err = r.values(docs, fields, func(i int, values map[string]string) {
			s.Statuses[lessons.Status(values[statusField])]++
			if lane, ok := values[laneField]; ok {
				s.Lanes[lessons.Lane(lane)]++
			}
			if values[statusField] != string(lessons.Approved) {
				return
			}
			s.add(values)
			active = append(active, listed{docs[i], values[usedField], values[newestField]})
			again, timed := values[againField]
			if timed && again < hour {
				due[docs[i]] = true
				s.Proof.Due++
			}
			if values[triedField] != "" || again == hour {
				unsure = append(unsure, docs[i])
			}
		})
		if err != nil {
			return err
		}
		ls, err := r.lessons(unsure)
		if err != nil {
			return err
		}
		for i, l := range ls {
			why := l.Doubts(now, false)
			if len(why) > 0 && !due[unsure[i]] {
				s.Proof.Due++
			}
			if len(why) > 0 && why[0].Concern == lessons.Doubtful {
				s.Proof.Doubtful++
			}
		}
		if s.Recent, err = r.leading(active, func(a, b listed) int { return cmp.Compare(a.newest, b.newest) }); err != nil {
			return err
		}
		active = slices.DeleteFunc(active, func(l listed) bool { return l.used == whole(0) })
		s.Used, err = r.leading(active, func(a, b listed) int { return cmp.Or(cmp.Compare(b.used, a.used), cmp.Compare(a.newest, b.newest)) })
		return err
	})
}

// A listed lesson is one that may be among the first few.
type listed struct {
	doc          uint64
	used, newest string // as the index has them
}

// leading reads the first few of some lessons in an order.
func (r *reader) leading(all []listed, order func(a, b listed) int) ([]lessons.Lesson, error) {
	slices.SortFunc(all, order)
	var docs []uint64
	for _, l := range all[:min(len(all), mostListed)] {
		docs = append(docs, l.doc)
	}
	return r.lessons(docs)
}

// add counts an active lesson by the values of its fields.
func (s *Stats) add(values map[string]string) {
	number := func(field string) float64 {
		f, _ := strconv.ParseFloat(values[field], 64) // as share and whole made it
		return f
	}
	t := s.Categories[lessons.Category(values[namedField])]
	s.Categories[lessons.Category(values[namedField])] = Tally{t.N + 1, t.Sum + number(confidenceField)}
	s.Proof.Used += int(number(usedField))
	s.Proof.Helped += int(number(helpedField))
	s.Proof.Harmed += int(number(harmedField))
	if values[pinnedField] != "" {
		s.Proof.Pinned++
	}
}

// Projects counts the lessons of each project, as it is written, by their status.
//
// The errors to decide on are those of [Index.Search].
func (x *Index) Projects(ctx context.Context) (map[string]map[lessons.Status]int, error) {
	out := map[string]map[lessons.Status]int{}
	return out, x.view(ctx, func(r *reader) error {
		docs, err := r.docs(bleve.NewMatchAllQuery())
		if err != nil {
			return err
		}
		return r.values(docs, []string{writtenField, statusField}, func(_ int, values map[string]string) {
			project, ok := values[writtenField]
			if !ok {
				return
			}
			if out[project] == nil {
				out[project] = map[lessons.Status]int{}
			}
			out[project][lessons.Status(values[statusField])]++
		})
	})
}
