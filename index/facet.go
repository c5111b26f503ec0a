package index

import (
	"context"
	"slices"
	"time"

	"github.com/blevesearch/bleve/v2"
)

// A Facet says how lessons spread over the values of a field.
type Facet struct {
	Field  Field
	Values []Count // the most frequent first; names in lower case, those of projects as they are written
}

// faceted are the fields that lessons can be sorted by, and where their values stand.
var faceted = map[Field]string{
	Kind: shelfField, Category: categoryField, Project: writtenField, Role: rolesField, Status: statusField, Lane: laneField, Tag: tagField, By: byField,
}

// mostValues is how many values of a field are counted.
const mostValues = 1000

// Facets counts how many lessons a query finds, and how many it would find with each
// value of some fields: the filters that it has on a field are left out where the values
// of that field are counted, and those on all others hold. Of a lesson with several
// values, such as tags or a role and its base, each counts. A field must be one of Kind,
// Category, Project, Role, Status, Lane, Tag and By; others have no values.
//
// The errors to decide on are those of [Index.Search].
func (x *Index) Facets(ctx context.Context, q Query, fields ...Field) (total int, out []Facet, err error) {
	if q.Now.IsZero() {
		q.Now = time.Now()
	}
	out = make([]Facet, len(fields))
	err = x.view(ctx, func(b bleve.Index) error {
		snap, done, err := snapshot(b)
		if err != nil {
			return searchError(ctx, err)
		}
		defer done()
		all := newSets(ctx, b, snap)
		docs, err := all.find(q.request())
		if err != nil {
			return searchError(ctx, err)
		}
		total = sizeOf(docs)
		for i, f := range fields {
			within := docs
			if other := q.without(f); len(other.Filters) != len(q.Filters) {
				if within, err = all.find(other.request()); err != nil {
					return searchError(ctx, err)
				}
			}
			values, err := tally(snap, within, faceted[f], mostValues)
			if err != nil {
				return searchError(ctx, err)
			}
			if f == Project {
				values = asWritten(values)
			}
			out[i] = Facet{f, values}
		}
		return nil
	})
	return total, out, err
}

// without is the query with no filter that asks for a value of a field; what it
// excludes stays excluded.
func (q Query) without(f Field) Query {
	q.Filters = slices.DeleteFunc(slices.Clone(q.Filters), func(x Filter) bool { return x.Field == f && !x.Not })
	return q
}

// Chosen are the values of a field of which a lesson must have one, in the order in which
// they were asked for.
func (q Query) Chosen(f Field) []string {
	var out []string
	for _, x := range q.Filters {
		if x.Field == f && !x.Not {
			out = append(out, x.Value)
		}
	}
	return out
}

// Toggled is the query with one more value of a field to choose from, or with one less
// if it has that value.
func (q Query) Toggled(f Field, value string) Query {
	with := q.Where(f, value)
	is := with.Filters[len(with.Filters)-1]
	if !slices.Contains(q.Filters, is) {
		return with
	}
	q.Filters = slices.DeleteFunc(slices.Clone(q.Filters), func(x Filter) bool { return x == is })
	return q
}
