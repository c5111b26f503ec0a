package hook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"learnings/lessons"
	"learnings/lessons/guard"
	"learnings/lessons/state"
	"learnings/lessons/store"
)

// guardedDesk returns a corpus with one lesson whose guard is on.
func guardedDesk(t *testing.T, deny bool, patterns ...string) (Config, *store.Store) {
	t.Helper()
	l, err := lesson("aaaa", "Never run npm install; use pnpm").Guarding(lessons.Decision{By: "ann"}, lessons.Guard{Patterns: patterns, Deny: deny})
	if err != nil {
		t.Fatal(err)
	}
	c := desk(t, l)
	s, err := store.Open(c.Corpus, store.Options{State: c.State})
	if err != nil {
		t.Fatal(err)
	}
	if l, err = s.Get("aaaa"); err != nil {
		t.Fatal(err)
	}
	if err := guard.At(c.State).Choose(l, noon); err != nil {
		t.Fatal(err)
	}
	return c, s
}

// preToolCall returns the hook's output for a tool call.
func preToolCall(t *testing.T, c Config, agent, payload string) string {
	t.Helper()
	c.For = agent
	var out bytes.Buffer
	Run(t.Context(), "pre-tool", strings.NewReader(payload), &out, c)
	if out.Len() > 0 && (!json.Valid(out.Bytes()) || bytes.Count(out.Bytes(), []byte("\n")) != 1) {
		t.Fatalf("not one object on a line: %s", out.String())
	}
	return strings.TrimSpace(out.String())
}

func bashCall(command string) string {
	return fmt.Sprintf(`{"session_id":"s1","cwd":"/src/octofs","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":%q}}`, command)
}

// TestGuardAnswers checks each agent's form; agents that cannot ask get a denial.
func TestGuardAnswers(t *testing.T) {
	ask, _ := guardedDesk(t, false, "command npm install", "path gen/**")
	deny, _ := guardedDesk(t, true, "command npm install")
	for _, test := range []struct {
		agent, payload, ask, deny string
	}{
		{"", bashCall("npm install"), `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":`, `"permissionDecision":"deny"`},
		{"claude", bashCall("cd x && npm i"), `"permissionDecision":"ask"`, `"permissionDecision":"deny"`},
		{"qwen", bashCall("npm i"), `"permissionDecision":"ask"`, `"permissionDecision":"deny"`},
		{"codex", bashCall("npm install"), `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":`, `"permissionDecision":"deny"`},
		{"codex", `{"cwd":"/src/octofs","hook_event_name":"PreToolUse","tool_name":"shell","tool_input":{"command":["bash","-lc","npm install"]}}`, `"permissionDecision":"deny"`, `"deny"`},
		{"gemini", `{"cwd":"/src/octofs","hook_event_name":"BeforeTool","tool_name":"run_shell_command","tool_input":{"command":"npm install"}}`, `{"decision":"deny","reason":`, `{"decision":"deny","reason":`},
		{"copilot", `{"cwd":"/src/octofs","toolName":"bash","toolArgs":"{\"command\":\"npm install\"}"}`, `{"permissionDecision":"ask","permissionDecisionReason":`, `{"permissionDecision":"deny",`},
		{"cursor", `{"workspace_roots":["/src/octofs"],"hook_event_name":"beforeShellExecution","command":"npm install","cwd":"/src/octofs"}`, `{"permission":"ask","user_message":`, `{"permission":"deny",`},
		{"cursor", `{"workspace_roots":["/src/octofs"],"hook_event_name":"preToolUse","tool_name":"Shell","tool_input":{"command":"npm install"}}`, `{"permission":"deny","user_message":`, `{"permission":"deny",`},
		{"crush", `{"event":"PreToolUse","session_id":"313909e","cwd":"/src/octofs","tool_name":"bash","tool_input":{"command":"npm install"}}`, `{"decision":"deny","reason":`, `{"decision":"deny","reason":`},
		{"goose", `{"event":"PreToolUse","session_id":"20261129_1","matcher_context":"developer__shell","tool_call_id":"c1","tool_name":"developer__shell","tool_input":{"command":"npm install"},"working_dir":"/src/octofs"}`, `{"decision":"block","reason":`, `{"decision":"block","reason":`},
		{"opencode", bashCall("npm install"), `"permissionDecision":"deny"`, `"permissionDecision":"deny"`},
		{"pi", bashCall("npm install"), `"permissionDecision":"deny"`, `"permissionDecision":"deny"`},
		{"cline", `{"workspaceRoots":["/src/octofs"],"hookName":"PreToolUse","preToolUse":{"toolName":"execute_command","parameters":{"command":"npm install"}}}`, `{"cancel":true,`, `{"cancel":true,`},
		{"", strings.Replace(bashCall("npm install"), `"cwd"`, `"transcript_path":"/h/.codex/sessions/x.jsonl","cwd"`, 1), `"permissionDecision":"deny"`, `"deny"`},
	} {
		for i, c := range []Config{ask, deny} {
			want := []string{test.ask, test.deny}[i]
			got := preToolCall(t, c, test.agent, test.payload)
			if !strings.Contains(got, want) || !strings.Contains(got, "Never run npm install; use pnpm") || !strings.Contains(got, "aaaa") {
				t.Errorf("%s %s: %s", test.agent, test.payload, got)
			}
		}
	}
	edit := `{"session_id":"s1","cwd":"/src/octofs","tool_name":"Edit","tool_input":{"file_path":"/src/octofs/gen/a.go","new_string":"x"}}`
	if got := preToolCall(t, ask, "claude", edit); !strings.Contains(got, `"ask"`) || !strings.Contains(got, "changes of gen/**") {
		t.Error(got)
	}
	if n := guard.At(ask.State).Counts()["aaaa"]; n.Asked < 5 || n.Denied != 0 {
		t.Errorf("counted %+v", n)
	}
}

// TestGuardPasses checks that other calls, and calls with errors, pass silently.
func TestGuardPasses(t *testing.T) {
	c, s := guardedDesk(t, true, "command npm install")
	pass := func(why, payload string) {
		t.Helper()
		if got := preToolCall(t, c, "claude", payload); got != "" {
			t.Errorf("%s: %s", why, got)
		}
	}
	call := bashCall("npm install")
	pass("another command", bashCall("pnpm install"))
	pass("another project", strings.Replace(call, "octofs", "shop", 1))
	pass("another event", strings.Replace(call, "PreToolUse", "PostToolUse", 1))
	pass("nothing", "")
	pass("no JSON", `{"tool_name":"Bash","tool_input":{"comm`)
	pass("no input", `{"tool_name":"Bash"}`)
	l, err := s.Get("aaaa")
	if err != nil {
		t.Fatal(err)
	}
	path, err := s.Path("aaaa")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	write := func(b []byte) {
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(bytes.Replace(text, []byte("tags:"), []byte("x: y\ntags:"), 1))
	pass("another program has written the file", call)
	write([]byte("---\nbroken"))
	pass("the file is broken", call)
	write(text)
	if got := preToolCall(t, c, "claude", call); got == "" {
		t.Error("the lesson is as it was, and the call passed")
	}
	l.Content = "Never run npm install"
	if _, err := s.Put(store.Write{Op: lessons.OpEdit, By: "ann"}, l); err != nil {
		t.Fatal(err)
	}
	if got := preToolCall(t, c, "claude", call); strings.Contains(got, "permissionDecision") || !strings.Contains(got, `"additionalContext":"<learnings`) {
		t.Errorf("the lesson says something else, and is told: %s", got)
	}
	if err := state.At(c.State).Put("guards", "no list"); err != nil {
		t.Fatal(err)
	}
	pass("the list is damaged", call)
	if !strings.Contains(logged(t, c), "which guards were chosen") {
		t.Error("nothing in the log: ", logged(t, c))
	}
}
