package transcript

import (
	"cmp"
	"path/filepath"
	"strconv"
	"strings"
)

// gemini decodes sessions of Gemini CLI: a document with a list of messages,
// or the same messages one on a line. On lines a message comes again when its
// tools have answered, so of each only what is new is given out.
//
// Newer versions keep the path of the project beside the chats.
type gemini struct {
	base
	given map[string]*geminiGiven
	sub   bool // a subagent's session
}

// geminiGiven is what was given out of one message.
type geminiGiven struct {
	text     bool
	thoughts int
	calls    map[string]bool // by id: whether its answer was, too
}

func newGemini(b base) decoder {
	return &gemini{base: b, given: make(map[string]*geminiGiven)}
}

func isGemini(g glimpse) bool {
	return g.get("projectHash") != nil && g.get("sessionId") != nil && g.get("messages").is('[')
}

func isGeminiLine(o object) bool {
	return o.get("type") == nil && o.get("projectHash").isString() && o.get("sessionId").isString() && o.get("startTime") != nil
}

// geminiDir reads the project's folder from the file that lies beside the
// folder of the chats, or from the list that all projects share.
func geminiDir(path string) string {
	chats := filepath.Dir(path)
	for range 2 { // a subagent's session lies in a folder of its parent's
		if filepath.Base(chats) == "chats" {
			break
		}
		chats = filepath.Dir(chats)
	}
	project := filepath.Dir(chats)
	if dir := firstLine(filepath.Join(project, ".project_root")); dir != "" {
		return dir
	}
	for _, f := range sidecar(filepath.Join(project, "..", "..", "projects.json")).get("projects").members(nil) {
		if f.val.equals(filepath.Base(project)) {
			return raw(`"` + string(f.key) + `"`).text()
		}
	}
	return ""
}

func (g *gemini) member(key string, v raw) {
	s := &g.d.session
	switch key {
	case "sessionId":
		fill(&s.ID, v)
	case "startTime", "lastUpdated":
		g.d.at(v)
	case "kind":
		g.sub = v.equals("subagent")
	}
}

func (g *gemini) record(o object) {
	kind := o.get("type").text()
	if kind == "" { // the head of the lines, or a change of it
		for _, f := range append(o, o.get("$set").members(nil)...) {
			g.member(string(f.key), f.val)
		}
		return
	}
	t := g.d.here(g.d.at(o.get("timestamp")))
	t.UUID, t.Sidechain = o.get("id").text(), g.sub
	given := g.given[t.UUID]
	if given == nil {
		given = &geminiGiven{calls: make(map[string]bool)}
		if t.UUID != "" {
			g.given[t.UUID] = given
		}
	}
	switch {
	case kind == "gemini" || kind == "model":
		g.agent(o, t, given)
		return
	case given.text:
	case kind == "user":
		g.user(o, t)
	default:
		g.notice(kind, plainText(o.get("content")), t)
	}
	given.text = true
}

// What Gemini CLI writes in the person's place itself.
const (
	geminiContinue = "System: Please continue."
	geminiFiles    = "--- Content from referenced files ---"
	geminiShell    = "I ran the following shell command:\n```sh\n"
)

// user reads what is in the person's place. Files that the person named are
// pasted behind the words.
func (g *gemini) user(o object, t Turn) {
	content := o.get("displayContent")
	if len(texts(content)) == 0 {
		content = o.get("content")
	}
	var typed []string
	for i, text := range texts(content) {
		if i > 0 && strings.HasPrefix(strings.TrimSpace(text), geminiFiles) {
			break
		}
		typed = append(typed, text)
	}
	text := strings.Join(typed, "\n")
	switch command, isShell := strings.CutPrefix(text, geminiShell); {
	case strings.TrimSpace(text) == geminiContinue:
		g.d.note(t, Harness, Notice, text)
	case isShell:
		command, _, _ = strings.Cut(command, "\n```")
		g.d.say(t, Person, Shell, command)
	default:
		g.d.person(t, text, Message)
	}
}

func (g *gemini) agent(o object, t Turn, given *geminiGiven) {
	fill(&g.d.session.Model, o.get("model"))
	n := 0
	for v := range o.get("thoughts").elements() {
		if n++; n <= given.thoughts {
			continue
		}
		g.d.note(t, Agent, Thinking, v.get("subject").text()+"\n"+v.get("description").text())
	}
	given.thoughts = max(given.thoughts, n)
	if text := cmp.Or(plainText(o.get("content")), plainText(o.get("parts"))); text != "" && !given.text {
		given.text = true
		g.d.note(t, Agent, Message, text)
	}
	for v := range o.get("toolCalls").elements() {
		g.call(v.members(nil), t, given, g.d.lineAt(v))
	}
}

// call reads a call and, when it is there, its answer.
func (g *gemini) call(o object, t Turn, given *geminiGiven, line int) {
	t.Line = line
	t.At = g.d.at(o.get("timestamp"))
	call := newCall(o.get("id").text(), o.get("name").text(), o.get("args"))
	answered, known := given.calls[call.ID]
	if !known || call.ID == "" {
		g.d.called(t, call)
	}
	status := o.get("status").text()
	done := status == "success" || status == "error" || status == "cancelled"
	if call.ID != "" {
		given.calls[call.ID] = answered || done
	}
	if answered || !done {
		return
	}
	text := geminiAnswer(o)
	failed := status == "error" || status == "success" && geminiExit().MatchString(text)
	g.d.result(t, call, text, failed, status == "cancelled", "")
	if call.Name == "ask_user" && status == "success" && !t.Sidechain {
		g.answers(o.get("args"), raw(text), t, call)
	}
}

// geminiExit is in the answer of its shell.
var geminiExit = lazyRegexp(`(?m)^Exit Code: (?:[1-9]\d*|-\d+)$`)

func geminiAnswer(o object) string {
	for v := range o.get("result").elements() {
		if text := functionAnswer(v.get("functionResponse")); text != "" {
			return text
		}
	}
	return o.get("resultDisplay").cut()
}

// functionAnswer is the text of an answer as Gemini's interface has it.
func functionAnswer(v raw) string {
	return v.get("response", "output").cut() + v.get("response", "error").cut()
}

// answers gives out what the person answered to questions of the agent: an
// object by the number of the question.
func (g *gemini) answers(args, text raw, t Turn, call *ToolCall) {
	var asked []string
	for q := range args.get("questions").elements() {
		asked = append(asked, q.get("question").text())
	}
	o, _, err := parseObject(text, 0, nil)
	if err != nil {
		return
	}
	t.Tool = call
	for _, f := range o.get("answers").members(nil) {
		t.Name = ""
		if i, err := strconv.Atoi(string(f.key)); err == nil && i >= 0 && i < len(asked) {
			t.Name = asked[i]
		}
		if said := f.val.text(); said != "" {
			g.d.say(t, Person, Answer, said)
		}
	}
}

const geminiDirs = "Current workspace directories:"

// notice reads what the program said of itself.
func (g *gemini) notice(kind, text string, t Turn) {
	if kind == "info" && strings.TrimSpace(text) == "Request cancelled." {
		g.d.say(t, Person, Interrupt, "")
		return
	}
	if _, dirs, ok := strings.Cut(text, geminiDirs); ok && g.d.session.Dir == "" {
		dir, _, _ := strings.Cut(strings.TrimLeft(dirs, "\n -*"), "\n")
		g.d.session.Dir = strings.TrimSpace(dir)
	}
	g.d.note(t, Harness, Notice, text)
}
