package index

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/blevesearch/bleve/v2"
)

// A Facet says how lessons spread over the values of a field.
type Facet struct {
	Field  Field
	Values []Count // the most frequent first; names in lower case, those of projects as they are written
}

// A Count is a name with its number of lessons.
type Count struct {
	Name string
	N    int
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
	q = q.at(time.Now())
	out = make([]Facet, len(fields))
	err = x.view(ctx, func(r *reader) error {
		docs, err := r.docs(q.request())
		total = len(docs)
		for i, f := range fields {
			if err != nil {
				return err
			}
			out[i].Field = f
			out[i].Values, err = r.facet(q.without(f), f)
		}
		return err
	})
	return total, out, err
}

// facet counts the lessons of a query by the values of a field.
func (r *reader) facet(q Query, f Field) ([]Count, error) {
	req := bleve.NewSearchRequestOptions(q.request(), 0, 0, false)
	req.Score = "none"
	req.AddFacet("", bleve.NewFacetRequest(faceted[f], mostValues))
	res, err := r.b.SearchInContext(r.ctx, req)
	if err != nil {
		return nil, err
	}
	var values []Count
	for _, t := range res.Facets[""].Terms.Terms() {
		values = append(values, Count{t.Term, t.Count})
	}
	if f == Project {
		values = asWritten(values)
	}
	return values, nil
}

// asWritten counts together the names that differ in their case alone, under the
// spelling that most lessons have.
func asWritten(all []Count) []Count {
	at := map[string]int{}
	var out []Count
	for _, c := range all { // the most frequent come first
		key := strings.ToLower(c.Name)
		if i, ok := at[key]; ok {
			out[i].N += c.N
			continue
		}
		at[key] = len(out)
		out = append(out, c)
	}
	slices.SortStableFunc(out, func(a, b Count) int {
		return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)))
	})
	return out
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
