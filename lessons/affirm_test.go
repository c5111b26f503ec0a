package lessons_test

import (
	"testing"

	"learnings/lessons"
)

func TestSharedKeywords(t *testing.T) {
	for _, tt := range []struct {
		a, b []string
		want float64
	}{
		{[]string{"import", "Circular", "python"}, []string{"circular", "import", "error", "cycle"}, 2. / 3},
		{[]string{"git", "git "}, []string{"git", "branch"}, 0}, // one word
		{[]string{"a", "b"}, []string{"A", "B", "c", "d"}, 1},
		{nil, []string{"a", "b"}, 0},
	} {
		if got := lessons.SharedKeywords(lessons.Lesson{Tags: tt.a}, lessons.Lesson{Tags: tt.b}); got != tt.want {
			t.Errorf("%q and %q share %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}

// TestAffirmed raises once for the same evidence, never over 1, and not what a
// person has set.
func TestAffirmed(t *testing.T) {
	by := lessons.Lesson{Confidence: 0.8, Evidence: []lessons.Evidence{{Agent: "amplihack", UUID: "u1", Quote: "said"}}}
	l := lessons.Lesson{Status: lessons.Approved, Confidence: 0.5}
	once := l.Affirmed(by)
	if once.Confidence != 0.84 || len(once.Evidence) != 1 {
		t.Errorf("confidence %v, %d of evidence", once.Confidence, len(once.Evidence))
	}
	if twice := once.Affirmed(by); twice.Confidence != once.Confidence || len(twice.Evidence) != 1 {
		t.Errorf("the same again: confidence %v", twice.Confidence)
	}
	if own := l.Rated(0.3).Affirmed(by); own.Confidence != 0.3 || len(own.Evidence) != 1 {
		t.Errorf("a person's own confidence became %v", own.Confidence)
	}
	sure := lessons.Lesson{Confidence: 1}
	if got := sure.Affirmed(by).Confidence; got != 1 {
		t.Errorf("confidence %v", got)
	}
}
