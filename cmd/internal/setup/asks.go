package setup

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"

	"learnings/lessons/exchange"
)

// This file finds out from an agent's files whether it asks before tool calls, as guards
// require. It never writes.

// A switchOff is a setting that stops an agent from running hooks.
type switchOff struct {
	file string
	keys []string
	is   bool // the value that means off
}

// managed returns the folder of the administrator's settings for Claude Code.
func (w Machine) managed() string {
	switch {
	case w.Managed != "":
		return w.Managed
	case w.OS != runtime.GOOS: // Machine describes another system
		return ""
	}
	return map[string]string{"darwin": "/Library/Application Support/ClaudeCode", "windows": `C:\Program Files\ClaudeCode`, "linux": "/etc/claude-code"}[w.OS]
}

// Silenced returns the file and setting that stop an agent from running our hooks in a
// folder, or "".
func (a Agent) Silenced(dir string) (path, setting string, err error) {
	s := a.spec.off
	if s.file == "" {
		return "", "", nil
	}
	var files []string // the first file with a value counts
	if a.Name == "claude" {
		if path, setting, err = a.onlyManaged(); setting != "" || err != nil {
			return path, setting, err
		}
		files = append(a.policies(), filepath.Join(dir, ".claude", "settings.local.json"))
	}
	if dir != "" && a.spec.folder != "" {
		files = append(files, filepath.Join(dir, filepath.FromSlash(a.spec.folder), s.file))
	}
	for _, path := range append(files, filepath.Join(a.Folder, s.file)) {
		value, said, err := truth(path, s.keys)
		if err != nil {
			return "", "", err
		}
		if said && value == s.is {
			return path, fmt.Sprintf("%s = %v", s.keys[len(s.keys)-1], value), nil
		}
		if said {
			break
		}
	}
	return "", "", nil
}

// policies returns the administrator's files, strongest first.
func (a Agent) policies() []string {
	managed := a.machine.managed()
	if managed == "" {
		return nil
	}
	more, _ := filepath.Glob(filepath.Join(managed, "managed-settings.d", "*.json")) // the pattern is valid
	slices.Reverse(more)
	return append(more, filepath.Join(managed, "managed-settings.json"))
}

// onlyManaged finds a policy that only lets the administrator's hooks run.
func (a Agent) onlyManaged() (path, setting string, err error) {
	for _, path := range a.policies() {
		only, said, err := truth(path, []string{"allowManagedHooksOnly"})
		switch {
		case err != nil:
			return "", "", err
		case only:
			return path, "allowManagedHooksOnly = true", nil
		case said:
			return "", "", nil
		}
	}
	return "", "", nil
}

// truth reads a bool in a settings file; said reports whether it is there.
func truth(path string, keys []string) (value, said bool, err error) {
	text, err := exchange.ReadFile(path)
	if err != nil || text == nil {
		return false, false, err
	}
	raw, err := formOf(path).get(text, keys...)
	if err != nil {
		return false, false, fmt.Errorf("%s: %w", path, err)
	}
	said = raw != nil && json.Unmarshal(raw, &value) == nil
	return value, said, nil
}

// CanAsk reports whether setup can make the agent ask before tool calls.
func (a Agent) CanAsk() bool {
	return slices.ContainsFunc(a.parts, func(p part) bool {
		switch k := p.kind.(type) {
		case hooks:
			return slices.ContainsFunc(k.events, func(e event) bool { return e.ours == preTool })
		case whole:
			return slices.Contains(k.events, preTool)
		}
		return false
	})
}

// Asks returns why an agent does not ask us before tool calls in a folder, or "", and
// whether wiring it would change that.
func (a Agent) Asks(dir string) (why string, wire bool) {
	calls := a.Calls()
	if a.spec.folder != "" && a.machine.Project == "" {
		w := a.machine
		w.Project = dir
		calls = append(calls, a.spec.agent(w).Calls()...)
	}
	at := slices.IndexFunc(calls, func(c Call) bool { return c.Event == preTool })
	if at < 0 {
		if len(a.Plugins()) > 0 {
			return "", false // the plugin does, as far as we can see
		}
		return "its hook before a tool is not wired", true
	}
	if path, setting, err := a.Silenced(dir); err != nil {
		return err.Error(), false
	} else if path != "" {
		return fmt.Sprintf("it runs no hooks: %s says %s", path, setting), false
	}
	if line := calls[at].Line(); len(line) > 0 && filepath.IsAbs(line[0]) && !fileExists(line[0]) {
		return "its hook before a tool calls " + line[0] + ", which is not there", true
	}
	r, err := a.Review(a.Calls())
	if err != nil {
		return err.Error(), false
	}
	if slices.Contains(slices.Concat(r.Unseen, r.Changed, r.SwitchOff), calls[at].Theirs) {
		return "you have not told it that you trust its hook before a tool", false
	}
	return "", false
}
