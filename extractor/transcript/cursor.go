package transcript

import (
	"slices"
	"strings"
)

// cursor decodes the transcripts that Cursor keeps of its agent: messages of
// blocks, without a time, a directory or ids of calls. The person's words are
// in an element among what the editor adds.
type cursor struct {
	atOnce
	d     *Reader
	tools calls
}

func newCursor(d *Reader) decoder { return &cursor{d: d} }

func isCursor(o object) bool {
	role := o.get("role").word()
	if role != "user" && role != "assistant" || o.get("type") != nil || o.get("uuid") != nil {
		return false
	}
	content := o.get("message").get("content")
	for b := range content.elements() {
		return b.get("type").isString() && o.get("content") == nil
	}
	return false
}

func (c *cursor) record(o object) {
	t := Turn{Line: c.d.line, Session: c.d.session.ID}
	role := o.get("role").word()
	once(&c.d.session.Model, o.get("model"))
	for b := range o.get("message").get("content").elements() {
		o := b.members(nil)
		switch kind := o.get("type").word(); {
		case kind == "tool_result" || kind == "tool-result":
			call := c.tools.next()
			if call == nil {
				call = &ToolCall{Name: o.get("name").word()}
			}
			c.d.result(t, call, resultText(o.get("content")), o.get("is_error").isTrue(), false, "")
		case kind == "text" && role == "user":
			c.user(o.get("text").text(), t)
		case role == "assistant":
			c.d.block(o, t, &c.tools)
		}
	}
}

// cursorAdds are elements that Cursor puts beside a person's words.
var cursorAdds = []string{"external_links", "attached_files", "open_and_recently_viewed_files", "user_info", "additional_data", "rules", "git_status", "project_layout", "agent_skills", "system_notification", "timestamp"}

func (c *cursor) user(text string, t Turn) {
	if query := element(text, "user_query"); query != "" {
		before, rest, _ := strings.Cut(text, "<user_query>")
		_, behind, _ := strings.Cut(rest, "</user_query>")
		c.d.note(t, Harness, Notice, before+behind)
		c.d.person(t, query, Message)
		return
	}
	text = strings.TrimSpace(text)
	if slices.ContainsFunc(cursorAdds, func(tag string) bool { return strings.HasPrefix(text, "<"+tag) && opensWith(text[1:], tag) }) {
		c.d.note(t, Harness, Notice, text)
		return
	}
	c.d.person(t, text, Message)
}
