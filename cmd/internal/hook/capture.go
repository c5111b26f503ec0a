package hook

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

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
	written(ctx, e.Transcript, p.Said)
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

// Claude Code writes its transcript some time after it calls the hook: so long is waited
// for the last words of the turn, and such a part of the end is looked at.
const (
	writtenWait = 300 * time.Millisecond
	writtenTail = 64 << 10
)

// written waits until a transcript has what the agent said last, or has had time enough.
func written(ctx context.Context, path, said string) {
	plain := func(r rune) bool { return r == ' ' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' } // reads the same in JSON
	words := slices.MaxFunc(append(strings.FieldsFunc(said, func(r rune) bool { return !plain(r) }), ""), func(a, b string) int { return cmp.Compare(len(a), len(b)) })
	if len(words) < 8 {
		return
	}
	words = words[:min(len(words), 200)]
	for end := time.Now().Add(writtenWait); ; {
		if tail, err := endOf(path, writtenTail); err != nil || bytes.Contains(tail, []byte(words)) || time.Now().After(end) {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// endOf reads the last bytes of a file.
func endOf(path string, n int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(err, fs.ErrInvalid) // opening a pipe waits for who writes
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.NewSectionReader(f, max(0, info.Size()-n), n))
}

// question is what an agent is asked at the end of its work. It may find that nothing is
// to be said.
const question = "The person has corrected or taught you something in this session. If some of it holds beyond the session, propose it now, " +
	"one clear sentence a lesson, with the tool propose of the MCP server learnings: quote the person's own words and name the session %s. " +
	"Without that tool type `learnings add --pending \"the lesson\" --insight \"the person's words\"`. " +
	"The person decides later what becomes of it. If nothing holds beyond this session, say nothing more and end."
