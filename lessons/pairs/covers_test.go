package pairs

import "testing"

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
