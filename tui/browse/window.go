package browse

import (
	"context"
	"maps"

	"learnings/index"
	"learnings/lessons"
	"learnings/tui/desk"
	"learnings/tui/kit"
)

// A window is a long list that loads only the parts near the cursor, so that a hundred
// thousand lessons cost no more than a hundred.
type window struct {
	query    index.Query
	newest   kit.Newest
	current  func() bool // reports whether query is the latest
	answered bool        // total and parts belong to query, not to the previous one
	total    int
	cur      kit.List
	parts    map[int][]lessons.Lesson // by number, of partSize lessons each
	asked    map[int]bool
	err      error
}

// partSize exceeds the rows of most screens, and is small enough to arrive with the next
// frame: a search spends most of its time reading the lessons it returns.
const partSize = 32

// anew starts another query. The rows stay until the answer arrives.
func (w window) anew(q index.Query) window {
	w.query, w.current = q, w.newest.Next()
	w.asked, w.answered = nil, false
	return w
}

// want requests the visible parts and their neighbours, unless they were requested.
func (w window) want(fx desk.Desk) (window, kit.Out) {
	var o kit.Out
	rows := w.cur.H / w.cur.Each()
	first := max(w.cur.Top-rows/2, 0) / partSize
	last := max(min(w.cur.Top+3*max(rows, 1)/2, w.total-1), 0) / partSize
	for i := first; i <= last; i++ {
		if w.asked[i] {
			continue
		}
		asked := map[int]bool{i: true}
		maps.Copy(asked, w.asked)
		w.asked = asked
		q := w.query
		q.Offset, q.Limit = i*partSize, partSize
		if len(w.asked) == 1 {
			q.Count = facetOrder
		}
		o = o.And(kit.Run(kit.Asked(w.current, fx.Shared.Lists, func(ctx context.Context) kit.Then[Pane] {
			page, err := fx.Search(ctx, q)
			return func(p Pane) (Pane, kit.Out) { return p.found(i, page, err) }
		})))
	}
	return w, o
}

// with takes a part. The first one of a query replaces all parts of the previous query.
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

// at returns the lesson of a row, if it is loaded.
func (w window) at(i int) (lessons.Lesson, bool) {
	part := w.parts[i/partSize]
	if i < 0 || i%partSize >= len(part) {
		return lessons.Lesson{}, false
	}
	return part[i%partSize], true
}

// known returns all loaded lessons, in order.
func (w window) known() []lessons.Lesson {
	var ls []lessons.Lesson
	for i := 0; i*partSize < w.total; i++ {
		ls = append(ls, w.parts[i]...)
	}
	return ls
}
