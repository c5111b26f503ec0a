package tui

import (
	"cmp"
	"maps"
	"slices"

	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/lessons/stance"
	"learnings/tui/kit"
)

// A queue is the proposals as they are shown: what the person decides is shown
// as done at once, and comes back when it could not be stored.
type queue struct {
	lane     lessons.Lane                      // the one that is shown
	rows     []lessons.Lesson                  // what it has; in that of duplicates, what each cluster would become
	lists    map[lessons.Lane][]lessons.Lesson // of all lanes but that of duplicates
	lanes    map[lessons.ID]lessons.Lane       // as they were when the queue was read: an edit moves nothing from under the cursor
	seen     map[lessons.Lane]lessons.ID       // where the cursor was
	clusters clusters
	found    []lessons.Lesson // all as the index gave them, with those that have left since
	outdated []lessons.Lesson // as they were found last
	hidden   waiting          // proposals that the filter leaves out
	partial  bool             // there is a filter
	home     lessons.Lane     // the lane before a search turned to another
	cur      kit.List
	marks    kit.Marks
	anchor   int                        // where a range of marks began; -1 for none
	away     map[lessons.ID]lessons.Rev // decided in this state, which the index may still show
	writes   map[lessons.ID]int         // changes under way of lessons that stay in the queue

	named  bool // groups are in the order of their names
	ranked bool // the rows are in an order that groups would break
	groups []queueGroup
	places map[lessons.Lane][]string // the order in which the projects of a lane stand
}

func (q queue) unmarked() queue {
	q.marks, q.anchor = nil, -1
	return q
}

// find returns the row of a lesson; -1 for none.
func (q queue) find(id lessons.ID) int {
	return slices.IndexFunc(q.rows, func(l lessons.Lesson) bool { return l.ID == id })
}

// get returns a lesson of any lane.
func (q queue) get(id lessons.ID) (lessons.Lesson, bool) {
	for _, ls := range q.lists {
		if i := slices.IndexFunc(ls, func(l lessons.Lesson) bool { return l.ID == id }); i >= 0 {
			return ls[i], true
		}
	}
	return lessons.Lesson{}, false
}

// stayed is another state of the queue with the cursor on the lesson where it is.
func (q queue) stayed(next queue) queue {
	at := q.cur.At
	next = next.resized(q.cur.H)
	if at < len(q.rows) {
		if i := next.find(q.rows[at].ID); i >= 0 {
			at = i
		}
	}
	next.cur = next.cur.To(at)
	return next
}

// set shows a lesson in another state.
func (q queue) set(i int, l lessons.Lesson) queue {
	q.rows = slices.Clone(q.rows)
	q.rows[i] = l
	q.lists = maps.Clone(q.lists)
	q.lists[q.lane] = q.rows
	return q
}

// restore shows lessons again where they were, with the cursor on the first of
// them, in its lane or in that of duplicates if this is shown and it is there. One that
// the index never gave comes where it belongs in a queue, or at the cursor when the rows
// are in another order.
func (q queue) restore(ls []lessons.Lesson, queued bool) queue {
	if len(ls) == 0 {
		return q
	}
	rank := make(map[lessons.ID]int, len(q.found))
	for i, l := range q.found {
		rank[l.ID] = i
	}
	at := len(q.found)
	if q.cur.At < len(q.rows) {
		if i, ok := rank[q.rows[q.cur.At].ID]; ok {
			at = i
		}
	}
	// place is twice the rank of a lesson, or of the one before which it comes, less one.
	place := func(l lessons.Lesson) int {
		if i, ok := rank[l.ID]; ok {
			return 2 * i
		} else if !queued {
			return 2*at - 1
		}
		for i := range q.found {
			o := &q.found[i]
			if o.Lane == l.Lane && belongs(o) == belongs(&l) && lessons.InQueue(l, *o) < 0 {
				return 2*i - 1
			}
		}
		return 2 * len(q.found)
	}
	order := func(a, b lessons.Lesson) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), lessons.InQueue(a, b))
	}
	first := slices.MinFunc(ls, order)
	q.lists = maps.Clone(q.lists)
	if q.lists == nil {
		q.lists = map[lessons.Lane][]lessons.Lesson{}
	}
	came := map[lessons.Lane][]lessons.Lesson{}
	for _, l := range ls {
		came[q.laneOf(&l)] = append(came[q.laneOf(&l)], l)
	}
	for lane, some := range came {
		all := slices.Concat(q.lists[lane], some)
		slices.SortStableFunc(all, order)
		q.lists[lane] = all
	}
	q.clusters = q.clusters.with(ls...)
	q = q.filled()
	if q.lane == curate.Duplicates {
		for id, x := range q.clusters.of {
			if slices.ContainsFunc(x.Lessons, func(l lessons.Lesson) bool { return l.ID == first.ID }) {
				q = q.resized(q.cur.H)
				q.cur = q.cur.To(q.find(id))
				return q
			}
		}
	}
	if lane := q.laneOf(&first); lane != q.lane {
		q = q.turn(lane)
	}
	q = q.resized(q.cur.H)
	q.cur = q.cur.To(q.find(first.ID))
	return q
}

// put shows other rows, with the cursor on the first of some lessons that is
// among them.
func (q queue) put(rows []lessons.Lesson, on ...lessons.ID) queue {
	q = q.laid(rows)
	q.found = nil
	for _, lane := range lessons.QueueLanes {
		q.found = append(q.found, q.lists[lane]...)
	}
	q = q.resized(q.cur.H)
	for _, id := range on {
		if i := q.find(id); i >= 0 {
			q.cur = q.cur.To(i)
			break
		}
	}
	return q
}

// without takes lessons out; the cursor stays at its place, which is the next
// lesson.
func (q queue) without(ls []lessons.Lesson) queue {
	q.away = maps.Clone(q.away)
	if q.away == nil {
		q.away = map[lessons.ID]lessons.Rev{}
	}
	for _, l := range ls {
		q.away[l.ID] = l.Rev
	}
	rows, at := q.rows, q.cur.At
	q.lists = maps.Clone(q.lists)
	for lane, some := range q.lists {
		if slices.ContainsFunc(some, q.isAway) {
			q.lists[lane] = slices.DeleteFunc(slices.Clone(some), q.isAway)
		}
	}
	q = q.filled()
	left := make(map[lessons.ID]bool, len(q.rows))
	for i := range q.rows {
		left[q.rows[i].ID] = true
	}
	before := 0
	for i := range rows[:min(at, len(rows))] {
		if !left[rows[i].ID] {
			before++
		}
	}
	q = q.resized(q.cur.H)
	q.cur = q.cur.To(at - before)
	return q
}

func (q queue) isAway(l lessons.Lesson) bool {
	rev, ok := q.away[l.ID]
	return ok && rev == l.Rev
}

// seenFresh is what was read of a lesson without what the person has decided on since,
// which the index still had.
func (q queue) seenFresh(m openedMsg) openedMsg {
	m.similar = slices.DeleteFunc(slices.Clone(m.similar), func(h index.Hit) bool { return q.isAway(h.Lesson) })
	m.against = slices.DeleteFunc(slices.Clone(m.against), func(c stance.Contrary) bool { return q.isAway(c.Lesson) })
	return m
}

// back lets lessons be seen again.
func (q queue) back(ids ...lessons.ID) queue {
	q.away = maps.Clone(q.away)
	for _, id := range ids {
		delete(q.away, id)
	}
	return q
}

// begin counts a change under way of some lessons, and end counts it as done.
func (q queue) begin(ls []lessons.Lesson) queue { return q.count(ls, 1) }
func (q queue) end(ls []lessons.Lesson) queue   { return q.count(ls, -1) }

func (q queue) count(ls []lessons.Lesson, by int) queue {
	q.writes = maps.Clone(q.writes)
	if q.writes == nil {
		q.writes = map[lessons.ID]int{}
	}
	for _, l := range ls {
		if q.writes[l.ID] += by; q.writes[l.ID] <= 0 {
			delete(q.writes, l.ID)
		}
	}
	return q
}
