package transcript

import "cmp"

func isPi(o object) bool {
	switch o.get("type").text() {
	case "session":
		return o.get("id").isString() && o.get("cwd").isString() && o.get("timestamp").isString()
	case "message":
		return o.get("message").get("role").equals("toolResult") && o.get("timestamp").isString()
	}
	return false
}

// pi decodes a record of a session of pi, or of an agent that is built on it: the head,
// or a message.
func pi(d *Reader, o object) {
	s := &d.session
	t := d.here(d.at(o.get("timestamp")))
	if id := o.get("id").text(); id != "" && !t.At.IsZero() {
		t.UUID = id + "@" + o.get("timestamp").text() // the id alone has but 32 bits
	}
	switch o.get("type").text() {
	case "session":
		fill(&s.ID, o.get("id"))
		fill(&s.Model, o.get("modelId"))
		fill(&s.Dir, o.get("cwd"))
	case "model_change":
		fill(&s.Model, o.get("modelId"))
	case "message":
		piMessage(d, o.get("message").members(nil), t)
	case "compaction", "branch_summary":
		d.speak(t, Harness, Summary, o.get("summary"))
	case "custom_message":
		d.note(t, Harness, Notice, plainText(o.get("content")))
	}
}

func piMessage(d *Reader, m object, t Turn) {
	content := m.get("content")
	switch m.get("role").text() {
	case "user":
		d.person(t, plainText(content), Message)
	case "assistant":
		fill(&d.session.Model, m.get("model"))
		d.message(t, false, content, func(object) {})
		if m.get("stopReason").equals("aborted") {
			d.say(t, Person, Interrupt, "")
		}
	case "toolResult":
		call := d.tools.answered(m.get("toolCallId").text())
		call.Name = cmp.Or(call.Name, m.get("toolName").text())
		d.result(t, call, resultText(content), m.get("isError").isTrue(), false, "")
	case "bashExecution":
		d.say(t, Person, Shell, m.get("command").text())
		d.speak(t, Harness, Notice, m.get("output"))
	case "compactionSummary", "branchSummary":
		d.speak(t, Harness, Summary, m.get("summary"))
	}
}
