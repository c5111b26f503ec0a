package pairs

import (
	"testing"

	"pgregory.net/rapid"
)

func TestCorrects(t *testing.T) {
	const pnpm, tests = "Use pnpm, never npm", "Run the integration tests with make itest before each push"
	for _, c := range []struct {
		said, lesson string
		want         bool
	}{
		{"No, use npm here: the legacy app has no pnpm lockfile", pnpm, true},
		{"no, don't run integration tests before a push, CI does that", tests, true},
		{"stop running make itest before each push, the integration tests are broken", tests, true},
		{"No, use pnpm, never npm", pnpm, false},                                          // it was not followed
		{"no, run the integration tests with make itest before each push!", tests, false}, // the same
		{"Push the branch and open a pull request", tests, false},                         // another subject
		{"Please run the integration tests with make itest", tests, false},                // nothing is denied
		{"No, the button should be blue", pnpm, false},                                    // nothing is shared
		{"npm", pnpm, false}, {"", pnpm, false}, {"no", "", false}, {"no 不要用 npm", "", false}, // too little
	} {
		if got := Corrects(c.said, c.lesson); got != c.want {
			t.Errorf("Corrects(%q, %q) = %v", c.said, c.lesson, got)
		}
	}
}

// TestCorrectsNotItself: saying a lesson again, with or without a "no" before
// it, never corrects it.
func TestCorrectsNotItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lesson := rapid.OneOf(rapid.String(), rapid.StringMatching(`([Nn]ever|use|not|pnpm|npm|make tests|[.,!]| )*`)).Draw(t, "lesson")
		if Corrects(lesson, lesson) || Corrects("No, "+lesson, lesson) {
			t.Fatalf("%q corrects itself", lesson)
		}
	})
}
