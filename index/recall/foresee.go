package recall

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"learnings/index"
	"learnings/lessons"
)

// A Prospect is what the sessions of a lesson's project are given once it is approved.
type Prospect struct {
	Block  []Choice // that a session begins with where nothing is known of its task; best first, and only what is in
	Budget Budget   // of the block
	Tokens int      // of the block as it is written
	Trials []Trial
}

// A Trial is what one prompt brings up of a lesson.
type Trial struct {
	Prompt string
	Rank   int    // the lesson's among those that the prompt brings, from 1; 0 where it is not among them
	Of     int    // how many it brings
	Why    string // it is not among them
}

// Foresee tells what approving a lesson would do, by choosing as sessions do: the block
// that they begin with, within a budget, and what each of some prompts brings.
// The lesson is given as it would be then.
func Foresee(ctx context.Context, x Searcher, confirm Confirm, l lessons.Lesson, s Situation, b Budget, prompts []string) (Prospect, error) {
	x = supposing{x, l}
	pick := Picker(func(s Situation, b Budget, _ bool) ([]Choice, error) {
		return Pick(ctx, x, func(c lessons.Lesson) (lessons.Lesson, error) {
			if c.ID == l.ID || confirm == nil {
				return c, nil
			}
			return confirm(c)
		}, s, b)
	})
	b = b.OrDefault()
	p := Prospect{Budget: b.AtStart()}
	all, err := pick.Whole(s, "", b)
	if err != nil {
		return p, fmt.Errorf("choosing what a session begins with: %v", err)
	}
	p.Block = slices.DeleteFunc(all, func(c Choice) bool { return !c.In })
	p.Tokens = Tokens(text(p.Block, Style{Project: s.Project}))
	for _, prompt := range prompts {
		all, err := pick.About(s, prompt, nil, b.Lessons)
		if err != nil {
			return p, fmt.Errorf("choosing for “%s”: %v", prompt, err)
		}
		t := Trial{Prompt: prompt, Why: "nothing of it in the words"}
		for _, c := range all {
			switch mine := c.Lesson.ID == l.ID; {
			case c.In:
				if t.Of++; mine {
					t.Rank = t.Of
				}
			case mine:
				t.Why = c.Why
			}
		}
		p.Trials = append(p.Trials, t)
	}
	return p, nil
}

// supposing answers as a searcher would if a lesson were approved.
type supposing struct {
	Searcher
	lesson lessons.Lesson
}

// deep is how many are asked for among which there are proposals that do not count.
const deep = 400

func (x supposing) Pages(ctx context.Context, queries ...index.Query) ([]index.Page, error) {
	asked := slices.Clone(queries)
	for _, q := range queries {
		asked = append(asked, x.asWell(q))
	}
	pages, err := x.Searcher.Pages(ctx, asked...)
	if err != nil {
		return nil, err
	}
	out, with := pages[:len(queries):len(queries)], pages[len(queries):]
	for i, q := range queries {
		at := slices.IndexFunc(with[i].Hits, x.is)
		if at < 0 || slices.ContainsFunc(out[i].Hits, x.is) || !x.holds(q) {
			continue
		}
		if q.Order() == index.Relevance { // scores are a share of the best one's of their page
			page := with[i]
			page.Hits = slices.DeleteFunc(slices.Clone(page.Hits), func(h index.Hit) bool { return h.Lesson.Status != lessons.Approved && !x.is(h) })
			if best := page.Hits[0].Score; best > 0 {
				for k := range page.Hits {
					page.Hits[k].Score /= best
				}
			}
			page.Hits = page.Hits[:min(len(page.Hits), q.Limit)]
			out[i] = page
		} else {
			out[i].Hits = x.put(out[i].Hits, with[i].Hits[at], q)
			out[i].Total++
		}
		for k, h := range out[i].Hits {
			if x.is(h) {
				out[i].Hits[k].Lesson = x.lesson
			}
		}
	}
	return out, nil
}

// Shared finds the lesson, too.
func (x supposing) Shared(ctx context.Context, q index.Query, words []string, most int, judge index.Judge) (index.Sharing, error) {
	out, err := x.Searcher.Shared(ctx, q, words, most, judge)
	named := func(l lessons.Lesson) bool { return l.ID == x.lesson.ID }
	if err == nil && !slices.ContainsFunc(out.Lessons, named) {
		if out.With == nil {
			out.With = map[string]int{}
		}
		own := map[string]bool{}
		for _, t := range append([]string{x.lesson.Content, x.lesson.Insight}, x.lesson.Triggers...) {
			put(own, t, bodyWords)
		}
		for _, w := range words {
			if own[w] {
				out.With[w]++
			}
		}
		out.Lessons = append(out.Lessons, x.lesson)
		out.Of++
	}
	return out, err
}

func (x supposing) is(h index.Hit) bool { return h.Lesson.ID == x.lesson.ID }

// asWell is a query that finds the lesson, too, as it is now.
func (x supposing) asWell(q index.Query) index.Query {
	q.Filters = slices.DeleteFunc(slices.Clone(q.Filters), func(f index.Filter) bool {
		return f.Field == index.Status || f.Field == index.Pinned || f.Field == index.Placed
	})
	if q.Order() != index.Relevance {
		q.Limit = 1
		return q.Where(index.ID, string(x.lesson.ID))
	}
	q.Limit = max(q.Limit, deep)
	return q.Where(index.Status, string(lessons.Approved)).Where(index.Status, string(lessons.Pending))
}

// holds reports whether the lesson meets what approving it may have changed.
func (x supposing) holds(q index.Query) bool {
	for _, f := range q.Filters {
		switch f.Field {
		case index.Pinned:
			if x.lesson.Pinned != (f.Value == "yes") {
				return false
			}
		case index.Placed:
			if (len(x.lesson.Limit.Paths) > 0) != (f.Value == "yes") {
				return false
			}
		case index.Status:
			if !strings.EqualFold(f.Value, string(x.lesson.Status)) {
				return false
			}
		}
	}
	return true
}

// put puts a hit at its place in the order of a query.
func (x supposing) put(hits []index.Hit, h index.Hit, q index.Query) []index.Hit {
	before := func(o index.Hit) bool {
		if q.Order() == index.Confirmed {
			return x.lesson.Confirmed().After(o.Lesson.Confirmed())
		}
		return x.lesson.Confidence > o.Lesson.Confidence
	}
	at := slices.IndexFunc(hits, before)
	if at < 0 {
		at = len(hits)
	}
	return slices.Insert(slices.Clone(hits), at, h)
}
