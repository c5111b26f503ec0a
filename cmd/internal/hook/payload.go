package hook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// How long to wait for an agent's input. A broken agent never closes the pipe.
const (
	payloadWait = 500 * time.Millisecond
	// endingWait is for events that are noted even when the agent does not name the
	// session.
	endingWait = 40 * time.Millisecond
)

// A payload holds the fields that we use of an agent's JSON. Agents agree on most names;
// a field of the wrong type counts as missing.
type payload struct {
	Event   string // the agent's name: SessionStart, sessionStart
	Session string
	Part    string // the subagent's id; "" for the session itself
	Dir     string // where the agent works
	Role    string // the subagent's type
	Path    string // of the transcript of the session or subagent
	Source  string // why a session starts: startup, resume, clear, compact, fork
	Runs    string // the run of the agent, if it says: a session may be resumed at once
	Prompt  string // the person's, or its beginning

	call toolCall
}

// wanted reports whether a payload uses a field.
func wanted(key string) bool {
	switch key {
	case "hook_event_name", "hookEventName", "hookName", "session_id", "sessionId", "conversation_id", "taskId",
		"agent_id", "agentId", "subagent_id", "agent_type", "agentType", "subagent_type", "agentName", "agent_name",
		"cwd", "workspace_roots", "workspaceRoots", "agent_transcript_path", "transcript_path", "transcriptPath", "source", "process",
		"prompt", "userPromptSubmit", "initial_prompt", "initialPrompt", "last_assistant_message", "stop_hook_active", "stopHookActive", "loop_count",
		"tool_name", "toolName", "tool_input", "toolInput", "toolArgs", "tool_use_id", "toolUseId", "toolCallId",
		"error", "error_message", "tool_response", "tool_result", "toolResult", "tool_output", "preToolUse", "postToolUse",
		"is_interrupt", "isInterrupt", "command":
		return true
	}
	return false
}

// agentOf returns the agent that keeps a transcript at this path, named as its transcript
// format; "" if unknown.
func agentOf(path string) string {
	path = strings.ReplaceAll(path, `\`, "/")
	for folder, agent := range map[string]string{
		".claude": "claude-code", ".codex": "codex", ".gemini": "gemini", ".qwen": "qwen",
		".copilot": "copilot", ".cursor": "cursor", ".factory": "droid", ".pi": "pi", ".cline": "cline", "opencode": "opencode", "kilo": "kilo",
	} {
		if strings.Contains(path, "/"+folder+"/") {
			return agent
		}
	}
	return ""
}

// A lively reader signals when input arrives.
type lively struct {
	io.Reader
	came chan struct{} // buffered, size 1
}

func (l lively) Read(b []byte) (int, error) {
	n, err := l.Reader.Read(b)
	if n > 0 {
		select {
		case l.came <- struct{}{}:
		default:
		}
	}
	return n, err
}

// readPayload reads an agent's JSON object to its end: it does not wait for the pipe to
// close, nor cut off a large object. It gives up when no input comes for some time; a
// blocked reader ends with the process.
func readPayload(ctx context.Context, in io.Reader, wait time.Duration) (p payload, err error) {
	if in == nil {
		return p, nil
	}
	done := make(chan error, 1)
	from := lively{in, make(chan struct{}, 1)}
	var read payload
	go func() {
		defer func() {
			if r := recover(); r != nil {
				done <- fmt.Errorf("panic: %v", r)
			}
		}()
		leaves, err := scan(from, wanted)
		if err == nil {
			read = payloadOf(leaves)
		} else {
			_, _ = io.Copy(io.Discard, from) // so that the agent's write succeeds
		}
		done <- err
	}()
	silence := time.NewTimer(wait)
	defer silence.Stop()
	for {
		select {
		case err := <-done:
			switch {
			case errors.Is(err, io.EOF): // no input: a person, or an agent with nothing to say
				return p, nil
			case err != nil:
				return p, fmt.Errorf("what the agent sent is not JSON: %v", err)
			}
			return read, nil
		case <-ctx.Done():
			return p, errors.New("the agent sent nothing whole in time")
		case <-from.came:
			silence.Reset(wait)
		case <-silence.C:
			return p, fmt.Errorf("the agent sent nothing whole within %v", wait)
		}
	}
}

// payloadOf makes a payload from its fields.
func payloadOf(leaves map[string]leaf) payload {
	f := found(leaves)
	for _, path := range results {
		f.unpack(path)
	}
	return payload{
		Event:   f.text("hook_event_name", "hookEventName", "hookName"),
		Session: f.text("session_id", "sessionId", "conversation_id", "taskId"),
		Part:    f.text("agent_id", "agentId", "subagent_id"),
		Dir:     f.text("cwd", "workspace_roots.0", "workspaceRoots.0"),
		Role:    f.text("agent_type", "agentType", "subagent_type", "agentName", "agent_name"),
		Path:    f.text("agent_transcript_path", "transcript_path", "transcriptPath"),
		Source:  f.text("source"),
		Runs:    f.text("process"),
		Prompt:  f.text("prompt", "userPromptSubmit.prompt", "initial_prompt", "initialPrompt"),
		call:    f.call(),
	}
}
