package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"learnings/index/insights"
	"learnings/lessons"
	"learnings/tui/desk"
)

// someFigures returns figures of a corpus in use.
func someFigures() *desk.Figures {
	f := &desk.Figures{Now: noon, Sessions: insights.Sessions{Count: 140}}
	f.Counts = insights.Counts{Active: 289, Waiting: lessons.Waiting{lessons.Likely: 41, lessons.Maybe: 96}, Again: 22, Stale: 12, Oldest: noon.AddDate(0, 0, -12)}
	for i, doing := range []string{"go test ./e2e", "git checkout designs", "go vet ./redact", "bd list --all", "npm install", "make", "cargo build", "tox"} {
		m := insights.Mistake{ID: lessons.ID(fmt.Sprintf("m%d", i)), Doing: doing, Says: "exit status 1", Count: 31 - 4*i, Sessions: 10 - i}
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
		f.Use.Lessons = append(f.Use.Lessons, insights.LessonUse{ID: lessons.ID(fmt.Sprintf("u%d", i)), Title: title, Given: 31 - 7*i, Helped: max(7-3*i, 0), Harmed: i / 3})
	}
	share := func(name string, part, of int) insights.Measure {
		return insights.Measure{Name: name, Unit: insights.Share, Known: true, Value: float64(part) / float64(of), Part: part, Of: of, Since: noon.AddDate(0, -1, 0)}
	}
	f.Success = []insights.Measure{
		share(insights.InjectionRate, 101, 140), share(insights.PrecedentCoverage, 53, 140),
		{Name: insights.UsageRate, Missing: "nobody has said yet what a lesson did: `learnings feedback ID helpful`"},
		share(insights.Quality, 18, 20),
	}
	return f
}

// counting returns a configuration that answers with f.
func counting(f *desk.Figures) func(*desk.Config) {
	return func(c *desk.Config) {
		c.Figures = func(context.Context, []string, bool) (*desk.Figures, error) { return f, nil }
	}
}

func fxCounting(t testing.TB, f *desk.Figures) desk.Desk {
	fx := fxOn(newCorpus(t, proposals()...))
	counting(f)(&fx.Config)
	return fx
}

// Without data a figure says when there will be some.
func TestInsightsOfNothingLooks(t *testing.T) {
	golden.RequireEqual(t, playing(t, fxCounting(t, &desk.Figures{Now: noon}), 120, 40).press("alt+4").text())
}

// Enter on a figure opens something or says why not.
func TestFiguresGoSomewhere(t *testing.T) {
	for _, f := range []*desk.Figures{someFigures(), {Now: noon}} {
		p := playing(t, fxCounting(t, f), 120, 40)
		for i := range 20 {
			before := p.press("esc", "alt+4", "g").press(strings.Split(strings.Repeat("j ", i)+"r", " ")...).text()
			if after := p.press("enter").text(); after == before || strings.Contains(after, "could not be read") {
				t.Errorf("figure %d leads nowhere and does not say why:\n%s", i, after)
			}
		}
	}
}

// Every figure fits the frame at any size.
func TestFiguresHold(t *testing.T) {
	hard := someFigures()
	hard.Mistakes[0].Doing, hard.Mistakes[1].Says = hostile().Content, strings.Repeat("長い言葉", 60)
	hard.Use.Lessons[0].Title = hostile().Content
	hard.Counts.Active = 1234567
	for _, f := range []*desk.Figures{hard, {Now: noon}} {
		p := playing(t, fxCounting(t, f), 120, 40).press("alt+4")
		for _, keys := range [][]string{{}, {"G", "j", "j"}, {"g", "n", "n"}, {"N", "k"}} {
			p.holds(t, keys, []int{60, 61, 84, 101, 160, 250}, []int{16, 24, 25, 70})
		}
	}
}

func TestEnterOpensTheLessonsBehindAFigure(t *testing.T) {
	p := at(t, 120, 40, proposals(), counting(someFigures()))
	p.press("alt+4").see("▌ likely", "what came back", "2 more")
	p.press("n", "n", "j", "enter").see("id:b3f8a2nn", "Run `buf breaking`")
	p.press("alt+4", "n", "k", "enter").see("tox: exit status 1")
	p.quit()
}

func TestDuplicatesAreSettledFromInsights(t *testing.T) {
	p := at(t, 120, 40, proposals(), counting(someFigures()))
	p.press("alt+4").see("what is out of date")
	p.press("N", "j").see("▌ groups of duplicates")
	p.press("enter").see("lessons that say the same")
	p.press("esc", "alt+4").see("to look at again", "12 not confirmed for long")
	if got := p.String(); strings.Count(got, "not looked for: enter looks") > 1 {
		t.Errorf("they were looked for:\n%s", got)
	}
	p.quit()
}

func TestFiguresOfOneProject(t *testing.T) {
	asked := make(chan string, 20)
	p := at(t, 120, 40, proposals(), counting(someFigures()), func(c *desk.Config) {
		all := c.Figures
		c.Figures = func(ctx context.Context, projects []string, anew bool) (*desk.Figures, error) {
			project := strings.Join(projects, "")
			asked <- project
			f, err := all(ctx, projects, anew)
			of := *f
			if project == "shopfront" {
				of.Counts.Stale = 7
			}
			return &of, err
		}
		c.Next.Projects = func(context.Context) ([]string, error) { return []string{"octofs", "shopfront"}, nil }
	})
	p.wait("Review 5")
	p.press("alt+4").see("289 approved")
	p.press("p").see("figures of which project", "octofs")
	p.write("shop").press("enter").see("shopfront", "7 not confirmed")
	for got := range asked {
		if got == "shopfront" {
			break
		}
	}
	p.press("g", "n", "enter").see("shopfront × approved")
	p.quit()
}

// Figures that fail leave the others visible.
func TestFiguresFail(t *testing.T) {
	var broken atomic.Bool
	p := at(t, 120, 40, proposals(), func(c *desk.Config) {
		c.Figures = func(_ context.Context, _ []string, anew bool) (*desk.Figures, error) {
			if broken.Load() {
				return nil, errors.New("the journal is gone\x1b]0;x\a")
			}
			return someFigures(), nil
		}
	})
	p.wait("Review 5")
	p.press("alt+4").see("289 approved")
	broken.Store(true)
	p.press("r").see("could not be counted again", "289 approved")
	broken.Store(false)
	p.press("r").see("counted from the decisions")
	p.quit()
}

// Enter on a mistake proposes a lesson, or opens the one there is.
func TestInsightsProposeFromAMistake(t *testing.T) {
	c := newCorpus(t, proposals()...)
	fx := fxOn(c)
	about := lessons.ID("")
	fx.Figures = func(context.Context, []string, bool) (*desk.Figures, error) {
		return &desk.Figures{Now: noon, Mistakes: []insights.Mistake{
			{ID: "m1", Doing: "make", Says: "protoc: not found", Count: 9, Sessions: 3, Lesson: about, Status: lessons.Pending},
			{ID: "m2", Doing: "npm ci", Says: "EACCES", Count: 4, Sessions: 2},
		}}, nil
	}
	var asked []lessons.ID
	fx.Cure = func(_ context.Context, id lessons.ID) (lessons.Lesson, bool, error) {
		asked = append(asked, id)
		l := proposals()[0]
		if id == "m2" {
			return proposals()[2], true, nil
		}
		l.ID, l.Content = "m1x2x3x4", "Install protoc before make"
		l, err := c.Propose(l)
		about = l.ID
		return l, false, err
	}
	p := playing(t, fx, 120, 40).press("alt+4", "n", "n")
	p.press("enter").wants(t, "proposed", "✓ proposed “Install protoc before make” · it waits in Review")
	p.press("r", "enter").wants(t, "opened", "/ id:m1x2x3x4   1 lesson", "Install protoc before make")
	if len(asked) != 1 || asked[0] != "m1" {
		t.Errorf("asked for %v", asked)
	}
	p.press("alt+4", "j", "enter").wants(t, "known already", "Run `make generate`")
	if p.press("alt+1"); !strings.Contains(p.text(), "Review 6") {
		t.Errorf("it does not wait:\n%s", p.text())
	}
}
