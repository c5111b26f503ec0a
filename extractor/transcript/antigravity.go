package transcript

import (
	"os"
	"path/filepath"
	"strings"
)

// antigravity decodes sessions of Google's Antigravity, its command line and its editor:
// a step on a line. A call has no id: its answer is the next step of the model that is no
// plan, or an error.
type antigravity struct{ base }

func newAntigravity(b base) decoder {
	// The folder of a session has its id, and the log lies two folders below.
	if logs := filepath.Dir(b.d.opts.Path); b.d.session.ID == "" && filepath.Base(filepath.Dir(logs)) == antigravityOwn {
		b.d.session.ID = filepath.Base(filepath.Dir(filepath.Dir(logs)))
	}
	return antigravity{b}
}

// antigravityOwn is the folder of what Antigravity itself writes about a session.
const antigravityOwn = ".system_generated"

func isAntigravity(o object) bool {
	return o.get("step_index") != nil && o.get("source").isString() && o.get("type").isString() && o.get("created_at").isString()
}

// antigravityDouble reports a log with shortened texts that has a full one beside it.
func antigravityDouble(path string) bool {
	_, err := os.Stat(filepath.Join(filepath.Dir(path), "transcript_full.jsonl"))
	return filepath.Base(path) == "transcript.jsonl" && err == nil
}

func (a antigravity) record(o object) {
	d, kind := a.d, o.get("type").text()
	t, content := d.here(d.at(o.get("created_at"))), o.get("content")
	t.UUID = string(o.get("step_index"))
	switch source := o.get("source").text(); {
	case kind == "USER_INPUT":
		a.person(t, content.text())
	case kind == "PLANNER_RESPONSE":
		d.speak(t, Agent, Thinking, o.get("thinking"))
		d.speak(t, Agent, Message, content)
		for c := range o.get("tool_calls").elements() {
			args := c.get("args").members(nil)
			fill(&d.session.Dir, inner(args.get("Cwd")))
			d.call(t, nil, c.get("name"), c.get("args"))
		}
	case kind == "CHECKPOINT":
		d.speak(t, Harness, Summary, content)
	case source == "MODEL" || kind == "ERROR_MESSAGE":
		call := d.tools.next()
		if call == nil {
			call = &ToolCall{Name: strings.ToLower(kind)}
		}
		text, status := content.cut(), o.get("status").text()
		failed := kind == "ERROR_MESSAGE" || status == "ERROR" || strings.Contains(text, "The command failed with exit code")
		refused := status == "CANCELED" || status == "CANCELLED" || status == "REJECTED"
		d.result(t, call, text, failed, refused, "")
	default:
		d.speak(t, Harness, Notice, content)
	}
}

// person gives out what stands between the marks of a request, and what the program added
// as a notice.
func (a antigravity) person(t Turn, text string) {
	before, rest, marked := strings.Cut(text, "<USER_REQUEST>")
	said, after, closed := strings.Cut(rest, "</USER_REQUEST>")
	if !marked || !closed {
		a.d.person(t, text, Message)
		return
	}
	a.d.person(t, said, Message)
	a.d.note(t, Harness, Notice, before+after)
}

// inner returns the string within a string: older versions write arguments so.
func inner(v raw) raw {
	if s := raw(v.text()); s.isString() {
		if end, err := checkString(s, 1); err == nil && end == len(s) {
			return s
		}
	}
	return v
}
