package extractor

import (
	"fmt"
	"path/filepath"
	"testing"

	"learnings/extractor/rules"
	"learnings/extractor/transcript"
)

// calls is a line of a transcript in which the agent calls a tool.
func calls(n int, tool, input string) string {
	return fmt.Sprintf(`{"type":"assistant","uuid":"c%[1]d","sessionId":"5e55-1","cwd":"/src/octofs","timestamp":"2026-04-05T14:00:%02[1]dZ","message":{"role":"assistant","content":[{"type":"tool_use","id":"t%[1]d","name":%[2]q,"input":%[3]s}]}}`+"\n", n, tool, input)
}

// What an agent did is kept with the mark, adds up as the session grows, and is
// counted once when it is read anew.
func TestWorkIsKept(t *testing.T) {
	const reads, edits = `{"file_path":"/src/octofs/a.go"}`, `{"file_path":"/src/octofs/a.go","old_string":"x","new_string":"y"}`
	marks := ledger(t, t.TempDir())
	take := func(f transcript.File, o Options) { collect(t, []transcript.File{f}, marks, o) }
	f := write(t, filepath.Join(t.TempDir(), "a.jsonl"), says(1, "user", "fix the parser")+calls(2, "Read", reads)+calls(3, "Read", reads)+calls(4, "Edit", edits))
	take(f, testOptions)
	f = appendTo(t, f.Path, says(5, "user", "and the printer")+calls(6, "Read", reads)+calls(7, "Edit", edits))
	take(f, testOptions)
	anew := testOptions
	anew.Anew = true
	take(f, anew)
	n := 0
	for dir, w := range marks.Work() {
		n++
		if want := (rules.Work{Calls: 5, Reads: 3, Edits: 2}); dir != "/src/octofs" || w != want {
			t.Errorf("in %s %+v, want %+v", dir, w, want)
		}
	}
	if n != 1 {
		t.Errorf("%d sessions", n)
	}
}
