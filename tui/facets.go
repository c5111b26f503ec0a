package tui

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"learnings/index"
	"learnings/lessons"
	"learnings/tui/kit"
)

// facets are the ways in which Browse sorts lessons, one below the other in an order that
// the person chooses: each value with how many lessons choosing it would leave. What is
// chosen is in the query, not here.
type facets struct {
	order []index.Field
	found map[index.Field][]index.Count
	more  map[index.Field]bool // all values are shown, not the most frequent ones alone
	query index.Query          // of which found are the counts
	names map[string]string    // of shelves, where all lessons of one were seen to have one category
	rows  []facetRow
	cur   kit.List
	err   error
}

// A facetRow is a line of the facets.
type facetRow struct {
	part  facetPart
	field index.Field
	name  string // of a value
	n     int    // lessons; of the rest, values
	most  int    // lessons that the most frequent value of the field has
	on    bool   // chosen
}

type facetPart int

const (
	facetGap facetPart = iota
	facetHead
	facetValue
	facetRest // the values that are not shown
)

// facetFew is how many values of a field are shown before the person asks for more.
var facetFew = map[index.Field]int{index.Kind: 8, index.Project: 6, index.Role: 4, index.Status: 5}

func newFacets() facets {
	return facets{order: []index.Field{index.Kind, index.Project, index.Role, index.Status}}
}

// facetName is what a field of facets is called on the screen.
func facetName(f index.Field) string {
	if f == index.Kind {
		return "category"
	}
	return string(f)
}

// counted takes counts, which are of a query.
func (f facets) counted(q index.Query, found []index.Facet) facets {
	f.query, f.err = q, nil
	f.found = map[index.Field][]index.Count{}
	for _, x := range found {
		f.found[x.Field] = x.Values
	}
	f.names = shelfNames(f.names, f.found[index.Kind], f.found[index.Category])
	f.found[index.Kind] = called(f.found[index.Kind], f.names)
	return f.laid()
}

// shelfNames adds to the names of shelves those of which one category is counted. A shelf of
// which none is, because another one is chosen, keeps its name.
func shelfNames(was map[string]string, shelves, categories []index.Count) map[string]string {
	names := maps.Clone(was)
	if names == nil {
		names = map[string]string{}
	}
	for _, s := range shelves {
		var within []string
		for _, c := range categories {
			if string(lessons.Category(c.Name).Shelf()) == s.Name {
				within = append(within, c.Name)
			}
		}
		switch len(within) {
		case 0:
		case 1:
			names[s.Name] = within[0]
		default:
			delete(names, s.Name)
		}
	}
	return names
}

// called gives shelves the name of their only category, as the lessons have it.
func called(shelves []index.Count, names map[string]string) []index.Count {
	out := slices.Clone(shelves)
	for i, s := range shelves {
		out[i].Name = cmp.Or(names[s.Name], s.Name)
	}
	return out
}

// asked is the value of a field in a query by which a value of the facets is chosen; ""
// for none.
func asked(q index.Query, field index.Field, name string) string {
	for _, v := range q.Chosen(field) {
		shelf := lessons.Category(v).Shelf()
		if strings.EqualFold(v, name) || field == index.Kind && shelf != lessons.Other && shelf == lessons.Category(name).Shelf() {
			return v
		}
	}
	return ""
}

// chosen shows what a query chooses, before it has been counted.
func (f facets) chosen(q index.Query) facets {
	f.query = q
	return f.laid()
}

// laid makes the rows anew and stays on the same one.
func (f facets) laid() facets {
	was, at := f.current(), f.cur.At
	f.rows = nil
	for i, field := range f.order {
		if i > 0 {
			f.rows = append(f.rows, facetRow{})
		}
		f.rows = append(f.rows, facetRow{part: facetHead, field: field})
		f.rows = append(f.rows, f.values(field)...)
	}
	f.cur = f.cur.Resize(len(f.rows), f.cur.H).To(at)
	for i, r := range f.rows {
		if r.part == was.part && r.field == was.field && r.name == was.name && r.part != facetGap {
			f.cur = f.cur.To(i)
		}
	}
	if f.current().part == facetGap {
		f.cur = f.cur.To(0)
	}
	return f
}

// values are the rows of a field: what is chosen whatever its place, the most frequent
// ones, and how many more there are.
func (f facets) values(field index.Field) []facetRow {
	all := f.found[field]
	is := func(name string) bool { return asked(f.query, field, name) != "" }
	for _, v := range f.query.Chosen(field) {
		if !slices.ContainsFunc(all, func(c index.Count) bool { return asked(f.query, field, c.Name) == v }) {
			all = append(slices.Clip(all), index.Count{Name: v})
		}
	}
	var rows []facetRow
	rest, most := 0, 0
	for _, c := range all {
		most = max(most, c.N)
		switch {
		case c.Name == "":
			continue
		case len(rows) >= facetFew[field] && !f.more[field] && !is(c.Name):
			rest++
			continue
		}
		rows = append(rows, facetRow{part: facetValue, field: field, name: c.Name, n: c.N, on: is(c.Name)})
	}
	for i := range rows {
		rows[i].most = most
	}
	if rest > 0 || f.more[field] && len(rows) > facetFew[field] {
		rows = append(rows, facetRow{part: facetRest, field: field, n: rest})
	}
	return rows
}

func (f facets) current() facetRow {
	if f.cur.At >= len(f.rows) {
		return facetRow{}
	}
	return f.rows[f.cur.At]
}

// moved goes to a row, over a gap to the next one in the direction of the move.
func (f facets) moved(to kit.List) facets {
	down := to.At >= f.cur.At
	f.cur = to
	if f.current().part == facetGap {
		by := -1
		if down {
			by = 1
		}
		f.cur = f.cur.Move(by)
	}
	return f
}

// unfolded shows all values of a field, or the most frequent ones alone.
func (f facets) unfolded(field index.Field) facets {
	more := map[index.Field]bool{}
	for k, v := range f.more {
		more[k] = v
	}
	more[field] = !more[field]
	f.more = more
	return f.laid()
}

// raised puts the field of the current row one place up, the first one last.
func (f facets) raised() facets {
	i := slices.Index(f.order, f.current().field)
	if i < 0 {
		return f
	}
	order := slices.Delete(slices.Clone(f.order), i, i+1)
	if i == 0 {
		f.order = append(order, f.order[0])
	} else {
		f.order = slices.Insert(order, i-1, f.order[i])
	}
	return f.laid()
}

// A step is a part of the path above the list: what a query asks for, in the words of the
// screen.
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
