package extractor

import (
	"path/filepath"
	"testing"

	"learnings/extractor/transcript"
)

// A session in which an agent was asked to extract lessons gives none, neither
// at once nor in what is added to it later; one that speaks of the mark does.
func TestOwnSessions(t *testing.T) {
	for name, test := range map[string]struct {
		first string
		want  int
	}{
		"the task":             {OwnMarker + " Read the digest on standard input.", 0},
		"instructions before":  {"Answer as JSON.\n\n" + OwnMarker + " The record of one session follows.", 0},
		"the mark in sentence": {"Where does " + OwnMarker + " come from?", 2},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "a.jsonl")
			marks := ledger(t, dir)
			f := write(t, path, says(1, "user", test.first)+says(2, "assistant", "NONE")+says(3, "user", "always lint"))
			first, batches := collect(t, []transcript.File{f}, marks, testOptions)
			if own := test.want == 0; batches[0].Mark.Own != own {
				t.Errorf("own %v, want %v", batches[0].Mark.Own, own)
			}
			again, _ := collect(t, []transcript.File{appendTo(t, path, says(4, "assistant", "I see.")+says(5, "user", "always test"))}, marks, testOptions)
			if len(first)+len(again) != test.want {
				t.Errorf("proposed %q and %q, want %d", contents(first), contents(again), test.want)
			}
			if m, ok := marks.Mark(path); !ok || m.Offset == 0 {
				t.Errorf("it is read again and again: %+v", m)
			}
		})
	}
}
