package index

import (
	"context"
	"slices"
	"strings"
	"time"

	"learnings/lessons"
)

// A Ranker is a rule by which another program orders lessons.
type Ranker struct {
	Name  string // as a person asks for it
	About string // what it goes by, in a few words
	Share bool   // its scores are from 0 to 1

	// Rank orders the candidates of a question, best first. Those that the program
	// would not give are left out.
	Rank func(q Question, candidates []lessons.Lesson) []Place
}

// A Question is what lessons are wanted for.
type Question struct {
	Text string
	Now  time.Time

	// Near is how many of the candidates, from the first on, the index found by the
	// words of the question, best first. They stand in for what a program finds by
	// comparing vectors, which takes a model.
	Near int
}

// A Place is one candidate in an order.
type Place struct {
	At    int     // among the candidates
	Score float64 // more is better; its scale is that of the rule
}

// nearby is how many lessons of a search count as near.
const nearby = 50

// Ranked answers a query in the order of a ranker: its conditions say which lessons
// there are to choose from, and its words are the question. Match is the score, as a
// share of the best one where the rule's scores are no shares.
func (x *Index) Ranked(ctx context.Context, q Query, r Ranker) (Page, error) {
	words := q
	words.Sort, words.Offset, words.Limit = Relevance, 0, nearby
	near, err := x.Search(ctx, words)
	if err != nil {
		return Page{}, err
	}
	all := q
	all.Terms, all.Sort = slices.DeleteFunc(slices.Clone(q.Terms), func(t Term) bool { return !t.Not }), ""
	hits, err := x.All(ctx, all)
	if err != nil {
		return Page{}, err
	}
	question := Question{Text: q.typed(), Now: q.Now}
	var ls []lessons.Lesson
	seen := map[lessons.ID]bool{}
	if len(words.Terms) > 0 {
		for _, h := range near.Hits {
			seen[h.Lesson.ID] = true
			ls = append(ls, h.Lesson)
		}
		question.Near = len(ls)
	}
	for _, h := range hits {
		if !seen[h.Lesson.ID] {
			ls = append(ls, h.Lesson)
		}
	}
	order := r.Rank(question, ls)
	page := Page{Total: len(order)}
	top := 1.0
	if len(order) > 0 && !r.Share {
		top = order[0].Score
	}
	for _, p := range order[min(q.Offset, len(order)):] {
		if len(page.Hits) == q.Limit {
			break
		}
		page.Hits = append(page.Hits, Hit{Lesson: ls[p.At], Match: p.Score / top, Score: p.Score})
	}
	return page, nil
}

// typed gives the words of a query as they were typed.
func (q Query) typed() string {
	var words []string
	for _, t := range q.Terms {
		switch {
		case t.Not:
		case t.Phrase:
			words = append(words, `"`+t.Text+`"`)
		default:
			words = append(words, t.Text)
		}
	}
	return strings.Join(words, " ")
}
