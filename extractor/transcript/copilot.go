package transcript

import (
	"cmp"
	"slices"
	"strings"
)

// copilot decodes the events of GitHub's Copilot CLI, and of Copilot in the editors of
// JetBrains: a type with a dot, data, and an id.
type copilot struct {
	base
	data    object // of the event
	running bool   // the agent works, so what a person says steers it
}

func newCopilot(b base) decoder { return &copilot{base: b} }

var copilotTypes = []string{
	"session.start", "session.resume", "partition.created", "session.info", "session.model_change", "session.error", "session.shutdown",
	"user.message", "assistant.message", "assistant.turn_start", "assistant.turn_end", "assistant.reasoning",
	"tool.execution_start", "tool.execution_complete", "system.message", "hook.start", "hook.end",
}

func isCopilot(o object) bool {
	return slices.Contains(copilotTypes, o.get("type").text()) && o.get("data").is('{') &&
		o.get("id").isString() && o.get("timestamp").isString()
}

func (c *copilot) record(o object) {
	t := c.d.here(c.d.at(o.get("timestamp")))
	t.UUID = o.get("id").text()
	kind := o.get("type").text()
	c.data = o.get("data").members(nil)
	t.Sidechain = c.data.get("parentToolCallId").isString()
	content := c.data.get("content")
	switch kind {
	case "session.start", "session.resume", "partition.created":
		c.session()
		c.d.session.Events = kind == "partition.created"
	case "session.model_change":
		fill(&c.d.session.Model, c.data.get("newModel"))
	case "user.message":
		as := Message
		if c.running {
			as = Steering
		}
		c.d.person(t, content.text(), as)
	case "assistant.turn_start":
		c.running = true
	case "assistant.turn_end":
		c.running = false
	case "assistant.reasoning":
		c.d.speak(t, Agent, Thinking, content)
	case "assistant.message":
		fill(&c.d.session.Model, c.data.get("model"))
		c.d.speak(t, Agent, Thinking, either(c.data.get("reasoningText"), c.data.get("thinking").get("text")))
		c.d.speak(t, Agent, Message, either(content, c.data.get("text")))
		for v := range c.data.get("toolRequests").elements() {
			c.d.call(t, v.get("toolCallId"), v.get("name"), v.get("arguments"))
		}
	case "tool.execution_start":
		c.started(t)
	case "tool.execution_complete":
		c.result(t)
	case "abort":
		c.running = false
		c.d.say(t, Person, Interrupt, "")
	case "session.compaction_complete":
		c.d.speak(t, Harness, Summary, c.data.get("summaryContent"))
	case "system.message", "system.notification":
		c.d.speak(t, Harness, Notice, content)
	case "session.info", "session.warning", "session.error":
		c.d.speak(t, Harness, Notice, c.data.get("message"))
	}
}

func (c *copilot) session() {
	s := &c.d.session
	fill(&s.ID, either(c.data.get("sessionId"), c.data.get("conversationId")))
	fill(&s.Version, c.data.get("copilotVersion"))
	fill(&s.Model, c.data.get("selectedModel"))
	fill(&s.Dir, c.data.get("context").get("cwd"))
	fill(&s.Branch, c.data.get("context").get("branch"))
	c.d.at(c.data.get("startTime"))
}

// started reads the start of a call, which was asked for before, as far as
// anyone has seen.
func (c *copilot) started(t Turn) {
	id, name, args := c.data.get("toolCallId"), c.data.get("toolName"), c.data.get("arguments")
	switch {
	case c.d.tools.byID[id.text()] != nil:
	case c.d.opts.Offset > 0 && !c.d.session.Events:
		c.d.tools.add(newCall(id.text(), name.text(), args))
	default:
		c.d.call(t, id, name, args)
	}
}

func (c *copilot) result(t Turn) {
	failed := string(c.data.get("success")) == "false" || c.data.get("shellExecution").get("exitCode").failed() // which is a success of the tool
	result := c.data.get("result")
	text := result.get("content").cut()
	for r := range result.get("result").elements() { // in the editors of JetBrains
		text += r.get("value").cut()
	}
	e := c.data.get("error")
	text = cmp.Or(text, e.get("message").cut())
	code := e.get("code").text()
	refused := failed && (code == "rejected" || code == "denied" || strings.HasPrefix(text, "The user rejected this tool call"))
	c.d.answer(t, c.data.get("toolCallId"), text, failed, refused)
}
