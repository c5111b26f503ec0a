package setup

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"learnings/cmd/internal/term"
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

	at    []string        // the path in the file of the handler, or of its group when it has no other
	entry json.RawMessage // the group, when it has no other handler
}

// Line is the command and its arguments; one that is for a shell is taken apart as that
// does.
func (c Call) Line() []string {
	if c.Args != nil {
		return append([]string{c.Command}, c.Args...)
	}
	words, _ := term.Words(c.Command)
	return words
}

// handmade reports a call that somebody wrote by hand: setup says which agent it is for.
func (c Call) handmade() bool { return !slices.Contains(c.Line(), "--for") }

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
			if f, err := parseJSON(text); err == nil {
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
	f, err := parseJSON(text)
	if err != nil {
		return nil
	}
	var on map[string]bool
	_ = json.Unmarshal(f.get("enabledPlugins"), &on) // of another shape there are none
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
	s, _ := w.look(text)
	if s != Present && s != Older {
		return nil
	}
	for _, event := range w.events {
		c := Call{File: path, Event: event, Theirs: theirNames[event], Exact: s == Present}
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

// find gives the handlers in a file that call us. What has another shape is not ours.
func (h hooks) find(f *jsonFile) []Call {
	var events map[string]json.RawMessage
	_ = json.Unmarshal(f.get("hooks"), &events)
	var out []Call
	for _, theirs := range slices.Sorted(maps.Keys(events)) {
		var groups []json.RawMessage
		_ = json.Unmarshal(events[theirs], &groups)
		for i, raw := range groups {
			var g struct {
				Matcher string
				Hooks   []json.RawMessage
			}
			_ = json.Unmarshal(raw, &g)
			if h.flat && g.Hooks == nil {
				g.Hooks = []json.RawMessage{raw}
			}
			for k, one := range g.Hooks {
				var said struct {
					Command, Bash string
					Args          []string
					Timeout       int
				}
				_ = json.Unmarshal(one, &said)
				c := Call{Theirs: theirs, Command: cmp.Or(said.Command, said.Bash), Args: said.Args, Group: i, Handler: k, Timeout: said.Timeout, Matcher: g.Matcher}
				var ours bool
				if c.Event, ours = Event(c.Command, c.Args); !ours {
					continue
				}
				if c.at = []string{"hooks", theirs, strconv.Itoa(i)}; len(g.Hooks) == 1 {
					c.entry = raw
				} else {
					c.at = append(c.at, "hooks", strconv.Itoa(k))
				}
				out = append(out, c)
			}
		}
	}
	return out
}

// calls are those in a file, and whether they stand there as setup writes them.
func (h hooks) calls(path string, f *jsonFile) []Call {
	found := h.find(f)
	wanted := h.wanted(found)
	for i := range found {
		c := &found[i]
		c.File = path
		c.Exact = slices.ContainsFunc(wanted, func(e event) bool {
			command, args := h.call(e.ours)
			return e.theirs == c.Theirs && e.ours == c.Event && c.Command == command && slices.Equal(c.Args, args)
		})
	}
	return found
}
