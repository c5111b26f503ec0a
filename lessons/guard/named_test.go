package guard

import (
	"strings"
	"testing"
)

// TestMentions checks which commands a sentence is taken to name.
func TestMentions(t *testing.T) {
	for text, want := range map[string]string{
		"Never run npm install; this repository uses pnpm":       "npm install",
		"Always use pnpm instead of npm":                         "pnpm, npm",
		"Run `cd web && NODE_ENV=test npm run build -- --watch`": "npm run build",
		"`gh pr create --fill` before a review":                  "gh pr create",
		"Use git worktrees":                                      "",
		"`git` is slow here":                                     "",
		"The test of `date` and `find` in the parser":            "find",
		"Push with `git push --force-with-lease origin main`":    "git push",
		"Start it with `docker compose up -d db`":                "docker compose up",
		"The `format` function":                                  "",
		"Run `format` first":                                     "format",
		"jq is not there":                                        "jq",
		"A page of npm statistics":                               "",
	} {
		var got []string
		for _, p := range Mentions(text) {
			got = append(got, strings.Join(p.Words, " "))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%q names %q, not %q", text, got, want)
		}
	}
}

// TestReads checks which files a call is taken to read and to change.
func TestReads(t *testing.T) {
	for command, want := range map[string]string{
		"sed -n 1,20p pay/a.go | head": "pay/a.go / ",
		"cat a.txt b.md > c.txt":       "a.txt b.md / c.txt",
		"grep -r x .":                  " / ",
		"cat $HOME/.x *.go":            " / ",
	} {
		c := &Call{Command: command}
		if got := strings.Join(c.Reads(), " ") + " / " + strings.Join(c.Changes(), " "); got != want {
			t.Errorf("%s: %q, not %q", command, got, want)
		}
	}
}

// FuzzMentions checks that no sentence makes the reader fail, and that what it finds can
// be held against any call.
func FuzzMentions(f *testing.F) {
	f.Add("Run `cd web && npm run x` or npm run build", "npm run build")
	f.Add("`a && ` \" && \" `&& b`", "bash -c 'b'")
	f.Fuzz(func(t *testing.T, text, command string) {
		c := &Call{Command: command}
		for _, p := range Mentions(text) {
			if len(p.Words) == 0 || len(p.Words) > 3 {
				t.Fatalf("%q", p.Words)
			}
			p.Matches(c)
		}
		c.Reads()
	})
}
