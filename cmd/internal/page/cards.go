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
		Day: day(l.Created), Used: l.Use.Used, Global: l.Scope.Global,
		Content: parts(c.line(l.Content)), Insight: c.block(l.Insight), Example: c.block(l.Example), Tags: c.line(strings.Join(l.Tags, " · ")),
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

func day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format("2006-01-02")
}
