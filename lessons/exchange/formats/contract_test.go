package formats

import (
	"compress/gzip"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"learnings/lessons"
	"learnings/lessons/exchange"
)

func octomindFile(text, scope string) string {
	return "---\ntitle: \"T\"\ncontent: \"" + text + "\"\nconfidence: high\nmood: \"kept\"\nscope: " + scope + "\ncreated: \"2026-08-28T10:16:00+00:00\"\nuse_count: 3\n---\nbody\n"
}

// stores are real ones of each system. A file comes from a testdata, or is a text.
var stores = map[string]struct {
	format, path string
	files        map[string]string
	entries      int
	mends        bool // a write makes what was read such that its program gives it to agents
}{
	"LEARNINGS.md":   {format: "gimli", path: "LEARNINGS.md", files: map[string]string{"LEARNINGS.md": "gimli/testdata/LEARNINGS.doc-example.md"}, entries: 4},
	"without blanks": {format: "gimli", path: "LEARNINGS.md", files: map[string]string{"LEARNINGS.md": "gimli/testdata/LEARNINGS.doc-persistence.md"}, entries: 4},
	"learnings.json": {format: "gimli", path: "learnings.json", files: map[string]string{"learnings.json": "gimli/testdata/learnings.json"}, entries: 4},
	"amplihack v1":   {format: "amplihack", path: "data/learnings", files: map[string]string{"data/learnings": "amplihack/testdata/v1-f3c9c5e8"}, entries: 5},
	"amplihack v2":   {format: "amplihack", path: "data/learnings", files: map[string]string{"data/learnings": "amplihack/testdata/v2-8639ee48"}, entries: 10},
	"claude-mem":     {format: "claude-mem", path: "export.json", files: map[string]string{"export.json": "observations/testdata/export.json"}, entries: 6, mends: true},
	"companion":      {format: "companion", path: "shop/memory.db", files: map[string]string{"shop/memory.db": "observations/testdata/companion.db.gz"}, entries: 5},
	"octomind": {format: "octomind", path: "", files: map[string]string{
		"shop/developer/20260828101600-one.md": octomindFile("One", "scoped"), "shop/ops/20260828101600-two.md": octomindFile("Two", "scoped"), "_/20260828101600-all.md": octomindFile("All", "global"),
	}, entries: 3},
}

// A desk is a store in a folder of its own.
type desk struct {
	t         *testing.T
	f         exchange.Format
	dir, path string
}

func newDesk(t *testing.T, format, path string, files map[string]string) desk {
	t.Helper()
	f, err := Find(format)
	if err != nil {
		t.Fatal(err)
	}
	d := desk{t, f.For(World{Getenv: os.Getenv}).Format, t.TempDir(), ""}
	for name, from := range files {
		full := filepath.Join(d.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
			t.Fatal(err)
		}
		text, err := []byte(from), error(nil)
		switch from = filepath.Join("..", filepath.FromSlash(from)); {
		case strings.Contains(from, "\n"):
		case filepath.Ext(from) == "":
			if err := os.CopyFS(full, os.DirFS(from)); err != nil {
				t.Fatal(err)
			}
			continue
		default:
			text, err = unpacked(from)
		}
		if err == nil {
			err = os.WriteFile(full, text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	d.path = filepath.Join(d.dir, filepath.FromSlash(path))
	return d
}

func unpacked(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var r io.Reader = f
	if filepath.Ext(path) == ".gz" {
		if r, err = gzip.NewReader(f); err != nil {
			return nil, err
		}
	}
	return io.ReadAll(r)
}

func (d desk) read() exchange.Found {
	d.t.Helper()
	found, err := d.f.Read(d.t.Context(), d.path)
	if err != nil {
		d.t.Fatal(err)
	}
	return found
}

// active are the contents of the entries that the other program gives to its agents.
func (d desk) active() (out []string) {
	for _, e := range d.read().Entries {
		if e.Active {
			out = append(out, e.Lesson.Content)
		}
	}
	return out
}

func (d desk) plan(ls []lessons.Lesson) *exchange.Plan {
	d.t.Helper()
	ledger, err := exchange.OpenLedger(filepath.Join(d.dir, ".ledgers"), d.path)
	if err != nil {
		d.t.Fatal(err)
	}
	p, err := d.f.Plan(d.t.Context(), exchange.Target{Path: d.path, Now: now, Ledger: ledger}, ls)
	if err != nil {
		d.t.Fatal(err)
	}
	return p
}

func (d desk) write(ls []lessons.Lesson) *exchange.Plan {
	d.t.Helper()
	p := d.plan(ls)
	if err := p.Apply(d.t.Context()); err != nil {
		d.t.Fatal(err)
	}
	if again := d.plan(ls); !again.Empty() {
		d.t.Errorf("a second write changes\n%s", again.Diff())
	}
	return p
}

// texts are the files of the store, but for what is counted in one.
func (d desk) texts() map[string]string {
	out := map[string]string{}
	_ = fs.WalkDir(os.DirFS(d.dir), ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() && !strings.HasPrefix(name, ".ledgers") && e.Name() != "_stats.yaml" && !strings.HasSuffix(name, exchange.BackupSuffix) {
			text, _ := os.ReadFile(filepath.Join(d.dir, name))
			out[name] = string(text)
		}
		return err
	})
	return out
}

// replace changes a text in the files as somebody else does.
func (d desk) replace(old, with string) {
	for name, text := range d.texts() {
		if strings.Contains(text, old) {
			if err := os.WriteFile(filepath.Join(d.dir, name), []byte(strings.ReplaceAll(text, old, with)), 0o600); err != nil {
				d.t.Fatal(err)
			}
		}
	}
}

// TestContract is what holds for the store of each system: what is read is a proposal;
// what was approved as it is changes no byte; a change, a rejection and a new lesson are
// written once, also by two starts that were killed in between; what others changed stays.
func TestContract(t *testing.T) {
	for name, s := range stores {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, s.format, s.path, s.files)
			before, found := d.texts(), d.read()
			if !d.f.Detect(d.path) || len(found.Entries) != s.entries || len(found.Unread) > 0 {
				t.Fatalf("%d entries, unread %v", len(found.Entries), found.Unread)
			}
			var ls []lessons.Lesson
			for _, e := range found.Entries {
				l := e.Lesson
				if err := l.Validate(); err != nil || l.Status != lessons.Pending || l.Origin.Extractor != "import:"+s.format || l.Evidence[0].Quote == "" || e.Place == "" {
					t.Errorf("%+v, %v", e, err)
				}
				if e.Active {
					ls = append(ls, l)
				}
			}
			if d.write(ls); !maps.Equal(d.texts(), before) {
				t.Error("nobody has decided, and the files change")
			}
			for i := range ls {
				ls[i].Status = lessons.Approved
			}
			if !s.mends {
				if d.write(ls); !maps.Equal(d.texts(), before) {
					t.Error("approved as it is, and the files change")
				}
			}
			last := len(ls) - 1
			gone, kept := ls[last].Content, slices.Clone(ls[1:last])
			ls[0].Content, ls[last].Status = "Say it in other words", lessons.Rejected
			more := lessons.Lesson{ID: "more0001", Status: lessons.Approved, Category: "tools", Wording: lessons.Wording{Content: "Run the contract first"}, Confidence: 0.9, Tags: []string{"run"}, Scope: lessons.Scope{Project: "shop"}, Created: now}
			ls = append(ls, more)
			if p := d.plan(ls); len(p.Edits) > 0 { // killed behind the first file
				if err := (&exchange.Plan{Edits: p.Edits[:1]}).Apply(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			d.write(ls)
			is := d.active()
			for _, l := range append(kept, ls[0], more) {
				if !slices.Contains(is, l.Content) {
					t.Errorf("%q is gone: %q", l.Content, is)
				}
			}
			if slices.Contains(is, gone) {
				t.Errorf("%q was rejected, and is there", gone)
			}
			if s.format == "companion" {
				return // its rows are changed in tests of its own
			}
			d.replace(more.Content, "Run the contract at first")
			theirs := d.texts()
			ls[last+1].Content = "Run the contract last"
			if p := d.write(ls); !maps.Equal(d.texts(), theirs) || len(p.Losses) == 0 {
				t.Errorf("over what others changed:\n%s", p.Diff())
			}
			d.replace("Run the contract at first", more.Content)
			ls[last+1].Content, ls[last+1].Status = more.Content, lessons.Archived
			if d.write(ls); slices.Contains(d.active(), more.Content) {
				t.Error("what was archived is there")
			}
		})
	}
}

// TestContractHostile: bytes that are no store of the system are told, and stay.
func TestContractHostile(t *testing.T) {
	for name, s := range stores {
		for _, bad := range []string{"\x00\xff{", "{\"learnings\":[{", "", "---\n\t- [", strings.Repeat("[", 10_000)} {
			d := newDesk(t, s.format, s.path, s.files)
			for file := range d.texts() {
				if err := os.WriteFile(filepath.Join(d.dir, file), []byte(bad), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			before := d.texts()
			found, err := d.f.Read(t.Context(), d.path)
			if len(found.Entries) > 0 || bad != "" && err == nil && len(found.Unread) == 0 {
				t.Errorf("%s: %.20q is read as %+v", name, bad, found)
			}
			_, _ = d.f.Plan(t.Context(), exchange.Target{Path: d.path, Now: now}, nil)
			if !maps.Equal(before, d.texts()) {
				t.Errorf("%s: %.20q was changed", name, bad)
			}
		}
	}
}
