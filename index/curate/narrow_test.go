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
		"one holds everywhere": {saidIn("a", "Use tabs", "", in("cli")), saidIn("b", "Use spaces", "", all("web")), "project", "cli", "web", false, true},
		"both hold everywhere": {saidIn("a", "Use tabs", "", all("cli")), saidIn("b", "Use spaces", "", all("web")), "project", "cli", "web", true, true},
		"learned in the same":  {saidIn("a", "Use tabs", "", in("cli")), saidIn("b", "Use spaces", "", all("cli")), "", "", "", false, false},
		"nobody knows where":   {saidIn("a", "Use tabs", "", in("cli")), saidIn("b", "Use spaces", "", all("")), "", "", "", false, false},
		"to other roles":       {saidIn("a", "Use tabs", "", lessons.Scope{Project: "cli", Role: "developer:go"}), saidIn("b", "Use spaces", "", lessons.Scope{Project: "cli", Role: "developer:web"}), "role", "developer:go", "developer:web", false, false},
		"for any role":         {saidIn("a", "Use tabs", "", lessons.Scope{Project: "cli", Role: "developer"}), saidIn("b", "Use spaces", "", in("cli")), "", "", "", false, false},
		"limited to others":    {saidIn("a", "Use tabs", "", in("cli"), "cmd/*.go"), saidIn("b", "Use spaces", "", in("cli"), "web/app.ts"), "files", "cmd/*.go", "web/app.ts", false, false},
		"one is limited":       {saidIn("a", "Use tabs", "", in("cli"), "*.go"), saidIn("b", "Use spaces in docs/x.md", "", in("cli")), "", "", "", false, false},
		"one file is of both":  {saidIn("a", "Use tabs", "", in("cli"), "*.go"), saidIn("b", "Use spaces", "", in("cli"), "cmd/x.go"), "", "", "", false, false},
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
