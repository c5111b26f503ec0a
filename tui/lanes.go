package tui

import (
	"cmp"
	"fmt"
	"slices"

	"learnings/lessons"
	"learnings/tui/look"
)

// This file folds the proposals that may be lessons away below those that likely
// are. Only what is not folded away is in the rows of the queue, so that no mark,
// key or filter acts on what is not shown.

// waiting says how many proposals wait in each lane.
type waiting struct{ likely, maybe int }

func waitingOf(lists ...[]lessons.Lesson) (n waiting) {
	for _, ls := range lists {
		for i := range ls { // by index: it is done for each frame, and a lesson is large
			if ls[i].Lane == lessons.Maybe {
				n.maybe++
			} else {
				n.likely++
			}
		}
	}
	return n
}

// less is how many more these are than others, and none where they are fewer.
func (n waiting) less(m waiting) waiting {
	return waiting{max(n.likely-m.likely, 0), max(n.maybe-m.maybe, 0)}
}

// waiting counts all proposals, those that are folded away or left out included.
func (q queue) waiting() waiting {
	n := waitingOf(q.rows, q.folded)
	return waiting{n.likely + q.hidden.likely, n.maybe + q.hidden.maybe}
}

// laid puts the likely proposals before the others, and folds these away unless
// they are to be seen.
func (q queue) laid(all []lessons.Lesson) queue {
	n := waitingOf(all).likely
	sorted := make([]lessons.Lesson, len(all))
	likely, maybe := 0, n
	for i := range all {
		to := &likely
		if all[i].Lane == lessons.Maybe {
			to = &maybe
		}
		sorted[*to] = all[i]
		*to++
	}
	if !q.ranked {
		byProject(sorted[:n])
		byProject(sorted[n:])
	}
	q.rows, q.folded = sorted[:n:n], sorted[n:]
	if q.unfolded {
		q.rows, q.folded = sorted, nil
	}
	return q
}

// byProject puts lessons of a project together, that of the first lesson first, and
// leaves the order within each.
func byProject(ls []lessons.Lesson) {
	rank := map[string]int{}
	for i := range ls {
		if p := belongs(&ls[i]); rank[p] == 0 {
			rank[p] = len(rank) + 1
		}
	}
	if len(rank) > 1 {
		slices.SortStableFunc(ls, func(a, b lessons.Lesson) int { return cmp.Compare(rank[belongs(&a)], rank[belongs(&b)]) })
	}
}

// belongs names the group of a lesson in the queue.
func belongs(l *lessons.Lesson) string {
	if l.Scope.Global || l.Scope.Project == "" {
		return "everywhere"
	}
	return l.Scope.Project
}

// resized gives the list its groups and h lines.
func (q queue) resized(h int) queue {
	q.groups = nil
	var head []int
	for i := range q.rows {
		if q.ranked {
			break
		}
		name := belongs(&q.rows[i])
		if q.rows[i].Lane == lessons.Maybe {
			name += " · maybe"
		}
		if n := len(q.groups); n == 0 || q.groups[n-1].name != name {
			q.groups = append(q.groups, queueGroup{name: name})
			head = append(head, i)
		}
		q.groups[len(q.groups)-1].n++
	}
	q.cur.head = head
	q.cur = q.cur.resize(q.places(), h)
	return q
}

// A queueGroup is some neighbours in the queue.
type queueGroup struct {
	name string
	n    int
}

// places are the lines of the list: the rows, and one that stands for what is folded
// away.
func (q queue) places() int {
	if len(q.folded) > 0 {
		return len(q.rows) + 1
	}
	return len(q.rows)
}

// onFold reports whether the cursor is on what is folded away.
func (q queue) onFold() bool { return len(q.folded) > 0 && q.cur.at >= len(q.rows) }

// turnFold unfolds what is folded away, with the cursor on the first of it, or folds
// it again.
func turnFold(p review) (review, out) {
	at, first := p.cur.at, len(p.rows)
	p.unfolded = len(p.folded) > 0
	p.queue = p.laid(slices.Concat(p.rows, p.folded))
	p.anchor = -1
	if !p.unfolded {
		p.marks = p.marks.with(false, p.folded...)
		first = at
	}
	p.queue = p.resized(p.listHeight())
	p.cur = p.cur.to(first)
	return p.look()
}

// unturnable says why there is nothing to fold or unfold.
func unturnable(p review) string {
	switch {
	case p.load.sifting():
		return "still filtering"
	case waitingOf(p.rows, p.folded).maybe == 0:
		return "no proposal that is shown is a maybe"
	}
	return ""
}

// foldRow stands at the end of the list for what is folded away.
func (q queue) foldRow(current bool, w int, st *look.Style) string {
	ink := st.Dim
	if current {
		ink = st.Strong
	}
	line := ends(edge(current, st)+ink.Render(fmt.Sprintf("▸ %s maybe", grouped(len(q.folded)))), st.Dim.Render("f shows them "), w)
	if current {
		return st.Select(line)
	}
	return line
}

// foldCard says what is folded away, in place of a card.
func (q queue) foldCard(w int, st *look.Style) []string {
	return paragraph(fmt.Sprintf("Less sure, and not counted as waiting: %s.\n\nf or enter shows what is folded away, and f folds it again. "+
		"Marks, filters and decisions act on what is shown only.", counted(len(q.folded), "proposal")), w, st.Dim)
}
