package transcript

import (
	"bytes"
	"strings"

	"learnings/lessons/lazy"
)

// codex decodes rollouts of Codex: envelopes of a time, a type and a payload.
// Most of what is said is there twice, as an event for the screen and as an
// item of the conversation. A person's words are taken from the events, where
// nothing is mixed into them, and all else from the items. The event is a
// user_message, or since 0.169 an item_completed with a UserMessage; which of
// them a file holds is told by the events themselves.
type codex struct {
	base
	payload  object // scratch
	held     []Turn // from a person's place on, until it is clear whether an event says the words
	named    bool   // the session was named by a session_meta
	sub      bool   // the session is a subagent's: what is in the person's place is another agent's
	running  bool   // a task runs
	prompted bool   // and has had its prompt, so further words steer it
	heard    heard  // the last event with a person's words
}

// A heard is what an event said, and in which of the two forms.
type heard struct{ form, text string }

func newCodex(b base) decoder {
	return &codex{base: b, named: b.d.session.ID != "", sub: b.d.session.Parent != ""}
}

func (c *codex) record(o object) {
	t := Turn{Line: c.d.line, At: c.d.at(o.get("timestamp")), Session: c.d.session.ID, Sidechain: c.sub, Scripted: c.d.session.Scripted}
	p := o.get("payload")
	switch o.get("type").word() {
	case "session_meta":
		c.meta(p)
	case "turn_context":
		c.context(p)
	case "event_msg":
		c.event(p, t)
	case "response_item":
		c.item(p, t)
	case "compacted":
		// replacement_history repeats what was said before.
		if m := p.get("message"); len(m) > 2 {
			t.Speaker, t.Kind, t.Text = Harness, Summary, m.cut()
			c.emit(t)
		}
	}
}

// maxHeld bounds what is held back of a file in which nobody ever answers.
const maxHeld = 64

// emit gives out t, behind what is held back.
func (c *codex) emit(t Turn) {
	if len(c.held) == 0 {
		c.d.emit(t)
		return
	}
	if c.held = append(c.held, t); len(c.held) > maxHeld {
		c.flush()
	}
}

func (c *codex) flush() {
	for _, t := range c.held {
		c.d.emit(t)
	}
	c.held = nil
}

// drop gives out what is held back but for the words in the person's place:
// an event says which of them are the person's. The others are the harness's,
// also where nothing in them tells.
func (c *codex) drop() {
	for _, t := range c.held {
		if t.Speaker == Harness {
			c.d.emit(t)
		}
	}
	c.held = nil
}

func (c *codex) waiting() int {
	if len(c.held) == 0 {
		return 0
	}
	return c.held[0].Line
}

// meta reads the head of the session. A resumed session has one for each
// resume, which tells who gives the prompts from there on, and a forked one may
// have its parent's behind its own: the first is the session's.
func (c *codex) meta(p raw) {
	if id := p.get("id").word(); id == c.d.session.ID || c.d.session.ID == "" {
		source := p.get("source")
		c.d.session.Scripted = source.equals("exec") || source.equals("mcp")
	}
	if c.named {
		return
	}
	c.named = true
	s := &c.d.session
	c.payload = p.members(c.payload[:0])
	once(&s.ID, c.payload.get("id"))
	once(&s.Version, c.payload.get("cli_version"))
	s.Dir = c.payload.get("cwd").text()
	s.Branch = c.payload.get("git").get("branch").text()
	c.d.at(c.payload.get("timestamp"))
	if sub := c.payload.get("source").get("subagent"); sub != nil {
		c.sub = true
		spawn := sub.get("thread_spawn")
		s.Parent = spawn.get("parent_thread_id").word()
		s.Role = spawn.get("agent_role").text()
		if sub.isString() { // a subagent of the program itself, such as review
			s.Role = sub.text()
		}
	}
}

func (c *codex) context(p raw) {
	s := &c.d.session
	once(&s.Model, p.get("model"))
	fill(&s.Dir, p.get("cwd"))
}

func (c *codex) event(p raw, t Turn) {
	switch form := p.get("type").word(); form {
	case "user_message":
		c.hear(heard{form, plainText(p.get("message"))}, t)
	case "item_completed":
		if item := p.get("item"); item.get("type").equals("UserMessage") {
			c.hear(heard{form, plainText(item.get("content"))}, t)
		}
	case "task_started", "turn_started":
		c.running, c.prompted = true, false
	case "task_complete", "turn_complete":
		c.flush()
		c.running = false
	case "turn_aborted":
		c.flush()
		c.running = false
		if p.get("reason").equals("interrupted") {
			t.Speaker, t.Kind = Person, Interrupt
			c.emit(t)
		}
	}
}

// hear reads an event with a person's words. A version that writes both forms
// writes one right behind the other.
func (c *codex) hear(h heard, t Turn) {
	again := c.heard.text == h.text && c.heard.form != "" && c.heard.form != h.form
	c.heard = h
	if again {
		c.heard = heard{}
		return
	}
	c.d.session.Events = true
	c.drop()
	c.said(h.text, t)
}

// said gives out what was in the person's place.
func (c *codex) said(text string, t Turn) {
	for _, s := range sortTyped(request(text)) {
		t.Speaker, t.Kind, t.Name, t.Text = s.speaker, s.kind, s.name, s.text
		if s.speaker == Person && s.kind == Message {
			if c.sub {
				t.Speaker = Agent
			} else if c.running && c.prompted {
				t.Kind = Steering
			}
			c.prompted = true
		}
		c.emit(t)
	}
}

var (
	requestHead = lazy.Regexp(`(?m)^## My request for Codex:?[ \t]*$`)
	imageTag    = lazy.Regexp(`</?image(?: [^<>]*)?>\n?`)
)

// request is what the person typed of a message that an editor has wrapped.
func request(text string) string {
	if !strings.Contains(text, "## My request for Codex") {
		return text
	}
	heads := requestHead().FindAllStringIndex(text, -1)
	if heads == nil {
		return text
	}
	return text[heads[len(heads)-1][1]:]
}

func (c *codex) item(p raw, t Turn) {
	c.heard = heard{}
	c.payload = p.members(c.payload[:0])
	kind := c.payload.get("type").word()
	if kind == "message" {
		c.message(t)
		return
	}
	c.flush()
	switch kind {
	case "reasoning":
		t.Speaker, t.Kind = Agent, Thinking
		if t.Text = cutText(plainText(c.payload.get("summary"))); t.Text != "" {
			c.emit(t)
		}
	case "function_call", "custom_tool_call", "local_shell_call", "web_search_call", "tool_search_call":
		t.Speaker, t.Kind, t.Tool = Agent, Call, c.call(kind)
		c.emit(t)
	case "function_call_output", "custom_tool_call_output", "local_shell_call_output", "tool_search_output":
		c.result(t)
	}
}

func (c *codex) message(t Turn) {
	content := c.payload.get("content")
	switch c.payload.get("role").word() {
	case "assistant":
		c.flush()
		t.Speaker, t.Kind = Agent, Message
		t.Text = cutText(plainText(content))
		c.emit(t)
	case "user":
		c.place(content, t)
	default: // developer, system
		t.Speaker, t.Kind = Harness, Notice
		t.Text = cutText(plainText(content))
		c.emit(t)
	}
}

// place reads an item in the person's place.
func (c *codex) place(content raw, t Turn) {
	for _, text := range texts(content) {
		if strings.Contains(text, "<image") || strings.Contains(text, "</image") {
			text = imageTag().ReplaceAllString(text, "")
		}
		text = strings.TrimSpace(text)
		for _, s := range sortTyped(request(text)) {
			t.Speaker, t.Kind, t.Name, t.Text = s.speaker, s.kind, s.name, s.text
			switch {
			case s.speaker == Harness:
				c.emit(t)
			case c.d.session.Events || s.kind == Interrupt:
				// An event says it, before or behind.
			default:
				if c.sub {
					t.Speaker = Agent
				}
				c.held = append(c.held, t)
			}
		}
	}
	if len(c.held) > maxHeld {
		c.flush()
	}
}

func (c *codex) call(kind string) *ToolCall {
	p := c.payload
	name := p.get("name").word()
	if name == "" {
		name = strings.TrimSuffix(kind, "_call")
	}
	if space := p.get("namespace").word(); space != "" {
		name = space + "__" + strings.TrimPrefix(name, "_")
	}
	args := p.get("arguments") // a string of JSON that the model wrote: it need not be whole
	switch kind {
	case "local_shell_call", "web_search_call":
		args = p.get("action")
	case "custom_tool_call":
		args = p.get("input")
	}
	call := newCall(p.get("call_id").word(), name, args)
	if kind == "custom_tool_call" { // free text, most often a patch
		patch := args.text()
		call.New, call.Path = cutText(patch), patchPath(patch)
	}
	if call.ID == "" { // nothing answers it
		return call
	}
	return c.d.tools.add(call)
}

// shellLine is a command as one string: as it is, or the words of a list,
// without the shell that is to run them.
func shellLine(v raw) string {
	if v.isString() {
		return v.text()
	}
	words := words(v)
	if len(words) == 3 && strings.HasPrefix(words[1], "-") && strings.HasSuffix(words[1], "c") {
		return words[2]
	}
	return strings.Join(words, " ")
}

var patchFile = lazy.Regexp(`(?m)^\*\*\* (?:Update|Add|Delete) File: (.+)$`)

// patchPath is the first file that a patch touches.
func patchPath(patch string) string {
	m := patchFile().FindStringSubmatch(patch)
	if m == nil {
		return ""
	}
	return strings.TrimSpace(m[1])
}

func (c *codex) result(t Turn) {
	t.Speaker, t.Kind, t.Tool = Tool, Result, c.d.tools.answered(c.payload.get("call_id").word())
	out := c.payload.get("output")
	if out.is('{') { // {content, success} of some versions
		if s := out.get("success"); string(s) == "false" {
			t.Failed = true
		}
		out = out.get("content")
	}
	if text, failed, ok := oldOutput(out); ok {
		t.Text, t.Failed = text, failed
	} else {
		t.Text = resultText(out)
		failed, t.Refused = outcome(t.Text)
		t.Failed = !t.Refused && (failed || t.Failed)
		t.Text = unframe(t.Text)
	}
	c.emit(t)
}

// oldOutput reads the JSON in a string that older versions answered with.
func oldOutput(out raw) (text string, failed, ok bool) {
	if !bytes.HasPrefix(out, []byte(`"{\"output\":`)) {
		return "", false, false
	}
	o, _, err := parseObject(raw(out.text()), 0, nil)
	if err != nil {
		return "", false, false
	}
	code := o.get("metadata").get("exit_code")
	return o.get("output").cut(), code != nil && string(code) != "0", true
}

// unframe takes the output of a tool out of the lines about its run; when
// there is none, those are better than nothing.
func unframe(text string) string {
	if framed(text) {
		if _, output, ok := strings.Cut(text, "\nOutput:\n"); ok && output != "" {
			return output
		}
	}
	return text
}

// framed says whether a result begins with lines about the run.
func framed(text string) bool {
	for _, head := range []string{"Chunk ID:", "Exit code:", "Wall time:", "Process exited"} {
		if strings.HasPrefix(text, head) {
			return true
		}
	}
	return false
}

var (
	exitLine = lazy.Regexp(`(?m)^(?:Process exited with code|Exit code:) (-?\d+)$`)
	troubles = []string{
		"failed in sandbox", "error: Failed to find expected lines", "apply_patch verification failed",
		"write_stdin failed:", "failed to parse function arguments", "unsupported call:", "execution error:", "exec_command failed",
	}
	aborts = []string{"exec command rejected by user", "aborted by user", "patch rejected by user", "rejected by user"}
)

// outcome tells from the text of a result whether the tool failed or the
// person refused it: the format has no flag.
func outcome(text string) (failed, refused bool) {
	for _, a := range aborts {
		if strings.HasPrefix(text, a) {
			return false, true
		}
	}
	for _, p := range troubles {
		if strings.HasPrefix(text, p) {
			return true, false
		}
	}
	if !framed(text) {
		return false, false
	}
	head, _, _ := strings.Cut(text, "\nOutput:")
	code := exitLine().FindStringSubmatch(head)
	return code != nil && code[1] != "0", false
}
