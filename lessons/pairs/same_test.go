package pairs_test

import (
	"strings"
	"testing"

	"learnings/lessons"
	"learnings/lessons/pairs"
)

func TestMergeable(t *testing.T) {
	for _, tt := range []struct {
		name, a, b string
		want       bool
	}{
		{"punctuation", "Run `make generate`, then commit.", "run make generate then commit", true},
		{"a filler more", "Run the linter before you push to main", "Run linter before you push to the main", true},
		{"inflection", "Commit generated files after editing the schema in the api folder of this repo", "Commit the generated file after editing the schema in the api folder of this repo", true},
		{"stress", "NEVER push to main", "Never push to main", true},
		{"contraction", "Do not push to the main branch of this repo on a Friday before noon", "Don't push to the main branch of this repo on a Friday before noon", true},
		{"negation", "Do push to the main branch of this repo on a Friday please now", "Do not push to the main branch of this repo on a Friday please now", false},
		{"and, or", "Run the unit and the integration tests before each push to main", "Run the unit or the integration tests before each push to main", false},
		{"number", "Set the timeout of the worker to 30s in the config of each service", "Set the timeout of the worker to 60s in the config of each service", false},
		{"flag", "Run go test with -v in each of the packages before you push a commit", "Run go test with -V in each of the packages before you push a commit", false},
		{"path", "Put new tests for the parser into cmd/x.go and not into other files here", "Put new tests for the parser into cmd/y.go and not into other files here", false},
		{"order", "Copy the files from staging to production before the migration runs there", "Copy the files from production to staging before the migration runs there", false},
		{"direction", "Copy it to staging", "Copy it from staging", false},
		{"operator", "Chain the two commands with && in the Makefile of this repository here", "Chain the two commands with || in the Makefile of this repository here", false},
		{"another word", "Use tabs in this repository for the indentation of all Go files", "Use blanks in this repository for the indentation of all Go files", false},
		{"how much", "You must run the tests before each push to the main branch", "You should run the tests before each push to the main branch", false},
		{"dots", "Run go test ./... before you push", "Run go test ./ before you push", false},
	} {
		a, b := lesson("a", tt.a), lesson("b", tt.b)
		if got := pairs.Mergeable(a, b); got != tt.want || got != pairs.Mergeable(b, a) {
			t.Errorf("%s: %v", tt.name, got)
		}
		b.Scope.Project = "other"
		if pairs.Mergeable(a, b) {
			t.Errorf("%s: merged across projects", tt.name)
		}
	}
}

func TestLiterals(t *testing.T) {
	for text, want := range map[string]string{
		"Run `make all` with -j4, then look at cmd/main.go.": "make all -j4 cmd/main.go",
		"Set GOFLAGS to \"-mod mod\" for parseQuery at v1.2": "GOFLAGS -mod mod parseQuery v1.2",
		"NEVER re-run it, and/or stop":                       "",
		"a && b || c ./...":                                  "&& || ./...",
		"":                                                   "",
	} {
		if got := strings.Join(pairs.Literals(text), " "); got != want {
			t.Errorf("Literals(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestKeywords(t *testing.T) {
	for text, want := range map[string]string{
		"Always run the tests after editing a proto file":    "alway run test after edit proto fil",
		"Stop stopping; creates, created, creating, create.": "stop creat",
		"Don't use the user's classes, libraries and /tmp.":  "not use user class library and tmp",
		"processes process status analysis":                  "process status analysis",
	} {
		if got := strings.Join(pairs.Keywords(text), " "); got != want {
			t.Errorf("Keywords(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestSynonyms(t *testing.T) {
	s := pairs.Learn([][2]string{
		{"delete the temp folder", "remove the temp folder"}, {"remove old branches", "delete old branches"},
		{"launch the worker", "start the worker"},
		{"use port 80 here", "use port 81 here"}, {"open port 80", "open port 81"},
	})
	if len(s) != 2 {
		t.Errorf("%v have synonyms, want delete and remove only: one merge is chance, and a number is no word", s)
	}
	const a, b = "Delete stale caches of the compiler", "Remove the compiler's stale caches"
	both := func(s pairs.Synonyms) int { return s.Rank(lesson("a", a), []lessons.Lesson{lesson("b", b)}, 1)[0].Both }
	if with, out := both(s), both(nil); with != 4 || out != 3 {
		t.Errorf("%d words in common with synonyms and %d without", with, out)
	}
	if !s.Says(lesson("a", a), lesson("b", b)) || (pairs.Synonyms{}).Says(lesson("a", a), lesson("b", b)) {
		t.Error("with the synonym, and only with it, they say the same")
	}
	for _, other := range []string{"Never remove the compiler's stale caches", "Remove the compiler's 3 stale caches"} {
		if s.Says(lesson("a", a), lesson("b", other)) {
			t.Errorf("%q says the same as %q", other, a)
		}
	}
}

func TestUnfounded(t *testing.T) {
	sources := []string{"Run `make generate` (see docs/gen.md) on port 8080.", "Never use --force; CI fails within 30s"}
	for text, want := range map[string]string{
		"Run make `generate` on 8080, never with --force.": "",
		"CI's port, \"docs/gen.md\"":                       "",
		"plain words of any kind, never seen before":       "",
		"port 9090 or 8080, 9090":                          "9090",
		"see docs/GEN.md and `make test`":                  "docs/GEN.md test",
		"--Force within 30":                                "--Force 30",
		"":                                                 "",
	} {
		if got := strings.Join(pairs.Unfounded(text, sources...), " "); got != want {
			t.Errorf("Unfounded(%q) = %q, want %q", text, got, want)
		}
	}
	if got := pairs.Unfounded("use npm ci --omit=dev"); len(got) != 1 || got[0] != "--omit=dev" {
		t.Errorf("without sources: %q", got)
	}
}
