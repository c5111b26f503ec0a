package review

import (
	"maps"
	"slices"

	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/lessons/pairs"
	"learnings/tui/decide"
	"learnings/tui/desk"
	"learnings/tui/kit"
)

// A Queue is the proposals as shown. It shows decisions as done at once, and takes them
// back if they could not be stored.
type Queue struct {
	Lane     lessons.Lane                      // the current one
	Rows     []lessons.Lesson                  // of the current lane; for duplicates, what each cluster would become
	lists    map[lessons.Lane][]lessons.Lesson // all lanes but duplicates
	lanes    map[lessons.ID]lessons.Lane       // as of reading the queue, so that an edit moves no row
	guests   map[lessons.ID]bool               // what is shown as likely too and belongs to another lane
	seen     map[lessons.Lane]lessons.ID       // where the cursor was
	clusters clusters
	outdated []lessons.Lesson // as last found
	hidden   lessons.Waiting  // proposals hidden by the filter and the scope
	beyond   lessons.Waiting  // those hidden by the scope
	partial  bool             // there is a filter
	home     lessons.Lane     // the lane before a search changed it
	batch    batch
	project  string // the one the person is in; "" if unknown
	Cur      kit.List
	marks    kit.Marks
	anchor   int                        // where a range of marks began; -1 for none
	away     map[lessons.ID]lessons.Rev // decided in this revision; the index may still show them
	writes   map[lessons.ID]int         // pending changes of lessons that stay in the queue

	named  bool // groups are ordered by name
	ranked bool // grouping would break the order of the rows
	groups decide.Groups
	change map[lessons.ID]bool       // proposals that change an approved lesson, as of the last comparison
	places map[lessons.Lane][]string // the order of projects in each lane
}

func (q Queue) unmarked() Queue {
	q.marks, q.anchor = nil, -1
	return q
}

// find returns the row of a lesson; -1 for none.
func (q Queue) find(id lessons.ID) int {
	return slices.IndexFunc(q.Rows, func(l lessons.Lesson) bool { return l.ID == id })
}

// rowOf returns the row of a lesson or of its cluster; -1 for none.
func (q Queue) rowOf(id lessons.ID) int {
	is := func(l lessons.Lesson) bool { return l.ID == id }
	return slices.IndexFunc(q.Rows, func(l lessons.Lesson) bool {
		return is(l) || q.Lane == curate.Duplicates && slices.ContainsFunc(q.clusters.of[l.ID].Lessons, is)
	})
}

// get returns a lesson of any lane.
func (q Queue) get(id lessons.ID) (lessons.Lesson, bool) {
	for _, ls := range q.lists {
		if i := slices.IndexFunc(ls, func(l lessons.Lesson) bool { return l.ID == id }); i >= 0 {
			return ls[i], true
		}
	}
	return lessons.Lesson{}, false
}

// stayed returns next with the cursor on the same lesson.
func (q Queue) stayed(next Queue) Queue {
	at := q.Cur.At
	next = next.resized(q.Cur.H)
	if at < len(q.Rows) {
		if i := next.find(q.Rows[at].ID); i >= 0 {
			at = i
		}
	}
	next.Cur = next.Cur.To(at)
	return next
}

// set replaces the lesson in row i.
func (q Queue) set(i int, l lessons.Lesson) Queue {
	q.Rows = slices.Clone(q.Rows)
	q.Rows[i] = l
	q.lists = maps.Clone(q.lists)
	for lane, ls := range q.lists {
		if i := slices.IndexFunc(ls, func(old lessons.Lesson) bool { return old.ID == l.ID }); i >= 0 {
			ls = slices.Clone(ls)
			ls[i], q.lists[lane] = l, ls
		}
	}
	return q
}

// put replaces the rows and moves the cursor to the first lesson of on among them.
func (q Queue) put(rows []lessons.Lesson, on ...lessons.ID) Queue {
	q = q.laid(rows).resized(q.Cur.H)
	for _, id := range on {
		if i := q.rowOf(id); i >= 0 {
			q.Cur = q.Cur.To(i)
			break
		}
	}
	return q
}

// Without removes lessons. The cursor stays in place, on the next lesson.
func (q Queue) Without(ls []lessons.Lesson) Queue {
	q.away = kit.Own(q.away)
	q.guests = maps.Clone(q.guests)
	for _, l := range ls {
		q.away[l.ID] = l.Rev
		delete(q.guests, l.ID)
	}
	rows, at := q.Rows, q.Cur.At
	q.lists = maps.Clone(q.lists)
	for lane, some := range q.lists {
		if slices.ContainsFunc(some, q.isAway) {
			q.lists[lane] = slices.DeleteFunc(slices.Clone(some), q.isAway)
		}
	}
	q = q.filled()
	left := make(map[lessons.ID]bool, len(q.Rows))
	for i := range q.Rows {
		left[q.Rows[i].ID] = true
	}
	before := 0
	for i := range rows[:min(at, len(rows))] {
		if !left[rows[i].ID] {
			before++
		}
	}
	q = q.resized(q.Cur.H)
	q.Cur = q.Cur.To(at - before)
	return q
}

func (q Queue) isAway(l lessons.Lesson) bool {
	rev, ok := q.away[l.ID]
	return ok && rev == l.Rev
}

// SeenFresh removes from m the lessons decided on since, which the index still had.
func (q Queue) SeenFresh(m desk.Opened) desk.Opened {
	m.Similar = slices.DeleteFunc(slices.Clone(m.Similar), func(h index.Hit) bool { return q.isAway(h.Lesson) })
	m.Against = slices.DeleteFunc(slices.Clone(m.Against), func(c pairs.Contrary) bool { return q.isAway(c.Lesson) })
	return m
}

// back shows lessons again.
func (q Queue) back(ids ...lessons.ID) Queue {
	q.away = maps.Clone(q.away)
	for _, id := range ids {
		delete(q.away, id)
	}
	return q
}

// begin counts a pending change of lessons, and end counts it as done.
func (q Queue) begin(ls []lessons.Lesson) Queue { return q.count(ls, 1) }
func (q Queue) end(ls []lessons.Lesson) Queue   { return q.count(ls, -1) }

func (q Queue) count(ls []lessons.Lesson, by int) Queue {
	q.writes = kit.Own(q.writes)
	for _, l := range ls {
		if q.writes[l.ID] += by; q.writes[l.ID] <= 0 {
			delete(q.writes, l.ID)
		}
	}
	return q
}
