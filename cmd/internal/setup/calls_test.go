package setup

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestCalls checks which of our hooks are found in a file, and their fields.
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
	for i := range got {
		got[i].at, got[i].entry = nil, nil
	}
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

// TestCallsOfEach checks that each wired agent calls the installed program for the events
// in its files.
func TestCallsOfEach(t *testing.T) {
	for _, name := range Names() {
		w := world(t)
		a, _ := Get(w, name)
		r, err := Open(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		c, err := a.Wire(r)
		apply(t, c, err)
		var events []string
		for _, f := range a.Files() {
			events = append(events, f.Events...)
		}
		calls := a.Calls()
		asked := slices.ContainsFunc(askedAgents, func(row asked) bool { return row.name == name && row.events == nil })
		if (len(calls) == 0) != asked || len(calls) != len(events) {
			t.Errorf("%s: %d calls for %v", name, len(calls), events)
		}
		for _, c := range calls {
			if line := c.Line(); !c.Exact || c.Theirs == "" || line[0] != w.Hook && line[0] != c.File {
				t.Errorf("%s: %+v", name, c)
			}
		}
	}
}

// TestPlugins checks which plugins are ours.
func TestPlugins(t *testing.T) {
	w := world(t)
	a, _ := Get(w, "claude")
	if err := os.MkdirAll(a.Folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{
		`{"enabledPlugins":{"learnings@learnings":true,"learnings@old":false,"other@x":true}}`: 1, `{"enabledPlugins":[]}`: 0, `{`: 0, "": 0,
	} {
		if err := os.WriteFile(filepath.Join(a.Folder, "settings.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := a.Plugins(); len(got) != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// FuzzCalls checks that reading calls and answers from any file does not panic, and that
// each call is ours.
func FuzzCalls(f *testing.F) {
	f.Add([]byte(`{"hooks":{"Stop":[{"matcher":7,"hooks":[{"command":"learnings hook stop","args":null,"timeout":"x"}]},{"command":"learnings-hook stop"}]}}`))
	f.Add([]byte("const program = \"/x/learnings-hook\";\n// " + mark))
	f.Fuzz(func(t *testing.T, text []byte) {
		events := []event{{theirs: "Stop", ours: "stop"}}
		for _, flat := range []bool{false, true} {
			h := hooks{events: events, flat: flat, call: func(string) (string, []string) { return "learnings-hook stop --for codex", nil }}
			if file, err := parseJSON(text); err == nil {
				for _, c := range h.calls("f", file) {
					if _, ours := Event(c.Command, c.Args); !ours {
						t.Errorf("%+v is not ours", c)
					}
					_, _ = c.key(), c.hash()
				}
			}
		}
		for _, c := range (whole{text: "x", events: []string{"stop"}}).calls("f", text, "pi") {
			if base(c.Command) != "learnings-hook" {
				t.Errorf("%+v is not ours", c)
			}
		}
	})
}
