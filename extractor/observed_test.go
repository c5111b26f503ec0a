package extractor

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"learnings/extractor/rules"
	"learnings/extractor/transcript"
	"learnings/lessons"
)

// stuck is a session in which a command fails three times in a row.
func stuck(id, command string, first int) string {
	var b strings.Builder
	record := func(n int, who string, part map[string]any) {
		line, err := json.Marshal(map[string]any{
			"type": who, "userType": "external", "isSidechain": false, "uuid": fmt.Sprintf("00000000-0000-4000-8000-%012d", n), "sessionId": id, "cwd": "/src/octofs", "version": "2.1.0",
			"timestamp": "2026-04-05T14:00:00Z", "message": map[string]any{"role": who, "content": []any{part}},
		})
		if err != nil {
			panic(err)
		}
		b.Write(append(line, '\n'))
	}
	record(first, "user", map[string]any{"type": "text", "text": "build it"})
	for i := range 3 {
		n := first + 1 + 2*i
		tool := fmt.Sprintf("toolu_%d", n)
		record(n, "assistant", map[string]any{"type": "tool_use", "id": tool, "name": "Bash", "input": map[string]any{"command": command}})
		record(n+1, "user", map[string]any{"type": "tool_result", "tool_use_id": tool, "is_error": true, "content": "make: *** no rule to make target"})
	}
	return b.String()
}

// TestRecurs: what an agent got stuck on is proposed when a second session
// shows it, in the same run or a later one, and never for one session, be it
// copied or read again.
func TestRecurs(t *testing.T) {
	dir := t.TempDir()
	o := testOptions
	o.Proposers = []Proposer{rules.Rules{}}
	file := func(name, text string) transcript.File { return write(t, filepath.Join(dir, name), text) }
	one := file("1.jsonl", stuck("s1", "make world", 100))
	two := file("2.jsonl", stuck("s2", "make world", 200))
	other := file("3.jsonl", stuck("s3", "make docs", 300))
	copied := file("4.jsonl", stuck("s4", "make world", 100)) // the records of one, in a session of its own
	again := file("5.jsonl", stuck("s1", "make world", 500))

	all, batches := collect(t, []transcript.File{one, other, copied, again}, nil, o)
	if len(all) != 0 || len(batches[0].Seen) != 1 || batches[0].Work.Calls != 3 || batches[0].Work.Failed != 3 {
		t.Errorf("of single sessions: %q, first batch %+v", contents(all), batches[0])
	}

	all, _ = collect(t, []transcript.File{one, other, two}, nil, o)
	if len(all) != 1 || !strings.Contains(all[0].Content, "`make world` keeps failing") || len(all[0].Evidence) != 2 {
		t.Fatalf("in one run: %+v", all)
	}
	l := all[0]
	if l.SaidBy() != lessons.ByAgent || l.Category != "pattern" || l.Evidence[0].Path != two.Path || l.Evidence[1].Path != one.Path {
		t.Errorf("%+v", l)
	}

	state := t.TempDir()
	if all, _ = collect(t, []transcript.File{one, copied}, ledger(t, state), o); len(all) != 0 {
		t.Errorf("first run: %q", contents(all))
	}
	all, batches = collect(t, []transcript.File{one, two, copied, again}, ledger(t, state), o)
	if len(all) != 1 || all[0].ID != l.ID || !strings.Contains(all[0].Origin.Rule, "before that in session s1") && !strings.Contains(all[0].Origin.Rule, "before that in session s4") {
		t.Errorf("second run: %+v", all)
	}
	if n := batches[0].Mark.Lessons; n != 1 {
		t.Errorf("the mark counts %d lessons", n)
	}
}
