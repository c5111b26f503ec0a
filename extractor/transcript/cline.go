package transcript

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// clineAPI decodes what Cline and Roo send to the model, and what Cline's SDK
// keeps: messages of blocks. With tools in XML, a call is an element in the
// agent's words and its answer a text in the person's place; the person's own
// words are in elements there. Without, calls and answers are blocks, and in a
// session of the SDK the words stand alone.
type clineAPI struct {
	base
	sdk  bool
	head *ToolCall // its answer is the next text, because only its head has come
}

func newClineAPI(b base) decoder {
	b.clineTask()
	return &clineAPI{base: b}
}

func newClineSDK(b base) decoder { return &clineAPI{base: b, sdk: true} }

// clineMarks are the elements that tell the conversation from any other list
// of messages.
var clineMarks = [][]byte{[]byte("<task>"), []byte("<environment_details>"), []byte("<user_message>"), []byte("<feedback>")}

func isClineAPI(g glimpse) bool {
	first := g.first("")
	return first.get("role") != nil && (first.get("content") != nil || len(first) < 3) &&
		slices.ContainsFunc(clineMarks, func(m []byte) bool { return bytes.Contains(g.rest, m) })
}

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

// clineDouble reports whether the file beside this one, with times and the person's
// words apart, has the same task.
func clineDouble(path string) bool {
	if filepath.Base(path) != "api_conversation_history.json" {
		return false
	}
	info, err := os.Stat(filepath.Join(filepath.Dir(path), "ui_messages.json"))
	return err == nil && info.Mode().IsRegular() && info.Size() > 2
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

func (c *clineAPI) member(key string, v raw) {
	switch key {
	case "sessionId":
		once(&c.d.session.ID, v)
	case "updated_at":
		c.d.at(v)
	}
}

func (c *clineAPI) record(o object) {
	t := c.d.here(c.d.atUnix(o.get("ts")))
	t.UUID = o.get("id").word()
	once(&c.d.session.Model, o.get("modelInfo").get("id"))
	once(&c.d.session.Model, o.get("modelInfo").get("modelId"))
	say := c.user
	assistant := o.get("role").equals("assistant")
	if assistant {
		say = c.agent
	}
	content := o.get("content")
	if content.isString() {
		say(content.text(), t)
	}
	for b := range content.elements() {
		t.Line = c.d.lineAt(b)
		switch o := b.members(nil); {
		case o.get("type").equals("text"):
			say(o.get("text").text(), t)
		case assistant:
			c.d.block(o, t)
		case o.get("type").equals("tool_result"):
			c.answer(o, t)
		}
	}
	if !assistant {
		t.Line = c.d.line
		c.headAlone(t)
	}
}

// headAlone emits an answer that has only a head.
func (c *clineAPI) headAlone(t Turn) { c.behindHead("", t) }

// behindHead emits a text as the answer whose head came before it, and reports whether
// there was one.
func (c *clineAPI) behindHead(text string, t Turn) bool {
	call := c.head
	if c.head = nil; call != nil {
		c.result(call, text, false, t)
	}
	return call != nil
}

// answer reads the answer to a call by its id.
func (c *clineAPI) answer(o object, t Turn) {
	content := o.get("content")
	text := resultText(content)
	failed := o.get("is_error").isTrue()
	if text == "" { // a list of queries, each with a result
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
	c.result(c.d.tools.answered(o.get("tool_use_id").word()), text, failed, t)
}

// result gives out an answer and what the person said in it.
func (c *clineAPI) result(call *ToolCall, text string, failed bool, t Turn) {
	refused := strings.Contains(text, "The user denied this operation")
	failed = failed || strings.Contains(text, "The tool execution failed with the following error")
	feedback := element(text, "feedback")
	text, _, _ = strings.Cut(text, "\n<environment_details>") // about the editor
	text = strings.TrimSpace(text)
	if refused {
		c.d.result(t, call, text, failed, true, feedback)
		return
	}
	if c.d.result(t, call, text, failed, false, ""); feedback != "" {
		c.d.person(t, feedback, Message)
	}
}

var (
	clineCall   = lazyRegexp(`(?s)<([a-z]+(?:_[a-z]+)+)>(.*?)</([a-z_]+)>`)
	clineParam  = lazyRegexp(`(?s)<([a-z_]+)>(.*?)</([a-z_]+)>`)
	clineResult = lazyRegexp(`^\[([a-z_]+)(?: for '[^\n]*')?\] Result:`)
	clineCwd    = lazyRegexp(`Current (?:Working|Workspace) Directory \(([^)\n]+)\)`)
)

// agent reads the agent's words, with the call that may be in them.
func (c *clineAPI) agent(text string, t Turn) {
	name, inside, at := clineXML(text)
	c.d.note(t, Agent, Message, text[:at])
	if name == "" {
		return
	}
	call := &ToolCall{Name: name, Input: cutText(strings.TrimSpace(inside))}
	for inside != "" { // the arguments are elements
		m := clineParam().FindStringSubmatchIndex(inside)
		if m == nil || m[2] == m[3] {
			break
		}
		key := inside[m[2]:m[3]]
		value, rest, closed := strings.Cut(inside[m[3]+1:], "</"+key+">")
		if closed {
			call.param(key, strings.Trim(value, "\n"))
		}
		inside = rest
	}
	c.d.called(t, c.d.tools.add(call))
}

// clineXML finds the call in the agent's words; at is their end if there is none.
func clineXML(text string) (name, inside string, at int) {
	for from := 0; ; {
		m := clineCall().FindStringSubmatchIndex(text[from:])
		if m == nil {
			return "", "", len(text)
		}
		name, at = text[from+m[2]:from+m[3]], from+m[0]
		inside, _, closed := strings.Cut(text[from+m[3]+1:], "</"+name+">")
		if closed && (strings.Contains(inside, "</") || strings.TrimSpace(inside) == "") {
			return name, inside, at
		}
		from += m[3]
	}
}

// param sets an argument that was written as text.
func (c *ToolCall) param(key, value string) {
	switch key {
	case "command":
		c.Command = value
	case "path", "file_path":
		c.Path = value
	case "content", "diff", "new_text", "replace":
		c.New = cutText(value)
	case "old_text", "search":
		c.Old = cutText(value)
	}
}

// user reads a text of the person's place.
func (c *clineAPI) user(text string, t Turn) {
	if m := clineCwd().FindStringSubmatch(text); m != nil && c.d.session.Dir == "" {
		c.d.session.Dir = m[1]
	}
	if strings.HasPrefix(text, "<environment_details>") {
		c.headAlone(t)
	}
	if c.behindHead(text, t) {
		return
	}
	if m := clineResult().FindStringSubmatch(text); m != nil {
		call := c.d.tools.next()
		if call == nil || call.Name != m[1] {
			call = &ToolCall{Name: m[1]}
		}
		if text = strings.TrimSpace(text[len(m[0]):]); text == "" {
			c.head = call
		} else {
			c.result(call, text, false, t)
		}
		return
	}
	said := false
	for _, tag := range []string{"task", "user_message", "user_input", "feedback", "answer"} {
		if words := element(text, tag); words != "" {
			c.d.person(t, words, Message)
			said = true
		}
	}
	switch {
	case said:
	case c.sdk:
		c.d.person(t, text, Message)
	default:
		c.d.note(t, Harness, Notice, text)
	}
}
