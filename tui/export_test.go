package tui

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"learnings/lessons"
	"learnings/tui/desk"
	"learnings/tui/kit"
)

// writing returns an Exchange that records what it is asked to write.
func writing(wrote *[]string) desk.Exchange {
	plan := func(what string, ids []lessons.ID) desk.Preview {
		p := desk.Preview{Title: "export " + kit.LessonsOf(len(ids)), Text: fmt.Sprintf("~/%s\n\n+ %v\n", what, ids), Do: func(context.Context) (string, error) {
			*wrote = append(*wrote, fmt.Sprint(what, " ", ids))
			return "made " + what, nil
		}}
		if strings.Contains(what, "mine") {
			p.Over = "~/mine.md"
		}
		return p
	}
	x := exchanging()
	x.Forms = func() []desk.Form {
		return []desk.Form{{Name: "markdown", About: "a text for people", Path: "~/lessons.md", Text: true}, {Name: "octomind", About: "Octomind's folder", Path: "~/octo"}}
	}
	x.Chosen = func(_ context.Context, form, path string, ids []lessons.ID) (desk.Preview, error) {
		return plan(form+" "+path, ids), nil
	}
	x.Page = func(_ context.Context, title, path string, ids []lessons.ID) (desk.Preview, error) {
		return plan("page "+path+" “"+title+"”", ids), nil
	}
	x.Copied = func(_ context.Context, form string, ids []lessons.ID) (string, []lessons.Lesson, error) {
		return form, nil, nil
	}
	return x
}

func browsing(t *testing.T, wrote *[]string) *play {
	ls := proposals()
	for i := range ls {
		ls[i].Status = lessons.Approved
	}
	fx := fxOn(newCorpus(t, ls...))
	fx.Exchange = writing(wrote)
	return playing(t, fx, 100, 30).press("tab")
}

// What looks like a secret is shown and asked about, once, before the clipboard or an
// export takes it.
func TestLeaving(t *testing.T) {
	let := 0
	p := at(t, 120, 30, proposals(), func(c *desk.Config) {
		c.Suspects = func(ls []lessons.Lesson) (lines []string, _ func() error) {
			for _, l := range ls[:len(ls)*(1-min(let, 1))] {
				lines = append(lines, string(l.ID)+" t…")
			}
			return lines, func() error { let++; return nil }
		}
	})
	p.press("y").see("1 lesson with words that look like secrets", " t…", "y let them leave").press("esc").see("nothing has left this machine")
	if let > 0 || strings.Contains(p.sent(), "\x1b]52;c;") {
		t.Error("copied unasked")
	}
	p.press("y", "y").see("copied the lesson").press("Y").see("copied p2r7e4fx").quit()
	if let != 1 {
		t.Errorf("let leave %d times", let)
	}

	var wrote []string
	let = 0
	fx := fxOn(newCorpus(t, proposals()...))
	fx.Exchange = writing(&wrote)
	fx.Suspects = func(ls []lessons.Lesson) ([]string, func() error) {
		return []string{"k7m2p9qx t…"}, func() error { let++; return nil }
	}
	for _, keys := range [][]string{{"w", "enter", "enter", "enter"}, {"W", "enter", "enter"}} {
		b := playing(t, fx, 100, 30).press("tab").press(keys...)
		if !strings.Contains(b.text(), "k7m2p9qx t…") || len(wrote) > 0 {
			t.Errorf("%v wrote %q\n%s", keys, wrote, b.text())
		}
		if b.press("y"); len(wrote) != 1 || let == 0 {
			t.Errorf("%v wrote %q\n%s", keys, wrote, b.text())
		}
		wrote, let = nil, 0
	}
}

func TestExportLooks(t *testing.T) {
	for name, keys := range map[string][]string{
		"forms": {"space", "space", "E"},
		"path":  {"w", "enter"},
		"shown": {"space", "space", "w", "enter", "enter"},
		"over":  {"w", "enter", "ctrl+u", "~", "/", "m", "i", "n", "e", ".", "m", "d", "enter", "enter"},
		"page":  {"W"},
	} {
		t.Run(name, func(t *testing.T) {
			var wrote []string
			golden.RequireEqual(t, browsing(t, &wrote).press(keys...).text())
			if len(wrote) > 0 {
				t.Errorf("wrote %s unasked", wrote)
			}
		})
	}
}

// Only the marked lessons are written. An existing file is replaced only if the person
// agrees.
func TestExportOfTheMarked(t *testing.T) {
	var wrote []string
	p := browsing(t, &wrote)
	p.press("space", "space", "w", "enter", "enter", "enter")
	if len(wrote) != 1 || !strings.HasPrefix(wrote[0], "markdown ~/lessons.md [") || strings.Count(wrote[0], " ") != 3 || !strings.Contains(p.text(), "✓ made markdown") {
		t.Errorf("wrote %q\n%s", wrote, p.text())
	}
	p.press("E", "enter", "ctrl+u").typed("~/mine.md").press("enter", "enter")
	if len(wrote) != 1 || !strings.Contains(p.text(), "~/mine.md is there: o replaces it") {
		t.Errorf("wrote %q\n%s", wrote, p.text())
	}
	if p.press("o"); len(wrote) != 2 {
		t.Errorf("wrote %q\n%s", wrote, p.text())
	}
	if p.press("esc", "esc", "W", "enter", "enter"); len(wrote) != 3 || !strings.HasPrefix(wrote[2], "page learnings.html “approved” [") || strings.Count(wrote[2], " ") != 2+len(proposals()) {
		t.Errorf("wrote %q\n%s", wrote, p.text())
	}
	if p.press("w").typed("copy as").press("enter"); !strings.Contains(p.text(), "copied 1 lesson as markdown") {
		t.Errorf("not copied\n%s", p.text())
	}
}
