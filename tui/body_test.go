package tui

import (
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"learnings/lessons"
	"learnings/tui/card"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// Markdown of a lesson is drawn without anything a terminal acts on, whether written
// directly, as a character reference or in a link.
func TestMarkdownIsHarmless(t *testing.T) {
	text := "- `code` &#27;[2J &#x1b;]0;owned&#7; &amp;#27;[2J &#155;31m &#8238;evil &ZeroWidthSpace;x &rlm;\n- [link](https://x.example/y) ![image](https://x.example/z)\n" +
		"- \x1b[2J\x1b]0;owned\a \u202eevil\n\n| a | b |\n|---|---|\n| &#27;[2J | <b>2</b> |\n\n```sh\necho '&#27;[2J' \x1b[2J\n```\n"
	for _, theme := range []string{look.Dark, look.None} {
		all := strings.Join(kit.Prose(text, 60, look.New(theme, true, look.TrueColour)), "\n")
		plain := ansi.Strip(all)
		if !strings.Contains(plain, "• code") || !strings.Contains(plain, "link") || strings.Contains(plain, "|---|") {
			t.Errorf("%s: not drawn:\n%s", theme, plain)
		}
		rest := sgr.ReplaceAllString(all, "")
		if strings.ContainsAny(rest, "\x1b\x07\u009b\u202e\u200b\u200f") {
			t.Errorf("%s: something gets through: %q", theme, rest)
		}
		if strings.Contains(all, "\x1b[31m") || strings.Contains(all, "\x1b[8m") {
			t.Errorf("%s: a look of the lesson's own: %q", theme, all)
		}
	}
}

var sgr = regexp.MustCompile(`\x1b\[([0-9;:]*)m`)

// Text without markup is not drawn as Markdown, which would join its lines.
func TestPlainTextStaysAsItIs(t *testing.T) {
	for _, text := range []string{"One line.\nAnother - with a dash * and a star.", "a < b | c", "100 % of 3. parts", "snake_case and #tag"} {
		if got := strings.Join(kit.Prose(text, 60, kit.Unseen), "\n"); got != text {
			t.Errorf("%q is drawn as %q", text, got)
		}
	}
	l := lessons.Lesson{ID: "a", Wording: lessons.Wording{Content: "x", Insight: "- one\n- two", Example: "go test ./..."}}
	if got := ansi.Strip(strings.Join(card.Card{Lesson: l}.Fitted(60, 99, kit.Unseen), "\n")); !strings.Contains(got, "• one\n• two\n\ngo test ./...") {
		t.Errorf("got\n%s", got)
	}
}
