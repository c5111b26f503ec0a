package recall

import (
	"testing"

	"learnings/lessons"
)

// TestMeant checks which files a pattern means.
func TestMeant(t *testing.T) {
	for _, c := range []struct {
		pattern, file string
		want          bool
	}{
		{"migrations/**", "migrations/001.sql", true},
		{"migrations/**", "/home/sam/shop/migrations/2026/001.sql", true},
		{"migrations/**", `C:\src\shop\migrations\001.sql`, true},
		{"migrations/", "db/migrations/001.sql", true},
		{"./docs/*.md", "docs/a.md", true},
		{"docs/*.md", "docs/deep/a.md", false},
		{"*.sql", "db/schema.sql", true},
		{"**/*_test.go", "lessons/a_test.go", true},
		{"migrations/**", "emigrations/001.sql", false},
		{"src/{a,b}/**", "src/b/x.ts", true},
		{"[", "x", false}, // a broken pattern means nothing
		{"", "x", false},
	} {
		if got := lessons.MeansFile(c.pattern, c.file); got != c.want {
			t.Errorf("%q means %q: %v, want %v", c.pattern, c.file, got, c.want)
		}
	}
}
