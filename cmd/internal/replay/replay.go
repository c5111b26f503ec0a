// Package replay tells what lessons and guards would have done in past sessions.
package replay

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"time"

	"learnings/cmd/internal/term"
	"learnings/extractor/backtest"
	"learnings/extractor/past"
	"learnings/extractor/transcript"
	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/guard"
)

// Help is what the verb says of itself.
const Help = `Backtest replays the transcripts of past sessions in the order of time: what each start
and prompt would have been given by the lessons that were approved by then, how many
sessions had a relevant precedent, which corrections and errors a lesson would have met,
what that costs in tokens, and what the guards that are on would have stopped. Nothing
is stored.

A correction is met when the session had been given a lesson on its subject before it;
"not given" are those that there was a lesson for all the same. Of errors those count
that an earlier session had met.

With --as-if-approved every lesson and proposal counts, for the sessions that began after
all of its evidence, as if it had been approved at once; no lesson is tried on a session
that taught it. That is for a new machine, where lessons are younger than sessions:
extract first. Guards are then those that sentences of lessons say plainly.`

// A Guard is one that was tried.
type Guard struct {
	Lesson lessons.Lesson
	Trial  past.Trial
}

// Run replays sessions with the lessons of an index, and tries the guards.
func Run(ctx context.Context, x *index.Index, files []transcript.File, chosen []guard.Choice, o backtest.Options) (Answer, error) {
	a := Answer{AsIf: o.AsIf}
	var err error
	if a.Result, err = backtest.Run(ctx, files, x, o); err != nil {
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
	ls := make([]lessons.Lesson, len(hits))
	for i, h := range hits {
		ls[i] = h.Lesson
	}
	a.Lessons = len(ls)
	a.Guards, err = guards(ctx, ls, chosen, files, o)
	return a, err
}

// guards tries the guards of lessons: those that are on, or, as if all were approved,
// those that their sentences say. What would have stopped nothing is left out.
func guards(ctx context.Context, ls []lessons.Lesson, chosen []guard.Choice, files []transcript.File, o backtest.Options) (out []Guard, err error) {
	var wards []past.Ward
	for _, l := range ls {
		from, ok := backtest.From(l, o.AsIf)
		var patterns []guard.Pattern
		switch {
		case !ok:
		case o.AsIf:
			patterns = guard.Derive(l.Wording).Patterns
		case guard.Off(l, chosen) == "":
			patterns, _ = guard.ParseAll(l.Guard.Patterns)
			for _, c := range chosen {
				if c.ID == l.ID && c.At.After(from) {
					from = c.At
				}
			}
		}
		if len(patterns) == 0 {
			continue
		}
		w := past.Ward{Patterns: patterns, From: from}
		if !l.Scope.Global {
			w.Only = l.Scope.Project
		}
		wards, out = append(wards, w), append(out, Guard{Lesson: l})
	}
	if len(wards) == 0 {
		return nil, nil
	}
	trials, err := past.Try(ctx, files, wards, o.Only, o.Options)
	n := 0
	for i, t := range trials {
		if t.Calls > 0 {
			out[n] = Guard{out[i].Lesson, t}
			n++
		}
	}
	return out[:n], err
}

// An Answer is what was found.
type Answer struct {
	backtest.Result
	AsIf    bool
	Lessons int // that there are today
	Guards  []Guard
}

const missing = "Nothing to replay: no session in which a person says something was found."

// stops is how many calls guards would have stopped.
func (a Answer) stops() (calls, allowed int) {
	for _, g := range a.Guards {
		calls += g.Trial.Calls
		allowed += g.Trial.Allowed
	}
	return calls, allowed
}

func (a Answer) Terminal(p *term.Page) {
	if a.Sessions == 0 {
		p.Line(missing)
		a.limits(p)
		return
	}
	when := "approved by then"
	if a.AsIf {
		when = "as if approved when they were learned, and not on what taught them"
	}
	p.Strong("%s from %s to %s with %s; %s, %s", term.Plural(a.Sessions, "session"), day(a.First), day(a.Last), term.Plural(a.Prompts, "prompt"), term.Plural(a.Lessons, "lesson"), when)
	p.Line("%s had a relevant precedent", share(a.Precedents, a.Sessions))
	fmt.Fprintln(p.W)
	for _, f := range a.figures() {
		p.Line("%-32s %s", f.what, f.says)
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
		p.Strong("%s", what(e))
		p.Text("    ", fmt.Sprintf("%s:%d", e.Path, e.Line))
		p.Text("    ", clip(e.Said))
		p.Text("    ", fmt.Sprintf("lesson %s: %s", e.Lesson, clip(e.Content)))
	}
	a.limits(p)
}

func what(e backtest.Example) string {
	switch {
	case e.Given && e.Error:
		return "error met"
	case e.Given:
		return "correction met"
	case e.Error:
		return "error, lesson not given"
	}
	return "correction, lesson not given"
}

type figure struct{ what, says string }

func (a Answer) figures() []figure {
	return []figure{
		{"starts that get something", share(a.Starts, a.Sessions)},
		{"prompts that get something", share(a.Asked, a.Prompts)},
		{"lessons at starts and at prompts", fmt.Sprintf("%d + %d", a.AtStart, a.AtPrompt)},
		{"lessons for what the agent does", strconv.Itoa(a.AtCall)},
		{"tokens of all sessions, of each", fmt.Sprintf("%d, %d", a.Tokens, a.Tokens/max(a.Sessions, 1))},
		{"corrections met", share(a.Met, a.Corrections)},
		{"  had a lesson, not given", strconv.Itoa(a.There)},
		{"errors that came back, met", share(a.ErrorsMet, a.Errors)},
		{"  had a lesson, not given", strconv.Itoa(a.ErrorsThere)},
	}
}

// limits says what was not counted.
func (a Answer) limits(p *term.Page) {
	for _, l := range []struct {
		n    int
		one  string
		says string
	}{
		{a.Unread, "transcript", "could not be read"},
		{a.Bad, "line", "could not be read"},
		{a.Silent, "transcript", "left out: no person says anything new"},
		{a.Parts, "transcript of a subagent", "left out: its session is told what it is told"},
		{a.Copied, "record", "counted once: another session has a copy"},
		{a.Untimed, "session", "without a time: that of the file counts"},
		{a.Cut, "session", "too long: only the beginning counts"},
		{a.Undated, "lesson", "left out: the evidence has no time"},
	} {
		if l.n > 0 {
			one := l.one
			if l.n > 1 && one == "transcript of a subagent" {
				one = "transcripts of subagents"
				p.Line("%d %s %s", l.n, one, "left out: their sessions are told what they are told")
				continue
			}
			p.Line("%s %s", term.Plural(l.n, one), l.says)
		}
	}
	p.Line("Lessons are as they read today; what was archived since does not count.")
}

func share(n, of int) string {
	if of == 0 {
		return "0 of 0"
	}
	return fmt.Sprintf("%d of %d, %.0f %%", n, of, 100*float64(n)/float64(of))
}

func day(t time.Time) string { return t.Local().Format(time.DateOnly) }

func clip(s string) string {
	return lessons.Lesson{Wording: lessons.Wording{Content: lessons.Line(s)}}.Title(160)
}

func (a Answer) Plain(w io.Writer) {
	calls, allowed := a.stops()
	var cells []string
	for _, n := range []int{
		a.Sessions, a.Precedents, a.Prompts, a.Starts, a.Asked, a.AtStart, a.AtPrompt, a.Tokens, a.Corrections, a.Met, a.There, a.Errors, a.ErrorsMet, a.ErrorsThere, calls, allowed, a.Unread,
	} {
		cells = append(cells, strconv.Itoa(n))
	}
	term.TSV(w, append([]string{"ours"}, cells...)...)
}

// Objects are one.
func (a Answer) Objects() []any {
	type stop struct {
		Lesson   lessons.ID `json:"lesson"`
		Calls    int        `json:"calls"`
		Sessions int        `json:"sessions"`
		Allowed  int        `json:"allowed"`
		Examples []past.Hit `json:"examples"`
	}
	type object struct {
		AsIf        bool               `json:"as_if_approved"`
		First       time.Time          `json:"first,omitzero"`
		Last        time.Time          `json:"last,omitzero"`
		Sessions    int                `json:"sessions"`
		Precedents  int                `json:"sessions_with_precedent"`
		Prompts     int                `json:"prompts"`
		Starts      int                `json:"starts_given"`
		Asked       int                `json:"prompts_given"`
		AtStart     int                `json:"lessons_at_start"`
		AtPrompt    int                `json:"lessons_at_prompt"`
		AtCall      int                `json:"lessons_at_call"`
		Tokens      int                `json:"tokens"`
		Corrections int                `json:"corrections"`
		Met         int                `json:"corrections_met"`
		There       int                `json:"corrections_not_given"`
		Errors      int                `json:"errors"`
		ErrorsMet   int                `json:"errors_met"`
		ErrorsThere int                `json:"errors_not_given"`
		Examples    []backtest.Example `json:"examples"`
		Guards      []stop             `json:"guards"`
		Unread      int                `json:"unread"`
		Bad         int                `json:"bad_lines"`
		Untimed     int                `json:"sessions_without_time"`
		Silent      int                `json:"silent"`
		Parts       int                `json:"subagents"`
		Copied      int                `json:"copied"`
		Cut         int                `json:"cut"`
		Undated     int                `json:"undated_lessons"`
	}
	stops := []stop{}
	for _, g := range a.Guards {
		t := g.Trial
		stops = append(stops, stop{g.Lesson.ID, t.Calls, t.Sessions, t.Allowed, t.Examples})
	}
	return []any{object{
		a.AsIf, a.First, a.Last, a.Sessions, a.Precedents, a.Prompts, a.Starts, a.Asked, a.AtStart, a.AtPrompt, a.AtCall, a.Tokens,
		a.Corrections, a.Met, a.There, a.Errors, a.ErrorsMet, a.ErrorsThere, append([]backtest.Example{}, a.Examples...), stops,
		a.Unread, a.Bad, a.Untimed, a.Silent, a.Parts, a.Copied, a.Cut, a.Undated,
	}}
}
