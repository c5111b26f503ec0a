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
	x.Copied = func(_ context.Context, form string, ids []lessons.ID) (string, error) { return form, nil }
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
