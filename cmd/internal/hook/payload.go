package hook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// Limits of what an agent hands us. Its prompt may be in there, and a broken
// agent may never close the pipe.
const (
	maxPayload  = 4 << 20 // bytes
	payloadWait = 500 * time.Millisecond
)

// A payload is what agents say when they call a hook, as far as we use it.
// Claude Code, Codex and Cursor agree on most names; where a field is missing
// or of another type it counts as absent.
type payload struct {
	Event   string // as the agent names it: SessionStart, sessionStart
	Session string
	Dir     string // in which the agent works
	Role    string // the type of the subagent, if it is one
	Path    string // of the session's transcript, or of the subagent's
}

// agentOf tells from the place of a transcript which agent keeps it; "" when it cannot
// be told. The names are those of the formats of transcripts.
func agentOf(path string) string {
	path = strings.ReplaceAll(path, `\`, "/")
	for folder, agent := range map[string]string{
		".claude": "claude-code", ".codex": "codex", ".gemini": "gemini", ".qwen": "qwen",
		".copilot": "copilot", ".cursor": "cursor", ".factory": "droid", ".pi": "pi",
	} {
		if strings.Contains(path, "/"+folder+"/") {
			return agent
		}
	}
	return ""
}

// readPayload reads it whole or gives up when the time is over. A reader that
// still waits then ends with the process.
func readPayload(ctx context.Context, in io.Reader, wait time.Duration) (payload, error) {
	if in == nil {
		return payload{}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	type read struct {
		b   []byte
		err error
	}
	done := make(chan read, 1)
	go func() {
		// JSON ends where its object ends: an agent that leaves the pipe open
		// does not make us wait.
		var raw json.RawMessage
		err := json.NewDecoder(io.LimitReader(in, maxPayload)).Decode(&raw)
		done <- read{raw, err}
	}()
	select {
	case <-ctx.Done():
		return payload{}, fmt.Errorf("the agent sent nothing whole within %v", wait)
	case r := <-done:
		if errors.Is(r.err, io.EOF) {
			return payload{}, nil // nothing at all: a person, or an agent that has nothing to say
		}
		if r.err != nil {
			return payload{}, fmt.Errorf("what the agent sent is not JSON: %v", r.err)
		}
		return parsePayload(r.b), nil
	}
}

func parsePayload(b []byte) payload {
	var fields map[string]json.RawMessage
	if json.Unmarshal(b, &fields) != nil {
		return payload{}
	}
	text := func(keys ...string) string {
		for _, key := range keys {
			var s string
			if json.Unmarshal(fields[key], &s) == nil && strings.TrimSpace(s) != "" {
				return s
			}
		}
		return ""
	}
	p := payload{
		Event: text("hook_event_name", "hookEventName"), Session: text("session_id", "conversation_id"),
		Dir: text("cwd"), Role: text("agent_type"),
		Path: text("agent_transcript_path", "transcript_path"),
	}
	var roots []string
	if p.Dir == "" && json.Unmarshal(fields["workspace_roots"], &roots) == nil && len(roots) > 0 {
		p.Dir = roots[0]
	}
	return p
}
