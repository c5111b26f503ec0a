package setup

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"learnings/lessons/exchange"
)

// This file is about what an agent may do without asking its person: look lessons up and
// propose. Nothing that is permitted here decides on a lesson.

// A Permission says whether setup permits that.
type Permission int

// The permissions.
const (
	Granted  Permission = iota // where an agent has a list of what it may do
	Withheld                   // it asks: what setup permitted before is taken out
	AsItIs                     // as its files have it
)

// Tools are those of our MCP server. Each reads, proposes or remarks.
var Tools = []string{"search", "get", "timeline", "recurring", "propose", "feedback"}

// lookups are the verbs that an agent may run in a shell. They only read.
var lookups = []string{"search", "show", "inject"}

// commands writes each of these verbs in an agent's form, with % in its place.
func commands(form string) (out []string) {
	for _, verb := range lookups {
		out = append(out, strings.ReplaceAll(form, "%", "learnings "+verb))
	}
	return out
}

// claudeTools are the names by which Claude Code, and Qwen Code after it, know the tools of
// our server, which has a name of its own in a plugin.
func claudeTools(server string) (out []string) {
	for _, tool := range Tools {
		out = append(out, "mcp__"+server+"__"+tool)
	}
	return out
}

// asksAnyway is said of an agent for which setup permits nothing, as no list of its
// settings is known to be read for that: such a list of Cursor would replace the person's.
func asksAnyway(title string) string {
	return title + " asks you each time before it looks lessons up or proposes: setup knows no list in its settings that permits it."
}

// codexRules is a file of rules for commands in Codex.
func codexRules() string {
	return "# Taken out by `" + mark + "`.\nprefix_rule(pattern = [\"learnings\", [\"" + strings.Join(lookups, `", "`) + "\"]], decision = \"allow\")\n"
}

// Permitting is the same agent with another permission.
func (a Agent) Permitting(p Permission) Agent {
	w := a.machine
	if w.Permit = p; a.plugin != "" {
		return Plugin(w, a.plugin)
	}
	return a.spec.agent(w)
}

// either is a part that permits something in one form and not in the other.
func (w wiring) either(path, what string, permits, asks kind) part {
	granted := w.Permit == Granted
	if w.Permit == AsItIs {
		text, _ := exchange.ReadFile(path) // what cannot be read permits nothing
		s, _ := permits.look(text)
		granted = s == Present
	}
	if granted {
		return part{path, what, permits}
	}
	return part{path, what, asks}
}

// A withheld part is not put there. Where it is not there either, its state is "".
type withheld struct{ kind }

func (w withheld) look(text []byte) (State, error) {
	if s, err := w.kind.look(text); err != nil || s == Present || s == Older {
		return Older, err
	}
	return "", nil
}

func (w withheld) put(text []byte) ([]byte, error) { return text, nil }

// permission is a part that only permits something. As it is, it is so much of it as the
// file has.
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

// allowed are names of ours in what an agent may do: elements of an array, or, for
// OpenCode, members of an object. OpenCode asks for nothing where it has no such object,
// and has no place for ours where one answer stands for all.
type allowed struct {
	path    []string
	values  []string
	members bool
	theirs  []string // of the values: those that somebody else wrote there
}

// allow is the value of a member.
const allow = "allow"

// there gives our values that a text has, and what the text holds of ours.
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
	f, err := parseJSON(text)
	if err != nil {
		return nil, err
	}
	found, s := a.there(text)
	if s == "" {
		return text, nil
	}
	var missing []any
	for _, v := range a.values {
		switch {
		case slices.Contains(found, v):
		case !a.members:
			missing = append(missing, v)
		default:
			if text, err = f.set(allow, append(slices.Clone(a.path), v)...); err == nil {
				f, err = parseJSON(text)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	return f.add(missing, a.path...)
}

func (a allowed) take(text []byte) ([]byte, error) {
	f, err := parseJSON(text)
	if err != nil {
		return nil, err
	}
	found, _ := a.there(text)
	for _, v := range slices.Backward(found) {
		at := append(slices.Clone(a.path), v)
		if !a.members {
			var list []any
			_ = json.Unmarshal(f.get(a.path...), &list) // it was an array just now
			at[len(at)-1] = strconv.Itoa(slices.Index(list, any(v)))
		} else if string(f.get(at...)) != quote(allow) {
			continue
		}
		if slices.Contains(a.theirs, v) {
			continue
		}
		text = f.remove(at...)
		if f, err = parseJSON(text); err != nil {
			return nil, err
		}
	}
	return text, nil
}

// except is a part less what stood in a text before setup wrote to it: that is not ours.
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
