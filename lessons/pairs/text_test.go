package pairs_test

import (
	"fmt"
	"strings"
	"testing"

	"learnings/lessons"
	"learnings/lessons/pairs"
)

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"Run `make generate` after.":     "run make generate after",
		"Don't use --no-verify, ever":    "don't use no-verify ever",
		"edit cmd/main.go at v2.6.1.":    "edit cmd/main.go at v2.6.1",
		"别用 npm":                         "别 用 npm",
		"":                               "",
		"¡¿— …!":                         "",
		"snake_case and camelCase stay.": "snake_case and camelcase stay",
	} {
		if got := strings.Join(pairs.Words(text), " "); got != want {
			t.Errorf("Words(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestSame(t *testing.T) {
	l := func(category lessons.Category, content string) lessons.Lesson {
		return lessons.Lesson{Category: category, Wording: lessons.Wording{Content: content}}
	}
	for _, tt := range []struct {
		name string
		a, b lessons.Lesson
		want bool
	}{
		{"other case and punctuation", l("tools", "Use pnpm, not npm."), l("errors", "use `pnpm` not npm"), true},
		{"one word of ten", l("tools", "a b c d e f g h i j"), l("tools", "a b c d e f g h i k"), true},
		{"the same in another category", l("tools", "a b c d e f g h i j"), l("errors", "a b c d e f g h i k"), false},
		{"another literal", l("tools", "listen on 8080"), l("tools", "listen on 9090"), false},
		{"nothing at all", l("tools", "…"), l("tools", "!"), false},
	} {
		if got := pairs.Same(tt.a, tt.b); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

func TestWordDiff(t *testing.T) {
	show := func(spans []pairs.Span) string {
		var b strings.Builder
		for _, s := range spans {
			switch s.Op {
			case pairs.Delete:
				fmt.Fprintf(&b, "[-%s-]", s.Text)
			case pairs.Insert:
				fmt.Fprintf(&b, "{+%s+}", s.Text)
			default:
				b.WriteString(s.Text)
			}
		}
		return b.String()
	}
	for _, tt := range []struct{ a, b, want string }{
		{"same", "same", "same"},
		{"", "", ""},
		{"", "new", "{+new+}"},
		{"old", "", "[-old-]"},
		{"use npm here", "use pnpm here", "use [-npm-]{+pnpm+} here"},
		{"run make test", "run make -j4 test now", "run make {+-j4 +}test{+ now+}"},
		{"prefer table tests always", "run make generate always", "[-prefer table tests-]{+run make generate+} always"},
		{"listen on 8080.", "listen on 9090.", "listen on [-8080-]{+9090+}."},
	} {
		if got := show(pairs.WordDiff(tt.a, tt.b)); got != tt.want {
			t.Errorf("WordDiff(%q, %q) = %s, want %s", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestWordDiffOfLongTexts(t *testing.T) {
	a := "begin " + strings.Repeat("one two ", 5000) + "end"
	b := "begin " + strings.Repeat("three four ", 5000) + "end"
	got := pairs.WordDiff(a, b)
	if len(got) != 4 {
		t.Fatalf("%d spans, want kept, deleted, inserted, kept", len(got))
	}
	holdDiff(t, a, b, got)
}

func holdDiff(t *testing.T, a, b string, spans []pairs.Span) {
	t.Helper()
	var x, y strings.Builder
	for i, s := range spans {
		if s.Text == "" || i > 0 && spans[i-1].Op == s.Op {
			t.Errorf("span %d is empty or could be one with the one before: %q", i, spans)
		}
		if s.Op != pairs.Insert {
			x.WriteString(s.Text)
		}
		if s.Op != pairs.Delete {
			y.WriteString(s.Text)
		}
	}
	if x.String() != a || y.String() != b {
		t.Errorf("the spans %q are not %q and %q", spans, a, b)
	}
}
