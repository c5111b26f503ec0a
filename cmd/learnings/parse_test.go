package main

import (
	"strings"
	"testing"

	"learnings/cmd/internal/hook"
	"learnings/index/curate"
)

func TestHookCall(t *testing.T) {
	for args, want := range map[string]string{
		"hook session-start":            "session-start",
		"--dir /x hook session-start":   "session-start",
		"hook --dir=/x stop extra -q":   "stop",
		"hook":                          "",
		"hook session-start --help":     "",
		"search hook session-start":     "",
		"--sample hook user-prompt -vv": "user-prompt",
	} {
		c, ok := hook.Parse(strings.Fields(args))
		if ok != (want != "") || ok && c.Event != want {
			t.Errorf("%s: got %+v, %v", args, c, ok)
		}
	}
}

func TestAgent(t *testing.T) {
	for key, want := range map[string]string{"CLAUDECODE": "Claude Code", "CODEX_SANDBOX": "Codex", "CURSOR_TRACE_ID": "", "CURSOR_AGENT": "Cursor"} {
		e := env{getenv: func(k string) string {
			if k == key {
				return "1"
			}
			return ""
		}}
		if got := e.agent(); got != want {
			t.Errorf("%s: got %q", key, got)
		}
	}
	// An agent is recognised even if it empties or unsets its variable.
	for _, e := range []env{
		{getenv: func(string) string { return "" }, lookup: func(k string) (string, bool) { return "", k == "CLAUDECODE" }},
		{getenv: func(string) string { return "" }, above: chain("bash", "node cli claude-code", "zsh")},
	} {
		if got := e.agent(); got != "Claude Code" {
			t.Errorf("got %q", got)
		}
	}
	person := env{getenv: func(string) string { return "" }, above: chain("zsh", "tmux: server", "code")}
	if got := person.agent(); got != "" {
		t.Errorf("a person in an editor's terminal is %q", got)
	}
}

// chain is the programs above one, each with all its names.
func chain(programs ...string) func() ([]curate.Program, bool) {
	return func() (out []curate.Program, whole bool) {
		for _, names := range programs {
			out = append(out, curate.Program{Names: strings.Fields(names)})
		}
		return out, true
	}
}
