package transcript

import "cmp"

// amp decodes threads of Amp: a document of messages with blocks in the shape of
// Anthropic's. Answers to calls stand in the person's messages.
type amp struct{ base }

func newAmp(b base) decoder { return amp{b} }

func isAmp(g glimpse) bool {
	return g.get("messages").is('[') && g.get("created") != nil && g.get("id").isString() && len(g.get("id").text()) > 2 && g.get("id").text()[:2] == "T-"
}

func (a amp) member(key string, v raw) {
	s := &a.d.session
	switch key {
	case "id":
		fill(&s.ID, v)
	case "created":
		a.d.atUnix(v)
	case "agentMode":
		fill(&s.Role, v)
	case "env":
		for tree := range v.get("initial", "trees").elements() {
			s.Dir = cmp.Or(s.Dir, localPath(tree.get("uri").text()))
		}
		fill(&s.Version, v.get("initial", "platform").get("clientVersion"))
	}
}

func (a amp) record(o object) {
	d := a.d
	t := d.here(d.atUnix(o.get("meta").get("sentAt")))
	usage := o.get("usage")
	if at := d.at(usage.get("timestamp")); !at.IsZero() {
		t.At = at
	}
	fill(&d.session.Model, usage.get("model"))
	t.UUID = string(o.get("messageId"))
	d.message(t, o.get("role").equals("user"), o.get("content"), func(b object) {
		run := b.get("run")
		status := run.get("status").text()
		failed := status == "error" || run.get("result", "exitCode").failed()
		text := cmp.Or(run.get("result", "output").cut(), either(run.get("error"), run.get("result")).cut())
		refused := status == "rejected-by-user" || status == "cancelled"
		d.answer(t, b.get("toolUseID"), text, failed, refused)
		if reason := run.get("reason").text(); refused && reason != "" {
			d.say(t, Person, Rejection, reason)
		}
	})
	if o.get("state").get("type").equals("cancelled") {
		d.say(t, Person, Interrupt, "")
	}
}
