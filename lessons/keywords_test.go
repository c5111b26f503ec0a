package lessons_test

import (
	"slices"
	"testing"

	"learnings/lessons"
)

func TestKeywords(t *testing.T) {
	says := lessons.Lesson{Wording: lessons.Wording{Content: "Store instants in UTC"}}
	if got := says.Keywords(5); got != nil {
		t.Errorf("without tags and phrases: %q", got)
	}
	says.Triggers = []string{"dates are one hour off", "formatDue()"}
	if got, want := says.Keywords(5), []string{"dates", "hour", "formatdue", "store", "instants"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	says.Tags = []string{"time", "i18n"}
	if got := says.Keywords(1); !slices.Equal(got, says.Tags[:1]) {
		t.Errorf("with tags: %q", got)
	}
}
