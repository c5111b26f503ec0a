package tui

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"learnings/lessons"
)

// The review screen at the sizes that matter: the least, the usual, a large one.
func TestReviewLooks(t *testing.T) {
	for _, size := range [][2]int{{60, 16}, {80, 24}, {120, 40}, {200, 60}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			p := playing(t, fxOn(newCorpus(t, proposals()...)), size[0], size[1])
			golden.RequireEqual(t, p.press("j", "space", "space").text())
		})
	}
}

func TestDialogsLook(t *testing.T) {
	for name, keys := range map[string][]string{
		"diff":    {"j", "j", "d"},
		"why":     {"r"},
		"why-all": {"*", "r", "/", "n", "o"},
		"confirm": {"*", "a"},
		"line":    {"i"},
		"history": {"j", "j", "5", "i", "!", "enter", "H", "j"},
		"merge":   {"j", "j", "m"},
		"merge-3": {"space", "space", "space", "m"},
		"help":    {"?"},
		"palette": {":", "r", "e", "j"},
		"filter":  {"/", "n", "p", "m"},
		"nothing": {"/", "z", "z", "enter"},
		"unclear": {"/", "c", "o", "n", "f", ":", "x"},
	} {
		t.Run(name, func(t *testing.T) {
			p := playing(t, fxOn(newCorpus(t, proposals()...)), 100, 30)
			golden.RequireEqual(t, p.press(keys...).text())
		})
	}
}

func TestEmptyQueueSaysWhatToDo(t *testing.T) {
	golden.RequireEqual(t, playing(t, fxOn(newCorpus(t)), 80, 24).text())
}

// hostile is a lesson whose every text tries to break out of its place.
func hostile() lessons.Lesson {
	bad := "\x1b]0;owned\a\x1b[2J\x1b[31mred\x1b[0m \u202eesrever\u202c 日本語の学習メモ 👩\u200d👩\u200d👧\u200d👦 e\u0301\u0301\u0301 שלום \x07\x9b31m a\tb\r\nc \u200bzero"
	l := proposals()[2]
	l.ID, l.Content, l.Insight, l.Example = "h2o3s4t5", bad+" "+strings.Repeat("長い言葉", 60), bad, bad
	l.Category, l.Scope.Project, l.Scope.Role = lessons.Category(bad), bad, bad
	l.Tags, l.Triggers, l.Origin.Rule, l.Origin.Extractor = []string{bad}, []string{bad}, bad, bad
	l.Evidence[0].Quote, l.Evidence[0].Agent, l.Evidence[0].Session, l.Evidence[0].From = bad, bad, bad, bad
	l.Evidence[0].Before, l.Evidence[0].After = []string{bad, bad}, []string{bad}
	return l
}

func TestHostileTextIsHarmless(t *testing.T) {
	p := playing(t, fxOn(newCorpus(t, hostile())), 100, 30)
	golden.RequireEqual(t, p.text())
}

// Whatever is shown, at whatever size: as many lines as the terminal has, none
// wider than it, and of escape sequences only those that set a look.
func TestFramesHold(t *testing.T) {
	other := proposals()[0]
	other.Tags = hostile().Tags
	for _, keys := range [][]string{{}, {"r"}, {"r", "/"}, {"x"}, {"m"}, {"i"}, {"?"}, {":"}, {"/", "h"}, {"*", "a"}, {"enter"}, {"tab"}, {"tab", "tab"}, {"d", "J", "J"}} {
		p := playing(t, fxOn(newCorpus(t, hostile(), other)), 100, 30)
		p.press("j").press(keys...)
		for _, w := range []int{1, 2, 20, 40, 41, 59, 60, 83, 84, 85, 110, 149} {
			for _, h := range []int{1, 5, 10, 11, 16, 40} {
				p.send(tea.WindowSizeMsg{Width: w, Height: h})
				frame(t, p, w, h, keys)
			}
		}
	}
}

func frame(t *testing.T, p *play, w, h int, keys []string) {
	t.Helper()
	lines := strings.Split(p.a.View().Content, "\n")
	if len(lines) > h {
		t.Fatalf("%d×%d after %q: %d lines", w, h, keys, len(lines))
	}
	for i, l := range lines {
		if n := ansi.StringWidth(l); n > w {
			t.Fatalf("%d×%d after %q: line %d is %d wide: %q", w, h, keys, i, n, l)
		}
		if rest := looks.Replace(l); strings.ContainsAny(ansi.Strip(l), "\x1b\x07\u009b\u202e\u200b") || strings.Contains(rest, "owned") || strings.Contains(rest, "\x1b]") || strings.Contains(rest, "\x1b[2J") {
			t.Fatalf("%d×%d after %q: line %d lets something through: %q", w, h, keys, i, l)
		}
	}
}

var looks = strings.NewReplacer("\x1b[m", "", "\x1b[0m", "")

// A resize keeps the lesson and the place in its card.
func TestResizeKeepsThePlace(t *testing.T) {
	p := playing(t, fxOn(newCorpus(t, proposals()...)), 60, 16)
	p.press("j", "j", "J")
	was, top := p.a.review.rows[p.a.review.cur.at].ID, p.a.review.card.top
	if top == 0 {
		t.Fatal("the card did not scroll")
	}
	for _, s := range [][2]int{{20, 5}, {1, 1}, {200, 60}, {83, 24}, {60, 16}} {
		p.send(tea.WindowSizeMsg{Width: s[0], Height: s[1]})
	}
	if now := p.a.review.rows[p.a.review.cur.at].ID; now != was {
		t.Errorf("the cursor went from %s to %s", was, now)
	}
}

func TestSmallTerminalSaysSo(t *testing.T) {
	p := playing(t, fxOn(newCorpus(t, proposals()...)), 20, 5)
	if got := p.text(); !strings.Contains(got, "60×16") {
		t.Errorf("got %q", got)
	}
}

// Without colour there are no colours, and bold still tells what is current.
func TestNoColour(t *testing.T) {
	s := start(t, newApp(t.Context(), fxOn(newCorpus(t, proposals()...))), 100, 30, "NO_COLOR=1")
	s.wait("Review 5", "Prefer table tests")
	s.quit()
	if got := s.raw.String(); colour.MatchString(got) {
		t.Errorf("a colour: %q", colour.FindString(got))
	} else if !strings.Contains(got, "\x1b[1m") {
		t.Errorf("nothing is bold: %q", got)
	}
}

var colour = regexp.MustCompile(`\x1b\[(?:[0-9;]*;)?(?:3[0-8]|4[0-8]|9[0-7])(?:;[0-9;]*)?m`)

func TestBrowseLooks(t *testing.T) {
	for _, size := range [][2]int{{60, 16}, {80, 24}, {120, 40}, {200, 60}} {
		for _, theme := range []string{"dark", "light", "none"} {
			t.Run(fmt.Sprintf("%dx%d-%s", size[0], size[1], theme), func(t *testing.T) {
				fx := fxOn(newCorpus(t, library()...))
				fx.Theme = theme
				p := playing(t, fx, size[0], size[1]).press("tab", "j", "space")
				golden.RequireEqual(t, p.a.View().Content)
			})
		}
	}
	for name, keys := range map[string][]string{
		"facets": {"h", "j", "j", "space"}, "views": {"'"}, "around": {"r"}, "two": {"space", "space", "D"}, "typing": {"/", "p", "n"},
	} {
		t.Run(name, func(t *testing.T) {
			p := playing(t, fxOn(newCorpus(t, library()...)), 100, 30).press("tab")
			golden.RequireEqual(t, p.press(keys...).text())
		})
	}
}
