package observations

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"learnings/lessons/exchange"
)

// real is a command that runs a script of JavaScript beside claude-mem as npm has it.
// LEARNINGS_CLAUDE_MEM is the folder of its package; see docs/development.md.
func real(t *testing.T, home, script string, args ...string) *exec.Cmd {
	t.Helper()
	pkg := os.Getenv("LEARNINGS_CLAUDE_MEM")
	if pkg == "" {
		t.Skip("LEARNINGS_CLAUDE_MEM names no folder with claude-mem in it")
	}
	bun, err := exec.LookPath("bun")
	if err != nil {
		t.Skip("claude-mem runs on bun, which is not installed")
	}
	file := filepath.Join(t.TempDir(), "run.ts")
	text := `const pkg = ` + exchange.Quoted(pkg) + `, data = process.env.CLAUDE_MEM_DATA_DIR;
const { SessionStore } = await import(pkg + "/plugin/sqlite/SessionStore.js");
const store = new SessionStore(data + "/claude-mem.db");
` + script
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bun, append([]string{file}, args...)...)
	cmd.Env = append(os.Environ(), "HOME="+home, "CLAUDE_MEM_DATA_DIR="+filepath.Join(home, ".claude-mem"), "TZ=UTC")
	cmd.Dir = home
	cmd.Stderr = t.Output()
	if err := os.MkdirAll(filepath.Join(home, ".claude-mem"), 0o700); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// worker starts claude-mem's own service and gives its address.
func worker(t *testing.T, home string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	_, port, _ := net.SplitHostPort(address)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	cmd := real(t, home, "")
	settings := fmt.Sprintf(`{"CLAUDE_MEM_WORKER_PORT":%q,"CLAUDE_MEM_CHROMA_ENABLED":"false"}`, port)
	if err := os.WriteFile(filepath.Join(home, ".claude-mem", "settings.json"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd.Args = []string{cmd.Args[0], filepath.Join(os.Getenv("LEARNINGS_CLAUDE_MEM"), "plugin", "scripts", "worker-service.cjs")}
	cmd.Env = append(cmd.Env, "CLAUDE_MEM_WORKER_PORT="+port, "CLAUDE_MEM_CHROMA_ENABLED=false", "DO_NOT_TRACK=1")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	for t.Context().Err() == nil { // until it listens; go test ends a test that never does
		if answer, err := http.Get("http://" + address + "/api/health"); err == nil {
			_ = answer.Body.Close()
			break
		}
		runtime.Gosched()
	}
	return "http://" + address
}

func body(t *testing.T) func(answer *http.Response, err error) string {
	return func(answer *http.Response, err error) string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		data, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
}

// TestRealImport has claude-mem import what was exported, and give it to an agent.
func TestRealImport(t *testing.T) {
	home := t.TempDir()
	to := target(t, filepath.Join(home, "out.json"))
	a := lesson("a", "Run make generate after editing a proto file")
	a.Insight = "The clients are generated."
	apply(t, plan(t, ClaudeMem{}, to, a))
	data, err := os.ReadFile(to.Path)
	if err != nil {
		t.Fatal(err)
	}
	address := worker(t, home)
	for _, did := range []string{`"sessionsImported":1,"sessionsSkipped":0`, `"observationsImported":0,"observationsSkipped":1`} {
		if text := body(t)(http.Post(address+"/api/import", "application/json", bytes.NewReader(data))); !strings.Contains(text, did) {
			t.Errorf("%s, want %s", text, did)
		}
	}
	text := body(t)(http.Get(address + "/api/context/inject?projects=shop"))
	tokens := observation{}.saying(wanted(a, observation{})).tokens()
	if !strings.Contains(text, "⚖ Run make generate after editing a proto file") || !strings.Contains(text, fmt.Sprintf("1 obs (%dt read)", tokens)) {
		t.Error(text)
	}
	// While it runs, what it has is read, by the same key.
	f := read(t, ClaudeMem{}, filepath.Join(home, ".claude-mem"))
	if e := like(t, f, "Run make generate"); e.Lesson.Insight != a.Insight || e.Lesson.Scope.Project != "shop" || e.Key != read(t, ClaudeMem{}, to.Path).Entries[0].Key {
		t.Errorf("%+v", e)
	}
}
