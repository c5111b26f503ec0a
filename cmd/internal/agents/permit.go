package agents

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"learnings/cmd/internal/graft"
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
func (a Agent) Permitting(p Permission) Agent { return a.as(p) }

// permitted is a part that a person may do without. Where it is not wanted and not there,
// its state is "".
type permitted struct {
	kind
	permit Permission
}

// permission is a part that permits something.
func (w wiring) permission(path string, k kind) part {
	return part{path, "permissions", permitted{k, w.Permit}}
}

func (p permitted) look(text []byte) (look, error) {
	l, err := p.kind.look(text)
	there := l.state == Present || l.state == Older
	switch {
	case err != nil:
	case p.permit == Withheld && there:
		l.state = Older
	case p.permit == Withheld, p.permit == AsItIs && !there:
		l.state = ""
	case p.permit == AsItIs:
		l.state = Present // what the person has left of it
	}
	return l, err
}

func (p permitted) put(text []byte) ([]byte, error) {
	if p.permit == Withheld {
		return text, nil
	}
	return p.kind.put(text)
}

// except is the part less what stood in a text before setup wrote to it: that is not ours.
func (p permitted) except(was []byte) kind {
	switch k := p.kind.(type) {
	case allowed:
		k.theirs, _ = k.there(was)
		p.kind = k
	case answers:
		if f, err := graft.ParseJSON(was); err == nil {
			k.theirs = slices.DeleteFunc(slices.Clone(k.paths), func(path []string) bool { return f.Get(path...) == nil })
		}
		p.kind = k
	}
	return p
}

// settled is what is put into a text: it guards and permits as that does now, where
// nobody has said what is wanted.
func settled(k kind, now []byte) kind {
	switch k := k.(type) {
	case hooks:
		l, _ := k.look(now)
		k.guard = k.guard || slices.Contains(l.events, preTool)
		return k
	case whole:
		if k.asks != "" && !bytes.Contains(now, []byte(allowedTools)) {
			k.text = k.asks
		}
		return k
	case entry:
		if f, err := graft.ParseJSON(now); err == nil && k.asks != nil && !reflect.DeepEqual(plain(f.Get(k.keys...)), plain(k.value)) {
			k.value = k.asks
		}
		return k
	case tomlEntry:
		if t, err := graft.GetTOML(now, k.keys...); err == nil && k.asks != nil && t["default_tools_approval_mode"] == nil {
			k.value = *k.asks
		}
		return k
	case permitted:
		return k.settled(now)
	}
	return k
}

// settled is the part with so much of it as a text has, where nobody has said what is wanted.
func (p permitted) settled(now []byte) kind {
	if l, _ := p.look(now); p.permit != AsItIs || l.state == "" {
		if p.permit == AsItIs {
			p.permit = Withheld
		}
		return p
	}
	switch k := p.kind.(type) {
	case allowed:
		k.values, _ = k.there(now)
		p.kind = k
	case answers:
		if f, err := graft.ParseJSON(now); err == nil {
			k.paths = slices.DeleteFunc(slices.Clone(k.paths), func(path []string) bool { return f.Get(path...) == nil })
		}
		p.kind = k
	}
	return p
}

// allowed are texts of ours in a list of what an agent may do.
type allowed struct {
	path   []string
	values []string
	theirs []string // of the values: those that somebody else wrote there
}

// there gives our values that a text has, and whether more of them can be added.
func (a allowed) there(text []byte) (found []string, ok bool) {
	f, err := graft.ParseJSON(text)
	if err != nil {
		return nil, false
	}
	raw := f.Get(a.path...)
	if raw == nil {
		return nil, f.Get(a.path[0]) == nil || bytes.HasPrefix(bytes.TrimSpace(f.Get(a.path[0])), []byte("{"))
	}
	var list []any
	if json.Unmarshal(raw, &list) != nil || list == nil {
		return nil, false
	}
	for _, v := range a.values {
		if slices.Contains(list, any(v)) {
			found = append(found, v)
		}
	}
	return found, true
}

func (a allowed) look(text []byte) (look, error) {
	if _, err := graft.ParseJSON(text); err != nil {
		return look{}, err
	}
	switch found, ok := a.there(text); {
	case !ok:
		return look{state: Foreign}, nil
	case len(found) == 0:
		return look{state: Absent}, nil
	case len(found) < len(a.values):
		return look{state: Older}, nil
	}
	return look{state: Present}, nil
}

func (a allowed) put(text []byte) ([]byte, error) {
	f, err := graft.ParseJSON(text)
	if err != nil {
		return nil, err
	}
	found, _ := a.there(text)
	for _, v := range a.values {
		if slices.Contains(found, v) {
			continue
		}
		if err := f.Append(v, a.path...); err != nil {
			return nil, err
		}
	}
	return f.Bytes(), nil
}

func (a allowed) take(text []byte, _ bool) ([]byte, error) {
	f, err := graft.ParseJSON(text)
	if err != nil {
		return nil, err
	}
	var list []any
	_ = json.Unmarshal(f.Get(a.path...), &list) // of another shape nothing is ours
	taken := false
	for i := len(list) - 1; i >= 0; i-- {
		if v, ok := list[i].(string); ok && slices.Contains(a.values, v) && !slices.Contains(a.theirs, v) {
			taken = f.Remove(append(slices.Clone(a.path), strconv.Itoa(i))...) || taken
		}
	}
	if !taken {
		return text, nil
	}
	return f.Bytes(), nil
}

// answers are ours among those that OpenCode has for calls of tools, of which the last
// one that fits counts. Without a list of them it asks for nothing, and with one answer
// for all it has no place for ours.
type answers struct {
	paths  [][]string
	theirs [][]string // of the paths: where somebody else wrote an answer
}

// open gives the paths that have a place in a text, and what stands at each.
func (a answers) open(f *graft.JSON) (paths [][]string, there []string) {
	for _, path := range a.paths {
		if in := bytes.TrimSpace(f.Get(path[:len(path)-1]...)); bytes.HasPrefix(in, []byte("{")) {
			paths, there = append(paths, path), append(there, string(f.Get(path...)))
		}
	}
	return paths, there
}

func (a answers) look(text []byte) (look, error) {
	f, err := graft.ParseJSON(text)
	if err != nil {
		return look{}, err
	}
	_, there := a.open(f)
	none := len(there) - len(slices.DeleteFunc(slices.Clone(there), func(s string) bool { return s == "" }))
	switch {
	case len(there) == 0:
		return look{}, nil
	case none == len(there):
		return look{state: Absent}, nil
	case none > 0:
		return look{state: Older}, nil
	}
	return look{state: Present}, nil
}

func (a answers) put(text []byte) ([]byte, error) {
	f, err := graft.ParseJSON(text)
	if err != nil {
		return nil, err
	}
	paths, there := a.open(f)
	for i, path := range paths {
		if there[i] != "" {
			continue
		}
		if err := f.Set("allow", path...); err != nil {
			return nil, err
		}
	}
	return f.Bytes(), nil
}

func (a answers) take(text []byte, _ bool) ([]byte, error) {
	f, err := graft.ParseJSON(text)
	if err != nil {
		return nil, err
	}
	paths, there := a.open(f)
	taken := false
	for i, path := range paths {
		if there[i] == `"allow"` && !slices.ContainsFunc(a.theirs, func(p []string) bool { return slices.Equal(p, path) }) {
			taken = f.Remove(path...) || taken
		}
	}
	if !taken {
		return text, nil
	}
	return f.Bytes(), nil
}
