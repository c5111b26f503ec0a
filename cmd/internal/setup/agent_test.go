package setup

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"learnings/cmd/internal/term"
	"learnings/lessons/exchange"
)

// world returns a machine with only a home folder.
func world(t *testing.T) Machine {
	t.Helper()
	home := t.TempDir()
	return Machine{Getenv: func(string) string { return "" }, OS: "linux", Home: home, Hook: "/opt/my tools/learnings-hook", Program: "/opt/my tools/learnings"}
}

// apply applies a change, or fails the test.
func apply(t *testing.T, c *Change, err error) {
	t.Helper()
	if err == nil {
		err = c.Apply(context.Background())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// tree returns all files below a folder.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		if d.IsDir() {
			out[path] = "folder"
			return nil
		}
		text, err := os.ReadFile(path)
		out[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestEach wires each agent in and out again: first on a machine where it never ran, then
// with existing settings.
func TestEach(t *testing.T) {
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			for _, full := range []bool{false, true} {
				w := world(t)
				a, _ := Get(w, name)
				if full {
					for _, path := range a.paths() {
						text := map[string]string{".json": "{ // mine\n  \"a\": [1,],\n}", ".toml": "# mine\r\na = 1\r\n", ".yaml": "# mine\nextensions:\n  # theirs\n  a: {enabled: true}\n"}[filepath.Ext(path)]
						if _, ours := a.at(path)[0].kind.(whole); ours || text == "" {
							continue
						}
						if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
							t.Fatal(err)
						}
						if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
							t.Fatal(err)
						}
					}
				}
				was := tree(t, w.Home)
				r, err := Open(filepath.Join(t.TempDir(), "state"))
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range a.Files() {
					if f.State != Absent {
						t.Errorf("%s is %s before setup", f.Path, f.State)
					}
				}
				c, err := a.Wire(r)
				apply(t, c, err)
				for _, f := range a.Files() {
					if f.State != Present {
						t.Errorf("%s is %s after setup: %v", f.Path, f.State, f.Err)
					}
				}
				if again, err := a.Wire(r); err != nil || !again.Empty() {
					t.Errorf("a second time: %v, %v", again.Diff(), err)
				}
				c, err = a.Unwire(r)
				apply(t, c, err)
				is := tree(t, w.Home)
				for path := range is {
					if is[path] != was[path] {
						t.Errorf("%s is %q, and was %q", path, is[path], was[path])
					}
				}
				if len(is) != len(was) {
					t.Errorf("%d files are %d", len(was), len(is))
				}
			}
		})
	}
}

// TestShared checks what setup writes into a repository with settings in it: nothing of
// this machine, no copies that git lists, and hooks that say nothing where learnings is
// not installed.
func TestShared(t *testing.T) {
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			w := world(t)
			w.Project = filepath.Join(w.Home, "shop")
			a, _ := Get(w, name)
			if !a.Wirable() {
				t.Skip("it reads no settings of a project")
			}
			repository := filepath.Join(w.Project, ".git", "HEAD")
			for path, text := range map[string]string{repository: "ref: refs/heads/main\n", filepath.Join(a.Folder, "settings.json"): "{}\n"} {
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			was := tree(t, w.Home)
			r, _ := Open(t.TempDir())
			c, err := a.Wire(r)
			apply(t, c, err)
			for path, text := range tree(t, w.Project) {
				if strings.Contains(text, w.Home) || strings.Contains(text, "/opt/my tools") {
					t.Errorf("%s names a folder of this machine: %s", path, text)
				}
				if strings.HasSuffix(path, exchange.BackupSuffix) && !strings.HasPrefix(path, filepath.Dir(repository)) {
					t.Errorf("git lists %s", path)
				}
			}
			for _, call := range a.Calls() {
				if call.Args != nil { // of a plugin, which takes a failure for no answer
					continue
				}
				cmd := exec.Command("/bin/sh", "-c", call.Command)
				cmd.Env, cmd.Stdin = []string{"PATH=" + t.TempDir()}, strings.NewReader("{}")
				if out, err := cmd.Output(); err != nil || len(out) > 0 {
					t.Errorf("without learnings %q prints %q, %v", call.Command, out, err)
				}
			}
			c, err = a.Unwire(r)
			apply(t, c, err)
			if is := tree(t, w.Home); !maps.Equal(is, was) {
				t.Errorf("it was %v, and is %v", was, is)
			}
		})
	}
}

// TestWithoutRecord checks that files are restored without a record too, as after a move
// to another machine.
func TestWithoutRecord(t *testing.T) {
	w := world(t)
	path := filepath.Join(w.Home, ".claude", "settings.json")
	const text = "{\n\t\"a\": 1, // one\n\t\"hooks\": {\n\t\t\"Stop\": [ {\"hooks\": []} ]\n\t}\n}\n"
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	a, _ := Get(w, "claude")
	r, _ := Open(t.TempDir())
	c, err := a.Wire(r)
	apply(t, c, err)
	r, _ = Open(t.TempDir())
	c, err = a.Unwire(r)
	apply(t, c, err)
	if got, err := os.ReadFile(path); err != nil || string(got) != text {
		t.Errorf("%q, %v", got, err)
	}
}

// TestChanged checks that edits between the plan and the write are kept.
func TestChanged(t *testing.T) {
	w := world(t)
	a, _ := Get(w, "gemini")
	r, _ := Open(t.TempDir())
	c, err := a.Wire(r)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(w.Home, ".gemini", "settings.json")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(`{"theme":"mine"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := c.Apply(t.Context()); !errors.Is(err, exchange.ErrChanged) {
		t.Errorf("got %v", err)
	}
	if got, _ := os.ReadFile(path); string(got) != `{"theme":"mine"}` {
		t.Errorf("it became %s", got)
	}
	c, err = a.Wire(r)
	apply(t, c, err)
	c, err = a.Unwire(r)
	apply(t, c, err)
	if got, _ := os.ReadFile(path); string(got) != `{"theme":"mine"}` {
		t.Errorf("it is %s in the end", got)
	}
}

// TestEvent checks which commands are recognised as ours.
func TestEvent(t *testing.T) {
	for _, c := range []struct {
		command string
		args    []string
		want    string
		ok      bool
	}{
		{"learnings", []string{"hook", "session-start"}, "session-start", true},
		{"learnings hook stop", nil, "stop", true},
		{"learnings-hook hook stop", nil, "stop", true},
		{"/home/sam/go/bin/learnings-hook stop --for codex", nil, "stop", true},
		{"'/home/sam/my tools/learnings-hook' stop --for codex", nil, "stop", true},
		{`/home/sam/my\ tools/learnings-hook stop`, nil, "stop", true},
		{`"C:\Program Files\learnings-hook.exe" user-prompt --for codex`, nil, "user-prompt", true},
		{`& 'C:\it''s\learnings-hook.exe' stop --for gemini`, nil, "stop", true},
		{"/my tools/learnings-hook", []string{"stop", "--for", "claude"}, "stop", true},
		{`C:\go\bin\learnings-hook.exe`, []string{"stop", "--for", "claude"}, "stop", true},
		{"LEARNINGS_DIR=/x learnings hook stop", nil, "stop", true},
		{"learnings-hook", nil, "", true},
		{"learnings show", nil, "", false},
		{"echo learnings hook stop", nil, "", false},
		{"my-learnings-hook stop", nil, "", false},
		{"", nil, "", false},
	} {
		if got, ok := Event(c.command, c.args); got != c.want || ok != c.ok {
			t.Errorf("%q %q: %q, %v", c.command, c.args, got, ok)
		}
	}
}

// TestQuoted checks that a quoted path is one word for its shell.
func TestQuoted(t *testing.T) {
	for _, path := range []string{"/usr/bin/learnings-hook", "/my tools/learnings-hook", "/it's/learnings-hook", "/a$b`c/learnings-hook"} {
		if got, _ := term.Words(posix.quoted(path) + " stop"); !slices.Equal(got, []string{path, "stop"}) {
			t.Errorf("%s: %q", path, got)
		}
	}
	if got := cmd.quoted(`C:\Program Files\x.exe`); got != `"C:\Program Files\x.exe"` {
		t.Error(got)
	}
	if got := powershell.quoted(`C:\it's\x.exe`); !strings.HasPrefix(got, "& '") {
		t.Error(got)
	}
}

func FuzzEvent(f *testing.F) {
	f.Add("'/a b/learnings-hook' stop --for codex")
	f.Add(`A=1 & "learnings" hook \`)
	f.Fuzz(func(t *testing.T, command string) {
		event, ok := Event(command, nil)
		if event != "" && !ok {
			t.Error("an event of a command that is not ours")
		}
	})
}

// TestGuard checks that agents ask before tool calls: Copilot CLI only on request, and
// still when setup runs again without it.
func TestGuard(t *testing.T) {
	for _, name := range []string{"claude", "codex", "gemini", "opencode", "copilot", "pi", "qwen", "cursor", "crush", "goose"} {
		w := world(t)
		r, _ := Open(t.TempDir())
		guards := func() bool {
			a, _ := Get(w, name)
			return slices.ContainsFunc(a.Files(), func(f File) bool { return f.State == Present && slices.Contains(f.Events, preTool) })
		}
		for _, w.Guard = range []bool{false, true, false} {
			a, _ := Get(w, name)
			was := guards()
			c, err := a.Wire(r)
			apply(t, c, err)
			if got := guards(); got != (w.Guard || was || name != "copilot") {
				t.Errorf("%s: asked for %v and was %v, is %v", name, w.Guard, was, got)
			}
		}
		w.Hook = "/elsewhere/learnings-hook"
		a, _ := Get(w, name)
		c, err := a.Wire(r)
		apply(t, c, err)
		if !guards() {
			t.Errorf("%s: the guard went with a move of the program", name)
		}
	}
}

// TestPlugin checks a plugin against Claude Code's documentation: names of files and
// keys, and a source within the marketplace.
func TestPlugin(t *testing.T) {
	w := world(t)
	dir := filepath.Join(w.Home, "plugin")
	r, _ := Open(t.TempDir())
	a := Plugin(w, dir)
	c, err := a.Wire(r)
	apply(t, c, err)
	read := func(path string, into any) {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(dir, path))
		if err == nil {
			d := json.NewDecoder(bytes.NewReader(text))
			d.DisallowUnknownFields()
			err = d.Decode(into)
		}
		if err != nil {
			t.Errorf("%s: %v", path, err)
		}
		if strings.Contains(string(text), w.Hook) || strings.Contains(string(text), w.Program) {
			t.Errorf("%s names a place of this machine", path)
		}
	}
	var plugin struct {
		Name, Description, Version, License string
		Author                              struct{ Name string }
	}
	read(".claude-plugin/plugin.json", &plugin)
	var market struct {
		Name, Description string
		Owner             struct{ Name string }
		Plugins           []struct{ Name, Source, Description string }
	}
	read(".claude-plugin/marketplace.json", &market)
	if plugin.Name != "learnings" || market.Name == "" || market.Owner.Name == "" || len(market.Plugins) != 1 || market.Plugins[0].Name != plugin.Name || !strings.HasPrefix(market.Plugins[0].Source, "./") {
		t.Errorf("%+v, %+v", plugin, market)
	}
	var hooks struct {
		Hooks map[string][]struct {
			Matcher string
			Hooks   []struct {
				Type, Command string
				Args          []string
				Timeout       int
			}
		}
	}
	read("hooks/hooks.json", &hooks)
	if len(hooks.Hooks) != 9 || len(hooks.Hooks["SessionStart"]) != 1 || hooks.Hooks["SessionStart"][0].Hooks[0].Command != "learnings-hook" {
		t.Errorf("%+v", hooks)
	}
	var servers struct {
		MCPServers map[string]struct {
			Command string
			Args    []string
		}
	}
	read(".mcp.json", &servers)
	skill, err := os.ReadFile(filepath.Join(dir, "skills", "learnings", "SKILL.md"))
	if err != nil || !bytes.HasPrefix(skill, []byte("---\nname: learnings\ndescription: ")) {
		t.Errorf("the skill: %v", err)
	}
	for _, f := range a.Files() {
		if f.State != Present {
			t.Errorf("%s is %s", f.Path, f.State)
		}
	}
	c, err = a.Unwire(r)
	apply(t, c, err)
	if folderExists(dir) {
		t.Error("the folder is left")
	}
}
