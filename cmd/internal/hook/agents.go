package hook

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"unicode"
)

// An event is our name for a moment at which agents call hooks.
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

// calledAs are the agents' names of events, in lower case.
var calledAs = map[event]string{
	sessionStart:  "sessionstart taskstart taskresume agentstart agentresume",
	userPrompt:    "userprompt userpromptsubmit userpromptsubmitted beforeagent beforesubmitprompt promptsubmit",
	preTool:       "pretool pretooluse beforetool toolcall beforeshellexecution",
	toolFailure:   "toolfailure posttoolusefailure",
	postTool:      "posttool posttooluse aftertool toolresult",
	preCompact:    "precompact precompress",
	stop:          "stop afteragent agentstop taskcomplete taskcancel agentend agentabort turnend",
	subagentStart: "subagentstart",
	subagentStop:  "subagentstop",
	sessionEnd:    "sessionend sessionshutdown",
}

// eventOf returns our name of an event, given by our name or an agent's in any spelling;
// "" if it is unknown.
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

// Events returns the events that are answered or recorded.
func Events() (out []string) {
	for e := range calledAs {
		out = append(out, string(e))
	}
	slices.Sort(out)
	return out
}

// A form is the JSON in which an agent takes text for its model. Words in capitals are
// placeholders.
type form string

const (
	enveloped form = `{"hookSpecificOutput":{"hookEventName":EVENT,"additionalContext":TEXT}}`
	flat      form = `{"additionalContext":TEXT}`
	snake     form = `{"additional_context":TEXT}`
	aside     form = `{"systemMessage":SAYS}` // for the person alone
	noted     form = `{"context":TEXT}`
	modified  form = `{"cancel":false,"contextModification":TEXT,"errorMessage":""}`
)

// The forms that tell an agent not to make a call.
const (
	stopEnveloped form = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":DECISION,"permissionDecisionReason":REASON}}`
	stopPlain     form = `{"decision":DECISION,"reason":REASON}`
	stopBlock     form = `{"decision":"block","reason":REASON}`
	stopFlat      form = `{"permissionDecision":DECISION,"permissionDecisionReason":REASON}`
	stopSnake     form = `{"permission":DECISION,"user_message":RULE,"agent_message":REASON}`
	stopCancel    form = `{"cancel":true,"contextModification":"","errorMessage":REASON}`
)

// with returns a form that has the fields of both.
func (f form) with(o form) form { return o[:len(o)-1] + "," + f[1:] }

// filled returns the form on one line, with texts in place of words.
func (f form) filled(texts ...string) []byte {
	for i := 1; i < len(texts); i += 2 {
		var out bytes.Buffer
		enc := json.NewEncoder(&out)
		enc.SetEscapeHTML(false)
		_ = enc.Encode(texts[i]) // encoding a string cannot fail
		texts[i] = strings.TrimSuffix(out.String(), "\n")
	}
	return []byte(strings.NewReplacer(texts...).Replace(string(f)) + "\n")
}

// An agent describes how to answer one agent. Zero fields mean the same as for Claude
// Code.
type agent struct {
	name       string // the value of --for
	transcript string // the format of its transcripts
	unnamed    bool   // its session ids are not in the names of its transcripts
	form       form
	stop       form
	shows      bool             // it shows the person a message of a hook, and its form is enveloped
	noAsk      bool             // it cannot ask the person, and may let such a call pass
	names      map[event]string // of events, in answers
	takes      []event          // events after which it takes an answer; nil for all
	// resumes is what a resumed session still has of the lessons given to it.
	resumes resuming
	// hears is when it takes lessons on the subject of a session's first prompt.
	hears hearing
}

// resuming is what an agent restores when it resumes a session.
type resuming int

const (
	laterOnes resuming = iota // what was given after the start; it calls the start hook again
	allOnes                   // everything
	nothing
)

// hearing is when an agent takes lessons on the subject of a session's first prompt.
type hearing int

const (
	atPrompt  hearing = iota // with the prompt, in addition to the start
	atStart                  // at the start, which has the prompt
	nowhere                  // none of its hooks on prompts takes an answer
	byItself                 // it runs `learnings inject` and takes nothing from hooks
	whenAsked                // its model asks the MCP server; hooks tell it of calls at most
)

// ownNames are Claude Code's event names, which most other agents use too.
var ownNames = map[event]string{
	sessionStart: "SessionStart", userPrompt: "UserPromptSubmit", toolFailure: "PostToolUseFailure",
	postTool: "PostToolUse", subagentStart: "SubagentStart", preTool: "PreToolUse",
}

// agents are the values of --for. The first is the default.
var agents = []agent{
	{name: "", shows: true},
	{name: "claude", transcript: "claude-code", shows: true},
	{name: "codex", transcript: "codex", shows: true, resumes: allOnes, noAsk: true, takes: []event{sessionStart, userPrompt, preTool, postTool, subagentStart}},
	{name: "gemini", transcript: "gemini", shows: true, resumes: nothing, noAsk: true, stop: stopPlain, names: map[event]string{userPrompt: "BeforeAgent", postTool: "AfterTool"}, takes: []event{sessionStart, userPrompt, postTool}},
	{name: "opencode", transcript: "opencode", resumes: nothing, noAsk: true},
	{name: "copilot", transcript: "copilot", form: flat, stop: stopFlat, hears: atStart, takes: []event{sessionStart, userPrompt, toolFailure, postTool, subagentStart}},
	{name: "pi", transcript: "pi", resumes: nothing, noAsk: true},
	{name: "cline", transcript: "cline", unnamed: true, form: modified, noAsk: true, stop: stopCancel, hears: byItself, takes: []event{sessionStart, userPrompt, postTool}},
	{name: "qwen", transcript: "qwen", shows: true},
	{name: "kilo", transcript: "kilo", resumes: nothing, noAsk: true},
	{name: "droid", transcript: "droid", takes: []event{sessionStart, userPrompt, preTool, postTool}},
	{name: "crush", transcript: "crush", form: noted, noAsk: true, stop: stopPlain, takes: []event{preTool, toolFailure, postTool}, hears: whenAsked},
	{name: "goose", transcript: "goose", noAsk: true, stop: stopBlock, takes: []event{}, hears: whenAsked},
	{name: "cursor", transcript: "cursor", form: snake, stop: stopSnake, names: map[event]string{sessionStart: "sessionStart"}, takes: []event{sessionStart, postTool}, hears: nowhere},
}

// agentNamed finds the calling agent by name, or else by the transcript's path.
func agentNamed(name, transcript string) agent {
	for _, a := range agents {
		if a.name != "" && (strings.EqualFold(a.name, name) || name == "" && transcript != "" && a.transcript == transcript) {
			if name == "" { // as without --for
				return agent{transcript: a.transcript, resumes: a.resumes, shows: true}
			}
			return a
		}
	}
	return agents[0]
}

// TranscriptsOf returns the transcript format of an agent.
func TranscriptsOf(name string) string { return agentNamed(name, "").transcript }

// answers reports whether the answer to an event reaches the model.
func (a agent) answers(e event) bool { return a.takes == nil || slices.Contains(a.takes, e) }

// context returns the answer that gives text to the model, after an event with the
// agent's name called; nil for "".
func (a agent) context(e event, called, text string) []byte {
	if text == "" {
		return nil
	}
	return cmp.Or(a.form, enveloped).filled("EVENT", a.eventName(e, called), "TEXT", text)
}

// eventName returns an event's name for the answer. An agent that reports failed calls
// with all others expects the name that it called.
func (a agent) eventName(e event, called string) string {
	if e == toolFailure && eventOf(called) == postTool {
		e = postTool
	}
	if name := a.names[e]; name != "" {
		return name
	}
	return ownNames[e]
}
