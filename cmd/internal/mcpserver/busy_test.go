package mcpserver

import (
	"iter"
	"os"
	"path/filepath"
	"testing"

	"learnings/index"
	"learnings/lessons"
)

// A held log blocks the process that reads it, which holds the lock of the index.
type held struct{ begun, end chan struct{} }

func (h held) Since(lessons.Cursor) iter.Seq2[lessons.Change, error] {
	return func(func(lessons.Change, error) bool) { close(h.begun); <-h.end }
}

// TestBusyIndex checks answers while another process writes the index: they use the old
// index, or say that it is being built.
func TestBusyIndex(t *testing.T) {
	w := newWorld(t, lesson("aaaa", "Run make generate"))
	cs := w.connect("x")
	says(t, cs, "search", m{"query": "make"}, false, "[L-aaaa]")
	hold := func() func() {
		h := held{make(chan struct{}), make(chan struct{})}
		done := make(chan error, 1)
		go func() {
			_, err := index.At(filepath.Join(w.state, "index")).Rebuild(t.Context(), h)
			done <- err
		}()
		<-h.begun
		return func() {
			close(h.end)
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
	}
	free := hold()
	says(t, cs, "search", m{"query": "make"}, false, "[L-aaaa]")
	says(t, cs, "propose", m{"content": "Use tabs.", "quote": "we indent with tabs"}, false, "Proposed")
	free()
	says(t, cs, "search", m{"query": "make"}, false, "[L-aaaa]")
	if err := os.RemoveAll(filepath.Join(w.state, "index")); err != nil {
		t.Fatal(err)
	}
	free = hold()
	w.patience = 0
	says(t, cs, "search", m{"query": "make"}, true, "another process is making the index")
	free()
	says(t, cs, "search", m{"query": "make"}, false, "[L-aaaa]")
}
