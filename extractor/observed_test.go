package extractor

import (
	"path/filepath"
	"strings"
	"testing"

	"learnings/extractor/rules"
	"learnings/extractor/transcript"
)

// TestRecurs: what cured a failure is proposed when a second session
// shows it, in the same run or a later one, and never for one session, be it
// copied or read again.
func TestRecurs(t *testing.T) {
	dir := t.TempDir()
	o := testOptions
	o.Proposers = []Proposer{rules.Rules{}}
	tries := func(id string, n int, tried ...try) string { return strings.Join(claudeTries(id, n, tried...), "") }
	file := func(name, text string) transcript.File { return write(t, filepath.Join(dir, name), text) }
	one := file("1.jsonl", tries("s1", 100, fromWeb...))
	two := file("2.jsonl", tries("s2", 200, fromWeb...))
	other := file("3.jsonl", tries("s3", 300, try{"make test", "make: *** No rule to make target"}, try{"cd api && make test", ""}))
	copied := file("4.jsonl", tries("s4", 100, fromWeb...)) // the records of one, in a session of its own
	again := file("5.jsonl", tries("s1", 500, fromWeb...))

	all, batches := collect(t, []transcript.File{one, other, copied, again}, nil, o)
	if len(all) != 0 || len(batches[0].Seen) != 1 {
		t.Errorf("of single sessions: %q, first batch %+v", contents(all), batches[0])
	}

	state := t.TempDir()
	if all, _ = collect(t, []transcript.File{one, copied}, ledger(t, state), o); len(all) != 0 {
		t.Errorf("first run: %q", contents(all))
	}
	all, batches = collect(t, []transcript.File{one, two, copied, again}, ledger(t, state), o)
	if len(all) != 1 || all[0].Content != saysFromWeb || !strings.Contains(all[0].Origin.Rule, "before that in session s1") && !strings.Contains(all[0].Origin.Rule, "before that in session s4") {
		t.Errorf("second run: %+v", all)
	}
	if n := batches[0].Mark.Lessons; n != 1 {
		t.Errorf("the mark counts %d lessons", n)
	}
}
