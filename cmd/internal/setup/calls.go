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

// A Call is a hook of ours in an agent's file.
type Call struct {
	File    string
	Event   string // our name, as written there
	Theirs  string // the agent's name
	Command string
	Args    []string // nil if Command holds everything, for a shell
	Exact   bool     // written as setup writes it

	Group, Handler int // its place among the agent's hooks for the event
	Timeout        int // in the agent's unit; 0 if not set
	Matcher        string

	at    []string        // the path of the handler in the file, or of its group if it is the only one
	entry json.RawMessage // the group, if it has no other handler
}

// Line returns the command and its arguments. It splits a shell command as a shell does.
func (c Call) Line() []string {
	if c.Args != nil {
		return append([]string{c.Command}, c.Args...)
	}
	words, _ := term.Words(c.Command)
	return words
}

// handmade reports whether a person wrote the call: setup always passes --for.
func (c Call) handmade() bool { return !slices.Contains(c.Line(), "--for") }

// Calls returns our hooks in an agent's files, hand-written ones included. It skips
// unreadable files; see [Agent.Files].
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

// Plugins returns our plugins that the agent has enabled, which call us in addition to
// the hooks in its files. Only Claude Code has one.
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
	_ = json.Unmarshal(f.get("enabledPlugins"), &on) // an error leaves it empty
	var out []string
	for name, is := range on {
		if is && strings.HasPrefix(name, "learnings@") {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// calls returns the calls that a program makes, with the path in it or, for a script that
// only calls us, the script's own path.
func (w whole) calls(path string, text []byte, agent string) (out []Call) {
	s, _ := w.look(text)
	if s != Present && s != Older {
		return nil
	}
	for _, event := range w.events {
		c := Call{File: path, Event: event, Theirs: claudeNames[event], Exact: s == Present}
		program := programIn(text)
		switch {
		case base(program) == "learnings-hook":
			c.Command, c.Args = program, []string{event, "--for", agent}
		case w.mode&0o100 != 0 && c.Exact:
			c.Command, c.Args, c.Theirs = path, []string{}, strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
		default:
			continue // a person changed it
		}
		out = append(out, c)
	}
	return out
}

// programIn returns the path that a JavaScript program calls, or "".
func programIn(text []byte) (path string) {
	for line := range bytes.Lines(text) {
		if value, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("const program = ")); ok {
			_ = json.Unmarshal(bytes.TrimSuffix(value, []byte(";")), &path) // an error leaves it empty
			break
		}
	}
	return path
}

// find returns the handlers in a file that call us. It skips entries of another shape.
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

// calls returns our hooks in a file and sets Exact.
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
