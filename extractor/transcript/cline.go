package transcript

import (
	"cmp"
	"path/filepath"
	"strings"
)

// clineSDK decodes what Cline's own program keeps: messages of blocks, with the person's words
// in an element, or alone.
type clineSDK struct{ base }

func newClineSDK(b base) decoder { return clineSDK{b} }

func isClineSDK(g glimpse) bool {
	first := g.first("messages")
	return g.get("agent").isString() && g.get("sessionId").isString() && first.get("role") != nil && first.get("content") != nil
}

// clineTask names the session by the task whose folder the file lies in.
func (b base) clineTask() {
	if s := &b.d.session; s.ID == "" && b.d.opts.Path != "" {
		if dir := filepath.Base(filepath.Dir(b.d.opts.Path)); strings.Trim(dir, "0123456789abcdef-") == "" {
			s.ID = dir
		}
	}
}

// clinePlaces are the folders of the extension in the editors that are built
// like VS Code, and of Cline's own program.
func clinePlaces(h host) (out []string) {
	for _, editor := range []string{"Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf"} {
		for _, extension := range []string{"saoudrizwan.claude-dev", "rooveterinaryinc.roo-cline"} {
			out = append(out, filepath.Join(h.config(), editor, "User", "globalStorage", extension, "tasks"))
		}
	}
	return append(out, filepath.Join(h.root("CLINE_DIR", ".cline"), "data"))
}

// clineDir reads the project's folder from the file that Cline's own program
// keeps beside a session's messages.
func clineDir(path string) string {
	stem, ok := strings.CutSuffix(path, ".messages.json")
	if !ok {
		return ""
	}
	return sidecar(stem + ".json").get("cwd").text()
}

func (c clineSDK) member(key string, v raw) {
	switch key {
	case "sessionId":
		fill(&c.d.session.ID, v)
	case "updated_at":
		c.d.at(v)
	}
}

func (c clineSDK) record(o object) {
	t := c.d.here(c.d.atUnix(o.get("ts")))
	t.UUID = o.get("id").text()
	fill(&c.d.session.Model, o.get("modelInfo").get("id"))
	fill(&c.d.session.Model, o.get("modelInfo").get("modelId"))
	assistant, content := o.get("role").equals("assistant"), o.get("content")
	say := func(text raw) {
		if words := text.text(); assistant {
			c.d.note(t, Agent, Message, words)
		} else {
			c.d.person(t, cmp.Or(element(words, "user_input"), words), Message)
		}
	}
	if content.isString() {
		say(content)
	}
	for b := range content.elements() {
		t.Line = c.d.lineAt(b)
		switch o := b.members(nil); {
		case o.get("type").equals("text"):
			say(o.get("text"))
		case assistant:
			c.d.block(o, t)
		case o.get("type").equals("tool_result"):
			c.answer(o, t)
		}
	}
}

// answer reads the answer to a call by its id: a text, a list of queries, each with a result,
// or one of these.
func (c clineSDK) answer(o object, t Turn) {
	content := o.get("content")
	text := resultText(content)
	failed := o.get("is_error").isTrue()
	if text == "" {
		var all []string
		for q := range content.elements() {
			failed = failed || string(q.get("success")) == "false"
			all = append(all, q.get("result").cut(), q.get("error").cut())
		}
		text = strings.TrimSpace(strings.Join(all, "\n"))
	} else if q, _, err := parseObject(raw(text), 0, nil); err == nil && q.get("result") != nil {
		failed = failed || string(q.get("success")) == "false"
		text = q.get("result").cut() + q.get("error").cut()
	}
	c.d.answer(t, o.get("tool_use_id"), strings.TrimSpace(text), failed, false)
}
