package past

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"learnings/extractor/transcript"
)

// failing writes a session in which a command fails.
func failing(t *testing.T, dir, session, project, answer string) transcript.File {
	t.Helper()
	text := fmt.Sprintf(`{"type":"user","userType":"external","uuid":"%[1]s-0","sessionId":"%[1]s","cwd":"/src/%[2]s","version":"2.1.0","timestamp":"2026-04-05T13:59:00Z","message":{"role":"user","content":"run the tests"}}
{"type":"assistant","uuid":"%[1]s-1","sessionId":"%[1]s","cwd":"/src/%[2]s","version":"2.1.0","timestamp":"2026-04-05T14:00:00Z","message":{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"Bash","input":{"command":"go test ./..."}}]}}
{"type":"user","uuid":"%[1]s-2","sessionId":"%[1]s","cwd":"/src/%[2]s","timestamp":"2026-04-05T14:00:09Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","is_error":true,"content":%[3]q}]}}
`, session, project, answer)
	path := filepath.Join(dir, session+".jsonl")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return transcript.File{Path: path, Size: int64(len(text))}
}

func find(ctx context.Context, files []transcript.File, done func(transcript.File, int, error)) ([]Mistake, error) {
	o := Options{Project: filepath.Base, Redact: func(s string) string { return strings.ReplaceAll(s, "hunter2", "***") }}
	return Find(ctx, files, o, Search{Least: 2, Done: done})
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	files := []transcript.File{
		failing(t, dir, "a", "octofs", "error: cannot connect to 10.0.0.1:5432 with hunter2"),
		{Path: filepath.Join(dir, "missing.jsonl")},
		failing(t, dir, "b", "octofs", "error: cannot connect to 10.0.0.7:5433 with hunter2"),
		failing(t, dir, "c", "site", "error: cannot connect to 10.0.0.1:5432 with hunter2"),
		failing(t, dir, "d", "site", "permission denied: publickey"),
	}
	var order []string
	unread := 0
	ms, err := find(t.Context(), files, func(f transcript.File, n int, err error) {
		order = append(order, f.Path)
		if err != nil {
			unread++
		}
	})
	if err != nil || len(ms) != 1 || unread != 1 {
		t.Fatalf("%v, %d files unread, %+v", err, unread, ms)
	}
	for i, f := range files {
		if order[i] != f.Path {
			t.Errorf("told of %s in the place of %s", order[i], f.Path)
		}
	}
	m := ms[0]
	if m.Count != 3 || m.Sessions != 3 || !slices.Equal(m.Projects, []string{"octofs", "site"}) || len(m.Evidence) != 3 || strings.Contains(m.Error+m.Name, "hunter2") {
		t.Errorf("%+v", m)
	}
	if again, _ := find(t.Context(), files[:3], nil); len(again) != 1 || again[0].ID != m.ID {
		t.Errorf("the id is not the same of fewer sessions: %+v", again)
	}
	if l := m.Proposal("developer", m.Last); l.Validate() != nil || !l.Scope.Global {
		t.Errorf("%v, %+v", l.Validate(), l)
	}
}

// TestCured: what avoids a mistake is known when the call worked a little later in
// one of the sessions, and is what is proposed.
func TestCured(t *testing.T) {
	dir := t.TempDir()
	const answer = "ModuleNotFoundError: No module named 'shop_hunter2'"
	files := []transcript.File{failing(t, dir, "a", "octofs", answer), failing(t, dir, "b", "site", answer), failing(t, dir, "c", "octofs", answer)}
	one := func() Mistake {
		t.Helper()
		ms, err := find(t.Context(), files, nil)
		if err != nil || len(ms) != 1 {
			t.Fatalf("%v, %+v", err, ms)
		}
		return ms[0]
	}
	if m := one(); m.Cure.Says != "" || !strings.Contains(m.Proposal("developer", m.Last).Insight, "What avoids it?") {
		t.Errorf("without a cure: %+v", m)
	}
	then := `{"type":"assistant","uuid":"b-3","sessionId":"b","cwd":"/src/site","timestamp":"2026-04-05T14:01:00Z","message":{"role":"assistant","content":[{"type":"tool_use","id":"c2","name":"Bash","input":{"command":"TOKEN=hunter2 go test ./..."}}]}}
{"type":"user","uuid":"b-4","sessionId":"b","cwd":"/src/site","timestamp":"2026-04-05T14:01:09Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c2","content":"ok"}]}}
`
	path := files[1].Path
	old, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(old, then...), 0o600); err != nil {
		t.Fatal(err)
	}
	m := one()
	if c := m.Cure; c.Says != "If `go test` says \"No module named 'shop_***'\", set `TOKEN` for it." || c.Project != "site" || c.Times != 1 || strings.Contains(c.Says+c.Example+c.Error, "hunter2") {
		t.Errorf("the cure is %+v", c)
	}
	l := m.Proposal("developer", m.Last)
	if l.Content != m.Cure.Says || l.Scope.Project != "site" || l.Scope.Global || !l.Quarantined() || l.Validate() != nil || strings.Contains(l.Insight, "What avoids it?") {
		t.Errorf("%v, %+v", l.Validate(), l)
	}
	if !strings.HasPrefix(l.Insight, "Otherwise it fails: ModuleNotFoundError") || !strings.Contains(l.Insight, "3 times in 3 sessions of octofs, site") || l.Example != "go test ./... -> TOKEN=*** go test ./..." {
		t.Errorf("%+v", l.Wording)
	}
}

func TestFindStops(t *testing.T) {
	dir := t.TempDir()
	var files []transcript.File
	for i := range 50 {
		files = append(files, failing(t, dir, fmt.Sprint("s", i), "octofs", "error: no"))
	}
	ctx, stop := context.WithCancel(t.Context())
	_, err := find(ctx, files, func(transcript.File, int, error) { stop() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
}
