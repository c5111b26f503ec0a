package formats

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"learnings/lessons"
	"learnings/lessons/exchange"
)

// TestBack checks that what is written is read as the same lessons, as far as the
// form can hold them.
func TestBack(t *testing.T) {
	ls := []lessons.Lesson{
		{ID: "a1", Status: lessons.Approved, Category: "tools", Confidence: 0.55, Created: time.Date(2026, 11, 1, 8, 0, 0, 0, time.UTC),
			Wording: lessons.Wording{Content: "=SUM(A1) is no formula", Insight: "two\nlines, \"quoted\"", Example: "'x"},
			Tags:    []string{"a b", "c"}, Triggers: []string{"sum"}, Scope: lessons.Scope{Project: "shop", Role: "developer"}},
		{ID: "a2", Status: lessons.Approved, Category: "errors", Confidence: 1, Wording: lessons.Wording{Content: "naïve <b> & 日本語"}, Scope: lessons.Scope{Global: true}},
	}
	for name, f := range map[string]exchange.Format{"x.json": records{}, "x.jsonl": records{lines: true}} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name)
			p, err := f.Plan(t.Context(), exchange.Target{Path: path}, ls)
			if err != nil || p.Apply(t.Context()) != nil {
				t.Fatal(err)
			}
			if !f.Detect(path) {
				t.Error("it does not know its own file")
			}
			found, err := f.Read(t.Context(), path)
			if err != nil || len(found.Unread) > 0 || len(found.Entries) != len(ls) {
				t.Fatalf("%d entries, unread %v, error %v", len(found.Entries), found.Unread, err)
			}
			for i, e := range found.Entries {
				got, want := e.Lesson, ls[i]
				if !e.Active || got.Status != lessons.Pending {
					t.Errorf("entry %d is %s, active %v", i, got.Status, e.Active)
				}
				got.Status, got.Evidence, got.Origin = want.Status, nil, lessons.Origin{}
				if got.Wording != want.Wording || got.Scope != want.Scope || got.Confidence != want.Confidence || got.ID != want.ID ||
					!got.Created.Equal(want.Created) || len(got.Tags) != len(want.Tags) || len(got.Triggers) != len(want.Triggers) {
					t.Errorf("read\n%+v\nwritten\n%+v", got, want)
				}
			}
			if p, err = f.Plan(t.Context(), exchange.Target{Path: path}, ls); err != nil || !p.Empty() {
				t.Errorf("writing the same again plans %v, %v", p.Diff(), err)
			}
		})
	}
}

// FuzzRead checks that no file makes a reader fail in other ways than by an error,
// and that what is read as a lesson can be written.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{"", "[]", `{"content":"x"}`, "content\nx\n", "content,score\n\"a\nb\",2\n", "[{\"content\":\"x\",\"score\":7}]", "\ufeffcontent\n'=x\n", `{"content":"x","evidence":[{"line":-1}]}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		for name, form := range map[string]exchange.Format{"x.json": records{}, "x.jsonl": records{lines: true}} {
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, data, 0o600); err != nil {
				t.Fatal(err)
			}
			found, err := form.Read(t.Context(), path)
			if err != nil {
				continue
			}
			var ls []lessons.Lesson
			for _, e := range found.Entries {
				ls = append(ls, e.Lesson)
			}
			if _, err := form.Plan(t.Context(), exchange.Target{Path: path}, ls); err != nil {
				t.Errorf("%s: what was read cannot be written: %v", name, err)
			}
		}
	})
}
