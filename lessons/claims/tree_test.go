package claims

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"learnings/lessons"
)

// repoOf makes a repository of some files.
func repoOf(t testing.TB, files map[string]string, more ...string) string {
	dir := t.TempDir()
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range append([]string{"init -q", "add -A"}, more...) {
		runGit(t, dir, strings.Fields(args)...)
	}
	return dir
}

func missing(t testing.TB, tree *Tree, says string) string {
	var names []string
	for _, c := range tree.Missing(lessons.Lesson{Wording: lessons.Wording{Content: says}}) {
		names = append(names, c.String())
	}
	return strings.Join(names, ", ")
}

var shop = map[string]string{
	"Makefile":          "include x.mk\n.PHONY: lint\nlint: ## x\n\tgo vet\n%.pb.go: %.proto\n\tprotoc\n",
	"justfile":          "build arg='x': dep\n  go build\nalias b := build\n",
	"Taskfile.yml":      "version: '3'\ntasks:\n  gen:\n    cmds: [x]\n",
	"package.json":      `{"name":"shop","scripts":{"build:web":"vite build","test":"vitest"},"devDependencies":{"zod":"1","@acme/ui":"2"}}`,
	"src/price.ts":      "export function priceOf(x) {\n  // calls oldPrice\n  return x\n}\n",
	"src/App.tsx":       "import { z } from 'zod'\n",
	"scripts/check.sh":  "case $1 in\n--golden) ;;\nesac\n",
	"pkg/store/read.go": "package store\n\nfunc Reread() {}\n",
	"pkg/other/o.go":    "package other\n\nfunc Glance() {}\n",
	".gitignore":        "*.local.json\n/generated/\n",
	"CHANGELOG.md":      "dropped removedThing\n",
	"README.md":         "see helpfulName\n",
	"Cargo.toml":        "[package]\nname = \"shop\"\n",
	"go.mod":            "module example.org/shop\n\nrequire github.com/spf13/cobra v1.8.0\n\ntool honnef.co/go/tools/cmd/staticcheck\n",
}

// What a tree holds, in each of the ways in which people name it.
func TestMissing(t *testing.T) {
	dir := repoOf(t, shop)
	if err := os.WriteFile(filepath.Join(dir, "src", "untracked.ts"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ says, want string }{
		{"Run `make lint` and `just build` and `just b` and `task gen`.", ""},
		{"Run `make vet`, `just ship` and `task ship`.", "make vet, just ship, task ship"},
		{"`make api.pb.go` compiles it.", ""},
		{"Run `npm run build:web` and `npm test`, then `yarn vitest`.", ""},
		{"Run `npm run build:app` first.", "npm run build:app"},
		{"Prices are in `price.ts`, `src/App.tsx`, `src/App` and `store/read.go`.", ""},
		{"Prices are in `cost.ts`.", "cost.ts"},
		{"Look at `untracked.ts` first.", ""},
		{"Secrets are in `dev.local.json` and `generated/api.ts`.", ""},
		{"Call `priceOf()`, `store.Reread` and `helpfulName`.", ""},
		{"Call `oldPrice()`, `store.Glance` and `removedThing`.", "oldPrice, store.Glance, removedThing"},
		{"Use `scripts/check.sh --golden`.", ""},
		{"Use `scripts/check.sh --silver`.", "--silver"},
		{"`go tool staticcheck ./...` finds it, `go tool govulncheck` too.", "go tool govulncheck"},
		{"The library `zod` and `@acme/ui` and `github.com/spf13/cobra/doc` are used.", ""},
		{"The library `yup` is pinned.", "yup"},
		{"The src/pkg split is on purpose.", ""},
		{"See `src/legacy/` and `src/old/thing`.", "src/legacy, src/old/thing"},
	} {
		tree := Open(filepath.Join(dir, "src"), Options{})
		if got := missing(t, tree, tt.says); got != tt.want {
			t.Errorf("%s\n got  %q\n want %q", tt.says, got, tt.want)
		}
		tree.Close()
	}
}

// Answers are kept, and follow the tree.
func TestRemembered(t *testing.T) {
	dir, cache := repoOf(t, shop), t.TempDir()
	ask := func() string {
		tree := Open(dir, Options{State: cache})
		defer tree.Close()
		return missing(t, tree, "Call `newPrice()` in `src/new.ts` after `priceOf`.")
	}
	if got := ask(); got != "newPrice, src/new.ts" {
		t.Fatal(got)
	}
	if err := os.WriteFile(filepath.Join(dir, "src/new.ts"), []byte("function newPrice() {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	runGit(t, dir, "add", "-A")
	if got := ask(); got != "" {
		t.Errorf("after it was added: %s", got)
	}
	runGit(t, dir, "rm", "-qf", "src/price.ts")
	if got := ask(); got != "priceOf" {
		t.Errorf("after a file was removed: %s", got)
	}
}

// Forms of git's index, and what cannot be told.
func TestIndexForms(t *testing.T) {
	for _, more := range [][]string{
		{"update-index --index-version 4"}, {"update-index --split-index"}, {"-c user.name=a -c user.email=a@b commit -qm x", "sparse-checkout set src"},
	} {
		tree := Open(repoOf(t, shop, more...), Options{})
		if got := missing(t, tree, "See `store/read.go` and `store/gone.go`."); got != "store/gone.go" {
			t.Errorf("%v: %q", more, got)
		}
	}
	work := repoOf(t, shop, "-c user.name=a -c user.email=a@b commit -qm x", "worktree add -q linked")
	if got := missing(t, Open(filepath.Join(work, "linked", "src"), Options{}), "See `store/read.go` and `store/gone.go`."); got != "store/gone.go" {
		t.Errorf("worktree: %q", got)
	}
	sub := repoOf(t, shop, "update-index --add --cacheinfo 160000,1234567890123456789012345678901234567890,vendor/lib")
	if got := missing(t, Open(sub, Options{}), "See `vendor/lib/gone.go`."); got != "" {
		t.Errorf("submodule: %q", got)
	}
	if tree := Open(t.TempDir(), Options{}); tree != nil {
		t.Error("an empty folder is a project")
	}
	if got := missing(t, nil, "See `store/gone.go`."); got != "" {
		t.Errorf("nil: %q", got)
	}
	if got := Open(work, Options{}).Missing(lessons.Lesson{Scope: lessons.Scope{Global: true}, Wording: lessons.Wording{Content: "See `store/gone.go`."}}); got != nil {
		t.Errorf("global: %v", got)
	}
}

// Labelled lessons of other people's sessions are not withheld where their project is not.
func TestNoTree(t *testing.T) {
	for _, name := range []string{"gold-dev.jsonl", "other/gold-other.jsonl"} {
		f, err := os.Open(filepath.Join("../../../shared/eval", name))
		if err != nil {
			t.Skip("the labelled lessons are not here")
		}
		defer f.Close()
		n := 0
		for s := bufio.NewScanner(f); s.Scan(); n++ {
			var l struct{ Lesson, Quote string }
			if err := json.Unmarshal(s.Bytes(), &l); err != nil {
				t.Fatal(err)
			}
			for _, dir := range []string{t.TempDir(), "/nonexistent"} {
				if got := missing(t, Open(dir, Options{}), l.Lesson+"\n\n"+l.Quote); got != "" {
					t.Errorf("%s: %s", l.Lesson, got)
				}
			}
		}
		t.Logf("%s: %d lessons", name, n)
	}
}

// A search that has no time holds nothing against a lesson.
func TestLimited(t *testing.T) {
	tree := Open(repoOf(t, shop), Options{Limit: time.Nanosecond})
	defer tree.Close()
	if got := missing(t, tree, "Call `thingGone()` in `store/gone.go` first."); got != "" {
		t.Errorf("it misses %s", got)
	}
}

// What the work is about: the branch, and what has changed.
func TestAround(t *testing.T) {
	dir := repoOf(t, shop, "checkout -q -b fix/rounding")
	if err := os.WriteFile(filepath.Join(dir, "src/price.ts"), []byte("export {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	tree := Open(dir, Options{})
	defer tree.Close()
	if got, want := tree.Around(), "fix rounding\nsrc/price.ts"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
