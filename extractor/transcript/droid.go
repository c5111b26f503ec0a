package transcript

import (
	"strings"
)

// droid decodes sessions of Factory's Droid: a head, then messages of blocks
// in the shape of Anthropic's.
type droid struct {
	atOnce
	d     *Reader
	tools calls
}

func newDroid(d *Reader) decoder { return &droid{d: d} }

func isDroid(o object) bool {
	return o.get("type").equals("session_start") && o.get("id").isString() && (o.get("title") != nil || o.get("cwd") != nil)
}

func (c *droid) record(o object) {
	s := &c.d.session
	t := Turn{Line: c.d.line, Session: s.ID, UUID: o.get("id").word(), At: c.d.at(o.get("timestamp"))}
	switch o.get("type").word() {
	case "session_start":
		once(&s.ID, o.get("id"))
		once(&s.Version, o.get("version"))
		fill(&s.Dir, o.get("cwd"))
	case "message":
		m := o.get("message")
		c.message(m.get("role").word(), m.get("content"), t)
	case "compaction_state":
		c.d.speak(t, Harness, Summary, o.get("summaryText"))
	}
}

func (c *droid) message(role string, content raw, t Turn) {
	if content.isString() {
		c.words(role, content, t)
	}
	for b := range content.elements() {
		switch o := b.members(nil); o.get("type").word() {
		case "text":
			c.words(role, o.get("text"), t)
		case "tool_result":
			text := resultText(o.get("content"))
			failed := o.get("is_error").isTrue() || strings.HasPrefix(text, "Error: Command failed")
			c.d.result(t, c.tools.answered(o.get("tool_use_id").word()), text, failed, false, "")
		default:
			c.d.block(o, t, &c.tools)
		}
	}
}

func (c *droid) words(role string, text raw, t Turn) {
	if role == "user" {
		c.d.person(t, text.text(), Message)
	} else {
		c.d.speak(t, Agent, Message, text)
	}
}

// kiro decodes a conversation of Kiro's command line, one document of pairs of
// what was said and what was answered.
type kiro struct {
	atOnce
	d     *Reader
	tools calls
}

func newKiro(d *Reader) decoder { return &kiro{d: d} }

func isKiro(g glimpse) bool {
	return g.get("conversation_id").isString() && g.get("history").is('[')
}

func (k *kiro) list(key string) bool { return key == "history" }

func (k *kiro) member(key string, v raw) {
	if key == "conversation_id" {
		once(&k.d.session.ID, v)
	}
}

func (k *kiro) record(o object) {
	user := o.get("user")
	t := Turn{Line: k.d.lineAt(user), Session: k.d.session.ID, At: k.d.at(user.get("timestamp"))}
	fill(&k.d.session.Dir, user.get("env_context", "env_state", "current_working_directory"))
	for _, f := range user.get("content").members(nil) {
		switch string(f.key) {
		case "Prompt":
			k.d.person(t, f.val.get("prompt").text(), Message)
		case "ToolUseResults":
			k.results(f.val, t)
		case "CancelledToolUses":
			for r := range f.val.get("tool_use_results").elements() {
				k.d.result(t, k.tools.answered(r.get("tool_use_id").word()), "", false, true, "")
			}
			k.d.person(t, f.val.get("prompt").text(), Message)
		}
	}
	answer := o.get("assistant")
	t.Line = k.d.lineAt(answer)
	for _, f := range answer.members(nil) {
		k.d.speak(t, Agent, Message, f.val.get("content"))
		for u := range f.val.get("tool_uses").elements() {
			k.d.called(t, k.tools.add(k.d.newCall(u.get("id").word(), u.get("name").word(), u.get("args"))))
		}
	}
}

func (k *kiro) results(v raw, t Turn) {
	for r := range v.get("tool_use_results").elements() {
		var text []string
		for b := range r.get("content").elements() {
			text = append(text, b.get("Text").cut())
			if j := b.get("Json"); j != nil {
				text = append(text, j.json())
			}
		}
		k.d.result(t, k.tools.answered(r.get("tool_use_id").word()), strings.TrimSpace(strings.Join(text, "\n")), r.get("status").equals("Error"), false, "")
	}
}
