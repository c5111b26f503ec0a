package transcript

import (
	"path/filepath"
	"strings"
)

// kiro decodes a conversation of Kiro's command line, one document of pairs of
// what was said and what was answered.
type kiro struct{ base }

func newKiro(b base) decoder { return kiro{b} }

func isKiro(g glimpse) bool {
	return g.get("conversation_id").isString() && g.get("history").is('[')
}

func (k kiro) member(key string, v raw) {
	switch key {
	case "conversation_id":
		once(&k.d.session.ID, v)
	case "directory":
		fill(&k.d.session.Dir, v)
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
				text, failed := kiroText(r.get("content"))
				d.answer(t, r.get("tool_use_id"), text, failed || r.get("status").equals("Error"), false)
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

// kiroText is the text of a tool's answer, and whether it is of a command that failed.
func kiroText(content raw) (text string, failed bool) {
	var all []string
	for b := range content.elements() {
		v := either(either(b.get("Text"), b.get("Json")), b.get("data"))
		if v.isString() {
			all = append(all, v.cut())
			continue
		}
		all = append(all, v.json())
		exit := strings.TrimPrefix(v.get("exit_status").text(), "exit status: ")
		failed = failed || exit != "" && exit != "0"
	}
	return strings.TrimSpace(strings.Join(all, "\n")), failed
}

// Since 2026 Kiro keeps a session in a log beside a small file about it: a record with a kind
// and data on a line, or in the latest versions one with a payload.

func isKiroLine(o object) bool {
	switch o.get("kind").word() {
	case "Prompt", "AssistantMessage", "ToolResults":
		return o.get("version").isString() && o.get("data").is('{')
	}
	return o.get("payload").get("type").equals("user") && o.get("payload").get("content").isString()
}

func kiroPlaces(h host) []string {
	return []string{filepath.Join(h.root("KIRO_HOME", ".kiro"), "sessions"), h.data("kiro-cli", "data.sqlite3")}
}

// kiroLines decodes a log.
type kiroLines struct{ base }

func newKiroLines(b base) decoder {
	s, path := &b.d.session, b.d.opts.Path
	about := sidecar(strings.TrimSuffix(path, ".jsonl") + ".json")
	if filepath.Base(path) == "messages.jsonl" {
		about, s.ID = sidecar(filepath.Join(filepath.Dir(path), "session.json")), filepath.Base(filepath.Dir(path))
	}
	fill(&s.Dir, about.get("cwd"))
	for dir := range about.get("workspacePaths").elements() {
		fill(&s.Dir, dir)
	}
	once(&s.Parent, about.get("parent_session_id"))
	return kiroLines{b}
}

func (k kiroLines) record(o object) {
	d, data := k.d, o.get("data").members(nil)
	if p := o.get("payload"); p != nil {
		k.payload(p.members(nil), d.here(d.atUnix(o.get("timestamp"))), o.get("timestamp"))
		return
	}
	t := d.here(d.atUnix(data.get("meta").get("timestamp")))
	t.UUID, t.Sidechain = data.get("message_id").word(), d.session.Parent != ""
	for b := range data.get("content").elements() {
		v := b.get("data")
		switch b.get("kind").word() {
		case "text":
			if o.get("kind").equals("Prompt") {
				d.person(t, v.text(), Message)
			} else {
				d.speak(t, Agent, Message, v)
			}
		case "thinking":
			d.speak(t, Agent, Thinking, v.get("text"))
		case "toolUse":
			d.call(t, v.get("toolUseId"), v.get("name"), v.get("input"))
		case "toolResult":
			text, failed := kiroText(v.get("content"))
			d.answer(t, v.get("toolUseId"), text, failed || v.get("status").equals("error"), false)
		}
	}
}

func (k kiroLines) payload(p object, t Turn, time raw) {
	d, content := k.d, p.get("content")
	if at := d.at(time); !at.IsZero() {
		t.At = at
	}
	switch p.get("type").word() {
	case "user":
		d.person(t, content.text(), Message)
	case "assistant":
		once(&d.session.Model, p.get("reasoningModelId"))
		d.speak(t, Agent, Message, content)
	case "tool_call":
		d.call(t, p.get("toolCallId"), p.get("toolName"), p.get("args"))
	case "tool_result":
		text := content.cut()
		if !content.isString() {
			text = content.json()
		}
		d.answer(t, p.get("toolCallId"), text, p.get("isError").isTrue(), false)
	}
}
