package page

import (
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"learnings/extractor/redact"
	"learnings/index/insights"
	"learnings/lessons"
)

// A card is a lesson as the page shows it, with clean text.
type card struct {
	ID, Category, Project, Role, Status string
	Score                               string // to sort by; people read Trust
	Trust                               string
	Day                                 string
	Note                                string // status, use and flags, in words
	Global, Warn                        bool
	Content                             []part
	Insight, Example, Tags              string
	Used                                int
	Said                                []said
}

// A part of a sentence is text or code.
type part struct {
	Text string
	Code bool
}

// parts splits a sentence at its backticks. With an unpaired backtick it is one part.
func parts(s string) []part {
	cut := strings.Split(s, "`")
	if len(cut)%2 == 0 {
		return []part{{Text: s}}
	}
	var out []part
	for i, text := range cut {
		if text != "" {
			out = append(out, part{text, i%2 == 1})
		}
	}
	return out
}

// A said is one piece of evidence.
type said struct{ By, Quote, Source string }

// A cleaner removes secrets and home folders from texts.
type cleaner struct {
	redactor *redact.Redactor
	home     string
}

func newCleaner(home string) *cleaner {
	if len(home) < 2 {
		home = ""
	}
	return &cleaner{redact.New(), home}
}

// rootHome is the home folder of the user root on Linux.
const rootHome = "/root"

// homes matches home folders with the character before them. The redactor may have
// replaced the user's name by a mark.
var homes = regexp.MustCompile("(^|[^\\w.-])(?:(?:/(?:var|export|private|mnt/[a-z]))?/(?:home|Users)/|(?i:[a-z]:[\\\\/]+users)[\\\\/]+|" + rootHome + "(?:$|/))" +
	"(?:\\[REDACTED:user\\]|[^\\s/\\\\\"'`:;,<>|*?()\\[\\]{}]*)")

// block cleans a text of several lines: no secrets, home folders or invisible characters.
func (c *cleaner) block(s string) string {
	s = c.redactor.Redact(lessons.Block(s))
	if c.home != "" {
		s = strings.ReplaceAll(s, c.home, "~")
	}
	return strings.TrimSpace(homes.ReplaceAllStringFunc(s, func(m string) string {
		sub := homes.FindStringSubmatch(m)
		if rest, root := strings.CutPrefix(m[len(sub[1]):], rootHome+"/"); root {
			return sub[1] + "~/" + rest
		}
		return sub[1] + "~"
	}))
}

// line does the same for one line.
func (c *cleaner) line(s string) string { return strings.Join(strings.Fields(c.block(s)), " ") }

// cards makes the cards of lessons, on all cores: the search for secrets takes most of
// the time.
func (c *cleaner) cards(ls []lessons.Lesson, shown func(lessons.ID) bool, trusted bool) []card {
	out := make([]card, len(ls))
	workers := runtime.GOMAXPROCS(0)
	var wg sync.WaitGroup
	for k := range workers {
		wg.Go(func() {
			for i := k; i < len(ls); i += workers {
				if trusted {
					ls[i].Outside = false
				}
				out[i] = c.card(ls[i], shown != nil && shown(ls[i].ID))
			}
		})
	}
	wg.Wait()
	return out
}

func (c *cleaner) card(l lessons.Lesson, evidence bool) card {
	out := card{
		ID: strings.Trim(l.ID.Handle(), "[]"), Category: c.line(string(l.Category)), Project: c.line(l.Scope.Project), Role: c.line(l.Scope.Role), Status: string(l.Status),
		Score: l.Confidence.String(), Trust: l.Trust(),
		Used: l.Use.Used, Global: l.Scope.Global,
		Content: parts(c.line(l.Content)), Insight: c.block(l.Insight), Example: c.block(l.Example), Tags: c.line(strings.Join(l.Tags, " · ")),
	}
	if !l.Created.IsZero() {
		out.Day = l.Created.Format(time.DateOnly)
	}
	out.Note, out.Warn = note(l)
	if !evidence {
		return out
	}
	for _, e := range l.Evidence {
		s := said{By: speaker(e.By), Quote: c.block(e.Quote), Source: c.line(e.Agent)}
		if !e.At.IsZero() {
			s.Source = strings.TrimPrefix(s.Source+", "+e.At.Format("2 Jan 2006"), ", ")
		}
		if e.Opposes() {
			s.Source += ", against it"
		}
		out.Said = append(out.Said, s)
	}
	return out
}

// speaker returns a speaker's label. It maps any value to one of three.
func speaker(by lessons.Speaker) string {
	if slices.Contains([]lessons.Speaker{lessons.ByPerson, lessons.ByAgent, lessons.ByTool}, by) {
		return string(by)
	}
	return "somebody"
}

// note describes the state of a lesson, and whether that is a warning.
func note(l lessons.Lesson) (string, bool) {
	var says []string
	switch {
	case l.Status == lessons.Pending && len(lessons.Dangers(l)) > 0:
		return "! not approved, to be looked at with care", true
	case l.Status == lessons.Pending:
		says = append(says, "waits to be judged")
	case l.Status != lessons.Approved:
		says = append(says, string(l.Status))
	case l.Outside:
		return "! another program wrote it: not confirmed", true
	}
	if l.Pinned {
		says = append(says, "pinned")
	}
	for _, n := range []struct {
		n    int
		what string
	}{{l.Use.Used, "used"}, {l.Use.Helped, "helped"}, {l.Use.Harmed, "harmed"}} {
		if n.n > 0 {
			says = append(says, fmt.Sprintf("%s %d×", n.what, n.n))
		}
	}
	return strings.Join(says, " · "), false
}

// A number is one of the large numbers at the top.
type number struct {
	Value, Label string
	More         string // beside the label; may be ""
}

// numbers returns at most four of the known figures.
func (p *Page) numbers() []number {
	f := p.Figures
	out := []number{{Value: count(f.Counts.Active), Label: "lessons approved"}}
	for _, m := range f.Success {
		switch {
		case !m.Known:
		case m.Name == insights.InjectionRate:
			out = append(out, number{Value: percent(m.Value), Label: "of sessions were given one"})
		case m.Name == insights.RecurringAfterCure:
			out = append(out, number{Value: percent(m.Value), Label: "of cured mistakes came back"})
		}
	}
	if helped := f.Use.Helped; helped > 0 && len(out) < 3 {
		out = append(out, number{Value: count(helped), Label: "times one was said to help"})
	}
	if p.Pending {
		wait := number{Value: count(f.Counts.Waiting.All()), Label: "wait to be judged"}
		if !f.Counts.Oldest.IsZero() {
			wait.More = "· the oldest of " + p.dated(f.Counts.Oldest)
		}
		out = append(out, wait)
	}
	return out
}

// A mistake is an error that agents meet again and again.
type mistake struct {
	Name string
	Bars []bar // a week each, oldest first
	insights.Mistake
	Became, Tone string // what came of it, and whether that is good
}

// mostMistakes is how many mistakes are listed.
const mostMistakes = 8

func (p *Page) mistakes(c *cleaner) (out []mistake) {
	for _, m := range p.Figures.Mistakes[:min(mostMistakes, len(p.Figures.Mistakes))] {
		x := mistake{Name: c.line(m.Doing + ": " + m.Says), Bars: bars(m.Weeks), Mistake: m, Became: "no lesson yet", Tone: "bad"}
		switch {
		case m.Status == lessons.Approved && m.After == 0:
			x.Became, x.Tone = "✓ since "+p.dated(m.Approved), "ok"
		case m.Status == lessons.Approved:
			x.Became, x.Tone = counted(m.After, "session")+" since the lesson", "warn"
		case m.Status == lessons.Pending:
			x.Became, x.Tone = "waits to be judged", "warn"
		case m.Lesson != "":
			x.Became, x.Tone = "its lesson is "+c.line(string(m.Status)), "mid"
		}
		out = append(out, x)
	}
	return out
}

// A bar is one week of a trend.
type bar struct{ X, Y, W, H string }

// bars draws a trend into 100 by 20.
func bars(trend []int) (out []bar) {
	most := max(1, slices.Max(append([]int{0}, trend...)))
	for i, n := range trend {
		step := 100 / float64(len(trend))
		h := 1 + 18*float64(n)/float64(most)
		out = append(out, bar{fmt.Sprintf("%.1f", step*float64(i)), fmt.Sprintf("%.1f", 20-h), fmt.Sprintf("%.1f", step-1.5), fmt.Sprintf("%.1f", h)})
	}
	return out
}

// dated formats a day, with its year unless that is the year of the page.
func (p *Page) dated(t time.Time) string {
	if t.Year() == p.Made.Year() {
		return t.Format("2 January")
	}
	return t.Format("2 January 2006")
}

// count formats a number for people: 14,391.
func count(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func percent(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }

func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return count(n) + " " + what
}
