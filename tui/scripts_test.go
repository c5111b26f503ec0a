package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"learnings/lessons"
	"learnings/tui/kit"
)

// scripts are texts with zero-width, wide or right-to-left letters.
var scripts = map[string]string{
	"hebrew":    "הרץ את כל הבדיקות לפני כל דחיפה, ולעולם אל תדלג על הבדיקות האיטיות",
	"arabic":    "شغّل كل الاختبارات قبل كل دفعٍ، ولا تتخطَّ الاختبارات البطيئة أبدًا",
	"combining": "Re\u0301sume\u0301 of n\u0303 and a\u0301\u0302\u0303 marks on every le\u0301tter of the te\u0301xt, alwa\u0301ys",
	"zwj":       "Ask 👩\u200d👩\u200d👧\u200d👦 before 🏳️\u200d🌈 and 👨🏽\u200d💻, 1️⃣ after 2️⃣, in 🇩🇪 and ❤️",
	"cjk":       "テストを書いてから実装する。日本語の長い文章も桁がずれないこと、中文也一样",
	"marks":     "\u200ftext\u200e with \u2067isolates\u2069 and \u202eoverrides\u202c and שלום",
}

// Columns stay aligned for any script: in rows, card, reader and dialogs.
func TestScriptsKeepColumns(t *testing.T) {
	for name, text := range scripts {
		ls := judged(t)
		for i := range ls {
			ls[i].Content = text
			ls[i].Tags, ls[i].Triggers = []string{text}, []string{text}
		}
		ls[2].Insight, ls[2].Example = "- "+text+"\n- `"+text+"`", text
		ls[2].Evidence[0].Quote, ls[2].Scope.Project, ls[1].Scope.Project = text+" "+text, text, text
		ls[2].Evidence[0].Before = []string{"person: " + text, "agent, Read: " + text}
		c := newCorpus(t, ls...)
		for _, keys := range [][]string{{"j"}, {"k"}, {"r"}, {"m"}, {"i"}, {"t"}, {"P"}, {"*", "a"}, {"enter"}, {"tab"}, {"alt+5"}} {
			p := playing(t, fxOn(c), 100, 30).press("j", "j").press(keys...)
			for _, size := range [][2]int{{60, 16}, {80, 24}, {120, 40}, {200, 60}} {
				p.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
				frame(t, p, size[0], size[1], keys)
				columnsHold(t, name+" after "+strings.Join(keys, " "), p)
			}
		}
	}
}

// columnsHold checks that the hairlines between columns are aligned.
func columnsHold(t *testing.T, what string, p *play) {
	t.Helper()
	lines := strings.Split(ansi.Strip(p.a.View().Content), "\n")
	if p.a.dialog != nil || p.a.H <= kit.LowH {
		return
	}
	for x := range p.a.W {
		if ansi.Cut(lines[3], x, x+1) != "┬" {
			continue
		}
		for y := 4; y < len(lines)-3; y++ {
			if got := strings.TrimRight(ansi.Cut(lines[y], x, x+1), "\u200e"); got != "│" {
				t.Fatalf("%s: %q and no hairline at column %d of line %d: %s", what, got, x, y, lines[y])
			}
		}
	}
}

// The cursor of a field is on a grapheme cluster, after all that precede it.
func TestCursorOfAField(t *testing.T) {
	for name, text := range scripts {
		text = lessons.Line(text)
		in := kit.NewField(text)
		all := kit.Characters(in.Value())
		for at := 0; at <= len([]rune(text)); at++ {
			in.SetCursor(at)
			for _, w := range []int{8, 20, 200} {
				got := kit.FieldView(in, w)
				if n := ansi.StringWidth(got); n != w {
					t.Fatalf("%s: %d cells in place of %d: %q", name, n, w, got)
				}
				before, rest, _ := strings.Cut(got, "\x1b[7m")
				on, _, _ := strings.Cut(rest, "\x1b[m")
				want, cells, n := " ", 0, 0
				for _, c := range all {
					if n += c.Runes; n > at {
						want = c.Shown
						break
					}
					cells += c.W
				}
				if on != want {
					t.Fatalf("%s at %d: the cursor is on %q, not on %q", name, at, on, want)
				}
				if x := ansi.StringWidth(before); w == 200 && x != cells {
					t.Fatalf("%s at %d: the cursor is in cell %d, not in %d", name, at, x, cells)
				}
			}
		}
	}
}
