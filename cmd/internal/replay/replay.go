// Package replay tells what lessons and guards would have done in past sessions.
package replay

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strconv"
	"time"

	"learnings/cmd/internal/term"
	"learnings/extractor/backtest"
	"learnings/extractor/rehearse"
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
extract first. Guards are then those that sentences of lessons say plainly.

--ranker compares the rules of other programs with ours; "all" is each of them.`

// A Guard is one that was tried.
type Guard struct {
	Lesson lessons.Lesson
	Trial  rehearse.Trial
}

// Run replays sessions with the lessons of an index, and tries the guards.
func Run(ctx context.Context, x *index.Index, files []transcript.File, chosen []guard.Choice, past rehearse.Options, o backtest.Options) (Answer, error) {
	o.Project, o.Excluded, o.Paused, o.Redact = past.Project, past.Excluded, past.Paused, past.Redact
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
	past.Only = o.Only
	a.Lessons = len(ls)
	a.Guards, err = guards(ctx, ls, chosen, o.AsIf, files, past)
	return a, err
}

// guards tries the guards of lessons: those that are on, or, as if all were approved,
// those that their sentences say. What would have stopped nothing is left out.
func guards(ctx context.Context, ls []lessons.Lesson, chosen []guard.Choice, asIf bool, files []transcript.File, o rehearse.Options) (out []Guard, err error) {
	var wards []rehearse.Ward
	for _, l := range ls {
		from, ok := backtest.From(l, asIf)
		var patterns []guard.Pattern
		switch {
		case !ok:
		case asIf:
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
		w := rehearse.Ward{Patterns: patterns, From: from}
		if !l.Scope.Global {
			w.Only = l.Scope.Project
		}
		wards, out = append(wards, w), append(out, Guard{Lesson: l})
	}
	if len(wards) == 0 {
		return nil, nil
	}
	trials, err := rehearse.TryAll(ctx, files, wards, o)
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

func name(by backtest.Ranked) string { return cmp.Or(by.Name, "ours") }

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
	if len(a.By) == 1 {
		for _, f := range a.figures() {
			p.Line("%-32s %s", f.what, f.of(a.By[0]))
		}
	} else {
		a.compare(p)
	}
	fmt.Fprintln(p.W)
	switch {
	case a.Lessons == 0 && a.AsIf:
		p.Line("There is no lesson yet: `learnings extract` proposes some.")
	case !a.AsIf && a.By[0].Starts+a.By[0].Asked == 0:
		p.Line("No lesson was approved by then; --as-if-approved tries what the sessions before had taught.")
	}
	if calls, allowed := a.stops(); calls > 0 {
		p.Line("Guards would have stopped %s, %d that were allowed:", term.Plural(calls, "call"), allowed)
		for _, g := range a.Guards {
			p.Line("  %s %s: %s", g.Lesson.ID, g.Lesson.Title(60), g.Trial)
		}
	}
	for _, e := range a.By[0].Examples {
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

// A figure is one that a rule has.
type figure struct {
	what, short string
	of          func(backtest.Ranked) string
}

func (a Answer) figures() []figure {
	type by = backtest.Ranked
	return []figure{
		{"starts that get something", "starts", func(b by) string { return share(b.Starts, a.Sessions) }},
		{"prompts that get something", "prompts", func(b by) string { return share(b.Asked, a.Prompts) }},
		{"lessons at starts and at prompts", "lessons", func(b by) string { return fmt.Sprintf("%d + %d", b.AtStart, b.AtPrompt) }},
		{"tokens of all sessions, of each", "tokens", func(b by) string { return fmt.Sprintf("%d, %d", b.Tokens, b.Tokens/max(a.Sessions, 1)) }},
		{"corrections met", "corrections met", func(b by) string { return share(b.Met, a.Corrections) }},
		{"  had a lesson, not given", "not given", func(b by) string { return strconv.Itoa(b.There) }},
		{"errors that came back, met", "errors met", func(b by) string { return share(b.ErrorsMet, a.Errors) }},
		{"  had a lesson, not given", "not given", func(b by) string { return strconv.Itoa(b.ErrorsThere) }},
	}
}

// compare is a table with a row for each rule.
func (a Answer) compare(p *term.Page) {
	head := []string{"rule"}
	for _, f := range a.figures() {
		head = append(head, f.short)
	}
	var rows [][]string
	for _, by := range a.By {
		row := []string{name(by)}
		for _, f := range a.figures() {
			row = append(row, f.of(by))
		}
		rows = append(rows, row)
	}
	p.Table(head, rows, 0)
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
	for _, b := range a.By {
		cells := []string{name(b)}
		for _, n := range []int{
			a.Sessions, a.Precedents, a.Prompts, b.Starts, b.Asked, b.AtStart, b.AtPrompt, b.Tokens, a.Corrections, b.Met, b.There, a.Errors, b.ErrorsMet, b.ErrorsThere, calls, allowed, a.Unread,
		} {
			cells = append(cells, strconv.Itoa(n))
		}
		term.TSV(w, cells...)
	}
}

// Objects are one for each rule.
func (a Answer) Objects() []any {
	type stop struct {
		Lesson   lessons.ID     `json:"lesson"`
		Calls    int            `json:"calls"`
		Sessions int            `json:"sessions"`
		Allowed  int            `json:"allowed"`
		Examples []rehearse.Hit `json:"examples"`
	}
	type object struct {
		Ranker      string             `json:"ranker"`
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
	return term.Objects(a.By, func(b backtest.Ranked) any {
		return object{
			name(b), a.AsIf, a.First, a.Last, a.Sessions, a.Precedents, a.Prompts, b.Starts, b.Asked, b.AtStart, b.AtPrompt, b.Tokens,
			a.Corrections, b.Met, b.There, a.Errors, b.ErrorsMet, b.ErrorsThere, append([]backtest.Example{}, b.Examples...), stops,
			a.Unread, a.Bad, a.Untimed, a.Silent, a.Parts, a.Copied, a.Cut, a.Undated,
		}
	})
}
