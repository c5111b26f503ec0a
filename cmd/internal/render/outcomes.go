package render

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"learnings/cmd/internal/term"
	"learnings/extractor/past"
	"learnings/extractor/transcript"
	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/guard"
	"learnings/lessons/proof"
)

// OpenBook opens the recorded outcomes of these lessons, or of all.
func OpenBook(state string, now time.Time, ids ...lessons.ID) (*proof.Book, error) {
	return proof.OpenBook(state, now, ids...)
}

// effects returns the facts on a lesson's outcomes; nil if there are none.
func effects(f proof.Figures) (out []fact) {
	add := func(name, format string, args ...any) {
		out = append(out, fact{name: name, text: fmt.Sprintf(format, args...)})
	}
	if f.Times > 0 {
		says := "once"
		if f.Times > 1 {
			says = fmt.Sprintf("%d times in %s", f.Times, term.Plural(f.Sessions, "session"))
		}
		if !f.Last.At.IsZero() {
			says += strings.TrimSuffix(", last "+term.Moment(f.Last.At)+" by "+f.Last.Agent, " by ")
		}
		add("Given", "%s", says)
	}
	if f.Held > 0 || f.Matched > 0 {
		add("Not given", "held out of %s; %s there was no room", term.Plural(f.Held, "session"), term.Plural(f.Matched, "time"))
	}
	if f.Read > 0 {
		add("Came of it", "in %s: followed in %d, contradicted in %d, the mistake came back in %d, cited in %d, nothing to see in %d",
			term.Plural(f.Read, "session"), f.Followed, f.Contradicted, f.CameBack, f.Cited, f.Silent)
	}
	if f.Before.Had+f.After.Had > 0 {
		add("Recurrence", "%s", compared("before approval", f.Before, "since", f.After))
	}
	if f.Given.Of > 0 && f.Without.Of > 0 {
		add("Went wrong", "%s", compared("held out", f.Without, "given", f.Given))
	}
	var not []string
	for _, n := range []struct {
		n    int
		says string
	}{{f.Unread, "not read yet"}, {f.Adrift, "in which it cannot be told when it was given"}, {f.Undated, "without a time that can be"}} {
		if n.n > 0 {
			not = append(not, term.Plural(n.n, "session")+" "+n.says)
		}
	}
	if len(not) > 0 && (f.Times > 0 || f.Held > 0) {
		add("Uncounted", "%s", strings.Join(not, ", "))
	}
	return out
}

// compared describes two shares and their difference, each with its interval.
func compared(first string, a proof.Share, then string, b proof.Share) string {
	s := fmt.Sprintf("%s %s; %s %s", first, shareOf(a), then, shareOf(b))
	if a.Of == 0 || b.Of == 0 {
		return s
	}
	by, low, high := proof.Less(a, b)
	return s + fmt.Sprintf("; %d points less (%d to %d)", percent(by), percent(low), percent(high))
}

func percent(f float64) int { return int(math.Round(100 * f)) }

func shareOf(s proof.Share) string {
	if s.Of == 0 {
		return "no session"
	}
	low, high := s.Interval()
	return fmt.Sprintf("%d of %s, %d %% (%d to %d)", s.Had, term.Plural(s.Of, "session"), percent(float64(s.Had)/float64(s.Of)), percent(low), percent(high))
}

// Outcomes lists the outcomes of lessons given to sessions.
func Outcomes(all []proof.About, book *proof.Book) term.Answer {
	return term.List[proof.About]{Items: all, Object: outcome,
		Page: func(p *term.Page) {
			if len(all) == 0 {
				p.Line("nothing: no lesson was given to a session yet")
			} else {
				p.Table([]string{"ID", "Given", "Sessions", "Followed", "Contradicted", "Came back", "Cited", "Silent", "Lesson"}, term.Map(all, func(x proof.About) []string {
					return append([]string{string(x.Lesson.ID)}, append(counts(x)[:7], x.Content)...)
				}), 8)
				p.Line("**Total:** %s, %s read", term.Plural(len(all), "lesson"), term.Plural(book.Sessions, "session"))
			}
			unread(p, book)
		},
		Cells: func(x proof.About) []string {
			return append(append([]string{string(x.Lesson.ID)}, counts(x)...), x.Content)
		}}
}

// counts returns the figures in the order of the columns.
func counts(x proof.About) []string {
	return term.Map([]int{x.Times, x.Sessions, x.Followed, x.Contradicted, x.CameBack, x.Cited, x.Silent, x.Held, x.Before.Had, x.Before.Of, x.After.Had, x.After.Of, x.Unread + x.Adrift}, strconv.Itoa)
}

// unread says that no session was read.
func unread(p *term.Page, book *proof.Book) {
	if book.Sessions == 0 {
		p.Line("no session was read for this: `learnings stats outcomes --read` reads them")
	}
}

// An Outcome is the outcome of one lesson.
type Outcome struct {
	proof.About
	Book *proof.Book
}

func (o Outcome) Terminal(p *term.Page) {
	p.Strong("%s  %s", o.Lesson.ID, o.Title(max(p.Width-14, 30)))
	known := effects(o.Figures)
	for _, f := range known {
		p.Field(f.name, "%s", f.text)
	}
	if len(known) == 0 {
		p.Line("no session was given it")
	}
	for _, s := range o.Examples {
		p.Field(string(s.Kind), "%s, line %d: %s", s.File, s.Line, s.Shows)
	}
	unread(p, o.Book)
}

func (o Outcome) Objects() []any { return []any{outcome(o.About)} }

// outcome is the JSON form.
func outcome(x proof.About) any {
	f := x.Figures
	return struct {
		ID      lessons.ID `json:"id"`
		Content string     `json:"content"`
		Project string     `json:"project"`
		proof.Figures
		Helped     int `json:"helped"`
		Harmed     int `json:"harmed"`
		Before     any `json:"recurrence_before"`
		After      any `json:"recurrence_after"`
		Less       any `json:"recurs_less,omitempty"`
		WrongGiven any `json:"wrong_when_given"`
		WrongHeld  any `json:"wrong_when_held_out"`
		WrongLess  any `json:"wrong_less_when_given,omitempty"`
	}{x.Lesson.ID, x.Content, x.Scope.Project, f, x.Use.Helped, x.Use.Harmed,
		bounded(f.Before), bounded(f.After), lessOf(f.Before, f.After), bounded(f.Given), bounded(f.Without), lessOf(f.Without, f.Given)}
}

// bounded is the JSON form of a share, with its interval.
func bounded(s proof.Share) any {
	low, high := s.Interval()
	return term.Object(s, "low", round(low), "high", round(high))
}

// lessOf says in JSON how much smaller one share is than another; nil if one has no session.
func lessOf(a, b proof.Share) any {
	if a.Of == 0 || b.Of == 0 {
		return nil
	}
	by, low, high := proof.Less(a, b)
	return term.Object(nil, "by", round(by), "low", round(low), "high", round(high))
}

func round(f float64) float64 { return math.Round(1000*f) / 1000 }

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
