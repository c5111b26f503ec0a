package tui

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"learnings/tui/desk"
	"learnings/tui/kit"
)

// unwanted matches the words that the table in docs/development.md replaces.
func unwanted(t *testing.T) *regexp.Regexp {
	t.Helper()
	b, err := os.ReadFile("../docs/development.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(b), "\n## Words\n")
	table, _, _ = strings.Cut(table, "\n## ")
	var words []string
	for row := range strings.Lines(table) {
		if cells := strings.Split(row, "|"); len(cells) == 5 && !strings.Contains(row, "---") && strings.TrimSpace(cells[3]) != "not" {
			for w := range strings.SplitSeq(cells[3], ",") {
				words = append(words, regexp.QuoteMeta(strings.TrimSpace(w)))
			}
		}
	}
	if !ok || len(words) < 10 {
		t.Fatalf("docs/development.md has no table of words: %q", words)
	}
	return regexp.MustCompile(`(?i)\b(?:` + strings.Join(words, "|") + `)\b`)
}

// names are words that we cannot choose: code, flags, filters, links and quoted text.
var names = regexp.MustCompile("`[^`]*`|--[a-z-]+|[a-z]+:[a-z]+|\\]\\([^)]*\\)|\"[^\"]*\"|“[^”]*”")

// otherWords are sources with words chosen by others, or about something else.
var otherWords = []string{
	"lessons/exchange", "lessons/file", "extractor", "cmd/internal/mcpserver", "cmd/internal/style", "cmd/internal/view/results.go", // other programs, and fields by their names
	"cmd/learnings/decide.go", "index/curate/feedback.go", // a report is taken back, as its flag says
	"cmd/learnings/edit.go", // asks in the words of another program
}

// One word stands for one thing in all texts for people: screens, keys, help, palette,
// verbs and documents.
func TestOneWordForOneThing(t *testing.T) {
	not := unwanted(t)
	found := func(where, text string) {
		t.Helper()
		if w := not.FindString(names.ReplaceAllString(text, " ")); w != "" {
			t.Errorf("%s says %q, which has another word in docs/development.md: %q", where, w, kit.CutTo(text, 200))
		}
	}
	for s := range desk.Screens + 1 {
		for _, b := range bound(s) {
			found("a key", b.Desc)
		}
	}
	walk := func(root, ext string, visit func(path, text string)) {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() && d.Name() == "testdata" && path != root {
				return skipped(err, d)
			}
			if strings.HasSuffix(path, ext) && !strings.HasSuffix(path, "_test.go") {
				b, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				visit(path, string(b))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	walk("testdata", ".golden", func(path, text string) {
		for line := range strings.Lines(ansi.Strip(text)) {
			found(path, line)
		}
	})
	walk("..", ".md", func(path, text string) {
		if strings.HasSuffix(path, "CHANGELOG.md") || strings.HasPrefix(path, "../extractor") {
			return
		}
		code := false
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "```") {
				code = !code
			}
			if words, _, _ := strings.Cut(line, "| not"); !code && !strings.HasPrefix(line, "    ") && !(strings.HasPrefix(line, "|") && not.MatchString(line) && strings.HasSuffix(path, "development.md")) {
				found(path, words)
			}
		}
	})
	walk("..", ".go", func(path, text string) {
		if slices.ContainsFunc(otherWords, func(o string) bool { return strings.HasPrefix(path, "../"+o) }) {
			return
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
				if s, err := strconv.Unquote(l.Value); err == nil && strings.Contains(strings.TrimSpace(s), " ") {
					found(path, s)
				}
			}
			return true
		})
	})
}

// skipped skips a folder, unless reading it failed.
func skipped(err error, d fs.DirEntry) error {
	if err != nil || !d.IsDir() {
		return err
	}
	return fs.SkipDir
}
