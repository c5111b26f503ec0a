package transcript_test

import (
	"bytes"
	"database/sql"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"learnings/extractor/transcript"
)

// opencodeDatabase copies OpenCode's database of testdata to a home directory,
// with the log or without, as files that nobody has written to lately.
func opencodeDatabase(t testing.TB, log bool) (home, path string) {
	t.Helper()
	home = t.TempDir()
	path = filepath.Join(home, ".local", "share", "opencode", "opencode.db")
	names := []string{"opencode.db"}
	if log {
		names = append(names, "opencode.db-wal")
	}
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join("testdata", "database", name))
		if err != nil {
			t.Fatal(err)
		}
		place(t, filepath.Join(filepath.Dir(path), name), data)
	}
	return home, path
}

func place(t testing.TB, path string, data []byte) {
	t.Helper()
	old := time.Now().Add(-time.Hour)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, data, 0o600), os.Chtimes(path, old, old)); err != nil {
		t.Fatal(err)
	}
}

// TestDatabase finds and reads the sessions of OpenCode's database, leaves
// nothing beside it, and knows a session again that has not changed.
func TestDatabase(t *testing.T) {
	home, path := opencodeDatabase(t, true)
	places := transcript.DefaultPlaces(home, func(string) string { return "" })
	var files []transcript.File
	for f, err := range transcript.Find(places) {
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	if len(files) != 2 || files[0].Path != filepath.Join(path, "ses_dff184212ffeLfDxtSBNS2yV2C") {
		t.Fatalf("%+v", files)
	}
	var got strings.Builder
	for _, f := range files {
		in, opened, err := transcript.Open(f.Path)
		if err != nil {
			t.Fatal(err)
		}
		if opened.Size != f.Size || !opened.ModTime.Equal(f.ModTime) || opened.Format != f.Format {
			t.Errorf("found %+v, opened %+v", f, opened)
		}
		got.WriteString(describe(transcript.NewReader(in, f.Format, f.Options())))
	}
	golden := filepath.Join("testdata", "database", "opencode.turns")
	if *update {
		place(t, golden, []byte(got.String()))
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("got:\n%s\nwant:\n%s", got.String(), want)
	}
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 2 {
		t.Errorf("%v lie beside it, %v", left, err)
	}
	known := func(f transcript.File) (transcript.File, bool) {
		f.Agent = "known"
		return f, slices.ContainsFunc(files, func(g transcript.File) bool {
			return f.Path == g.Path && f.Size == g.Size && f.ModTime.Equal(g.ModTime)
		})
	}
	for f := range transcript.FindKnown(places, known) {
		if f.Agent != "known" {
			t.Errorf("%s is not known again", f.Path)
		}
	}
}

// TestKeepers makes databases of other programs as their sources say, finds the sessions in
// their usual places, and compares the documents with the samples in testdata.
func TestKeepers(t *testing.T) {
	for sample, c := range map[string]struct {
		path  string
		human []int // of each session
	}{
		"crush/session.json": {"shop/.crush/crush.db", []int{3, 0}},
		"goose/session.json": {".local/share/goose/sessions/sessions.db", []int{2}},
		"kiro/database.json": {".local/share/kiro-cli/data.sqlite3", []int{1}},
	} {
		home, format := t.TempDir(), strings.Split(sample, "/")[0]
		path := filepath.Join(home, filepath.FromSlash(c.path))
		statements, err := os.ReadFile(filepath.Join("testdata", "database", format+".sql"))
		if err != nil {
			t.Fatal(err)
		}
		place(t, filepath.Join(home, ".local/share/crush/projects.json"), []byte(`{"projects":[{"path":"`+filepath.ToSlash(home)+`/shop","data_dir":".crush"}]}`))
		makeDatabase(t, path, string(statements))
		var human []int
		for f, err := range transcript.Find(transcript.DefaultPlaces(home, func(string) string { return "" })) {
			if err != nil || f.Format != transcript.Format(format) {
				t.Fatalf("%s: %+v %v", sample, f, err)
			}
			in, opened, err := transcript.Open(f.Path)
			if err != nil || opened.Size != f.Size || !opened.ModTime.Equal(f.ModTime) || f.ModTime.Year() != 2026 {
				t.Fatalf("found %+v, opened %+v %v", f, opened, err)
			}
			got, err := io.ReadAll(in)
			if detected, ok := transcript.Detect(got); err != nil || !ok || detected != f.Format || int64(len(got)) > f.Size {
				t.Errorf("%s is read as %q, %v", f.Path, detected, err)
			}
			if golden := filepath.Join("testdata", filepath.FromSlash(sample)); human == nil {
				if *update {
					place(t, golden, got)
				}
				if want, err := os.ReadFile(golden); err != nil || string(want) != string(got) {
					t.Errorf("got:\n%s\nwant:\n%s", got, want)
				}
			}
			info, err := transcript.Scan(t.Context(), f)
			if err != nil || format == "crush" && info.Session.Dir != filepath.Join(home, "shop") {
				t.Errorf("%+v %v", info, err)
			}
			human = append(human, info.Human)
		}
		if !slices.Equal(human, c.human) {
			t.Errorf("%s: a person said %v", sample, human)
		}
	}
}

// makeDatabase runs statements in a new database.
func makeDatabase(t *testing.T, path, statements string) {
	t.Helper()
	place(t, path, nil)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.Exec(statements)
	old := time.Now().Add(-time.Hour)
	if err := errors.Join(err, db.Close(), os.Chtimes(path, old, old)); err != nil {
		t.Fatal(err)
	}
}

// TestDatabaseWithoutLog reads what the file itself holds, a single session of
// it, and what is none.
func TestDatabaseWithoutLog(t *testing.T) {
	_, path := opencodeDatabase(t, false)
	session := filepath.Join(path, "ses_dff184212ffeLfDxtSBNS2yV2C")
	for name, want := range map[string]int{path: 2, session: 1, filepath.Dir(path): 2} {
		n := 0
		for f, err := range transcript.Find(transcript.Places{{Path: name, Named: true}}) {
			if err != nil || f.Format != transcript.OpenCode {
				t.Errorf("%s: %+v %v", name, f, err)
			}
			n++
		}
		if n != want {
			t.Errorf("%s: %d sessions", name, n)
		}
	}
	kilo := filepath.Join(filepath.Dir(path), "kilo.db") // the same form under another name
	if err := os.Link(path, kilo); err != nil {
		t.Fatal(err)
	}
	if info, err := transcript.Scan(t.Context(), transcript.File{Path: filepath.Join(kilo, filepath.Base(session))}); err != nil || info.Human != 3 || info.Session.Agent != transcript.Kilo {
		t.Errorf("%+v %v", info, err)
	}
	if info, err := transcript.Scan(t.Context(), transcript.File{Path: session}); err != nil || info.Human != 3 || info.Session.Dir != "/home/sam/shop" {
		t.Errorf("%+v %v", info, err)
	}
	if _, _, err := transcript.Open(filepath.Join(path, "ses_none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no such session: %v", err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	place(t, path, bytes.Replace(data, []byte("`session_id`"), []byte("`sessionn_i`"), -1))
	for f, err := range transcript.Find(transcript.Places{{Path: path}}) {
		t.Errorf("a version that is not known: %+v %v", f, err)
	}
	for _, err := range transcript.Find(transcript.Places{{Path: path, Named: true}}) {
		if !errors.Is(err, transcript.ErrNoSession) {
			t.Errorf("a named one of a version that is not known: %v", err)
		}
	}
}

// FuzzDatabase puts anything into the place of what a message and a part hold:
// what comes out is the document of a session, and nothing in it ends that.
func FuzzDatabase(f *testing.F) {
	f.Add([]byte(`"type":"text"`), []byte(`"type":"text"`))
	f.Add([]byte(`"role":"user"`), []byte(`"role":"us]}"`))
	f.Add([]byte(`{"type"`), []byte(`{},"typ`))
	data, err := os.ReadFile(filepath.Join("testdata", "database", "opencode.db"))
	if err != nil {
		f.Fatal(err)
	}
	path := filepath.Join(f.TempDir(), "opencode.db")
	f.Fuzz(func(t *testing.T, old, with []byte) {
		if len(old) < 4 || len(old) != len(with) {
			return
		}
		place(t, path, bytes.Replace(data, old, with, -1))
		for file, err := range transcript.Find(transcript.Places{{Path: path, Named: true}}) {
			if err != nil {
				continue
			}
			in, opened, err := transcript.Open(file.Path)
			if err != nil {
				continue
			}
			text, err := io.ReadAll(in)
			if got, ok := transcript.Detect(text); err != nil || int64(len(text)) > opened.Size || !ok || got != transcript.OpenCode {
				t.Fatalf("%d bytes of %d, %q %v", len(text), opened.Size, got, err)
			}
			sane(t, transcript.NewReader(bytes.NewReader(text), opened.Format, opened.Options()))
		}
	})
}

// TestNotRead tells of an agent's folder that cannot be read, and of none that
// can, or that holds nothing.
func TestNotRead(t *testing.T) {
	home, path := opencodeDatabase(t, false)
	none := func(string) string { return "" }
	in := func(parts ...string) string { return filepath.Join(append([]string{home}, parts...)...) }
	place(t, in(".claude", "projects", "-x", "s.jsonl"), []byte(claudeLine))
	place(t, in(".codex", "sessions", "history.json"), []byte("{}"))
	place(t, in(".pi", "agent", "sessions", "empty.jsonl"), nil)
	if got := transcript.NotReadOn("linux", home, none); len(got) > 0 {
		t.Errorf("all can be read, but %+v", got)
	}
	place(t, in(".claude", "projects", "-x", "other.jsonl"), []byte("{}\n"))
	place(t, in(".codex", "sessions", "2027", "rollout.jsonl"), []byte(`{"kind":"new"}`+"\n"))
	place(t, in(".local", "share", "goose", "sessions", "sessions.db"), []byte("SQLite format 3\x00"))
	place(t, in(".local", "share", "zed", "threads", "threads.db"), []byte("SQLite format 3\x00"))
	place(t, path, []byte("SQLite format 3\x00 of a later version"))
	var got []string
	for _, u := range transcript.NotReadOn("linux", home, none) {
		if u.Why == "" {
			t.Errorf("%+v", u)
		}
		got = append(got, u.Agent+" "+filepath.ToSlash(strings.TrimPrefix(u.Path, home)))
	}
	want := []string{"claude-code /.claude/projects", "codex /.codex/sessions", "opencode /.local/share/opencode/opencode.db", "goose /.local/share/goose/sessions", "Zed /.local/share/zed/threads/threads.db"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
