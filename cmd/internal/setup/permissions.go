package setup

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"learnings/lessons/exchange"
)

// This file is about what an agent may do without asking the person: look up lessons and
// propose. None of it decides on a lesson.

// A Permission says whether setup permits that.
type Permission int

// The permissions.
const (
	Granted  Permission = iota // if the agent has a list of what it may do
	Withheld                   // setup removes what it permitted before
	AsItIs                     // unchanged
)

// Tools are the tools of our MCP server. Each reads, proposes or reports.
var Tools = []string{"search", "get", "timeline", "recurring", "propose", "feedback"}

// lookups are the verbs that an agent may run in a shell. They only read.
var lookups = []string{"search", "show", "inject"}

// commands formats each of these verbs; % stands for the verb.
func commands(form string) (out []string) {
	for _, verb := range lookups {
		out = append(out, strings.ReplaceAll(form, "%", "learnings "+verb))
	}
	return out
}

// claudeTools returns the names of our server's tools in Claude Code and Qwen Code. In a
// plugin the server has a different name.
func claudeTools(server string) (out []string) {
	for _, tool := range Tools {
		out = append(out, "mcp__"+server+"__"+tool)
	}
	return out
}

// asksAnyway is the note for an agent that setup cannot permit anything: no list of its
// settings is known to be safe to extend. Cursor's, for one, would replace the person's.
func asksAnyway(title string) string {
	return title + " asks you each time before it looks lessons up or proposes: setup knows no list in its settings that permits it."
}

// codexRules returns a file of rules for commands in Codex.
func codexRules() string {
	return "# Taken out by `" + mark + "`.\nprefix_rule(pattern = [\"learnings\", [\"" + strings.Join(lookups, `", "`) + "\"]], decision = \"allow\")\n"
}

// geminiPolicy returns a file of rules for tools in Gemini CLI.
func geminiPolicy() string {
	return "# Taken out by `" + mark + "`.\n[[rule]]\ntoolName = \"run_shell_command\"\ncommandPrefix = [\"" + strings.Join(commands("%"), `", "`) + "\"]\ndecision = \"allow\"\npriority = 100\n"
}

// Permitting returns the agent with another permission.
func (a Agent) Permitting(p Permission) Agent {
	w := a.machine
	if w.Permit = p; a.plugin != "" {
		return Plugin(w, a.plugin)
	}
	return a.spec.agent(w)
}

// either returns a part that permits something, or one in its place that does not.
func (w wiring) either(permits, asks part) part {
	granted := w.Permit == Granted
	if w.Permit == AsItIs {
		text, _ := exchange.ReadFile(permits.path) // an unreadable file permits nothing
		s, _ := permits.look(text)
		granted = s == Present
	}
	if granted {
		return permits
	}
	return asks
}

// A withheld part is never added. If it is not there its state is "".
type withheld struct{ kind }

func (w withheld) look(text []byte) (State, error) {
	if s, err := w.kind.look(text); err != nil || s == Present || s == Older {
		return Older, err
	}
	return "", nil
}

func (w withheld) put(text []byte) ([]byte, error) { return text, nil }

// permission returns a part that only permits something. With AsItIs it is reduced to
// what the file has.
func (w wiring) permission(path string, k kind) part {
	p := part{path, "permissions", k}
	grants := w.Permit == Granted
	if w.Permit == AsItIs {
		text, _ := exchange.ReadFile(path)
		s, _ := k.look(text)
		grants = s == Present || s == Older
		if a, ok := k.(allowed); ok {
			a.values, _ = a.there(text)
			p.kind = a
		}
	}
	if !grants {
		p.kind = withheld{k}
	}
	return p
}

// allowed are our names in the list of what an agent may do: elements of an array or, for
// OpenCode, members of an object. Without that object OpenCode asks for nothing; where it
// has a single answer for everything it has no place for ours.
type allowed struct {
	path    []string
	values  []string
	members bool
	theirs  []string // values that a person wrote there
}

// allow is the value of a member.
const allow = "allow"

// there returns our values in a text, and their state.
func (a allowed) there(text []byte) (found []string, s State) {
	f, err := parseJSON(text)
	if err != nil {
		return nil, Foreign
	}
	raw := f.get(a.path...)
	var list []any
	var members, parent map[string]any
	switch {
	case a.members && (json.Unmarshal(raw, &members) != nil || members == nil):
		return nil, ""
	case a.members:
	case raw == nil && f.get(a.path[0]) != nil && json.Unmarshal(f.get(a.path[0]), &parent) != nil:
		return nil, Foreign
	case raw != nil && (json.Unmarshal(raw, &list) != nil || list == nil):
		return nil, Foreign
	}
	for _, v := range a.values {
		if _, ok := members[v]; ok || slices.Contains(list, any(v)) {
			found = append(found, v)
		}
	}
	switch len(found) {
	case 0:
		return found, Absent
	case len(a.values):
		return found, Present
	}
	return found, Older
}

func (a allowed) look(text []byte) (State, error) {
	_, err := parseJSON(text)
	_, s := a.there(text)
	return s, err
}

func (a allowed) put(text []byte) ([]byte, error) {
	found, s := a.there(text)
	if s == "" {
		return text, nil
	}
	var missing []any
	for _, v := range a.values {
		if !slices.Contains(found, v) {
			missing = append(missing, v)
		}
	}
	if !a.members {
		return addJSON(text, missing, a.path...)
	}
	var err error
	for _, v := range missing {
		if err == nil {
			text, err = putJSON(text, allow, append(slices.Clone(a.path), v.(string))...)
		}
	}
	return text, err
}

func (a allowed) take(text []byte) ([]byte, error) {
	found, _ := a.there(text)
	for _, v := range slices.Backward(found) {
		f, err := parseJSON(text)
		if err != nil {
			return nil, err
		}
		at := append(slices.Clone(a.path), v)
		if !a.members {
			var list []any
			_ = json.Unmarshal(f.get(a.path...), &list) // it was parsed as an array before
			at[len(at)-1] = strconv.Itoa(slices.Index(list, any(v)))
		} else if string(f.get(at...)) != quote(allow) {
			continue
		}
		if !slices.Contains(a.theirs, v) {
			text = f.remove(at...)
		}
	}
	return text, nil
}

// except returns a part without what a text had before setup wrote it: that is not ours.
func except(k kind, was []byte) kind {
	switch k := k.(type) {
	case withheld:
		k.kind = except(k.kind, was)
		return k
	case allowed:
		k.theirs, _ = k.there(was)
		return k
	}
	return k
}
