package view

import (
	"fmt"
	"io"
	"math"
	"strings"

	"learnings/cmd/internal/term"
	"learnings/lessons"
	"learnings/lessons/outcomes"
)

// Effects is what came of lessons: of one, told whole, or of many.
type Effects struct {
	All  []outcomes.About
	One  bool
	Book *outcomes.Book
}

// EffectLines are the facts of what came of a lesson, by name; none when nothing is known.
// A card and a desk show the same.
func EffectLines(f outcomes.Figures) (out [][2]string) {
	add := func(name, format string, args ...any) {
		out = append(out, [2]string{name, fmt.Sprintf(format, args...)})
	}
	if f.Times > 0 {
		says := fmt.Sprintf("%d times in %d sessions", f.Times, f.Sessions)
		if !f.Last.At.IsZero() {
			says += strings.TrimSuffix(fmt.Sprintf(", last %s by %s", f.Last.At.Local().Format("2006-01-02 15:04"), f.Last.Agent), " by ")
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
		add("Recurrence", "%s", Compared("before approval", f.Before, "since", f.After))
	}
	if f.Given.Of > 0 && f.Without.Of > 0 {
		add("Went wrong", "%s", Compared("held out", f.Without, "given", f.Given))
	}
	var not []string
	for _, n := range []struct {
		n    int
		says string
	}{{f.Unread, "not read yet"}, {f.Adrift, "in which it cannot be told when it was given"}, {f.Undated, "without a time that can be"}} {
		if n.n > 0 {
			not = append(not, fmt.Sprintf("%s %s", term.Plural(n.n, "session"), n.says))
		}
	}
	if len(not) > 0 && (f.Times > 0 || f.Held > 0) {
		add("Not counted", "%s", strings.Join(not, ", "))
	}
	return out
}

// Compared says two shares, each with its interval, and their difference with its own.
func Compared(first string, a outcomes.Share, then string, b outcomes.Share) string {
	s := fmt.Sprintf("%s %s; %s %s", first, share(a), then, share(b))
	if a.Of == 0 || b.Of == 0 {
		return s
	}
	by, low, high := outcomes.Less(a, b)
	return s + fmt.Sprintf("; %s points less (%s to %s)", points(by), points(low), points(high))
}

func points(f float64) string { return fmt.Sprint(int(math.Round(100 * f))) }

func share(s outcomes.Share) string {
	if s.Of == 0 {
		return "no session"
	}
	low, high := s.Interval()
	return fmt.Sprintf("%d of %s, %s %% (%s to %s)", s.Had, term.Plural(s.Of, "session"), points(float64(s.Had)/float64(s.Of)), points(low), points(high))
}

func (e Effects) Terminal(p *term.Page) {
	switch {
	case len(e.All) == 0:
		p.Line("nothing: no lesson was given to a session yet")
	case e.One:
		x := e.All[0]
		p.Strong("%s  %s", x.Lesson.ID, x.Title(max(p.Width-14, 30)))
		lines := EffectLines(x.Figures)
		for _, f := range lines {
			p.Field(f[0], "%s", f[1])
		}
		if len(lines) == 0 {
			p.Line("no session was given it")
		}
		for _, s := range x.Examples {
			p.Field(string(s.Kind), "%s, line %d: %s", s.File, s.Line, s.Shows)
		}
	default:
		rows := make([][]string, len(e.All))
		for i, x := range e.All {
			rows[i] = append([]string{string(x.Lesson.ID)}, append(counts(x)[:7], x.Content)...)
		}
		p.Table([]string{"ID", "Given", "Sessions", "Followed", "Contradicted", "Came back", "Cited", "Silent", "Lesson"}, rows, 8)
		p.Line("**Total:** %s, %s read", term.Plural(len(e.All), "lesson"), term.Plural(e.Book.Sessions, "session"))
	}
	if e.Book.Sessions == 0 {
		p.Line("no session was read for this: `learnings outcomes --read` reads them")
	}
}

// counts are the figures in the order of the columns.
func counts(x outcomes.About) []string {
	out := make([]string, 0, 14)
	for _, n := range []int{x.Times, x.Sessions, x.Followed, x.Contradicted, x.CameBack, x.Cited, x.Silent, x.Held, x.Before.Had, x.Before.Of, x.After.Had, x.After.Of, x.Unread + x.Adrift} {
		out = append(out, fmt.Sprint(n))
	}
	return out
}

func (e Effects) Plain(w io.Writer) {
	if !e.One {
		for _, x := range e.All {
			term.TSV(w, append(append([]string{string(x.Lesson.ID)}, counts(x)...), x.Content)...)
		}
		return
	}
	for _, x := range e.All {
		term.TSV(w, "id", string(x.Lesson.ID))
		for _, f := range EffectLines(x.Figures) {
			term.TSV(w, strings.ToLower(f[0]), f[1])
		}
		for _, s := range x.Examples {
			term.TSV(w, "sign", string(s.Kind), s.Session, s.File, fmt.Sprint(s.Line), s.Shows)
		}
	}
}

// An interval is a share as JSON has it.
type interval struct {
	outcomes.Share
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

func intervalOf(s outcomes.Share) interval {
	low, high := s.Interval()
	return interval{s, round(low), round(high)}
}

func round(f float64) float64 { return math.Round(1000*f) / 1000 }

// less is how much smaller one share is than another.
type less struct {
	By   float64 `json:"by"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

func lessOf(a, b outcomes.Share) *less {
	if a.Of == 0 || b.Of == 0 {
		return nil
	}
	by, low, high := outcomes.Less(a, b)
	return &less{round(by), round(low), round(high)}
}

func (e Effects) Objects() []any {
	type sign struct {
		outcomes.Sign
		Session string `json:"session"`
		File    string `json:"file"`
	}
	type object struct {
		ID           lessons.ID `json:"id"`
		Content      string     `json:"content"`
		Project      string     `json:"project"`
		Given        int        `json:"given"`
		Sessions     int        `json:"sessions"`
		OnTopic      int        `json:"on_topic"`
		Matched      int        `json:"matched"`
		HeldOut      int        `json:"held_out"`
		Read         int        `json:"read"`
		Cited        int        `json:"cited"`
		Followed     int        `json:"followed"`
		Contradicted int        `json:"contradicted"`
		CameBack     int        `json:"came_back"`
		Silent       int        `json:"silent"`
		Helped       int        `json:"helped"`
		Harmed       int        `json:"harmed"`
		Before       interval   `json:"recurrence_before"`
		After        interval   `json:"recurrence_after"`
		Less         *less      `json:"recurs_less,omitempty"`
		WrongGiven   interval   `json:"wrong_when_given"`
		WrongHeld    interval   `json:"wrong_when_held_out"`
		WrongLess    *less      `json:"wrong_less_when_given,omitempty"`
		Unread       int        `json:"unread"`
		Adrift       int        `json:"adrift"`
		Undated      int        `json:"undated"`
		Signs        []sign     `json:"signs,omitempty"`
	}
	return term.Objects(e.All, func(x outcomes.About) any {
		f := x.Figures
		o := object{
			ID: x.Lesson.ID, Content: x.Content, Project: x.Scope.Project, Given: f.Times, Sessions: f.Sessions, OnTopic: f.OnTopic, Matched: f.Matched, HeldOut: f.Held,
			Read: f.Read, Cited: f.Cited, Followed: f.Followed, Contradicted: f.Contradicted, CameBack: f.CameBack, Silent: f.Silent, Helped: x.Use.Helped, Harmed: x.Use.Harmed,
			Before: intervalOf(f.Before), After: intervalOf(f.After), Less: lessOf(f.Before, f.After),
			WrongGiven: intervalOf(f.Given), WrongHeld: intervalOf(f.Without), WrongLess: lessOf(f.Without, f.Given),
			Unread: f.Unread, Adrift: f.Adrift, Undated: f.Undated,
		}
		for _, s := range f.Examples {
			o.Signs = append(o.Signs, sign{s.Sign, s.Session, s.File})
		}
		return o
	})
}
