package lessons_test

import (
	"bufio"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"learnings/lessons"
)

var list = flag.Bool("list", false, "list the good lessons in which lint finds something")

func codes(l lessons.Lesson) string {
	var out []string
	for _, f := range lessons.Lint(l) {
		out = append(out, string(f.Code))
	}
	return strings.Join(out, " ")
}

// good are lessons that people took for good ones: those of the labelled sessions
// of ../shared, as a reviewer would approve them.
func good(t *testing.T) []lessons.Lesson {
	t.Helper()
	root := filepath.Join("..", "..", "shared", "eval")
	var out []lessons.Lesson
	seen := map[string]bool{}
	for _, name := range []string{"gold-dev.jsonl", "turns-train.jsonl"} {
		f, err := os.Open(filepath.Join(root, name))
		if err != nil {
			t.Skip("no ../shared beside this clone")
		}
		in := bufio.NewScanner(f)
		in.Buffer(nil, 1<<20)
		type row struct{ Lesson, Category, Confidence string }
		for in.Scan() {
			var one row
			var several struct{ Lessons []row }
			json.Unmarshal(in.Bytes(), &one)
			json.Unmarshal(in.Bytes(), &several)
			for _, r := range append(several.Lessons, one) {
				if r.Lesson == "" || seen[r.Lesson] {
					continue
				}
				seen[r.Lesson] = true
				c, err := lessons.ParseConfidence(r.Confidence)
				if err != nil {
					c = 0.6
				}
				out = append(out, lessons.Lesson{
					ID: "x", Status: lessons.Approved, Category: lessons.Category(r.Category), Confidence: c,
					Wording:  lessons.Wording{Content: r.Lesson},
					Triggers: []string{"-"}, // the labels do not say
					Evidence: []lessons.Evidence{{By: lessons.ByPerson, Session: "s"}},
				})
			}
		}
		f.Close()
	}
	return out
}

// TestLintOnGoodLessons holds the findings to what a reviewer would stand: few on
// lessons that were approved.
func TestLintOnGoodLessons(t *testing.T) {
	all := good(t)
	if len(all) < 400 {
		t.Fatalf("only %d lessons", len(all))
	}
	count, any := map[lessons.Code]int{}, 0
	for _, l := range all {
		fs := lessons.Lint(l)
		if len(fs) > 0 {
			any++
		}
		for _, f := range fs {
			count[f.Code]++
			if *list {
				t.Logf("%-10s %q  %s", f.Code, f.Found, l.Content)
			}
		}
	}
	for _, c := range lessons.Codes {
		t.Logf("%-14s %4d of %d", c, count[c], len(all))
		if 10*count[c] > len(all) {
			t.Errorf("%s is found in %d of %d good lessons: that is noise", c, count[c], len(all))
		}
	}
	t.Logf("any            %4d of %d", any, len(all))
	if 5*any > len(all) {
		t.Errorf("something is found in %d of %d good lessons", any, len(all))
	}
}

func TestLint(t *testing.T) {
	heard := []lessons.Evidence{{By: lessons.ByPerson, Session: "s"}}
	agent := []lessons.Evidence{{By: lessons.ByAgent, Session: "s"}}
	for _, c := range []struct {
		l     lessons.Lesson
		codes string
		found string // by the first of them
	}{
		{lessons.Lesson{Wording: lessons.Wording{Content: "Run `make generate` after editing a .proto file: CI fails on a stale client"}}, "", ""},
		{lessons.Lesson{Wording: lessons.Wording{Content: "Use tabs"}}, "terse", ""},
		{lessons.Lesson{Wording: lessons.Wording{Content: "Please do it the right way as always"}}, "unspecific reason", ""},
		{lessons.Lesson{Wording: lessons.Wording{Content: "Please do it the right way as always", Insight: "The linter wants it."}, Tags: []string{"golangci-lint", "nilerr", "returns"}}, "", ""},
		{lessons.Lesson{Wording: lessons.Wording{Content: "Rename the helper in this file to match the parser"}}, "session", "this file"},
		{lessons.Lesson{Wording: lessons.Wording{Content: "Take the second one for the retry budget of the scheduler"}}, "session", "the second one"},
		{lessons.Lesson{Wording: lessons.Wording{Content: "Format the changelog as above with the release notes"}}, "session", "as above"},
		{lessons.Lesson{Wording: lessons.Wording{Content: "The null pointer is dereferenced at parser.go:142 during startup"}}, "session", ".go:142"},
		{lessons.Lesson{Wording: lessons.Wording{Content: "Since 2026-03-01 the nightly build signs artefacts with cosign"}}, "session", "2026-03-01"},
		{lessons.Lesson{Wording: lessons.Wording{Content: "The user asked for British spelling throughout the documentation"}}, "session", "The user asked"},
		{lessons.Lesson{Wording: lessons.Wording{Content: "In this repository the checkpoint metadata lives on an orphan branch"}}, "", ""},
		{lessons.Lesson{Wording: lessons.Wording{Content: "Never squash commits of the release branch"}}, "reason", "Never"},
		{lessons.Lesson{Wording: lessons.Wording{Content: "Never squash commits of the release branch", Insight: "The audit reads them."}}, "", ""},
		{lessons.Lesson{Category: "errors", Wording: lessons.Wording{Content: "Pass the flag for orphaned containers when compose stops"}}, "example", "flag"},
		{lessons.Lesson{Category: "errors", Wording: lessons.Wording{Content: "Pass `--remove-orphans`, the flag for orphaned containers"}}, "", ""},
		{lessons.Lesson{Wording: lessons.Wording{Content: "Deploy with Terraform. Ask Ann for the state bucket. Then tell the channel about the outcome."}}, "rambling", ""},
		{lessons.Lesson{Wording: lessons.Wording{Content: strings.Repeat("Deploy with Terraform, e.g. from staging ", 10)}}, "rambling", ""},
		{lessons.Lesson{Wording: lessons.Wording{Content: "The scheduler drops jobs under memory pressure"}, Confidence: 0.9, Evidence: agent}, "overconfident", ""},
		{lessons.Lesson{Wording: lessons.Wording{Content: "The scheduler drops jobs under memory pressure"}, Confidence: 0.9, Origin: lessons.Origin{Extractor: "model:x"}}, "overconfident", ""},
		{lessons.Lesson{Wording: lessons.Wording{Content: "The scheduler drops jobs under memory pressure"}, Confidence: 0.9}, "", ""},
		{lessons.Lesson{Wording: lessons.Wording{Content: "The scheduler drops jobs under memory pressure"}, Confidence: 0.9, Evidence: agent, Status: lessons.Approved, Decided: lessons.Decision{By: "ann"}}, "when", ""},
		{lessons.Lesson{Wording: lessons.Wording{Content: "The scheduler drops jobs under memory pressure"}, Status: lessons.Pending, Triggers: []string{"jobs are lost"}}, "", ""},
		{lessons.Lesson{Wording: lessons.Wording{Content: "The scheduler drops jobs under memory pressure"}, Status: lessons.Pending, Limit: lessons.Limit{Paths: []string{"sched/**"}}}, "", ""},
		{lessons.Lesson{Wording: lessons.Wording{Content: "Use the scheduler of the platform for nightly jobs"}, Status: lessons.Pending}, "", ""},
		{lessons.Lesson{Wording: lessons.Wording{Content: "We never write to the table of jobs from outside, since it is locked"}, Status: lessons.Pending}, "", ""},
		{lessons.Lesson{Wording: lessons.Wording{Content: "The scheduler drops jobs under memory pressure"}, Confidence: 0.6, Evidence: agent}, "", ""},
		{lessons.Lesson{Wording: lessons.Wording{Content: "始终使用制表符缩进代码"}}, "", ""},
		{lessons.Lesson{Wording: lessons.Wording{Content: "👍"}}, "", ""},
		{lessons.Lesson{}, "", ""},
	} {
		if c.l.Evidence == nil && c.l.Confidence == 0 {
			c.l.Evidence = heard
		}
		fs := lessons.Lint(c.l)
		if got := codes(c.l); got != c.codes {
			t.Errorf("%q: %q, want %q", c.l.Content, got, c.codes)
		} else if c.found != "" && fs[0].Found != c.found {
			t.Errorf("%q: found %q, want %q", c.l.Content, fs[0].Found, c.found)
		}
	}
}

func FuzzLint(f *testing.F) {
	f.Add("Never do it. See line 5 here!", "", "go run .")
	f.Add("\xff\x1b[31m这 `", "why", "")
	f.Fuzz(func(t *testing.T, content, insight, example string) {
		l := lessons.Lesson{Category: "tools", Wording: lessons.Wording{Content: content, Insight: insight, Example: example}}
		at := 0
		for _, g := range lessons.Lint(l) {
			i := at
			for i < len(lessons.Codes) && lessons.Codes[i] != g.Code {
				i++
			}
			if i == len(lessons.Codes) {
				t.Errorf("%s is out of order or unknown", g.Code)
			}
			at = i + 1
			if g.Says == "" || lessons.Line(g.Says) != g.Says || lessons.Line(g.Found) != g.Found {
				t.Errorf("unsafe or empty: %+v", g)
			}
		}
	})
}

// A demand without exceptions wants its reason, in whatever words that is; what only tells
// what is so, or what somebody thinks, demands nothing.
func TestLintReason(t *testing.T) {
	for text, want := range map[string]bool{
		"Do not push to main in the middle of a release":                              true,
		"Never force-push the branch, so far nobody has been told":                    true,
		"Never run the e2e tests by hand since v2":                                    true,
		"Do not touch http://localhost:8080/x in tests of the server":                 true,
		"Do not run the e2e tests unless somebody asks for them":                      false,
		"Do not push to main so that releases can be cut":                             false,
		"Do not run the e2e tests since they consume tokens":                          false,
		"Always lock the schema, otherwise two migrations run":                        false,
		"Never cache the token lest it expires":                                       false,
		"Do not log the body of a request as it has names of people":                  false,
		"Always use the fake clock to avoid flaky tests of the scheduler":             false,
		"A click on a test row always opens the full page of the case":                false,
		"I don't think claude reads the metadata file of a session":                   false,
		"We don't want it done so in the queue of the worker, do not retry the calls": true,
	} {
		if got := strings.Contains(codes(lessons.Lesson{Wording: lessons.Wording{Content: text}}), "reason"); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
