package index_test

import (
	"fmt"
	"strings"
	"testing"

	"learnings/index"
	"learnings/lessons"
)

// Each count of a facet is what choosing the value would leave, with any other choices.
func TestFacets(t *testing.T) {
	var ls []lessons.Lesson
	for i := range 60 {
		l := lesson(fmt.Sprintf("f%02d", i), "Run the tests of "+[]string{"ingest", "export"}[i%2])
		l.Scope.Project = []string{"Shop", "shop", "ledger"}[i%3]
		l.Scope.Role = []string{"developer", "developer:go", "reviewer", ""}[i%4]
		l.Category = []lessons.Category{"error", "bugfix", "preference", "odd"}[i%4]
		l.Status = []lessons.Status{lessons.Approved, lessons.Approved, lessons.Rejected, lessons.Pending, lessons.Archived}[i%5]
		l.Tags = [][]string{{"ci"}, {"ci", "go"}, nil}[i%3]
		ls = append(ls, l)
	}
	x := fill(t, ls...)
	fields := []index.Field{index.Kind, index.Category, index.Project, index.Role, index.Status, index.Tag}
	for _, text := range []string{"", "status:approved", "status:approved status:pending project:shop", "kind:error role:developer export", "-tag:ci project:none"} {
		q, err := index.ParseQuery(text)
		if err != nil {
			t.Fatal(err)
		}
		q.AllWords = true
		total, facets, err := x.Facets(t.Context(), q, fields...)
		if err != nil {
			t.Fatal(err)
		}
		want := []index.Query{q}
		var names []string
		got := []int{total}
		for _, f := range facets {
			for _, v := range f.Values {
				alone := q
				for _, chosen := range q.Chosen(f.Field) {
					alone = alone.Toggled(f.Field, chosen)
				}
				want, got, names = append(want, alone.Toggled(f.Field, v.Name)), append(got, v.N), append(names, string(f.Field)+":"+v.Name)
			}
		}
		pages, err := x.Pages(t.Context(), want...)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range pages {
			if p.Total != got[i] {
				t.Errorf("%q: %s counts %d and leaves %d", text, append([]string{"all"}, names...)[i], got[i], p.Total)
			}
		}
		if all := strings.Join(names, " "); text == "" && (!strings.Contains(all, "project:Shop") || strings.Contains(all, "project:shop") || !strings.Contains(all, "tag:go")) {
			t.Errorf("values: %s", all)
		}
	}
}
