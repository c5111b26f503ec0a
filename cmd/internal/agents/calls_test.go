package agents

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestCalls checks which hooks of ours are found in a file, where, and as what.
func TestCalls(t *testing.T) {
	w := world(t)
	path := filepath.Join(w.Home, ".codex", "hooks.json")
	const text = `{ // mine
  "hooks": {
    "SessionStart": [
      {"hooks": [{"type": "command", "command": "say hello"}]},
      {"matcher": "startup", "hooks": [
        {"type": "command", "command": "say again"},
        {"type": "command", "command": "'/opt/my tools/learnings-hook' session-start --for codex", "timeout": 5}]}],
    "Stop": [{"hooks": [{"type": "command", "command": "learnings hook stop"}]}],
    "SessionEnd": "broken", "PreCompact": [7, {"hooks": 3}]
  }}`
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	a, _ := Get(w, "codex")
	want := []Call{
		{File: path, Event: "session-start", Theirs: "SessionStart", Command: "'/opt/my tools/learnings-hook' session-start --for codex", Exact: true, Group: 1, Handler: 1, Timeout: 5, Matcher: "startup"},
		{File: path, Event: "stop", Theirs: "Stop", Command: "learnings hook stop"},
	}
	got := a.Calls()
	if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
		t.Errorf("%+v\nwant\n%+v", got, want)
	}
	if line := got[0].Line(); len(line) != 4 || line[0] != w.Hook {
		t.Errorf("%q", line)
	}
	for _, name := range Names() {
		a, _ := Get(world(t), name)
		if calls := a.Calls(); len(calls) > 0 {
			t.Errorf("%s, not wired in: %+v", name, calls)
		}
	}
}
