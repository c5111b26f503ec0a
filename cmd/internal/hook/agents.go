package hook

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode"
)

// An event is a moment at which agents call hooks, by our name for it.
type event string

const (
	sessionStart  event = SessionStart
	userPrompt    event = "user-prompt"
	preTool       event = "pre-tool"
	toolFailure   event = "tool-failure"
	postTool      event = "post-tool"
	preCompact    event = "pre-compact"
	stop          event = "stop"
	subagentStart event = "subagent-start"
	subagentStop  event = "subagent-stop"
	sessionEnd    event = "session-end"
)

// eventOf gives our name for an event, by ours or by that of an agent, however it is
// spelt; "" for none that we know.
func eventOf(name string) event {
	letters := strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
	switch letters {
	case "sessionstart", "taskstart", "taskresume", "agentstart", "agentresume":
		return sessionStart
	case "userprompt", "userpromptsubmit", "userpromptsubmitted", "beforeagent", "beforesubmitprompt", "promptsubmit":
		return userPrompt
	case "pretool", "pretooluse", "beforetool", "toolcall", "beforeshellexecution":
		return preTool
	case "toolfailure", "posttoolusefailure":
		return toolFailure
	case "posttool", "posttooluse", "aftertool", "toolresult":
		return postTool
	case "precompact", "precompress":
		return preCompact
	case "stop", "afteragent", "agentstop", "taskcomplete", "taskcancel", "agentend", "agentabort":
		return stop
	case "subagentstart":
		return subagentStart
	case "subagentstop":
		return subagentStop
	case "sessionend", "sessionshutdown":
		return sessionEnd
	}
	return ""
}

// Events are our names for the events that are answered or recorded.
func Events() []string {
	return []string{SessionStart, string(userPrompt), string(preTool), string(toolFailure), string(postTool), string(preCompact), string(stop),
		string(subagentStart), string(subagentStop), string(sessionEnd)}
}

// A form is how an agent takes what its model is to read.
type form int

const (
	enveloped form = iota // {"hookSpecificOutput":{"hookEventName":…,"additionalContext":…}}
	flat                  // {"additionalContext":…}
	snake                 // {"additional_context":…}
	modified              // {"cancel":false,"contextModification":…}
)

// An agent is how one of them is answered. Where nothing is said, an answer is that of
// Claude Code.
type agent struct {
	name       string // as --for has it
	transcript string // the format of its transcripts
	unnamed    bool   // no transcript is named after what it calls a session
	form       form
	names      map[event]string // of events, as the answer has them
	takes      []event          // after which it takes an answer; nil for all
	// resumes is what a resumed session still has of what it was given.
	resumes resuming
	// hears is when it takes what is on the subject of a session's first prompt.
	hears hearing
}

// resuming is what an agent brings back when it resumes a session.
type resuming int

const (
	laterOnes resuming = iota // what was given after the start; the hook of the start is called again
	allOnes                   // all
	nothing
)

// hearing is when an agent takes what is on the subject of a session's first prompt.
type hearing int

const (
	atPrompt hearing = iota // beside what it has had at the start
	atStart                 // which tells of the prompt
	nowhere                 // its prompts come to no hook that it takes an answer from
	byItself                // it runs `learnings inject`, and takes nothing from hooks
)

// ownNames are those of Claude Code, which most others took over.
var ownNames = map[event]string{
	sessionStart: "SessionStart", userPrompt: "UserPromptSubmit", toolFailure: "PostToolUseFailure",
	postTool: "PostToolUse", subagentStart: "SubagentStart", preTool: "PreToolUse",
}

// agents are all that --for may name. The first is who is answered without it.
var agents = []agent{
	{name: ""},
	{name: "claude", transcript: "claude-code"},
	{name: "codex", transcript: "codex", resumes: allOnes, takes: []event{sessionStart, userPrompt, preTool, postTool, subagentStart}},
	{name: "gemini", transcript: "gemini", resumes: nothing, names: map[event]string{userPrompt: "BeforeAgent", postTool: "AfterTool"}, takes: []event{sessionStart, userPrompt, postTool}},
	{name: "opencode", transcript: "opencode", resumes: nothing},
	{name: "copilot", transcript: "copilot", form: flat, hears: atStart, takes: []event{sessionStart, userPrompt, toolFailure, postTool, subagentStart}},
	{name: "pi", transcript: "pi", resumes: nothing},
	{name: "cline", transcript: "cline", unnamed: true, form: modified, hears: byItself, takes: []event{sessionStart, userPrompt, postTool}},
	{name: "qwen", transcript: "qwen"},
	{name: "cursor", transcript: "cursor", form: snake, names: map[event]string{sessionStart: "sessionStart"}, takes: []event{sessionStart, postTool}, hears: nowhere},
}

// agentNamed finds who calls: by name, or else by where the transcript is.
func agentNamed(name, transcript string) agent {
	for _, a := range agents {
		if a.name != "" && (strings.EqualFold(a.name, name) || name == "" && transcript != "" && a.transcript == transcript) {
			if name == "" { // as without --for, whoever it is
				return agent{transcript: a.transcript, resumes: a.resumes}
			}
			return a
		}
	}
	return agents[0]
}

// answers reports whether an answer to an event reaches the model.
func (a agent) answers(e event) bool { return a.takes == nil || slices.Contains(a.takes, e) }

// context writes what the model is to read, after an event that the agent called by
// this name; nothing for nothing.
func (a agent) context(e event, called, text string) ([]byte, error) {
	if text == "" {
		return nil, nil
	}
	switch a.form {
	case flat:
		return line(struct {
			Context string `json:"additionalContext"`
		}{text})
	case snake:
		return line(struct {
			Context string `json:"additional_context"`
		}{text})
	case modified:
		return line(struct {
			Cancel  bool   `json:"cancel"`
			Context string `json:"contextModification"`
			Error   string `json:"errorMessage"`
		}{false, text, ""})
	}
	type output struct {
		Event   string `json:"hookEventName"`
		Context string `json:"additionalContext"`
	}
	return line(struct {
		Output output `json:"hookSpecificOutput"`
	}{output{a.eventName(e, called), text}})
}

// eventName is an event's name in an answer. An agent whose failing calls come with
// all others is answered to what it asked.
func (a agent) eventName(e event, called string) string {
	if e == toolFailure && eventOf(called) == postTool {
		e = postTool
	}
	if name := a.names[e]; name != "" {
		return name
	}
	return ownNames[e]
}

// line is a value as one line of JSON.
func line(v any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return out.Bytes(), err
}
