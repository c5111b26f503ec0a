package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"learnings/lessons"
	"learnings/tui/desk"
	"learnings/tui/look"
)

// screens are the screens with a golden picture: what they are of, and the keys that lead
// there.
var screens = map[string]struct {
	of   func(*testing.T) desk.Desk
	keys string
}{
	"review":      {showing(judged), "j j space k"},
	"steps":       {nothingRead, ""},
	"summary":     {lanes, "x a"},
	"likely":      {lanes, ""},
	"maybe":       {lanes, "f"},
	"duplicates":  {lanes, "T"},
	"outside":     {lanes, "h h"},
	"quarantined": {lanes, "!"},
	"filtered":    {lanes, "/ p n p m enter"},
	"outdated":    {func(t *testing.T) desk.Desk { _, fx := agedCorpus(t); return fx }, "h"},
	"editor":      {waiting, "j j i ctrl+u " + spelt("Run make generate after any edit of a .proto file.") + " tab tab tab right tab tab tab tab tab , p"},
	"merge":       {waiting, "j j m"},
	"settlement":  {showing(func(testing.TB) []lessons.Lesson { return append(proposals(), elsewhere()) }), "j j j c"},
	"help":        {waiting, "?"},
	"log":         {waiting, "a u @"},
	"palette":     {waiting, ": t h e m"},
	"palette-all": {waiting, ":"},
	"reader":      {func(t *testing.T) desk.Desk { fx, _ := fxReading(t); return fx }, "enter"},
	"browse":      {showing(func(testing.TB) []lessons.Lesson { return library() }), "tab j space"},
	"sessions":    {halfReadable, "alt+3 * x j"},
	"insights":    {func(t *testing.T) desk.Desk { return fxCounting(t, someFigures()) }, "alt+4 n j"},
	"next":        {func(t *testing.T) desk.Desk { return fxTelling(t, inForce()...) }, "alt+5 / " + spelt("check designs in as text") + " enter j j"},
	"next-reads": {func(t *testing.T) desk.Desk {
		return readsFiles(fxTelling(t, inForce()...), "# Rules\n\nSet a timeout on each git fetch.\nUse npm, never pnpm.\n")
	}, "alt+5 j j"},
}

var (
	waiting = showing(func(testing.TB) []lessons.Lesson { return proposals() })
	lanes   = showing(func(testing.TB) []lessons.Lesson { return laned() })
)

// showing returns a function that makes desks, each over a new corpus.
func showing(ls func(testing.TB) []lessons.Lesson) func(*testing.T) desk.Desk {
	return func(t *testing.T) desk.Desk { return fxOn(newCorpus(t, ls(t)...)) }
}

func spelt(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Split(text, ""), " "), "   ", " space ")
}

// nothingRead is a machine where nothing has been read.
func nothingRead(t *testing.T) desk.Desk {
	fx := fxOn(newCorpus(t))
	fx.Place, fx.Looked = "/home/ada/.local/share/learnings", []string{"~/.claude/projects", "~/.codex/sessions", "~/.gemini"}
	fx.OfferSample = func() (desk.Config, error) { return desk.Config{}, nil }
	return fx
}

// halfReadable has transcripts of which one cannot be read.
func halfReadable(t *testing.T) desk.Desk {
	return fxWith(newCorpus(t), transcripts(), func(_ context.Context, path string) (int, error) {
		if path == "/s/b.jsonl" {
			return 0, errors.New("permission denied")
		}
		return 1, nil
	})
}

// TestLooks compares every screen at the important sizes, in three themes, with its file.
// That has each text once, and the styles of its lines beside it.
func TestLooks(t *testing.T) {
	for name, screen := range screens {
		t.Run(name, func(t *testing.T) {
			keys := strings.Fields(screen.keys)
			p := playing(t, screen.of(t), 120, 40).press(keys...)
			var out strings.Builder
			drawn := map[string][2]string{} // text and styles, by the size
			for _, theme := range []string{look.Dark, look.Light, look.None} {
				var styles []string
				p.a.fx.Theme = theme
				p.a, _ = p.a.restyled(true)
				for _, size := range [][2]int{{20, 5}, {40, 10}, {60, 16}, {80, 24}, {120, 40}, {200, 60}} {
					p.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
					frame(t, p, size[0], size[1], keys)
					at := fmt.Sprintf("%d×%d", size[0], size[1])
					text, worn := parted(p.a.View().Content, &styles)
					if now := [2]string{text, worn}; now != drawn[at] {
						fmt.Fprintf(&out, "-- %s %s --\n", at, theme)
						if text != drawn[at][0] {
							fmt.Fprintln(&out, text)
						}
						fmt.Fprintln(&out, worn)
						drawn[at] = now
					}
				}
				fmt.Fprintf(&out, "-- %s --\n", theme)
				for i, s := range styles {
					fmt.Fprintf(&out, "%s %s\n", string(rune('a'+i)), s)
				}
			}
			golden.RequireEqual(t, out.String())
		})
	}
}

// parted returns the text of a screen and, for each line, how many cells each style has.
// A letter stands for its style, in the order in which they come.
func parted(screen string, styles *[]string) (text, worn string) {
	var lines, rows []string
	for line := range strings.SplitSeq(screen, "\n") {
		lines = append(lines, strings.TrimRight(ansi.Strip(line), " "))
		var row strings.Builder
		style, at := "", 0
		for _, m := range append(sgr.FindAllStringSubmatchIndex(line, -1), []int{len(line), len(line), -1, -1}) {
			if n := ansi.StringWidth(line[at:m[0]]); n > 0 && style != "" {
				if !slices.Contains(*styles, style) {
					*styles = append(*styles, style)
				}
				fmt.Fprintf(&row, "%d%c", n, 'a'+slices.Index(*styles, style))
			} else if n > 0 {
				fmt.Fprintf(&row, "%d ", n)
			}
			if at = m[1]; m[2] < 0 {
			} else if set := line[m[2]:m[3]]; set == "" || set == "0" {
				style = ""
			} else {
				style = strings.TrimPrefix(style+" "+set, " ")
			}
		}
		rows = append(rows, strings.TrimRight(row.String(), " 0123456789"))
	}
	return strings.Join(lines, "\n"), strings.Join(rows, "|")
}
