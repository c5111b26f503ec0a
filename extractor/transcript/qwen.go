package transcript

// qwen decodes sessions of Qwen Code: an envelope like Claude Code's around
// messages like Gemini's, of parts. A record of type system is the program's
// own, but for the commands that the person typed.
type qwen struct {
	atOnce
	d     *Reader
	tools calls
}

func newQwen(d *Reader) decoder { return &qwen{d: d} }

// isQwen knows a record by its envelope and its message of parts; a file may
// begin with records of the program that have no message.
func isQwen(o object) bool {
	switch o.get("type").word() {
	case "user", "assistant", "tool_result":
		return o.get("message").get("parts") != nil
	case "system":
		return o.get("systemPayload") != nil && o.get("uuid") != nil && o.get("sessionId").isString()
	}
	return false
}

func (q *qwen) record(o object) {
	s := &q.d.session
	once(&s.ID, o.get("sessionId"))
	once(&s.Version, o.get("version"))
	once(&s.Model, o.get("model"))
	fill(&s.Dir, o.get("cwd"))
	fill(&s.Branch, o.get("gitBranch"))
	t := Turn{
		Line: q.d.line, UUID: o.get("uuid").word(), Session: o.get("sessionId").word(),
		At: q.d.at(o.get("timestamp")), Sidechain: o.get("agentId").isString(),
	}
	payload := o.get("systemPayload")
	switch kind, subtype := o.get("type").word(), o.get("subtype").word(); {
	case kind == "system" && subtype == "slash_command" && payload.get("phase").equals("invocation"):
		if name, args, ok := slash(payload.get("rawCommand").text()); ok {
			q.d.command(t, name, args)
		}
	case kind == "user" && (subtype == "" || subtype == "mid_turn_user_message"):
		as := Message
		if subtype != "" {
			as = Steering
		}
		q.d.person(t, plainText(o.get("message").get("parts")), as)
	case kind == "user": // a notice, a timer, or another agent's prompt
		q.d.note(t, Harness, Notice, plainText(o.get("message").get("parts")))
	case kind == "assistant", kind == "tool_result":
		for p := range o.get("message").get("parts").elements() {
			q.part(p.members(nil), o.get("toolCallResult").get("status").word(), t)
		}
	}
}

// part reads what the agent said, thought or did, and what a tool answered.
// status is what the program says of the answer.
func (q *qwen) part(o object, status string, t Turn) {
	call, answer := o.get("functionCall"), o.get("functionResponse")
	switch {
	case call != nil:
		q.d.called(t, q.tools.add(q.d.newCall(call.get("id").word(), call.get("name").word(), call.get("args"))))
	case answer != nil:
		text := functionAnswer(answer)
		failed := status == "error" || geminiExit().MatchString(text)
		q.d.result(t, q.tools.answered(answer.get("id").word()), text, failed, status == "cancelled", "")
	case o.get("thought").isTrue():
		q.d.speak(t, Agent, Thinking, o.get("text"))
	default:
		q.d.speak(t, Agent, Message, o.get("text"))
	}
}
