package transcript

import (
	"slices"
	"strings"
	"time"
)

func isCursor(o object) bool {
	role := o.get("role").text()
	if role != "user" && role != "assistant" || o.get("type") != nil || o.get("uuid") != nil {
		return false
	}
	for b := range o.get("message").get("content").elements() {
		return b.get("type").isString() && o.get("content") == nil
	}
	return false
}

// cursor decodes a record of the transcripts that Cursor keeps of its agent: a message
// of blocks, without a time, a directory or ids of calls. The person's words are
// in an element among what the editor adds.
func cursor(d *Reader, o object) {
	t := d.here(time.Time{})
	role := o.get("role").text()
	fill(&d.session.Model, o.get("model"))
	for b := range o.get("message").get("content").elements() {
		o := b.members(nil)
		switch kind := o.get("type").text(); {
		case kind == "tool_result" || kind == "tool-result":
			call := d.tools.next()
			if call == nil {
				call = &ToolCall{Name: o.get("name").text()}
			}
			d.result(t, call, resultText(o.get("content")), o.get("is_error").isTrue(), false, "")
		case kind == "text" && role == "user":
			cursorUser(d, o.get("text").text(), t)
		case role == "assistant":
			d.block(o, t)
		}
	}
}

// cursorAdds are elements that Cursor puts beside a person's words.
var cursorAdds = []string{"external_links", "attached_files", "open_and_recently_viewed_files", "user_info", "additional_data", "rules", "git_status", "project_layout", "agent_skills", "system_notification", "timestamp"}

func cursorUser(d *Reader, text string, t Turn) {
	text = strings.TrimSpace(text)
	if query := element(text, "user_query"); query != "" {
		before, rest, _ := strings.Cut(text, "<user_query>")
		_, behind, _ := strings.Cut(rest, "</user_query>")
		d.note(t, Harness, Notice, before+behind)
		d.person(t, query, Message)
	} else if slices.ContainsFunc(cursorAdds, func(tag string) bool { return strings.HasPrefix(text, "<"+tag) && opensWith(text[1:], tag) }) {
		d.note(t, Harness, Notice, text)
	} else {
		d.person(t, text, Message)
	}
}
