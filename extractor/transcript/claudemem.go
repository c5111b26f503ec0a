package transcript

import (
	"cmp"
	"strings"
)

// claudeMem decodes what claude-mem exports of its database: the prompts of
// persons in many sessions, and summaries that its own model made of them. Its
// observations are memories already, and not read here.
type claudeMem struct {
	base
	sessions map[string]string // id of a session in the memory to that of the agent
}

func newClaudeMem(b base) decoder { return claudeMem{b, make(map[string]string)} }

func isClaudeMem(g glimpse) bool {
	return g.get("exportedAt").isString() && g.get("totalObservations") != nil && g.get("totalPrompts") != nil
}

func (c claudeMem) member(key string, v raw) {
	if key == "project" {
		fill(&c.d.session.Dir, v) // no more than a name is known
	}
}

// summaryFields are the parts of a summary, in the order in which they are told.
var summaryFields = []string{"request", "investigated", "learned", "completed", "next_steps", "notes"}

func (c claudeMem) record(o object) {
	t := Turn{Line: c.d.line, Session: o.get("content_session_id").word(), At: c.d.at(o.get("created_at"))}
	memory := o.get("memory_session_id").word()
	switch c.d.list {
	case "sessions":
		c.sessions[memory] = t.Session
	case "prompts":
		c.d.person(t, o.get("prompt_text").text(), Message)
	case "summaries":
		t.Session = cmp.Or(c.sessions[memory], memory)
		var parts []string
		for _, f := range summaryFields {
			if text := o.get(f).text(); text != "" {
				parts = append(parts, f+": "+text)
			}
		}
		c.d.note(t, Harness, Summary, strings.Join(parts, "\n"))
	}
}
