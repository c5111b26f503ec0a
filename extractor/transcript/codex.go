package transcript

import (
	"bytes"
	"cmp"
	"strings"
)

// codex decodes rollouts of Codex: envelopes of a time, a type and a payload.
// Most of what is said is there twice, as an event for the screen and as an
// item of the conversation. A person's words are taken from the events, where
// nothing is mixed into them, and all else from the items. The event is a
// user_message, or since 0.169 an item_completed with a UserMessage; which of
// them a file holds is told by the events themselves.
type codex struct {
	base
	named    bool  // the session was named by a session_meta
	sub      bool  // the session is a subagent's: what is in the person's place is another agent's
	running  bool  // a task runs
	prompted bool  // and has had its prompt, so further words steer it
	heard    heard // the last event with a person's words
}

// A heard is what an event said, and in which of the two forms.
type heard struct{ form, text string }

func newCodex(b base) decoder {
	return &codex{base: b, named: b.d.session.ID != "", sub: b.d.session.Parent != ""}
}

func (c *codex) record(o object) {
	t := c.d.here(c.d.at(o.get("timestamp")))
	t.Sidechain, t.Scripted = c.sub, c.d.session.Scripted
	p := o.get("payload").members(nil)
	switch o.get("type").text() {
	case "session_meta":
		c.meta(p)
	case "turn_context":
		fill(&c.d.session.Model, p.get("model"))
		fill(&c.d.session.Dir, p.get("cwd"))
	case "event_msg":
		c.event(p, t)
	case "response_item":
		c.item(p, t)
	case "compacted": // replacement_history repeats what was said before
		c.d.speak(t, Harness, Summary, p.get("message"))
	}
	if len(c.d.behind) > maxHeld {
		c.flush()
	}
}

// maxHeld bounds what is held back of a file in which nobody ever answers.
const maxHeld = 64

func (c *codex) flush() { c.d.release(func(Turn) bool { return true }) }

// drop emits what is held back, except the words in the person's place: an event says
// which of them are the person's, and the others are the harness's.
func (c *codex) drop() { c.d.release(func(t Turn) bool { return t.Speaker == Harness }) }

func (c *codex) waiting() int {
	if len(c.d.behind) == 0 {
		return 0
	}
	return c.d.behind[0].Line
}

// meta reads the head of the session. A resumed session has one for each resume, which
// says who gives the prompts from there on. A forked one may have its parent's after
// its own, so the first is the session's.
func (c *codex) meta(p object) {
	s, source := &c.d.session, p.get("source")
	if id := p.get("id").text(); id == s.ID || s.ID == "" {
		s.Scripted = source.equals("exec") || source.equals("mcp")
	}
	if c.named {
		return
	}
	c.named = true
	fill(&s.ID, p.get("id"))
	fill(&s.Version, p.get("cli_version"))
	s.Dir, s.Branch = p.get("cwd").text(), p.get("git").get("branch").text()
	c.d.at(p.get("timestamp"))
	if sub := source.get("subagent"); sub != nil {
		c.sub = true
		s.Parent = sub.get("thread_spawn", "parent_thread_id").text()
		s.Role = sub.get("thread_spawn", "agent_role").text()
		if sub.isString() { // a subagent of the program itself, such as review
			s.Role = sub.text()
		}
	}
}

func (c *codex) event(p object, t Turn) {
	switch form := p.get("type").text(); form {
	case "user_message":
		c.hear(heard{form, plainText(p.get("message"))}, t)
	case "item_completed":
		if item := p.get("item"); item.get("type").equals("UserMessage") {
			c.hear(heard{form, plainText(item.get("content"))}, t)
		}
	case "task_started", "turn_started":
		c.running, c.prompted = true, false
	case "task_complete", "turn_complete", "turn_aborted":
		c.flush()
		c.running = false
		if form == "turn_aborted" && p.get("reason").equals("interrupted") {
			c.d.say(t, Person, Interrupt, "")
		}
	}
}

// hear reads an event with a person's words. A version that writes both forms writes
// them one after the other.
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
		c.d.emit(t)
	}
}

var (
	requestHead = lazyRegexp(`(?m)^## My request for Codex:?[ \t]*$`)
	imageTag    = lazyRegexp(`</?image(?: [^<>]*)?>\n?`)
)

// request is what the person typed of a message that an editor has wrapped.
func request(text string) string {
	if heads := requestHead().FindAllStringIndex(text, -1); heads != nil {
		return text[heads[len(heads)-1][1]:]
	}
	return text
}

func (c *codex) item(p object, t Turn) {
	c.heard = heard{}
	kind, role, text := p.get("type").text(), p.get("role").text(), cutText(plainText(p.get("content")))
	switch {
	case kind == "message" && role == "user":
		c.place(p.get("content"), t)
		return
	case kind == "message" && role != "assistant": // developer, system
		c.d.say(t, Harness, Notice, text)
		return
	}
	c.flush()
	switch kind {
	case "message":
		c.d.say(t, Agent, Message, text)
	case "reasoning":
		if text := cutText(plainText(p.get("summary"))); text != "" {
			c.d.say(t, Agent, Thinking, text)
		}
	case "function_call", "custom_tool_call", "local_shell_call", "web_search_call", "tool_search_call":
		c.d.called(t, c.call(kind, p))
	case "function_call_output", "custom_tool_call_output", "local_shell_call_output", "tool_search_output":
		c.result(p, t)
	}
}

// place reads an item in the person's place.
func (c *codex) place(content raw, t Turn) {
	for _, text := range texts(content) {
		text = strings.TrimSpace(imageTag().ReplaceAllString(text, ""))
		for _, s := range sortTyped(request(text)) {
			t.Speaker, t.Kind, t.Name, t.Text = s.speaker, s.kind, s.name, s.text
			switch {
			case s.speaker == Harness:
				c.d.emit(t)
			case c.d.session.Events || s.kind == Interrupt:
				// An event says it, before or behind.
			default:
				if c.sub {
					t.Speaker = Agent
				}
				c.d.behind = append(c.d.behind, t)
			}
		}
	}
}

func (c *codex) call(kind string, p object) *ToolCall {
	name := cmp.Or(p.get("name").text(), strings.TrimSuffix(kind, "_call"))
	if space := p.get("namespace").text(); space != "" {
		name = space + "__" + strings.TrimPrefix(name, "_")
	}
	args := p.get("arguments") // a string of JSON that the model wrote: it need not be whole
	switch kind {
	case "local_shell_call", "web_search_call":
		args = p.get("action")
	case "custom_tool_call":
		args = p.get("input")
	}
	call := newCall(p.get("call_id").text(), name, args)
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

var patchFile = lazyRegexp(`(?m)^\*\*\* (?:Update|Add|Delete) File: (.+)$`)

// patchPath is the first file that a patch touches.
func patchPath(patch string) string {
	if m := patchFile().FindStringSubmatch(patch); m != nil {
		return strings.TrimSpace(m[1])
	}
	return ""
}

func (c *codex) result(p object, t Turn) {
	call, out, failed := c.d.tools.answered(p.get("call_id").text()), p.get("output"), false
	if out.is('{') { // {content, success} of some versions
		failed = string(out.get("success")) == "false"
		out = out.get("content")
	}
	if text, failed, ok := oldOutput(out); ok {
		c.d.result(t, call, text, failed, false, "")
		return
	}
	text := resultText(out)
	bad, refused := outcome(text)
	c.d.result(t, call, unframe(text), failed || bad, refused, "")
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

// unframe returns the output of a tool without the lines about its run, or those lines
// if there is no output.
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
	return begins(text, "Chunk ID:", "Exit code:", "Wall time:", "Process exited")
}

var (
	exitLine = lazyRegexp(`(?m)^(?:Process exited with code|Exit code:) (-?\d+)$`)
	troubles = []string{
		"failed in sandbox", "error: Failed to find expected lines", "apply_patch verification failed",
		"write_stdin failed:", "failed to parse function arguments", "unsupported call:", "execution error:", "exec_command failed",
	}
	aborts = []string{"exec command rejected by user", "aborted by user", "patch rejected by user", "rejected by user"}
)

// outcome reads from the text of a result whether the tool failed or the person refused
// it, because the format has no flag.
func outcome(text string) (failed, refused bool) {
	switch {
	case begins(text, aborts...):
		return false, true
	case begins(text, troubles...):
		return true, false
	case !framed(text):
		return false, false
	}
	head, _, _ := strings.Cut(text, "\nOutput:")
	code := exitLine().FindStringSubmatch(head)
	return code != nil && code[1] != "0", false
}
