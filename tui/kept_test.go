package tui

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"learnings/tui/look"
)

// All that the desk itself writes has a sign of ASCII.
func TestOwnTextIsASCII(t *testing.T) {
	for _, dir := range []string{".", "look"} {
		names, err := filepath.Glob(filepath.Join(dir, "*.go"))
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

// With signs of ASCII a frame has no others, but those of a lesson, which are kept.
func TestASCIIKeepsWhatLessonsSay(t *testing.T) {
	const theirs = "Write → not ->, “quoted” ✓ and ▌ or │ as they are"
	for _, size := range [][2]int{{60, 16}, {80, 24}, {120, 40}, {200, 60}} {
		ls := judged(t)
		ls[2].Content, ls[2].Insight = theirs, "- "+theirs+"\n- `one` → two"
		ls[2].Evidence[0].Quote = "always: " + theirs
		c := newCorpus(t, ls...)
		for _, keys := range [][]string{{"j", "j"}, {"j", "j", "w"}, {"r"}, {"*", "a"}, {"?"}, {":"}, {"i"}, {"K"}, {"tab"}, {"alt+4"}, {"alt+5"}} {
			fx := fxOn(c)
			fx.ASCII = true
			p := playing(t, fx, size[0], size[1]).press(keys...)
			frame(t, p, size[0], size[1], keys)
			got := p.text()
			if keys[0] == "j" {
				p.wants(t, "the card", "Write → not ->, “quoted” ✓ and ▌ or │")
			}
			got = strings.NewReplacer("→", "", "“", "", "”", "", "✓", "", "▌", "", "│", "").Replace(got) // what is theirs
			for i, l := range strings.Split(got, "\n") {
				for _, r := range l {
					if r >= 0x80 {
						t.Errorf("%v after %q: %q in line %d: %s", size, keys, r, i, l)
						break
					}
				}
			}
		}
	}
	if w := ansi.StringWidth(look.Keep(theirs)); w != ansi.StringWidth(theirs) || look.ASCII(look.Keep(theirs)) != theirs {
		t.Error(fmt.Sprint("kept text is ", w, " wide: ", look.ASCII(look.Keep(theirs))))
	}
}
