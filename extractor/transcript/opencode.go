package transcript

import "strings"

// opencode decodes sessions of OpenCode: messages, each with parts. An export
// is one document of them, and what is read from its database is made into one.
type opencode struct {
	base
	sub  bool   // a subagent's session: what is in the person's place is another agent's
	turn Turn   // of the message whose parts come
	role string // of that message
	sums bool   // that message is a compaction's summary
}

func newOpenCode(b base) decoder { return &opencode{base: b, sub: b.d.session.Parent != ""} }

func isOpenCode(g glimpse) bool {
	info := g.get("info").members(nil)
	return g.get("messages").is('[') && info.get("id").isString() && info.get("projectID") != nil && info.get("time").is('{')
}

func (c *opencode) member(key string, v raw) {
	if key != "info" {
		return
	}
	s, o := &c.d.session, v.members(nil)
	fill(&s.ID, o.get("id"))
	fill(&s.Version, o.get("version"))
	fill(&s.Parent, o.get("parentID"))
	fill(&s.Dir, o.get("directory"))
	c.sub = s.Parent != ""
	times := o.get("time")
	c.d.atUnix(times.get("created"))
	c.d.atUnix(times.get("updated"))
}

func (c *opencode) record(o object) {
	s, info := &c.d.session, o.get("info").members(nil)
	c.role = info.get("role").text()
	c.sums = info.get("summary").isTrue() || info.get("mode").equals("compaction")
	c.turn = c.d.here(c.d.atUnix(info.get("time").get("created")))
	c.turn.UUID, c.turn.Sidechain = info.get("id").text(), c.sub
	fill(&s.Role, info.get("agent"))
	if c.role == "assistant" {
		fill(&s.Model, info.get("modelID"))
		fill(&s.Dir, info.get("path").get("cwd"))
	}
	for v := range o.get("parts").elements() {
		c.part(v.members(nil), c.d.lineAt(v))
	}
	if info.get("error").get("name").equals("MessageAbortedError") && !c.sub {
		c.d.say(c.turn, Person, Interrupt, "")
	}
}

func (c *opencode) part(o object, line int) {
	t := c.turn
	t.Line = max(line, t.Line)
	text := o.get("text")
	switch kind := o.get("type").text(); {
	case kind == "tool":
		c.tool(o, t)
	case kind == "reasoning":
		c.d.speak(t, Agent, Thinking, text)
	case kind == "subtask":
		c.d.speak(t, Harness, Notice, o.get("prompt")) // a command of the person's, written out
	case kind != "text":
	case c.role == "user" && o.get("synthetic").isTrue():
		c.d.speak(t, Harness, Notice, text)
	case c.role == "user":
		c.d.person(t, unquoted(text.text()), Message)
	case c.sums:
		c.d.speak(t, Harness, Summary, text)
	default:
		c.d.speak(t, Agent, Message, text)
	}
}

// unquoted is a prompt without the quotes that "opencode run" puts around an
// argument with spaces in it.
func unquoted(text string) string {
	inside, ok := strings.CutPrefix(text, `"`)
	inside, closed := strings.CutSuffix(inside, `"`)
	if plain := strings.ReplaceAll(inside, `\"`, ""); !ok || !closed || strings.Contains(plain, `"`) || strings.HasSuffix(plain, `\`) {
		return text
	}
	return strings.ReplaceAll(inside, `\"`, `"`)
}

// What OpenCode answers for the person.
const (
	opencodeRefused  = "The user rejected permission to use this specific tool call"
	opencodeFeedback = "with the following feedback:"
	opencodeRule     = "The user has specified a rule which prevents you"
	opencodeAborted  = "Tool execution aborted"
)

func (c *opencode) tool(o object, t Turn) {
	state := o.get("state").members(nil)
	call := newCall(o.get("callID").text(), o.get("tool").text(), state.get("input"))
	times := state.get("time")
	if at := c.d.atUnix(times.get("start")); !at.IsZero() {
		t.At = at
	}
	c.d.called(t, call)
	if at := c.d.atUnix(times.get("end")); !at.IsZero() {
		t.At = at
	}
	switch state.get("status").text() {
	case "completed", "success":
		c.d.result(t, call, state.get("output").cut(), state.get("metadata").get("exit").failed(), false, "")
		if call.Name == "question" && !t.Sidechain {
			c.answers(state, t, call)
		}
	case "error":
		text := strings.TrimPrefix(state.get("error").cut(), "Error: ")
		reason := ""
		if begins(text, opencodeRefused) {
			_, reason, _ = strings.Cut(text, opencodeFeedback)
		}
		c.d.result(t, call, text, true, begins(text, opencodeRefused, opencodeRule, opencodeAborted), strings.TrimSpace(reason))
	}
}

// answers gives out what the person answered to the agent's questions.
func (c *opencode) answers(state object, t Turn, call *ToolCall) {
	var asked []string
	for q := range state.get("input").get("questions").elements() {
		asked = append(asked, q.get("question").text())
	}
	t.Tool = call
	n := 0
	for a := range state.get("metadata").get("answers").elements() {
		if t.Name = ""; n < len(asked) {
			t.Name = asked[n]
		}
		n++
		if said := strings.Join(words(a), ", "); said != "" {
			c.d.say(t, Person, Answer, said)
		}
	}
}

// opencodePlaces is the same on every system: it goes by XDG alone.
var opencodePlaces = under("XDG_DATA_HOME", ".local/share", "opencode/opencode.db")

// isKilo recognizes a session of Kilo Code by the mark that [stored.opencode] sets.
func isKilo(g glimpse) bool {
	return isOpenCode(g) && g.get("info").get("program").equals(string(Kilo))
}
