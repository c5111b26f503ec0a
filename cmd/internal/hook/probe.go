package hook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// ProbeVariable turns a hook call into a probe: it answers in the agent's form even
// without a lesson, and stores nothing. Its log line has the variable's value in place of
// the session, because some commands do not pass on the agent's JSON.
const ProbeVariable = "LEARNINGS_PROBE"

const (
	probed    = "probe" // in the log, in place of the source of an answer
	probeText = "learnings is wired in: this is a probe, and says nothing else."
)

// probe is answer for a probe.
func probe(ctx context.Context, e event, in io.Reader, c Config, o *outcome) error {
	o.rec.via, o.rec.session = probed, c.Probe
	p, err := readPayload(ctx, in, payloadWait)
	if err != nil {
		return err
	}
	if called := eventOf(p.Event); p.Event != "" && called != e && !(e == toolFailure && called == postTool) {
		return fmt.Errorf("called for %s, to answer %s", word(p.Event), e)
	}
	o.text = probeAnswer(agentNamed(c.For, agentOf(p.Path)), e, p.Event)
	return nil
}

// probeAnswer returns the output of a probe; nil for an event whose answer the agent
// ignores.
func probeAnswer(a agent, e event, called string) []byte {
	switch e {
	case preTool, preCompact, stop, subagentStop, sessionEnd:
		return nil
	}
	if !a.answers(e) {
		return nil
	}
	return a.context(e, called, probeText)
}

// ProbePayload returns a harmless payload in an agent's shape, for the event that the
// agent names called.
func ProbePayload(agent, called, session, dir string) []byte {
	p := map[string]any{"hook_event_name": called, "session_id": session, "transcript_path": "", "cwd": dir}
	switch agent {
	case "copilot":
		p = map[string]any{"sessionId": session, "cwd": dir}
	case "cline":
		p = map[string]any{"hookName": called, "taskId": session, "workspaceRoots": []string{dir}}
	case "crush", "goose":
		p = map[string]any{"event": called, "session_id": session, "cwd": dir}
	case "cursor":
		p = map[string]any{"hook_event_name": called, "conversation_id": session, "workspace_roots": []string{dir}}
	}
	b, _ := json.Marshal(p) // encoding strings cannot fail
	return b
}

// Errors of [CheckProbe].
var (
	errSilent  = errors.New("it prints nothing")
	errNotForm = errors.New("what it prints is not in this agent's form")
)

// CheckProbe checks the output of a probe in an agent's form.
func CheckProbe(agent, event, called string, printed []byte) error {
	a := agents[0]
	if agent != "" {
		a = agentNamed(agent, "")
	}
	want := probeAnswer(a, eventOf(event), called)
	text := strings.TrimSpace(string(printed))
	switch {
	case len(want) == 0 && text == "":
		return nil
	case text == "":
		return errSilent
	case len(want) == 0:
		return fmt.Errorf("%w: it takes none here", errNotForm)
	}
	var is, should any
	if err := json.Unmarshal([]byte(text), &is); err != nil {
		return fmt.Errorf("%w: it is not JSON", errNotForm)
	}
	if json.Unmarshal(want, &should) != nil || !reflect.DeepEqual(is, should) {
		return errNotForm
	}
	return nil
}
