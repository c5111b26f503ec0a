package gimli

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"learnings/lessons"
	"learnings/lessons/exchange"
)

var now = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

func lesson(id, category, text string) lessons.Lesson {
	return lessons.Lesson{
		ID: lessons.ID(id), Status: lessons.Approved, Category: lessons.Category(category), Wording: lessons.Wording{Content: text},
		Confidence: 0.9, Created: time.Date(2025, 3, 4, 5, 6, 7, 0, time.UTC), Scope: lessons.Scope{Global: true},
	}
}

// write puts a file below a new folder and gives its path.
func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func load(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// A desk writes to one place, as the program does.
type desk struct {
	t      *testing.T
	path   string
	ledger string
}

func (d desk) plan(ls ...lessons.Lesson) *exchange.Plan {
	d.t.Helper()
	ledger, err := exchange.OpenLedger(d.ledger, d.path)
	if err != nil {
		d.t.Fatal(err)
	}
	p, err := Format{}.Plan(context.Background(), exchange.Target{Path: d.path, Now: now, Ledger: ledger}, ls)
	if err != nil {
		d.t.Fatal(err)
	}
	return p
}

// export writes, and checks that a second time changes nothing.
func (d desk) export(ls ...lessons.Lesson) *exchange.Plan {
	d.t.Helper()
	p := d.plan(ls...)
	if err := p.Apply(context.Background()); err != nil {
		d.t.Fatal(err)
	}
	if again := d.plan(ls...); !again.Empty() {
		d.t.Errorf("a second export changes:\n%s", again.Diff())
	}
	return p
}

func said(p *exchange.Plan, id string) string {
	var all []string
	for _, l := range p.Losses {
		if l.ID == lessons.ID(id) {
			all = append(all, l.What...)
		}
	}
	return strings.Join(all, "; ")
}

func read(t *testing.T, path string) exchange.Found {
	t.Helper()
	found, err := Format{}.Read(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestNewFile(t *testing.T) {
	d := desk{t, filepath.Join(t.TempDir(), "LEARNINGS.md"), t.TempDir()}
	long := lesson("a3", "workflow", "Run the whole suite before a release, and "+strings.Repeat("then once more ", 12)+"at last")
	p := d.export(lesson("a1", "preference", "Keep answers short."), lesson("a2", "error", "The target\nis build."), long)
	want := `# Agent Learnings

## User Preferences

- [2025-03-04] Keep answers short.

## Corrections

- [2025-03-04] The target is build.

## Successful Patterns

- [2025-03-04] Run the whole suite before a release, and then once more then once more then once more then once more then once more then once more then once more…

## Tool Usage
`
	if got := load(t, d.path); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if s := said(p, "a3"); !strings.Contains(s, "the end of its text") || !strings.Contains(s, "its category workflow (it becomes pattern)") {
		t.Errorf("what is lost: %s", s)
	}
}

// TestVariants: both published variants are written in their own way.
func TestVariants(t *testing.T) {
	for name, want := range map[string]string{
		"LEARNINGS.doc-example.md":     "## Corrections\n\n- [2025-01-29] Use pnpm instead of npm for this project\n- [2025-03-04] Say which port.\n\n## Successful Patterns\n",
		"LEARNINGS.doc-persistence.md": "## Corrections\n- [2024-01-14] API endpoint changed to v2\n- [2025-03-04] Say which port.\n\n## Successful Patterns\n",
	} {
		path := write(t, "LEARNINGS.md", load(t, filepath.Join("testdata", name)))
		desk{t, path, t.TempDir()}.export(lesson("b1", "correction", "Say which port."))
		if got := load(t, path); !strings.Contains(got, want) {
			t.Errorf("%s is\n%s", name, got)
		}
	}
}

const byHand = `# Agent Learnings
Notes of mine.

## Corrections
- [2025-01-01] Use pnpm instead of npm in this project
* [2025-01-02] The API is v2
  - since the spring
  - for all customers

## My own notes
- [2025-01-03] never touch this

<!--
- [2025-01-04] nor this
-->

## Tool Usage
- Prefer rg to grep
- [2025-13-45] what is this
- [2025-01-05]
`

// TestHandEdits: what people write is read where it is an entry, and kept.
func TestHandEdits(t *testing.T) {
	path := write(t, "LEARNINGS.md", byHand)
	found := read(t, path)
	var got []string
	for _, e := range found.Entries {
		got = append(got, e.Place+" "+e.Lesson.Content+" "+e.Lesson.Insight)
	}
	if want := "LEARNINGS.md:5 Use pnpm instead of npm in this project |LEARNINGS.md:6 The API is v2 - since the spring\n- for all customers|LEARNINGS.md:18 Prefer rg to grep "; strings.Join(got, "|") != want {
		t.Errorf("read %q", got)
	}
	if len(found.Unread) != 2 || found.Unread[0].Line != 19 || found.Unread[1].Line != 20 {
		t.Errorf("unread: %v", found.Unread)
	}
	d := desk{t, path, t.TempDir()}
	pnpm := found.Entries[0].Lesson
	pnpm.Status = lessons.Approved
	pnpm.Content = "Use pnpm, never npm"
	v2 := found.Entries[1].Lesson
	v2.Status = lessons.Rejected
	rg := found.Entries[2].Lesson
	rg.Status = lessons.Rejected
	p := d.export(pnpm, v2, rg, lesson("n1", "preference", "Short answers."))
	want := strings.NewReplacer(
		"- [2025-01-01] Use pnpm instead of npm in this project", "- [2026-11-20] Use pnpm, never npm",
		"- Prefer rg to grep\n", "",
		"\n## Corrections", "\n## User Preferences\n- [2025-03-04] Short answers.\n\n## Corrections",
	).Replace(byHand)
	if got := load(t, path); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if s := said(p, string(v2.ID)); !strings.Contains(s, "there is more below LEARNINGS.md:6") {
		t.Errorf("of the one with a list: %q", s)
	}
	if got := load(t, path+exchange.BackupSuffix); got != byHand {
		t.Error("the copy is not what was there")
	}
}

// TestTakenOutThere: what they took out stays out until it says something new.
func TestTakenOutThere(t *testing.T) {
	d := desk{t, filepath.Join(t.TempDir(), "LEARNINGS.md"), t.TempDir()}
	b := lesson("b1", "preference", "Answer in German")
	d.export(b)
	gone := strings.Replace(load(t, d.path), "- [2025-03-04] Answer in German\n", "", 1)
	os.WriteFile(d.path, []byte(gone), 0o644)
	if p := d.export(b); load(t, d.path) != gone || !strings.Contains(said(p, "b1"), "was taken out") {
		t.Errorf("%q\n%s", said(p, "b1"), load(t, d.path))
	}
	b.Content = "Answer in German or French"
	if d.export(b); !strings.Contains(load(t, d.path), "German or French") {
		t.Error("what says something new is not written")
	}
}

// TestWithoutLedger: entries are then found by their words.
func TestWithoutLedger(t *testing.T) {
	path := filepath.Join(t.TempDir(), "LEARNINGS.md")
	a := lesson("a1", "preference", "Always run the linter before you commit any change to main")
	desk{t, path, t.TempDir()}.export(a)
	text := load(t, path)
	d := desk{t, path, t.TempDir()}
	if p := d.export(a); !p.Empty() {
		t.Errorf("%s", p.Diff())
	}
	os.WriteFile(path, []byte(strings.Replace(text, "to main", "to master", 1)), 0o644)
	p := desk{t, path, t.TempDir()}.export(a)
	if !p.Empty() || !strings.Contains(said(p, "a1"), "says nearly the same") {
		t.Errorf("%q %s", said(p, "a1"), p.Diff())
	}
}

// TestTwins: bullets have no names but their texts, and one export settles all that say
// the same. What is approved stays, and what waits goes with what was rejected.
func TestTwins(t *testing.T) {
	const two = "## Corrections\n- [2025-01-02] Run make\n* run make\n- Use fd\n"
	for name, c := range map[string]struct {
		of   []lessons.Status // the lessons of both; none where ""
		want string
	}{
		"the first":             {[]lessons.Status{lessons.Rejected, ""}, "## Corrections\n- Use fd\n"},
		"the second":            {[]lessons.Status{"", lessons.Rejected}, "## Corrections\n- Use fd\n"},
		"the other waits":       {[]lessons.Status{lessons.Rejected, lessons.Pending}, "## Corrections\n- Use fd\n"},
		"the other is approved": {[]lessons.Status{lessons.Rejected, lessons.Approved}, "## Corrections\n* run make\n- Use fd\n"},
		"both wait":             {[]lessons.Status{lessons.Pending, lessons.Pending}, two},
	} {
		t.Run(name, func(t *testing.T) {
			path := write(t, "LEARNINGS.md", two)
			d := desk{t, path, t.TempDir()}
			var ls []lessons.Lesson
			for i, e := range read(t, path).Entries[:2] {
				if e.Lesson.Status = c.of[i]; c.of[i] != "" {
					ls = append(ls, e.Lesson)
				}
			}
			d.export(ls...)
			if got := load(t, path); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			if p := d.plan(ls...); !p.Empty() {
				t.Errorf("a second export changes\n%s", p.Diff())
			}
		})
	}
}

// TestTextLikeADate: a text that begins as a date does is not read as one.
func TestTextLikeADate(t *testing.T) {
	path := write(t, "LEARNINGS.md", "## Corrections\n* Run make\n")
	l := read(t, path).Entries[0].Lesson
	l.Status, l.Content = lessons.Approved, "[2025-01-01]"
	desk{t, path, t.TempDir()}.export(l)
	if got := load(t, path); got != "## Corrections\n* [2026-11-20] [2025-01-01]\n" {
		t.Errorf("got\n%s", got)
	}
}

func TestLineEnds(t *testing.T) {
	text := "# Agent Learnings\r\n\r\n## Corrections\r\n\r\n- [2025-01-01] Say which port\r\n\r\n## Tool Usage\r\n\r\n- [2025-01-01] Use rg"
	path := write(t, "LEARNINGS.md", text)
	d := desk{t, path, t.TempDir()}
	d.export(lesson("a", "tool", "Use fd"), lesson("b", "correction", "Name the host"), lesson("c", "pattern", "Small steps"))
	want := "# Agent Learnings\r\n\r\n## Corrections\r\n\r\n- [2025-01-01] Say which port\r\n- [2025-03-04] Name the host\r\n\r\n## Successful Patterns\r\n\r\n- [2025-03-04] Small steps\r\n\r\n## Tool Usage\r\n\r\n- [2025-01-01] Use rg\r\n- [2025-03-04] Use fd\r\n"
	if got := load(t, path); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestConflict(t *testing.T) {
	text := "## Corrections\n- [2025-01-01] Say which port\n<<<<<<< HEAD\n- [2025-01-01] one\n=======\n- [2025-01-01] two\n>>>>>>> theirs\n- [2025-01-01] Name the host\n"
	path := write(t, "LEARNINGS.md", text)
	if _, err := (Format{}).Read(context.Background(), path); !errors.Is(err, exchange.ErrFormat) || !strings.Contains(err.Error(), "line 3: it has conflict markers") {
		t.Errorf("reading: %v", err)
	}
	_, err := Format{}.Plan(context.Background(), exchange.Target{Path: path, Now: now}, []lessons.Lesson{lesson("a", "tool", "Use fd")})
	if !errors.Is(err, exchange.ErrFormat) || !strings.Contains(err.Error(), "line 3") {
		t.Errorf("writing: %v", err)
	}
}

// TestBad: what is no store of Gimli's is said to be none, and left.
func TestBad(t *testing.T) {
	for name, text := range map[string]string{
		"LEARNINGS.md":       "# Something else\n- [2025-01-01] entry\n",
		"x/LEARNINGS.md":     "## Corrections\n- [2025-01-01] \xff\xfe\n",
		"learnings.json":     `{"version":1,"learnings":[{"id":`,
		"a/learnings.json":   `[]`,
		"b/learnings.json":   ``,
		"c/learnings.json":   `{"learnings":{}}`,
		"d/learnings.json":   `{"learnings":[]} trailing`,
		"e/learnings.json":   "\ufeff{\"learnings\":[]}",
		"g/f/learnings.json": `{"learnings":[}`,
	} {
		path := write(t, name, text)
		if _, err := (Format{}).Read(context.Background(), path); !errors.Is(err, exchange.ErrFormat) || !strings.Contains(err.Error(), path) {
			t.Errorf("reading %s: %v", name, err)
		}
		if _, err := (Format{}).Plan(context.Background(), exchange.Target{Path: path, Now: now}, []lessons.Lesson{lesson("a", "tool", "x")}); !errors.Is(err, exchange.ErrFormat) {
			t.Errorf("writing %s: %v", name, err)
		}
		if load(t, path) != text {
			t.Errorf("%s was changed", name)
		}
	}
	if _, err := (Format{}).Read(context.Background(), filepath.Join(t.TempDir(), "none")); !errors.Is(err, exchange.ErrFormat) {
		t.Errorf("reading what is not there: %v", err)
	}
}

func TestJSON(t *testing.T) {
	text := load(t, filepath.Join("testdata", "learnings.json"))
	path := write(t, ".gimli/agents/main-agent/learning/learnings.json", text)
	if !(Format{}).Detect(path) {
		t.Error("not detected")
	}
	found := read(t, path)
	if len(found.Entries) != 4 || len(found.Unread) > 0 {
		t.Fatalf("%d entries, %v", len(found.Entries), found.Unread)
	}
	e := found.Entries[1]
	if l := e.Lesson; e.Key != "lrn_mwpl4syg_27r0" || e.Place != "learnings.json:15" || !e.Active || l.Content != "Use pnpm instead of npm for this project — naïve 日本語 😀" ||
		l.Insight != "package manager" || strings.Join(l.Tags, " ") != "npm tooling" || l.Confidence != 0.9 || l.Scope.Role != "main-agent" || !l.Created.Equal(time.Date(2026, 11, 20, 23, 3, 15, 352e6, time.UTC)) {
		t.Errorf("%+v", e)
	}
	if found.Entries[2].Active {
		t.Error("one that is switched off counts as active")
	}
	d := desk{t, path, t.TempDir()}
	var ls []lessons.Lesson
	for i, e := range found.Entries {
		if e.Lesson.Status = lessons.Approved; i != 2 {
			ls = append(ls, e.Lesson)
		}
	}
	if p := d.export(ls...); !p.Empty() {
		t.Errorf("what was approved as it is changes\n%s", p.Diff())
	}
	ls[0].Content = "Prefers short answers"
	ls[1].Status = lessons.Rejected
	d.export(append(ls, lesson("n1", "tool", "Use <rg> & fd"))...)
	want := strings.NewReplacer(
		"\"content\": \"Prefers concise responses without emojis\",\n      \"category\": \"preference\",\n      \"confidence\": \"medium\",\n      \"source\": \"user_message\",\n      \"timestamp\": \"2026-11-20T23:03:15.351Z\",\n      \"active\": true", "\"content\": \"Prefers short answers\",\n      \"category\": \"preference\",\n      \"confidence\": \"medium\",\n      \"source\": \"user_message\",\n      \"timestamp\": \"2026-11-20T23:03:15.351Z\",\n      \"active\": true,\n      \"lastValidated\": \"2026-11-20T09:00:00.000Z\"",
		"        \"tooling\"\n      ],\n      \"active\": true", "        \"tooling\"\n      ],\n      \"active\": false,\n      \"lastValidated\": \"2026-11-20T09:00:00.000Z\"",
		"\"lastUpdated\": \"2026-11-20T23:03:15.353Z\"", "\"lastUpdated\": \"2026-11-20T09:00:00.000Z\"",
	).Replace(text)
	got := load(t, path)
	i, j := strings.Index(got, "    },\n    {\n      \"id\": \"lrn_"+strconv.FormatInt(now.UnixMilli(), 36)), strings.LastIndex(got, "\n    }\n  ]")
	if i < 0 {
		t.Fatalf("nothing was added:\n%s", got)
	}
	if rest := got[:i] + "    }" + got[j+len("\n    }"):]; rest != want {
		t.Errorf("got\n%s\nwant\n%s", rest, want)
	}
	if !strings.Contains(got[i:j], "\"agentId\": \"main-agent\",\n      \"content\": \"Use <rg> & fd\",\n      \"category\": \"tool-usage\",\n      \"confidence\": \"high\"") {
		t.Errorf("added %s", got[i:j])
	}
}

// TestJSONShapes: other shapes than what Gimli writes are kept.
func TestJSONShapes(t *testing.T) {
	for text, want := range map[string]string{
		`{"learnings":[],"x":1}`: `{"learnings":[{"id":"I","agentId":"main","content":"Use fd","category":"tool-usage","confidence":"high","source":"user_message","timestamp":"2025-03-04T05:06:07.000Z","active":true}],"x":1,"lastUpdated":"2026-11-20T09:00:00.000Z"}`,
		`{"learnings":null}`:     `{"learnings":[{"id":"I","agentId":"main","content":"Use fd","category":"tool-usage","confidence":"high","source":"user_message","timestamp":"2025-03-04T05:06:07.000Z","active":true}],"lastUpdated":"2026-11-20T09:00:00.000Z"}`,
		` {} `:                   ` {"learnings":[{"id":"I","agentId":"main","content":"Use fd","category":"tool-usage","confidence":"high","source":"user_message","timestamp":"2025-03-04T05:06:07.000Z","active":true}],"lastUpdated":"2026-11-20T09:00:00.000Z"} `,
		"{\n \"agentId\": \"Ops Team\",\n \"learnings\": [ 1, {\"id\": 3} ]\n}\n": "{\n \"agentId\": \"Ops Team\",\n \"learnings\": [ 1, {\"id\": 3}, {\"id\":\"I\",\"agentId\":\"ops-team\",\"content\":\"Use fd\",\"category\":\"tool-usage\",\"confidence\":\"high\",\"source\":\"user_message\",\"timestamp\":\"2025-03-04T05:06:07.000Z\",\"active\":true} ],\n \"lastUpdated\": \"2026-11-20T09:00:00.000Z\"\n}\n",
		"{\n  \"learnings\": []\n}": "{\n  \"learnings\": [\n    {\n      \"id\": \"I\",\n      \"agentId\": \"main\",\n      \"content\": \"Use fd\",\n      \"category\": \"tool-usage\",\n      \"confidence\": \"high\",\n      \"source\": \"user_message\",\n      \"timestamp\": \"2025-03-04T05:06:07.000Z\",\n      \"active\": true\n    }\n  ],\n  \"lastUpdated\": \"2026-11-20T09:00:00.000Z\"\n}",
	} {
		path := write(t, "learnings.json", text)
		d := desk{t, path, t.TempDir()}
		l := lesson("a", "tool", "Use fd")
		l.Origin.Extractor = "person"
		d.export(l)
		got := []byte(load(t, path))
		if i := bytes.Index(got, []byte("lrn_")); i >= 0 {
			got = append(append(bytes.Clone(got[:i]), 'I'), got[i+len("lrn_mi7jk000_xxxx"):]...)
		}
		if string(got) != want {
			t.Errorf("%q becomes\n%s\nwant\n%s", text, got, want)
		}
	}
}

// TestAgents: each agent has its stores, and a lesson may hold for one.
func TestAgents(t *testing.T) {
	path := write(t, ".gimli/agents/main/agent/LEARNINGS.md", "## Corrections\n- [2025-01-01] Say which port\n")
	root := filepath.Join(filepath.Dir(path), "..", "..", "..")
	ops := filepath.Join(root, "agents", "ops-team", "learning", "learnings.json")
	os.MkdirAll(filepath.Dir(ops), 0o755)
	os.WriteFile(ops, []byte(`{"version":1,"agentId":"ops-team","learnings":[{"id":"lrn_1","content":"Restart nothing on Fridays","category":"preference","confidence":"high","active":true}]}`), 0o644)
	if !(Format{}).Detect(root) {
		t.Error("the folder is not detected")
	}
	found := read(t, root)
	if len(found.Entries) != 2 || found.Entries[0].Lesson.Scope != (lessons.Scope{Global: true}) || found.Entries[1].Lesson.Scope != (lessons.Scope{Global: true, Role: "ops-team"}) {
		t.Fatalf("%+v", found.Entries)
	}
	d := desk{t, root, t.TempDir()}
	mine, all := lesson("m", "correction", "Name the host"), lesson("x", "preference", "Short answers")
	mine.Scope.Role, all.Scope.Role = "Ops Team", "developer"
	d.export(mine, all)
	if !strings.Contains(load(t, ops), "Name the host") || !strings.Contains(load(t, path), "Short answers") || strings.Contains(load(t, path), "Name the host") {
		t.Errorf("ops: %s\nmain: %s", load(t, ops), load(t, path))
	}
	mine.Scope.Role = "" // for all now
	d.export(mine, all)
	if !strings.Contains(load(t, ops), `"active":false`) || !strings.Contains(load(t, path), "Name the host") {
		t.Errorf("ops: %s\nmain: %s", load(t, ops), load(t, path))
	}
	// One that cannot be read stops nothing but itself.
	os.WriteFile(ops, []byte(`{`), 0o644)
	if found := read(t, root); len(found.Entries) != 3 || len(found.Unread) != 1 {
		t.Errorf("%d entries, %v", len(found.Entries), found.Unread)
	}
	// A new place gets the folder of the agent that needs no name.
	d = desk{t, filepath.Join(t.TempDir(), "new"), t.TempDir()}
	d.export(all)
	load(t, filepath.Join(d.path, "agents", "main", "agent", "LEARNINGS.md"))
}

// TestDetect: a text that happens to have such a heading is none of Gimli's.
func TestDetect(t *testing.T) {
	for name, text := range map[string]string{
		"README.md":        "## Tool Usage\n- run make\n",
		"dir/LEARNINGS.md": "# What we learned\n- much\n",
		"a/learnings.json": `{"learnings": "many"}`,
		"b/notes.json":     `{"learnings": []}`,
	} {
		path := write(t, name, text)
		if (Format{}).Detect(path) || (Format{}).Detect(filepath.Dir(path)) {
			t.Errorf("%s is detected", name)
		}
	}
	if !(Format{}).Detect(write(t, "agent.md", "## Tool Usage\n- [2025-01-01] run make\n")) {
		t.Error("a copy under another name is not detected")
	}
}

func TestAgentID(t *testing.T) {
	for in, want := range map[string]string{
		"Main Agent!": "main-agent", "": "main", "  ": "main", "OPS_1": "ops_1", "-x-": "x", "日本": "main", "a b  c": "a-b-c", "_a": "_a", "ſK": "k",
		strings.Repeat("a", 70): strings.Repeat("a", 64), "x" + strings.Repeat(" y", 40): "x" + strings.Repeat("-y", 31) + "-",
	} {
		if got := AgentID(in); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}
