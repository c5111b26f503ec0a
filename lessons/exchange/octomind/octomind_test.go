package octomind

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"pgregory.net/rapid"

	"learnings/lessons"
	"learnings/lessons/exchange"
	"learnings/lessons/file"
)

func store(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func text(content string) string {
	return "---\ncontent: \"" + content + "\"\nconfidence: high\ncreated: \"2026-08-28T10:16:00+00:00\"\n---\n"
}

// The same lessons come from the whole folder, from that of a project or role, and
// from one file.
func TestReadAnyPart(t *testing.T) {
	dir := store(t, map[string]string{
		"octofs/developer/a.md": text("one"), "octofs/ops/b.md": text("two"), "shop/developer/c.md": text("three"), "_/g.md": text("all"),
		"octofs/developer/.archive/learning/old.md": text("old"), "octofs/developer/.git/x.md": text("no"), "octofs/deep/er/still/x.md": text("no"), "stray.md": "no",
	})
	ids := map[string]lessons.ID{}
	for _, at := range []struct {
		path string
		n    int
	}{{"", 5}, {"octofs", 3}, {"octofs/developer", 2}, {"_", 1}, {"octofs/developer/a.md", 1}, {"_/g.md", 1}} {
		path := filepath.Join(dir, filepath.FromSlash(at.path))
		if !(Format{}).Detect(path) {
			t.Errorf("%s is not detected", at.path)
		}
		found, err := Format{}.Read(t.Context(), path)
		if err != nil || len(found.Entries) != at.n || len(found.Unread) != 0 {
			t.Errorf("%q: %v, %d entries, unread %v", at.path, err, len(found.Entries), found.Unread)
		}
		for _, e := range found.Entries {
			if was, ok := ids[e.Key]; ok && was != e.Lesson.ID {
				t.Errorf("%s has another id when it is read from %s", e.Key, at.path)
			}
			ids[e.Key] = e.Lesson.ID
			if e.Active == strings.Contains(e.Place, ".archive") || e.Lesson.Scope.Global != strings.HasPrefix(e.Place, "_/") {
				t.Errorf("%s: active %v, %+v", e.Place, e.Active, e.Lesson.Scope)
			}
		}
	}
	if _, err := (Format{}).Read(t.Context(), t.TempDir()); err == nil {
		t.Error("an empty folder is no store")
	}
	if (Format{}).Detect(filepath.Join(dir, "nosuch")) {
		t.Error("nothing is detected")
	}
}

// The folder above the store, which people know better, is read as the store: what lies in
// it is of the same projects, and nothing is passed over.
func TestReadDataFolder(t *testing.T) {
	dir := store(t, map[string]string{"learning/octofs/developer/a.md": text("one"), "learning/_/g.md": text("all"), "sessions/x/y/z.md": "no"})
	want, err := Format{}.Read(t.Context(), filepath.Join(dir, "learning"))
	if err != nil || len(want.Entries) != 2 {
		t.Fatalf("the store: %v, %d entries", err, len(want.Entries))
	}
	got, err := Format{}.Read(t.Context(), dir)
	if err != nil || len(got.Entries) != 2 || !(Format{}).Detect(dir) {
		t.Fatalf("the folder above: %v, %+v", err, got)
	}
	for i, e := range got.Entries {
		if e.Key != want.Entries[i].Key || e.Lesson.ID != want.Entries[i].Lesson.ID || e.Lesson.Scope != want.Entries[i].Lesson.Scope {
			t.Errorf("%s: read as %+v", e.Place, e.Lesson.Scope)
		}
	}
}

// Whatever is edited here, lines that are not ours to change stay as they were.
func TestEditsKeepUnknownLines(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		odd := rapid.SliceOfN(rapid.StringMatching(`(mood|x_[a-z]{1,5}|#[a-z ]{0,9}|words only|related|outcome): ?[a-z"\[\]\\ ]{0,12}`), 0, 5).Draw(rt, "odd")
		end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(rt, "end")
		lines := append([]string{"---", `content: "Use tabs"`, "importance: 0.8", "confidence: high", "tags: [a,b]"}, odd...)
		lines = append(lines, `created: "2026-08-28T10:16:00.250+00:00"`, "use_count: 3", "---", "body", "")
		before := strings.Join(lines, end)
		dir := store(t, map[string]string{"octofs/developer/20260828101600-use-tabs.md": before})
		found, err := Format{}.Read(context.Background(), dir)
		if err != nil || len(found.Entries) != 1 {
			rt.Fatal(err, found)
		}
		l := found.Entries[0].Lesson
		l.Status = lessons.Approved
		if p := plan(rt, dir, l); !p.Empty() {
			rt.Fatalf("nothing changed, and the plan is\n%s", p.Diff())
		}
		l.Content = rapid.SampledFrom([]string{"Use tabs", "Use spaces", `Use "spaces"`, "a --- b", "C:\\n\nx"}).Draw(rt, "content")
		l.Tags = rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "x,y"}), 0, 3).Draw(rt, "tags")
		if rapid.Bool().Draw(rt, "doubt") {
			l.Confidence = 0.5
		}
		if err := plan(rt, dir, l).Apply(context.Background()); err != nil {
			rt.Fatal(err)
		}
		again, err := Format{}.Read(context.Background(), dir)
		if err != nil || len(again.Entries) != 1 {
			rt.Fatal(err, again)
		}
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(again.Entries[0].Place)))
		if err != nil {
			rt.Fatal(err)
		}
		for _, line := range append(odd, "use_count: 3", "body") {
			if !strings.Contains(string(data), line+end) {
				rt.Fatalf("%q is gone from\n%s", line, data)
			}
		}
		if p := plan(rt, dir, again.Entries[0].Lesson, l); len(p.Edits) != 0 {
			rt.Logf("the second plan is\n%s", p.Diff())
		}
	})
}

func plan(t interface{ Fatal(...any) }, dir string, ls ...lessons.Lesson) *exchange.Plan {
	p, err := Format{}.Plan(context.Background(), exchange.Target{Path: dir, Now: time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC)}, ls)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestNamesAreFree(t *testing.T) {
	at := time.Date(2026, 8, 28, 10, 16, 0, 0, time.UTC)
	var ls []lessons.Lesson
	for i := range 3 {
		ls = append(ls, lessons.Lesson{
			ID: lessons.ID(fmt.Sprint("l", i)), Status: lessons.Approved, Wording: lessons.Wording{Content: "Use tabs" + strings.Repeat("!", i)},
			Scope: lessons.Scope{Project: "octofs"}, Confidence: 0.9, Created: at,
		})
	}
	dir := t.TempDir()
	if err := plan(t, dir, ls...).Apply(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"20260828101600-use-tabs.md", "20260828101601-use-tabs.md", "20260828101602-use-tabs.md"} {
		if _, err := os.Stat(filepath.Join(dir, "octofs", "developer", name)); err != nil {
			t.Error(err)
		}
	}
	if p := plan(t, dir, ls...); !p.Empty() {
		t.Errorf("the second time:\n%s", p.Diff())
	}
}

// What is written says where it was said, as Octomind does, and lies where Octomind looks for
// one agent's lessons.
func TestEvidenceAndAgent(t *testing.T) {
	l := lessons.Lesson{
		ID: "l1", Status: lessons.Approved, Wording: lessons.Wording{Content: "Use tabs"}, Scope: lessons.Scope{Project: "octofs", Role: "developer"}, Confidence: 0.9,
		Limit: lessons.Limit{Agent: "codex"}, Created: time.Date(2026, 8, 28, 10, 16, 0, 0, time.UTC),
		Evidence: []lessons.Evidence{
			{Agent: "octomind", Session: "s", Path: "session://s/message/4"}, {Agent: "octomind", Path: "session://s---x"},
			{Agent: "claude-code", Session: "9a9eadc8-c1f1", Line: 33, Quote: "tabs, please"}, {Agent: "claude-code", Session: "9a9eadc8-c1f1", Line: 33},
			{Agent: "codex", Session: "a b\"/../c", Line: 2}, {Agent: "codex", Session: "e1", Line: 7, From: lessons.Against}, {Agent: "companion", Session: "m1", Line: 1, From: "import"},
		},
	}
	dir := t.TempDir()
	if err := plan(t, dir, l).Apply(t.Context()); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, "octofs", "codex", "20260828101600-use-tabs.md"))
	if want := "\nevidence: [\"session://s/message/4\",\"session://9a9eadc8-c1f1/message/33\"]\n"; err != nil || !strings.Contains(string(data), want) || !strings.Contains(string(data), "\nrole: \"codex\"\n") {
		t.Errorf("%v\n%s", err, data)
	}
	if w := (Format{}).Lacks(l); strings.Contains(strings.Join(w, ","), "which agent") {
		t.Errorf("lacks %q", w)
	}
	if l.Scope.Role = "ops"; !strings.Contains(strings.Join(Format{}.Lacks(l), ","), "which agent") {
		t.Error("a lesson of a role that is for one agent loses the agent untold")
	}
}

func FuzzRead(f *testing.F) {
	f.Add(text("a"))
	f.Add("---\ncontent: x --- y")
	f.Add("--- \n:\ncontent: \"\n\"\ntags: [,\"]\nrelated: [\"a\nuse_count: 99999999999999999999\nimportance: NaN\n---")
	f.Fuzz(func(t *testing.T, s string) {
		r, ok := present(s)
		if _, also := first(s); ok != also && strings.Trim(r.Content, `"`) != "" {
			t.Errorf("only one version reads %q", s)
		}
		if !ok {
			return
		}
		said, err := file.DecodeAt("p/r/x.md", []byte(s), "x")
		if err != nil {
			return
		}
		l := entry{name: "p/r/x.md", path: "x", text: s, rec: r, said: said}.lesson()
		if l.Validate() != nil {
			return
		}
		got, ok := present(made(l))
		plain := !strings.Contains(l.Content, "--") && !strings.ContainsFunc(l.Content, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) })
		if !ok || plain && got.Content != l.Content {
			t.Errorf("written and read again, %q is %q in\n%s", l.Content, got.Content, made(l))
		}
	})
}
