package outcomes

import (
	"fmt"
	"math"
	"testing"
	"time"

	"learnings/lessons"
	"learnings/lessons/given"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// The intervals are those that others have published.
func TestIntervals(t *testing.T) {
	near := func(a, b float64) bool { return math.Abs(a-b) < 0.0006 }
	for _, c := range []struct {
		s   Share
		low float64
	}{{Share{1, 1}, .207}, {Share{3, 3}, .438}, {Share{10, 10}, .722}, {Share{5, 7}, .359}, {Share{20, 25}, .609}, {Share{0, 2}, 0}} {
		if low, high := c.s.Interval(); !near(low, c.low) || high <= low || high > 1 {
			t.Errorf("%+v: %.4f to %.4f", c.s, low, high)
		}
	}
	// Newcombe's own first example.
	by, low, high := Less(Share{56, 70}, Share{48, 80})
	if !near(by, .2) || !near(low, .0524) || !near(high, .3339) {
		t.Errorf("%.4f, %.4f to %.4f", by, low, high)
	}
	if _, low, high := Less(Share{}, Share{1, 2}); low != -1 || high != 1 {
		t.Errorf("of nothing: %v to %v", low, high)
	}
}

// The last reading of a transcript counts.
func TestLog(t *testing.T) {
	l := Log{t.TempDir()}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for i := range 200 {
		must(l.Append(Reading{Session: "s1", File: "a", Size: int64(i)}, Reading{Session: "s2", File: "b", At: noon}))
	}
	all, err := l.All()
	must(err)
	if len(all) != 2 || all[0].Size != 199 || all[1].Session != "s2" {
		t.Errorf("%d, %+v", len(all), all[1:])
	}
}

// BenchmarkBook counts 100,000 injections in 50,000 sessions.
func BenchmarkBook(b *testing.B) {
	state := b.TempDir()
	var r []Reading
	for i := range 100_000 {
		id := []lessons.ID{lessons.ID(fmt.Sprintf("lesson%02d", i%50)), "another"}
		session := fmt.Sprintf("%08x-0000-4000-8000-%012x", i/2, i/2)
		if err := given.Append(state, given.Record{At: noon.Add(time.Duration(i) * time.Second), Session: session[:1+i%3], Event: "user-prompt", Project: "shop", Lessons: id}); err != nil {
			b.Fatal(err)
		}
		if i%20 == 0 {
			r = append(r, Reading{Session: session, File: session + ".jsonl", Project: "shop", At: noon, Lessons: []Came{{ID: id[0], Times: 1}}})
		}
	}
	if err := (Log{state}).Append(r...); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		book, err := Open(state, noon)
		if err != nil {
			b.Fatal(err)
		}
		if f := book.Of(lessons.Lesson{ID: "another"}, Mistake{}); f.Times != 100_000 {
			b.Fatalf("%d", f.Times)
		}
	}
}
