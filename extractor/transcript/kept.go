package transcript

import (
	"path/filepath"
	"strings"
)

// kept decodes sessions of Crush and of Goose as [stored.conversation] makes them, and
// Goose's older files, which hold the same messages, one on a line. Both programs have
// blocks of their own kinds in a message: Crush wraps what a block says in "data".
type kept struct {
	base
	sub bool // another agent's words stand in the person's place
}

func newKept(b base) decoder { return &kept{base: b} }

func isKeptBy(program Format) func(glimpse) bool {
	return func(g glimpse) bool {
		return g.get("messages").is('[') && g.get("info").get("program").equals(string(program))
	}
}

func isGooseLine(o object) bool {
	return o.get("working_dir").isString() && o.get("message_count") != nil
}

func goosePlaces(h host) []string {
	if h.os == "windows" {
		return []string{filepath.Join(h.config(), "Block", "goose", "data", "sessions")}
	}
	return []string{filepath.Join(h.root("XDG_DATA_HOME", ".local", "share"), "goose", "sessions")}
}

// crushPlaces are the databases within projects. Crush lists the projects.
func crushPlaces(h host) (out []string) {
	root := h.root("XDG_DATA_HOME", ".local", "share")
	if h.os == "windows" {
		root = h.root("LOCALAPPDATA", "AppData", "Local")
	}
	for p := range sidecar(filepath.Join(root, "crush", "projects.json")).get("projects").elements() {
		dir := p.get("data_dir").text()
		if project := p.get("path").text(); !filepath.IsAbs(dir) {
			dir = filepath.Join(project, dir)
		}
		if filepath.IsAbs(dir) {
			out = append(out, filepath.Join(dir, crushDatabase))
		}
	}
	return out
}

const crushDatabase = "crush.db"

// crushDir is the project of a session within the database of one.
func crushDir(path string) string {
	if data := filepath.Dir(filepath.Dir(path)); filepath.Base(data) == ".crush" {
		return filepath.Dir(data)
	}
	return ""
}

func (k *kept) member(key string, v raw) {
	if key == "info" {
		k.session(v.members(nil))
	}
}

func (k *kept) session(o object) {
	s := &k.d.session
	fill(&s.ID, o.get("id"))
	fill(&s.Parent, o.get("parentID"))
	fill(&s.Dir, either(o.get("directory"), o.get("working_dir")))
	k.sub = s.Parent != "" || o.get("type").equals("sub_agent")
	s.Scripted = o.get("type").equals("scheduled")
}

func (k *kept) record(o object) {
	d, user := k.d, o.get("role").equals("user")
	if o.get("role") == nil { // the head of an older file
		k.session(o)
		return
	}
	t := d.here(d.atUnix(o.get("created")))
	t.UUID, t.Sidechain, t.Scripted = o.get("id").text(), k.sub, d.session.Scripted
	fill(&d.session.Model, o.get("model"))
	seen := string(o.get("metadata").get("userVisible")) != "false"
	for v := range o.get("content").elements() {
		b := v.members(nil)
		text := either(b.get("data"), v).get("text")
		switch {
		case !b.get("type").equals("text"):
			k.block(b.get("type").text(), either(b.get("data"), v).members(nil), t)
		case o.get("summary").isTrue():
			d.speak(t, Harness, Summary, text)
		case !seen, user && b.get("data").get("hidden").isTrue():
			d.speak(t, Harness, Notice, text)
		case user:
			d.person(t, text.text(), Message)
		default:
			d.speak(t, Agent, Message, text)
		}
	}
}

// Beginnings of what the programs answer for a person who refuses.
var keptRefusals = []string{"user denied permission", "permission denied", "the user has declined to run this tool"}

// block reads a block that is no text.
func (k *kept) block(kind string, o object, t Turn) {
	d := k.d
	switch kind {
	case "tool_call":
		d.call(t, o.get("id"), o.get("name"), o.get("input"))
	case "toolRequest", "frontendToolRequest":
		call := o.get("toolCall").get("value")
		d.call(t, o.get("id"), call.get("name"), call.get("arguments"))
	case "tool_result":
		k.answer(t, o.get("tool_call_id"), o.get("content").cut(), o.get("is_error").isTrue())
	case "toolResponse":
		result := o.get("toolResult").members(nil)
		value := result.get("value")
		text, failed := resultText(either(value.get("content"), value)), value.get("isError").isTrue()
		if e := result.get("error"); e != nil {
			text, failed = e.cut(), true
		}
		k.answer(t, o.get("id"), text, failed)
	case "reasoning", "thinking":
		d.speak(t, Agent, Thinking, o.get("thinking"))
	case "shell_command":
		d.say(t, Person, Shell, o.get("command").text())
		d.speak(t, Harness, Notice, o.get("output"))
	case "finish":
		if o.get("reason").equals("canceled") && !k.sub {
			d.say(t, Person, Interrupt, "")
		}
	}
}

func (k *kept) answer(t Turn, id raw, text string, failed bool) {
	k.d.answer(t, id, text, failed, begins(strings.ToLower(start(text, 80)), keptRefusals...))
}
