package extractor

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"learnings/extractor/transcript"
	"learnings/lessons"
)

// TestPaused checks that nothing is read of what was said in a pause: no proposal is
// made of it, none shows it beside its evidence, and none is made when the file grows.
func TestPaused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	const before, within, after = "Never wake the first pelican.", "Never wake the second pelican.", "Never wake the third pelican."
	text := says(1, "user", before) + says(2, "assistant", "Yes.") + says(3, "user", within)
	begins, ends := time.Time{}, time.Time{}
	if turns := turnsOf(t, text+says(4, "user", after)); len(turns) == 4 {
		begins, ends = turns[2].At, turns[3].At
	}
	if !begins.Before(ends) {
		t.Fatal("the turns have no times to pause between")
	}
	marks, err := OpenLedger(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Proposers: []Proposer{greedy{lessons.ByPerson}}, Paused: func(at time.Time) bool { return !at.Before(begins) && at.Before(ends) }}
	read := func(file transcript.File) (out []lessons.Lesson) {
		for b, err := range Run(t.Context(), []transcript.File{file}, marks, o) {
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, b.Lessons...)
			if err := marks.Commit(b.Mark); err != nil {
				t.Fatal(err)
			}
		}
		return out
	}
	if got := contents(read(write(t, path, text))); len(got) != 1 || got[0] != before {
		t.Errorf("at first %q", got)
	}
	got := read(write(t, path, text+says(4, "user", after)))
	if len(got) != 1 || got[0].Content != after || strings.Contains(strings.Join(got[0].Evidence[0].Before, " "), "second") {
		t.Errorf("grown: %+v", got)
	}

	o.Paused, o.Anew = func(time.Time) bool { return true }, true
	if got := read(write(t, path, strings.ReplaceAll(text, `"timestamp"`, `"time"`))); len(got) > 0 {
		t.Errorf("without times: %q", contents(got))
	}
}

func turnsOf(t *testing.T, text string) (out []transcript.Turn) {
	t.Helper()
	for turn, err := range transcript.NewReader(strings.NewReader(text), transcript.ClaudeCode, transcript.Options{}).Turns() {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, turn)
	}
	return out
}
