package transcript

import (
	"cmp"
	"strings"
)

// calls are the tool calls that have no answer yet.
type calls struct {
	byID  map[string]*ToolCall
	queue []*ToolCall // those without an id, in order
}

// maxQueue bounds the calls without an id that wait for an answer.
const maxQueue = 256

// add notes a call and returns it.
func (c *calls) add(call *ToolCall) *ToolCall {
	if call.ID == "" {
		if c.queue = append(c.queue, call); len(c.queue) > maxQueue {
			c.queue = c.queue[1:]
		}
		return call
	}
	if c.byID == nil {
		c.byID = map[string]*ToolCall{}
	}
	c.byID[call.ID] = call
	return call
}

// answered removes and returns the call with an id. For a call that was not seen, it
// returns one with only the id.
func (c *calls) answered(id string) *ToolCall {
	call, ok := c.byID[id]
	if !ok {
		return &ToolCall{ID: id}
	}
	delete(c.byID, id)
	return call
}

// next returns the first waiting call without an id, or nil.
func (c *calls) next() *ToolCall {
	if len(c.queue) == 0 {
		return nil
	}
	call := c.queue[0]
	c.queue = c.queue[1:]
	return call
}

// newCall reads the arguments of a call, an object or a string that holds one,
// by the names that the agents' own tools give to them.
func newCall(id, name string, args raw) *ToolCall {
	if args.isString() {
		args = raw(args.text())
	}
	call := &ToolCall{ID: id, Name: name, Input: args.json()}
	if in, _, err := parseObject(args, 0, nil); err == nil {
		for _, f := range in {
			call.argument(string(f.key), f.val)
		}
	}
	return call
}

// argument reads one argument of a call.
func (c *ToolCall) argument(key string, v raw) {
	switch key {
	case "command", "cmd", "script":
		c.Command = shellLine(v)
	case "CommandLine":
		c.Command = inner(v).text()
	case "TargetFile", "AbsolutePath":
		c.Path = inner(v).text()
	case "TargetContent":
		c.Old = inner(v).cut()
	case "ReplacementContent", "CodeContent":
		c.New = inner(v).cut()
	case "chars": // typed into a command that runs
		c.Command = v.text()
	case "commands":
		c.Command = strings.Join(words(v), "\n")
	case "path", "file_path", "filePath", "absolute_path", "target_file", "filename", "notebook_path":
		c.Path = v.text()
	case "files":
		for f := range v.elements() {
			c.Path = cmp.Or(c.Path, f.get("path").text())
		}
	case "old_string", "oldString", "old_text", "oldText", "old_str":
		c.Old = v.cut()
	case "new_string", "newString", "new_text", "newText", "new_str", "new_source", "content", "contents", "file_text", "diff":
		c.New = v.cut()
	case "patch", "patchText", "input":
		if s := v.text(); strings.HasPrefix(s, "*** Begin Patch") {
			c.New, c.Path = cutText(s), patchPath(s)
		}
	case "edits":
		if v.is('[') {
			c.Old, c.New = edits(v)
		}
	}
}

// words are the strings of a list.
func words(v raw) (out []string) {
	for w := range v.elements() {
		out = append(out, w.text())
	}
	return out
}

var exitCode = lazyRegexp(`^(?:Error: )?Exit code:? [1-9]\d*\b`)

// shape reads from a tool's answer whether the tool failed or the person refused it,
// and the person's words about that. It knows the forms of Claude Code and Codex, for
// copies of their sessions that have lost the flag.
func shape(text string) (failed, refused bool, reason string) {
	if reason, refused = refusal(text); refused {
		return false, true, reason
	}
	if strings.HasPrefix(text, "<tool_use_error>") || exitCode().MatchString(text) {
		return true, false, ""
	}
	failed, refused = outcome(text)
	return failed, refused, ""
}

// person gives out what was in the person's place of t's record. In a session
// of a subagent it is the words of the agent that started it.
func (d *Reader) person(t Turn, text string, as Kind) {
	for _, s := range sortTyped(text) {
		u := t
		u.Speaker, u.Kind, u.Name, u.Text = s.speaker, s.kind, s.name, s.text
		if s.kind == Message {
			u.Kind = as
			if t.Sidechain {
				u.Speaker, u.Kind, u.Text = Agent, Message, cutText(s.text)
			}
		}
		d.emit(u)
	}
}

// speak emits a text that is not a person's, unless it is empty.
func (d *Reader) speak(t Turn, who Speaker, kind Kind, words raw) {
	if len(words) > 2 {
		d.say(t, who, kind, words.cut())
	}
}

// note is like speak for a decoded text.
func (d *Reader) note(t Turn, who Speaker, kind Kind, text string) {
	if text = strings.TrimSpace(text); text != "" {
		d.say(t, who, kind, cutText(text))
	}
}

// say gives out a turn as it is.
func (d *Reader) say(t Turn, who Speaker, kind Kind, text string) {
	t.Speaker, t.Kind, t.Text = who, kind, text
	d.emit(t)
}

// command gives out a slash command.
func (d *Reader) command(t Turn, name, args string) {
	t.Name = name
	d.say(t, Person, Command, args)
}

// message gives out a message in the shape that most agents have from Anthropic: a text or
// a list of blocks. answer reads a block that is a tool's answer.
func (d *Reader) message(t Turn, user bool, content raw, answer func(object)) {
	words := func(text raw) {
		if user {
			d.person(t, text.text(), Message)
		} else {
			d.speak(t, Agent, Message, text)
		}
	}
	if content.isString() {
		words(content)
	}
	for v := range content.elements() {
		switch b := v.members(nil); b.get("type").text() {
		case "text":
			words(b.get("text"))
		case "tool_result":
			answer(b)
		default:
			d.block(b, t)
		}
	}
}

// block gives out a block of an agent's message; nothing for one of an unknown kind.
func (d *Reader) block(o object, t Turn) {
	switch o.get("type").text() {
	case "text":
		d.speak(t, Agent, Message, o.get("text"))
	case "thinking", "reasoning":
		d.speak(t, Agent, Thinking, o.get("thinking"))
	case "tool_use", "tool_call", "toolCall":
		d.call(t, o.get("id"), o.get("name"), either(o.get("input"), o.get("arguments")))
	}
}

// call gives out a call that an answer may come to.
func (d *Reader) call(t Turn, id, name, args raw) {
	d.called(t, d.tools.add(newCall(id.text(), name.text(), args)))
}

// answer gives out the answer to the call of an id.
func (d *Reader) answer(t Turn, id raw, text string, failed, refused bool) {
	d.result(t, d.tools.answered(id.text()), text, failed, refused, "")
}

// called gives out a call.
func (d *Reader) called(t Turn, call *ToolCall) {
	t.Tool = call
	d.say(t, Agent, Call, "")
}

// result gives out the answer to a call, and what the person said by refusing it.
func (d *Reader) result(t Turn, call *ToolCall, text string, failed, refused bool, reason string) {
	t.Tool, t.Failed, t.Refused = call, failed && !refused, refused
	d.say(t, Tool, Result, cutText(text))
	if reason != "" && !t.Sidechain {
		d.say(t, Person, Rejection, reason)
	}
}
