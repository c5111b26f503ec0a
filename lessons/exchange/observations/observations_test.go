package observations

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"learnings/lessons"
	"learnings/lessons/exchange"
)

var now = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

// unpack puts a database of testdata into a folder of its own, written long ago.
func unpack(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name+".gz"))
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if data, err = io.ReadAll(z); err != nil {
		t.Fatal(err)
	}
	return place(t, name, data)
}

func place(t testing.TB, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	old := now.Add(-24 * time.Hour)
	if err := errors.Join(os.WriteFile(path, data, 0o600), os.Chtimes(path, old, old)); err != nil {
		t.Fatal(err)
	}
	return path
}

func sample(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func read(t testing.TB, f exchange.Format, path string) exchange.Found {
	t.Helper()
	if !f.Detect(path) {
		t.Errorf("%s is not detected", path)
	}
	found, err := f.Read(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// like is the entry whose lesson begins so.
func like(t testing.TB, f exchange.Found, begins string) exchange.Entry {
	t.Helper()
	i := slices.IndexFunc(f.Entries, func(e exchange.Entry) bool { return strings.HasPrefix(e.Lesson.Content, begins) })
	if i < 0 {
		t.Fatalf("nothing begins with %q: %+v", begins, f)
	}
	return f.Entries[i]
}

func TestReadDatabase(t *testing.T) {
	path := unpack(t, "claude-mem.db")
	f := read(t, ClaudeMem{}, path)
	if len(f.Entries) != 6 || len(f.Unread) != 0 {
		t.Fatalf("%d entries, %v", len(f.Entries), f.Unread)
	}
	e := like(t, f, "Migration 0042")
	l := e.Lesson
	if l.Content != "Migration 0042 failed on a foreign key constraint. sessions.user_id referenced users.id before users was created." ||
		!strings.HasPrefix(l.Insight, "Reordered migration 0042") || !strings.HasSuffix(l.Insight, "\n\n- SQLite runs with PRAGMA foreign_keys=ON in tests.") {
		t.Errorf("%q %q", l.Content, l.Insight)
	}
	if l.Category != "bugfix" || !slices.Equal(l.Tags, []string{"problem-solution", "gotcha"}) || l.Scope.Project != "ils-ios" ||
		!l.Created.Equal(time.Date(2026, 3, 5, 16, 22, 0, 0, time.UTC)) || l.Origin.Source != "22222222-2222-4222-8222-222222222222" || !e.Active || e.Place != path+"#2" {
		t.Errorf("%+v", e)
	}
	ev := l.Evidence[0]
	if ev.Session != l.Origin.Source || !slices.Equal(ev.Before, []string{"Fix the failing migration"}) || ev.By != lessons.ByAgent || ev.Agent != Name {
		t.Errorf("%+v", ev)
	}
	if l.Origin.Rule != "observed in a session of claude, 80 tokens to read and 9100 to find out, about db/migrations/0042_sessions.sql" {
		t.Error(l.Origin.Rule)
	}
	if e := like(t, f, "Bearer token"); !e.Active || !strings.Contains(e.Lesson.Insight, "日本語 😀") || !strings.Contains(e.Lesson.Origin.Rule, "codex") {
		t.Errorf("%+v", e)
	}
	if e := like(t, f, "Observation without"); e.Active || e.Lesson.Category != "security_alert" {
		t.Errorf("what has no known concept is given to nobody: %+v", e)
	}
	if e := like(t, f, "users must exist before sessions"); !slices.Equal(e.Lesson.Evidence[0].Before, []string{"Fix the failing migration"}) {
		t.Errorf("%+v", e)
	}
	// The folder is the same store, and an export of it has the same entries.
	if in := read(t, ClaudeMem{}, filepath.Dir(path)); len(in.Entries) != 6 || in.Entries[0].Lesson.ID != f.Entries[0].Lesson.ID {
		t.Errorf("%+v", in)
	}
	out := read(t, ClaudeMem{}, place(t, "export.json", sample(t, "export.json")))
	for i, e := range f.Entries {
		if out.Entries[i].Key != e.Key || out.Entries[i].Lesson.Content != e.Lesson.Content || out.Entries[i].Lesson.Insight != e.Lesson.Insight {
			t.Errorf("%+v\n%+v", out.Entries[i], e)
		}
	}
}

func TestReadOldDatabase(t *testing.T) {
	f := read(t, ClaudeMem{}, unpack(t, "claude-mem-schema20.db"))
	if len(f.Entries) != 2 {
		t.Fatal(f)
	}
	if e := like(t, f, "Docker layer cache"); e.Lesson.Insight != "The dependency layer was invalidated by any source change.\n\n- Dockerfile line 4 copies the whole tree.\n- npm ci runs after COPY ." || !e.Active ||
		e.Lesson.Evidence[0].Before[0] != "why is the build slow?" {
		t.Errorf("%+v", e)
	}
	like(t, f, "Copy manifests first")
}

// script changes a database with SQLite itself.
func script(t *testing.T, path, statements string) {
	t.Helper()
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: path}).String())
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.Exec(statements)
	old := now.Add(-24 * time.Hour)
	if err := errors.Join(err, db.Close(), os.Chtimes(path, old, old)); err != nil {
		t.Fatal(err)
	}
}

// TestBadDatabases says of each what is wrong, and changes nothing.
func TestBadDatabases(t *testing.T) {
	good := unpack(t, "claude-mem.db")
	whole, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	newer, other, missing := unpack(t, "claude-mem.db"), place(t, "x.db", nil), unpack(t, "claude-mem.db")
	script(t, newer, "insert into schema_versions(version, applied_at) values (99, '')")
	script(t, other, "create table a(b)")
	script(t, missing, "drop trigger observations_au; drop trigger observations_ai; drop trigger observations_ad; alter table observations rename column narrative to tale")
	for _, c := range []struct{ path, says string }{
		{newer, "its schema is version 99, and 20 to 52 are known"},
		{other, "it has no tables of claude-mem"},
		{missing, "lacks columns that version 49 has"},
		{place(t, "claude-mem.db", whole[:20000]), "not a readable SQLite database"},
		{place(t, "claude-mem.db", []byte("no database at all")), "it is no JSON object"},
		{place(t, "claude-mem.db", nil), "not a readable SQLite database"},
		{place(t, "export.json", []byte(`{"exportedAt":"x","totalObservations":1,"observations":[`)), "unexpected end of JSON input"},
		{place(t, "export.json", []byte(`{"observations":{}}`)), "its observations are no array"},
	} {
		before, err := os.ReadFile(c.path)
		if err != nil {
			t.Fatal(err)
		}
		_, err = ClaudeMem{}.Read(t.Context(), c.path)
		if err == nil || !errors.Is(err, exchange.ErrFormat) || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), c.path) {
			t.Errorf("%s: %v", c.says, err)
		}
		if after, _ := os.ReadFile(c.path); !bytes.Equal(before, after) {
			t.Errorf("%s was changed", c.path)
		}
	}
	if left, _ := filepath.Glob(good + "*"); len(left) != 1 {
		t.Errorf("reading left %v", left)
	}
}

func plan(t testing.TB, f exchange.Format, to exchange.Target, ls ...lessons.Lesson) *exchange.Plan {
	t.Helper()
	p, err := f.Plan(t.Context(), to, ls)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func target(t testing.TB, path string) exchange.Target {
	t.Helper()
	ledger, err := exchange.OpenLedger(filepath.Join(t.TempDir(), "ledgers"), path)
	if err != nil {
		t.Fatal(err)
	}
	return exchange.Target{Path: path, Now: now, Ledger: ledger}
}

func apply(t testing.TB, p *exchange.Plan) {
	t.Helper()
	if err := p.Apply(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func lesson(id, content string) lessons.Lesson {
	return lessons.Lesson{
		ID: lessons.ID(id), Status: lessons.Approved, Category: "preference", Wording: lessons.Wording{Content: content}, Confidence: medium,
		Scope: lessons.Scope{Project: "shop"}, Created: now.Add(-time.Hour),
	}
}

func TestExport(t *testing.T) {
	to := target(t, filepath.Join(t.TempDir(), "out.json"))
	a, b := lesson("a", "Run make generate after editing a proto file"), lesson("b", "Use pnpm, not npm")
	a.Insight, a.Example, a.Tags, b.Scope = "The clients are generated.", "make generate", []string{"proto"}, lessons.Scope{Global: true}
	p := plan(t, ClaudeMem{}, to, a, b)
	apply(t, p)
	data, err := os.ReadFile(to.Path)
	if err != nil {
		t.Fatal(err)
	}
	for _, has := range []string{
		`"memory_session_id": "manual-shop"`, `"content_session_id": "manual-content-shop"`, `"concepts": "[\"pattern\",\"proto\"]"`, `"type": "decision"`,
		`"project": "global"`, `"totalObservations": 2`, `"totalSessions": 2`, `"created_at": "2026-11-22T11:00:00.000Z"`, `"narrative": "The clients are generated."`,
		`"content_hash": "` + contentHash("manual-shop", a.Content, a.Insight) + `"`, `"exportedAt": "2026-11-22T12:00:00.000Z"`,
	} {
		if !bytes.Contains(data, []byte(has)) {
			t.Errorf("no %s in\n%s", has, data)
		}
	}
	f := read(t, ClaudeMem{}, to.Path)
	if e := like(t, f, "Run make"); !e.Active || e.Lesson.Insight != "The clients are generated.\n\n- make generate" {
		t.Errorf("%+v", e)
	}
	// What they took out stays out.
	if err := os.WriteFile(to.Path, []byte(`{"observations":[]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if p := plan(t, ClaudeMem{}, to, b); !p.Empty() || !strings.Contains(fmt.Sprint(p.Losses), "taken out") {
		t.Error(p.Diff(), p.Losses)
	}
}

// TestExportBack changes an export that claude-mem made, and only what a person has
// decided on.
func TestExportBack(t *testing.T) {
	data := sample(t, "export.json")
	to := target(t, place(t, "export.json", data))
	f := read(t, ClaudeMem{}, to.Path)
	var all []lessons.Lesson
	for _, e := range f.Entries {
		all = append(all, e.Lesson)
	}
	if p := plan(t, ClaudeMem{}, to, all...); !p.Empty() {
		t.Error("nobody has decided:", p.Diff())
	}
	byContent := func(a, b lessons.Lesson) int { return cmp.Compare(a.Content, b.Content) }
	slices.SortFunc(all, byContent)
	for i := range all {
		all[i].Status = lessons.Approved
	}
	p := plan(t, ClaudeMem{}, to, all...)
	diff := p.Diff()
	if n := strings.Count(diff, "\n-  "); n != 5 || !strings.Contains(diff, `"[\"how-it-works\",\"my-custom-concept\"]"`) || !strings.Contains(diff, `"manual-content-ils-ios"`) {
		t.Errorf("not only the one that would not be given changes, beside counts and the time, and what a summary says is added: %s", diff)
	}
	for i := range all {
		if strings.HasPrefix(all[i].Content, "Migration") {
			all[i].Status = lessons.Rejected
		}
	}
	apply(t, plan(t, ClaudeMem{}, to, all...))
	after := read(t, ClaudeMem{}, to.Path)
	if len(after.Entries) != 6 {
		t.Errorf("%d", len(after.Entries))
	}
	back, err := os.ReadFile(to.Path + exchange.BackupSuffix)
	if err != nil || !bytes.Equal(back, data) {
		t.Errorf("no copy: %v", err)
	}
}

func TestNeverIntoTheDatabase(t *testing.T) {
	path := unpack(t, "claude-mem.db")
	for _, p := range []string{path, filepath.Dir(path), filepath.Join(t.TempDir(), "new.db")} {
		_, err := ClaudeMem{}.Plan(t.Context(), target(t, p), []lessons.Lesson{lesson("a", "x")})
		if !errors.Is(err, exchange.ErrOneWay) || !strings.Contains(err.Error(), "export to a .json file") {
			t.Errorf("%s: %v", p, err)
		}
	}
}
