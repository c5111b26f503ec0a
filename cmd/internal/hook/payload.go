package hook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// For how long an agent may send nothing. A broken one never closes the pipe.
const (
	payloadWait = 500 * time.Millisecond
	// endingWait is for events of which note is taken also when the agent does not
	// say which session it is.
	endingWait = 40 * time.Millisecond
)

// A payload is what agents say when they call a hook, as far as we use it. They agree
// on most names; where a field is missing or of another type it counts as absent.
type payload struct {
	Event   string // as the agent names it: SessionStart, sessionStart
	Session string
	Part    string // the subagent's own id; "" for the session itself
	Dir     string // in which the agent works
	Role    string // the type of the subagent, if it is one
	Path    string // of the session's transcript, or of the subagent's
	Source  string // why a session starts: startup, resume, clear, compact, fork
	Runs    string // which run of the agent calls, if it says so: a session may be resumed at once
	Prompt  string // of the person, or its beginning

	call toolCall
}

// wanted reports whether a payload is made of a field.
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

// agentOf tells from the place of a transcript which agent keeps it; "" when it cannot
// be told. The names are those of the formats of transcripts.
func agentOf(path string) string {
	path = strings.ReplaceAll(path, `\`, "/")
	for folder, agent := range map[string]string{
		".claude": "claude-code", ".codex": "codex", ".gemini": "gemini", ".qwen": "qwen",
		".copilot": "copilot", ".cursor": "cursor", ".factory": "droid", ".pi": "pi", ".cline": "cline", "opencode": "opencode",
	} {
		if strings.Contains(path, "/"+folder+"/") {
			return agent
		}
	}
	return ""
}

// A lively reader tells that something has come.
type lively struct {
	io.Reader
	came chan struct{} // with room for one
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

// readPayload reads what an agent sends to the end of its object: an agent that leaves
// the pipe open does not make us wait, and one that sends much is not cut off. It gives
// up when nothing has come for some time. A reader that still waits then ends with the
// process.
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
			_, _ = io.Copy(io.Discard, from) // an agent that could not write it all might take that ill
		}
		done <- err
	}()
	silence := time.NewTimer(wait)
	defer silence.Stop()
	for {
		select {
		case err := <-done:
			switch {
			case errors.Is(err, io.EOF): // nothing at all: a person, or an agent that has nothing to say
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

// payloadOf makes a payload of the fields of which it is made.
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
