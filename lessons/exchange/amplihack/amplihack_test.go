package amplihack_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"learnings/lessons"
	"learnings/lessons/exchange"
	"learnings/lessons/exchange/amplihack"
)

var now = time.Date(2026, 11, 22, 13, 0, 0, 0, time.UTC)

func lesson(id, content string, set ...func(*lessons.Lesson)) lessons.Lesson {
	l := lessons.Lesson{ID: lessons.ID(id), Status: lessons.Approved, Category: "errors", Wording: lessons.Wording{Content: content}, Tags: []string{"tests", "push"}, Confidence: 0.8, Created: now.AddDate(0, 0, -2)}
	for _, f := range set {
		f(&l)
	}
	return l
}

func read(t testing.TB, path string) exchange.Found {
	t.Helper()
	found, err := amplihack.Format{}.Read(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// contents are the files of a folder by name.
func contents(t testing.TB, dir string) map[string]string {
	t.Helper()
	all, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, e := range all {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		out[e.Name()] = string(data)
	}
	return out
}

// A store is a copy of one of the real ones, with a ledger.
type store struct {
	dir    string
	ledger *exchange.Ledger
}

func newStore(t testing.TB, from string) store {
	t.Helper()
	s := store{dir: filepath.Join(t.TempDir(), "shop", ".claude", "data", "learnings")}
	for name, text := range contents(t, filepath.Join("testdata", from)) {
		write(t, filepath.Join(s.dir, name), text)
	}
	var err error
	if s.ledger, err = exchange.OpenLedger(t.TempDir(), s.dir); err != nil {
		t.Fatal(err)
	}
	return s
}

// approved are the lessons of the store as they are after an import.
func (s store) approved(t testing.TB) (ls []lessons.Lesson) {
	t.Helper()
	for _, e := range read(t, s.dir).Entries {
		e.Lesson.Status = lessons.Approved
		ls = append(ls, e.Lesson)
	}
	return ls
}

func (s store) plan(t testing.TB, ls []lessons.Lesson) *exchange.Plan {
	t.Helper()
	p, err := amplihack.Format{}.Plan(t.Context(), exchange.Target{Path: s.dir, Now: now, Ledger: s.ledger}, ls)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// write plans and applies.
func (s store) write(t testing.TB, ls ...lessons.Lesson) *exchange.Plan {
	t.Helper()
	p := s.plan(t, ls)
	if err := p.Apply(t.Context()); err != nil {
		t.Fatal(err)
	}
	return p
}

func (s store) file(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// edit changes a file as a person does.
func (s store) edit(t testing.TB, name, old, with string) {
	t.Helper()
	text := s.file(t, name)
	if strings.Count(text, old) != 1 {
		t.Fatalf("%s has %q %d times", name, old, strings.Count(text, old))
	}
	write(t, filepath.Join(s.dir, name), strings.Replace(text, old, with, 1))
}

func at(t testing.TB, ls []lessons.Lesson, content string) *lessons.Lesson {
	t.Helper()
	i := slices.IndexFunc(ls, func(l lessons.Lesson) bool { return strings.Contains(l.Content, content) })
	if i < 0 {
		t.Fatalf("no lesson says %q", content)
	}
	return &ls[i]
}

// TestRead finds the store by each of its paths, and knows whose it is.
func TestRead(t *testing.T) {
	s := newStore(t, "v2-8639ee48")
	checkout := strings.TrimSuffix(s.dir, filepath.Join(".claude", "data", "learnings"))
	for _, path := range []string{s.dir, checkout} {
		if !(amplihack.Format{}).Detect(path) {
			t.Errorf("%s is not detected", path)
		}
		found := read(t, path)
		if len(found.Entries) != 10 || len(found.Unread) > 0 {
			t.Fatalf("%s: %d entries, %v", path, len(found.Entries), found.Unread)
		}
		e := found.Entries[0]
		l := e.Lesson
		if e.Key != "err-001" || e.Place != "errors.yaml:11" || !e.Active || l.Status != lessons.Pending || l.Scope != (lessons.Scope{Project: "shop"}) ||
			l.Origin.Extractor != "import:amplihack" || l.Evidence[0].Line != 11 || !strings.HasPrefix(l.Evidence[0].Quote, "- id: \"err-001\"\n  created:") {
			t.Errorf("%+v", e)
		}
	}
	if amplihack.Format.Detect(amplihack.Format{}, t.TempDir()) {
		t.Error("an empty folder is detected")
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	mine := filepath.Join(home, ".amplihack", ".claude", "data", "learnings")
	write(t, filepath.Join(mine, "errors.yaml"), s.file(t, "errors.yaml"))
	found := read(t, filepath.Join(home, ".amplihack"))
	if l := found.Entries[0].Lesson; l.Scope != (lessons.Scope{Global: true}) || l.ID != exchange.ID("amplihack", "~/.amplihack/.claude/data/learnings", "err-001") {
		t.Errorf("of the home folder: %+v, id %s", l.Scope, l.ID)
	}
}

// TestKeywords checks that amplihack's hook, which goes by keywords alone, meets what is
// written for it: it compares a whole keyword with each word of four letters or more.
func TestKeywords(t *testing.T) {
	for content, tags := range map[string][]string{
		"Always use pnpm instead of npm in this repo": nil, "The staging database is read only for every service": {"sql"},
		"Run make generate after editing any proto file": {"proto", "codegen", "make", "build", "ci", "go"},
		"Retry the upload when the storage answers 503":  {"flaky uploads", "s3", "slow storage"},
	} {
		s := store{dir: t.TempDir()}
		s.write(t, lesson("aaaa2345", content, func(l *lessons.Lesson) { l.Tags = tags }))
		got := read(t, s.dir).Entries[0].Lesson.Tags
		met := slices.DeleteFunc(slices.Clone(got), func(w string) bool { return len(w) < 4 || strings.Contains(w, " ") })
		if len(met) < 3 || len(got) > max(5, len(tags)+3) || !slices.Equal(got[:len(tags)], tags) {
			t.Errorf("%q with %q has keywords %q", content, tags, got)
		}
	}
}

// TestCategories takes lessons of every category there and back, and amplihack's own
// learnings here and back.
func TestCategories(t *testing.T) {
	var ls []lessons.Lesson
	want := map[string]lessons.Category{}
	for i, shelf := range lessons.Shelves {
		for _, c := range append(shelf.Categories(), lessons.Category("house-rule")) {
			content := fmt.Sprintf("Rule %d of %s", i, c)
			want[content] = c
			ls = append(ls, lesson(fmt.Sprintf("r%d%s", i, c), content, func(l *lessons.Lesson) { l.Category = c }))
		}
	}
	s := store{dir: t.TempDir()}
	if p := s.write(t, ls...); len(p.Losses) > 0 {
		t.Errorf("losses %+v", p.Losses)
	}
	for _, e := range read(t, s.dir).Entries {
		if c := e.Lesson.Category; c != want[e.Lesson.Content] {
			t.Errorf("%s came back as %q", e.Lesson.Content, c)
		}
		delete(want, e.Lesson.Content)
	}
	if len(want) > 0 {
		t.Errorf("lost: %v", want)
	}

	theirs, back := newStore(t, "v2-8639ee48"), store{dir: t.TempDir()}
	back.write(t, theirs.approved(t)...)
	say := func(s store) (out []string) {
		for _, e := range read(t, s.dir).Entries {
			l := e.Lesson
			out = append(out, fmt.Sprintf("%s %s %q %q", strings.Split(e.Place, ":")[0], l.Category, l.Content, l.Tags))
		}
		slices.Sort(out)
		return out
	}
	if got, want := say(back), say(theirs); !slices.Equal(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}

	moved := theirs.approved(t)
	at(t, moved, "Circular imports").Category = "tools"
	p := theirs.write(t, moved...)
	if len(p.Losses) != 1 || !strings.Contains(p.Losses[0].What[0], "its place in tools.yaml: it stays at errors.yaml:") {
		t.Errorf("losses %+v", p.Losses)
	}
	at(t, moved, "Circular imports").Category = "errors"
	theirs.write(t, moved...)
	if got := theirs.file(t, "errors.yaml"); strings.Contains(got, "category: \"") || strings.Count(got, "category:") != 1 {
		t.Errorf("errors.yaml is\n%s", got)
	}
}

// TestWrite changes one entry of each way and adds two; all else stays.
func TestWrite(t *testing.T) {
	s := newStore(t, "v2-8639ee48")
	ls := s.approved(t)
	l := at(t, ls, "Circular imports")
	l.Content, l.Confidence, l.Use.Used = "Circular imports fail: \"cannot import name\"", 0.85, 4
	l.Tags = []string{"import", "circular", "cycle"}
	at(t, ls, "YAML parsing").Status = lessons.Rejected
	at(t, ls, "uvx").Insight = "Say what you install.\n\n- and why"
	at(t, ls, "worktrees").Example = ""
	ls = append(ls,
		lesson("a1", "Run `go vet` before: a push", func(l *lessons.Lesson) {
			l.Insight, l.Example = "It finds what the compiler leaves.", "go vet ./..."
		}),
		lesson("a2", "Write to the changelog", func(l *lessons.Lesson) { l.Category, l.Created = "preference", now }))
	p := s.write(t, ls...)
	if len(p.Losses) != 0 {
		t.Errorf("losses %+v", p.Losses)
	}
	want := s.file(t, "errors.yaml.before-learnings")
	start, _, _ := strings.Cut(want, "\n\n  # Real example: YAML")
	for _, r := range [][2]string{
		{`last_updated: "2025-11-25`, `last_updated: "2026-11-22`}, {`T00:00:00Z"

learnings`, `T13:00:00Z"

learnings`}, {"      - \"module not found\"\n      - \"ImportError\"\n", "      - \"cycle\"\n"},
		{`"Circular imports cause 'module not found' or 'cannot import name' errors"`, `"Circular imports fail: \"cannot import name\""`},
		{"confidence: 0.95", "confidence: 0.85"}, {"times_used: 0", "times_used: 4"},
	} {
		start = strings.Replace(start, r[0], r[1], 1)
	}
	want = start + `

  # Real example: YAML parsing errors

  - id: "err-003"
    created: "2026-11-20T13:00:00Z"
    keywords:
      - "tests"
      - "push"
      - "vet"
    summary: "Run ` + "`go vet`" + ` before: a push"
    insight: |
      It finds what the compiler leaves.
    example: |
      go vet ./...
    confidence: 0.8
    times_used: 0
`
	if got := s.file(t, "errors.yaml"); got != want {
		t.Errorf("errors.yaml is\n%s\nwant\n%s", got, want)
	}
	if got := s.file(t, "tools.yaml"); !strings.Contains(got, "    insight: |\n      Say what you install.\n\n      - and why\n    example: |\n      # Test a specific branch\n") {
		t.Errorf("tools.yaml is\n%s", got)
	}
	if got := s.file(t, "workflows.yaml"); strings.Contains(got, "Create worktree for") || !strings.Contains(got, `id: "wf-003"`) || !strings.Contains(got, `category: "preference"`) {
		t.Errorf("workflows.yaml is\n%s", got)
	}
	if got := s.file(t, "debugging.yaml"); got != s.original(t, "debugging.yaml") {
		t.Error("debugging.yaml changed")
	}
	if p := s.plan(t, slices.DeleteFunc(ls, func(l lessons.Lesson) bool { return l.Status == lessons.Rejected })); !p.Empty() {
		t.Errorf("a second write changes\n%s", p.Diff())
	}
}

func (s store) original(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "v2-8639ee48", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestKeywordsAtTheEnd adds a field and keywords to an entry whose keywords are its last
// lines: the field comes after them.
func TestKeywordsAtTheEnd(t *testing.T) {
	s := newStore(t, "v2-8639ee48")
	write(t, filepath.Join(s.dir, "errors.yaml"), "category: errors\nlearnings:\n  - id: err-001\n    summary: Run the tests\n    keywords:\n    - a\n")
	ls := s.approved(t)
	l := at(t, ls, "Run the tests")
	l.Category, l.Tags = "house rule", []string{"a", "b"}
	s.write(t, ls...)
	want := "category: errors\nlearnings:\n  - id: err-001\n    summary: Run the tests\n    keywords:\n    - a\n    - \"b\"\n    - \"tests\"\n    category: \"house rule\"\n"
	if got := s.file(t, "errors.yaml"); got != want {
		t.Errorf("errors.yaml is\n%s\nwant\n%s", got, want)
	}
}

// TestLastOneGoes leaves an empty list, which the other program can read.
func TestLastOneGoes(t *testing.T) {
	s := newStore(t, "v1-f3c9c5e8")
	ls := s.approved(t)
	for i := range ls {
		ls[i].Status = lessons.Archived
	}
	s.write(t, ls...)
	if got := s.file(t, "errors.yaml"); !strings.Contains(got, "\nlearnings: []\n  # Example learning entry - replace with real learnings\n") || strings.Contains(got, "err-example") {
		t.Errorf("errors.yaml is\n%s", got)
	}
	s.write(t, lesson("a1", "Run the tests before a push"))
	if got := s.file(t, "errors.yaml"); !strings.Contains(got, "\nlearnings:\n  - id: \"err-001\"\n") {
		t.Errorf("errors.yaml is\n%s", got)
	}
}

// TestTheirEdits keeps what somebody changed in the files since we wrote them, and
// says so only where both sides changed the same.
func TestTheirEdits(t *testing.T) {
	s := newStore(t, "v2-8639ee48")
	ls := s.approved(t)
	s.write(t, ls...)
	s.edit(t, "errors.yaml", `"Circular imports cause 'module not found' or 'cannot import name' errors"`, `Circular imports break Python`)
	s.edit(t, "errors.yaml", "  - id: \"err-001\"\n", "  - id: \"err-001\"\n    reviewed_by: kim # by hand\n")
	s.edit(t, "errors.yaml", "confidence: 0.95\n    times_used: 0", "confidence: 0.95\n    times_used: 7")
	l := at(t, ls, "Circular imports")
	l.Confidence, l.Use.Used = 0.6, 2
	theirs := s.file(t, "errors.yaml")
	p := s.write(t, ls...)
	if len(p.Losses) != 1 || p.Losses[0].What[0] != "its wording: errors.yaml:11 was edited there, and stays" {
		t.Errorf("losses %+v", p.Losses)
	}
	if got := s.file(t, "errors.yaml"); got != theirs {
		t.Errorf("what somebody edited is now\n%s", got)
	}
	l.Status = lessons.Rejected
	p = s.write(t, ls...)
	if len(p.Losses) != 1 || !strings.Contains(s.file(t, "errors.yaml"), "err-001") {
		t.Errorf("losses %+v", p.Losses)
	}
}

// TestKept keeps what was no YAML, and never over an older copy.
func TestKept(t *testing.T) {
	s := newStore(t, "v2-8639ee48")
	write(t, filepath.Join(s.dir, "errors.yaml"), "category: errors\nlearnings:\n\t- id: err-004\n")
	write(t, filepath.Join(s.dir, "errors.yaml.bak"), "older\n")
	found := read(t, s.dir)
	if len(found.Unread) != 1 || found.Unread[0].Line != 3 || len(found.Entries) != 8 {
		t.Errorf("%d entries, unread %v", len(found.Entries), found.Unread)
	}
	s.write(t, s.approved(t)...)
	if got := contents(t, s.dir); got["errors.yaml"] != "category: errors\nlearnings:\n\t- id: err-004\n" {
		t.Errorf("nothing had to be written, and there is %q", got["errors.yaml"])
	}
	s.write(t, lesson("a1", "Run the tests before a push"))
	got := contents(t, s.dir)
	if got["errors.yaml.bak"] != "older\n" || got["errors.yaml.bak.1"] != "category: errors\nlearnings:\n\t- id: err-004\n" || !strings.Contains(got["errors.yaml"], `id: "err-005"`) {
		t.Errorf("got %q", got)
	}
}

// TestBadYAML says what is wrong and where, reads the rest and touches nothing; what
// cannot be added to is left alone.
func TestBadYAML(t *testing.T) {
	good := "  - id: err-001\n    summary: One\n"
	for name, tt := range map[string]struct {
		text, want string
		entries    int
		left       bool // also by a write
	}{
		"list at the top":   {"- a\n- b\n", ":1: has a list at the top", 0, true},
		"text":              {"just words\n", ":1: has no category and learnings", 0, true},
		"null":              {"category: errors\nlearnings:\n", ":2: learnings has no value", 0, false},
		"no list":           {"category: errors\n", ": has no list of learnings", 0, false},
		"tab":               {"learnings:\n\t- id: x\n", ":2: found character that cannot start any token", 0, false},
		"learnings twice":   {"learnings:\n" + good + "learnings: []\n", `:4: the key "learnings" is there twice; the first is in line 1`, 0, true},
		"key twice":         {"learnings:\n" + good + "  - id: a\n    summary: A\n    id: b\n", `:6: the key "id" is there twice; the first is in line 4`, 1, false},
		"alias":             {"learnings:\n" + good + "  - id: a\n    summary: &x A\n    insight: *x\n", ":5: an anchor, an alias", 1, false},
		"alias of the list": {"x: &x []\nlearnings: *x\n", ":2: an anchor, an alias", 0, true},
		"merge key":         {"learnings:\n" + good + "  - <<: {id: a}\n    summary: A\n", ":4: an anchor, an alias", 1, false},
		"map":               {"learnings: {a: b}\n", ":1: learnings is no list", 0, true},
		"a second document": {"learnings: []\n---\nlearnings: []\n", ":2: a second document begins here", 0, true},
		"value":             {"learnings:\n" + good + "  - just words\n", ":4: this learning has no id and summary", 1, false},
		"nothing said":      {"learnings:\n" + good + "  - id: a\n", ":4: this learning says nothing", 1, false},
		"id twice":          {"learnings:\n" + good + good, ":4: the id err-001 is there twice", 2, false},
		"confidence":        {"learnings:\n" + good + "    confidence: very\n", `:4: confidence "very" is no number`, 1, false},
		"uses":              {"learnings:\n" + good + "    times_used: -1\n", `:4: times_used "-1" is no count`, 1, false},
		"date":              {"learnings:\n" + good + "    created: yesterday\n", `:4: created "yesterday" is no date`, 1, false},
		"keywords":          {"learnings:\n" + good + "    keywords: {a: b}\n", ":4: keywords is no list", 1, false},
		"not UTF-8":         {"learnings: [\xff]\n", ": is not UTF-8", 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "data", "learnings")
			write(t, filepath.Join(dir, "errors.yaml"), tt.text)
			found, err := amplihack.Format{}.Read(t.Context(), dir)
			if err != nil || len(found.Entries) != tt.entries || len(found.Unread) == 0 || !strings.Contains(found.Unread[0].Error(), "errors.yaml"+tt.want) {
				t.Fatalf("%d entries, unread %v, %v; want %d and %q", len(found.Entries), found.Unread, err, tt.entries, tt.want)
			}
			if got := contents(t, dir)["errors.yaml"]; got != tt.text {
				t.Errorf("reading left %q", got)
			}
			p, err := amplihack.Format{}.Plan(t.Context(), exchange.Target{Path: dir, Now: now}, []lessons.Lesson{lesson("a1", "Run the tests before a push")})
			if err != nil {
				t.Fatal(err)
			}
			if err := p.Apply(t.Context()); err != nil {
				t.Fatal(err)
			}
			got := contents(t, dir)["errors.yaml"]
			if left := got == tt.text; left != tt.left || left != (len(p.Losses) == 1) || !left && !strings.Contains(got, "Run the tests before a push") {
				t.Errorf("writing left %q, lost %+v", got, p.Losses)
			}
		})
	}
}

// TestOddForms reads what is unusual and right: dates without quotes, CRLF, a list
// in brackets, a byte order mark.
func TestOddForms(t *testing.T) {
	for name, tt := range map[string]struct{ text, after string }{
		"dates": {"last_updated: 2025-11-25T00:00:00Z\nlearnings:\n- {id: x}\n- id: err-001\n  summary: One\n  created: 2025-11-25\n",
			"last_updated: \"2026-11-22T13:00:00Z\"\nlearnings:\n- {id: x}\n- id: err-001\n  summary: \"Two\"\n  created: 2025-11-25\n"},
		"crlf":   {"learnings:\r\n  - id: err-001\r\n    created: 2025-11-25\r\n    summary: One # said\r\n", "learnings:\r\n  - id: err-001\r\n    created: 2025-11-25\r\n    summary: \"Two\" # said\r\n"},
		"folded": {"learnings:\n  - summary: >-\n      One\n\n    created: '2025-11-25'\n    id: err-001", "learnings:\n  - summary: \"Two\"\n\n    created: '2025-11-25'\n    id: err-001"},
		"bom":    {"\ufefflearnings:\n  - summary: 'One'\n    created: 2025-11-25\n    id: err-001\n", "\ufefflearnings:\n  - summary: \"Two\"\n    created: 2025-11-25\n    id: err-001\n"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "errors.yaml")
			write(t, path, tt.text)
			found := read(t, path)
			if len(found.Entries) != 1 || found.Entries[0].Lesson.Created.Format(time.DateOnly) != "2025-11-25" || found.Entries[0].Lesson.Content != "One" {
				t.Fatalf("%+v", found)
			}
			l := found.Entries[0].Lesson
			l.Status, l.Content = lessons.Approved, "Two"
			p, err := amplihack.Format{}.Plan(t.Context(), exchange.Target{Path: path, Now: now}, []lessons.Lesson{l})
			if err != nil || p.Apply(t.Context()) != nil {
				t.Fatal(err)
			}
			if got := contents(t, filepath.Dir(path))["errors.yaml"]; got != tt.after {
				t.Errorf("got  %q\nwant %q", got, tt.after)
			}
		})
	}
}

// TestStats counts what is there, and keeps the comments.
func TestStats(t *testing.T) {
	s := newStore(t, "v2-8639ee48")
	ls := s.approved(t)
	l := at(t, ls, "Circular imports")
	l.Use = lessons.Use{Used: 4, Helped: 1}
	s.write(t, ls...)
	got := s.file(t, "_stats.yaml")
	want := s.original(t, "_stats.yaml")
	for _, r := range [][2]string{
		{"total_learnings: 0", "total_learnings: 10"}, {"errors: 0", "errors: 2"}, {"workflows: 0", "workflows: 2"}, {"tools: 0", "tools: 2"},
		{"architecture: 0", "architecture: 2"}, {"debugging: 0", "debugging: 2"}, {"    total: 0\n    sessions_with_injection: 0", "    total: 4\n    sessions_with_injection: 0"},
		{"helpful_rate: 0.0", "helpful_rate: 0.25"}, {"proven_learnings: 0", "proven_learnings: 1"}, {"2025-11-25T00:00:00Z", "2026-11-22T13:00:00Z"},
	} {
		if !strings.Contains(want, r[0]) {
			t.Fatalf("no %q", r[0])
		}
		want = strings.Replace(want, r[0], r[1], 1)
	}
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
