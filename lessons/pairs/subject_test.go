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

func TestCovers(t *testing.T) {
	for _, c := range []struct {
		lesson, text string
		want         bool
	}{
		{"Always use pnpm instead of npm", "- Use `pnpm`, never `npm`, to install packages and to run scripts.", true},
		{"Run `make check` before pushing", "Before you push, run `make check` and fix what it finds.", true},
		{"Never commit to main", "Do not commit to main directly; open a branch for each change.", true},
		{"Use pnpm", "Use pnpm.", true},
		{"Use pnpm", "pnpm 9 is installed by corepack, see the setup.", false},
		{"Commit to main", "Never commit to main.", false},
		{"Never use npm here", "Use npm here.", false},
		{"Use port 8080 for the API server", "Use port 9090 for the API server.", false},
		{"Run the linter and the tests before a commit", "Run the formatter before a release.", false},
		{"", "Use pnpm.", false},
		{"always", "Use pnpm.", false},
		{"", "", true},
		{"I don't want that test.", "Testing", false},
		{"Always use pnpm", "Use `pnpm`.", true},
	} {
		if got := NewSaying(c.text).Covers(NewSaying(c.lesson)); got != c.want {
			t.Errorf("%q in %q: %v", c.lesson, c.text, got)
		}
	}
}
