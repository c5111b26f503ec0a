package tui

import (
	"cmp"
	"maps"
	"slices"

	"learnings/lessons"
)

// A queue is the proposals as they are shown: what the person decides is shown
// as done at once, and comes back when it could not be stored.
type queue struct {
	rows   []lessons.Lesson
	folded []lessons.Lesson // those that may be lessons, while they are not shown
	found  []lessons.Lesson // all as the index gave them, with those that have left since
	hidden waiting          // proposals that the filter leaves out
	cur    list
	marks  marks
	anchor int                        // where a range of marks began; -1 for none
	away   map[lessons.ID]lessons.Rev // decided in this state, which the index may still show
	writes map[lessons.ID]int         // changes under way of lessons that stay in the queue

	unfolded bool // those that may be lessons are shown
	ranked   bool // the rows are in an order that groups would break
	groups   []queueGroup
}

func (q queue) unmarked() queue {
	q.marks, q.anchor = nil, -1
	return q
}

// find returns the row of a lesson; -1 for none.
func (q queue) find(id lessons.ID) int {
	return slices.IndexFunc(q.rows, func(l lessons.Lesson) bool { return l.ID == id })
}

// get returns a lesson that is shown or folded away.
func (q queue) get(id lessons.ID) (lessons.Lesson, bool) {
	for _, ls := range [][]lessons.Lesson{q.rows, q.folded} {
		if i := slices.IndexFunc(ls, func(l lessons.Lesson) bool { return l.ID == id }); i >= 0 {
			return ls[i], true
		}
	}
	return lessons.Lesson{}, false
}

// set shows a lesson in another state.
func (q queue) set(i int, l lessons.Lesson) queue {
	q.rows = slices.Clone(q.rows)
	q.rows[i] = l
	return q
}

// restore shows lessons again where they were, with the cursor on the first of
// them. One that the index never gave comes where it belongs in a queue, or at the
// cursor when the rows are in another order.
func (q queue) restore(ls []lessons.Lesson, queued bool) queue {
	if len(ls) == 0 {
		return q
	}
	rank := make(map[lessons.ID]int, len(q.found))
	for i, l := range q.found {
		rank[l.ID] = i
	}
	at := len(q.found)
	if q.cur.at < len(q.rows) {
		if i, ok := rank[q.rows[q.cur.at].ID]; ok {
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
			if o.Lane == lessons.Maybe && l.Lane != lessons.Maybe {
				return 2*i - 1
			}
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
	q.rows = slices.Concat(q.rows, ls)
	slices.SortStableFunc(q.rows, order)
	q.folded = slices.DeleteFunc(slices.Clone(q.folded), func(l lessons.Lesson) bool { return q.find(l.ID) >= 0 })
	q = q.resized(q.cur.h)
	q.cur = q.cur.to(q.find(first.ID))
	return q
}

// put shows other rows, with the cursor on the first of some lessons that is
// among them.
func (q queue) put(rows []lessons.Lesson, on ...lessons.ID) queue {
	end := q.onFold()
	q = q.laid(rows)
	q.found = slices.Concat(q.rows, q.folded)
	q = q.resized(q.cur.h)
	if end {
		q.cur = q.cur.to(q.cur.n)
	}
	for _, id := range on {
		if i := q.find(id); i >= 0 {
			q.cur = q.cur.to(i)
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
	before, at := 0, q.cur.at
	rows := make([]lessons.Lesson, 0, len(q.rows))
	for i, l := range q.rows {
		if !q.isAway(l) {
			rows = append(rows, l)
		} else if i < at {
			before++
		}
	}
	q.rows = rows
	q.folded = slices.DeleteFunc(slices.Clone(q.folded), q.isAway)
	q = q.resized(q.cur.h)
	q.cur = q.cur.to(at - before)
	return q
}

func (q queue) isAway(l lessons.Lesson) bool {
	rev, ok := q.away[l.ID]
	return ok && rev == l.Rev
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
