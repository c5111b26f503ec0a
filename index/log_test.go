package index_test

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"time"

	"learnings/lessons"
)

var day0 = time.Date(2026, 10, 9, 8, 0, 0, 0, time.UTC)

// A sliceLog is a log in memory. Cursors are "name:n".
type sliceLog struct {
	name string

	mu      sync.Mutex
	changes []lessons.Change
}

func newLog(ls ...lessons.Lesson) *sliceLog {
	g := &sliceLog{name: "a"}
	g.put("add", ls...)
	return g
}

func (g *sliceLog) put(op lessons.Op, ls ...lessons.Lesson) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, l := range ls {
		g.changes = append(g.changes, lessons.Change{ID: l.ID, After: &l, Op: op, Cursor: g.cursor(len(g.changes) + 1)})
	}
}

// drop takes lessons away. A forgotten one is also gone from what came before.
func (g *sliceLog) drop(op lessons.Op, ids ...lessons.ID) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, id := range ids {
		for i := range g.changes {
			if op == "forget" && g.changes[i].ID == id {
				g.changes[i].Before, g.changes[i].After = nil, nil
			}
		}
		g.changes = append(g.changes, lessons.Change{ID: id, Op: op, Cursor: g.cursor(len(g.changes) + 1)})
	}
}

func (g *sliceLog) cursor(n int) lessons.Cursor {
	return lessons.Cursor(fmt.Sprintf("%s:%d", g.name, n))
}

func (g *sliceLog) Since(c lessons.Cursor) iter.Seq2[lessons.Change, error] {
	return func(yield func(lessons.Change, error) bool) {
		from := 0
		if c != "" {
			name, n, _ := strings.Cut(string(c), ":")
			var err error
			if from, err = strconv.Atoi(n); err != nil || name != g.name {
				yield(lessons.Change{}, lessons.ErrCursor)
				return
			}
		}
		g.mu.Lock()
		rest := g.changes[from:]
		g.mu.Unlock()
		last := map[lessons.ID]int{}
		for i, ch := range rest {
			last[ch.ID] = i
		}
		for i, ch := range rest {
			if c == "" && last[ch.ID] != i {
				continue // from the beginning there is one of each lesson, as it is
			}
			if !yield(ch, nil) {
				return
			}
		}
	}
}

// lesson makes an approved lesson.
func lesson(id, content string, set ...func(*lessons.Lesson)) lessons.Lesson {
	l := lessons.Lesson{
		ID: lessons.ID(id), Status: lessons.Approved, Category: "workflow", Confidence: 0.8,
		Wording: lessons.Wording{Content: content}, Scope: lessons.Scope{Project: "octofs", Role: "developer"},
		Created: day0,
	}
	for _, f := range set {
		f(&l)
	}
	return l
}

var verbs = strings.Fields("run check build restart delete migrate deploy review mock cache retry pin bump vendor format lint profile trace encrypt rotate")
var nouns = strings.Fields("server client proxy cache index schema token pipeline container cluster socket daemon queue worker ledger journal cursor parser lexer compiler linker registry mirror volume snapshot backup tunnel gateway router scheduler")

// corpus makes n lessons, the same every time.
func corpus(n int) []lessons.Lesson {
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(ws []string) string { return ws[r.IntN(len(ws))] }
	sentence := func(k int) string {
		var b strings.Builder
		for range k {
			fmt.Fprintf(&b, "%s the %s%d before you %s %s ", pick(verbs), pick(nouns), r.IntN(400), pick(verbs), pick(nouns))
		}
		return b.String()
	}
	out := make([]lessons.Lesson, n)
	for i := range out {
		out[i] = lessons.Lesson{
			ID: lessons.ID(fmt.Sprintf("m%07x", i)), Status: lessons.Approved, Category: lessons.Category([]string{"errors", "workflows", "tools"}[i%3]),
			Wording: lessons.Wording{Content: sentence(1), Insight: sentence(4), Example: "make " + pick(nouns)},
			Tags:    []string{pick(nouns), pick(nouns), pick(verbs)}, Triggers: []string{pick(verbs) + " " + pick(nouns)},
			Scope:      lessons.Scope{Project: fmt.Sprintf("project%02d", i%27), Role: []string{"developer", "reviewer", "operator"}[i%3]},
			Confidence: lessons.Confidence(r.IntN(60)+40) / 100, Created: day0.Add(time.Duration(i) * time.Minute),
			Evidence: []lessons.Evidence{{Session: "s", Path: "/p", Line: i + 1, By: lessons.ByPerson, Quote: sentence(1), Before: []string{sentence(10)}}},
		}
	}
	return out
}
