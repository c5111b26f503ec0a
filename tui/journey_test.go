package tui

import (
	"testing"
)

func TestApproveAndUndo(t *testing.T) {
	s := start(t, newApp(t.Context(), fxOn(newCorpus(queue()...))), 120, 30)
	s.wait("Review 5", "Prefer table tests")
	s.press("j", "j")
	t.Log("\n" + s.wait("you forgot to regenerate", "Similar"))
	s.press("a")
	s.wait("Review 4", "✓ approved")
	s.press("u")
	s.wait("Review 5", "✓ undone")
	s.quit()
}
