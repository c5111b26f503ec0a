package tui

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"learnings/index"
	"learnings/lessons"
)

var noon = time.Date(2026, 4, 6, 12, 0, 0, 0, time.UTC)

// A corpus is a store and an index in memory, for tests of panes alone.
// Journeys run on the real ones.
type corpus struct {
	mu   sync.Mutex
	all  map[lessons.ID]lessons.Lesson
	rev  int
	done [][]lessons.Change // for undo
	back [][]lessons.Change // for redo
}

func newCorpus(ls ...lessons.Lesson) *corpus {
	c := &corpus{all: map[lessons.ID]lessons.Lesson{}}
	for _, l := range ls {
		c.set(&l)
	}
	return c
}

// set stores a lesson with a new revision.
func (c *corpus) set(l *lessons.Lesson) {
	c.rev++
	l.Rev = lessons.Rev(fmt.Sprint(c.rev))
	c.all[l.ID] = *l
}

func (c *corpus) desk() desk {
	return desk{get: c.get, put: c.put, history: c.history, undo: c.undo, redo: c.redo, search: c.search, all: c.every, similar: c.similar, count: c.count,
		sync: func(context.Context) (int, bool, error) { return 0, false, nil }, moved: func(context.Context) bool { return false }}
}

func (c *corpus) get(id lessons.ID) (lessons.Lesson, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	l, ok := c.all[id]
	if !ok {
		return l, lessons.ErrNotFound
	}
	return l, nil
}

func (c *corpus) put(op string, ls ...lessons.Lesson) ([]lessons.Lesson, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, l := range ls {
		if c.all[l.ID].Rev != l.Rev {
			return nil, fmt.Errorf("%s: %w", l.ID, lessons.ErrConflict)
		}
	}
	var changes []lessons.Change
	ls = slices.Clone(ls)
	for i := range ls {
		before := c.all[ls[i].ID]
		c.set(&ls[i])
		changes = append(changes, lessons.Change{ID: ls[i].ID, Op: lessons.Op(op), Before: &before, After: &ls[i]})
	}
	c.done, c.back = append(c.done, changes), nil
	return ls, nil
}

func (c *corpus) history(id lessons.ID) (all []lessons.Change, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, changes := range c.done {
		for _, ch := range changes {
			if ch.ID == id {
				ch.By, ch.At = "Ada", noon
				all = append(all, ch)
			}
		}
	}
	return all, nil
}

func (c *corpus) undo() ([]lessons.Change, error) { return c.swap(&c.done, &c.back) }
func (c *corpus) redo() ([]lessons.Change, error) { return c.swap(&c.back, &c.done) }

func (c *corpus) swap(from, to *[][]lessons.Change) ([]lessons.Change, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(*from) == 0 {
		return nil, nil
	}
	last := (*from)[len(*from)-1]
	*from = (*from)[:len(*from)-1]
	var changes []lessons.Change
	for _, ch := range last {
		l := *ch.Before
		c.set(&l)
		changes = append(changes, lessons.Change{ID: l.ID, Before: ch.After, After: &l})
	}
	*to = append(*to, changes)
	return changes, nil
}

func (c *corpus) every(ctx context.Context, q index.Query) ([]index.Hit, error) {
	q.Limit = len(c.all)
	p, err := c.search(ctx, q)
	return p.Hits, err
}

// search knows filters on the status, and words.
func (c *corpus) search(_ context.Context, q index.Query) (index.Page, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var found []lessons.Lesson
	for _, l := range slices.SortedFunc(maps.Values(c.all), func(a, b lessons.Lesson) int {
		return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(a.ID, b.ID))
	}) {
		if matches(l, q) {
			found = append(found, l)
		}
	}
	p := index.Page{Total: len(found)}
	for _, l := range found[min(q.Offset, len(found)):min(q.Offset+q.Limit, len(found))] {
		p.Hits = append(p.Hits, index.Hit{Lesson: l})
	}
	return p, nil
}

// count knows statuses, projects, roles and shelves.
func (c *corpus) count(_ context.Context, q index.Query) (index.Counts, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var n index.Counts
	projects, roles, shelves := map[string]int{}, map[string]int{}, map[string]int{}
	for _, l := range c.all {
		if matches(l, q) {
			n.Total++
			projects[l.Scope.Project]++
			roles[l.Scope.Role]++
			shelves[string(l.Category.Shelf())]++
		}
	}
	n.Projects, n.Roles, n.Shelves = counts(projects), counts(roles), counts(shelves)
	return n, nil
}

func counts(of map[string]int) []index.Count {
	var all []index.Count
	for _, name := range slices.Sorted(maps.Keys(of)) {
		all = append(all, index.Count{Name: name, N: of[name]})
	}
	return all
}

func matches(l lessons.Lesson, q index.Query) bool {
	has := map[index.Field]string{index.Status: string(l.Status), index.Project: l.Scope.Project, index.Role: l.Scope.Role, index.Kind: string(l.Category.Shelf())}
	for _, f := range q.Filters {
		if v, ok := has[f.Field]; ok && f.Value != v {
			return false
		}
	}
	for _, t := range q.Terms {
		if !strings.Contains(strings.ToLower(l.Content), strings.ToLower(t.Text)) {
			return false
		}
	}
	return true
}

func (c *corpus) similar(_ context.Context, l lessons.Lesson, n int) ([]index.Hit, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var hits []index.Hit
	for _, o := range c.all {
		if o.ID != l.ID && slices.ContainsFunc(o.Tags, func(t string) bool { return slices.Contains(l.Tags, t) }) {
			hits = append(hits, index.Hit{Lesson: o, Match: 0.62})
		}
	}
	slices.SortFunc(hits, func(a, b index.Hit) int { return cmp.Compare(a.Lesson.ID, b.Lesson.ID) })
	return hits[:min(n, len(hits))], nil
}

// queue are proposals of every kind that a card must show well.
func queue() []lessons.Lesson {
	said := func(line int, quote string, at time.Time) []lessons.Evidence {
		return []lessons.Evidence{{Agent: "claude-code", Session: "0b51d8e2-7c1f", Path: "/s/0b51d8e2.jsonl", Line: line, By: lessons.ByPerson, From: "human", At: at, Quote: quote,
			Before: []string{"agent: I changed api/user.proto and the handler."}, After: []string{"agent: Running make generate now."}}}
	}
	mk := func(id lessons.ID, cat lessons.Category, c lessons.Confidence, content string, age int) lessons.Lesson {
		at := noon.Add(-time.Duration(age) * time.Hour)
		return lessons.Lesson{ID: id, Status: lessons.Pending, Category: cat, Wording: lessons.Wording{Content: content}, Confidence: c,
			Scope: lessons.Scope{Project: "octofs", Role: "developer"}, Created: at, Evidence: said(1400+age, "please: "+content, at),
			Origin: lessons.Origin{Extractor: "rules", Rule: "a person corrected the agent"}}
	}
	gen := mk("k7m2p9qx", "correction", 0.85, "Run `make generate` after editing any .proto file; CI fails on a stale client", 3)
	gen.Insight = "The generated client is checked in; CI compares it."
	gen.Example = "make generate && git diff --exit-code gen/"
	gen.Tags, gen.Triggers = []string{"protobuf", "codegen"}, []string{"proto", "generate"}
	gen.Evidence[0].Quote = "you forgot to regenerate again, always run make generate after proto edits"
	buf := mk("b3f8a2nn", "workflow", 0.9, "Run `buf generate` after editing a .proto file", 900)
	buf.Status, buf.Tags = lessons.Approved, []string{"protobuf"}
	sec := mk("s5e9c4rt", "error-fix", 0.6, "EADDRINUSE 5432: stop the local postgres with token=abcdef123456 first", 5)
	sec.Evidence[0].By = lessons.ByTool
	return []lessons.Lesson{
		mk("p2r7e4fx", "preference", 0.8, "Prefer table tests", 1),
		mk("t8o3l6us", "tool-usage", 0.7, "bleve's bm25 is not BM25: keep the default scoring", 2),
		gen,
		mk("d9u4p2nm", "preference", 0.9, "Use pnpm instead of npm in this repository", 4),
		sec, buf,
	}
}

func fxOn(c *corpus) effects {
	return effects{Config: Config{By: "Ada", Now: func() time.Time { return noon }}, desk: c.desk(), shared: newShared()}
}

// npm says the opposite of a proposal of the queue.
func npm() lessons.Lesson {
	l := queue()[3]
	l.ID, l.Status, l.Content = "n1p2m3xx", lessons.Approved, "Use npm instead of pnpm in this repository"
	l.Created = noon.AddDate(0, -6, 0)
	l.Evidence[0].Line, l.Evidence[0].At, l.Evidence[0].Quote = 77, l.Created, "use npm here, pnpm breaks the deploy"
	l.Decided = lessons.Decision{By: "Ada", At: l.Created}
	return l
}
