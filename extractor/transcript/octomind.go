package transcript

import (
	"hash/maphash"
	"path/filepath"
	"slices"
	"strings"
)

// octomind decodes session logs of Octomind: messages, and entries about the
// session, one on a line, in newer versions packed. Its form is that of the
// program's source; no log of a real session was at hand. Where a conversation was compressed, the messages
// that are kept come once more behind the mark of it; those are known by their
// time and words.
type octomind struct {
	base
	seed maphash.Seed
	seen map[uint64]bool
}

func newOctomind(b base) decoder {
	return &octomind{base: b, seed: maphash.MakeSeed(), seen: make(map[uint64]bool)}
}

var octomindTypes = []string{
	"SUMMARY", "SYSTEM", "USER", "ASSISTANT", "API_REQUEST", "API_RESPONSE", "TOOL_CALL", "TOOL_RESULT",
	"RESTORATION_POINT", "COMPRESSION_POINT", "KNOWLEDGE_ENTRY", "PLAN_SNAPSHOT",
}

func isOctomind(o object) bool {
	kind := o.get("type").text()
	return kind == "SUMMARY" && o.get("session_info").is('{') ||
		slices.Contains(octomindTypes[1:], kind) && o.get("timestamp") != nil && !o.get("timestamp").isString()
}

func octomindPlaces(h host) []string {
	if h.os == "windows" {
		return []string{filepath.Join(h.root("LOCALAPPDATA", "AppData", "Local"), "octomind", "sessions")}
	}
	return []string{filepath.Join(h.home, ".local", "share", "octomind", "sessions")}
}

func (c *octomind) record(o object) {
	t := c.d.here(c.d.atUnix(o.get("timestamp")))
	content := o.get("content")
	switch kind := o.get("type").text(); kind {
	case "":
		c.message(o, t)
	case "SUMMARY":
		c.session(o.get("session_info").members(nil))
	case "USER":
		c.user(content.text(), t)
	case "ASSISTANT":
		c.d.speak(t, Agent, Message, content)
	case "SYSTEM":
		c.d.speak(t, Harness, Notice, content)
	case "TOOL_CALL":
		c.call(o.get("tool_id"), o.get("tool_name"), o.get("parameters"), t)
	case "TOOL_RESULT":
		c.result(o.get("tool_id"), octomindText(o.get("result")), t)
	case "COMMAND":
		if name, args, ok := slash(o.get("command").text()); ok {
			c.d.command(t, name, args)
		}
	}
}

func (c *octomind) session(o object) {
	s := &c.d.session
	fill(&s.ID, o.get("name"))
	fill(&s.Model, o.get("model"))
	fill(&s.Role, o.get("role"))
	c.d.atUnix(o.get("created_at"))
}

// message reads a message in the form in which it goes to a model.
func (c *octomind) message(o object, t Turn) {
	content := o.get("content")
	var h maphash.Hash
	h.SetSeed(c.seed)
	for _, v := range []raw{o.get("role"), o.get("timestamp"), o.get("tool_call_id"), content} {
		h.Write(v)
	}
	key := h.Sum64()
	if c.seen[key] {
		return
	}
	c.seen[key] = true
	switch o.get("role").text() {
	case "user":
		c.user(content.text(), t)
	case "system":
		c.d.speak(t, Harness, Notice, content)
	case "assistant":
		thought := o.get("thinking")
		if thought.is('{') {
			thought = thought.get("content")
		}
		c.d.speak(t, Agent, Thinking, thought)
		c.d.speak(t, Agent, Message, content)
		for v := range o.get("tool_calls").elements() {
			f := v.get("function")
			name, args := v.get("name"), v.get("arguments")
			if f != nil {
				name, args = f.get("name"), f.get("arguments")
			}
			c.call(v.get("id"), name, args, t)
		}
	case "tool":
		c.result(o.get("tool_call_id"), octomindText(content), t)
	}
}

// call gives out a call, which may be there twice: in the message of the agent
// and as an entry of its own.
func (c *octomind) call(id, name, args raw, t Turn) {
	if c.d.tools.byID[id.text()] == nil {
		c.d.call(t, id, name, args)
	}
}

func (c *octomind) result(id raw, text string, t Turn) {
	c.d.answer(t, id, text, false, strings.HasPrefix(text, "[Tool execution was interrupted"))
}

// octomindText is the text of an answer: a string, or what a tool of the
// Model Context Protocol gives.
func octomindText(v raw) string {
	if !v.is('{') {
		return resultText(v)
	}
	if text := resultText(v.get("content")); text != "" {
		return text
	}
	if text := v.get("output"); text.isString() {
		return text.cut()
	}
	return v.json()
}

// octomindOwn are the first words of what Octomind writes in the person's
// place itself.
var octomindOwn = []string{"<instructions>", "<continuation>", "<system-note>", "<skill"}

func (c *octomind) user(text string, t Turn) {
	if begins(strings.TrimSpace(text), octomindOwn...) {
		c.d.note(t, Harness, Notice, text)
	} else {
		c.d.person(t, text, Message)
	}
}
