package recall

import (
	"fmt"
	"slices"
	"testing"

	"learnings/lessons"
)

func TestWithoutReasons(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"Never force-push a branch others use.", "Never force-push a branch others use."},
		{"Every posting must balance; go through `journal.Post`, which checks it.", "Every posting must balance; go through `journal.Post`, which checks it."},
		{"Get an idempotency key for each Stripe call. In spring a retry charged 60 people twice.", "Get an idempotency key for each Stripe call …"},
		{"CREATE INDEX only with CONCURRENTLY because goose wraps the others in a transaction.", "CREATE INDEX only with CONCURRENTLY …"},
		{"Ask before each query, because one locked the table. Except on the replica.", "Ask before each query. Except on the replica …"},
		{"Money is an integer number of cents. No floats, not even for a moment.", "Money is an integer number of cents. No floats, not even for a moment."},
		{"Use pnpm, e.g. `pnpm add`.", "Use pnpm, e.g. `pnpm add`."},
		{"because. ", "because. "},
		{"", ""},
	} {
		if got := withoutReasons(test.text); got != test.want {
			t.Errorf("%q without reasons is %q, want %q", test.text, got, test.want)
		}
	}
}

// TestShorten gives more lessons a place by leaving reasons out, and tells so.
func TestShorten(t *testing.T) {
	var choices []Choice
	for i := range 6 {
		var l lessons.Lesson
		l.ID, l.Pinned = lessons.ID(fmt.Sprint("l", i)), i == 0
		l.Content = fmt.Sprintf("Always run check %d. It took three days to find what went wrong in the spring of that year.", i)
		choices = append(choices, Choice{Lesson: l, Brief: true, waits: true})
	}
	b := Budget{Tokens: 170, Chars: 8000}
	shorten(choices, Situation{}, b)
	if choices[0].Short {
		t.Error("the pinned lesson has lost its reasons")
	}
	short := 0
	for _, c := range choices {
		if c.Short {
			short++
		}
	}
	if short == 0 || short == 5 {
		t.Errorf("%d of 5 lessons have lost their reasons: want as many as make room", short)
	}
	roomy := slices.Clone(choices)
	for i := range roomy {
		roomy[i].Short = false
	}
	if shorten(roomy, Situation{}, Budget{Tokens: 1000, Chars: 8000}); slices.ContainsFunc(roomy, func(c Choice) bool { return c.Short }) {
		t.Error("lessons lost their reasons where there was room for all")
	}
}
