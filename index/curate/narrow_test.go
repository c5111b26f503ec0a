package curate_test

import (
	"testing"
	"time"

	"learnings/index/curate"
	"learnings/lessons"
)

func saidIn(id lessons.ID, content, quote string, scope lessons.Scope, paths ...string) lessons.Lesson {
	return lessons.Lesson{ID: id, Status: lessons.Approved, Category: "preference", Wording: lessons.Wording{Content: content}, Scope: scope, Confidence: 0.7,
		Limit: lessons.Limit{Paths: paths}, Evidence: []lessons.Evidence{{By: lessons.ByPerson, Quote: quote}}, Created: time.Date(2026, 4, 6, 12, 0, 0, 0, time.UTC)}
}

// Lessons that were said in different places are narrowed to these, and only those.
func TestNarrowed(t *testing.T) {
	in := func(project string) lessons.Scope { return lessons.Scope{Project: project} }
	all := func(project string) lessons.Scope { return lessons.Scope{Project: project, Global: true} }
	for name, c := range map[string]struct {
		a, b               lessons.Lesson
		by, whereA, whereB string
		changedA, changedB bool
	}{
		"one holds everywhere":  {saidIn("a", "Use tabs", "", in("cli")), saidIn("b", "Use spaces", "", all("web")), "project", "cli", "web", false, true},
		"both hold everywhere":  {saidIn("a", "Use tabs", "", all("cli")), saidIn("b", "Use spaces", "", all("web")), "project", "cli", "web", true, true},
		"learned in the same":   {saidIn("a", "Use tabs", "", in("cli")), saidIn("b", "Use spaces", "", all("cli")), "", "", "", false, false},
		"nobody knows where":    {saidIn("a", "Use tabs", "", in("cli")), saidIn("b", "Use spaces", "", all("")), "", "", "", false, false},
		"to other roles":        {saidIn("a", "Use tabs", "", lessons.Scope{Project: "cli", Role: "developer:go"}), saidIn("b", "Use spaces", "", lessons.Scope{Project: "cli", Role: "developer:web"}), "role", "developer:go", "developer:web", false, false},
		"for any role":          {saidIn("a", "Use tabs", "", lessons.Scope{Project: "cli", Role: "developer"}), saidIn("b", "Use spaces", "", in("cli")), "", "", "", false, false},
		"about other files":     {saidIn("a", "Use tabs in `Makefile.mk`, cmd/main.go", "", in("cli")), saidIn("b", "Use spaces", "in web/app.ts, please", in("cli")), "files", "cmd/main.go", "web/app.ts", true, true},
		"one is limited":        {saidIn("a", "Use tabs", "", in("cli"), "*.go"), saidIn("b", "Use spaces in docs/x.md", "", in("cli")), "files", "*.go", "docs/x.md", false, true},
		"one file has the name": {saidIn("a", "Use tabs", "", in("cli"), "*.go"), saidIn("b", "Use spaces in cmd/x.go", "", in("cli")), "", "", "", false, false},
		"names are no files":    {saidIn("a", "Call strings.Contains, v1.2 and/or https://a.b/c.go, e.g.", "", in("cli")), saidIn("b", "Use x.py", "", in("cli")), "", "", "", false, false},
	} {
		n, ok := curate.Narrowed(c.a, c.b)
		if ok != (c.by != "") || n.By != c.by || n.A.Where != c.whereA || n.B.Where != c.whereB || n.A.Changed != c.changedA || n.B.Changed != c.changedB {
			t.Errorf("%s: %v, by %q, %q (%v) and %q (%v)", name, ok, n.By, n.A.Where, n.A.Changed, n.B.Where, n.B.Changed)
		}
		if n.A.Scope.Global || n.B.Scope.Global || len(n.A.Limit.Paths) == 0 && n.By == "files" {
			t.Errorf("%s: not narrowed: %+v, %+v", name, n.A.Scope, n.B.Scope)
		}
	}
}
