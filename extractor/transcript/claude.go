package transcript

import (
	"bytes"
	"strings"
)

// claude decodes the records of Claude Code: one object a line, one line for
// each block of an assistant's message, and tool results as lines of the user.
type claude struct {
	base
	queue  queue
	spoken bool // a record of the main conversation was seen
}

func newClaude(b base) decoder {
	return &claude{base: b, queue: queue{given: map[string]repeat{}}}
}

func (c *claude) flush() { c.release() }

func (c *claude) waiting() int {
	if c.queue.held == nil {
		return 0
	}
	return c.queue.held.turn.Line
}

func (c *claude) record(o object) {
	kind := o.get("type").text()
	if kind != "queue-operation" {
		c.release()
	}
	switch kind {
	case "user", "assistant", "system", "attachment", "progress":
	case "queue-operation":
		fill(&c.d.session.ID, o.get("sessionId"))
		c.queued(o)
		return
	case "agent-setting":
		fill(&c.d.session.Role, o.get("agentSetting"))
		return
	default: // state of the program: titles, modes, snapshots of files
		fill(&c.d.session.ID, o.get("sessionId"))
		return
	}
	t := c.header(o)
	switch kind {
	case "user":
		c.user(o, t)
	case "assistant":
		c.assistant(o.get("message"), t, o.get("isApiErrorMessage").isTrue())
	case "system":
		if o.get("subtype").equals("local_command") {
			c.said(o.get("content").text(), t, Message)
		}
	case "attachment":
		c.attachment(o.get("attachment"), t)
	case "progress":
		c.progress(o.get("data"), t)
	}
}

// header reads what all records of the conversation have in common.
func (c *claude) header(o object) Turn {
	t := Turn{
		Line: c.d.line, UUID: o.get("uuid").text(), Session: o.get("sessionId").text(),
		At: c.d.at(o.get("timestamp")), Sidechain: o.get("isSidechain").isTrue(),
	}
	s := &c.d.session
	fill(&s.Dir, o.get("cwd"))
	fill(&s.Branch, o.get("gitBranch"))
	fill(&s.Version, o.get("version"))
	if from := o.get("entrypoint"); from != nil { // sdk-cli is "claude -p"; sdk-ts, sdk-py and others are programs built on it
		t.Scripted = strings.HasPrefix(from.text(), "sdk-")
		s.Scripted = t.Scripted
	}
	switch agent := o.get("agentId"); {
	case s.ID != "":
	case t.Sidechain && !c.spoken && agent.isString():
		// A subagent's own file: its records bear the parent's session id.
		s.ID, s.Parent = "agent-"+agent.text(), t.Session
	default:
		s.ID = t.Session
	}
	c.spoken = c.spoken || !t.Sidechain
	return t
}

// user reads a record in the user's place.
func (c *claude) user(o object, t Turn) {
	as := Message
	switch {
	case t.Sidechain:
	case o.get("isCompactSummary").isTrue():
		as = Summary
	case o.get("isMeta").isTrue(),
		o.get("promptSource").equals("system"),
		o.get("origin").get("kind").equals("task-notification"):
		as = Notice
	case o.get("planContent").isString():
		as = Plan
	}
	content := o.get("message")
	if content.is('{') {
		content = content.get("content")
	}
	if content.isString() {
		c.place(content, t, as)
		return
	}
	hasResult := false
	for b := range content.elements() {
		switch b := b.members(nil); b.get("type").text() {
		case "tool_result":
			hasResult = true
			c.result(b, o.get("toolUseResult"), t)
		case "text":
			words := as
			if hasResult && as == Message {
				words = Steering
			}
			c.place(b.get("text"), t, words)
		}
	}
}

// place gives out a text of the user's place, which is of kind as unless its
// words say otherwise.
func (c *claude) place(text raw, t Turn, as Kind) {
	switch {
	case as == Summary, as == Notice, as == Plan:
		c.d.say(t, Harness, as, text.cut())
	case t.Sidechain:
		c.d.say(t, Agent, as, text.cut())
	default:
		words := text.text()
		if as == Message && c.queue.repeats(words) {
			return
		}
		c.said(words, t, as)
	}
}

// said gives out a text that may be a person's; as is Message or Steering.
func (c *claude) said(words string, t Turn, as Kind) {
	for _, s := range sortTyped(words) {
		t.Speaker, t.Kind, t.Name, t.Text = s.speaker, s.kind, s.name, s.text
		switch s.kind {
		case Message:
			t.Kind = as
			c.queue.spoken++
		case Command:
			if c.queue.repeats(s.name + " " + s.text) {
				continue
			}
		}
		c.d.emit(t)
	}
}

func (c *claude) assistant(m raw, t Turn, apiError bool) {
	who, as := Agent, Message
	model, content := m.get("model"), m.get("content")
	if apiError || model.equals("<synthetic>") {
		who, as = Harness, Notice
	} else {
		fill(&c.d.session.Model, model)
	}
	if content.isString() {
		c.d.say(t, Agent, Message, content.cut())
		return
	}
	for b := range content.elements() {
		switch b := b.members(nil); b.get("type").text() {
		case "text":
			c.d.say(t, who, as, b.get("text").cut())
		case "thinking":
			c.d.speak(t, Agent, Thinking, b.get("thinking"))
		case "tool_use", "server_tool_use":
			c.d.call(t, b.get("id"), b.get("name"), b.get("input"))
		}
	}
}

// edits joins the old and the new texts of several edits of one file.
func edits(v raw) (before, after string) {
	var a, b []string
	for e := range v.elements() {
		a = append(a, e.get("old_string").cut())
		b = append(b, e.get("new_string").cut())
	}
	return cutText(strings.Join(a, "\n")), cutText(strings.Join(b, "\n"))
}

// result reads the answer of a tool, and what a person said through it.
func (c *claude) result(b object, double raw, t Turn) {
	id := b.get("tool_use_id").text()
	known := c.d.tools.byID[id] != nil
	t.Tool = c.d.tools.answered(id)
	text, failed := resultText(b.get("content")), b.get("is_error").isTrue()
	var reason string
	var refused bool
	if failed {
		reason, refused = refusal(text)
	}
	c.d.result(t, t.Tool, trimReminders(text), failed, refused, reason)
	asked := t.Tool.Name == "AskUserQuestion" || !known && (double.get("answers").is('{') || strings.HasPrefix(text, "User has answered your questions"))
	if asked && !t.Sidechain {
		c.answers(text, double, t)
	}
}

// resultText is the text of a tool's answer: a string, or a list of blocks.
func resultText(content raw) string {
	if content.isString() {
		return content.cut()
	}
	var texts []string
	for b := range content.elements() {
		if t := b.get("text"); t.isString() {
			texts = append(texts, t.cut())
		}
	}
	return cutText(strings.Join(texts, "\n"))
}

// trimReminders takes what the harness added behind a tool's answer off it.
func trimReminders(text string) string {
	const open, end = "<system-reminder>", "</system-reminder>"
	for {
		trimmed := strings.TrimRight(text, " \n")
		if !strings.HasSuffix(trimmed, end) {
			return text
		}
		i := strings.LastIndex(trimmed, open)
		if i < 0 {
			return text
		}
		text = strings.TrimRight(trimmed[:i], " \n")
	}
}

// answers gives out what a person answered to questions of the agent.
func (c *claude) answers(text string, double raw, t Turn) {
	found, notes := double.get("answers").members(nil), double.get("annotations")
	for _, f := range found {
		t.Name = raw(`"` + string(f.key) + `"`).text()
		said := f.val.text()
		if n := notes.get(string(f.key), "notes").text(); n != "" {
			said = strings.TrimSpace(said + "\n" + n)
		}
		if said != "" {
			c.d.say(t, Person, Answer, said)
		}
	}
	if len(found) > 0 {
		return
	}
	for _, qa := range parseAnswers(text) {
		t.Name = qa[0]
		c.d.say(t, Person, Answer, qa[1])
	}
}

// parseAnswers reads the sentence "User has answered your questions: "Q"="A",
// …" of records that have no structured answers.
func parseAnswers(text string) [][2]string {
	var out [][2]string
	for {
		_, rest, ok := strings.Cut(text, `"`)
		if !ok {
			return out
		}
		question, rest, ok := strings.Cut(rest, `"="`)
		if !ok {
			return out
		}
		answer, after, ok := strings.Cut(rest, `"`)
		if !ok {
			return out
		}
		if note, ok := strings.CutPrefix(after, " user notes: "); ok {
			note, _, _ = strings.Cut(note, `, "`)
			note, _, _ = strings.Cut(note, ". You can now continue")
			answer += "\n" + strings.TrimSpace(note)
		}
		out = append(out, [2]string{question, answer})
		text = after
	}
}

// attachment reads what newer versions attach to a conversation: of a person
// only messages that were queued while the agent worked, of a hook only our own.
func (c *claude) attachment(a raw, t Turn) {
	switch mode := a.get("commandMode"); a.get("type").text() {
	case "hook_additional_context":
		c.hooked(a.get("content"), t)
	case "queued_command":
		words := plainText(a.get("prompt"))
		if (!mode.isString() || mode.equals("prompt")) && !t.Sidechain && !c.queue.repeats(words) {
			c.said(words, t, Steering)
		}
	}
}

// hooked reads what a hook gave to the model: of no interest to a reader, but
// for the block of lessons that says which ones the session was given.
func (c *claude) hooked(content raw, t Turn) {
	if !bytes.Contains(content, []byte(ownBlock)) {
		return
	}
	text := plainText(content)
	for e := range content.elements() {
		if e.isString() {
			text += e.text()
		}
	}
	c.d.say(t, Harness, Notice, cutText(text))
}

// progress reads what a subagent did, which some versions keep in the main
// file.
func (c *claude) progress(data raw, t Turn) {
	if !data.get("type").equals("agent_progress") {
		return
	}
	t.Sidechain = true
	m := data.get("message")
	switch inner := m.get("message"); m.get("type").text() {
	case "assistant":
		c.assistant(inner, t, false)
	case "user":
		c.user(object{{[]byte("message"), inner}}, t)
	}
}

// A queue follows the messages that a person typed while Claude Code worked.
// They may come again as a line of the user or as an attachment, and they may
// not: so they are given out where they were typed, and left out where the
// same text comes again soon.
type queue struct {
	given  map[string]repeat // by the text, trimmed
	popped string            // what the person took back to edit
	spoken int               // messages of the person so far, repeats apart
	held   *queuedText
}

// A repeat is a text that was given out when it was queued.
type repeat struct {
	n     int // how often it may come again
	since int // queue.spoken when it was queued
}

// staleAfter is how many messages a person types until a text that was queued
// before is no repeat any more: people say "continue" twice and mean it.
const staleAfter = 8

// A queuedText waits for the next record: when that takes it out of the queue
// at once, the agent was not working, and it comes as an ordinary message.
type queuedText struct {
	turn  Turn
	words []string
}

// expect notes that text was given out and may come again.
func (q *queue) expect(text string) {
	text = strings.TrimSpace(text)
	q.given[text] = repeat{q.given[text].n + 1, q.spoken}
}

// repeats says whether text is one that was given out when it was queued.
func (q *queue) repeats(text string) bool {
	text = strings.TrimSpace(text)
	r, ok := q.given[text]
	if !ok {
		return false
	}
	if r.n--; r.n == 0 {
		delete(q.given, text)
	} else {
		q.given[text] = r
	}
	return q.spoken-r.since <= staleAfter
}

// queued reads a change of the queue.
func (c *claude) queued(o object) {
	at := c.d.at(o.get("timestamp"))
	content := o.get("content")
	switch o.get("operation").text() {
	case "enqueue":
		c.release()
		c.queue.held = &queuedText{
			turn:  Turn{Line: c.d.line, Session: o.get("sessionId").text(), At: at},
			words: texts(content),
		}
	case "dequeue":
		c.queue.held = nil
	case "popAll":
		c.release()
		c.queue.popped = strings.TrimSpace(plainText(content))
	default:
		c.release()
	}
}

// release gives out the queued message that is held back.
func (c *claude) release() {
	held := c.queue.held
	if held == nil {
		return
	}
	c.queue.held = nil
	for _, text := range held.words {
		if c.queue.popped != "" && c.queue.popped == strings.TrimSpace(text) {
			c.queue.popped = ""
			continue
		}
		if name, args, ok := slash(text); ok {
			c.d.command(held.turn, name, args)
			c.queue.expect(name + " " + args)
			continue
		}
		c.said(text, held.turn, Steering)
		c.queue.expect(text)
	}
}

// plainText is a string, or the texts of a list of blocks.
func plainText(v raw) string { return strings.Join(texts(v), "\n") }

// texts is a string, or each text of a list of blocks.
func texts(v raw) []string {
	if v.isString() {
		return []string{v.text()}
	}
	var out []string
	for b := range v.elements() {
		if t := b.get("text"); t.isString() {
			out = append(out, t.text())
		}
	}
	return out
}
