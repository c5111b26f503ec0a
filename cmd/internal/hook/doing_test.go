package hook

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"learnings/lessons"
)

// does returns the payload of a tool call.
func does(event, tool, input, more string) string {
	return fmt.Sprintf(`"hook_event_name":%q,"tool_name":%q,"tool_input":%s%s`, event, tool, input, more)
}

// rulesOf returns lessons that name tool calls.
func rulesOf() []lessons.Lesson {
	cure := lesson("dddd", "Start redis before the worker")
	cure.Insight = "Else: broker gave up, E4711"
	return []lessons.Lesson{
		lesson("aaaa", "Never run npm install; this repository uses pnpm"),
		lesson("bbbb", "Run the linter before you commit"),
		lesson("cccc", "slugify (boltons/strutils.py): & is and"),
		cure,
	}
}

// TestDoing checks that a lesson naming a call is given once a session, before or after
// the call.
func TestDoing(t *testing.T) {
	edit := `{"file_path":"/src/octofs/boltons/strutils.py","new_string":"x"}`
	for _, test := range []struct {
		agent, event, payload, want string
	}{
		{"claude", "pre-tool", does("PreToolUse", "Bash", `{"command":"cd web && npm i"}`, ""), "aaaa"},
		{"claude", "pre-tool", does("PreToolUse", "Bash", `{"command":"git commit -am x"}`, ""), "bbbb"},
		{"claude", "pre-tool", does("PreToolUse", "Edit", edit, ""), "cccc"},
		{"claude", "pre-tool", does("PreToolUse", "Read", `{"file_path":"boltons/strutils.py"}`, ""), "cccc"},
		{"claude", "post-tool", does("PostToolUse", "Read", edit, `,"tool_response":{"type":"text"}`), "cccc"},
		{"claude", "tool-failure", does("PostToolUseFailure", "Bash", `{"command":"npm install"}`, `,"error":"Exit code 1"`), "aaaa"},
		{"claude", "tool-failure", does("PostToolUseFailure", "Bash", `{"command":"make up"}`, `,"error":"worker: E4711 at 10:22"`), "dddd"},
		{"codex", "pre-tool", does("PreToolUse", "shell", `{"command":["bash","-lc","npm install"]}`, ""), "aaaa"},
		{"codex", "post-tool", does("PostToolUse", "apply_patch", `{"command":"*** Begin Patch\n*** Update File: boltons/strutils.py\n*** End Patch"}`, `,"tool_response":"Done"`), "cccc"},
		{"gemini", "post-tool", does("AfterTool", "read_file", `{"absolute_path":"/src/octofs/boltons/strutils.py"}`, `,"tool_response":{"llmContent":"x"}`), "cccc"},
		{"gemini", "pre-tool", does("BeforeTool", "run_shell_command", `{"command":"npm install"}`, ""), ""},
		{"copilot", "pre-tool", does("PreToolUse", "bash", `{"command":"npm install"}`, ""), ""},
		{"cursor", "pre-tool", does("preToolUse", "Shell", `{"command":"npm install"}`, ""), ""},
		{"crush", "pre-tool", `"event":"PreToolUse","tool_name":"bash","tool_input":{"command":"npm install"}`, "aaaa"},
		{"crush", "post-tool", `"event":"PostToolUse","tool_name":"view","tool_input":{"file_path":"boltons/strutils.py"}`, "cccc"},
		{"crush", "tool-failure", `"event":"PostToolUseFailure","tool_name":"bash","tool_input":{"command":"make up"},"error":"worker: E4711"`, "dddd"},
		{"goose", "pre-tool", `"event":"PreToolUse","tool_name":"developer__shell","tool_input":{"command":"npm install"},"working_dir":"/src/octofs"`, ""},
		{"opencode", "pre-tool", does("PreToolUse", "edit", `{"filePath":"/src/octofs/boltons/strutils.py"}`, ""), "cccc"},
		{"claude", "pre-tool", does("PreToolUse", "Bash", `{"command":"ls -la"}`, ""), ""},
		{"claude", "pre-tool", does("PreToolUse", "Grep", `{"pattern":"npm install","path":"boltons/strutils.py"}`, ""), ""},
	} {
		c := desk(t, rulesOf()...)
		c.For = test.agent
		got := c.tell(t, test.event, test.payload)
		if given := strings.Contains(got, "[L-"); given != (test.want != "") || !strings.Contains(got, test.want) {
			t.Errorf("%s %s %s: %q\n%s", test.agent, test.event, test.payload, got, logged(t, c))
		}
		if got = c.tell(t, test.event, test.payload); got != "" {
			t.Errorf("%s %s again: %s", test.agent, test.payload, got)
		}
	}
}

// TestDoingNothing checks that a call without a matching lesson leaves no files.
func TestDoingNothing(t *testing.T) {
	c := desk(t, rulesOf()...)
	if got := c.tell(t, "pre-tool", does("PreToolUse", "Bash", `{"command":"go vet ./..."}`, "")); got != "" {
		t.Error(got)
	}
	if files, _ := os.ReadDir(filepath.Join(c.State, "sessions")); len(files) > 0 {
		t.Errorf("%v were written", files)
	}
}

// TestAgainLater checks that a lesson is repeated after twenty prompts, or much
// transcript.
func TestAgainLater(t *testing.T) {
	c := desk(t, rulesOf()...)
	transcript := filepath.Join(t.TempDir(), "s1.jsonl")
	grow := func(n int) {
		if err := os.WriteFile(transcript, make([]byte, n), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	call := does("PreToolUse", "Bash", `{"command":"npm install"}`, fmt.Sprintf(`,"transcript_path":%q`, transcript))
	tell := func() bool { return strings.Contains(c.tell(t, "pre-tool", call), "aaaa") }
	grow(1000)
	if !tell() || tell() {
		t.Error("not told once")
	}
	grow(300 << 10)
	if !tell() || tell() {
		t.Error("not told again after much was said")
	}
	for i := range 20 {
		c.tell(t, "user-prompt", said(fmt.Sprint("look at the colours of the page number ", i)))
	}
	if !tell() || tell() {
		t.Error("not told again after twenty prompts")
	}
	for i := range 20 {
		c.tell(t, "user-prompt", said(fmt.Sprint("look at the colours of the page number ", i)))
	}
	if got := c.tell(t, "user-prompt", said("never run npm install, this repository uses pnpm")); !strings.Contains(got, "aaaa") {
		t.Errorf("a prompt after twenty others: %q", got)
	}
}
