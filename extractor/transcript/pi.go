package transcript

// pi decodes sessions of pi and of agents that are built on it: a head, then
// messages.
type pi struct {
	atOnce
	d     *Reader
	msg   object // scratch
	tools calls
}

func newPi(d *Reader) decoder { return &pi{d: d} }

func isPi(o object) bool {
	switch o.get("type").word() {
	case "session":
		return o.get("id").isString() && o.get("cwd").isString() && o.get("timestamp").isString()
	case "message":
		return o.get("message").get("role").equals("toolResult") && o.get("timestamp").isString()
	}
	return false
}

func (p *pi) record(o object) {
	s := &p.d.session
	t := Turn{Line: p.d.line, Session: s.ID, At: p.d.at(o.get("timestamp"))}
	if id := o.get("id").word(); id != "" && !t.At.IsZero() {
		t.UUID = id + "@" + o.get("timestamp").word() // the id alone has but 32 bits
	}
	switch o.get("type").word() {
	case "session":
		once(&s.ID, o.get("id"))
		once(&s.Model, o.get("modelId"))
		fill(&s.Dir, o.get("cwd"))
	case "model_change":
		once(&s.Model, o.get("modelId"))
	case "message":
		p.message(o.get("message"), t)
	case "compaction", "branch_summary":
		p.d.speak(t, Harness, Summary, o.get("summary"))
	case "custom_message":
		p.d.note(t, Harness, Notice, plainText(o.get("content")))
	}
}

func (p *pi) message(m raw, t Turn) {
	p.msg = m.members(p.msg[:0])
	content := p.msg.get("content")
	switch p.msg.get("role").word() {
	case "user":
		p.d.person(t, plainText(content), Message)
	case "assistant":
		once(&p.d.session.Model, p.msg.get("model"))
		if content.isString() {
			p.d.speak(t, Agent, Message, content)
		}
		for b := range content.elements() {
			p.d.block(b.members(nil), t, &p.tools)
		}
		if p.msg.get("stopReason").equals("aborted") {
			p.d.say(t, Person, Interrupt, "")
		}
	case "toolResult":
		call := p.tools.answered(p.msg.get("toolCallId").word())
		if call.Name == "" {
			call.Name = p.msg.get("toolName").word()
		}
		p.d.result(t, call, resultText(content), p.msg.get("isError").isTrue(), false, "")
	case "bashExecution":
		p.d.say(t, Person, Shell, p.msg.get("command").text())
		p.d.speak(t, Harness, Notice, p.msg.get("output"))
	case "compactionSummary", "branchSummary":
		p.d.speak(t, Harness, Summary, p.msg.get("summary"))
	}
}
