package transcript

import (
	"path/filepath"
	"strings"
)

// kiro decodes a conversation of Kiro's command line, and of Amazon Q's before it: one
// document of pairs of what was said and what was answered. Before 2025-10 a pair is a list.
type kiro struct {
	base
	t Turn // of the pair
}

func newKiro(b base) decoder { return &kiro{base: b} }

func isKiro(g glimpse) bool {
	return g.get("conversation_id").isString() && g.get("history").is('[')
}

func (k *kiro) member(key string, v raw) {
	switch key {
	case "conversation_id":
		fill(&k.d.session.ID, v)
	case "directory":
		fill(&k.d.session.Dir, v)
	}
}

func (k *kiro) record(o object) {
	user, answer := o.get("user"), o.get("assistant")
	switch {
	case user != nil || answer != nil:
		k.d.line = k.d.lineAt(user)
		k.user(user.members(nil))
		k.t.Line = k.d.lineAt(answer)
		k.answer(answer.members(nil))
	case o.get("content").is('{'):
		k.user(o)
	default:
		k.t.Line = k.d.line
		k.answer(o)
	}
}

func (k *kiro) user(o object) {
	d := k.d
	k.t = d.here(d.at(o.get("timestamp")))
	fill(&d.session.Dir, o.get("env_context").get("env_state", "current_working_directory"))
	for _, f := range o.get("content").members(nil) {
		switch string(f.key) {
		case "Prompt":
			d.person(k.t, f.val.get("prompt").text(), Message)
		case "ToolUseResults":
			for r := range f.val.get("tool_use_results").elements() {
				text, failed := kiroText(r.get("content"))
				d.answer(k.t, r.get("tool_use_id"), text, failed || r.get("status").equals("Error"), false)
			}
		case "CancelledToolUses":
			for r := range f.val.get("tool_use_results").elements() {
				d.answer(k.t, r.get("tool_use_id"), "", false, true)
			}
			d.person(k.t, f.val.get("prompt").text(), Message)
		}
	}
}

func (k *kiro) answer(o object) {
	for _, f := range o {
		k.d.speak(k.t, Agent, Message, f.val.get("content"))
		for u := range f.val.get("tool_uses").elements() {
			k.d.call(k.t, u.get("id"), u.get("name"), u.get("args"))
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
		if out, err := v.get("stdout"), v.get("stderr"); out.isString() || err.isString() {
			all = append(all, out.cut(), err.cut())
		} else {
			all = append(all, v.json())
		}
		exit := strings.TrimPrefix(v.get("exit_status").text(), "exit status: ")
		failed = failed || exit != "" && exit != "0"
	}
	return strings.TrimSpace(strings.Join(all, "\n")), failed
}

// Since 2026 Kiro keeps a session in a log beside a small file about it: a record with a kind
// and data on a line, or in the latest versions one with a payload.

func isKiroLine(o object) bool {
	switch o.get("kind").text() {
	case "Prompt", "AssistantMessage", "ToolResults":
		return o.get("version").isString() && o.get("data").is('{')
	}
	return o.get("payload").get("type").equals("user") && o.get("payload").get("content").isString()
}

func kiroPlaces(h host) []string {
	return []string{filepath.Join(h.root("KIRO_HOME", ".kiro"), "sessions"), h.data("kiro-cli", "data.sqlite3"), h.data("amazon-q", "data.sqlite3")}
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
	fill(&s.Parent, about.get("parent_session_id"))
	return kiroLines{b}
}

func (k kiroLines) record(o object) {
	d, data := k.d, o.get("data").members(nil)
	if p := o.get("payload"); p != nil {
		k.payload(p.members(nil), d.here(d.atUnix(o.get("timestamp"))), o.get("timestamp"))
		return
	}
	t := d.here(d.atUnix(data.get("meta").get("timestamp")))
	t.UUID, t.Sidechain = data.get("message_id").text(), d.session.Parent != ""
	for b := range data.get("content").elements() {
		v := b.get("data")
		switch b.get("kind").text() {
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
	switch p.get("type").text() {
	case "user":
		d.person(t, content.text(), Message)
	case "assistant":
		fill(&d.session.Model, p.get("reasoningModelId"))
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
