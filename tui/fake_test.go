package tui

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/lessons/pairs"
	"learnings/lessons/store"
	"learnings/tui/desk"
)

var noon = time.Date(2026, 4, 6, 12, 0, 0, 0, time.UTC)

// A corpus is a real one in its own folder. Tags decide which lessons are similar, so
// that the tests do not depend on the weights of words.
type corpus struct {
	t testing.TB
	*curate.Corpus
}

func newCorpus(t testing.TB, ls ...lessons.Lesson) *corpus {
	t.Helper()
	dir, now := t.TempDir(), func() time.Time { return noon }
	s, err := store.Open(filepath.Join(dir, "corpus"), store.Options{State: filepath.Join(dir, "state"), Now: now})
	if err != nil {
		t.Fatal(err)
	}
	c := &corpus{t: t, Corpus: &curate.Corpus{Library: curate.Library{Store: s, Index: index.At(filepath.Join(dir, "index")), Now: now}, By: "Ada", Drafts: filepath.Join(dir, "drafts")}}
	if len(ls) > 0 {
		c.put(lessons.OpPropose, ls...)
	}
	if _, err := c.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	return c
}

func (c *corpus) get(id lessons.ID) lessons.Lesson {
	c.t.Helper()
	l, err := c.Store.Get(id)
	if err != nil {
		c.t.Fatal(err)
	}
	return l
}

// put stores lessons as another program does.
func (c *corpus) put(op lessons.Op, ls ...lessons.Lesson) {
	c.t.Helper()
	if _, err := c.Store.Put(store.Write{Op: op, By: "test"}, ls...); err != nil {
		c.t.Fatal(err)
	}
}

func (c *corpus) all() []lessons.Lesson {
	c.t.Helper()
	var all []lessons.Lesson
	for l, err := range c.Store.All() {
		if err != nil {
			c.t.Fatal(err)
		}
		all = append(all, l)
	}
	return all
}

func (c *corpus) Search(ctx context.Context, q index.Query) (index.Page, error) {
	return c.Index.Search(ctx, q)
}

func (c *corpus) Near(ctx context.Context, l lessons.Lesson, n int) ([]index.Hit, []pairs.Contrary) {
	var hits []index.Hit
	for _, o := range c.all() {
		if o.ID != l.ID && slices.ContainsFunc(o.Tags, func(t string) bool { return slices.Contains(l.Tags, t) }) {
			hits = append(hits, index.Hit{Lesson: o, Match: 0.62})
		}
	}
	slices.SortFunc(hits, func(a, b index.Hit) int { return cmp.Compare(a.Lesson.ID, b.Lesson.ID) })
	_, against := c.Corpus.Near(ctx, l, 0)
	return curate.Alike(hits[:min(n, len(hits))], against), against
}

// proposals returns one proposal of every kind that a card must show well.
func proposals() []lessons.Lesson {
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
	buf := mk("b3f8a2nn", "workflow", 0.9, "Run `buf breaking` after editing a .proto file", 900)
	buf.Status, buf.Tags = lessons.Approved, []string{"protobuf"}
	sec := mk("s5e9c4rt", "error-fix", 0.6, "EADDRINUSE 5432: stop the local postgres with token=abcdef123456 first", 5)
	sec.Evidence[0].By = lessons.ByTool
	return []lessons.Lesson{
		mk("p2r7e4fx", "preference", 0.8, "Prefer table tests", 1),
		mk("t8o3l6us", "tool-usage", 0.8, "bleve's bm25 is not BM25: keep the default scoring", 2),
		gen,
		mk("d9u4p2nm", "preference", 0.9, "Use pnpm instead of npm in this repository", 4),
		sec, buf,
	}
}

func fxOn(c *corpus) desk.Desk {
	fx := newEffects(desk.Config{Corpus: c.Corpus})
	fx.Look = c
	return fx
}

// npm returns a lesson that contradicts a proposal of the queue.
func npm() lessons.Lesson {
	l := proposals()[3]
	l.ID, l.Status, l.Content = "n1p2m3xx", lessons.Approved, "Use npm instead of pnpm in this repository"
	l.Created = noon.AddDate(0, -6, 0)
	l.Evidence[0].Line, l.Evidence[0].At, l.Evidence[0].Quote = 77, l.Created, "use npm here, pnpm breaks the deploy"
	l.Decided = lessons.Decision{By: "Ada", At: l.Created}
	return l
}
