package mcpserver

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"learnings/cmd/internal/settings"
	"learnings/lessons"
	"learnings/lessons/store"
)

// TestTypeScript runs the program with the official TypeScript SDK's client, installed in
// the folder LEARNINGS_MCP_TS; see docs/development.md.
func TestTypeScript(t *testing.T) {
	sdk := os.Getenv("LEARNINGS_MCP_TS")
	if sdk == "" {
		t.Skip("LEARNINGS_MCP_TS names no folder in which @modelcontextprotocol/sdk is installed")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skipf("node is not in the path: %v", err)
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "bin", "learnings")
	if out, err := exec.Command("go", "build", "-o", program, "learnings/cmd/learnings").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	corpus := filepath.Join(dir, "corpus")
	env := append(os.Environ(), "HOME="+dir, "XDG_STATE_HOME="+filepath.Join(dir, "state"), "XDG_CONFIG_HOME="+dir, "XDG_DATA_HOME="+dir)
	s, err := store.Open(corpus, store.Options{State: settings.StateOf(filepath.Join(dir, "state", "learnings"), corpus)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Put(store.Write{Op: lessons.OpAdd, By: "ann"}, lesson("aaaa", "Run make generate")); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, filepath.Join("testdata", "client.mjs"), sdk, program, corpus)
	cmd.Env, cmd.Stderr = env, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	type told struct {
		Server                           string
		Instructions, Remember, Many     int
		Tools, Prompts, Templates        []string
		Search, Get, Propose, Feedback   string
		Wrong, Resource, Prompt, Unknown string
	}
	var got struct {
		Stdio, HTTP told
		Code        int
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for name, g := range map[string]told{"stdio": got.Stdio, "http": got.HTTP} {
		slices.Sort(g.Tools)
		if g.Server != "learnings" || g.Instructions == 0 || g.Remember != 1 || g.Many != 1000 || strings.Join(g.Tools, " ") != "feedback get propose recurring search timeline" || len(g.Prompts) != 1 || len(g.Templates) != 2 {
			t.Errorf("%s: %+v", name, g)
		}
		for want, in := range map[string]string{
			"[L-aaaa] Run make generate (": g.Search, "## [L-aaaa]": g.Get + g.Resource, "Noted of L-aaaa": g.Feedback, "error: validating": g.Wrong, "propose": g.Prompt, "unknown tool": g.Unknown,
		} {
			if !strings.Contains(in, want) {
				t.Errorf("%s: not %q: %s", name, want, in)
			}
		}
	}
	if !strings.HasPrefix(got.Stdio.Propose, "Proposed as L-") || !strings.HasPrefix(got.HTTP.Propose, "Nothing to propose") {
		t.Errorf("proposed: %s; then %s", got.Stdio.Propose, got.HTTP.Propose)
	}
	if got.Code != 0 {
		t.Errorf("it ended with %d", got.Code)
	}
}
