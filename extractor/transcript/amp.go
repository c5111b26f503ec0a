package transcript

import "path/filepath"

// amp decodes threads of Amp: a document of messages with blocks in the shape of
// Anthropic's. Answers to calls stand in the person's messages.
type amp struct{ base }

func newAmp(b base) decoder { return amp{b} }

func isAmp(g glimpse) bool {
	return g.get("messages").is('[') && g.get("created") != nil && g.get("id").isString() && len(g.get("id").word()) > 2 && g.get("id").word()[:2] == "T-"
}

func ampPlaces(h host) []string {
	return []string{filepath.Join(h.root("XDG_DATA_HOME", ".local", "share"), "amp", "threads")}
}

func (a amp) member(key string, v raw) {
	s := &a.d.session
	switch key {
	case "id":
		once(&s.ID, v)
	case "created":
		a.d.atUnix(v)
	case "agentMode":
		once(&s.Role, v)
	case "env":
		for tree := range v.get("initial", "trees").elements() {
			if s.Dir == "" {
				s.Dir = localPath(tree.get("uri").text())
			}
		}
		once(&s.Version, v.get("initial", "platform").get("clientVersion"))
	}
}

func (a amp) record(o object) {
	d, user := a.d, o.get("role").equals("user")
	t := d.here(d.atUnix(o.get("meta").get("sentAt")))
	usage := o.get("usage")
	if at := d.at(usage.get("timestamp")); !at.IsZero() {
		t.At = at
	}
	once(&d.session.Model, usage.get("model"))
	t.UUID = string(o.get("messageId"))
	for v := range o.get("content").elements() {
		b := v.members(nil)
		switch kind := b.get("type").word(); {
		case kind == "tool_result":
			run := b.get("run")
			status, exit := run.get("status").word(), run.get("result", "exitCode")
			failed := status == "error" || exit != nil && string(exit) != "0" && string(exit) != "null"
			text := run.get("result", "output").cut()
			if text == "" {
				text = either(run.get("error"), run.get("result")).cut()
			}
			refused := status == "rejected-by-user" || status == "cancelled"
			d.answer(t, b.get("toolUseID"), text, failed, refused)
			if reason := run.get("reason").text(); refused && reason != "" {
				d.say(t, Person, Rejection, reason)
			}
		case kind == "text" && user:
			d.person(t, b.get("text").text(), Message)
		default:
			d.block(b, t)
		}
	}
	if o.get("state").get("type").equals("cancelled") {
		d.say(t, Person, Interrupt, "")
	}
}
