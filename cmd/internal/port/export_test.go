package port

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"learnings/lessons"
	"learnings/lessons/exchange"
	"learnings/lessons/exchange/formats"
)

// TestHiddenCharacters: what turns or hides text on a screen is in no file that is written,
// of any format, whichever field of a lesson has it; and the person is told that it is gone.
func TestHiddenCharacters(t *testing.T) {
	const hid = "\u202e\u200b\U000e0041"
	says := func(s string) string { return s[:3] + hid + s[3:] }
	now := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	l := lessons.Lesson{
		ID: "more0001", Status: lessons.Approved, Category: "tools", Confidence: 0.9, Created: now, Tags: []string{says("packages")}, Triggers: []string{says("npm install fails")},
		Wording: lessons.Wording{Content: says("Use pnpm for installs"), Insight: says("npm breaks the lockfile\nin this repository"), Example: says("pnpm install\npnpm test")},
		Scope:   lessons.Scope{Project: "shop"}, Limit: lessons.Limit{Paths: []string{says("web/**")}}, Origin: lessons.Origin{Source: says("session"), Rule: says("rule")},
		Evidence: []lessons.Evidence{{Agent: "claude", Path: says("/src/shop"), By: lessons.ByPerson, Quote: says("use pnpm, not npm")}},
		Decided:  lessons.Decision{By: says("sam"), At: now, Reason: says("said twice")},
	}
	procedure := l
	procedure.ID, procedure.Content = "more0002", says("To release: run make dist, then make sign")
	ls := []lessons.Lesson{l, procedure}
	written := 0
	for _, f := range formats.All() {
		dir := t.TempDir()
		w := formats.World{Home: dir, Dir: dir, Getenv: func(string) string { return "" }, Project: func(string) string { return "shop" }, Share: []lessons.ID{l.ID, procedure.ID}, Evidence: true}
		for _, path := range []string{dir, filepath.Join(dir, "store")} {
			to, err := To(f.Name, path, w)
			if err != nil {
				continue
			}
			p, err := to.Plan(t.Context(), ls, t.TempDir(), exchange.Target{Now: now})
			if err != nil {
				continue
			}
			if err := errors.Join(os.MkdirAll(filepath.Dir(to.Path), 0o700), p.Apply(t.Context())); err != nil {
				t.Errorf("%s: %v", f.Name, err)
			}
			if len(p.Losses) == 0 || !strings.Contains(strings.Join(p.Losses[0].What, " "), "invisible") {
				t.Errorf("%s: nothing is said of them: %v", f.Name, p.Losses)
			}
			written++
		}
		_ = fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, _ error) error {
			if text, err := os.ReadFile(filepath.Join(dir, name)); err == nil && strings.ContainsAny(string(text)+name, hid) {
				t.Errorf("%s: they are in %s", f.Name, name)
			}
			return nil
		})
	}
	if written < 16 {
		t.Errorf("only %d were written", written)
	}
	if !strings.Contains(l.Content+l.Tags[0]+l.Evidence[0].Quote, hid) {
		t.Error("the lesson itself was changed")
	}
}
