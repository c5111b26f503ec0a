package transcript

import (
	"encoding/json"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// vscode decodes chats of Copilot in VS Code and editors built on it: a document with a
// list of requests, each with its answer. Newer versions keep the same document as a log
// of changes, one on a line; it is put together and read at the end.
type vscode struct {
	base
	doc   any
	lines []int // of each request in the log: where it came
}

func newVSCode(b base) decoder { return &vscode{base: b} }

func isVSCode(g glimpse) bool {
	return g.get("requests").is('[') && g.get("version") != nil && (g.get("responderUsername") != nil || g.get("initialLocation") != nil || g.get("creationDate") != nil)
}

// Kinds of changes in a log.
const (
	vscodeWhole = "0"
	vscodeSet   = "1"
	vscodePush  = "2"
	vscodeDrop  = "3"
)

func isVSCodeLog(o object) bool {
	return string(o.get("kind")) == vscodeWhole && o.get("v").get("requests").is('[')
}

// vscodePlaces are the folders of chats: of each workspace, and without one.
func vscodePlaces(h host) (out []string) {
	for _, editor := range []string{"Code", "Code - Insiders", "VSCodium"} {
		user := filepath.Join(h.config(), editor, "User")
		found, _ := filepath.Glob(filepath.Join(user, "workspaceStorage", "*", "chatSessions")) // the pattern is good
		out = append(append(out, found...), filepath.Join(user, "globalStorage", "emptyWindowChatSessions"))
	}
	return out
}

// vscodeDir reads the project's folder from the file beside the folder of chats.
func vscodeDir(path string) string {
	return localPath(sidecar(filepath.Join(filepath.Dir(path), "..", "workspace.json")).get("folder").text())
}

// localPath returns the path of a file: address; "" for any other.
func localPath(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "file" {
		return ""
	}
	if len(u.Path) > 2 && u.Path[2] == ':' { // of Windows
		return u.Path[1:]
	}
	return u.Path
}

func (c *vscode) member(key string, v raw) {
	switch key {
	case "sessionId":
		fill(&c.d.session.ID, v)
	case "creationDate", "lastMessageDate":
		c.d.atUnix(v)
	}
}

func (c *vscode) record(o object) {
	kind := string(o.get("kind"))
	if len(kind) != 1 || o.get("requestId") != nil {
		c.request(o)
		return
	}
	var v any
	_ = json.Unmarshal(o.get("v"), &v) // of a line that was checked
	var path []any
	_ = json.Unmarshal(o.get("k"), &path)
	switch kind {
	case vscodeWhole:
		c.doc, c.lines = v, nil
	case vscodeSet, vscodeDrop:
		c.doc = changed(c.doc, path, func(any) any { return v })
	case vscodePush:
		upTo, err := strconv.Atoi(string(o.get("i")))
		c.doc = changed(c.doc, path, func(was any) any {
			list, _ := was.([]any)
			if err == nil && upTo >= 0 && upTo < len(list) {
				list = list[:upTo]
			}
			more, _ := v.([]any)
			return append(slices.Clip(list), more...)
		})
	}
	if len(path) <= 1 {
		c.lines = c.lines[:min(len(c.lines), len(c.requests()))]
		for len(c.lines) < len(c.requests()) {
			c.lines = append(c.lines, c.d.line)
		}
	}
}

// changed returns a value with what stands at a path in it replaced. It adds members, and
// no elements of lists but at their end.
func changed(in any, path []any, to func(was any) any) any {
	if len(path) == 0 {
		return to(in)
	}
	switch at := path[0].(type) {
	case string:
		o, ok := in.(map[string]any)
		if !ok {
			o = map[string]any{}
		}
		o[at] = changed(o[at], path[1:], to)
		return o
	case float64:
		list, _ := in.([]any)
		if i := int(at); i >= 0 && i < len(list) {
			list[i] = changed(list[i], path[1:], to)
		} else if i == len(list) {
			list = append(list, changed(nil, path[1:], to))
		}
		return list
	}
	return in
}

// requests returns those of the log.
func (c *vscode) requests() []any {
	doc, _ := c.doc.(map[string]any)
	list, _ := doc["requests"].([]any)
	return list
}

// flush reads the document that a log has become.
func (c *vscode) flush() {
	doc, _ := c.doc.(map[string]any)
	for _, key := range []string{"sessionId", "creationDate", "lastMessageDate"} {
		text, _ := json.Marshal(doc[key])
		c.member(key, text)
	}
	for i, r := range c.requests() {
		text, _ := json.Marshal(r)
		if o, _, err := parseObject(text, 0, nil); err == nil && i < len(c.lines) {
			c.d.line = c.lines[i]
			c.request(o)
		}
	}
	c.doc, c.lines = nil, nil
}

// request gives out what a person asked and what the agent did then.
func (c *vscode) request(o object) {
	d := c.d
	t := d.here(d.atUnix(o.get("timestamp")))
	t.UUID = o.get("requestId").text()
	fill(&d.session.Model, o.get("modelId"))
	if text := o.get("message").get("text"); o.get("isSystemInitiated").isTrue() || o.get("confirmation") != nil {
		d.speak(t, Harness, Notice, text) // of the editor itself, or of a button
	} else {
		d.person(t, text.text(), Message)
	}
	result := o.get("result").members(nil)
	known := map[string]raw{} // calls of the model by id
	for round := range result.get("metadata").get("toolCallRounds").elements() {
		for call := range round.get("toolCalls").elements() {
			known[call.get("id").text()] = call
		}
	}
	answers := result.get("metadata").get("toolCallResults")
	var said strings.Builder // what comes in pieces between calls
	for part := range o.get("response").elements() {
		p := part.members(nil)
		switch kind := p.get("kind").text(); kind {
		case "", "markdownContent":
			said.WriteString(either(p.get("value"), p.get("content").get("value")).text())
		case "inlineReference":
			said.WriteString("`" + filepath.Base(p.get("inlineReference").get("path").text()) + "`")
		case "thinking":
			d.speak(t, Agent, Thinking, p.get("value"))
		case "toolInvocationSerialized":
			d.note(t, Agent, Message, said.String())
			said.Reset()
			c.tool(t, p, known, answers)
		}
	}
	d.note(t, Agent, Message, said.String())
	d.speak(t, Harness, Notice, result.get("errorDetails").get("message"))
	if o.get("isCanceled").isTrue() {
		d.say(t, Person, Interrupt, "")
	}
}

// Reasons of VS Code why a call was not made.
var vscodeRefused = []string{"0", "5"} // denied, skipped

// tool gives out a call and its answer.
func (c *vscode) tool(t Turn, p object, known map[string]raw, answers raw) {
	id, about := p.get("toolCallId").text(), p.get("toolSpecificData").members(nil)
	name, _, _ := strings.Cut(id, "__vscode") // it makes ids unique so
	asked := either(known[id], known[name])
	tool := p.get("toolId").text()
	if name := asked.get("name").text(); name != "" {
		tool = name
	}
	call := newCall(id, tool, asked.get("arguments"))
	if line := about.get("commandLine"); call.Command == "" && line != nil {
		for _, as := range []string{"userEdited", "toolEdited", "original"} {
			fill(&call.Command, line.get(as))
		}
	}
	c.d.called(t, call)
	text := about.get("terminalCommandOutput").get("text").cut()
	for a := range either(answers.get(id), answers.get(name)).get("content").elements() {
		if v := a.get("value"); text == "" {
			text = v.cut()
		}
	}
	confirmed := p.get("isConfirmed")
	refused := string(confirmed) == "false" || slices.Contains(vscodeRefused, string(confirmed.get("type")))
	failed := p.get("resultDetails").get("isError").isTrue() || about.get("terminalCommandState").get("exitCode").failed()
	c.d.result(t, call, text, failed, refused, "")
}
