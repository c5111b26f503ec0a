package recall_test

import (
	"fmt"
	"math"
	"testing"

	"learnings/index/recall"
	"learnings/lessons"
)

// A lesson is held out of about the share of sessions that was asked for, and whether
// one is says nothing of another.
func TestHeld(t *testing.T) {
	const sessions = 20_000
	for _, share := range []float64{0, 0.1, 0.5, 1} {
		one, both := 0, 0
		for i := range sessions {
			s := fmt.Sprintf("0b51d8e2-77aa-4f5e-9c1d-%012d", i)
			a, b := recall.Held(s, "k7m2p9qx", share), recall.Held(s, "k7m2p9qy", share)
			if a != recall.Held(s, "k7m2p9qx", share) {
				t.Fatal("it changes its mind")
			}
			if a {
				one++
			}
			if a && b {
				both++
			}
		}
		near := func(n int, p float64) bool {
			return math.Abs(float64(n)-sessions*p) <= 4*math.Sqrt(sessions*p*(1-p))
		}
		if !near(one, share) || !near(both, share*share) {
			t.Errorf("of %v: one %d, both %d", share, one, both)
		}
	}
	if recall.Held("", lessons.ID("a"), 1) || recall.Held("s", "a", math.NaN()) {
		t.Error("held out of no session, or by no number")
	}
}
