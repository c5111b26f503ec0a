package gimli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"learnings/lessons"
	"learnings/lessons/exchange"
)

// texts of entries, some of them alike.
var texts = rapid.Custom(func(t *rapid.T) string {
	words := rapid.SliceOfN(rapid.SampledFrom(strings.Fields("run the tests before each commit use pnpm never npm Name port: `make` <b> ‘x’ 日本語 😀 [2025-01-01] - ## --> ```")), 1, 40).Draw(t, "words")
	return strings.Join(words, " ")
})

// keptLines is what a LEARNINGS.md has that is no entry of the four sections.
func keptLines(text string) []string {
	m, err := parseMarkdown([]byte(text))
	if err != nil {
		panic(err)
	}
	var out []string
	entry := map[int]bool{}
	for _, b := range m.bullets {
		entry[b.line] = true
	}
	for i, l := range m.lines {
		if s := bare(l); !entry[i] && strings.TrimSpace(s) != "" && !slices.ContainsFunc(m.sections, func(s section) bool { return s.head == i }) {
			out = append(out, s)
		}
	}
	return out
}

func anyMarkdown(t *rapid.T) string {
	eol := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "eol")
	var b strings.Builder
	for range rapid.IntRange(0, 25).Draw(t, "lines") {
		text := texts.Draw(t, "text")
		b.WriteString(rapid.SampledFrom([]string{
			"## User Preferences", "## Corrections", "## Successful Patterns", "## Tool Usage", "## Mine " + text, "# " + text, "### " + text, "", "", text,
			"- [2025-01-02] " + text, "- [2025-01-02] " + text, "- [2025-01-02] " + text, "* " + text, "  - " + text, "\t" + text, "- [2025-99-01] " + text, "```", "<!-- " + text, "-->",
		}).Draw(t, "line") + eol)
	}
	return b.String()
}

// TestMarkdownKeeps checks that writing lessons changes no entries of others, and nothing
// that is not an entry.
func TestMarkdownKeeps(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		text := "## Corrections\n" + anyMarkdown(t)
		path := filepath.Join(dir, "LEARNINGS.md")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		os.RemoveAll(filepath.Join(dir, "ledger"))
		found, err := Format{}.Read(context.Background(), path)
		if err != nil {
			t.Fatal(err)
		}
		var ls []lessons.Lesson
		theirs := map[string]bool{}
		for _, e := range found.Entries {
			l := e.Lesson
			switch rapid.IntRange(0, 4).Draw(t, "decision") {
			case 0:
				theirs[l.Content] = true
				continue
			case 1:
				l.Status = lessons.Rejected
			case 2:
				l.Content, l.Status = texts.Draw(t, "new text"), lessons.Approved
			case 3:
				l.Status = lessons.Approved
			}
			ls = append(ls, l)
		}
		for i := range rapid.IntRange(0, 4).Draw(t, "new") {
			ls = append(ls, lesson(fmt.Sprint("n", i), rapid.SampledFrom(Categories).Draw(t, "category"), texts.Draw(t, "text")))
		}
		twice(t, dir, path, ls)
		after, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if before, now := keptLines(text), keptLines(string(after)); !slices.Equal(before, now) {
			t.Fatalf("what was no entry has changed from\n%q\nto\n%q\n--- before\n%s\n--- after\n%s", before, now, text, after)
		}
		for _, e := range found.Entries {
			if theirs[e.Lesson.Content] && !strings.Contains(string(after), e.Lesson.Content) {
				t.Fatalf("%q is gone", e.Lesson.Content)
			}
		}
	})
}

// twice writes lessons to a path, and checks that a second time changes nothing.
func twice(t *rapid.T, dir, path string, ls []lessons.Lesson) {
	for n := range 2 {
		ledger, err := exchange.OpenLedger(filepath.Join(dir, "ledger"), path)
		if err != nil {
			t.Fatal(err)
		}
		p, err := Format{}.Plan(context.Background(), exchange.Target{Path: path, Now: now.Add(time.Duration(n) * time.Hour), Ledger: ledger}, ls)
		if err != nil {
			t.Fatal(err)
		}
		if n > 0 && !p.Empty() {
			t.Fatalf("a second export changes\n%s", p.Diff())
		}
		if err := p.Apply(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
}

// TestJSONKeeps: unknown keys and entries, their order and their bytes stay.
func TestJSONKeeps(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		var entries []any
		for i := range rapid.IntRange(0, 6).Draw(t, "entries") {
			e := map[string]any{"id": fmt.Sprint("lrn_", i), "content": texts.Draw(t, "text"), "category": rapid.SampledFrom(append(Categories, "odd")).Draw(t, "category"), "unknown": []any{"é\u2028", 1e300, nil}}
			for _, k := range []string{"active", "confidence", "tags", "context"} {
				if rapid.Bool().Draw(t, k) {
					e[k] = map[string]any{"active": rapid.Bool().Draw(t, "on"), "confidence": "low", "tags": []string{"a", "b"}, "context": "c"}[k]
				}
			}
			entries = append(entries, e)
		}
		if rapid.Bool().Draw(t, "odd") {
			entries = append(entries, 7, map[string]any{"id": []int{1}})
		}
		top := map[string]any{"agentId": "x", "learnings": entries, "zeta": map[string]any{"learnings": 1}}
		text, _ := json.MarshalIndent(top, "", rapid.SampledFrom([]string{"", "  ", "\t"}).Draw(t, "indent"))
		if rapid.Bool().Draw(t, "compact") {
			text, _ = json.Marshal(top)
		}
		path := filepath.Join(dir, "learnings.json")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		os.RemoveAll(filepath.Join(dir, "ledger"))
		found, err := Format{}.Read(context.Background(), path)
		if err != nil {
			t.Fatal(err)
		}
		var ls []lessons.Lesson
		for _, e := range found.Entries {
			l := e.Lesson
			l.Status = rapid.SampledFrom([]lessons.Status{lessons.Pending, lessons.Approved, lessons.Rejected}).Draw(t, "status")
			if l.Status == lessons.Approved && rapid.Bool().Draw(t, "edit") {
				l.Content = texts.Draw(t, "new text")
			}
			ls = append(ls, l)
		}
		for i := range rapid.IntRange(0, 3).Draw(t, "new") {
			ls = append(ls, lesson(fmt.Sprint("n", i), "pattern", texts.Draw(t, "text")))
		}
		twice(t, dir, path, ls)
		after, _ := os.ReadFile(path)
		before, then := unknown(t, text), unknown(t, after)
		if len(then) < len(before) || !slices.Equal(before, then[:len(before)]) {
			t.Fatalf("unknown data has changed from\n%s\nto\n%s", before, then)
		}
	})
}

// unknown is what a file has that no lesson is written to.
func unknown(t *rapid.T, data []byte) []string {
	var top struct {
		Zeta      json.RawMessage
		Learnings []json.RawMessage
	}
	if err := json.Unmarshal(data, &top); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	out := []string{string(top.Zeta)}
	for _, raw := range top.Learnings {
		var e map[string]json.RawMessage
		if json.Unmarshal(raw, &e) != nil {
			out = append(out, string(raw))
			continue
		}
		out = append(out, string(e["id"])+string(e["unknown"]))
	}
	return out
}

// FuzzMarkdown: no text is too odd to be read, and without a change it is the same.
func FuzzMarkdown(f *testing.F) {
	for _, name := range []string{"LEARNINGS.doc-example.md", "LEARNINGS.doc-persistence.md"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data), "Use fd")
	}
	f.Add(byHand, "x")
	f.Add("## Corrections\r\n- a\n\t- b\n## Corrections\n<<<<<<<\n", "- ## <!--")
	f.Fuzz(func(t *testing.T, text, add string) {
		m, err := parseMarkdown([]byte(text))
		if err != nil {
			return
		}
		if got := string(m.bytes(now)); got != text {
			t.Fatalf("%q became %q", text, got)
		}
		if bulletText(add) == "" {
			return
		}
		if n := exchange.Units(bulletText(add)); n > MaxBullet {
			t.Fatalf("a bullet has %d characters", n)
		}
		m.add(lesson("a", "tool", add), now)
		back, err := parseMarkdown(m.bytes(now))
		if err != nil || len(m.sections) > 0 && len(back.bullets) < len(m.bullets) {
			t.Fatalf("%v: %d of %d entries after one was added to %q", err, len(back.bullets), len(m.bullets), text)
		}
	})
}

// FuzzJSON: the same for learnings.json.
func FuzzJSON(f *testing.F) {
	data, err := os.ReadFile(filepath.Join("testdata", "learnings.json"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data, "Use fd")
	f.Add([]byte(`{"learnings":[{"id":"a","content":"b","id":"c"},null,[]],"learnings":[ ]}`), "x")
	f.Fuzz(func(t *testing.T, data []byte, add string) {
		b, err := openJSON(data, file{})
		if err != nil {
			return
		}
		if got := b.bytes(now); string(got) != string(data) {
			t.Fatalf("%q became %q", data, got)
		}
		n := len(b.holds().items)
		for i := range b.holds().items {
			b.set(i, lesson("a", "tool", add), now)
		}
		b.add(lesson("a", "tool", add+"x"), now)
		after, err := parseJSON(b.bytes(now))
		if err != nil || len(after.items) < min(n, 1) {
			t.Fatalf("%v: %q became %q", err, data, b.bytes(now))
		}
	})
}
