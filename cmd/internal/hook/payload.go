package hook

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"learnings/extractor/transcript"
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
	case "hook_event_name", "hookEventName", "hookName", "event", "session_id", "sessionId", "conversation_id", "taskId",
		"agent_id", "agentId", "subagent_id", "agent_type", "agentType", "subagent_type", "agentName", "agent_name",
		"cwd", "working_dir", "workspace_roots", "workspaceRoots", "agent_transcript_path", "transcript_path", "transcriptPath", "source", "process",
		"prompt", "message", "userPromptSubmit", "initial_prompt", "initialPrompt", "last_assistant_message", "stop_hook_active", "stopHookActive", "loop_count",
		"tool_name", "toolName", "tool_input", "toolInput", "toolArgs", "tool_use_id", "toolUseId", "toolCallId", "tool_call_id",
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
		Event:   f.text("hook_event_name", "hookEventName", "hookName", "event"),
		Session: f.text("session_id", "sessionId", "conversation_id", "taskId"),
		Part:    f.text("agent_id", "agentId", "subagent_id"),
		Dir:     f.text("cwd", "working_dir", "workspace_roots.0", "workspaceRoots.0"),
		Role:    f.text("agent_type", "agentType", "subagent_type", "agentName", "agent_name"),
		Path:    f.text("agent_transcript_path", "transcript_path", "transcriptPath"),
		Source:  f.text("source"),
		Runs:    f.text("process"),
		Prompt:  transcript.Typed(f.text("prompt", "userPromptSubmit.prompt", "initial_prompt", "initialPrompt", "message")), // Gemini CLI puts what it got at the start before it
		call:    f.call(),
	}
}

// An agent's JSON may be far longer than what is used of it: it can have a command's
// output or a written file. This file reads JSON to its end and keeps only the beginnings
// of the wanted values.

const (
	maxText   = 16 << 10 // bytes kept of one string
	maxKey    = 128      // bytes of a field's name
	maxKept   = 128 << 10
	maxLeaves = 256
	maxDepth  = 6  // of objects that are searched
	maxItems  = 16 // of a list
)

// A leaf is a value that is not an object or list.
type leaf struct {
	text string // its beginning; numbers and bools as written
	str  bool   // it is a string
	size int    // bytes of the whole value
}

// A scanner reads one JSON value, token by token.
type scanner struct {
	*json.Decoder
	want   func(key string) bool // selects fields of the outermost object
	leaves map[string]leaf       // by path, such as "tool_input.command"
	kept   int
}

var errNotJSON = errors.New("it is not JSON")

// scan reads an object. With an object that breaks off it returns what came before; the
// error is io.EOF only for empty input.
func scan(r io.Reader, want func(key string) bool) (map[string]leaf, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	if mark, err := in.Peek(3); err == nil && string(mark) == "\ufeff" {
		_, _ = in.Discard(3)
	}
	s := scanner{Decoder: json.NewDecoder(in), want: want, leaves: map[string]leaf{}}
	s.UseNumber()
	switch first, err := s.Token(); {
	case err != nil:
		return nil, err
	case first != json.Delim('{'):
		return nil, errNotJSON
	}
	err := s.inside("", '}', 1)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return s.leaves, err
}

// inside reads to the end of an object or list and keeps wanted values. It skips values
// below maxDepth.
func (s *scanner) inside(path string, end json.Delim, depth int) error {
	for i := 0; s.More(); i++ {
		name, keep := strconv.Itoa(i), i < maxItems
		if end == '}' {
			key, err := s.Token()
			if err != nil {
				return err
			}
			name, _ = key.(string)
			name = beginning(name, maxKey)
			keep = path != "" || s.want(name)
		}
		if path != "" {
			name = path + "." + name
		}
		if err := s.value(name, depth, keep); err != nil {
			return err
		}
	}
	_, err := s.Token()
	return err
}

func (s *scanner) value(path string, depth int, wanted bool) error {
	v, err := s.Token()
	if err != nil {
		return err
	}
	switch v := v.(type) {
	case json.Delim:
		if wanted && depth < maxDepth && len(s.leaves) < maxLeaves && s.kept < maxKept {
			return s.inside(path, v+2, depth+1) // in ASCII the closing delimiter is two later
		}
		return s.skip()
	case string:
		s.keep(path, leaf{beginning(v, maxText), true, len(v)}, wanted)
	case json.Number:
		s.keep(path, leaf{v.String(), false, len(v)}, wanted)
	case bool:
		s.keep(path, leaf{strconv.FormatBool(v), false, len("true")}, wanted)
	case nil:
		s.keep(path, leaf{"null", false, len("null")}, wanted)
	}
	return nil
}

// skip reads to the end of the current object or list.
func (s *scanner) skip() error {
	for open := 1; open > 0; {
		t, err := s.Token()
		if err != nil {
			return err
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			open++
		case json.Delim('}'), json.Delim(']'):
			open--
		}
	}
	return nil
}

func (s *scanner) keep(path string, l leaf, wanted bool) {
	if _, ok := s.leaves[path]; wanted && !ok && len(s.leaves) < maxLeaves && s.kept < maxKept {
		s.leaves[path] = l
		s.kept += len(path) + len(l.text)
	}
}

// beginning returns at most so many bytes of s, in whole characters.
func beginning(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "")
}
