package past

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"learnings/extractor/transcript"
	"learnings/index"
	"learnings/index/recall"
	"learnings/lessons"
	"learnings/lessons/pairs"
)

// A stepKind is the kind of a step.
type stepKind string

const (
	prompt     stepKind = "prompt"     // a person says something to the agent
	correction stepKind = "correction" // … and objects to what it just did
	toolFails  stepKind = "failure"    // a tool fails
	doing      stepKind = "call"       // the agent calls a tool, or one fails in a new way
)

// A step is an event that lessons are given for, or that a lesson might have prevented.
type step struct {
	kind    stepKind
	at      time.Time
	line    int
	text    string
	mistake lessons.ID    // of a failure
	record  string        // agents copy records into new sessions
	moment  recall.Moment // of a call, and of its failure
}

// A replaying is the state of a session being replayed.
type replaying struct {
	agent, id, path, project string
	start                    time.Time
	bad                      int // lines that could not be read
	steps                    []step
}

// replayOf makes the steps of a session.
func replayOf(s *Session) *replaying {
	r := &replaying{path: s.Path, agent: string(s.Format), id: s.name(), project: s.Project, bad: s.BadLines}
	called := map[string]bool{} // a repeated call is given nothing more
	acted, timed := false, false
	at, last := s.ModTime, time.Time{}
	for i := range s.Events {
		e := &s.Events[i]
		at = cmp.Or(e.At, at)
		if first := !e.At.IsZero() && !timed; first || at.After(last) { // a clock may jump; the order of the file holds
			last, timed = at, timed || first
		}
		acted = acted || e.What == Call
		x := step{at: last, line: e.Line, text: e.Text, record: e.UUID}
		switch call := s.of(e); {
		case e.Side:
			continue
		case e.What == Call:
			key := fmt.Sprint(e.Tool, "\x00", e.Path, "\x00", e.Does.Command)
			if called[key] || len(r.steps) == 0 {
				called[key] = true
				continue
			}
			called[key] = true
			x.kind, x.moment = doing, recall.MomentOf(e.Tool, s.does(e), "")
		case e.Fails != nil:
			x.kind, x.mistake, x.text = toolFails, e.Fails.ID, e.Fails.Doing+": "+e.Fails.Says
			x.moment = recall.MomentOf(call.Tool, s.does(call), e.Text)
		case e.What != Said || strings.TrimSpace(e.Text) == "":
			continue
		case acted && e.Corrects:
			x.kind = correction
		case e.Kind == transcript.Message || e.Kind == transcript.Steering:
			x.kind = prompt
		default:
			continue
		}
		r.steps = append(r.steps, x)
	}
	if r.start = cmp.Or(s.Record.Session.Start, last, s.ModTime); len(r.steps) > 0 {
		r.start = r.steps[0].at
	}
	return r
}

// An asOf searches the lessons as they were at a moment of a session.
type asOf struct {
	recall.Searcher
	asIf    bool
	session *replaying
	at      time.Time
}

// Pages answers queries with the lessons of that moment.
func (a asOf) Pages(ctx context.Context, queries ...index.Query) ([]index.Page, error) {
	if a.asIf {
		for i, q := range queries {
			queries[i] = q.Where(index.Status, string(lessons.Pending))
		}
	}
	pages, err := a.Searcher.Pages(ctx, queries...)
	for i := range pages {
		hits := make([]index.Hit, 0, len(pages[i].Hits))
		for _, h := range pages[i].Hits {
			if a.there(h.Lesson) {
				h.Lesson = asWas(h.Lesson, a.at)
				hits = append(hits, h)
			}
		}
		pages[i].Hits = hits
	}
	return pages, err
}

// Shared finds lessons of that moment.
func (a asOf) Shared(ctx context.Context, q index.Query, words []string, most int, worth func(word string, with, of int) float64) (index.Sharing, error) {
	if a.asIf {
		q = q.Where(index.Status, string(lessons.Pending))
	}
	out, err := a.Searcher.Shared(ctx, q, words, most, worth)
	out.Lessons = slices.DeleteFunc(out.Lessons, func(l lessons.Lesson) bool { return !a.there(l) })
	for i, l := range out.Lessons {
		out.Lessons[i] = asWas(l, a.at)
	}
	return out, err
}

// there reports whether a lesson counted at the moment.
func (a asOf) there(l lessons.Lesson) bool {
	from, ok := CountsFrom(l, a.asIf)
	if !a.asIf {
		return !from.After(a.at)
	}
	if !ok || !from.Before(a.session.start) {
		return false
	}
	return !slices.ContainsFunc(l.Evidence, func(e lessons.Evidence) bool {
		return e.Session == a.session.id || e.Path != "" && e.Path == a.session.path
	})
}

// asWas removes from a lesson what came after a moment.
func asWas(l lessons.Lesson, at time.Time) lessons.Lesson {
	l.Status = lessons.Approved
	if l.Proof.Last.After(at) {
		if l.Proof.Prior != 0 && !l.Proof.Own {
			l.Confidence = l.Proof.Prior
		}
		l.Proof.Alpha, l.Proof.Beta, l.Proof.Last = 0, 0, time.Time{}
	}
	if l.Proof.Confirmed.After(at) {
		l.Proof.Confirmed = time.Time{}
	}
	if l.Decided.At.After(at) {
		l.Decided.At = time.Time{}
	}
	if l.Created.After(at) {
		l.Created = at
		for _, e := range l.Evidence {
			if !e.At.IsZero() && e.At.Before(l.Created) {
				l.Created = e.At
			}
		}
	}
	return l
}

// replayed is what a session would have been given.
type replayed struct {
	given     Replayed
	precedent bool
}

func replay(ctx context.Context, x recall.Searcher, s *replaying, o BacktestOptions) (replayed, error) {
	p := player{ctx: ctx, x: asOf{x, o.AsIf, s, s.start}, s: s, o: o}
	if o.State != "" {
		p.known = recall.KnownOf(o.State, s.project)
	}
	p.play()
	return replayed{p.given, p.precedent}, p.err
}

// A player gives a session what it would have been given.
type player struct {
	ctx context.Context
	x   asOf
	s   *replaying
	o   BacktestOptions

	known     *recall.Known
	had       []lessons.ID
	given     Replayed
	precedent bool // a prompt was on the subject of a lesson
	err       error
}

func (p *player) play() {
	b := p.o.Budget.OrDefault()
	if n := p.give(recall.Picker(p.pick).Whole(p.situation(), "", b)); n > 0 {
		p.given.Starts++
		p.given.AtStart += n
	}
	for _, e := range p.s.steps {
		if p.err != nil {
			return
		}
		p.x.at = e.at
		if e.kind == correction || e.kind == toolFails {
			p.meet(e)
		}
		if e.kind == doing || e.kind == toolFails {
			p.given.AtCall += p.give(recall.Picker(p.pick).Doing(p.situation(), e.moment, p.had, b.Lessons))
			continue
		}
		chosen, err := recall.Picker(p.pick).About(p.situation(), e.text, p.had, b.Lessons)
		for _, c := range chosen {
			p.precedent = p.precedent || c.In || c.Had
		}
		if n := p.give(chosen, err); n > 0 {
			p.given.Asked++
			p.given.AtPrompt += n
		}
	}
}

func (p *player) situation() recall.Situation {
	return recall.Situation{Known: p.known, Project: p.s.project, Role: p.o.Role, Agent: p.s.agent, TrustEdits: p.o.Trust, Now: p.x.at}
}

func (p *player) pick(s recall.Situation, b recall.Budget, _ bool) ([]recall.Choice, error) {
	return recall.Pick(p.ctx, p.x, nil, s, b)
}

// give counts what is given.
func (p *player) give(chosen []recall.Choice, err error) int {
	if err != nil {
		p.err = err
		return 0
	}
	n := 0
	for _, c := range chosen {
		if c.In {
			n++
			p.had = append(p.had, c.Lesson.ID)
			p.given.Tokens += c.Tokens()
		}
	}
	return n
}

const (
	candidates = 10 // lessons considered at one moment
	maxAsked   = 300
)

// meet checks whether a lesson about the problem existed, and whether the session had
// been given it.
func (p *player) meet(e step) {
	ls := p.lessonsAbout(e)
	if len(ls) == 0 {
		return
	}
	at := max(slices.IndexFunc(ls, func(l lessons.Lesson) bool { return slices.Contains(p.had, l.ID) }), 0)
	given := slices.Contains(p.had, ls[at].ID)
	switch {
	case e.kind == toolFails && given:
		p.given.ErrorsMet++
	case e.kind == toolFails:
		p.given.ErrorsThere++
	case given:
		p.given.Met++
	default:
		p.given.There++
	}
	p.given.Examples = append(p.given.Examples, Missed{
		Session: p.s.id, Path: p.s.path, Line: e.line, At: e.at, Said: lessons.Line(e.text), Error: e.kind == toolFails, Lesson: ls[at].ID, Content: ls[at].Content, Given: given,
	})
}

// lessonsAbout returns the lessons on the subject of what a person or a tool said,
// matched as corrections are.
func (p *player) lessonsAbout(e step) (out []lessons.Lesson) {
	text := strings.ToValidUTF8(e.text[:min(len(e.text), maxAsked)], "")
	q := index.Text(text)
	q.Sort, q.Limit, q.Unjudged, q.Now = index.Relevance, candidates, true, p.x.at
	pages, err := p.x.Pages(p.ctx, q.Where(index.For, p.s.project).Where(index.Status, string(lessons.Approved)))
	if err != nil {
		p.err = err
		return nil
	}
	for _, h := range pages[0].Hits {
		if pairs.OnSubject(text, h.Lesson.Content) {
			out = append(out, h.Lesson)
		}
	}
	return out
}

// CountsFrom returns the time from which a lesson counts, except for the sessions in
// its evidence. ok is false if it never counts.
func CountsFrom(l lessons.Lesson, asIf bool) (t time.Time, ok bool) {
	if !asIf {
		if !l.Decided.At.IsZero() {
			return l.Decided.At, true
		}
		return l.Created, true
	}
	for _, e := range l.Evidence {
		if e.At.After(t) {
			t = e.At
		}
	}
	if len(l.Evidence) == 0 { // written by a person
		return l.Created, true
	}
	return t, !t.IsZero()
}
