package transcript

// isQwen knows a record by its envelope and its message of parts; a file may
// begin with records of the program that have no message.
func isQwen(o object) bool {
	switch o.get("type").text() {
	case "user", "assistant", "tool_result":
		return o.get("message").get("parts") != nil
	case "system":
		return o.get("systemPayload") != nil && o.get("uuid") != nil && o.get("sessionId").isString()
	}
	return false
}

// qwen decodes a record of Qwen Code: an envelope like Claude Code's around
// a message like Gemini's, of parts. A record of type system is the program's
// own, but for the commands that the person typed.
func qwen(d *Reader, o object) {
	s := &d.session
	fill(&s.ID, o.get("sessionId"))
	fill(&s.Version, o.get("version"))
	fill(&s.Model, o.get("model"))
	fill(&s.Dir, o.get("cwd"))
	fill(&s.Branch, o.get("gitBranch"))
	t := Turn{
		Line: d.line, UUID: o.get("uuid").text(), Session: o.get("sessionId").text(),
		At: d.at(o.get("timestamp")), Sidechain: o.get("agentId").isString(),
	}
	payload, parts := o.get("systemPayload"), o.get("message").get("parts")
	switch kind, subtype := o.get("type").text(), o.get("subtype").text(); {
	case kind == "system" && subtype == "slash_command" && payload.get("phase").equals("invocation"):
		if name, args, ok := slash(payload.get("rawCommand").text()); ok {
			d.command(t, name, args)
		}
	case kind == "user" && subtype == "":
		d.person(t, plainText(parts), Message)
	case kind == "user" && subtype == "mid_turn_user_message":
		d.person(t, plainText(parts), Steering)
	case kind == "user": // a notice, a timer, or another agent's prompt
		d.note(t, Harness, Notice, plainText(parts))
	case kind == "assistant", kind == "tool_result":
		for p := range parts.elements() {
			qwenPart(d, p.members(nil), o.get("toolCallResult").get("status").text(), t)
		}
	}
}

// qwenPart reads what the agent said, thought or did, and what a tool answered.
// status is what the program says of the answer.
func qwenPart(d *Reader, o object, status string, t Turn) {
	call, answer := o.get("functionCall"), o.get("functionResponse")
	switch {
	case call != nil:
		d.call(t, call.get("id"), call.get("name"), call.get("args"))
	case answer != nil:
		text := functionAnswer(answer)
		d.answer(t, answer.get("id"), text, status == "error" || geminiExit().MatchString(text), status == "cancelled")
	case o.get("thought").isTrue():
		d.speak(t, Agent, Thinking, o.get("text"))
	default:
		d.speak(t, Agent, Message, o.get("text"))
	}
}
