package index

import (
	"context"
	"fmt"
	"slices"

	"learnings/lessons"
)

// An Unmet is a filter for a name that no lesson of any status has.
type Unmet struct {
	Filter
	Near string // what was probably meant; "" if nothing is like it
}

func (u Unmet) String() string {
	said := fmt.Sprintf("no lesson has %s:%s", u.Field, u.Value)
	if u.Near != "" {
		said += fmt.Sprintf("; did you mean %s:%s?", u.Field, u.Near)
	}
	return said
}

// Unmet returns the filters of a query that are for a name which no lesson has, as after a
// typing error. A category that the program knows is none of them.
func (x *Index) Unmet(ctx context.Context, q Query) (out []Unmet, err error) {
	for _, f := range q.Filters {
		category := f.Field == Kind || f.Field == Category
		if !category && !slices.Contains([]Field{Project, Role, Tag, By}, f.Field) || category && lessons.Category(f.Value).Known() {
			continue
		}
		f.Not = false
		n, facets, err := x.Facets(ctx, Query{Filters: []Filter{f}}, f.Field)
		if err != nil {
			return nil, err
		}
		if n > 0 {
			continue
		}
		var names []string
		for _, v := range facets[0].Values {
			names = append(names, v.Name)
		}
		if category {
			for _, s := range lessons.Shelves {
				for _, c := range s.Categories() {
					names = append(names, string(c))
				}
			}
		}
		near, _ := lessons.Nearest(f.Value, names)
		out = append(out, Unmet{f, near})
	}
	return out, nil
}
