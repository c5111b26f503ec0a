package port

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"learnings/extractor/intake"
	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/lessons/exchange"
	"learnings/lessons/exchange/formats"
	"learnings/lessons/store"
)

var noon = time.Date(2026, 4, 6, 12, 0, 0, 0, time.UTC)

// newDesk returns a desk in the folder of the project shop, with an approved lesson of
// shop, one of another project and a global one.
func newDesk(t *testing.T, files map[string]string) Desk {
	t.Helper()
	dir, now := t.TempDir(), func() time.Time { return noon }
	home := filepath.Join(dir, "home")
	for name, text := range files {
		path := filepath.Join(home, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := store.Open(filepath.Join(dir, "corpus"), store.Options{State: filepath.Join(dir, "state"), Now: now})
	if err != nil {
		t.Fatal(err)
	}
	mk := func(id lessons.ID, text string, scope lessons.Scope) lessons.Lesson {
		return lessons.Lesson{ID: id, Status: lessons.Approved, Category: "preference", Wording: lessons.Wording{Content: text}, Confidence: 0.8,
			Scope: scope, Created: noon, Decided: lessons.Decision{By: "Ada", At: noon}}
	}
	ls := []lessons.Lesson{
		mk("s2h3p4aa", "Use uv, not pip, in this repository", lessons.Scope{Project: "shop"}),
		mk("k2t3r4bb", "Run the linter with its strict profile", lessons.Scope{Project: "kiosk"}),
		mk("g2l3b4cc", "Never commit the .env file", lessons.Scope{Global: true}),
	}
	if _, err := s.Put(store.Write{Op: lessons.OpApprove, By: "Ada"}, ls...); err != nil {
		t.Fatal(err)
	}
	c := &curate.Corpus{Library: curate.Library{Store: s, Index: index.At(filepath.Join(dir, "index")), Now: now}, By: "Ada"}
	if _, err := c.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	pub := &Publisher{Suspect: func(lessons.Lesson) string { return "" }, Library: &c.Library, Project: filepath.Base, World: formats.World{Home: home, Dir: filepath.Join(home, "shop"), Getenv: func(string) string { return "" }},
		State: filepath.Join(dir, "exchange"), Now: now, Short: func(path string) string { return strings.Replace(path, home, "~", 1) }}
	return Desk{Publisher: pub, Corpus: c, Take: func(ctx context.Context, s Store, wrote *exchange.Ledger, dry bool) (exchange.Report, error) {
		return intake.New(c.Store, c.Index).Import(ctx, s.Name, s.Format, s.Path, wrote, dry)
	}}
}

const theirs = `version: "1.0"
learnings:
  - id: "err-001"
    created: 2025-11-25
    keywords: [import]
    summary: Circular imports break Python
    confidence: 0.9
`

func TestDeskImport(t *testing.T) {
	d := newDesk(t, map[string]string{"shop/.claude/data/learnings/errors.yaml": theirs, "l x.jsonl": `{"content":"Prefer table tests"}`, "shop/CLAUDE.md": "# Notes\n"})
	if got := d.Stores(false); len(got) != 2 || got[0].Format != formats.Memories || got[1].Format != "amplihack" || got[1].Shown != "~/shop/.claude/data/learnings" {
		t.Fatalf("found %v", got)
	}
	for _, what := range []string{"amplihack", "amplihack " + d.Stores(false)[1].Path, " ../shop ", "~/l x.jsonl", "jsonl ~/l x.jsonl"} {
		p, err := d.Import(t.Context(), what)
		loose := strings.Contains(what, "jsonl") && strings.Contains(p.Text, "would propose 1, 1 of no project, which no session is given before")
		if err != nil || p.Do == nil || !loose && !strings.Contains(p.Text, "would propose 1\n\n+ ") {
			t.Fatalf("%q: %q, %v", what, p.Text, err)
		}
	}
	p, err := d.Import(t.Context(), "amplihack")
	if err != nil {
		t.Fatal(err)
	}
	if want := "~/shop/.claude/data/learnings (amplihack): would propose 1\n\n+ Circular imports break Python (errors.yaml:3)\n\n"; p.Text != want {
		t.Errorf("shown %q", p.Text)
	}
	said, err := p.Do(t.Context())
	if err != nil || said != "~/shop/.claude/data/learnings (amplihack): proposed 1" {
		t.Errorf("said %q, %v", said, err)
	}
	p, err = d.Import(t.Context(), "amplihack")
	if err != nil || p.Do != nil || !strings.Contains(p.Text, "= Circular imports break Python (") {
		t.Errorf("again: %q, %v", p.Text, err)
	}
	for _, what := range []string{"", "nowhere", "gimli", "json", "jsonl nowhere.jsonl"} {
		if p, err := d.Import(t.Context(), what); err == nil {
			t.Errorf("%q: %q", what, p.Text)
		}
	}
}

func TestDeskExport(t *testing.T) {
	d := newDesk(t, map[string]string{"shop/CLAUDE.md": "# Notes\n"})
	if got := d.Stores(true); len(got) != 1 || got[0].Format != "claude-md" {
		t.Fatalf("found %v", got)
	}
	p, err := d.Export(t.Context(), "claude-md")
	if err != nil || p.Do == nil || !strings.Contains(p.Text, "+- Use uv, not pip") || strings.Contains(p.Text, "strict profile") || strings.Contains(p.Text, ".env") {
		t.Fatalf("shown %q, %v", p.Text, err)
	}
	file := filepath.Join(d.World.Dir, "CLAUDE.md")
	if text, err := os.ReadFile(file); err != nil || string(text) != "# Notes\n" {
		t.Errorf("a preview wrote %q, %v", text, err)
	}
	if said, err := p.Do(t.Context()); err != nil || said != "changed ~/shop/CLAUDE.md" {
		t.Errorf("said %q, %v", said, err)
	}
	if _, err := p.Do(t.Context()); err == nil || !strings.Contains(err.Error(), "was changed meanwhile; nothing was lost") {
		t.Errorf("done twice: %v", err)
	}
	if p, err := d.Export(t.Context(), "claude-md"); err != nil || p.Do != nil || !strings.Contains(p.Text, "is up to date") {
		t.Errorf("again: %q, %v", p.Text, err)
	}
	p, err = d.Export(t.Context(), "jsonl ~/all.jsonl")
	if err != nil || strings.Count(p.Text, "\n+") < 3 {
		t.Fatalf("shown %q, %v", p.Text, err)
	}
	if said, err := p.Do(t.Context()); err != nil || said != "made ~/all.jsonl" {
		t.Errorf("said %q, %v", said, err)
	}
	p, err = d.Export(t.Context(), "learnings ~/copy")
	if err != nil {
		t.Fatal(err)
	}
	if said, err := p.Do(t.Context()); err != nil || said != "copied 3 lessons with their history to ~/copy" {
		t.Errorf("said %q, %v", said, err)
	}
	for _, what := range []string{"", "csv", "json", "json -", "nowhere", "reminders ~/x"} {
		if p, err := d.Export(t.Context(), what); err == nil {
			t.Errorf("%q: %q", what, p.Text)
		}
	}
	d.Corpus.Agent = "claude-code"
	if p, err := d.Export(t.Context(), "claude-md"); err == nil {
		t.Errorf("an agent may write what agents read: %q", p.Text)
	}
}

// In follows changes of published files by any program.
func TestIn(t *testing.T) {
	d := newDesk(t, map[string]string{"shop/CLAUDE.md": "# Notes\n", "shop/.claude/data/learnings/errors.yaml": theirs})
	d.Targets = map[string]string{
		filepath.Join(d.World.Dir, "CLAUDE.md"): "claude-md", filepath.Join(d.World.Home, "all.json"): "json",
		filepath.Join(d.World.Dir, ".claude", "data", "learnings"): "amplihack", filepath.Join(d.World.Home, "gone"): "no-format",
	}
	in := func(id lessons.ID, want ...string) {
		t.Helper()
		l, err := d.Library.Store.Get(id)
		if err != nil {
			t.Fatal(err)
		}
		if got := d.In(l); strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s is in %q, want %q", id, got, want)
		}
	}
	in("s2h3p4aa", "~/all.json")
	for _, pub := range d.Publish(t.Context()) {
		if pub.Err != nil && pub.Path != filepath.Join(d.World.Home, "gone") {
			t.Fatal(pub.Err)
		}
	}
	in("s2h3p4aa", "~/all.json", "~/shop/.claude/data/learnings", "~/shop/CLAUDE.md")
	in("k2t3r4bb", "~/all.json", "~/shop/.claude/data/learnings")
	in("g2l3b4cc", "~/all.json", "~/shop/.claude/data/learnings")
	if err := os.WriteFile(filepath.Join(d.World.Dir, "CLAUDE.md"), []byte("# Notes\n- Use uv, not pip, in this repository\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	in("s2h3p4aa", "~/all.json", "~/shop/.claude/data/learnings")
}

func TestDeskChosen(t *testing.T) {
	d := newDesk(t, map[string]string{"shop/lessons.json": "mine\n", "shop/notes/.hidden": "", "shop/notes/nested/x": ""})
	var names []string
	for _, f := range d.Forms() {
		names = append(names, f.Name)
		if f.Name == "json" && f.Path != "~/shop/lessons-2.json" {
			t.Errorf("json goes to %s, beside the one that is there", f.Path)
		}
	}
	if got := strings.Join(names, " "); !strings.HasPrefix(got, "markdown json jsonl ") || strings.Contains(got, "claude-md") || strings.Contains(got, "memories") || strings.Contains(got, "learnings ") {
		t.Errorf("forms are %s", got)
	}
	ids := []lessons.ID{"k2t3r4bb", "s2h3p4aa"}
	p, err := d.Chosen(t.Context(), "markdown", "~/out.md", ids)
	if err != nil || p.Over != "" || p.Title != "export 2 lessons to markdown" || !strings.Contains(p.Text, "strict profile") || strings.Contains(p.Text, ".env") {
		t.Fatalf("%+v, %v", p, err)
	}
	if said, err := p.Do(t.Context()); err != nil || said != "made ~/out.md" {
		t.Errorf("said %q, %v", said, err)
	}
	if p, err := d.Chosen(t.Context(), "json", "lessons.json", ids); err != nil || p.Over != "~/shop/lessons.json" {
		t.Errorf("over a file of the person's: %+v, %v", p, err)
	}
	if text, _, err := d.Copied(t.Context(), "markdown", ids[:1]); err != nil || !strings.HasPrefix(text, "# Lessons\n\n## kiosk\n") || strings.Contains(text, "uv") {
		t.Errorf("copied %q, %v", text, err)
	}
	for _, path := range []string{"", "-", "~/"} {
		if p, err := d.Chosen(t.Context(), "json", path, ids); err == nil {
			t.Errorf("%q: %+v", path, p)
		}
	}
}

// Unapproved lessons go to no program that gives them to agents.
func TestDeskChosenApproved(t *testing.T) {
	d := newDesk(t, nil)
	l, err := d.Corpus.Store.Get("k2t3r4bb")
	if err != nil {
		t.Fatal(err)
	}
	if l, err = d.Corpus.Decide(curate.Archive, l); err != nil {
		t.Fatal(err)
	}
	p, err := d.Chosen(t.Context(), "amplihack", "amp", []lessons.ID{"s2h3p4aa", l.ID})
	if err != nil || !strings.Contains(p.Text, "! left out: 1 lesson that nobody here has approved as they are: “Run the linter") || !strings.Contains(p.Text, "Use uv") {
		t.Errorf("%+v, %v", p, err)
	}
	if p, err := d.Chosen(t.Context(), "amplihack", "amp", []lessons.ID{l.ID}); err == nil {
		t.Errorf("%+v", p)
	}
}
