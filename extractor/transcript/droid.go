package transcript

import "strings"

func isDroid(o object) bool {
	return o.get("type").equals("session_start") && o.get("id").isString() && (o.get("title") != nil || o.get("cwd") != nil)
}

// droid decodes a record of a session of Factory's Droid: the head, or a message of
// blocks in the shape of Anthropic's.
func droid(d *Reader, o object) {
	s := &d.session
	t := d.here(d.at(o.get("timestamp")))
	t.UUID = o.get("id").text()
	switch o.get("type").text() {
	case "session_start":
		fill(&s.ID, o.get("id"))
		fill(&s.Version, o.get("version"))
		fill(&s.Dir, o.get("cwd"))
	case "message":
		m := o.get("message")
		d.message(t, m.get("role").equals("user"), m.get("content"), func(b object) {
			text := resultText(b.get("content"))
			failed := b.get("is_error").isTrue() || strings.HasPrefix(text, "Error: Command failed")
			d.answer(t, b.get("tool_use_id"), text, failed, false)
		})
	case "compaction_state":
		d.speak(t, Harness, Summary, o.get("summaryText"))
	}
}
