package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/render"
	"learnings/cmd/internal/term"
	"learnings/index"
	"learnings/index/recall"
	"learnings/lessons"
)

type searchOptions struct {
	query string
	limit int
	all   bool
	each  []string // terms that must all be held; nil where words are searched for
	json  bool
}

func newSearch(a *app) *cobra.Command {
	var o searchOptions
	var each bool
	cmd := &cobra.Command{
		Use: "search QUERY…", Short: "Search the lessons",
		Long: "Search finds lessons by their words and by what they mean, best match first: the\n" +
			"index ranks them, and what has none of the words and means nearly the same is\n" +
			"marked. With --all each word must be in a lesson; with --each each argument is a\n" +
			"term that a lesson must hold, by its words or by what it means. Each hit has its\n" +
			"day and what reading it costs in tokens. Beside words it takes\n" +
			"\"a phrase\", this|that, -not, and conditions: kind:error conf:<0.6 project:x role:y tag:z\n" +
			"status:pending age:>30d used:0 sort:created. Without a status, rejected, merged\n" +
			"and archived lessons are left out. Put quotes around a query with a -not in it.",
		Example: "  learnings search bleve lock timeout\n  learnings search 'kind:error project:octofs conf:>0.7'\n  learnings search --each 'race condition' cache",
		Args:    nargs(1, -1, "something to search for"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.query = strings.Join(args, " "); each {
				o.each = args
			}
			return search(cmd.Context(), a, o)
		},
	}
	cmd.Flags().IntVarP(&o.limit, "limit", "n", 10, "at most so many; 0 for all, up to 10,000")
	cmd.Flags().BoolVar(&o.all, "all", false, "only lessons that have all of the words")
	cmd.Flags().BoolVar(&each, "each", false, "only lessons that hold each argument, in words or in meaning")
	takeStyle(cmd)
	cmd.Flags().BoolVar(&o.json, "json", false, "one JSON object a line, with \"match\", \"near\" and \"tokens\"")
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
		q.Limit = render.MostHits
	}
	q.AllWords, q.Meaning = o.all, index.Outstanding
	terms, err := index.TermsOf(o.each)
	if err != nil {
		return err
	}
	page, err := ask(ctx, a, func(ctx context.Context, x *index.Index) (index.Page, error) {
		if len(terms) > 0 {
			return x.Every(ctx, q, terms...)
		}
		return x.Search(ctx, q)
	})
	if err != nil {
		return err
	}
	if o.json {
		for i, h := range page.Hits {
			whole, err := a.library.Whole([]lessons.Lesson{h.Lesson})
			if err != nil {
				return err
			}
			if len(whole) == 1 {
				page.Hits[i].Lesson = whole[0]
			}
		}
	}
	return a.Give(render.Results(o.query, page, func(l lessons.Lesson) int { return recall.Choice{Lesson: l}.Tokens() }), o.json)
}
