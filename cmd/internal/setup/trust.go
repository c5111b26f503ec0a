package setup

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"unicode"

	"learnings/lessons/exchange"
)

// This file finds out whether agents run the hooks in their files. Agents ask the person,
// and only the person answers: it never writes.

// A Review is the person's answers to an agent that asks about each hook.
type Review struct {
	Asks      bool
	Trusted   int
	Unseen    []string // the agent's names of events with unanswered hooks, which do not run
	Changed   []string // hooks changed since they were trusted
	SwitchOff []string // hooks that the person switched off
}

// Review reads the answers about hooks. Only Codex asks about each.
func (a Agent) Review(calls []Call) (r Review, err error) {
	if a.Name != "codex" || len(calls) == 0 {
		return r, nil
	}
	r.Asks = true
	path := filepath.Join(a.Folder, "config.toml")
	text, err := exchange.ReadFile(path)
	if err != nil {
		return r, err
	}
	raw, err := getTOML(text, "hooks", "state")
	if err != nil {
		return r, fmt.Errorf("%s: %w", path, err)
	}
	var state map[string]any
	_ = json.Unmarshal(raw, &state) // of another form, it is no answer
	for _, c := range calls {
		answer, _ := state[c.key()].(map[string]any)
		if len(answer) == 0 {
			if real, err := filepath.EvalSymlinks(c.File); err == nil {
				c.File = real
				answer, _ = state[c.key()].(map[string]any)
			}
		}
		hash, _ := answer["trusted_hash"].(string)
		on, said := answer["enabled"].(bool)
		switch {
		case said && !on:
			r.SwitchOff = append(r.SwitchOff, c.Theirs)
		case hash == "":
			r.Unseen = append(r.Unseen, c.Theirs)
		case hash != c.hash():
			r.Changed = append(r.Changed, c.Theirs)
		default:
			r.Trusted++
		}
	}
	return r, nil
}

// key returns Codex's key of a hook: its file, event and place.
func (c Call) key() string {
	return fmt.Sprintf("%s:%s:%d:%d", c.File, snake(c.Theirs), c.Group, c.Handler)
}

// hash returns Codex's hash of a hook, which ignores formatting.
func (c Call) hash() string {
	const usual = 600 // seconds; the default timeout
	h := map[string]any{"type": "command", "command": c.Command, "timeout": c.Timeout, "async": false}
	if c.Timeout == 0 {
		h["timeout"] = usual
	}
	about := map[string]any{"event_name": snake(c.Theirs), "hooks": []any{h}}
	switch snake(c.Theirs) {
	case "session_start", "pre_tool_use", "post_tool_use", "permission_request", "pre_compact", "post_compact": // it ignores the matcher of other events
		if c.Matcher != "" {
			about["matcher"] = c.Matcher
		}
	}
	sum := sha256.Sum256([]byte(exchange.Quoted(about)))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// snake converts SessionStart to session_start.
func snake(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// TrustsFolder reports whether the person trusts a folder or one above it. asks is false
// for agents that run hooks in any folder: all but Claude Code.
func (a Agent) TrustsFolder(dir string) (trusted, asks bool, err error) {
	if a.Name != "claude" {
		return false, false, nil
	}
	for _, p := range a.parts {
		if _, ok := p.kind.(entry); !ok { // the file of its servers also has the answers
			continue
		}
		text, err := exchange.ReadFile(p.path)
		if err != nil || text == nil {
			return false, true, err
		}
		var f struct {
			Projects map[string]struct {
				Trusted bool `json:"hasTrustDialogAccepted"`
			} `json:"projects"`
		}
		if err := json.Unmarshal(text, &f); err != nil {
			return false, true, fmt.Errorf("%s: %w", p.path, err)
		}
		for ; ; dir = filepath.Dir(dir) {
			if f.Projects[dir].Trusted {
				return true, true, nil
			}
			if dir == filepath.Dir(dir) {
				return false, true, nil
			}
		}
	}
	return false, false, nil
}
