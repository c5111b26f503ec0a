package render

import (
	"fmt"
	"math"
	"strings"
	"time"

	"learnings/cmd/internal/term"
	"learnings/lessons"
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
		says := fmt.Sprintf("%d times in %d sessions", f.Times, f.Sessions)
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
				p.Table([]string{"ID", "Given", "Sessions", "Followed", "Contradicted", "Came back", "Cited", "Silent", "Lesson"}, term.Rows(all, func(x proof.About) []string {
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
func counts(x proof.About) (out []string) {
	for _, n := range []int{x.Times, x.Sessions, x.Followed, x.Contradicted, x.CameBack, x.Cited, x.Silent, x.Held, x.Before.Had, x.Before.Of, x.After.Had, x.After.Of, x.Unread + x.Adrift} {
		out = append(out, fmt.Sprint(n))
	}
	return out
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
		Helped     int      `json:"helped"`
		Harmed     int      `json:"harmed"`
		Before     interval `json:"recurrence_before"`
		After      interval `json:"recurrence_after"`
		Less       *less    `json:"recurs_less,omitempty"`
		WrongGiven interval `json:"wrong_when_given"`
		WrongHeld  interval `json:"wrong_when_held_out"`
		WrongLess  *less    `json:"wrong_less_when_given,omitempty"`
	}{x.Lesson.ID, x.Content, x.Scope.Project, f, x.Use.Helped, x.Use.Harmed,
		intervalOf(f.Before), intervalOf(f.After), lessOf(f.Before, f.After), intervalOf(f.Given), intervalOf(f.Without), lessOf(f.Without, f.Given)}
}

// An interval is the JSON form of a share.
type interval struct {
	proof.Share
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

func intervalOf(s proof.Share) interval {
	low, high := s.Interval()
	return interval{s, round(low), round(high)}
}

func round(f float64) float64 { return math.Round(1000*f) / 1000 }

// A less is how much smaller one share is than another.
type less struct {
	By   float64 `json:"by"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

func lessOf(a, b proof.Share) *less {
	if a.Of == 0 || b.Of == 0 {
		return nil
	}
	by, low, high := proof.Less(a, b)
	return &less{round(by), round(low), round(high)}
}
