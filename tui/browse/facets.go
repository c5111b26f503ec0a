package browse

import (
	"slices"
	"strings"

	"learnings/index"
	"learnings/lessons"
	"learnings/tui/kit"
)

// facets are the fields to sort lessons by, with their values and how many lessons each
// would leave. The choices are in the query, not here.
type facets struct {
	found map[index.Field][]index.Count
	more  map[index.Field]bool // show all values, not only the most frequent
	query index.Query          // the query that found belongs to
	rows  []facetRow
	cur   kit.List
}

// A facetRow is a value of a facet, or stands for the values not shown.
type facetRow struct {
	field index.Field
	name  string // "" for the rest
	n     int    // lessons; for the rest, values
	most  int    // lessons with the most frequent value of the field
	on    bool   // chosen
	alone bool   // no other value to compare it with
}

// facetOrder has the fields, and facetFew limits the values of each shown at first.
var (
	facetOrder = []index.Field{index.Category, index.Project, index.Role, index.Status}
	facetFew   = map[index.Field]int{index.Category: 8, index.Project: 6, index.Role: 4, index.Status: 5}
)

// counted takes the counts for a query.
func (f facets) counted(q index.Query, found []index.Facet) facets {
	f.query, f.found = q, map[index.Field][]index.Count{}
	for _, x := range found {
		f.found[x.Field] = x.Values
	}
	return f.laid()
}

// chosen shows the choices of a query before it is counted.
func (f facets) chosen(q index.Query) facets {
	f.query = q
	return f.laid()
}

// laid makes the rows. The cursor stays on its value.
func (f facets) laid() facets {
	was := f.Current()
	f.rows, f.cur.Head = nil, nil
	for _, field := range facetOrder {
		if rows := f.values(field); len(rows) > 0 {
			f.cur.Head = append(f.cur.Head, len(f.rows))
			f.rows = append(f.rows, rows...)
		}
	}
	f.cur = f.cur.Resize(len(f.rows), f.cur.H)
	if i := slices.IndexFunc(f.rows, func(r facetRow) bool { return r.field == was.field && r.name == was.name }); i >= 0 {
		f.cur = f.cur.To(i)
	}
	return f
}

// values returns the rows of a field: the chosen values, the most frequent ones, and the
// number of others.
func (f facets) values(field index.Field) []facetRow {
	all := f.found[field]
	chosen := func(name string) bool {
		return slices.ContainsFunc(f.query.Chosen(field), func(v string) bool { return strings.EqualFold(v, name) })
	}
	for _, v := range f.query.Chosen(field) {
		if !slices.ContainsFunc(all, func(c index.Count) bool { return strings.EqualFold(c.Name, v) }) {
			all = append(slices.Clip(all), index.Count{Name: v})
		}
	}
	var rows []facetRow
	rest, most := 0, 0
	for _, c := range all {
		most = max(most, c.N)
		switch on := chosen(c.Name); {
		case c.Name == "":
		case len(rows) >= facetFew[field] && !f.more[field] && !on:
			rest++
		default:
			rows = append(rows, facetRow{field: field, name: c.Name, n: c.N, on: on})
		}
	}
	for i := range rows {
		rows[i].most, rows[i].alone = most, len(all) < 2
	}
	if rest > 0 || f.more[field] && len(rows) > facetFew[field] {
		rows = append(rows, facetRow{field: field, n: rest})
	}
	return rows
}

func (f facets) Current() facetRow {
	if f.cur.At >= len(f.rows) {
		return facetRow{}
	}
	return f.rows[f.cur.At]
}

// unfolded shows all values of a field, or only the most frequent ones.
func (f facets) unfolded(field index.Field) facets {
	f.more = kit.Own(f.more)
	f.more[field] = !f.more[field]
	return f.laid()
}

// steps returns the path above the list: the parts of a query in words.
func steps(q index.Query) []string {
	var out []string
	for _, f := range []index.Field{index.Project, index.Kind, index.Category, index.Role, index.Status} {
		if on := q.Chosen(f); len(on) > 0 {
			out = append(out, strings.Join(on, " or "))
		}
	}
	if ids := q.Chosen(index.ID); len(ids) > 2 {
		out = append(out, kit.LessonsOf(len(ids))+" by id")
		for _, id := range ids {
			q = q.Toggled(index.ID, id)
		}
	}
	rest := q
	rest.Sort = ""
	rest.Filters = slices.DeleteFunc(slices.Clone(q.Filters), func(x index.Filter) bool {
		return !x.Not && slices.Contains([]index.Field{index.Project, index.Kind, index.Category, index.Role, index.Status}, x.Field)
	})
	if s := rest.String(); s != "" {
		out = append(out, s)
	}
	for i := range out {
		out[i] = lessons.Line(out[i])
	}
	return out
}
