package transcript_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"learnings/extractor/transcript"
)

// tree writes files, by their paths below a new folder, and returns it.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// found lists what Find finds, by paths below root, and its errors.
func found(root string, places transcript.Places) (out []string) {
	for f, err := range transcript.Find(places) {
		if err != nil {
			out = append(out, "error: "+strings.ReplaceAll(err.Error(), root, "ROOT"))
			continue
		}
		rel, _ := filepath.Rel(root, f.Path)
		out = append(out, filepath.ToSlash(rel)+" "+string(f.Format)+" "+f.Agent)
	}
	return out
}

const (
	claudeLine = `{"type":"user","parentUuid":null,"isSidechain":false,"sessionId":"s","uuid":"u","message":{"content":"hi"}}` + "\n"
	codexLine  = `{"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":"c"}}` + "\n"
	qwenLine   = `{"uuid":"u","parentUuid":null,"sessionId":"s","timestamp":"2026-01-01T00:00:00Z","type":"user","cwd":"/x","isSidechain":false,"message":{"role":"user","parts":[{"text":"hi"}]}}` + "\n"
)

func TestFind(t *testing.T) {
	root := tree(t, map[string]string{
		"claude/projects/-x/s.jsonl":                        claudeLine,
		"claude/projects/-x/s/subagents/agent-1.jsonl":      claudeLine,
		"claude/projects/-x/s/subagents/agent-1.meta.json":  `{"agentType":"Explore","description":"d"}`,
		"claude/projects/-x/codex-in-the-wrong-place.jsonl": codexLine,
		"claude/projects/-x/empty.jsonl":                    "",
		"claude/projects/-x/memory/MEMORY.md":               "# notes\n",
		"codex/sessions/2026/01/01/rollout-1.jsonl":         codexLine,
		"any/session":        claudeLine,
		"any/rollout.json":   codexLine,
		"any/picture.png":    claudeLine,
		"any/qwen.jsonl":     qwenLine,
		"any/other.jsonl":    `{"role":"user","content":"hi"}` + "\n",
		"any/.git/s.jsonl":   claudeLine,
		"any/binary.jsonl":   "\x00\x01\x02\xff",
		"any/longhead.jsonl": `{"type":"progress","isSidechain":false,"sessionId":"s","uuid":"u","data":"` + strings.Repeat("x", 1<<20),
	})
	env := func(name string) string {
		return map[string]string{"CLAUDE_CONFIG_DIR": filepath.Join(root, "claude")}[name]
	}
	usual := transcript.DefaultPlaces(filepath.Join(root, "nobody"), env)
	usual[1].Path = filepath.Join(root, "codex", "sessions")
	named := func(path string) transcript.Places {
		return transcript.Places{{Path: filepath.Join(root, filepath.FromSlash(path)), Named: true}}
	}
	for name, c := range map[string]struct {
		places transcript.Places
		want   []string
	}{
		"usual places": {usual, []string{"claude/projects/-x/s/subagents/agent-1.jsonl claude-code Explore", "claude/projects/-x/s.jsonl claude-code ", "codex/sessions/2026/01/01/rollout-1.jsonl codex "}},
		"a folder":     {named("any"), []string{"any/longhead.jsonl claude-code ", "any/qwen.jsonl qwen-code ", "any/rollout.json codex ", "any/session claude-code "}},
		"a file":       {named("any/picture.png"), []string{"any/picture.png claude-code "}},
		"no session":   {named("any/other.jsonl"), []string{"error: ROOT/any/other.jsonl: not a session of a known agent"}},
		"empty":        {named("claude/projects/-x/empty.jsonl"), []string{"error: ROOT/claude/projects/-x/empty.jsonl is empty: not a session of a known agent"}},
		"missing":      {named("nothing"), []string{"error: looking for sessions: stat ROOT/nothing: no such file or directory"}},
		"not named":    {transcript.Places{{Path: filepath.Join(root, "nothing")}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			if filepath.Separator != '/' && (name == "missing" || name == "no session" || name == "empty") {
				t.Skip("the message has the path with the separators of Unix")
			}
			got := found(root, c.places)
			if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

func TestDefaultPlaces(t *testing.T) {
	got := transcript.DefaultPlaces("/home/kim", func(string) string { return "" })
	want := filepath.Join("/home/kim", ".claude", "projects")
	if got[0].Path != want || got[1].Path != filepath.Join("/home/kim", ".codex", "sessions") {
		t.Errorf("%v", got)
	}
}

func TestOpenRefuses(t *testing.T) {
	root := tree(t, map[string]string{"s.jsonl": claudeLine, "notes.md": "hello\n"})
	for path, want := range map[string]error{
		root:                                 transcript.ErrNoSession,
		filepath.Join(root, "notes.md"):      transcript.ErrNoSession,
		filepath.Join(root, "missing.jsonl"): fs.ErrNotExist,
	} {
		if _, _, err := transcript.Open(path); !errors.Is(err, want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
	f, file, err := transcript.Open(filepath.Join(root, "s.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if file.Format != transcript.ClaudeCode || file.Size != int64(len(claudeLine)) || file.ModTime.IsZero() {
		t.Errorf("%+v", file)
	}
}

func TestScan(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "claude", "rejections.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	root := tree(t, map[string]string{
		"a.jsonl": string(data) + "not JSON\n" + claudeLine + `{"type":"user","mess`,
		"b.jsonl": string(data),
	})
	ctx, cancel := context.WithCancel(context.Background())
	info, err := transcript.Scan(ctx, transcript.File{Path: filepath.Join(root, "a.jsonl")})
	if err != nil {
		t.Fatal(err)
	}
	if info.Lines != 15 || info.BadLines != 1 || info.FirstBad.Line != 14 || !info.Cut || info.Human != 4 || info.Calls != 6 || info.Refusals != 6 || info.ToolErrors != 0 ||
		info.Session.ID != "s1" || info.End.Before(info.Session.Start) {
		t.Errorf("%+v", info)
	}
	if info, err = transcript.Scan(ctx, transcript.File{Path: filepath.Join(root, "b.jsonl")}); err != nil || info.BadLines != 0 || info.Cut {
		t.Errorf("a whole one: %v, %+v", err, info)
	}
	cancel()
	if _, err := transcript.Scan(ctx, transcript.File{Path: filepath.Join(root, "b.jsonl")}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func FuzzDetect(f *testing.F) {
	for _, s := range []string{claudeLine, codexLine, qwenLine, "", "{", "\xef\xbb\xbf" + claudeLine} {
		f.Add([]byte(s))
	}
	for file := range samples(f) {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, head []byte) {
		format, ok := transcript.Detect(head)
		if ok != (format != "") {
			t.Errorf("%q %v", format, ok)
		}
		if ok {
			sane(t, transcript.NewReader(bytes.NewReader(head), format, transcript.Options{Growing: true}))
		}
		// A file does not change its format by growing.
		if more, _ := transcript.Detect(append(head[:len(head):len(head)], "\n"+codexLine...)); ok && more != format {
			t.Errorf("%q, and with another line %q", format, more)
		}
	})
}

// TestReadAll checks that files come in the order in which they are found, that
// one that is no session does not end it, and that the caller may.
func TestReadAll(t *testing.T) {
	files := map[string]string{"m.jsonl": "no session\n"}
	for i := range 20 {
		files[fmt.Sprintf("s%02d.jsonl", i)] = claudeLine
	}
	root := tree(t, files)
	places := transcript.Places{{Path: root, Named: true}, {Path: filepath.Join(root, "m.jsonl"), Named: true}}
	var paths []string
	failed := 0
	for info, err := range transcript.ReadAll(t.Context(), transcript.FindKnown(places, nil), transcript.Scan) {
		if err != nil {
			failed++
			continue
		}
		paths = append(paths, info.Path)
	}
	if len(paths) != 20 || !slices.IsSorted(paths) || failed != 1 {
		t.Errorf("%d errors, and %q", failed, paths)
	}
	n := 0
	for range transcript.ReadAll(t.Context(), transcript.FindKnown(places, nil), transcript.Scan) {
		if n++; n == 3 {
			break
		}
	}
	if n != 3 {
		t.Errorf("%d after the end", n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for info, err := range transcript.ReadAll(ctx, transcript.FindKnown(places, nil), transcript.Scan) {
		t.Errorf("cancelled, and got %+v, %v", info, err)
	}
}

// A first line may hold a picture or a log that somebody pasted. The session is read all
// the same, whatever agent wrote it and however long the line is.
func TestLongFirstLine(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short, which the race detector runs with: about results")
	}
	dir := t.TempDir()
	sessions, err := filepath.Glob(filepath.Join("testdata", "*", "*.jsonl"))
	if err != nil || len(sessions) < 8 {
		t.Fatal(sessions, err)
	}
	for i, path := range sessions {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want, ok := transcript.Detect(data)
		if !ok || data[0] != '{' {
			continue
		}
		for j, n := range []int{64 << 10, 900 << 10, 5 << 20} {
			for k, first := range []string{`{"unknown":"` + strings.Repeat("A", n) + `"}`, strings.Repeat(`{"unknown":1}`+"\n", n/14)} {
				long := filepath.Join(dir, fmt.Sprintf("%d-%d-%d.jsonl", i, j, k))
				place(t, long, append([]byte(first+"\n"), data...))
				f, file, err := transcript.Open(long)
				if err != nil || file.Format != want {
					t.Errorf("%s after %d bytes: %v, not %v: %v", path, n, file.Format, want, err)
				}
				if err == nil {
					f.Close()
				}
			}
		}
	}

	// As Claude Code writes it: what tells the format stands behind the picture.
	long := filepath.Join(dir, "claude.jsonl")
	place(t, long, []byte(`{"parentUuid":null,"isSidechain":false,"userType":"external","cwd":"/w","sessionId":"s","type":"user","message":{"role":"user","content":[{"type":"image","source":{"type":"base64","data":"`+
		strings.Repeat("A", 3<<20)+`"}},{"type":"text","text":"No, use pnpm"}]},"uuid":"u1","timestamp":"2026-11-20T10:00:00Z"}`+"\n"))
	f, file, err := transcript.Open(long)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var said []string
	for turn, err := range transcript.NewReader(f, file.Format, file.Options()).Turns() {
		if err != nil {
			t.Fatal(err)
		}
		said = append(said, turn.Text)
	}
	if !strings.Contains(strings.Join(said, "\n"), "No, use pnpm") {
		t.Errorf("read: %.200q", said)
	}
}

// The beginning of a session says where it began, the same as its whole.
func TestPeek(t *testing.T) {
	known := 0
	for f, err := range transcript.FindKnown(transcript.Places{{Path: "testdata"}}, nil) {
		if err != nil {
			t.Fatal(err)
		}
		s := transcript.Peek(f)
		if s.Dir == "" {
			continue
		}
		known++
		if info, err := transcript.Scan(t.Context(), f); err == nil && info.Session.Dir != s.Dir {
			t.Errorf("%s begins in %s, and is of %s", f.Path, s.Dir, info.Session.Dir)
		}
	}
	if known < 10 {
		t.Errorf("%d sessions say where they began", known)
	}
	if s := transcript.Peek(transcript.File{Path: filepath.Join(t.TempDir(), "gone.jsonl"), Format: transcript.ClaudeCode}); s.Dir != "" || s.ID != "" {
		t.Errorf("what is gone says %+v", s)
	}
}
