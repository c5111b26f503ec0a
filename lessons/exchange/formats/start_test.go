package formats

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"learnings/lessons"
)

var updateStarts = flag.Bool("update-starts", false, "write what agents are said to read")

// planted writes the home of testdata and returns its path.
func planted(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("testdata/start/home.txtar")
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	for _, part := range strings.Split(string(data), "\n-- ")[1:] {
		name, text, _ := strings.Cut(part, " --\n")
		name = filepath.Join(home, filepath.FromSlash(strings.ReplaceAll(name, "-home-sam-shop", Slug(filepath.Join(home, "shop")))))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		text = strings.ReplaceAll(text, "/home/sam", home)
		if err := os.WriteFile(name, []byte(text+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(home, "shop", ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	return home
}

// TestStart compares what is said of each agent, in a repository and in a folder of it,
// with testdata. `.ci/agents` compares it with the requests of the agents.
func TestStart(t *testing.T) {
	home := planted(t)
	for agent := range starters {
		var b strings.Builder
		for _, dir := range []string{"shop", "shop/sub", ""} {
			fmt.Fprintf(&b, "==== in %q\n", dir)
			if dir != "" {
				dir = filepath.Join(home, filepath.FromSlash(dir))
			}
			for _, f := range (Finder{Home: home, Getenv: func(string) string { return "" }}).Start(agent, dir) {
				fmt.Fprintf(&b, "== %s\n", strings.ReplaceAll(f.Name, Slug(home), "-HOME"))
				if f.From != "" {
					fmt.Fprintf(&b, "included by %s\n", f.From)
				}
				for _, left := range f.Left {
					fmt.Fprintf(&b, "! %s\n", left)
				}
				if f.Text != "" {
					fmt.Fprintf(&b, "%s|\n", strings.ReplaceAll(f.Text, home, "HOME"))
				}
			}
		}
		golden := filepath.Join("testdata", "start", agent+".golden")
		if *updateStarts {
			if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(golden); err != nil || string(want) != b.String() {
			t.Errorf("%s is said to read otherwise than in %s (%v):\n%s", agent, golden, err, b.String())
		}
	}
}

// TestStartLimits checks what is cut off, and that what is no file of text is not read.
func TestStartLimits(t *testing.T) {
	home := t.TempDir()
	shop := filepath.Join(home, "shop")
	for name, text := range map[string]string{
		"AGENTS.md": strings.Repeat("0123456789\n", 4000), "sub/AGENTS.md": "Below.\n", "CLAUDE.md": "See @/etc/hostname and @bin.dat\n", "bin.dat": "a\x00b",
		".git/HEAD": "", ".claude/rules/loop.md": "@loop.md\n", ".windsurf/rules/long.md": strings.Repeat("é", 12_001),
		"../.codex/config.toml": "[features]\nmemories = true\n", "../.codex/memories/memory_summary.md": "first" + strings.Repeat("\u20ac", 5000) + "last",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(shop, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(shop, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	codex := Finder{Home: home}.Start("codex", filepath.Join(shop, "sub"))
	if len(codex) != 3 || len(codex[2].Text) > summaryBytes+40 || !strings.HasPrefix(codex[2].Text, "first") || !strings.HasSuffix(codex[2].Text, "last") || len(codex[2].Left) != 1 {
		t.Errorf("Codex reads %+v", codex)
	}
	if windsurf := (Finder{Home: home}).Start("windsurf", shop); len(windsurf) != 3 || len([]rune(windsurf[0].Text)) != 12_000 || len(windsurf[0].Left) != 1 {
		t.Errorf("Windsurf reads %d files", len(windsurf))
	}
	if len(codex[0].Text) != 32<<10 || codex[1].Text != "" || len(codex[0].Left)+len(codex[1].Left) != 2 {
		t.Errorf("Codex reads %d bytes of its first file", len(codex[0].Text))
	}
	claude := Finder{Home: home}.Start("claude", shop)
	if len(claude) != 2 || claude[0].Text != "See @/etc/hostname and @bin.dat" || claude[1].Text != "@loop.md" {
		t.Errorf("Claude Code reads %+v", claude)
	}
	if got := (Finder{Home: home}).Start("nobody", shop); got != nil {
		t.Errorf("an unknown agent reads %v", got)
	}
}

// TestClashes checks which sentences of files and lessons are said to clash.
func TestClashes(t *testing.T) {
	files := []Start{
		{Path: "/p/CLAUDE.md", Name: "CLAUDE.md", Raw: "# Rules\n\n- Always use pnpm instead of npm.\n- Write commit messages in the imperative.\n", Text: "# Rules\n\n- Always use pnpm instead of npm.\n- Write commit messages in the imperative.\n"},
		{Path: "/h/CLAUDE.md", Name: "~/.claude/CLAUDE.md", Raw: "Use npm, never pnpm.\nPut tests beside the code they test.\n", Text: "Use npm, never pnpm.\nPut tests beside the code they test.\n"},
		{Path: "/p/AGENTS.md", Name: "AGENTS.md", Text: "<!-- learnings:begin -->\n- Never log the user's token.\n<!-- learnings:end -->\n"},
	}
	given := []lessons.Lesson{
		{ID: "aaaaaaaa", Wording: lessons.Wording{Content: "Write commit messages in the imperative mood."}},
		{ID: "bbbbbbbb", Wording: lessons.Wording{Content: "Never log the user's token."}},
		{ID: "cccccccc", Wording: lessons.Wording{Content: "Keep the list of routes sorted by path."}},
		{ID: "dddddddd", Wording: lessons.Wording{Content: "Keep the list of routes sorted by path!"}}, // a pair of lessons is no matter of files
	}
	var got []string
	found, left := clashes(context.Background(), files, given)
	for _, c := range found {
		got = append(got, fmt.Sprint(c.Opposite, " ", c.A.Where, " ", c.B.Where))
	}
	want := "true CLAUDE.md:3 ~/.claude/CLAUDE.md:1, false CLAUDE.md:4 L-aaaaaaaa, false AGENTS.md:1 L-bbbbbbbb"
	if strings.Join(got, ", ") != want || left != 0 {
		t.Errorf("%s\nwant %s", strings.Join(got, ", "), want)
	}
}
