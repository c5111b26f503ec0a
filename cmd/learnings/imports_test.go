package main

import (
	"errors"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// allow lists the allowed imports of each package of this module. A package that is
// missing here fails the test: adding one is a decision.
var allow = map[string][]string{
	"lessons/state":             nil,
	"lessons":                   nil,
	"lessons/file":              {"lessons"},
	"lessons/store":             {"lessons", "lessons/file", "lessons/state"},
	"lessons/pairs":             {"lessons"},
	"lessons/claims":            {"lessons", "lessons/state"},
	"lessons/exchange":          {"lessons", "lessons/state", "lessons/file"},
	"lessons/exchange/gimli":    {"lessons", "lessons/pairs", "lessons/exchange"},
	"lessons/exchange/octomind": {"lessons", "lessons/file", "lessons/exchange"},
	"lessons/exchange/formats": {"lessons/pairs",
		"lessons/exchange", "lessons/exchange/octomind", "lessons/exchange/amplihack", "lessons/exchange/gimli",
		"lessons/exchange/observations", "lessons/exchange/mcp", "lessons", "lessons/file",
	},
	"cmd/internal/port":          {"lessons", "lessons/exchange", "lessons/exchange/formats", "cmd/internal/term", "index", "index/curate", "index/recall", "lessons/pairs"},
	"lessons/gitsync":            {"lessons", "lessons/file", "lessons/state", "lessons/store"},
	"extractor/sqlite":           nil,
	"extractor/transcript":       {"extractor/sqlite"},
	"extractor/rules":            {"lessons", "extractor/transcript"},
	"extractor/model/llm":        {"lessons/state"},
	"extractor/model":            {"extractor", "extractor/model/llm", "lessons", "lessons/pairs", "lessons/state", "extractor/transcript"},
	"extractor/redact":           {"lessons"},
	"extractor":                  {"lessons", "lessons/pairs", "extractor/transcript", "extractor/redact", "extractor/rules", "lessons/state", "lessons/proof"},
	"extractor/intake":           {"lessons", "lessons/store", "lessons/pairs", "index", "extractor", "extractor/transcript", "extractor/live", "extractor/redact", "lessons/exchange", "lessons/proof"},
	"cmd/internal/setup":         {"lessons", "lessons/state", "lessons/exchange", "cmd/internal/process", "cmd/internal/term"},
	"cmd/internal/doctor":        {"cmd/internal/hook", "cmd/internal/process", "cmd/internal/setup", "cmd/internal/term", "lessons/store", "lessons/gitsync", "index", "extractor/live", "extractor/model/llm", "extractor/transcript"},
	"extractor/past":             {"lessons", "extractor", "lessons/state", "lessons/guard", "lessons/pairs", "index", "extractor/transcript", "extractor/rules", "index/recall", "lessons/proof", "lessons/store"},
	"extractor/live":             {"extractor/transcript", "lessons/state"},
	"index":                      {"lessons", "lessons/state", "index/meaning"},
	"index/meaning":              nil,
	"index/recall":               {"lessons", "lessons/claims", "lessons/guard", "lessons/pairs", "index", "lessons/state"},
	"index/curate":               {"lessons", "lessons/file", "lessons/state", "lessons/store", "lessons/pairs", "index", "lessons/exchange"},
	"tui/look":                   nil,
	"tui/kit":                    {"tui/look", "lessons", "lessons/guard"},
	"tui/card":                   {"tui/look", "tui/kit", "lessons", "lessons/pairs", "index", "index/curate", "index/recall"},
	"tui/desk":                   {"tui/look", "tui/kit", "lessons", "lessons/pairs", "index", "index/curate", "index/insights", "index/recall", "lessons/exchange/formats"},
	"tui/decide":                 {"tui/look", "tui/kit", "tui/card", "tui/desk", "lessons", "lessons/pairs", "index", "index/curate"},
	"tui/review":                 {"tui/look", "tui/kit", "tui/card", "tui/desk", "tui/decide", "tui/reader", "lessons", "lessons/pairs", "index", "index/curate", "index/recall"},
	"tui/browse":                 {"tui/look", "tui/kit", "tui/card", "tui/desk", "tui/decide", "lessons", "lessons/pairs", "index", "index/curate"},
	"tui/sessions":               {"tui/look", "tui/kit", "tui/desk", "lessons", "index"},
	"tui/insights":               {"tui/look", "tui/kit", "tui/desk", "tui/decide", "lessons", "index", "index/insights"},
	"tui/next":                   {"tui/look", "tui/kit", "tui/desk", "lessons", "index", "index/curate", "index/recall", "lessons/exchange/formats"},
	"tui/reader":                 {"tui/look", "tui/kit", "tui/card", "tui/desk", "lessons", "index", "extractor/transcript"},
	"tui":                        {"tui/look", "tui/kit", "tui/desk", "tui/decide", "tui/reader", "tui/review", "tui/browse", "tui/sessions", "tui/insights", "tui/next", "lessons", "index/curate"},
	"cmd/internal/term":          {"lessons"},
	"cmd/internal/mcpserver":     {"lessons", "lessons/state", "index", "index/curate", "index/recall", "extractor/intake", "extractor/past", "extractor/redact"},
	"cmd/internal/process":       nil,
	"cmd/internal/settings":      {"lessons", "extractor", "extractor/model", "extractor/model/llm", "lessons/state", "lessons/store", "cmd/internal/hook", "cmd/internal/term", "extractor/transcript"},
	"cmd/internal/hook":          {"lessons", "lessons/guard", "lessons/store", "index", "index/recall", "cmd/internal/process", "cmd/internal/term", "extractor/live", "extractor/transcript", "extractor/model/llm", "lessons/proof"},
	"cmd/learnings-hook":         {"cmd/internal/hook", "cmd/internal/process", "cmd/internal/settings"},
	"lessons/exchange/amplihack": {"lessons", "lessons/file", "lessons/exchange"},
	"cmd/learnings": {
		"lessons", "lessons/pairs", "lessons/store", "lessons/gitsync", "lessons/exchange", "lessons/exchange/formats", "extractor", "extractor/intake", "extractor/live",
		"extractor/past", "extractor/redact", "extractor/transcript", "extractor/model", "extractor/model/llm", "index", "index/recall", "index/curate", "index/insights", "tui",
		"tui/desk", "tui/look", "cmd/internal/render", "cmd/internal/hook", "cmd/internal/port", "cmd/internal/process", "cmd/internal/term",
		"cmd/internal/settings", "cmd/internal/setup", "cmd/internal/doctor", "cmd/internal/mcpserver", "cmd/internal/page", "lessons/exchange/mcp",
	},
	"lessons/exchange/observations": {"lessons", "lessons/exchange", "extractor/sqlite"},
	"lessons/exchange/mcp":          {"lessons", "lessons/exchange"},
	"lessons/guard":                 {"lessons", "lessons/state"},
	"cmd/internal/page":             {"lessons", "lessons/state", "extractor/redact", "index/curate", "index/insights"},
	"index/insights":                {"lessons", "lessons/state", "extractor/rules", "extractor/past", "lessons/proof"},
	"cmd/internal/render": {
		"cmd/internal/setup", "cmd/internal/hook", "cmd/internal/term", "extractor", "extractor/intake", "extractor/model/llm", "extractor/past",
		"extractor/transcript", "index", "index/curate", "index/insights", "index/recall", "lessons", "lessons/gitsync", "lessons/guard", "lessons/pairs",
		"extractor/live", "lessons/proof", "tui/look", "tui/kit", "tui/card",
	},
	"lessons/proof": {"lessons", "lessons/state"},
}

// owners are the only packages that may import modules with each prefix.
var owners = map[string][]string{
	"github.com/blevesearch/":      {"index"},
	"go.yaml.in/yaml/":             {"lessons/file", "lessons/exchange/amplihack", "cmd/internal/setup"},
	"github.com/gofrs/flock":       {"lessons/state", "lessons/store", "lessons/exchange", "lessons/gitsync", "index", "extractor/live"},
	"charm.land/":                  {"tui", "tui/browse", "tui/decide", "tui/desk", "tui/insights", "tui/kit", "tui/next", "tui/reader", "tui/review", "tui/sessions", "tui/look"},
	"modernc.org/":                 {"lessons/state", "extractor/sqlite", "lessons/exchange/observations"},
	"github.com/spf13/":            {"cmd/learnings"},
	"github.com/pelletier/go-toml": {"cmd/internal/settings", "cmd/internal/setup"},
	"github.com/tailscale/hujson":  {"cmd/internal/setup", "lessons/exchange"},

	"github.com/modelcontextprotocol/": {"lessons/exchange/mcp", "cmd/internal/mcpserver"},

	"mvdan.cc/sh/": {"lessons/guard"},
}

// TestImports checks imports against the table, and the table against the tree: unused
// entries must go. It reads the files itself, instead of running go list, so that go
// test's cache depends on them.
func TestImports(t *testing.T) {
	used := map[string]bool{}
	eachPackage(t, func(name string, pkg *build.Package) {
		may, ok := allow[name]
		if !ok {
			t.Errorf("%s: no entry in allow", name)
		}
		used[name] = true
		for _, imp := range pkg.Imports {
			if ours, ok := strings.CutPrefix(imp, "learnings/"); ok && !slices.Contains(may, ours) {
				t.Errorf("%s imports %s", name, ours)
			} else if ok {
				used[name+" "+ours] = true
			}
			for prefix, who := range owners {
				if !strings.HasPrefix(imp, prefix) {
					continue
				}
				if !slices.Contains(who, name) {
					t.Errorf("%s imports %s, which is for %s alone", name, imp, strings.Join(who, ", "))
				}
				used[prefix+" "+name] = true
			}
		}
	})
	for name, may := range allow {
		if !used[name] {
			t.Errorf("allow has %s, which is no package", name)
		}
		for _, other := range may {
			if !used[name+" "+other] {
				t.Errorf("%s may import %s and does not", name, other)
			}
		}
	}
	for prefix, who := range owners {
		for _, name := range who {
			if !used[prefix+" "+name] {
				t.Errorf("%s may import %s and does not", name, prefix)
			}
		}
	}
}

// TestDepth checks that no chain of imports is longer than 7 packages, except those of
// the desk's rooms, and that only this package, the list of formats and the doctor import
// more than 8 others. A package's own parts and the package state do not count. Larger
// ones have their own bounds, which may only fall.
func TestDepth(t *testing.T) {
	const most = 7
	chains := map[string]int{"cmd/learnings": 11, "tui": 10, "tui/review": 9, "tui/reader": 8, "tui/browse": 9, "tui/insights": 9, "tui/sessions": 8, "tui/next": 8, "tui/decide": 8}
	imports := map[string]int{"cmd/internal/render": 22, "cmd/internal/hook": 11, "extractor/intake": 11, "extractor/past": 11, "tui/review": 11, "tui/browse": 9, "tui/desk": 9}
	var depth func(name string) int
	depth = func(name string) int {
		longest := 0
		for _, other := range allow[name] {
			longest = max(longest, depth(other))
		}
		return longest + 1
	}
	for name, may := range allow {
		if n := depth(name); n > max(most, chains[name]) {
			t.Errorf("%s stands on a chain of %d packages", name, n)
		}
		may = slices.DeleteFunc(slices.Clone(may), func(other string) bool {
			return strings.HasPrefix(other, name+"/") || other == "lessons/state"
		})
		if len(may) > max(most+1, imports[name]) && !slices.Contains([]string{"cmd/learnings", "lessons/exchange/formats", "cmd/internal/doctor"}, name) {
			t.Errorf("%s imports %d packages", name, len(may))
		}
	}
}

// TestSmall checks that learnings-hook links no packages that slow its start: those for
// terminals, many verbs or decisions.
func TestSmall(t *testing.T) {
	deps, err := exec.Command("go", "list", "-deps", "learnings/cmd/learnings-hook").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	for dep := range strings.FieldsSeq(string(deps)) {
		for _, heavy := range []string{
			"charm.land/", "github.com/alecthomas/chroma", "github.com/yuin/goldmark", "github.com/microcosm-cc/", "github.com/spf13/",
			"github.com/blevesearch/bleve/v2/config", "learnings/tui", "learnings/index/curate", "learnings/lessons/gitsync", "learnings/extractor/intake", "github.com/modelcontextprotocol/", "github.com/tailscale/",
		} {
			if strings.HasPrefix(dep, heavy) {
				t.Errorf("learnings-hook is linked with %s", dep)
			}
		}
		if lang, ok := strings.CutPrefix(dep, "github.com/blevesearch/bleve/v2/analysis/lang/"); ok && lang != "en" {
			t.Errorf("learnings-hook is linked with the words of the language %s", lang)
		}
	}
}

// TestArchitecture checks that docs/architecture.md has a row for each package, and no
// other rows.
func TestArchitecture(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "\n## Packages\n")
	table, _, _ = strings.Cut(table, "\n## ")
	rows := map[string]bool{}
	for line := range strings.Lines(table) {
		if name, ok := strings.CutPrefix(line, "| `"); ok {
			name, _, _ = strings.Cut(name, "`")
			rows[name] = true
			if _, ok := allow[name]; !ok {
				t.Errorf("docs/architecture.md has %s, which is no package", name)
			}
		}
	}
	for name := range allow {
		if !rows[name] {
			t.Errorf("docs/architecture.md lacks %s", name)
		}
	}
}

// TestWorld checks that only the programs use the process's arguments, environment and
// exit: other packages get them as values.
func TestWorld(t *testing.T) {
	ours := map[string]bool{"Args": true, "Getenv": true, "LookupEnv": true, "Environ": true, "Exit": true}
	eachPackage(t, func(name string, pkg *build.Package) {
		if pkg.Name == "main" {
			return
		}
		for _, f := range slices.Concat(pkg.GoFiles, pkg.IgnoredGoFiles) {
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, filepath.Join(pkg.Dir, f), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				sel, ok := n.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				if x, ok := sel.X.(*ast.Ident); ok && x.Name == "os" && x.Obj == nil && ours[sel.Sel.Name] {
					t.Errorf("%s: os.%s is for a program alone", fset.Position(sel.Pos()), sel.Sel.Name)
				}
				return true
			})
		}
	})
}

// eachPackage calls f with every package of the module, without tests.
func eachPackage(t *testing.T, f func(name string, pkg *build.Package)) {
	t.Helper()
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if d.Name() == "testdata" || (strings.HasPrefix(d.Name(), ".") && path != root) {
			return fs.SkipDir
		}
		if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil && path != root {
			return fs.SkipDir // a separate module that replaces another
		}
		pkg, err := build.ImportDir(path, 0)
		if none := (*build.NoGoError)(nil); errors.As(err, &none) {
			return nil
		} else if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		f(filepath.ToSlash(name), pkg)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
