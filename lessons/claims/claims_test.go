package claims

import (
	"slices"
	"strings"
	"testing"

	"learnings/lessons"
)

func named(text string) (out []string) {
	for _, c := range Of(lessons.Lesson{Wording: lessons.Wording{Content: text}}) {
		out = append(out, string(c.Kind)+" "+c.String())
	}
	return out
}

// What a sentence presupposes, and what it does not.
func TestOf(t *testing.T) {
	for _, tt := range []struct{ says, want string }{
		{"Run `make lint` before you push.", "command make lint"},
		{"Run make lint before you push.", "command make lint"},
		{"Always run `npm run build:web` first, then `pnpm test`.", "command npm run build:web, command pnpm test"},
		{"The parser lives in internal/parse/lexer.go.", "path internal/parse/lexer.go"},
		{"Keep handlers in `internal/http/`, one a file.", "path internal/http"},
		{"See `cmd/tool/main.go:42` for the flags.", "path cmd/tool/main.go"},
		{"Call `ResetSession()` after each test.", "symbol ResetSession"},
		{"to_csv (erpexport/writer.py): leading zeros are kept", "symbol to_csv, path erpexport/writer.py"},
		{"Use `store.Reread`, not `store.Get`, in hooks.", "symbol store.Reread"},
		{"Prefer `applyAll` over `applyOne`.", "symbol applyAll"},
		{"Never use `applyOne`; call `applyAll`.", "symbol applyAll"},
		{"Never edit `internal/gen/api.go` by hand: run `make gen`.", "path internal/gen/api.go, command make gen"},
		{"Do not push without running `just check`.", "command just check"},
		{"Create `docs/adr/0001.md` for each decision.", ""},
		{"`scripts/old.sh` was removed; use `scripts/new.sh`.", "path scripts/new.sh"},
		{"The manifest is named run_manifest.jsonl for new writes (formerly index.jsonl).", "path run_manifest.jsonl"},
		{"Rename `fooBar` to `barFoo`.", ""},
		{"do not add a `remote_name` alias for a local Git remote.", ""},
		{"Pass `--with-golden` to `scripts/check.sh`.", "flag --with-golden, path scripts/check.sh"},
		{"Use `git push --force-with-lease`, never `--force`.", ""},
		{"`go test -run TestRightLessons ./index/recall` prints the score.", "symbol TestRightLessons, path index/recall"},
		{"Read https://example.com/a/b.html and ~/.config/tool/config.toml.", ""},
		{"The client/server split and CI/CD matter.", "path client/server, path CI/CD"},
		{"We depend on the `left-pad` package for padding.", "package left-pad"},
		{"Save results to `out/results.json`.", ""},
		{"Use Node.js and GitHub Actions.", ""},
		{"Replace <name> in `src/<name>/mod.rs`.", ""},
		{"Save dogfood evidence to an orphan branch of the agentv-private repo in `evidence/run.md`.", ""},
		{"If `ERR_DLOPEN_FAILED` comes up, run `npm rebuild`.", ""},
		{"Use fmt.Errorf with %w and `errors.Is`.", ""},
		{"Do not make sure of it; make it work.", ""},
	} {
		if got := strings.Join(named(tt.says), ", "); got != tt.want {
			t.Errorf("%s\n got  %s\n want %s", tt.says, got, tt.want)
		}
	}
}

func FuzzOf(f *testing.F) {
	for _, s := range []string{"Run `make lint` before `x/y.go`.", "(`a`", "`` ` ``", "](", "never —", "“a” ‘b’", "```\nmake x\n```", "go test -run", "npm run", "cargo run -p", "a\xffb `\xff`", "]]((", "a (", "( b"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, content, example string) {
		l := lessons.Lesson{Wording: lessons.Wording{Content: content, Example: example}}
		cs := Of(l)
		if len(cs) > mostClaims {
			t.Errorf("%d claims", len(cs))
		}
		for _, c := range cs {
			if c.Name == "" || len(c.Name) > mostName || c.Kind == "" || !strings.Contains(content+"\n"+example, c.Name) && c.Kind != Symbol && c.Kind != Path {
				t.Errorf("%q gives %+v", content, c)
			}
		}
		if again := Of(l); !slices.Equal(cs, again) {
			t.Errorf("%v, then %v", cs, again)
		}
	})
}
