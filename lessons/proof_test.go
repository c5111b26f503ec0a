package lessons

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var noon = time.Date(2026, 4, 5, 12, 0, 0, 0, time.UTC)

func days(n float64) time.Time { return noon.Add(time.Duration(n * 24 * float64(time.Hour))) }

func proposed(c Confidence) Lesson {
	return Lesson{ID: "a", Status: Approved, Wording: Wording{Content: "Use tabs"}, Confidence: c, Created: noon}
}

// TestProofFigures holds the model to figures that were computed by hand.
func TestProofFigures(t *testing.T) {
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 0.0051 {
			t.Errorf("%s is %.4f, want %.4f", what, got, want)
		}
	}
	l := proposed(0.6)
	near("mean of the prior", float64(l.Mean(noon)), 0.6)
	near("bound of the prior", l.Bound(noon), 0.6-math.Sqrt(0.24/5))

	h := Helpful
	h.At = noon
	l = l.Observed(h)
	near("mean after help", float64(l.Mean(noon)), 3.4/5)
	near("stored confidence", float64(l.Confidence), 3.4/5)
	near("half as much after 180 days", float64(l.Mean(days(180))), 2.9/4.5)

	c := Corrected
	c.At = days(180)
	l = l.Observed(c)
	near("mean after a correction", float64(l.Confidence), 2.9/6.5)
	near("bound after a correction", l.Bound(days(180)), 2.9/6.5-math.Sqrt(2.9*3.6/(6.5*6.5*7.5)))
	if l.Use.Helped != 1 || l.Use.Harmed != 1 || l.Proof.Outcomes != 2 {
		t.Errorf("counted %+v, %d outcomes", l.Use, l.Proof.Outcomes)
	}

	l = l.Rated(0.9)
	if l.Confidence != 0.9 || l.Mean(days(999)) != 0.9 || l.Observed(c).Confidence != 0.9 {
		t.Errorf("a person's own confidence did not stay: %+v", l)
	}
	near("bound of a person's own", l.Bound(noon), 0.9-math.Sqrt(0.09/5))
	near("computed again", float64(l.Unrated().Confidence), 2.9/6.5)

	if l := proposed(0.6).Rated(0.2).Unrated(); l.Confidence != 0.6 || (l.Proof != Proof{}) {
		t.Errorf("taking back one's own confidence leaves %+v", l.Proof)
	}
}

func TestConfirmations(t *testing.T) {
	l := proposed(0.6)
	l.Status = Pending
	for i, at := range []time.Time{days(1), days(8), days(40)} {
		var err error
		if l, err = l.Approve(Decision{By: "Ann", At: at}); err != nil {
			t.Fatal(err)
		}
		if l.Proof.Confirmations != i || !l.Proof.Confirmed.Equal(at) {
			t.Errorf("after approval %d: %+v", i+1, l.Proof)
		}
	}
	if f := l.Freshness(days(40)); f != 1 {
		t.Errorf("freshness %v of what was confirmed now", f)
	}
	l.Pinned = true
	if f := l.Freshness(days(4000)); f != 1 {
		t.Errorf("freshness %v of what is pinned", f)
	}
}

// genOutcomes are outcomes in any order of time.
var genOutcomes = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Outcome {
	return Outcome{
		Weight: rapid.Float64Range(0, 3).Draw(t, "weight"), Reward: rapid.Float64Range(0, 1).Draw(t, "reward"),
		At: days(rapid.Float64Range(0, 900).Draw(t, "day")),
	}
}), 0, 30)

func TestProofProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		prior := Confidence(rapid.Float64Range(0.01, 1).Draw(t, "prior")).Round()
		l := proposed(prior)
		for _, o := range genOutcomes.Draw(t, "outcomes") {
			l = l.Observed(o)
		}
		now := days(rapid.Float64Range(0, 1000).Draw(t, "now"))
		mean, bound := l.Mean(now), l.Bound(now)
		if !(mean >= 0 && mean <= 1) || !(bound >= 0 && bound < 1) {
			t.Fatalf("mean %v, bound %v", mean, bound)
		}
		if prior >= 0.3 && prior <= 0.9 && bound > float64(mean)+0.005 {
			t.Fatalf("the bound %v is over the mean %v", bound, mean)
		}
		// One more outcome never moves them the wrong way.
		at := l.Proof.Last
		up := l.Observed(Outcome{Weight: 1, Reward: 1, At: at})
		down := l.Observed(Outcome{Weight: 1, Reward: 0, At: at})
		if up.Mean(at) < l.Mean(at) || down.Mean(at) > l.Mean(at) || up.Bound(at) < l.Bound(at)-1e-9 && l.Bound(at) > 0 && prior <= 0.9 {
			t.Fatalf("mean %v, up %v, down %v; bound %v, up %v", l.Mean(at), up.Mean(at), down.Mean(at), l.Bound(at), up.Bound(at))
		}
		// What is never spoken of again goes back to where it began.
		if far := l.Mean(at.AddDate(40, 0, 0)); math.Abs(float64(far-max(prior, leastPrior))) > 0.011 {
			t.Fatalf("after 40 years %v, the prior was %v", far, prior)
		}
	})
}

// TestObservedInAnyOrder: two outcomes weigh the same whichever is told first.
func TestObservedInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := genOutcomes.Draw(t, "outcomes")
		a, b := proposed(0.5), proposed(0.5)
		for i := range all {
			a, b = a.Observed(all[i]), b.Observed(all[len(all)-1-i])
		}
		if math.Abs(a.Proof.Alpha-b.Proof.Alpha) > 1e-6 || math.Abs(a.Proof.Beta-b.Proof.Beta) > 1e-6 || a.Confidence != b.Confidence && math.Abs(float64(a.Confidence-b.Confidence)) > 0.011 {
			t.Fatalf("%+v\n%+v", a.Proof, b.Proof)
		}
	})
}

// TestMergedOutcomes: a merge knows all outcomes of both.
func TestMergedOutcomes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, both := proposed(0.5), proposed(0.5), proposed(0.5)
		b.ID = "b"
		for i, o := range genOutcomes.Draw(t, "outcomes") {
			if i%2 == 0 {
				a = a.Observed(o)
			} else {
				b = b.Observed(o)
			}
			both = both.Observed(o)
		}
		ls, err := Merge(Decision{By: "Ann", At: noon}, a, b)
		if err != nil {
			t.Fatal(err)
		}
		p, q := ls[0].Proof, both.Proof
		if math.Abs(p.Alpha-q.Alpha) > 1e-6 || math.Abs(p.Beta-q.Beta) > 1e-6 || p.Outcomes != q.Outcomes || ls[0].Use != both.Use {
			t.Fatalf("merged %+v %+v, of all %+v %+v", p, ls[0].Use, q, both.Use)
		}
		if math.Abs(float64(ls[0].Confidence-both.Confidence)) > 0.011 {
			t.Fatalf("merged %v, of all %v", ls[0].Confidence, both.Confidence)
		}
	})
}

func TestCarry(t *testing.T) {
	then := proposed(0.6)
	then.Rev = "1"
	o := Helpful
	o.At = days(3)
	now := then.Observed(o)
	now.Use.Used = 4
	target := then
	target.Status = Pending
	got, ok := Carry(now, then, target)
	if !ok || got.Status != Pending || got.Use != now.Use || got.Proof != now.Proof || got.Confidence != now.Confidence {
		t.Errorf("carried %v %+v", ok, got)
	}
	// A correction meanwhile is no decision: it stays, with its words.
	c := Corrected
	c.At = days(4)
	spoken := now.Observed(c)
	spoken.Evidence = []Evidence{{By: ByPerson, From: Against, Session: "s", Line: 3, Quote: "no"}}
	if got, ok := Carry(spoken, then, target); !ok || len(got.Evidence) != 1 || got.Use.Harmed != 1 {
		t.Errorf("carried %v %+v", ok, got)
	}
	said := then
	said.Evidence = []Evidence{{By: ByPerson, Session: "s", Line: 3, Quote: "yes"}}
	if got, ok := Carry(said, then, target); !ok || len(got.Evidence) != 1 {
		t.Errorf("evidence for a lesson was passed over: %v %+v", ok, got)
	}
	// Taking an outcome back leaves those that came later.
	h := Harmful
	h.At = days(5)
	later := now.Observed(h)
	got, ok = Carry(later, now, then)
	if want := then.Observed(h); !ok || got.Use.Helped != 0 || got.Use.Harmed != 1 || math.Abs(got.Proof.Alpha-want.Proof.Alpha) > 1e-9 || got.Proof.Beta != want.Proof.Beta || got.Confidence != want.Confidence {
		t.Errorf("carried %v %+v, want %+v", ok, got.Proof, want.Proof)
	}
	for _, other := range []Lesson{now.Rated(0.3), func() Lesson { l := now; l.Content = "Use blanks"; return l }()} {
		if _, ok := Carry(other, then, target); ok {
			t.Errorf("a decision meanwhile was passed over: %+v", other)
		}
	}
}

// TestDoubts: which lessons a person should look at again, and when.
func TestDoubts(t *testing.T) {
	harmed := func(n int) Lesson {
		l := proposed(0.6)
		for range n {
			o := Harmful
			o.At = noon
			l = l.Observed(o)
		}
		return l
	}
	ignored := proposed(0.4)
	for range 5 {
		o := Reactions["ignored"]
		o.At = noon
		ignored = ignored.Observed(o)
	}
	pinned := proposed(0.6)
	pinned.Pinned = true
	used := proposed(0.6)
	used.Use.Used = 1
	pending := harmed(5)
	pending.Status = Pending
	for name, c := range map[string]struct {
		l    Lesson
		day  float64
		want []Concern
	}{
		"fresh":             {used, 6.9, nil},
		"its first week":    {used, 7, []Concern{Due}},
		"one harm":          {harmed(1), 1, nil},
		"harm":              {harmed(2), 1, []Concern{Doubtful}},
		"ignored again":     {ignored, 1, []Concern{Doubtful}},
		"old":               {used, 200, []Concern{Stale}},
		"old and not given": {proposed(0.6), 200, []Concern{Stale, Unmatched}},
		"pinned":            {pinned, 2000, nil},
		"not active":        {pending, 2000, nil},
	} {
		var got []Concern
		for _, d := range c.l.Doubts(days(c.day), true) {
			got = append(got, d.Concern)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestForgot: taking an outcome back leaves what the others made.
func TestForgot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := genOutcomes.Draw(t, "outcomes")
		if len(all) == 0 {
			return
		}
		k := rapid.IntRange(0, len(all)-1).Draw(t, "which")
		l, without := proposed(0.5), proposed(0.5)
		var before, after Lesson
		for i, o := range all {
			if i == k {
				before, after = l, l.Observed(o)
			} else {
				without = without.Observed(o)
			}
			l = l.Observed(o)
		}
		got, want := Change{Before: &before, After: &after}.TakenFrom(l), without
		if got.Proof.Outcomes != want.Proof.Outcomes || got.Use != want.Use {
			t.Fatalf("%+v %+v, want %+v %+v", got.Proof, got.Use, want.Proof, want.Use)
		}
		now := l.Proof.Last
		if math.Abs(float64(got.Mean(now)-want.Mean(now))) > 0.011 || math.Abs(got.Bound(now)-want.Bound(now)) > 0.001 {
			t.Fatalf("mean %v bound %v, want %v %v", got.Mean(now), got.Bound(now), want.Mean(now), want.Bound(now))
		}
	})
}
