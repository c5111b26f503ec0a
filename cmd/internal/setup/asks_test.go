package setup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSilenced checks the precedence of settings by the administrator, the project and
// the person, and its effect on guards.
func TestSilenced(t *testing.T) {
	w := world(t)
	w.Managed, w.Guard = t.TempDir(), true
	w.Hook = filepath.Join(t.TempDir(), "learnings-hook")
	dir := t.TempDir()
	a, _ := Get(w, "claude")
	if why, wire := a.Asks(dir); !wire || why == "" {
		t.Errorf("not wired: %q, %v", why, wire)
	}
	r, _ := Open(t.TempDir())
	c, err := a.Wire(r)
	apply(t, c, err)
	if why, wire := a.Asks(dir); !wire || !strings.Contains(why, "is not there") {
		t.Errorf("without the program: %q, %v", why, wire)
	}
	write := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write(w.Hook, "")
	for _, c := range []struct{ path, text, want string }{
		{"", "", ""},
		{filepath.Join(dir, ".claude", "settings.json"), `{"disableAllHooks": true}`, "disableAllHooks = true"},
		{filepath.Join(dir, ".claude", "settings.local.json"), `{"disableAllHooks": false}`, ""},
		{filepath.Join(w.Managed, "managed-settings.json"), `{"disableAllHooks": true}`, "disableAllHooks = true"},
		{filepath.Join(w.Managed, "managed-settings.d", "10-a.json"), `{"disableAllHooks": false}`, ""},
		{filepath.Join(w.Managed, "managed-settings.d", "20-b.json"), `{"allowManagedHooksOnly": true}`, "allowManagedHooksOnly = true"},
		{filepath.Join(w.Managed, "managed-settings.d", "20-b.json"), `{"allowManagedHooksOnly": "yes"`, ""},
	} {
		if c.path != "" {
			write(c.path, c.text)
		}
		path, setting, err := a.Silenced(dir)
		if setting != c.want || c.want != "" && path != c.path || (err != nil) != strings.HasSuffix(c.text, `"yes"`) {
			t.Errorf("%s: %q in %s, %v", c.path, setting, path, err)
		}
		if why, wire := a.Asks(dir); wire || (why == "") != (c.want == "" && err == nil) {
			t.Errorf("%s: %q, %v", c.path, why, wire)
		}
	}
	codex, _ := Get(w, "codex")
	c, err = codex.Wire(r)
	apply(t, c, err)
	if why, wire := codex.Asks(dir); wire || !strings.Contains(why, "trust") {
		t.Errorf("Codex, not trusted: %q, %v", why, wire)
	}
	write(filepath.Join(w.Home, ".codex", "config.toml"), "[features]\nhooks = false\n")
	if why, _ := codex.Asks(dir); !strings.Contains(why, "hooks = false") {
		t.Errorf("Codex, off: %q", why)
	}
	if cline, _ := Get(w, "cline"); cline.CanAsk() {
		t.Error("Cline's hooks stop no call")
	}
}

// TestPermitted checks that our permissions are removed and others stay, also without a
// record, and that adding a guard adds no permissions.
func TestPermitted(t *testing.T) {
	const text = "{\n  \"permissions\": {\"allow\": [\n    \"mcp__learnings__get\", // mine\n    \"Bash(ls:*)\"\n  ]}\n}\n"
	w := world(t)
	path := filepath.Join(w.Home, ".qwen", "settings.json")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r, _ := Open(t.TempDir())
	read := func() string {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	step := func(p Permission, guard bool) string {
		t.Helper()
		w.Permit, w.Guard = p, guard
		a, _ := Get(w, "qwen")
		c, err := a.Wire(r)
		apply(t, c, err)
		return read()
	}
	if got := step(Withheld, false); strings.Count(got, "mcp__learnings__") != 1 || !strings.Contains(got, "session-start") {
		t.Errorf("withheld: %s", got)
	}
	if got := step(AsItIs, true); !strings.Contains(got, preTool) || strings.Contains(got, "Bash(learnings") || strings.Count(got, "mcp__learnings__") != 1 {
		t.Errorf("with a guard: %s", got)
	}
	if got := step(Granted, true); strings.Count(got, "mcp__learnings__") != len(Tools) || strings.Count(got, "Bash(learnings") != len(lookups) {
		t.Errorf("granted: %s", got)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(read(), "ls:", "cat:", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	a, _ := Get(w, "qwen")
	c, err := a.Unwire(r)
	apply(t, c, err)
	if got := read(); got != strings.Replace(text, "ls:", "cat:", 1) {
		t.Errorf("taken out: %s", got)
	}
}
