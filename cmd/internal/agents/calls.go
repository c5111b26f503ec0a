package agents

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"

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

// Line is the command and its arguments, taken apart as a shell does.
func (c Call) Line() []string { return append(words(c.Command), c.Args...) }

// Calls are the hooks of ours in the files of an agent, those made by hand included. What
// cannot be read has none; see [Agent.Files].
func (a Agent) Calls() []Call {
	var out []Call
	for _, p := range a.parts {
		h, ok := p.kind.(hooks)
		if !ok {
			continue
		}
		text, err := exchange.ReadFile(p.path)
		if err != nil {
			continue
		}
		f, err := graft.ParseJSON(text)
		if err != nil {
			continue
		}
		out = append(out, h.calls(p.path, f)...)
	}
	return out
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
