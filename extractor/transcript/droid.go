package transcript

import (
	"strings"
)

func isDroid(o object) bool {
	return o.get("type").equals("session_start") && o.get("id").isString() && (o.get("title") != nil || o.get("cwd") != nil)
}

// droid decodes a record of a session of Factory's Droid: the head, or a message of
// blocks in the shape of Anthropic's.
func droid(d *Reader, o object) {
	s := &d.session
	t := d.here(d.at(o.get("timestamp")))
	t.UUID = o.get("id").word()
	switch o.get("type").word() {
	case "session_start":
		once(&s.ID, o.get("id"))
		once(&s.Version, o.get("version"))
		fill(&s.Dir, o.get("cwd"))
	case "message":
		m := o.get("message")
		droidMessage(d, m.get("role").equals("user"), m.get("content"), t)
	case "compaction_state":
		d.speak(t, Harness, Summary, o.get("summaryText"))
	}
}

func droidMessage(d *Reader, person bool, content raw, t Turn) {
	words := func(text raw) {
		if person {
			d.person(t, text.text(), Message)
		} else {
			d.speak(t, Agent, Message, text)
		}
	}
	if content.isString() {
		words(content)
	}
	for b := range content.elements() {
		switch o := b.members(nil); o.get("type").word() {
		case "text":
			words(o.get("text"))
		case "tool_result":
			text := resultText(o.get("content"))
			failed := o.get("is_error").isTrue() || strings.HasPrefix(text, "Error: Command failed")
			d.answer(t, o.get("tool_use_id"), text, failed, false)
		default:
			d.block(o, t)
		}
	}
}
