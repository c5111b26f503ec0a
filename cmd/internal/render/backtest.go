package render

import (
	"context"
	"fmt"
	"strconv"

	"learnings/cmd/internal/term"
	"learnings/extractor/past"
	"learnings/extractor/transcript"
	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/guard"
)

// A Backtest is what lessons and guards would have done in past sessions.
type Backtest struct {
	past.BacktestResult
	AsIf    bool
	Lessons int // today
	Guards  []Trial
}

// A Trial is the result of trying a guard.
type Trial struct {
	Lesson lessons.Lesson
	Trial  past.Trial
}

// Replay replays sessions with the lessons of an index, and tries the guards.
func Replay(ctx context.Context, x *index.Index, files []transcript.File, chosen []guard.Choice, o past.BacktestOptions) (Backtest, error) {
	a := Backtest{AsIf: o.AsIf}
	var err error
	if a.BacktestResult, err = past.Backtest(ctx, files, x, o); err != nil {
		return a, err
	}
	q := index.Query{}.Where(index.Status, string(lessons.Approved))
	if o.AsIf {
		q = q.Where(index.Status, string(lessons.Pending))
	}
	hits, err := x.All(ctx, q)
	if err != nil {
		return a, err
	}
	a.Lessons = len(hits)
	var wards []past.Ward
	for _, h := range hits {
		if w := ward(h.Lesson, chosen, o.AsIf); len(w.Patterns) > 0 {
			wards, a.Guards = append(wards, w), append(a.Guards, Trial{Lesson: h.Lesson})
		}
	}
	if len(wards) == 0 {
		return a, nil
	}
	trials, err := past.Try(ctx, files, wards, o.Only, o.Options)
	stops := a.Guards[:0]
	for i, t := range trials {
		if t.Calls > 0 {
			stops = append(stops, Trial{a.Guards[i].Lesson, t})
		}
	}
	a.Guards = stops
	return a, err
}

// ward returns a lesson's guard if it is on or, with asIf, the guard derived from its
// sentence.
func ward(l lessons.Lesson, chosen []guard.Choice, asIf bool) (w past.Ward) {
	from, ok := past.CountsFrom(l, asIf)
	switch {
	case !ok:
	case asIf:
		w.Patterns = guard.Derive(l.Wording).Patterns
	case guard.Off(l, chosen) == "":
		w.Patterns, _ = guard.ParseAll(l.Guard.Patterns)
		for _, c := range chosen {
			if c.ID == l.ID && c.At.After(from) {
				from = c.At
			}
		}
	}
	if w.From = from; !l.Scope.Global {
		w.Only = l.Scope.Project
	}
	return w
}

// stops counts the calls that guards would have stopped.
func (a Backtest) stops() (calls, allowed int) {
	for _, g := range a.Guards {
		calls += g.Trial.Calls
		allowed += g.Trial.Allowed
	}
	return calls, allowed
}

func (a Backtest) Terminal(p *term.Page) {
	if a.Sessions == 0 {
		p.Line("Nothing to replay: no session in which a person says something was found.")
		a.limits(p)
		return
	}
	when := "approved by then"
	if a.AsIf {
		when = "as if approved when they were learned, and not on what taught them"
	}
	p.Strong("%s from %s to %s with %s; %s, %s", term.Plural(a.Sessions, "session"), day(a.First), day(a.Last), term.Plural(a.Prompts, "prompt"), term.Plural(a.Lessons, "lesson"), when)
	p.Line("%s had a relevant precedent", part(a.Precedents, a.Sessions))
	fmt.Fprintln(p.W)
	for _, f := range [][2]string{
		{"starts that get something", part(a.Starts, a.Sessions)},
		{"prompts that get something", part(a.Asked, a.Prompts)},
		{"lessons at starts and at prompts", fmt.Sprintf("%d + %d", a.AtStart, a.AtPrompt)},
		{"lessons for what the agent does", strconv.Itoa(a.AtCall)},
		{"tokens of all sessions, of each", fmt.Sprintf("%d, %d", a.Tokens, a.Tokens/max(a.Sessions, 1))},
		{"corrections met", part(a.Met, a.Corrections)},
		{"  had a lesson, not given", strconv.Itoa(a.There)},
		{"errors that came back, met", part(a.ErrorsMet, a.Errors)},
		{"  had a lesson, not given", strconv.Itoa(a.ErrorsThere)},
	} {
		p.Line("%-32s %s", f[0], f[1])
	}
	fmt.Fprintln(p.W)
	switch {
	case a.Lessons == 0 && a.AsIf:
		p.Line("There is no lesson yet: `learnings extract` proposes some.")
	case !a.AsIf && a.Starts+a.Asked == 0:
		p.Line("No lesson was approved by then; --as-if-approved tries what the sessions before had taught.")
	}
	if calls, allowed := a.stops(); calls > 0 {
		p.Line("Guards would have stopped %s, %d that were allowed:", term.Plural(calls, "call"), allowed)
		for _, g := range a.Guards {
			p.Line("  %s %s: %s", g.Lesson.ID, g.Lesson.Title(60), g.Trial)
		}
	}
	for _, e := range a.Examples {
		what := "correction"
		if e.Error {
			what = "error"
		}
		if e.Given {
			p.Strong("%s met", what)
		} else {
			p.Strong("%s, lesson not given", what)
		}
		p.Text("    ", fmt.Sprintf("%s:%d", e.Path, e.Line))
		p.Text("    ", lessons.Wording{Content: e.Said}.Title(160))
		p.Text("    ", fmt.Sprintf("lesson %s: %s", e.Lesson, lessons.Wording{Content: e.Content}.Title(160)))
	}
	a.limits(p)
}

func part(n, of int) string {
	if of == 0 {
		return "0 of 0"
	}
	return fmt.Sprintf("%d of %d, %.0f %%", n, of, 100*float64(n)/float64(of))
}

// limits prints what was not counted.
func (a Backtest) limits(p *term.Page) {
	for _, l := range []struct {
		n         int
		one, says string
	}{
		{a.Unread, "transcript", "could not be read"},
		{a.Bad, "line", "could not be read"},
		{a.Silent, "transcript", "left out: no person says anything new"},
	} {
		if l.n > 0 {
			p.Line("%s %s", term.Plural(l.n, l.one), l.says)
		}
	}
	p.Line("Lessons are as they read today; what was archived since does not count.")
}

func (a Backtest) Objects() []any {
	stops := []any{}
	for _, g := range a.Guards {
		t := g.Trial
		stops = append(stops, term.Object(nil, "lesson", g.Lesson.ID, "calls", t.Calls, "sessions", t.Sessions, "allowed", t.Allowed, "examples", t.Examples))
	}
	a.Examples = append([]past.Missed{}, a.Examples...)
	return []any{struct {
		AsIf bool `json:"as_if_approved"`
		past.BacktestResult
		Guards []any `json:"guards"`
	}{a.AsIf, a.BacktestResult, stops}}
}
