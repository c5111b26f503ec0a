package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"learnings/index"
	"learnings/index/insights"
	"learnings/lessons"
	"learnings/tui/look"
)

// someFigures are those of a corpus that is in use.
func someFigures() *Figures {
	f := &Figures{Now: noon, Sessions: insights.Sessions{Count: 140}}
	today := time.Date(noon.Year(), noon.Month(), noon.Day(), 0, 0, 0, 0, noon.Location())
	active, seed := 12, 7
	random := func(n int) int {
		seed = (seed*1103515245 + 12345) % (1 << 31)
		return seed / 65536 % n
	}
	const days = 190
	for i := days; i >= 0; i-- {
		n := 0
		if i%7 < 5 && random(3) > 0 {
			n = random(3 + (days-i)/20)
		}
		active += n
		f.Timeline.Days = append(f.Timeline.Days, insights.Day{Date: today.AddDate(0, 0, -i), Active: active, Waiting: 20 + random(60), Tally: insights.Tally{Approved: n}})
	}
	f.Timeline.From = today.AddDate(0, 0, -days)
	f.Counts = insights.Counts{Active: active, Likely: 41, Maybe: 96, Again: 22, Stale: 12, Oldest: noon.AddDate(0, 0, -12)}
	for i := range f.Confidence.Active {
		f.Confidence.Active[i] = max(0, 90-(i-6)*(i-6)*14)
		f.Confidence.Waiting[i] = random(24)
	}
	f.Lanes = []insights.Lane{{Lane: lessons.Likely, Decided: 212, Approved: 178, Said: 0.8}, {Lane: lessons.Maybe, Decided: 324, Approved: 133, Said: 0.4}}
	for i, doing := range []string{"go test ./e2e", "git checkout designs", "go vet ./redact", "bd list --all", "npm install"} {
		m := insights.Mistake{ID: lessons.ID(fmt.Sprintf("m%d", i)), Doing: doing, Says: "exit status 1", Count: 31 - 4*i, Sessions: 9 - i}
		for range insights.MistakeWeeks {
			m.Weeks = append(m.Weeks, random(6+3*(i%2)))
		}
		switch i {
		case 0:
			m.Lesson, m.Status, m.Approved, m.After = "p2r7e4fx", lessons.Approved, noon.AddDate(0, -2, 0), 2
		case 1:
			m.Lesson, m.Status, m.Approved = "b3f8a2nn", lessons.Approved, noon.AddDate(0, -3, 0)
		case 2:
			m.Lesson, m.Status = "k7m2p9qx", lessons.Pending
		}
		f.Mistakes = append(f.Mistakes, m)
	}
	for i, title := range []string{"Fix up any code quality issues you notice", "Look in explain.go before you write another summary", "Use literal expectations in redact tests", "Ask before running the e2e tests"} {
		f.Use.Lessons = append(f.Use.Lessons, insights.LessonUse{ID: lessons.ID(fmt.Sprintf("u%d", i)), Title: title, Given: 31 - 7*i, Helped: max(7-3*i, 0)})
	}
	share := func(name string, part, of int) insights.Measure {
		return insights.Measure{Name: name, Unit: insights.Share, Known: true, Value: float64(part) / float64(of), Part: part, Of: of, Since: noon.AddDate(0, -1, 0)}
	}
	f.Success = []insights.Measure{
		share(insights.InjectionRate, 101, 140), share(insights.PrecedentCoverage, 53, 140),
		{Name: insights.UsageRate, Missing: "nobody has said yet what a lesson did: `learnings feedback ID helpful`"},
		share(insights.Quality, 18, 20), share(insights.RecurringMistakes, 33, 90), share(insights.RecurringAfterCure, 1, 2),
	}
	return f
}

// counting answers with figures.
func counting(f *Figures) func(*Config) {
	return func(c *Config) {
		c.Figures = func(context.Context, string, bool) (*Figures, error) { return f, nil }
	}
}

func fxCounting(t testing.TB, f *Figures) effects {
	fx := fxOn(newCorpus(t, proposals()...))
	counting(f)(&fx.Config)
	return fx
}

// inThemes shows a screen at the sizes that matter, without colour and in two themes.
func inThemes(t *testing.T, fx func() effects, keys ...string) {
	t.Helper()
	for _, size := range [][2]int{{60, 16}, {80, 24}, {120, 40}, {200, 60}} {
		for _, theme := range []string{look.None, look.Dark, look.Light} {
			t.Run(fmt.Sprintf("%dx%d-%s", size[0], size[1], theme), func(t *testing.T) {
				fx := fx()
				fx.Theme = theme
				p := playing(t, fx, size[0], size[1]).press(keys...)
				if theme == look.None {
					golden.RequireEqual(t, p.text())
					return
				}
				golden.RequireEqual(t, p.a.View().Content+"\n")
			})
		}
	}
}

func TestInsightsLooks(t *testing.T) {
	inThemes(t, func() effects { return fxCounting(t, someFigures()) }, "alt+4", "down", "j", "j")
}

// What is not counted yet says from when on it will be.
func TestInsightsOfNothingLooks(t *testing.T) {
	f := &Figures{Now: noon, Lanes: []insights.Lane{{Lane: lessons.Likely}, {Lane: lessons.Maybe}}}
	golden.RequireEqual(t, playing(t, fxCounting(t, f), 120, 40).press("alt+4").text())
}

func TestTableLooks(t *testing.T) {
	for name, keys := range map[string][]string{
		"growth": {"alt+4", "T"}, "mistakes": {"alt+4", "down", "T", "j"}, "given": {"alt+4", "down", "down", "l", "T"},
	} {
		t.Run(name, func(t *testing.T) {
			golden.RequireEqual(t, playing(t, fxCounting(t, someFigures()), 120, 40).press(keys...).text())
		})
	}
}

// Whatever there is to draw, at any size, keeps the frame.
func TestPicturesHold(t *testing.T) {
	bad := someFigures()
	bad.Mistakes[0].Doing, bad.Mistakes[1].Says = hostile().Content, strings.Repeat("長い言葉", 60)
	bad.Use.Lessons[0].Title = hostile().Content
	bad.Counts.Active, bad.Timeline.Days[3].Active = 1234567, 1234567
	empty := &Figures{Now: noon}
	odd := someFigures()
	odd.Timeline.Days, odd.Mistakes[0].Weeks, odd.Lanes = odd.Timeline.Days[:1], nil, nil
	odd.Confidence.Active = [10]int{5: 1}
	for i, f := range []*Figures{bad, empty, odd} {
		p := playing(t, fxCounting(t, f), 120, 40).press("alt+4")
		for _, keys := range [][]string{{}, {"G", "j", "j"}, {"+", "+", "+"}, {"-", "-", "-", "-"}, {"g", "down", "j", "T"}} {
			p.press("esc").press(keys...)
			for _, w := range []int{60, 61, 83, 84, 99, 100, 101, 121, 160, 250} {
				for _, h := range []int{16, 24, 25, 33, 70} {
					p.send(tea.WindowSizeMsg{Width: w, Height: h})
					frame(t, p, w, h, append(keys, fmt.Sprint(i)))
				}
			}
		}
	}
}

// Each picture and each row goes somewhere, and where it goes is a query that can be read.
func TestPicturesGoSomewhere(t *testing.T) {
	b := board{figures: someFigures(), weeks: 26}
	for p := range pictures {
		if q := b.queryBehind(p); q == "" && p != picMinutes {
			t.Errorf("nothing is behind %q", p.title())
		} else if _, err := index.ParseQuery(q); err != nil {
			t.Errorf("%q: %v", p.title(), err)
		}
		for _, r := range b.rowsOf(p) {
			if len(r.cells) != len(b.heads(p)) {
				t.Errorf("%q has %d heads and %d cells", p.title(), len(b.heads(p)), len(r.cells))
			}
			if _, err := index.ParseQuery(r.query); err != nil {
				t.Errorf("%q: %v", r.query, err)
			}
			if p.walkable() && r.query == "" && r.work == noWork && r.why == "" {
				t.Errorf("%q leads nowhere and does not say why", r.cells[0])
			}
		}
	}
}

func TestEnterOpensTheLessonsBehindAPicture(t *testing.T) {
	p := at(t, 120, 40, proposals(), counting(someFigures()))
	p.wait("Review 5")
	p.press("alt+4")
	p.wait("▸ active lessons", "5 came back", "best streak")
	p.press("down")
	p.wait("▸ mistakes that come back")
	p.press("j", "j", "enter")
	p.wait("id:b3f8a2nn", "Run `buf generate`")
	p.quit()
}

func TestDuplicatesAreSettledFromInsights(t *testing.T) {
	p := at(t, 120, 40, proposals(), counting(someFigures()))
	p.wait("Review 5")
	p.press("alt+4")
	p.wait("best streak")
	p.press("G", "j", "j")
	p.wait("▌ ≈ duplicates, not looked for yet")
	p.press("enter")
	p.wait("lessons that say the same")
	p.press("esc", "alt+4")
	p.wait("▸ worth ten minutes", "22 to look at again")
	if got := p.String(); strings.Contains(got, "≈ duplicates, not looked for yet") {
		t.Errorf("they were looked for:\n%s", got)
	}
	p.quit()
}

func TestPicturesOfOneProject(t *testing.T) {
	asked := make(chan string, 20)
	p := at(t, 120, 40, proposals(), counting(someFigures()), func(c *Config) {
		all := c.Figures
		c.Figures = func(ctx context.Context, project string, anew bool) (*Figures, error) {
			asked <- project
			f, err := all(ctx, project, anew)
			of := *f
			if project == "shopfront" {
				of.Counts.Stale = 7
			}
			return &of, err
		}
		c.Next.Projects = func(context.Context) ([]string, error) { return []string{"octofs", "shopfront"}, nil }
	})
	p.wait("Review 5")
	p.press("alt+4")
	p.wait("best streak")
	p.press("p")
	p.wait("figures of which project", "octofs")
	p.write("shop")
	p.press("enter")
	p.wait("shopfront", "best streak", "7 stale")
	for got := range asked {
		if got == "shopfront" {
			break
		}
	}
	p.press("down", "down", "j", "enter")
	p.wait("shopfront × approved")
	p.quit()
}

func TestTableIsCopied(t *testing.T) {
	p := at(t, 120, 40, proposals(), counting(someFigures()))
	p.wait("Review 5")
	p.press("alt+4")
	p.wait("best streak")
	p.press("right", "T")
	p.wait("╭─ decisions by day", "approved")
	p.press("y")
	p.wait("copied the table")
	p.press("esc", "+")
	p.wait("last 52 weeks")
	p.press("-", "-")
	p.wait("last 12 weeks")
	p.quit()
}

// Figures that cannot be counted are no reason to lose those that could.
func TestFiguresFail(t *testing.T) {
	var broken atomic.Bool
	p := at(t, 120, 40, proposals(), func(c *Config) {
		c.Figures = func(_ context.Context, _ string, anew bool) (*Figures, error) {
			if broken.Load() {
				return nil, errors.New("the journal is gone\x1b]0;x\a")
			}
			return someFigures(), nil
		}
	})
	p.wait("Review 5")
	p.press("alt+4")
	p.wait("▸ active lessons", "best streak")
	broken.Store(true)
	p.press("r")
	p.wait("could not be counted again", "best streak")
	broken.Store(false)
	p.press("r")
	p.wait("counted from the decisions")
	p.quit()
}

// A day of the heat map opens what was decided on that day, and nothing else.
func TestInsightsDayOpensIt(t *testing.T) {
	ls := proposals()
	for i := range ls {
		ls[i].Status, ls[i].Created, ls[i].Decided = lessons.Approved, noon.AddDate(0, -1, 0), lessons.Decision{By: "Ada", At: noon.AddDate(0, 0, -i)}
	}
	fx := fxOn(newCorpus(t, ls...))
	days := make([]insights.Day, 30)
	for i := range days {
		d := &days[i]
		d.Date = time.Date(2026, 4, 6-29+i, 0, 0, 0, 0, time.UTC)
		if back := 29 - i; back < len(ls) {
			d.Approved = 1
		}
	}
	fx.Figures = func(context.Context, string, bool) (*Figures, error) {
		return &Figures{Now: noon, Timeline: insights.Timeline{Days: days}}, nil
	}
	p := playing(t, fx, 120, 40).press("alt+4", "l", "j", "j")
	if got := p.text(); !strings.Contains(got, "Sun 5 April: 1 approved · enter opens them") {
		t.Errorf("the day is not told:\n%s", got)
	}
	if got := p.press("enter").text(); !strings.Contains(got, "/ decided:2026-04-05") || !strings.Contains(got, "1 lesson ") || !strings.Contains(got, "bleve") {
		t.Errorf("the day is not opened:\n%s", got)
	}
}
