package setup

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"unicode"

	"learnings/lessons/exchange"
)

// This file reads whether agents run what stands in their files. They ask their person
// first, and nobody else answers: nothing here is ever written.

// A Review is what the person has answered an agent that asks about each hook.
type Review struct {
	Asks      bool
	Trusted   int
	Unseen    []string // agent's names of the events whose hooks wait for an answer, and are not run
	Changed   []string // of those that were trusted as they were before
	SwitchOff []string // of those that the person has switched off
}

// Review reads what was answered about hooks. Codex alone asks about each.
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
	state, err := getTOML(text, "hooks", "state")
	if err != nil {
		return r, fmt.Errorf("%s: %w", path, err)
	}
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

// key is how Codex calls a hook: by its file, event and place.
func (c Call) key() string {
	return fmt.Sprintf("%s:%s:%d:%d", c.File, snake(c.Theirs), c.Group, c.Handler)
}

// hash is that of what Codex trusts: the hook, and not how it is written.
func (c Call) hash() string {
	const usual = 600 // seconds, where no time is said
	h := map[string]any{"type": "command", "command": c.Command, "timeout": c.Timeout, "async": false}
	if c.Timeout == 0 {
		h["timeout"] = usual
	}
	about := map[string]any{"event_name": snake(c.Theirs), "hooks": []any{h}}
	switch snake(c.Theirs) {
	case "session_start", "pre_tool_use", "post_tool_use", "permission_request", "pre_compact", "post_compact": // of others it ignores the matcher
		if c.Matcher != "" {
			about["matcher"] = c.Matcher
		}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(about) // of texts and numbers: it cannot fail
	sum := sha256.Sum256(bytes.TrimSpace(b.Bytes()))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// snake writes SessionStart as session_start.
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

// TrustsFolder reports whether the person has told an agent that they trust a folder or
// one above it. It asks only where the agent runs no hooks before that: Claude Code.
func (a Agent) TrustsFolder(dir string) (trusted, asks bool, err error) {
	if a.Name != "claude" {
		return false, false, nil
	}
	for _, p := range a.parts {
		if _, ok := p.kind.(entry); !ok { // the file of its servers, which has the answers too
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
