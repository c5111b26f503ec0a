package main

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/style"
	"learnings/cmd/internal/term"
	"learnings/cmd/internal/view"
	"learnings/index"
	"learnings/index/rank"
	"learnings/lessons"
)

type searchOptions struct {
	query  string
	ranker string
	style  string
	limit  int
	json   bool
}

func newSearch(a *app) *cobra.Command {
	var o searchOptions
	cmd := &cobra.Command{
		Use: "search QUERY…", Short: "Search the lessons",
		Long: "Search finds lessons by their words, best match first. Beside words it takes\n" +
			"\"a phrase\", -not, and conditions: kind:error conf:<0.6 project:x role:y tag:z\n" +
			"status:pending age:>30d used:0 sort:created. Without a status, rejected, merged\n" +
			"and archived lessons are left out. Put quotes around a query with a -not in it.",
		Example: "  learnings search bleve lock timeout\n  learnings search 'kind:error project:octofs conf:>0.7'",
		Args:    nargs(1, -1, "something to search for"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.query = strings.Join(args, " ")
			return search(cmd.Context(), a, o)
		},
	}
	cmd.Flags().IntVarP(&o.limit, "limit", "n", 10, "at most so many; 0 for all, up to 10,000")
	cmd.Flags().StringVar(&o.ranker, "ranker", "", "the order of another program: "+rank.Names())
	styleFlag(cmd, &o.style)
	cmd.Flags().BoolVar(&o.json, "json", false, "one JSON object a line, with \"match\"")
	return cmd
}

func search(ctx context.Context, a *app, o searchOptions) error {
	q, err := index.ParseQuery(o.query)
	if err != nil {
		return term.Hint(term.Usagef("%v", err), "`learnings search --help` shows the language")
	}
	if !q.Has(index.Status) {
		q = q.Where(index.Status, string(lessons.Approved)).Where(index.Status, string(lessons.Pending))
	}
	if q.Limit, q.Now = o.limit, a.now(); q.Limit == 0 {
		q.Limit = view.MostHits
	}
	r, err := ranker(o.ranker)
	if err != nil {
		return err
	}
	page, err := ask(ctx, a, func(ctx context.Context, x *index.Index) (index.Page, error) {
		if r != nil {
			return x.Ranked(ctx, q, *r)
		}
		return x.Search(ctx, q)
	})
	if err != nil {
		return err
	}
	if o.style != "" && !o.json {
		return a.Give(style.AmplihackHits(o.query, page), false)
	}
	if o.json {
		for i, h := range page.Hits {
			whole, err := a.curation.Whole([]lessons.Lesson{h.Lesson})
			if err != nil {
				return err
			}
			if len(whole) == 1 {
				page.Hits[i].Lesson = whole[0]
			}
		}
	}
	return a.Give(term.List[index.Hit]{Items: page.Hits, Page: results{o.query, page}.show, Cells: hitCells, Object: hitObject}, o.json)
}

// ranker gives the order of a name, nil for none.
func ranker(name string) (*index.Ranker, error) {
	r, ok := rank.Named(name)
	switch {
	case ok:
		return &r, nil
	case name != "":
		return nil, term.Usagef("there is no ranker %q; there are %s", name, rank.Names())
	}
	return nil, nil
}

// results are what a search found.
type results struct {
	query string
	page  index.Page
}

const insightLength = 200 // characters, as in the /learnings command

func (r results) show(p *term.Page) {
	p.Heading(2, "Search Results for: %q", r.query)
	for i, h := range r.page.Hits {
		l := h.Lesson
		mark := ""
		if l.Status != lessons.Approved {
			mark = fmt.Sprintf(" [%s]", l.Status)
		}
		p.Strong("### %d. %s: %s (Match: %.0f%%)%s", i+1, l.Category, l.Content, h.Match*100, mark)
		p.Line("%s · %s · %s %s", l.ID, view.Scope(l.Scope), l.Confidence, l.Confidence.Word())
		if words := view.Keywords(l, 5); words != "" {
			p.Line("**Keywords:** %s", words)
		}
		if s := lessons.Line(l.Insight); s != "" {
			p.Text("", "**Insight:** "+cut(s, insightLength))
		}
		fmt.Fprintln(p.W)
	}
	p.Line("**Found:** %s", term.Plural(r.page.Total, "matching learning"))
	if more := r.page.Total - len(r.page.Hits); more > 0 {
		p.Line("… %d of them not shown: --limit %d", more, r.page.Total)
	}
}

// cut shortens to n characters, with three dots for the rest.
func cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n]) + "..."
}

func hitCells(h index.Hit) []string {
	l := h.Lesson
	return []string{string(l.ID), fmt.Sprintf("%.2f", h.Match), string(l.Status), string(l.Category), l.Scope.Project, l.Confidence.String(), l.Content}
}

func hitObject(h index.Hit) any {
	return struct {
		lessons.Record
		Match float64 `json:"match"` // how well it fits the query
	}{h.Lesson.Record(), h.Match}
}
