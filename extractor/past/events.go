package past

import (
	"cmp"
	"context"
	"hash/fnv"
	"strings"
	"time"

	"learnings/extractor/rules"
	"learnings/extractor/transcript"
	"learnings/index/recall"
	"learnings/lessons/guard"
)

// A kind is what an event of a session is.
type eventKind int

const (
	prompt     eventKind = iota // a person says something to the agent
	correction                  // … and speaks against what it has just done
	toolFails                   // a tool fails
	doing                       // the agent calls a tool, or one fails otherwise than before
)

// An event is what a session is given lessons for, or what a lesson might have saved.
type event struct {
	kind   eventKind
	at     time.Time
	line   int
	text   string
	print  string        // of a failure: the same for the same error
	record uint64        // hash of the record's id, 0 for none: agents copy records into new sessions
	moment recall.Moment // of a call, and of its failure
}

// A session is a transcript, as far as it is replayed.
type replaying struct {
	agent, id, path, project string
	start                    time.Time
	part                     bool // of another session: a subagent's own file
	bad                      int  // lines that could not be read
	events                   []event
}

const (
	maxEvents = 5000 // of one transcript, so that a hostile one cannot fill the memory
	maxText   = 4096 // of one event: what a task is about is said by then
)

// readEvents gives the events of one transcript.
func readEvents(ctx context.Context, f transcript.File, o BacktestOptions) (*replaying, error) {
	s := &replaying{path: f.Path}
	called := map[string]bool{} // what is done again is told of nothing more
	acted, timed := false, false
	var last time.Time
	info, err := o.Listener().Hear(ctx, f, func(t *transcript.Turn, r *transcript.Reader, at time.Time) {
		if len(s.events) == maxEvents {
			return
		}
		if first := !t.At.IsZero() && !timed; first || at.After(last) { // a clock may jump; what came later in the file came later
			last, timed = at, timed || first
		}
		acted = acted || t.Kind == transcript.Call
		e, ok := eventOf(t, acted)
		if e.kind == doing && ok {
			key := t.Tool.Name + "\x00" + t.Tool.Command + "\x00" + t.Tool.Path
			ok = len(s.events) > 0 && !called[key]
			called[key] = true
		}
		if !ok {
			return
		}
		e.at = last
		if call := t.Tool; e.kind == doing || e.kind == toolFails {
			answer := ""
			if e.kind == toolFails {
				answer = t.Text[:min(len(t.Text), maxText)]
			}
			e.moment = recall.MomentOf(call.Name, guard.Look(call.Name, call, r.Session().Dir), answer)
		}
		s.events = append(s.events, e)
	})
	if err != nil {
		return nil, err
	}
	x := info.Session
	s.bad, s.agent, s.id, s.part = info.BadLines, string(info.Format), cmp.Or(x.ID, f.Path), x.Parent != ""
	s.start, s.project = cmp.Or(x.Start, last, info.ModTime), o.Project(x.Dir)
	if len(s.events) > 0 {
		s.start = s.events[0].at
	}
	return s, nil
}

// eventOf is what a turn is; acted says that the agent has done something by then.
func eventOf(t *transcript.Turn, acted bool) (event, bool) {
	e := event{line: t.Line, text: t.Text, record: recordOf(t)}
	switch {
	case t.Sidechain:
		return e, false
	case t.Kind == transcript.Call:
		e.kind, e.text = doing, ""
		return e, t.Tool != nil
	case t.Kind == transcript.Result:
		m, ok := rules.MistakeOf(t)
		e.kind, e.text, e.print = toolFails, m.Doing+": "+m.Error, m.Print
		return e.clipped(), ok
	case t.Speaker != transcript.Person || strings.TrimSpace(t.Text) == "":
		return e, false
	case acted && rules.Corrects(t):
		e.kind = correction
	case t.Kind != transcript.Message && t.Kind != transcript.Steering:
		return e, false
	}
	return e.clipped(), true
}

func (e event) clipped() event {
	if len(e.text) > maxText {
		e.text = strings.ToValidUTF8(e.text[:maxText], "")
	}
	return e
}

func recordOf(t *transcript.Turn) uint64 {
	if t.UUID == "" {
		return 0
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(t.UUID + "\x00" + string(t.Kind)))
	return h.Sum64()
}
