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

// ProbeVariable makes a hook that is called with it a probe: it answers in the form of the
// agent, whether or not there is a lesson to give, and neither notes nor remembers
// anything. Its line in the log says that it was one, with the variable's value in the
// place of the session: not each command hands on what the agent says.
const ProbeVariable = "LEARNINGS_PROBE"

const (
	probed    = "probe" // in the log, in the place of where an answer is from
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

// probeAnswer is what a probe prints: nothing after an event to which the agent takes no
// answer.
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

// ProbePayload is what an agent would say when it calls a hook for an event, which has this
// name there: something harmless, in its shape.
func ProbePayload(agent, called, session, dir string) []byte {
	p := map[string]any{"hook_event_name": called, "session_id": session, "transcript_path": "", "cwd": dir}
	switch agent {
	case "copilot":
		p = map[string]any{"sessionId": session, "cwd": dir}
	case "cline":
		p = map[string]any{"hookName": called, "taskId": session, "workspaceRoots": []string{dir}}
	case "cursor":
		p = map[string]any{"hook_event_name": called, "conversation_id": session, "workspace_roots": []string{dir}}
	}
	b, _ := json.Marshal(p) // of strings: it cannot fail
	return b
}

// Errors of [CheckProbe].
var (
	errSilent  = errors.New("it prints nothing")
	errNotForm = errors.New("what it prints is not in this agent's form")
)

// CheckProbe says what is wrong with what a probe has printed to an agent's call; nil for
// nothing.
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
