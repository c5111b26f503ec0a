package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"learnings/extractor/intake"
	"learnings/lessons"
	"learnings/lessons/exchange/formats"
	"learnings/tui/desk"
)

// exchanging has stores of other programs, each with a different preview.
func exchanging() desk.Exchange {
	preview := func(_ context.Context, what string) (desk.Preview, error) {
		do := func(context.Context) (string, error) { return "done: " + what, nil }
		switch {
		case strings.HasPrefix(what, "gimli"):
			return desk.Preview{Title: "import from gimli", Text: "~/g (gimli): would propose 0, 2 known already\n\n= Use rg  (k7m2p9qx here, approved)\n"}, nil
		case strings.HasPrefix(what, "amplihack"):
			return desk.Preview{Title: "import from amplihack", Do: do, Text: "~/a (amplihack): would propose 2, 1 known already, 1 not read\n\n" +
				"+ Circular imports break Python  (errors.yaml:9)\n+ " + strings.Repeat("CI needs fetch-depth 0 ", 8) + " (workflows.yaml:3)\n" +
				"! not read: tools.yaml:2: found character\x1b[31m that cannot start any token\n= Use rg  (k7m2p9qx here, approved)\n"}, nil
		case strings.HasPrefix(what, "claude-md"):
			return desk.Preview{Title: "export to claude-md", Do: do, Text: "~/src/CLAUDE.md; a copy is kept\n\n! it cannot hold of k7m2p9qx: why it holds\n--- CLAUDE.md\n+++ CLAUDE.md\n@@ -1 +1,2 @@\n # Notes\n-- old\n+- new\n" + strings.Repeat(" line\n", 40)}, nil
		}
		return desk.Preview{}, errors.New("not found: " + what + " is no file, no folder and no format")
	}
	return desk.Exchange{
		Stores: func(write bool) []desk.Store {
			some := []desk.Store{{Format: "amplihack", Path: "/home/a", Shown: "~/a"}, {Format: "gimli", Path: "/home/g", Shown: "~/g"}}
			if write {
				some = append(some, desk.Store{Format: "claude-md", Path: "/home/src/CLAUDE.md", Shown: "~/src/CLAUDE.md"})
			}
			return some
		},
		Import: preview, Export: preview,
	}
}

func TestExchangeLooks(t *testing.T) {
	afterKeys(t, func() desk.Desk {
		fx := fxOn(newCorpus(t, proposals()...))
		fx.Exchange = exchanging()
		return fx
	}, 100, 30, map[string][]string{
		"import":         {"I"},
		"typed":          {"I", "c", "s", "v"},
		"preview":        {"I", "enter"},
		"known":          {"I", "down", "enter"},
		"wrong":          {"I", "x", "enter"},
		"left":           {"I", "enter", "esc"},
		"imported":       {"I", "enter", "enter"},
		"export":         {"E", "down", "down"},
		"export-preview": {"E", "down", "down", "enter", "j"},
	})
}

// Only what was shown, and has an effect, is done.
func TestExchangeAsksFirst(t *testing.T) {
	done := 0
	fx := fxOn(newCorpus(t, proposals()...))
	fx.Exchange = exchanging()
	fx.Exchange.Import = func(_ context.Context, what string) (desk.Preview, error) {
		if strings.HasPrefix(what, "gimli") {
			return desk.Preview{}, nil
		}
		return desk.Preview{Do: func(context.Context) (string, error) { done++; return "proposed 1", errors.New("the disk is full") }}, nil
	}
	p := playing(t, fx, 100, 30)
	p.press("I", "enter", "esc", "I", "enter", "q", "I", "down", "enter", "enter", "esc", "I", "esc")
	if done > 0 {
		t.Errorf("done %d times unasked", done)
	}
	p.press("I", "down", "enter", "b", "enter", "enter")
	if done != 1 || !strings.Contains(p.text(), "import stopped: the disk is full · proposed 1 by then") {
		t.Errorf("done %d times\n%s", done, p.text())
	}
	fx.Exchange = desk.Exchange{}
	if got := playing(t, fx, 100, 30).press("I").text(); !strings.Contains(got, "the sample keeps to itself") {
		t.Errorf("without it:\n%s", got)
	}
}

// A card says where a lesson came from and where it is published.
func TestCardSaysFromWhere(t *testing.T) {
	ls := proposals()
	came := ls[0]
	came.Origin = lessons.Origin{Extractor: "import:amplihack"}
	came.Evidence = []lessons.Evidence{{Agent: "amplihack", Path: "/home/a/errors.yaml", Line: 14, From: "import", By: lessons.ByAgent, Quote: came.Content}}
	asked := 0
	for name, keys := range map[string][]string{"review": nil, "browse": {"tab"}} {
		t.Run(name, func(t *testing.T) {
			came := came
			if name == "browse" {
				came.Status = lessons.Approved
			}
			fx := fxOn(newCorpus(t, came))
			fx.Published = func(l lessons.Lesson) []string {
				asked++
				return []string{"~/src/CLAUDE.md", "~/a"}
			}
			p := playing(t, fx, 120, 24)
			p.press(keys...)
			before := asked
			golden.RequireEqual(t, p.text())
			for range 10 {
				p.text()
			}
			if asked == 0 || asked > before {
				t.Errorf("asked %d times, %d of them to draw", asked, asked-before)
			}
		})
	}
}

// The import of another program's store shows a preview; then the proposals wait.
func TestImportThenSeeTheProposals(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "theirs.jsonl")
	text := `{"content":"Never commit the .env file","category":"security"}` + "\n" + `{"content":"Prefer table tests","project":"octofs"}` + "\nno object\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p := at(t, 120, 30, proposals(), func(c *desk.Config) {
		take := func(ctx context.Context, path string, dry bool) (string, int, error) {
			f := formats.Detect(path)[0]
			r, err := intake.New(c.Corpus.Store, c.Corpus.Index).Import(ctx, f.Name, f.Format, path, nil, dry)
			says := ""
			for _, l := range r.New {
				says += "+ " + l.Content + "\n"
			}
			return fmt.Sprintf("%s%d not read", says, len(r.Unread)), len(r.New), err
		}
		c.Exchange = desk.Exchange{
			Stores: func(bool) []desk.Store { return nil },
			Import: func(ctx context.Context, what string) (desk.Preview, error) {
				says, n, err := take(ctx, what, true)
				p := desk.Preview{Title: "import from jsonl", Text: says}
				if n > 0 {
					p.Do = func(ctx context.Context) (string, error) {
						_, n, err := take(ctx, what, false)
						return fmt.Sprintf("proposed %d", n), err
					}
				}
				return p, err
			},
		}
	})
	p.wait("Review 5")
	p.press("I").see("import: from where?", "a format, a file or folder")
	p.write(file)
	p.press("enter").see("+ Never commit the .env file", "1 not read", "enter")
	if n := len(p.ids()); n != 6 {
		t.Errorf("a preview stored something: %d lessons", n)
	}
	p.press("enter").see("✓ proposed 1", "Review 6", "from outside 1")
	p.press("h", "h").see("from outside", "Never commit the .env file", "import:jsonl, theirs.jsonl:1")
	if n := len(p.ids()); n != 7 {
		t.Errorf("nothing was stored: %d lessons", n)
	}
	p.press("I").see("import: from where?")
	p.write(file)
	p.press("enter").see("nothing to do")
	p.press("esc").see("nothing was changed")
	p.quit()
}

// ids returns the ids of all lessons on disk.
func (p place) ids() (ids []lessons.ID) {
	p.t.Helper()
	for l, err := range p.store.All() {
		if err != nil {
			p.t.Fatal(err)
		}
		ids = append(ids, l.ID)
	}
	return ids
}
