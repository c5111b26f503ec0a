package index

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/blevesearch/bleve/v2"

	"learnings/lessons"
)

// Outlines finds every lesson of a query, oldest first, whatever its order and
// page are. It takes a fifth of the time and memory of [Index.All].
//
// The errors to decide on are those of [Index.Search].
func (x *Index) Outlines(ctx context.Context, q Query) (out []lessons.Outline, err error) {
	err = x.view(ctx, func(r *reader) error {
		docs, err := r.docs(q.at(time.Now()).request())
		if err == nil {
			out, err = r.outlines(docs)
		}
		return err
	})
	slices.SortFunc(out, func(a, b lessons.Outline) int {
		return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID))
	})
	return out, err
}

// Brief finds the lessons of a page as [Index.Search] does, and gives their outlines. What
// the words mean does not count, neither for what is found nor for the order.
//
// The errors to decide on are those of [Index.Search].
func Brief(ctx context.Context, x *Index, q Query) (out []lessons.Outline, err error) {
	q = q.at(time.Now())
	err = x.view(ctx, func(r *reader) error {
		if err := q.narrow(r); err != nil {
			return err
		}
		found, _, err := r.top(q.request(), q.order(), q.from()+q.size())
		if err == nil {
			out, err = r.outlines(docsOf(found[min(q.from(), len(found)):]))
		}
		return err
	})
	return out, err
}

// Each calls f with every lesson of a query, as [Hit] has it: in no order, on all cores,
// and one at a time in memory for each. Offset and Limit do not count.
//
// The errors to decide on are those of [Index.Search].
func (x *Index) Each(ctx context.Context, q Query, f func(lessons.Lesson)) error {
	return x.view(ctx, func(r *reader) error {
		docs, err := r.docs(q.at(time.Now()).request())
		if err != nil {
			return err
		}
		return r.stored(docs, lessonField, func(_ int, value []byte) error {
			var l lessons.Lesson
			if err := json.Unmarshal(value, &l); err != nil {
				return err
			}
			f(l)
			return nil
		})
	})
}

// Named finds lessons by their ids, as [Hit] has them. Those that are not in the index
// are left out.
//
// The errors to decide on are those of [Index.Search].
func (x *Index) Named(ctx context.Context, ids []lessons.ID) (map[lessons.ID]lessons.Lesson, error) {
	out := make(map[lessons.ID]lessons.Lesson, len(ids))
	err := x.view(ctx, func(r *reader) error {
		docs, err := r.docs(bleve.NewDocIDQuery(words(ids)))
		if err != nil {
			return err
		}
		found, err := r.lessons(docs)
		for _, l := range found {
			out[l.ID] = l
		}
		return err
	})
	return out, err
}
