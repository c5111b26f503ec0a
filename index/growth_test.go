package index_test

import (
	"path/filepath"
	"testing"

	"learnings/index"
	"learnings/index/meaning"
)

// TestGrowth: what the index keeps of meanings is less than three tenths of the rest of it.
// go test -v -run TestGrowth ./index prints the bytes.
func TestGrowth(t *testing.T) {
	ls := corpus(2000)
	x := index.At(filepath.Join(t.TempDir(), "index"))
	if _, err := x.Rebuild(t.Context(), newLog(ls...)); err != nil {
		t.Fatal(err)
	}
	h, err := x.Examine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	vectors := int64(0)
	for _, l := range ls {
		vectors += int64(len(meaning.Words().Lesson(l.Content, l.Triggers, l.Insight)))
	}
	share := float64(vectors) / float64(h.Size-vectors)
	t.Logf("%d lessons: %d bytes, of them %d of meanings: %.1f %% more than without", len(ls), h.Size, vectors, 100*share)
	if share > 0.3 {
		t.Errorf("meanings add %.2f to the index", share)
	}
}
