package index_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"learnings/index"
	"learnings/lessons"
)

// inFiles is an index of several files with deleted documents.
func inFiles(t *testing.T, lesson func(i int) lessons.Lesson) (*index.Index, *sliceLog) {
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
	update(t, x, log)
	return x, log
}

// TestScores holds the scores of many queries against those of bleve's searchers.
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
	x, log := inFiles(t, lesson)
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

// TestNarrowed asks for pages in each order, with the documents looked up by the terms that
// come first and by reading the keys of all.
func TestNarrowed(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	lesson := func(i int) lessons.Lesson {
		l := lessons.Lesson{
			ID: lessons.ID(fmt.Sprintf("id%04d", i)), Status: lessons.Statuses[i%2], Category: "error", Confidence: lessons.Confidence(float64(random.IntN(3)) / 2),
			Created: day0.Add(time.Duration(random.IntN(40)) * 20 * time.Minute), Wording: lessons.Wording{Content: "tests of testing"},
		}
		l.Use.Used = random.IntN(3)
		if i%50 == 0 {
			l.Created = time.Time{}
		}
		return l
	}
	x, _ := inFiles(t, lesson)
	for _, sort := range []index.Sort{index.Relevance, index.Score, index.Created, index.Confirmed, index.Used, index.Queue} {
		for _, text := range []string{"", "tes", "tests"} {
			for _, limit := range []int{1, 7, 40, 200} {
				q := index.Text(text)
				q.Sort, q.Prefix, q.AllWords, q.Limit, q.Offset = sort, true, true, limit, limit/2
				if limit == 7 {
					q = q.Where(index.Status, string(lessons.Statuses[0]))
				}
				ids := func(wide int) (ids []lessons.ID) {
					defer index.SetWide(wide)()
					page, err := x.Search(context.Background(), q)
					if err != nil {
						t.Fatal(err)
					}
					for _, h := range page.Hits {
						ids = append(ids, h.Lesson.ID)
					}
					return ids
				}
				if got, want := ids(1), ids(math.MaxInt); !slices.Equal(got, want) || len(got) == 0 {
					t.Errorf("%q by %v, %d from %d: %v, not %v", text, sort, limit, q.Offset, got, want)
				}
			}
		}
	}
}
