package curate

import (
	"testing"
	"time"

	"learnings/lessons"
)

// A verb and the desk read an end alike.
func TestTypedAsField(t *testing.T) {
	now := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	for _, text := range []string{"", "never", "2026-12-31", "30d", "6w", "3m", "48h", "2026-12-31 15:04", "2020-01-01", "soon", "-1d"} {
		got, err := Typed{Until: &text}.On(lessons.Lesson{}, now)
		a, ferr := Field(FieldUntil, "", text, now)
		if (err == nil) != (ferr == nil) {
			t.Errorf("%q: the verb says %v, the desk %v", text, err, ferr)
			continue
		}
		if err != nil {
			continue
		}
		want, err := a.apply(lessons.Lesson{ID: "a", Status: lessons.Pending, Wording: lessons.Wording{Content: "x"}}, lessons.Decision{At: now})
		if err != nil || !want.Limit.Until.Equal(got.Limit.Until) {
			t.Errorf("%q: the verb takes %v, the desk %v, %v", text, got.Limit.Until, want.Limit.Until, err)
		}
	}
}

// What is not given stays, and an empty list takes all away.
func TestTypedReplaces(t *testing.T) {
	l := lessons.Lesson{Wording: lessons.Wording{Content: "a", Insight: "why"}, Tags: []string{"x", "y"}, Triggers: []string{"z"}}
	none := []string{""}
	got, err := Typed{Content: new(" b "), Tags: &[]string{"#p, q", "p"}, Triggers: &none}.On(l, time.Time{})
	if err != nil || got.Content != "b" || got.Insight != "why" || len(got.Tags) != 2 || got.Tags[0] != "p" || len(got.Triggers) != 0 {
		t.Errorf("got %+v, %v", got, err)
	}
}
