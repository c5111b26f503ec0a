package observations

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"learnings/lessons"
	"learnings/lessons/exchange"
)

// rowsOf are the observations of a database, as a reader with SQLite sees them.
func rowsOf(t *testing.T, path string) (out []string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(`SELECT id || '|' || session_id || '|' || obs_type || '|' || title || '|' || content || '|' || tags || '|' || created_at || '|' || tokens || '|' || ifnull((SELECT group_concat(referenced_id) FROM "references" WHERE observer_id = id), '') FROM observations ORDER BY id`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	return out
}

// memoryDB is a project's folder with the companion's database.
func memoryDB(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "shop", CompanionFile)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(unpack(t, "companion.db"), path); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestReadCompanion(t *testing.T) {
	path := memoryDB(t)
	f := read(t, Companion{}, filepath.Dir(path))
	if len(f.Entries) != 5 || len(f.Unread) != 0 {
		t.Fatal(f)
	}
	e := like(t, f, "Migration failed")
	l := e.Lesson
	if l.Insight != "Dropping sessions before users breaks FK; reorder the migration." || l.Category != "error" || l.Scope.Project != "shop" || l.Origin.Source != "session-3800" ||
		!slices.Equal(l.Tags, []string{"sqlite", "migration", "ils-ios"}) || !strings.HasSuffix(l.Origin.Rule, "referred to 1 times") || l.Created.Format("15:04:05.000000") != "14:22:00.123456" ||
		!slices.Equal(l.Evidence[0].Before, []string{"Running migration 0042", "db/migrations/0042.sql"}) || e.Place != path+"#1" {
		t.Errorf("%+v", e)
	}
	if _, err := (ClaudeMem{}).Read(t.Context(), path); err == nil || !strings.Contains(err.Error(), "no tables of claude-mem") {
		t.Error(err)
	}
	if _, err := (Companion{}).Read(t.Context(), unpack(t, "claude-mem.db")); err == nil || !strings.Contains(err.Error(), "no table of the companion") {
		t.Error(err)
	}
}

// TestCompanionTokens makes the column of words as the companion did.
func TestCompanionTokens(t *testing.T) {
	for _, r := range rowsOf(t, memoryDB(t)) {
		c := strings.Split(r, "|")
		for _, context := range []string{"", "Running migration 0042", "Refactoring the view model", "Designing the store"} {
			if pythonList(tokens(c[3]+" "+c[4]+" "+context)) == c[7] {
				c = nil
				break
			}
		}
		if c != nil {
			t.Errorf("other words: %s", r)
		}
	}
}

func TestCompanionAdds(t *testing.T) {
	path := memoryDB(t)
	before := rowsOf(t, path)
	to := target(t, filepath.Dir(path))
	a := lesson("a", "Run make generate after editing a proto file")
	a.Tags, a.Category = []string{"proto"}, "workflow"
	b := lesson("b", "Use pnpm, not npm")
	b.Scope.Project, b.Insight = "site", "The lock file is pnpm's."
	apply(t, plan(t, Companion{}, to, a, b))
	rows := rowsOf(t, path)
	if len(rows) != 7 || !slices.Equal(rows[:5], before) ||
		rows[5] != `6|learnings|pattern|Run make generate after editing a proto file|Run make generate after editing a proto file|["proto"]|2026-11-22T11:00:00+00:00|["run", "make", "generate", "after", "editing", "proto", "file", "run", "make", "generate", "after", "editing", "proto", "file"]|` ||
		!strings.HasPrefix(rows[6], `7|learnings|decision|Use pnpm, not npm|The lock file is pnpm's.|["site", "project:site"]|`) {
		t.Errorf("%s", strings.Join(rows, "\n"))
	}
	if _, err := os.Stat(path + exchange.BackupSuffix); err != nil {
		t.Error(err)
	}
	if p := plan(t, Companion{}, to, a, b); !p.Empty() {
		t.Error(p.Diff())
	}

	// A change is a new one that refers to the old, and is read in its place.
	a.Content = "Run make generate after each change of a proto file"
	p := plan(t, Companion{}, to, a, b)
	if p.Diff() != "+observation: Run make generate after each change of a proto file (refers to 6)\n" {
		t.Error(p.Diff())
	}
	apply(t, p)
	rows = rowsOf(t, path)
	if len(rows) != 8 || !strings.HasSuffix(rows[7], "|6") || !strings.Contains(rows[7], `["proto", "supersedes"]`) {
		t.Error(rows[7:])
	}
	f := read(t, Companion{}, path)
	if e := like(t, f, "Run make generate after each"); len(f.Entries) != 7 || !slices.Equal(e.Lesson.Tags, []string{"proto"}) || e.Lesson.Insight != "" {
		t.Error(f)
	}
	if p := plan(t, Companion{}, to, a, b); !p.Empty() {
		t.Error(p.Diff())
	}

	// What no longer holds is withdrawn, and may come back.
	a.Status = lessons.Archived
	apply(t, plan(t, Companion{}, to, a, b))
	if rows = rowsOf(t, path); len(rows) != 9 || !strings.HasPrefix(rows[8], "9|learnings|pattern|Withdrawn: Run make") || !strings.HasSuffix(rows[8], "|8") {
		t.Error(rows[8:])
	}
	if f = read(t, Companion{}, path); len(f.Entries) != 6 {
		t.Error(f)
	}
	if p := plan(t, Companion{}, to, a, b); !p.Empty() {
		t.Error(p.Diff())
	}
	a.Status = lessons.Approved
	apply(t, plan(t, Companion{}, to, a, b))
	if f = read(t, Companion{}, path); len(f.Entries) != 7 {
		t.Error(f)
	}
	if rows = rowsOf(t, path); !slices.Equal(rows[:5], before) {
		t.Error("something was changed")
	}
}

func TestCompanionIsMade(t *testing.T) {
	path := filepath.Join(t.TempDir(), "with % and ?", CompanionFile)
	if err := os.Mkdir(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	to := target(t, path)
	apply(t, plan(t, Companion{}, to, lesson("a", "Use pnpm")))
	if f := read(t, Companion{}, path); len(f.Entries) != 1 {
		t.Error(f)
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
		t.Errorf("%v", left)
	}
	// What another program did to an observation stays.
	script(t, path, `UPDATE observations SET tags = '["theirs"]'`)
	if p := plan(t, Companion{}, to, lesson("a", "Use pnpm")); !p.Empty() || !strings.Contains(fmt.Sprint(p.Losses), "observation 1 was edited there, and stays") {
		t.Error(p.Diff(), p.Losses)
	}
}

// TestCompanionLocked tries to add while another program writes, and adds nothing.
func TestCompanionLocked(t *testing.T) {
	path := memoryDB(t)
	db, err := sql.Open("sqlite", "file:"+path+"?_txlock=exclusive")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	p := plan(t, Companion{}, target(t, path), lesson("a", "Use pnpm"))
	if len(p.Rows) != 1 {
		t.Error("what is written to can be read:", p.Rows)
	}
	err = insert(t.Context(), path, []addition{{noted: noted{Session: "s", Type: "t", Title: "x", Content: "y", Create: "z"}}}, 0)
	if err == nil || !strings.Contains(err.Error(), path+": ") || !strings.Contains(err.Error(), "another program is writing to it") {
		t.Error(err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if rows := rowsOf(t, path); len(rows) != 5 {
		t.Error(rows)
	}
}
