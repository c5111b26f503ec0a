package transcript

import (
	"bytes"
	"strings"

	"learnings/lessons/lazy"
)

// clineUI decodes what Cline and Roo show: a list of what was said and asked,
// with times. The person's words are apart from all else.
type clineUI struct {
	atOnce
	d     *Reader
	begun bool      // the task was given
	last  *ToolCall // whose output may follow
	asked string    // the agent's question that the person has not answered yet
}

func newClineUI(d *Reader) decoder {
	if d.session.ID == "" {
		d.session.ID = clineTask(d.opts.Path)
	}
	return &clineUI{d: d}
}

func isClineUI(g glimpse) bool {
	first := g.first("")
	kind := first.get("type").word()
	return first.get("ts") != nil && (kind == "say" || kind == "ask") && first.get(kind).isString()
}

func (c *clineUI) list(key string) bool { return key == "" }
func (c *clineUI) member(string, raw)   {}

func (c *clineUI) record(o object) {
	t := Turn{Line: c.d.line, Session: c.d.session.ID, At: c.d.atUnix(o.get("ts"))}
	once(&c.d.session.Model, o.get("modelInfo").get("modelId"))
	text := o.get("text")
	kind := o.get(o.get("type").word()).word()
	switch kind {
	case "task", "text":
		if !c.begun {
			c.begun = true
			c.d.person(t, text.text(), Message)
			return
		}
		c.d.speak(t, Agent, Message, text)
	case "user_feedback":
		c.feedback(text.text(), t)
	case "reasoning":
		c.d.speak(t, Agent, Thinking, text)
	case "completion_result":
		c.d.speak(t, Agent, Message, text)
	case "followup", "plan_mode_respond", "act_mode_respond":
		c.question(text, t)
	case "tool":
		c.tool(raw(text.text()), t)
	case "command":
		c.last = &ToolCall{Name: "execute_command", Command: text.text()}
		c.d.called(t, c.last)
	case "use_mcp_server":
		in := raw(text.text())
		o, _, err := parseObject(in, 0, nil)
		if err == nil {
			c.last = c.d.newCall("", o.get("toolName").text(), o.get("arguments"))
			c.d.called(t, c.last)
		}
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
	if c.asked == "" || strings.TrimSpace(text) == "" {
		c.d.person(t, text, Message)
		return
	}
	t.Speaker, t.Kind, t.Name, t.Text = Person, Answer, c.asked, strings.TrimSpace(text)
	c.asked = ""
	c.d.emit(t)
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

// tool reads the call of a tool, which is shown as JSON in a string, with what
// came of it.
func (c *clineUI) tool(in raw, t Turn) {
	o, _, err := parseObject(in, 0, nil)
	if err != nil {
		return
	}
	c.last = c.d.newCall("", o.get("tool").text(), in)
	c.d.called(t, c.last)
}

// clineMarkdown decodes the Markdown that Cline and Roo export: turns under
// bold labels, set apart by rules.
type clineMarkdown struct {
	clineAPI
	who   Speaker
	lines passage
}

func newClineMarkdown(d *Reader) decoder { return &clineMarkdown{clineAPI: clineAPI{d: d}} }

var (
	clineUser      = []byte("**User:**")
	clineAssistant = []byte("**Assistant:**")
	clineUse       = lazy.Regexp(`(?m)^\[Tool Use: ([\w-]+)\]$`)
	clineTool      = lazy.Regexp(`(?m)^\[Tool( \(Error\))?\]$`)
)

func isClineMarkdown(head []byte) bool {
	if !bytes.HasPrefix(bytes.TrimLeft(head, "\r\n "), clineUser) || !bytes.Contains(head, []byte("\n\n---\n")) {
		return false
	}
	for _, m := range clineMarks {
		if bytes.Contains(head, m) {
			return true
		}
	}
	return false
}

func (c *clineMarkdown) waiting() int { return c.lines.line }

func (c *clineMarkdown) flush() {
	c.end()
	c.headAlone(Turn{Line: c.d.line, Session: c.d.session.ID})
}

func (c *clineMarkdown) text(line []byte) {
	switch label := bytes.TrimSpace(line); {
	case bytes.Equal(label, clineUser):
		c.end()
		c.who = Person
		return
	case bytes.Equal(label, clineAssistant):
		c.end()
		c.who = Agent
		return
	}
	if c.lines.line == 0 {
		if len(bytes.TrimSpace(line)) == 0 {
			return
		}
		c.lines.line = c.d.line
	}
	if c.lines.add(line); c.lines.full() {
		c.end()
	}
}

func (c *clineMarkdown) end() {
	if c.lines.line == 0 {
		return
	}
	t := Turn{Line: c.lines.line, Session: c.d.session.ID}
	text := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(c.lines.take()), "\n---"))
	if c.who == Person {
		c.person(text, t)
		return
	}
	if at := clineUse().FindStringSubmatchIndex(text); at != nil {
		c.d.note(t, Agent, Message, text[:at[0]])
		c.d.called(t, c.tools.add(&ToolCall{Name: text[at[2]:at[3]], Input: cutText(strings.TrimSpace(text[at[1]:]))}))
		return
	}
	c.agent(text, t)
}

// person reads a block of the person's place, in which several things stand
// one behind another.
func (c *clineMarkdown) person(text string, t Turn) {
	if m := clineTool().FindStringSubmatchIndex(text); m != nil && m[0] == 0 {
		call := c.tools.next()
		if call == nil {
			call = &ToolCall{}
		}
		c.result(call, strings.TrimSpace(text[m[1]:]), m[2] >= 0, t)
		return
	}
	c.user(text, t)
}
