package hook

import (
	"bytes"
	"cmp"
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

// calledAs are the names that agents give to events, in small letters.
var calledAs = map[event]string{
	sessionStart:  "sessionstart taskstart taskresume agentstart agentresume",
	userPrompt:    "userprompt userpromptsubmit userpromptsubmitted beforeagent beforesubmitprompt promptsubmit",
	preTool:       "pretool pretooluse beforetool toolcall beforeshellexecution",
	toolFailure:   "toolfailure posttoolusefailure",
	postTool:      "posttool posttooluse aftertool toolresult",
	preCompact:    "precompact precompress",
	stop:          "stop afteragent agentstop taskcomplete taskcancel agentend agentabort",
	subagentStart: "subagentstart",
	subagentStop:  "subagentstop",
	sessionEnd:    "sessionend sessionshutdown",
}

// eventOf gives our name for an event, by ours or by that of an agent, however it is
// spelt; "" for none that we know.
func eventOf(name string) event {
	letters := strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
	for e, names := range calledAs {
		if letters != "" && slices.Contains(strings.Fields(names), letters) {
			return e
		}
	}
	return ""
}

// Events are our names for the events that are answered or recorded.
func Events() (out []string) {
	for e := range calledAs {
		out = append(out, string(e))
	}
	slices.Sort(out)
	return out
}

// A form is the JSON in which an agent takes what its model is to read. The words in
// capitals stand for texts.
type form string

const (
	enveloped form = `{"hookSpecificOutput":{"hookEventName":EVENT,"additionalContext":TEXT}}`
	flat      form = `{"additionalContext":TEXT}`
	snake     form = `{"additional_context":TEXT}`
	modified  form = `{"cancel":false,"contextModification":TEXT,"errorMessage":""}`
)

// The forms in which an agent is told not to make a call.
const (
	stopEnveloped form = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":DECISION,"permissionDecisionReason":REASON}}`
	stopPlain     form = `{"decision":DECISION,"reason":REASON}`
	stopFlat      form = `{"permissionDecision":DECISION,"permissionDecisionReason":REASON}`
	stopSnake     form = `{"permission":DECISION,"user_message":RULE,"agent_message":REASON}`
	stopCancel    form = `{"cancel":true,"contextModification":"","errorMessage":REASON}`
)

// filled is a form with texts in the place of words, as one line.
func (f form) filled(texts ...string) []byte {
	for i := 1; i < len(texts); i += 2 {
		var out bytes.Buffer
		enc := json.NewEncoder(&out)
		enc.SetEscapeHTML(false)
		_ = enc.Encode(texts[i]) // of a string: it cannot fail
		texts[i] = strings.TrimSuffix(out.String(), "\n")
	}
	return []byte(strings.NewReplacer(texts...).Replace(string(f)) + "\n")
}

// An agent is how one of them is answered. Where nothing is said, an answer is that of
// Claude Code.
type agent struct {
	name       string // as --for has it
	transcript string // the format of its transcripts
	unnamed    bool   // no transcript is named after what it calls a session
	form       form
	stop       form
	noAsk      bool             // it knows no decision to ask the person, and may then let the call pass
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
	{name: "codex", transcript: "codex", resumes: allOnes, noAsk: true, takes: []event{sessionStart, userPrompt, preTool, postTool, subagentStart}},
	{name: "gemini", transcript: "gemini", resumes: nothing, noAsk: true, stop: stopPlain, names: map[event]string{userPrompt: "BeforeAgent", postTool: "AfterTool"}, takes: []event{sessionStart, userPrompt, postTool}},
	{name: "opencode", transcript: "opencode", resumes: nothing, noAsk: true},
	{name: "copilot", transcript: "copilot", form: flat, stop: stopFlat, hears: atStart, takes: []event{sessionStart, userPrompt, toolFailure, postTool, subagentStart}},
	{name: "pi", transcript: "pi", resumes: nothing, noAsk: true},
	{name: "cline", transcript: "cline", unnamed: true, form: modified, noAsk: true, stop: stopCancel, hears: byItself, takes: []event{sessionStart, userPrompt, postTool}},
	{name: "qwen", transcript: "qwen"},
	{name: "cursor", transcript: "cursor", form: snake, stop: stopSnake, names: map[event]string{sessionStart: "sessionStart"}, takes: []event{sessionStart, postTool}, hears: nowhere},
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

// TranscriptsOf is the format in which an agent keeps its sessions.
func TranscriptsOf(name string) string { return agentNamed(name, "").transcript }

// answers reports whether an answer to an event reaches the model.
func (a agent) answers(e event) bool { return a.takes == nil || slices.Contains(a.takes, e) }

// context writes what the model is to read, after an event that the agent called by
// this name; nothing for nothing.
func (a agent) context(e event, called, text string) []byte {
	if text == "" {
		return nil
	}
	return cmp.Or(a.form, enveloped).filled("EVENT", a.eventName(e, called), "TEXT", text)
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
