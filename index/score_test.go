package index_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"learnings/index"
	"learnings/lessons"
)

// TestScores holds the scores of many queries against those of bleve's searchers, in an
// index of several files with deleted documents.
func TestScores(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	vocabulary := strings.Fields("run test tests testing tester go.mod mod lockFile lock file build 日本語 parse_query query")
	some := func(most int) string {
		words := make([]string, 1+random.IntN(most))
		for i := range words {
			words[i] = vocabulary[min(random.IntN(len(vocabulary)), random.IntN(len(vocabulary)))]
		}
		return strings.Join(words, " ")
	}
	lesson := func(i int) lessons.Lesson {
		return lessons.Lesson{
			ID: lessons.ID(fmt.Sprintf("id%04d", i)), Status: lessons.Statuses[i%2], Category: "error", Scope: lessons.Scope{Project: fmt.Sprint("p", i%3)},
			Wording: lessons.Wording{Content: some(9), Insight: some(5)},
		}
	}
	x, log := index.At(t.TempDir()), newLog()
	for i := range 300 {
		log.put("add", lesson(i))
		if i%100 == 50 {
			update(t, x, log)
		}
	}
	for i := range 40 {
		log.put("edit", lesson(i*7))
	}
	log.put("add", lessons.Lesson{ID: "alone", Status: lessons.Approved, Category: "error", Wording: lessons.Wording{Content: "once"}})
	update(t, x, log)
	for i := range 300 {
		q := index.Text(some(4))
		q.Prefix = i%2 == 0
		q.AllWords = i%7 == 0
		if i%3 == 0 {
			q = q.Where(index.Status, string(lessons.Statuses[i%2]))
		}
		if i%5 == 0 {
			q = q.Where(index.For, "p1")
		}
		if i == 0 {
			q = index.Text("once nowhere")
		}
		ours, theirs, err := index.Scores(context.Background(), x, q)
		if err != nil {
			t.Fatalf("%+v: %v", q, err)
		}
		if len(ours) != len(theirs) || i < 10 && len(ours) == 0 {
			t.Fatalf("%+v: %d lessons have a score, not %d", q, len(ours), len(theirs))
		}
		ratio := 0.0
		for doc, score := range ours {
			if ratio == 0 {
				ratio = score / theirs[doc]
			}
			if got := score / theirs[doc]; math.Abs(got/ratio-1) > 1e-9 {
				t.Errorf("%+v: document %d has %g where bleve has %g; another one is %g of bleve's", q, doc, score, theirs[doc], ratio)
			}
		}
	}
}
