package lessons_test

import (
	"slices"
	"testing"

	"learnings/lessons"
)

func TestKeywords(t *testing.T) {
	for _, c := range []struct{ tags, triggers, want []string }{
		{nil, nil, []string{"store", "instants", "utc"}},
		{nil, []string{"dates are one hour off", "formatDue()"}, []string{"dates", "hour", "formatdue", "store", "instants"}},
		{[]string{"time", "i18n", "clock", "zone", "calendar", "dst"}, []string{"dates are off"}, []string{"time", "i18n", "clock", "zone", "calendar", "dst"}},
		{[]string{"time zone", "i18n", "UTC"}, nil, []string{"time zone", "i18n", "UTC", "store", "instants"}},
		{[]string{"a b", "c d", "e f", "g h", "i j"}, nil, []string{"a b", "c d", "e f", "g h", "i j", "store", "instants"}},
	} {
		l := lessons.Lesson{Wording: lessons.Wording{Content: "Store instants in UTC"}, Tags: c.tags, Triggers: c.triggers}
		if got := l.Keywords(); !slices.Equal(got, c.want) {
			t.Errorf("tags %q, triggers %q: %q, want %q", c.tags, c.triggers, got, c.want)
		}
	}
}
