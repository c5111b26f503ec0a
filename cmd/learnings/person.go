package main

import (
	"errors"
	"fmt"
	"strings"

	"learnings/cmd/internal/term"
	"learnings/lessons"
)

// This file is the gate in front of every decision. The rules are:
//
//   - Agents may propose (extract, add --pending) and read; they never decide.
//     Where the environment shows that an agent is calling, a decision is
//     refused, and there is no flag or variable that overrides it.
//   - A script of a person may decide. What cannot be undone (forget) asks on a
//     terminal, and without one wants --yes.
//   - A hook never decides; it does not come through here at all.

// agents are variables that coding agents set for the commands they run. One
// that editors also set for the terminals of people (CURSOR_TRACE_ID) is left
// out.
var agents = []struct{ key, name string }{
	{"CLAUDECODE", "Claude Code"}, {"CLAUDE_CODE_CHILD_SESSION", "Claude Code"},
	{"CODEX_SANDBOX", "Codex"}, {"CODEX_THREAD_ID", "Codex"}, {"CURSOR_AGENT", "Cursor"},
	{"GEMINI_CLI", "Gemini CLI"}, {"OPENCODE", "OpenCode"}, {"CLINE_ACTIVE", "Cline"}, {"AI_AGENT", "an agent"},
}

// agent names the coding agent in whose session this process runs, or "".
func (e env) agent() string {
	for _, a := range agents {
		if v := e.getenv(a.key); v != "" && v != "0" && v != "false" {
			return a.name
		}
	}
	return ""
}

// decider gives the name of the person who decides, or says why this is not a
// person's decision. The deed is what is about to happen, as in "approve lessons".
func (a *app) decider(deed string) (string, error) {
	if err := a.noAgent(deed); err != nil {
		return "", err
	}
	return a.me()
}

// noAgent refuses a deed in the session of an agent.
func (e env) noAgent(deed string) error {
	name := e.agent()
	if name == "" {
		return nil
	}
	return term.Hint(fmt.Errorf("%w: %s runs this command, and an agent may propose lessons but not %s", errPerson, name, deed),
		"type it in a terminal of your own; a proposal can be left with `learnings add --pending`")
}

// me is the person's name for the record.
func (a *app) me() (string, error) {
	c, err := a.configuration()
	if err != nil {
		return "", err
	}
	name := c.Name.Value
	if name == "" {
		name = a.username()
	}
	name = strings.TrimSpace(lessons.Line(name))
	if name == "" {
		return "", term.Hint(errors.New("nobody is named who decides: the system knows no user name"),
			"put name = \"…\" into %s", c.Path)
	}
	return name, nil
}
