package hook

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"learnings/extractor/live"
)

// A shape is what an agent accepts as the answer to an event, from its published schema
// or documentation: Codex's hook schemas, which forbid all other keys; the documentation
// of Claude Code, Gemini CLI, Copilot and Cursor; Cline's check of its output.
type shape struct {
	agent, event, called string
	payload              string // the event's own fields
	path                 []string
	name                 string // hookEventName
	keys                 []string
}

var envelopeKeys = []string{"additionalContext", "hookEventName"}

var shapes = []shape{
	{"claude", "session-start", "SessionStart", `"source":"startup"`, []string{"hookSpecificOutput", "additionalContext"}, "SessionStart", envelopeKeys},
	{"claude", "user-prompt", "UserPromptSubmit", prompted, []string{"hookSpecificOutput", "additionalContext"}, "UserPromptSubmit", envelopeKeys},
	{"claude", "tool-failure", "PostToolUseFailure", failing, []string{"hookSpecificOutput", "additionalContext"}, "PostToolUseFailure", envelopeKeys},
	{"claude", "post-tool", "PostToolUse", failed, []string{"hookSpecificOutput", "additionalContext"}, "PostToolUse", envelopeKeys},
	{"claude", "subagent-start", "SubagentStart", `"agent_id":"a1","agent_type":"Explore"`, []string{"hookSpecificOutput", "additionalContext"}, "SubagentStart", envelopeKeys},
	{"codex", "session-start", "SessionStart", `"transcript_path":null,"source":"startup"`, []string{"hookSpecificOutput", "additionalContext"}, "SessionStart", envelopeKeys},
	{"codex", "user-prompt", "UserPromptSubmit", prompted, []string{"hookSpecificOutput", "additionalContext"}, "UserPromptSubmit", envelopeKeys},
	{"codex", "post-tool", "PostToolUse", `"tool_name":"Bash","tool_input":{"command":"make"},"tool_response":"make: *** error: stale protobuf generated files"`, []string{"hookSpecificOutput", "additionalContext"}, "PostToolUse", envelopeKeys},
	{"codex", "tool-failure", "PostToolUse", `"tool_name":"Bash","tool_input":{"command":"make"},"tool_response":"error: stale protobuf generated files"`, []string{"hookSpecificOutput", "additionalContext"}, "PostToolUse", envelopeKeys},
	{"codex", "subagent-start", "SubagentStart", `"agent_id":"a1","agent_type":"worker"`, []string{"hookSpecificOutput", "additionalContext"}, "SubagentStart", envelopeKeys},
	{"gemini", "session-start", "SessionStart", `"source":"startup"`, []string{"hookSpecificOutput", "additionalContext"}, "SessionStart", envelopeKeys},
	{"gemini", "before-agent", "BeforeAgent", prompted, []string{"hookSpecificOutput", "additionalContext"}, "BeforeAgent", envelopeKeys},
	{"gemini", "post-tool", "AfterTool", `"tool_name":"run_shell_command","tool_input":{"command":"make"},"tool_response":{"llmContent":"Command: make\nOutput: stale protobuf generated files\nExit Code: 2"}`, []string{"hookSpecificOutput", "additionalContext"}, "AfterTool", envelopeKeys},
	{"opencode", "user-prompt", "UserPromptSubmit", prompted, []string{"hookSpecificOutput", "additionalContext"}, "UserPromptSubmit", envelopeKeys},
	{"pi", "session-start", "SessionStart", `"source":"startup"`, []string{"hookSpecificOutput", "additionalContext"}, "SessionStart", envelopeKeys},
	{"qwen", "user-prompt", "UserPromptSubmit", prompted, []string{"hookSpecificOutput", "additionalContext"}, "UserPromptSubmit", envelopeKeys},
	{"copilot", "session-start", "sessionStart", `"source":"new"`, []string{"additionalContext"}, "", []string{"additionalContext"}},
	{"copilot", "user-prompt", "userPromptSubmitted", prompted, []string{"additionalContext"}, "", []string{"additionalContext"}},
	{"copilot", "tool-failure", "postToolUseFailure", `"toolName":"bash","toolArgs":{"command":"make"},"error":"stale protobuf generated files"`, []string{"additionalContext"}, "", []string{"additionalContext"}},
	{"copilot", "post-tool", "PostToolUse", `"tool_name":"bash","tool_input":{"command":"make"},"tool_result":{"result_type":"success","text_result_for_llm":"stale protobuf generated files\n<exited with exit code 2>"}`, []string{"additionalContext"}, "", []string{"additionalContext"}},
	{"crush", "tool-failure", "PostToolUseFailure", `"tool_name":"bash","tool_input":{"command":"make"},"error":"stale protobuf generated files"`, []string{"context"}, "", []string{"context"}},
	{"cursor", "session-start", "sessionStart", `"workspace_roots":["/src/octofs"]`, []string{"additional_context"}, "", []string{"additional_context"}},
	{"cline", "session-start", "agent_start", `"taskStart":{"taskMetadata":{}}`, []string{"contextModification"}, "", []string{"cancel", "contextModification", "errorMessage"}},
	{"cline", "user-prompt", "UserPromptSubmit", `"userPromptSubmit":{"prompt":"why does the build say stale protobuf generated files?"}`, []string{"contextModification"}, "", []string{"cancel", "contextModification", "errorMessage"}},
	{"", "session-start", "SessionStart", `"source":"startup"`, []string{"hookSpecificOutput", "additionalContext"}, "SessionStart", envelopeKeys},
	{"unknown", "session-start", "SessionStart", `"source":"startup"`, []string{"hookSpecificOutput", "additionalContext"}, "SessionStart", envelopeKeys},
}

const (
	prompted = `"prompt":"why does the build say stale protobuf generated files?"`
	failing  = `"tool_name":"Bash","tool_input":{"command":"make"},"tool_use_id":"t1","error":"Exit code 2\nstale protobuf generated files"`
	failed   = `"tool_name":"Bash","tool_input":{"command":"make"},"tool_use_id":"t2","tool_response":{"stdout":"","stderr":"stale protobuf generated files","exit_code":2}`
)

func TestForms(t *testing.T) {
	c := desk(t, lesson("aaaa", "Stale protobuf generated files are cured by make generate"))
	for i, s := range shapes {
		t.Run(s.agent+" "+s.event+" "+s.called, func(t *testing.T) {
			c := c
			c.For = s.agent
			session := `"session_id":"s` + string(rune('a'+i)) + `","cwd":"/src/octofs","hook_event_name":"` + s.called + `"`
			switch s.agent {
			case "cline":
				session = `"taskId":"s` + string(rune('a'+i)) + `","workspaceRoots":["/src/octofs"],"hookName":"` + s.called + `"`
			case "crush":
				session = strings.Replace(session, "hook_event_name", "event", 1)
			case "copilot":
				session = `"sessionId":"s` + string(rune('a'+i)) + `","cwd":"/src/octofs"`
			}
			var out bytes.Buffer
			Run(t.Context(), s.event, strings.NewReader("{"+session+","+s.payload+"}"), &out, c)
			var answer map[string]any
			if err := json.Unmarshal(out.Bytes(), &answer); err != nil || bytes.Count(out.Bytes(), []byte("\n")) != 1 {
				t.Fatalf("%v: %q\n%s", err, out.String(), logged(t, c))
			}
			inner := answer
			if len(s.path) > 1 {
				if len(answer) != 1 {
					t.Errorf("other keys: %v", slices.Collect(maps.Keys(answer)))
				}
				inner, _ = answer[s.path[0]].(map[string]any)
			}
			if got := slices.Sorted(maps.Keys(inner)); !slices.Equal(got, s.keys) {
				t.Errorf("keys %v, want %v", got, s.keys)
			}
			if name, _ := inner["hookEventName"].(string); name != s.name {
				t.Errorf("hookEventName %q, want %q", name, s.name)
			}
			text, _ := inner[s.path[len(s.path)-1]].(string)
			if !strings.Contains(text, "make generate [L-aaaa]") || !strings.HasSuffix(text, "</learnings-context>\n") {
				t.Errorf("text %q", text)
			}
		})
	}
}

// TestNoForm checks that agents get no answer that they would reject or ignore.
func TestNoForm(t *testing.T) {
	c := desk(t, lesson("aaaa", "Stale protobuf generated files are cured by make generate"))
	for _, call := range [][3]string{
		{"cursor", "user-prompt", "beforeSubmitPrompt"}, {"goose", "user-prompt", "UserPromptSubmit"}, {"crush", "session-start", "SessionStart"}, {"gemini", "subagent-start", ""}, {"codex", "session-start", "Stop"}, {"claude", "user-prompt", "SessionStart"},
	} {
		c.For = call[0]
		var out bytes.Buffer
		Run(t.Context(), call[1], strings.NewReader(`{"cwd":"/src/octofs","hook_event_name":"`+call[2]+`",`+prompted+`}`), &out, c)
		if out.Len() > 0 {
			t.Errorf("%v: %s", call, out.String())
		}
	}
}

// TestUnnamed checks that the end of a session is noted without an id that is not in the
// names of its files: with it nothing would be found.
func TestUnnamed(t *testing.T) {
	c := desk(t)
	for agent, want := range map[string]string{"cline": "", "claude": "conv_17953"} {
		var got live.Notice
		c.For, c.Note = agent, func(n live.Notice) error { got = n; return nil }
		Run(t.Context(), "stop", strings.NewReader(`{"taskId":"conv_17953","session_id":"conv_17953","cwd":"/src/octofs"}`), io.Discard, c)
		if got.Session != want || got.Dir != "/src/octofs" {
			t.Errorf("%s: %+v", agent, got)
		}
	}
}
