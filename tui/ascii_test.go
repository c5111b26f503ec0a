package tui

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"learnings/lessons"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// Everything the desk itself writes has an ASCII substitute.
func TestOwnTextIsASCII(t *testing.T) {
	for _, pattern := range []string{"*.go", "*/*.go"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatal(names, err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			files := token.NewFileSet()
			f, err := parser.ParseFile(files, name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(f, func(n ast.Node) bool {
				lit, ok := n.(*ast.BasicLit)
				if !ok || lit.Kind != token.STRING {
					return true
				}
				s, err := strconv.Unquote(lit.Value)
				if err != nil {
					t.Fatal(err)
				}
				for _, r := range look.ASCII(s) {
					if r >= 0x80 && !unicode.In(r, unicode.M, unicode.Cf) {
						t.Errorf("%s: %q has no sign of ASCII, in %q", files.Position(lit.Pos()), r, s)
					}
				}
				return true
			})
		}
	}
}

// rich is Markdown of every kind, in ASCII.
const rich = "# Head\n\nSome **bold**, *emphasis*, `code`, ~~struck~~ and [a link](https://example.org).\n\n- one\n  - two\n- [x] done\n- [ ] open\n\n1. first\n2. second\n\n> a quote\n> of two lines\n\n| a | b |\n|---|:-:|\n| 1 | 2 |\n\n---\n\n```go\nfunc main() {}\n```\n\nTerm\n: meaning\n\n![picture](a.png) <b>html</b> &mdash; &hellip; -- ... \"quoted\" 'single'"

// With ASCII signs no screen, dialog, page, note or title has other signs, including
// drawn Markdown. The lessons here are ASCII.
func TestNothingOfOursIsBeyondASCII(t *testing.T) {
	var some []lessons.Lesson
	for _, l := range slices.Concat(worded(), library(), judged(t), opposites()) {
		if !slices.ContainsFunc(some, func(o lessons.Lesson) bool { return o.ID == l.ID }) {
			l.Insight, l.Example = rich, "```\nmake\n```\n\n- as it is"
			if len(some)%2 == 0 { // lessons with an address are quarantined
				l.Insight = strings.ReplaceAll(strings.ReplaceAll(rich, "https://example.org", "b.md"), "<b>html</b>", "")
			}
			some = append(some, l)
		}
	}
	for _, size := range [][2]int{{120, 40}, {80, 24}} {
		var c *corpus // until something is decided
		for s := range desk.Screens {
			fresh := func() *play {
				if c == nil {
					c = newCorpus(t, some...)
				}
				fx := fxWith(c, transcripts(), nil)
				fx.Look, fx.ASCII = c, true
				return playing(t, fx, size[0], size[1]).press(fmt.Sprintf("alt+%d", s+1))
			}
			check := func(p *play, keys ...string) {
				t.Helper()
				v := p.a.View()
				for line := range strings.Lines(ansi.Strip(v.Content) + "\n" + v.WindowTitle) {
					if i := strings.IndexFunc(line, func(r rune) bool { return r >= 0x80 }); i >= 0 {
						t.Errorf("%s at %d×%d after %q: %q", s, size[0], size[1], keys, line)
						return
					}
				}
			}
			p := fresh()
			check(p)
			for _, b := range slices.Concat(bound(s), bound(desk.Screens)) {
				for _, k := range b.Keys[:1] {
					if slices.Contains([]string{"q", "S", "ctrl+z"}, k) || size[0] != 120 && (slices.ContainsFunc(bound(desk.Screens), func(o kit.Key) bool { return slices.Contains(o.Keys, k) }) || s != desk.OnReview) {
						continue
					}
					check(p.press(k), k)
					if p.a.dialog == nil && !p.a.typing() && p.a.on == s && len(p.a.tally) == 0 {
						continue
					}
					for _, more := range []string{"pgdown", "pgdown", "tab", "enter"} { // further down, and the first choice
						check(p.press(more), k, more)
					}
					if len(p.a.tally) > 0 {
						c = nil
					} else if p.press("esc", "esc", "esc"); p.a.dialog == nil && !p.a.typing() && p.a.on == s {
						continue
					}
					p = fresh()
				}
			}
		}
	}
}
