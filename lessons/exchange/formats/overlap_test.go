package formats

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"learnings/lessons"
)

func proposal(content string) lessons.Lesson {
	return lessons.Lesson{ID: "a1b2", Status: lessons.Pending, Category: "tool-usage", Wording: lessons.Wording{Content: content}, Scope: lessons.Scope{Project: "shop", Role: "developer"}}
}

func none(string) string { return "" }

func TestMark(t *testing.T) {
	top := world(t, map[string]string{
		"home/shop/.git/":                         "",
		"home/shop/web/src/":                      "",
		"home/shop/CLAUDE.md":                     "# Shop\n\nThis is a shop. We pack with pnpm.\n\n- Use `pnpm`, never `npm`, to install packages.\n- Commit messages are in English,\n  and begin with a small letter.\n\n@docs/style.md and @../outside.md and @.env.md\n",
		"home/shop/docs/style.md":                 "Indent with tabs.\nNever sort imports by hand.\n",
		"home/outside.md":                         "Deploy on Fridays only.\n",
		"home/CLAUDE.md":                          "Deploy on Fridays only.\n",
		"home/shop/web/AGENTS.md":                 "Run the tests with `make check`\nbefore you push.\n",
		"home/shop/.cursor/rules/db.mdc":          "---\ndescription: Name tables in the plural\n---\nName indexes after their columns.\n",
		"home/shop/.github/instructions/x.md":     "Write dates as ISO 8601.\n",
		"home/.claude/CLAUDE.md":                  "* Answer in German.\n",
		"home/.codex/AGENTS.md":                   "Ask before you delete branches.\n",
		"home/.claude/projects/-x/memory/NOTE.md": "Mock the payment gateway in tests.\n",
	})
	home := filepath.Join(top, "home")
	shop := filepath.Join(home, "shop")
	slug := Slug(shop)
	if err := os.Rename(filepath.Join(home, ".claude", "projects", "-x"), filepath.Join(home, ".claude", "projects", slug)); err != nil {
		t.Fatal(err)
	}
	in := NewInstructions(home, none)
	for _, c := range []struct{ dir, content, stands, against string }{
		{"web/src", "Always use pnpm instead of npm to install packages", "CLAUDE.md:5", ""},
		{"web/src", "Always install packages with npm", "", "CLAUDE.md:5: Use `pnpm`, never `npm`, to install packages."},
		{"web/src", "Begin commit messages with a small letter, in English", "CLAUDE.md:6", ""},
		{"web/src", "Run make check before you push", "web/AGENTS.md:1", ""},
		{"web/src", "Run make lint before you push", "", ""},
		{"web/src", "Skip make check before you push", "", ""},
		{"web/src", "Run the tests with make check before you push", "web/AGENTS.md:1", ""},
		{".", "Run the tests with make check before you push", "", ""},
		{".", "Never sort imports by hand", "docs/style.md:2", ""},
		{".", "Deploy on Fridays only", "", ""},
		{".", "Name tables in the plural", "", ""},
		{".", "Name indexes after their columns", ".cursor/rules/db.mdc:4", ""},
		{".", "Write all dates as ISO 8601", ".github/instructions/x.md:1", ""},
		{".", "Answer in German", "~/.claude/CLAUDE.md:1", ""},
		{".", "Answer in English", "", ""},
		{"gone/deep", "Ask before you delete a branch", "~/.codex/AGENTS.md:1", ""},
		{"gone/deep", "Never sort imports by hand", "docs/style.md:2", ""},
		{".", "Mock the payment gateway in tests", "~/.claude/projects/" + slug + "/memory/NOTE.md:1", ""},
	} {
		l := in.Mark(filepath.Join(shop, filepath.FromSlash(c.dir)), proposal(c.content))
		if l.Origin.Stands != c.stands || l.Origin.Against != c.against || (l.Lane == lessons.Maybe) != (c.stands != "") {
			t.Errorf("%s: %q stands at %q, against %q, lane %q", c.dir, c.content, l.Origin.Stands, l.Origin.Against, l.Lane)
		}
	}
	for _, dir := range []string{"", "/", "shop", `\\server\share`, filepath.Join(top, "nowhere")} {
		if l := in.Mark(dir, proposal("Answer in German")); l.Origin.Stands != "~/.claude/CLAUDE.md:1" {
			t.Errorf("%q: %q", dir, l.Origin.Stands)
		}
		if l := in.Mark(dir, proposal("Deploy on Fridays only")); l.Origin.Stands != "" {
			t.Errorf("%q: %q", dir, l.Origin.Stands)
		}
	}
	moved := NewInstructions(filepath.Join(top, "nowhere"), func(v string) string {
		return map[string]string{"CLAUDE_CONFIG_DIR": filepath.Join(home, ".claude")}[v]
	})
	if l := moved.Mark("", proposal("Answer in German")); l.Origin.Stands != filepath.ToSlash(filepath.Join(home, ".claude", "CLAUDE.md"))+":1" {
		t.Errorf("moved: %q", l.Origin.Stands)
	}
}

// What a session was given is not what the project says.
func TestGivenDoesNotStand(t *testing.T) {
	text := "<learnings-context>\n- Use pnpm, never npm.\n</learnings-context>\n\n```\nMake the build fast.\n```\n<!-- Sort the imports. -->\n<!--\nKeep the lines short.\n-->\n<claude-mem-context>Cache the tokens.</claude-mem-context>\nWrite the tests first.\n"
	var got []string
	for _, s := range statements(text, "X.md") {
		got = append(got, s.where+" "+s.text)
	}
	if want := []string{"X.md:13 Write the tests first."}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestStatements(t *testing.T) {
	text := "# Use Go 1.26\n\nOne sentence here. A second,\nover two lines. e.g. this\n1. An item\n   of two lines\n| a cell | b |\n> quoted\n---\n\r\n- [ ] Done\r\n"
	var got []string
	for _, s := range statements(text, "X") {
		got = append(got, s.where+" "+s.text)
	}
	want := []string{"X:1 Use Go 1.26", "X:3 One sentence here.", "X:3 A second, over two lines. e.g. this", "X:5 An item of two lines", "X:7 a cell | b |", "X:8 quoted ---", "X:11 Done"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// Nothing outside is read, however a repository is made, and nothing waits.
func TestHostileRepository(t *testing.T) {
	top := world(t, map[string]string{
		"evil/.git/":   "",
		"secret/X.md":  "The key is under the mat.\n",
		"evil/ok.md":   "Use tabs for indentation.\n",
		"evil/huge.md": strings.Repeat("x", 256<<10) + "\n\nPlant a tree in spring.\n",
	})
	evil := filepath.Join(top, "evil")
	for name, to := range map[string]string{"CLAUDE.md": "../secret/X.md", "AGENTS.md": filepath.Join(top, "secret", "X.md"), "GEMINI.md": "ok.md", "QWEN.md": "huge.md", ".claude": "../secret"} {
		if err := os.Symlink(to, filepath.Join(evil, name)); err != nil {
			if runtime.GOOS != "windows" {
				t.Fatal(err)
			}
			t.Skip("Windows gives this user no right to make links:", err)
		}
	}
	if err := os.WriteFile(filepath.Join(evil, "DISCOVERIES.md"), []byte("@../secret/X.md @"+filepath.Join(top, "secret", "X.md")+" @DISCOVERIES.md @pipe.md"), 0o600); err != nil {
		t.Fatal(err)
	}
	makePipe(t, filepath.Join(evil, "pipe.md"))
	makePipe(t, filepath.Join(evil, ".cursorrules"))
	in := NewInstructions("", none)
	for content, want := range map[string]string{"The key is under the mat": "", "Use tabs for indentation": "GEMINI.md:1", "Plant a tree in spring": ""} {
		if l := in.Mark(evil, proposal(content)); l.Origin.Stands != want {
			t.Errorf("%q stands at %q", content, l.Origin.Stands)
		}
	}
}

func FuzzStatements(f *testing.F) {
	for _, s := range []string{"- Use pnpm. Never npm.\n", "---\na: b\n---\nx", "```\n", "<learnings-context>", "a.\r\n\r\n| b |", "1. \xff. É. é"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		lines := strings.Count(text, "\n") + 1
		for _, s := range statements(text, "X") {
			line := 0
			for _, c := range strings.TrimPrefix(s.where, "X:") {
				line = line*10 + int(c-'0')
			}
			if line < 1 || line > lines || s.text == "" || len(s.text) > maxStatement {
				t.Errorf("%s of %d lines: %q", s.where, lines, s.text)
			}
		}
	})
}
