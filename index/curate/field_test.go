package curate_test

import (
	"testing"
	"time"

	"learnings/index/curate"
	"learnings/lessons"
)

// A field is read as a person types it, and what it adds to one lesson takes nothing from
// another.
func TestField(t *testing.T) {
	now := time.Date(2026, 4, 6, 12, 0, 0, 0, time.UTC)
	l := lessons.Lesson{ID: "a1b2c3d4", Status: lessons.Pending, Category: "correction", Wording: lessons.Wording{Content: "Use pnpm"}, Confidence: 0.5, Tags: []string{"npm", "old"}, Created: now}
	for _, c := range []struct{ field, before, text, want string }{
		{curate.FieldCategory, "", "preference", "preference"},
		{curate.FieldProject, "", "cli", "cli"},
		{curate.FieldRole, "", "developer", "developer"},
		{curate.FieldScope, "", "every project", "every project"},
		{curate.FieldTags, "old, x", "x, #e2e", "npm, e2e"},
		{curate.FieldTriggers, "", "run tests, e2e", "run tests, e2e"},
		{curate.FieldUntil, "", "30d", "2026-05-06"},
		{curate.FieldUntil, "", "2027-01-01", "2027-01-01"},
		{curate.FieldUntil, "", "", ""},
	} {
		a, err := curate.Field(c.field, c.before, c.text, now)
		if err != nil {
			t.Errorf("%s %q: %v", c.field, c.text, err)
			continue
		}
		next, err := a.Preview(l, "Ada", now)
		if got := curate.FieldText(c.field, next); err != nil || got != c.want || !a.Repeats() {
			t.Errorf("%s %q gives %q, %v, want %q", c.field, c.text, got, err, c.want)
		}
	}
	for field, text := range map[string]string{curate.FieldCategory: "two words", curate.FieldProject: "a/b", curate.FieldScope: "mars", curate.FieldTags: " ", curate.FieldUntil: "soon", "shoe size": "43"} {
		if _, err := curate.Field(field, "", text, now); err == nil {
			t.Errorf("%s %q is taken", field, text)
		}
	}
}
