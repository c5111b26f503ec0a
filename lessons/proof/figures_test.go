package proof

import (
	"math"
	"testing"
)

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
func TestReadings(t *testing.T) {
	dir := t.TempDir()
	for i := range 20 {
		must(t, KeepReading(dir, Reading{Session: "s1", File: "a", Size: int64(i)}), KeepReading(dir, Reading{Session: "s2", File: "b", At: noon}))
	}
	all, err := Readings(dir)
	must(t, err)
	if len(all) != 2 || all[0].Size != 19 || all[1].Session != "s2" {
		t.Errorf("%d, %+v", len(all), all[1:])
	}
}
