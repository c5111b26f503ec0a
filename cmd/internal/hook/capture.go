package hook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"learnings/lessons/given"
)

// An Ending is what a hook reports when a session, or a part of one, is over.
type Ending struct {
	Event      string // stop, subagent-stop, pre-compact or session-end
	Session    string // "" when the agent did not say
	Transcript string // absolute path of the transcript; "" when the agent did not say
	Dir        string // where the agent works
}

// capture has the caller take note. What the agent sends may be missing or
// broken: then the note says less.
func capture(ctx context.Context, e event, in io.Reader, c Config, o *outcome) error {
	if c.Capture == nil {
		return nil
	}
	p, err := readPayload(ctx, in, endingWait)
	o.rec.session, o.rec.via = p.Session, "spool"
	if !filepath.IsAbs(p.Path) {
		p.Path = ""
	}
	if !filepath.IsAbs(p.Dir) {
		p.Dir = c.Dir
	}
	a := agentNamed(c.For, agentOf(p.Path))
	ending := Ending{Event: string(e), Session: p.Session, Transcript: p.Path, Dir: p.Dir}
	if a.unnamed {
		ending.Session = "" // by which nothing would be found
	}
	err = errors.Join(err, c.Capture(ending))
	if e == stop {
		t := telling{Config: c, agent: a, event: e, payload: p, outcome: o}
		err = errors.Join(err, t.ask(ctx, ending))
	}
	return err
}

// ask asks the agent what it was taught, before it ends a turn: once a session, when a
// person has taught it something, and never again in a turn that such a question keeps
// going.
func (t *telling) ask(ctx context.Context, e Ending) error {
	p := t.payload
	if t.Asks == nil || t.agent.asks == never || p.Asked || p.Session == "" || p.Part != "" || e.Transcript == "" {
		return nil
	}
	m, err := given.Of(t.State, p.Session, "", t.Now())
	if err != nil || m.Asked() {
		return err
	}
	taught, err := t.Asks(ctx, e)
	if err != nil || !taught {
		return err
	}
	if mine, err := m.Claim("ask", twice); err != nil || !mine {
		return err // without a memory it could be asked for ever
	}
	if t.outcome.text, err = t.agent.goOn(fmt.Sprintf(question, p.Session)); err != nil {
		return err
	}
	t.outcome.rec.via = "asked"
	return m.Ask()
}

// question is what an agent is asked at the end of its work. It may find that nothing is
// to be said.
const question = "The person has corrected or taught you something in this session. If some of it holds beyond the session, propose it now, " +
	"one clear sentence a lesson, with the tool propose of the MCP server learnings: quote the person's own words and name the session %s. " +
	"Without that tool type `learnings add --pending \"the lesson\" --insight \"the person's words\"`. " +
	"The person decides later what becomes of it. If nothing holds beyond this session, say nothing more and end."
