package meaning

import (
	"strings"
	"testing"
)

func lesson(content string, triggers ...string) []byte {
	return Lesson(content, triggers, "")
}

func near(query, content string, triggers ...string) float64 {
	return Of(query).Near(lesson(content, triggers...))
}

// TestNear: what means the same without a word in common is nearer than what means
// something else.
func TestNear(t *testing.T) {
	for _, tt := range []struct{ query, right, wrong string }{
		{"race condition", "Never allow concurrent access without a mutex", "Write the changelog by hand"},
		{"flaky test", "Rerun failing pytest cases before you blame the code", "Deploy with the blue script"},
		{"which shell", "Scripts are for bash", "Colours are set in the theme"},
		{"slow query", "Add an index to the database table", "Commit messages are in English"},
	} {
		if right, wrong := near(tt.query, tt.right), near(tt.query, tt.wrong); right < wrong+0.1 {
			t.Errorf("%s: %.2f to %q, %.2f to %q", tt.query, right, tt.right, wrong, tt.wrong)
		}
	}
	if n := near("zzzyx qqqw", "Scripts are for bash"); n != 0 {
		t.Errorf("words that nobody knows are near: %.2f", n)
	}
	if n := near("which shell", "Squash before merging", "which shell"); n < 0.99 {
		t.Errorf("its own trigger is %.2f near", n)
	}
}

// TestManySentences keeps a bound on what a long lesson adds.
func TestManySentences(t *testing.T) {
	if n := len(lesson(strings.Repeat("Run the tests. ", 500))); n > 12*64 {
		t.Errorf("%d bytes of vectors", n)
	}
}
