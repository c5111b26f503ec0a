package proof

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"learnings/lessons"
)

var april = time.Date(2026, 4, 5, 12, 0, 0, 0, time.UTC)

// judged are n decisions on proposals of one confidence, of which so many were right.
func judged(n, right int, score lessons.Confidence, project string) []Judged {
	out := make([]Judged, n)
	for i := range out {
		out[i] = Judged{ID: lessons.ID(fmt.Sprintf("%s-%d", project, i)), Extractor: "rules", Project: project, Kind: "forbids something", Score: score, Said: score, Right: i < right, At: april.Add(time.Duration(i) * time.Minute)}
	}
	return out
}

func TestConfidenceFollowsDecisions(t *testing.T) {
	for _, c := range []struct {
		n, right int
		score    lessons.Confidence
		low, top lessons.Confidence // between which the confidence then lies
	}{
		{0, 0, 0.70, 0.70, 0.70},
		{2, 0, 0.70, 0.50, 0.65}, // a few say little
		{100, 40, 0.70, 0.40, 0.43},
		{100, 90, 0.55, 0.85, 0.90},
		{100, 0, 0.50, 0.14, 0.15}, // no further than maxBias
	} {
		if at := Calibrate(judged(c.n, c.right, c.score, "a"), nil).At(c.score, "rules", "a"); at < c.low || at > c.top {
			t.Errorf("%d of %d right at %v: now %v, want between %v and %v", c.right, c.n, c.score, at, c.low, c.top)
		}
	}
}

func TestProjectsDiffer(t *testing.T) {
	c := Calibrate(slices.Concat(judged(60, 50, 0.6, "good"), judged(60, 10, 0.6, "bad")), nil)
	good, bad, other := c.At(0.6, "rules", "good"), c.At(0.6, "rules", "bad"), c.At(0.6, "rules", "new")
	if !(bad < other && other < good) {
		t.Errorf("good %v, new %v, bad %v", good, other, bad)
	}
	if m := c.At(0.6, "model:x", "bad"); m != 0.6 {
		t.Errorf("a model's confidence became %v by decisions on the rules'", m)
	}
}

// The order in which decisions are read tells nothing, and one that is undone is
// as if it had not been.
func TestSameDecisionsSameAnswer(t *testing.T) {
	js := slices.Concat(judged(30, 11, 0.6, "a"), judged(20, 19, 0.5, "b"))
	c := Calibrate(js, nil)
	back := slices.Clone(js)
	slices.Reverse(back)
	for _, p := range []string{"a", "b", ""} {
		if x, y := c.Bias("rules", p), Calibrate(back, nil).Bias("rules", p); math.Abs(x-y) > 1e-9 {
			t.Errorf("%s: %v in one order, %v in the other", p, x, y)
		}
	}
}

func TestLanes(t *testing.T) {
	proposal := func(score lessons.Confidence, lane lessons.Lane, by string) lessons.Lesson {
		return lessons.Lesson{Status: lessons.Pending, Confidence: score, Lane: lane, Scope: lessons.Scope{Project: "a"}, Origin: lessons.Origin{Extractor: by, Rule: "states what holds always"}}
	}
	strict, kind := Calibrate(judged(100, 30, 0.65, "a"), nil), Calibrate(judged(100, 90, 0.55, "a"), nil)
	if l := strict.Weigh(proposal(0.65, "", "rules"), lessons.LikelyAt); l.Lane != lessons.Maybe || l.Origin.Score != 0.65 {
		t.Errorf("%+v", l)
	}
	if l := kind.Weigh(proposal(0.55, lessons.Maybe, "rules"), lessons.LikelyAt); l.Lane != "" {
		t.Errorf("%+v", l)
	}
	known := proposal(0.55, lessons.Maybe, "rules")
	known.Origin.Stands = "CLAUDE.md:3"
	if l := kind.Weigh(known, lessons.LikelyAt); l.Lane != lessons.Maybe {
		t.Error("what CLAUDE.md says already is likely now")
	}
	if l := (Calibration{}).Weigh(proposal(0.5, "", "model:x"), lessons.LikelyAt); l.Lane != "" || l.Confidence != 0.5 {
		t.Errorf("without decisions: %+v", l)
	}
}

func TestHabits(t *testing.T) {
	js := judged(3, 1, 0.6, "a")
	js[1].Refusal, js[2].Refusal = lessons.OneOff, lessons.OneOff
	p := lessons.Lesson{Status: lessons.Pending, Confidence: 0.9, Origin: lessons.Origin{Extractor: "rules", Rule: "forbids something; said it before"}}
	c := Calibrate(js, nil)
	if hs := c.Habits(); len(hs) != 1 || hs[0].String() != "one-off: forbids something" || len(hs[0].From) != 2 {
		t.Fatalf("%+v", hs)
	}
	if l := c.Weigh(p, lessons.LikelyAt); l.Lane != lessons.Maybe || l.Origin.Rule != "forbids something; said it before; you rejected others like it as one-off" {
		t.Errorf("%+v", l)
	}
	if hs := Calibrate(js, []string{"one-off: forbids something"}).Habits(); len(hs) != 0 {
		t.Errorf("switched off: %+v", hs)
	}
	js[0].At = js[2].At.Add(time.Hour)
	if hs := Calibrate(append(js, judged(1, 1, 0.6, "b")...), nil).Habits(); len(hs) != 0 {
		t.Errorf("approved as often as rejected: %+v", hs)
	}
}

func TestWhatCounts(t *testing.T) {
	l := lessons.Lesson{Status: lessons.Rejected, Confidence: 0.6, Origin: lessons.Origin{Extractor: "rules", Score: 0.6}, Decided: lessons.Decision{By: "ada", At: april}}
	if _, ok := JudgedOf(l); !ok {
		t.Error("a rejection does not count")
	}
	twice := l
	twice.Decided.Reason = "duplicate of k7m2p9qx"
	waiting := l
	waiting.Status = lessons.Pending
	own := l
	own.Origin = lessons.Origin{Extractor: "person"}
	for name, l := range map[string]lessons.Lesson{"a duplicate": twice, "one that waits": waiting, "a person's": own} {
		if _, ok := JudgedOf(l); ok {
			t.Errorf("%s counts", name)
		}
	}
}
