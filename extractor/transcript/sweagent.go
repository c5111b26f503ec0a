package transcript

import (
	"path/filepath"
	"strings"
	"time"
)

// sweAgent decodes trajectories of SWE-agent: steps of a thought, an action
// and what was observed. Nobody types in them; the task is somebody's issue.
// What was said to the model, in history, repeats the steps.
type sweAgent struct {
	base
	told bool // the task was given out
}

func newSWEAgent(b base) decoder { return &sweAgent{base: b} }

func isSWEAgent(g glimpse) bool {
	first := g.first("trajectory")
	return first.get("action").isString() && (first.get("observation").isString() || first.get("thought") != nil)
}

// sweFailed are the first words of what the environment observes of an action
// that it did not carry out.
var sweFailed = lazyRegexp(`^(?:Your proposed edit has introduced new syntax error|EXECUTION TIMED OUT|The command '.*' was cancelled|Usage: |bash: |/bin/bash: )`)

func (s *sweAgent) record(o object) {
	t := s.d.here(time.Time{})
	if role := o.get("role"); role != nil { // of the history
		if !s.told && role.equals("user") && !o.get("is_demo").isTrue() {
			s.told = true
			s.d.note(t, Harness, Notice, plainText(o.get("content")))
		}
		return
	}
	state := raw(o.get("state").text())
	if !state.is('{') {
		state = o.get("state")
	}
	fill(&s.d.session.Dir, state.get("working_dir"))
	s.d.note(t, Agent, Message, o.get("thought").text())
	action := strings.TrimSpace(o.get("action").text())
	if action == "" {
		return
	}
	name, _, _ := strings.Cut(action, "\n")
	name, _, _ = strings.Cut(name, " ")
	call := &ToolCall{Name: name, Command: action, Input: cutText(action)}
	s.d.called(t, call)
	observed := o.get("observation").cut()
	s.d.result(t, call, observed, sweFailed().MatchString(observed), false, "")
}

// miniSWE decodes trajectories of mini-swe-agent: messages to and from a
// model, whose only tool is a shell.
type miniSWE struct{ base }

func newMiniSWE(b base) decoder { return miniSWE{b} }

func isMiniSWE(g glimpse) bool {
	info := g.get("info").members(nil)
	return g.get("messages").is('[') && info.get("model_stats") != nil && (info.get("mini_version") != nil || info.get("config").get("agent_type") != nil) ||
		strings.HasPrefix(g.get("trajectory_format").text(), "mini-swe-agent")
}

func miniPlaces(h host) []string {
	if h.os == "windows" {
		return []string{h.root("MSWEA_GLOBAL_CONFIG_DIR", "AppData", "Local", "mini-swe-agent", "mini-swe-agent")}
	}
	if dir := h.env("MSWEA_GLOBAL_CONFIG_DIR"); dir != "" {
		return []string{dir}
	}
	return []string{filepath.Join(h.config(), "mini-swe-agent")}
}

func (m miniSWE) flush() {
	if s := &m.d.session; s.ID == "" {
		s.ID = m.d.stem()
	}
}

func (m miniSWE) member(key string, v raw) {
	s := &m.d.session
	switch key {
	case "instance_id":
		fill(&s.ID, v)
	case "info":
		fill(&s.Version, v.get("mini_version"))
		config := v.get("config")
		fill(&s.Model, config.get("model", "model_name"))
		fill(&s.Dir, config.get("environment", "cwd"))
	}
}

var (
	miniCode    = lazyRegexp(`^\s*(?:<exception>.*?</exception>\s*)?<returncode>(-?\d+)</returncode>\s*`)
	miniCommand = lazyRegexp("(?s)```(?:mswea_bash_command|bash)\\s*\n(.*?)\n```")
)

// What mini-swe-agent writes around a person's words.
const (
	miniInterrupt = "Interrupted by user: "
	miniNoWords   = "Temporary interruption caught."
	miniRejected  = "The user rejected your commands with the following message: "
	miniNewTask   = "The user added a new task: "
	miniCommanded = "User command: \n```bash\n"
)

func (m miniSWE) record(o object) {
	t := m.d.here(m.d.atUnix(o.get("extra").get("timestamp")))
	content := plainText(o.get("content"))
	switch o.get("role").text() {
	case "assistant":
		m.d.speak(t, Agent, Thinking, o.get("reasoning_content"))
		m.agent(o, content, t)
	case "tool":
		m.result(m.d.tools.answered(o.get("tool_call_id").text()), content, t)
	case "user":
		m.user(content, o.get("extra").get("interrupt_type").text(), t)
	case "exit", "system":
		m.d.note(t, Harness, Notice, content)
	}
}

func (m miniSWE) agent(o object, content string, t Turn) {
	m.d.note(t, Agent, Message, content)
	byID := false
	for v := range o.get("tool_calls").elements() {
		byID = true
		f := v.get("function")
		u := t
		u.Line = m.d.lineAt(v)
		m.d.call(u, v.get("id"), f.get("name"), f.get("arguments"))
	}
	if command := miniCommand().FindStringSubmatch(content); !byID && command != nil {
		m.d.called(t, m.d.tools.add(&ToolCall{Name: "bash", Command: command[1], Input: cutText(command[1])}))
	}
}

func (m miniSWE) result(call *ToolCall, text string, t Turn) {
	code := miniCode().FindStringSubmatchIndex(text)
	failed := false
	if code != nil {
		failed = text[code[2]:code[3]] != "0"
		if rest := text[code[1]:]; strings.HasPrefix(rest, "<output>") {
			text = element(rest, "output")
		}
	}
	m.d.result(t, call, text, failed, false, "")
}

// user reads what is in the person's place: the task and answers of the shell
// are not theirs, what they typed to interrupt is.
func (m miniSWE) user(text, interrupt string, t Turn) {
	command, isCommand := strings.CutPrefix(text, miniCommanded)
	said, interrupted := strings.CutPrefix(text, miniInterrupt)
	_, rejected, isRejected := strings.Cut(text, miniRejected)
	task, isTask := strings.CutPrefix(text, miniNewTask)
	call := (*ToolCall)(nil)
	if interrupt == "" && miniCode().MatchString(text) {
		call = m.d.tools.next()
	}
	switch {
	case isCommand:
		m.d.say(t, Person, Shell, strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(command), "```")))
	case call != nil:
		m.result(call, text, t)
	case interrupt == "":
		m.d.note(t, Harness, Notice, text)
	case isRejected:
		t.Refused = true
		m.d.say(t, Person, Rejection, strings.TrimSpace(rejected))
	case isTask:
		m.d.person(t, task, Message)
	case interrupted && said != miniNoWords:
		m.d.person(t, said, Steering)
	default:
		m.d.say(t, Person, Interrupt, "")
	}
}
