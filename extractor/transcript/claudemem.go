package transcript

import (
	"strings"
)

// claudeMem decodes what claude-mem exports of its database: the prompts of
// persons in many sessions, and summaries that its own model made of them. Its
// observations are memories already, and not read here.
type claudeMem struct {
	atOnce
	d        *Reader
	key      string            // of the list that is read
	sessions map[string]string // id of a session in the memory to that of the agent
}

func newClaudeMem(d *Reader) decoder { return &claudeMem{d: d, sessions: make(map[string]string)} }

func isClaudeMem(g glimpse) bool {
	return g.get("exportedAt").isString() && g.get("totalObservations") != nil && g.get("totalPrompts") != nil
}

func (c *claudeMem) list(key string) bool {
	c.key = key
	return key == "sessions" || key == "summaries" || key == "prompts"
}

func (c *claudeMem) member(key string, v raw) {
	if key == "project" {
		fill(&c.d.session.Dir, v) // no more than a name is known
	}
}

// summaryFields are the parts of a summary, in the order in which they are told.
var summaryFields = []string{"request", "investigated", "learned", "completed", "next_steps", "notes"}

func (c *claudeMem) record(o object) {
	t := Turn{Line: c.d.line, Session: o.get("content_session_id").word(), At: c.d.at(o.get("created_at"))}
	switch c.key {
	case "sessions":
		c.sessions[o.get("memory_session_id").word()] = t.Session
	case "prompts":
		c.d.person(t, o.get("prompt_text").text(), Message)
	case "summaries":
		if t.Session = c.sessions[o.get("memory_session_id").word()]; t.Session == "" {
			t.Session = o.get("memory_session_id").word()
		}
		var parts []string
		for _, f := range summaryFields {
			if text := o.get(f).text(); text != "" {
				parts = append(parts, f+": "+text)
			}
		}
		c.d.note(t, Harness, Summary, strings.Join(parts, "\n"))
	}
}
