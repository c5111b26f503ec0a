package index

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"learnings/lessons"
)

// This file counts lessons by the values of a field.

// A Facet says how lessons spread over the values of a field.
type Facet struct {
	Field  Field
	Values []Count // the most frequent first; names in lower case, except projects, which keep their spelling
}

// A Count is a name with its number of lessons.
type Count struct {
	Name string
	N    int
}

// Of returns the number of lessons that have the value.
func (f Facet) Of(name string) int {
	i := slices.IndexFunc(f.Values, func(c Count) bool { return c.Name == name })
	if i < 0 {
		return 0
	}
	return f.Values[i].N
}

// mostValues limits how many values of a field are counted.
const mostValues = 1000

// Facets counts how many lessons a query finds, and how many it would find with each value
// of the given fields. To count a field it drops the query's filters on that field and
// keeps all others. A lesson with several values, such as tags or a role and its base,
// counts once for each. A field must be one of Kind, Category, Project, Role, Status, Lane,
// Tag and By; others have no values.
//
// The errors to decide on are those of [Index.Search].
func (x *Index) Facets(ctx context.Context, q Query, fields ...Field) (total int, out []Facet, err error) {
	err = x.view(ctx, func(r *reader) error {
		total, out, err = r.facets(q.at(time.Now()), fields)
		return err
	})
	return total, out, err
}

func (r *reader) facets(q Query, fields []Field) (total int, out []Facet, err error) {
	free := slices.DeleteFunc(slices.Clone(fields), func(f Field) bool { return len(q.Chosen(f)) > 0 })
	total, counts, err := r.count(q, free...)
	for _, f := range fields {
		values, counted := counts[f]
		if !counted && err == nil {
			var one map[Field][]Count
			_, one, err = r.count(q.without(f), f)
			values = one[f]
		}
		out = append(out, Facet{f, values})
	}
	return total, out, err
}

// count returns how many lessons a query finds, and how many of them have each value of some
// fields.
func (r *reader) count(q Query, fields ...Field) (total int, out map[Field][]Count, err error) {
	in, err := r.found(q)
	if err != nil {
		return 0, nil, err
	}
	out = map[Field][]Count{}
	for _, f := range fields {
		name := f
		if f == Project {
			name = writtenField
		}
		counts := map[string]int{}
		if err := r.listed(string(name), "", "", func(value string, first uint64, docs []uint32) bool {
			n := 0
			for _, doc := range docs {
				if in.has(first + uint64(doc)) {
					n++
				}
			}
			if n > 0 {
				counts[value] += n
			}
			return true
		}); err != nil {
			return 0, nil, err
		}
		values := []Count{}
		for value, n := range counts {
			values = append(values, Count{value, n})
		}
		slices.SortFunc(values, func(a, b Count) int { return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Name, b.Name)) })
		values = values[:min(len(values), mostValues)]
		if f == Project {
			values = asWritten(values)
		}
		out[f] = values
	}
	return in.n(), out, nil
}

// asWritten adds up the counts of names that differ only in case, under the spelling that
// most lessons have.
func asWritten(all []Count) (out []Count) {
	at := map[string]int{}
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

// without returns the query with no filter that asks for a value of the field. It keeps
// what the query excludes.
func (q Query) without(f Field) Query {
	q.Filters = slices.DeleteFunc(slices.Clone(q.Filters), func(x Filter) bool { return x.Field == f && !x.Not })
	return q
}

// Chosen returns the values of a field that the query accepts, in the order in which they
// were asked for.
func (q Query) Chosen(f Field) []string {
	var out []string
	for _, x := range q.Filters {
		if x.Field == f && !x.Not {
			out = append(out, x.Value)
		}
	}
	return out
}

// Toggled returns the query with one more accepted value of a field, or without it if the
// query already accepts it.
func (q Query) Toggled(f Field, value string) Query {
	with := q.Where(f, value)
	is := with.Filters[len(with.Filters)-1]
	if !slices.Contains(q.Filters, is) {
		return with
	}
	q.Filters = slices.DeleteFunc(slices.Clone(q.Filters), func(x Filter) bool { return x == is })
	return q
}

// Waiting limits the query to the proposals that wait for a person, without the snoozed.
func (q Query) Waiting() Query {
	return q.Where(Status, string(lessons.Pending)).Where(Snoozed, "no")
}

// Waiting counts by lane the proposals that wait for a person, of those that a query finds.
// What waits is counted only here.
//
// The errors to decide on are those of [Index.Search].
func (x *Index) Waiting(ctx context.Context, q Query) (lessons.Waiting, error) {
	_, n, err := x.Facets(ctx, q.Waiting(), Lane)
	if err != nil {
		return nil, err
	}
	out := lessons.Waiting{}
	for _, v := range n[0].Values {
		out[lessons.Lane(v.Name)] = v.N
	}
	return out, nil
}

// Projects counts the lessons of each project by status. Projects keep their spelling.
//
// The errors to decide on are those of [Index.Search].
func (x *Index) Projects(ctx context.Context) (map[string]map[lessons.Status]int, error) {
	out := map[string]map[lessons.Status]int{}
	return out, x.view(ctx, func(r *reader) error {
		for _, s := range lessons.Statuses {
			_, counts, err := r.count(Query{}.Where(Status, string(s)), writtenField)
			if err != nil {
				return err
			}
			for _, v := range counts[writtenField] {
				if out[v.Name] == nil {
					out[v.Name] = map[lessons.Status]int{}
				}
				out[v.Name][s] = v.N
			}
		}
		return nil
	})
}
