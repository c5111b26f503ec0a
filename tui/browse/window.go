package browse

import (
	"context"
	"maps"

	"learnings/index"
	"learnings/lessons"
	"learnings/tui/desk"
	"learnings/tui/kit"
)

// A window is a long list of which only the parts that were looked at are known, so
// that a hundred thousand lessons cost no more than a hundred.
type window struct {
	query    index.Query
	newest   kit.Newest
	current  func() bool // the query is the last one
	answered bool        // total and parts are of the query, not of the one before
	total    int
	cur      kit.List
	parts    map[int][]lessons.Lesson // by number, each of partSize
	asked    map[int]bool
	err      error
}

// partSize is more than most screens have rows, and so few that they come with the next
// frame: most of the time of a search is to read the lessons that it gives.
const partSize = 32

// anew begins another query. What is on the screen stays until the answer is
// there.
func (w window) anew(q index.Query) window {
	w.query, w.current = q, w.newest.Next()
	w.asked, w.answered = nil, false
	return w
}

// want asks for the parts that are in sight or next to it, unless they were asked
// for.
func (w window) want(fx desk.Desk) (window, kit.Out) {
	var o kit.Out
	first := max(w.cur.Top-w.cur.H/2, 0) / partSize
	last := max(min(w.cur.Top+3*max(w.cur.H, 1)/2, w.total-1), 0) / partSize
	for i := first; i <= last; i++ {
		if w.asked[i] {
			continue
		}
		asked := map[int]bool{i: true}
		maps.Copy(asked, w.asked)
		w.asked = asked
		q := w.query
		q.Offset, q.Limit = i*partSize, partSize
		o = o.And(kit.Run(kit.Asked(w.current, fx.Shared.Lists, func(ctx context.Context) kit.Then[Pane] {
			page, err := fx.Search(ctx, q)
			return func(p Pane) (Pane, kit.Out) { return p.found(i, page, err) }
		})))
	}
	return w, o
}

// with takes a part. The first one of a new query replaces all that was known of the
// old one.
func (w window) with(part int, page index.Page) window {
	parts := map[int][]lessons.Lesson{}
	if w.answered {
		maps.Copy(parts, w.parts)
	}
	parts[part] = page.Shown()
	w.parts, w.total, w.answered, w.err = parts, page.Total, true, nil
	w.cur = w.cur.Resize(w.total, w.cur.H)
	return w
}

// at is the lesson of a row, if it is known.
func (w window) at(i int) (lessons.Lesson, bool) {
	part := w.parts[i/partSize]
	if i < 0 || i%partSize >= len(part) {
		return lessons.Lesson{}, false
	}
	return part[i%partSize], true
}

// known are all lessons that are known, in order.
func (w window) known() []lessons.Lesson {
	var ls []lessons.Lesson
	for i := 0; i*partSize < w.total; i++ {
		ls = append(ls, w.parts[i]...)
	}
	return ls
}
