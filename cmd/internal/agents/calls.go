package agents

import (
	"bytes"
	"cmp"
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"learnings/cmd/internal/graft"
	"learnings/lessons/exchange"
)

// A Call is a hook of ours as it stands in a file of an agent.
type Call struct {
	File    string
	Event   string // our name, as it stands there
	Theirs  string // the agent's
	Command string
	Args    []string // nil: all is in Command, for a shell
	Exact   bool     // it stands there as setup writes it

	Group, Handler int // where it is among the agent's hooks for the event
	Timeout        int // in the agent's unit; 0 when none is said
	Matcher        string
}

// Line is the command and its arguments; one that is for a shell is taken apart as that
// does.
func (c Call) Line() []string {
	if c.Args != nil {
		return append([]string{c.Command}, c.Args...)
	}
	return words(c.Command)
}

// Calls are the hooks of ours in the files of an agent, those made by hand included. What
// cannot be read has none; see [Agent.Files].
func (a Agent) Calls() []Call {
	var out []Call
	for _, p := range a.parts {
		text, err := exchange.ReadFile(p.path)
		if err != nil || text == nil {
			continue
		}
		switch k := p.kind.(type) {
		case hooks:
			if f, err := graft.ParseJSON(text); err == nil {
				out = append(out, k.calls(p.path, f)...)
			}
		case whole:
			out = append(out, k.calls(p.path, text, a.Name)...)
		}
	}
	return out
}

// Plugins are the names of our plugins that the agent has switched on: they call us beside
// what stands in its files. Claude Code alone has one.
func (a Agent) Plugins() []string {
	text, err := exchange.ReadFile(filepath.Join(a.Folder, "settings.json"))
	if err != nil || a.Name != "claude" {
		return nil
	}
	f, err := graft.ParseJSON(text)
	if err != nil {
		return nil
	}
	var on map[string]bool
	_ = json.Unmarshal(f.Get("enabledPlugins"), &on) // of another shape there are none
	var out []string
	for name, is := range on {
		if is && strings.HasPrefix(name, "learnings@") {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// theirNames are those of Claude Code, by which programs of ours name events.
var theirNames = map[string]string{
	"session-start": "SessionStart", "user-prompt": "UserPromptSubmit", preTool: "PreToolUse", "tool-failure": "PostToolUseFailure",
	"pre-compact": "PreCompact", "stop": "Stop",
}

// calls are those that a program makes: with the path that stands in it, or, for a script
// that is nothing but a call, the script itself.
func (w whole) calls(path string, text []byte, agent string) (out []Call) {
	l, err := w.look(text)
	if err != nil || l.state != Present && l.state != Older {
		return nil
	}
	for _, event := range l.events {
		c := Call{File: path, Event: event, Theirs: theirNames[event], Exact: l.state == Present}
		program := programIn(text)
		switch {
		case base(program) == "learnings-hook":
			c.Command, c.Args = program, []string{event, "--for", agent}
		case w.mode&0o100 != 0 && c.Exact:
			c.Command, c.Args, c.Theirs = path, []string{}, strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
		default:
			continue // somebody has changed it
		}
		out = append(out, c)
	}
	return out
}

// programIn is the path that a program in JavaScript calls; "" for none.
func programIn(text []byte) (path string) {
	for line := range bytes.Lines(text) {
		if value, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("const program = ")); ok {
			_ = json.Unmarshal(bytes.TrimSuffix(value, []byte(";")), &path) // of what is no text it stays empty
			break
		}
	}
	return path
}

func (h hooks) calls(path string, f *graft.JSON) []Call {
	var out []Call
	found := h.find(f)
	for _, one := range found {
		c := Call{File: path, Event: one.ours, Theirs: one.theirs}
		c.Group, _ = strconv.Atoi(one.path[2])
		if len(one.path) > 4 {
			c.Handler, _ = strconv.Atoi(one.path[4])
		}
		c.read(f.Get(one.path[:3]...))
		c.Exact = slices.ContainsFunc(h.wanted(found), func(e event) bool {
			command, args := h.call(e.ours)
			return e.theirs == c.Theirs && e.ours == c.Event && c.Command == command && slices.Equal(c.Args, args)
		})
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b Call) int {
		return cmp.Or(cmp.Compare(a.Theirs, b.Theirs), cmp.Compare(a.Group, b.Group), cmp.Compare(a.Handler, b.Handler))
	})
	return out
}

// read takes the rest of a call from the group that it is in.
func (c *Call) read(group json.RawMessage) {
	type one struct {
		Command string
		Args    []string
		Bash    string
		Timeout int
	}
	var g struct {
		one
		Matcher string
		Hooks   []one
	}
	// One of another type is none: then it stays empty.
	_ = json.Unmarshal(group, &g)
	h := g.one
	if c.Handler < len(g.Hooks) {
		h = g.Hooks[c.Handler]
	}
	c.Command, c.Args, c.Timeout, c.Matcher = h.Command, h.Args, h.Timeout, g.Matcher
	if c.Command == "" {
		c.Command = h.Bash
	}
}
