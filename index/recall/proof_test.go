package recall_test

import (
	"testing"

	"learnings/index/recall"
	"learnings/lessons"
)

func came(os ...lessons.Outcome) func(*lessons.Lesson) {
	return func(l *lessons.Lesson) {
		for _, o := range os {
			o.At = now
			*l = l.Observed(o)
		}
	}
}

// TestProofRanks: of lessons that were equally sure, the better proven comes
// first, a person's own confidence wins, and a pinned one does not age.
func TestProofRanks(t *testing.T) {
	h, b, c := lessons.Helpful, lessons.Harmful, lessons.Corrected
	cs := pick(t, over(
		lesson("proven", "Run make generate after editing a proto file", sure(0.6), came(h, h, h)),
		lesson("helped", "Push branches before lunch", sure(0.6), came(h, h, h, b)),
		lesson("unheard", "Keep the changelog short", sure(0.6)),
		lesson("harmful", "Squash commits on merge", sure(0.6), came(b)),
		lesson("corrected", "Deploy with make ship", sure(0.6), came(c)),
	), recall.Situation{})
	if got, want := ids(cs), "proven helped unheard harmful corrected"; got != want {
		t.Errorf("order %s, want %s", got, want)
	}
	cs = pick(t, over(
		lesson("own", "Deploy with make ship", sure(0.6), came(c), func(l *lessons.Lesson) { *l = l.Rated(0.9) }),
		lesson("unheard", "Keep the changelog short", sure(0.6)),
		lesson("old", "Squash commits on merge", sure(0.6), age(400)),
	), recall.Situation{})
	if got, want := ids(cs), "own unheard old"; got != want {
		t.Errorf("order %s, want %s", got, want)
	}
	cs = pick(t, over(
		lesson("pinned", "Squash commits on merge", sure(0.6), age(400), func(l *lessons.Lesson) { l.Pinned = true }),
		lesson("unheard", "Keep the changelog short", sure(0.6)),
	), recall.Situation{})
	if got, want := ids(cs), "pinned unheard"; got != want {
		t.Errorf("order %s, want %s", got, want)
	}
}
