package transcript

import (
	"bytes"
	"path/filepath"
	"strings"
)

// junie decodes the events of JetBrains' Junie: what the person typed, and blocks that are
// written again each time they change, with the same id of a step.
type junie struct {
	base
	steps map[string]*ToolCall // that were begun; nil for one that has ended
	said  map[string]string    // what a block of text said last, by its step
	order []string             // of the steps in said
	at    Turn                 // of the latest of them
}

func newJunie(b base) decoder {
	if s := &b.d.session; s.ID == "" && b.d.opts.Path != "" {
		s.ID = filepath.Base(filepath.Dir(b.d.opts.Path))
		for line := range bytes.Lines(small(filepath.Join(filepath.Dir(b.d.opts.Path), "..", "index.jsonl"), 16<<20)) {
			if o, _, err := parseObject(line, 0, nil); err == nil && o.get("sessionId").equals(s.ID) {
				fill(&s.Dir, o.get("projectDir"))
			}
		}
	}
	return &junie{base: b, steps: map[string]*ToolCall{}, said: map[string]string{}}
}

func isJunie(o object) bool {
	switch o.get("kind").text() {
	case "UserPromptEvent":
		return o.get("prompt").isString()
	case "SessionA2uxEvent":
		return o.get("event").get("agentEvent").is('{')
	}
	return false
}

func (j *junie) record(o object) {
	d := j.d
	t := d.here(d.atUnix(o.get("timestampMs")))
	switch o.get("kind").text() {
	case "UserPromptEvent":
		j.flush()
		t.UUID = o.get("requestId").text()
		d.person(t, either(o.get("presentablePrompt"), o.get("prompt")).text(), Message)
	case "SessionA2uxEvent":
		j.event(o.get("event").get("agentEvent").members(nil), t)
	}
}

func (j *junie) event(o object, t Turn) {
	step, s := o.get("stepId").text(), &j.d.session
	switch kind := o.get("kind").text(); kind {
	case "CurrentDirectoryUpdatedEvent":
		fill(&s.Dir, o.get("currentDirectory"))
	case "LlmResponseMetadataEvent":
		for m := range o.get("modelUsage").elements() {
			fill(&s.Model, m.get("model"))
		}
	case "MarkdownBlockUpdatedEvent", "ResultBlockUpdatedEvent":
		if _, ok := j.said[step]; !ok {
			j.order = append(j.order, step)
		}
		j.said[step], j.at = either(o.get("result"), o.get("text")).cut(), t
		if o.get("cancelled").isTrue() {
			j.flush()
			j.d.say(t, Person, Interrupt, "")
		}
	case "TerminalBlockUpdatedEvent", "ToolBlockUpdatedEvent", "McpBlockUpdatedEvent", "ViewFilesBlockUpdatedEvent", "FileChangesBlockUpdatedEvent":
		j.step(strings.TrimSuffix(kind, "BlockUpdatedEvent"), step, o, t)
	}
}

// step reads a block of a tool: the call when it begins, and its answer when it has ended.
func (j *junie) step(name, step string, o object, t Turn) {
	call, begun := j.steps[step]
	if !begun {
		j.flush()
		call = newCall(step, name, o.get("input"))
		call.Command = o.get("command").text()
		for f := range o.get("files").elements() {
			call.Path = f.get("relativePath").text()
		}
		for c := range o.get("changes").elements() {
			call.Path = either(c.get("afterRelativePath"), c.get("beforeRelativePath")).text()
			call.Old, call.New = c.get("beforeContent").get("text").cut(), c.get("afterContent").get("text").cut()
		}
		j.steps[step] = call
		j.d.called(t, call)
	}
	status := o.get("status").text()
	if call == nil || status != "COMPLETED" && status != "FAILED" {
		return
	}
	j.steps[step] = nil // it is told again when the task ends
	j.d.result(t, call, either(o.get("output"), o.get("details")).cut(), status == "FAILED" || o.get("exitCode").failed(), false, "")
}

// flush gives out what the agent said, once what it is at the end is known.
func (j *junie) flush() {
	for _, step := range j.order {
		if text := j.said[step]; text != "" {
			j.d.say(j.at, Agent, Message, text)
		}
	}
	j.order = nil
}

func (j *junie) waiting() int {
	if len(j.order) == 0 {
		return 0
	}
	return j.at.Line
}
