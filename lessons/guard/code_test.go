package guard

import (
	"strings"
	"testing"
)

// Code is found by signs that only code has; words that are merely capitalised, joined or
// numbered are left alone.
func TestCode(t *testing.T) {
	for text, want := range map[string]string{
		"`workmux add --branch` fails (unexpected argument '--branch'); use `--name`.": "`workmux add --branch`|--branch|`--name`",
		"For every test in redact/redact_test.go use literals, not strings.Contains.":  "redact/redact_test.go|strings.Contains",
		"Run git commit --amend, then npm run build.":                                  "git commit --amend|npm run",
		"Git fetch is run with context.Background() and no timeout.":                   "context.Background()",
		"Use editPrompt and push_conflict_policy, see https://x.dev/a?b=1.":            "editPrompt|push_conflict_policy|https://x.dev/a?b=1",
		"Put it under ~/.agents/skills or internal/, with NAME=1.":                     "~/.agents/skills|internal/|NAME=1",
		"GitHub and/or iPhone users read/write, e.g. 24/7, re-run 3.5 times -- OK?":    "",
		"We don't need it. Then go on: make it just work, i.e. now, in the U.S.":       "",
		"an open ` backtick has no end":                                                "",
		"Use pnpm instead of npm.":                                                     "pnpm|npm",
		"日本語の `make` を使う":                                                              "`make`",
		"":                                                                             "",
	} {
		var got []string
		for _, r := range Code(text) {
			got = append(got, text[r[0]:r[1]])
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q: got %q", text, got)
		}
	}
}

// Ranges lie in the text, in order, whatever it is.
func FuzzCode(f *testing.F) {
	f.Add("a ` b` (c() --d ./")
	f.Fuzz(func(t *testing.T, text string) {
		at := 0
		for _, r := range Code(text) {
			if r[0] < at || r[1] <= r[0] || r[1] > len(text) {
				t.Fatalf("%q: %v", text, Code(text))
			}
			at = r[1]
		}
	})
}
