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

// kiro decodes a conversation of Kiro's command line, one document of pairs of
// what was said and what was answered.
type kiro struct{ base }

func newKiro(b base) decoder { return kiro{b} }

func isKiro(g glimpse) bool {
	return g.get("conversation_id").isString() && g.get("history").is('[')
}

func (k kiro) member(key string, v raw) {
	if key == "conversation_id" {
		once(&k.d.session.ID, v)
	}
}

func (k kiro) record(o object) {
	d, user := k.d, o.get("user")
	d.line = d.lineAt(user)
	t := d.here(d.at(user.get("timestamp")))
	fill(&d.session.Dir, user.get("env_context", "env_state", "current_working_directory"))
	for _, f := range user.get("content").members(nil) {
		switch string(f.key) {
		case "Prompt":
			d.person(t, f.val.get("prompt").text(), Message)
		case "ToolUseResults":
			for r := range f.val.get("tool_use_results").elements() {
				d.answer(t, r.get("tool_use_id"), kiroText(r.get("content")), r.get("status").equals("Error"), false)
			}
		case "CancelledToolUses":
			for r := range f.val.get("tool_use_results").elements() {
				d.answer(t, r.get("tool_use_id"), "", false, true)
			}
			d.person(t, f.val.get("prompt").text(), Message)
		}
	}
	answer := o.get("assistant")
	t.Line = d.lineAt(answer)
	for _, f := range answer.members(nil) {
		d.speak(t, Agent, Message, f.val.get("content"))
		for u := range f.val.get("tool_uses").elements() {
			d.call(t, u.get("id"), u.get("name"), u.get("args"))
		}
	}
}

// kiroText is the text of a tool's answer.
func kiroText(content raw) string {
	var text []string
	for b := range content.elements() {
		text = append(text, b.get("Text").cut())
		if j := b.get("Json"); j != nil {
			text = append(text, j.json())
		}
	}
	return strings.TrimSpace(strings.Join(text, "\n"))
}
