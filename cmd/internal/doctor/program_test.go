package doctor

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"learnings/extractor/model/llm"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// healthy returns a program without problems.
func healthy(t *testing.T) Program {
	t.Helper()
	return Program{
		Version: "learnings 1", Small: "/bin/learnings-hook", Config: filepath.Join(t.TempDir(), "config.toml"), State: t.TempDir(), Learn: true, Given: 5,
		LookPath: func(string) (string, error) { return "", os.ErrNotExist }, Now: noon, Short: func(s string) string { return s },
	}
}

// TestProgram checks the report of each problem of a program.
func TestProgram(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*Program)
		check  string
		state  State
		text   string
	}{
		"nothing":       {func(*Program) {}, "worker", OK, "nothing waits"},
		"no small one":  {func(p *Program) { p.Small = "" }, "hooks", Note, "learnings-hook, which answers them, is neither beside learnings nor in the PATH"},
		"two errors":    {func(p *Program) { p.Invalid = errors.Join(errors.New("a"), errors.New("b")) }, "settings", Wrong, "a"},
		"not learning":  {func(p *Program) { p.Learn = false }, "listening", Note, "learning.enabled is false: sessions are not noted as they end"},
		"not giving":    {func(p *Program) { p.Given = 0 }, "listening", Note, "learning.max_inject is 0: no session is given a lesson"},
		"broken pauses": {func(p *Program) { write(t, p.State, "pauses.json", "{") }, "listening", Wrong, ""},
		"set aside":     {func(p *Program) { write(t, p.State, "spool-failed.jsonl", `{"event":"stop"}`+"\n") }, "worker", Note, "1 notice over which workers ended were put aside"},
		"a crash":       {func(p *Program) { write(t, p.State, "worker.err", "panic") }, "worker", Note, ""},
		"no such model": {func(p *Program) { p.NoModel = errors.New("which?") }, "model", Wrong, "which?"},
		"all spent": {func(p *Program) {
			p.Model, p.Ceiling = &llm.Config{Model: llm.Model{Provider: llm.Ollama, Name: "m"}}, 1
			write(t, p.State, "spend.jsonl", `{"at":"2026-10-31T00:00:00Z","usd":9}`+"\n"+`{"at":"2026-11-01T00:00:00Z","usd":1.5}`+"\n")
		}, "model", Note, "ollama:m is set up; $1.50 of $1.00 spent this month"},
	} {
		t.Run(name, func(t *testing.T) {
			p := healthy(t)
			test.change(&p)
			found := Examine(t.Context(), time.Minute, p.Questions())
			for _, c := range found {
				if c.Name == test.check && c.State == test.state && (test.text == "" || c.Text == test.text) && (c.State == OK) == (c.Hint == "") {
					return
				}
			}
			t.Errorf("no %s %s %q in %+v", test.check, test.state, test.text, found)
		})
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
