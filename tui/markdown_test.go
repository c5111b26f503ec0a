package tui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// TestMarkdown draws what insights hold, and what somebody could put into one.
func TestMarkdown(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"words", "**Use `pnpm`**, *never*\nnpm.", "Use pnpm, never npm."},
		{"wrapped", "one two three four five six", "one two three four\nfive six"},
		{"signs", `a \*star\* and \_this\_`, "a *star* and _this_"},
		{"list", "- one\n- two three four five six\n  - deep\n\n3. c\n4. d", "• one\n• two three four\n  five six\n  • deep\n\n3. c\n4. d"},
		{"loose list", "- one\n\n- two", "• one\n\n• two"},
		{"code", "```go\nif x {\n\ty()\n}\n```\n\n    z", "if x {\n    y()\n}\n\nz"},
		{"quote", "> said so\n>\n> — you", "│ said so\n│\n│ — you"},
		{"heading", "## Why\n\nSo.", "## Why\n\nSo."},
		{"table", "| a | b |\n|---|---|\n| 1 | 2 |", "| a | b |\n|---|---|\n| 1 | 2 |"},
		{"link", "[docs](https://x.y) <https://z>", "docs (https://x.y)\nhttps://z"},
		{"entity", "&#27;[2J &lt;", "&#27;[2J &lt;"},
		{"element", "<b>x</b>", "<b>x</b>"},
		{"rule", "a\n\n---\n\nb", "a\n\n────────\n\nb"},
		{"deep", strings.Repeat("> ", 100) + "x", strings.Repeat("│ ", 17) + "…"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, line := range markdown(c.source, 20, true) {
				got = append(got, strings.TrimRight(ansi.Strip(line), " "))
			}
			if text := strings.Join(got, "\n"); text != c.want {
				t.Errorf("%q\nwant %q", text, c.want)
			}
		})
	}
}
