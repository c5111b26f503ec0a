package transcript

import "strings"

// clineUI decodes what Cline and Roo show: a list of what was said and asked,
// with times. The person's words are apart from all else.
type clineUI struct {
	base
	begun bool      // the task was given
	last  *ToolCall // whose output may follow
	asked string    // the agent's question that the person has not answered yet
}

func newClineUI(b base) decoder {
	b.clineTask()
	return &clineUI{base: b}
}

func isClineUI(g glimpse) bool {
	first := g.first("")
	kind := first.get("type").text()
	return first.get("ts") != nil && (kind == "say" || kind == "ask") && first.get(kind).isString()
}

func (c *clineUI) record(o object) {
	t := c.d.here(c.d.atUnix(o.get("ts")))
	fill(&c.d.session.Model, o.get("modelInfo").get("modelId"))
	text := o.get("text")
	kind := o.get(o.get("type").text()).text()
	switch kind {
	case "task", "text":
		if !c.begun {
			c.begun = true
			c.d.person(t, text.text(), Message)
			return
		}
		c.d.speak(t, Agent, Message, text)
	case "completion_result":
		c.d.speak(t, Agent, Message, text)
	case "user_feedback":
		c.feedback(text.text(), t)
	case "reasoning":
		c.d.speak(t, Agent, Thinking, text)
	case "followup", "plan_mode_respond", "act_mode_respond":
		c.question(text, t)
	case "tool": // as JSON in a string
		c.tool(text, "tool", "", t)
	case "use_mcp_server":
		c.tool(text, "toolName", "arguments", t)
	case "command":
		c.last = &ToolCall{Name: "execute_command", Command: text.text()}
		c.d.called(t, c.last)
	case "command_output", "mcp_server_response":
		if len(text) > 2 {
			c.d.result(t, c.last, text.cut(), false, false, "")
		}
	case "error", "diff_error", "clineignore_error":
		c.d.result(t, c.last, text.cut(), true, false, "")
	case "error_retry", "api_req_failed", "api_req_retried", "user_feedback_diff", "mistake_limit_reached":
		c.d.speak(t, Harness, Notice, text)
	}
}

// feedback is what the person wrote; behind a question it is the answer.
func (c *clineUI) feedback(text string, t Turn) {
	if answer := strings.TrimSpace(text); c.asked != "" && answer != "" {
		t.Name, c.asked = c.asked, ""
		c.d.say(t, Person, Answer, answer)
	} else {
		c.d.person(t, text, Message)
	}
}

func (c *clineUI) question(text raw, t Turn) {
	words := text.text()
	if o, _, err := parseObject(raw(words), 0, nil); err == nil {
		words = o.get("question").text() + o.get("response").text()
	}
	if c.d.note(t, Agent, Message, words); strings.Contains(words, "?") {
		c.asked = cutText(words)
	}
}

// tool reads a call from JSON in a string; its arguments are a member of it, or all.
func (c *clineUI) tool(text raw, name, args string, t Turn) {
	in := raw(text.text())
	if o, _, err := parseObject(in, 0, nil); err == nil {
		if args != "" {
			in = o.get(args)
		}
		c.last = newCall("", o.get(name).text(), in)
		c.d.called(t, c.last)
	}
}
