// Package setup wires coding agents in and out: it knows how each is found on a machine,
// which of its files say that it calls us and what stands there; it plans what is to be
// written or taken out, shows it, asks, and writes.
//
// What differs between agents is in the table of table.go. What we put into a file of
// another program is known again by the command it calls, so that an entry which somebody
// made by hand is replaced and not doubled.
package setup

import (
	"path/filepath"
	"slices"

	"learnings/cmd/internal/process"
	"learnings/lessons/exchange"
)

// A Machine is the machine, as far as agents depend on it.
type Machine struct {
	Getenv func(string) string
	OS     string // as runtime.GOOS has it
	Home   string // the person's home folder

	// Project is the folder of a project whose own settings are meant; "" means those of
	// the person.
	Project string

	Hook    string // the absolute path of learnings-hook
	Program string // and of learnings

	// Guard says that Copilot CLI, too, is to ask before each call of a tool. Where it does
	// so already it goes on with it; all others do.
	Guard bool
	// Managed is the folder of who manages the machine, for Claude Code; "" for the usual one.
	Managed string
	// Permit says whether agents may look lessons up and propose without asking.
	Permit Permission
}

// An Agent is a coding agent, and what wires it in.
type Agent struct {
	Name    string   // as --for of a hook has it
	Title   string   // as people know it
	Program string   // the path of its program; "" when it is not in the PATH
	Folder  string   // where its settings are; it may be missing
	Notes   []string // what a person has to know or to do beside

	parts   []part
	spec    spec
	machine Machine
	plugin  string // the folder of a plugin, in the place of the agent's settings
}

// Names are the names of all agents, in order.
func Names() []string {
	var out []string
	for _, s := range table {
		out = append(out, s.name)
	}
	return out
}

// Get gives an agent by name, whether or not it is installed. It is false when there is
// none of that name.
func Get(w Machine, name string) (Agent, bool) {
	i := slices.IndexFunc(table, func(s spec) bool { return s.name == name })
	if i < 0 {
		return Agent{}, false
	}
	return table[i].agent(w), true
}

// Find gives the agents that are on this machine: whose program is in the PATH or whose
// folder of settings exists.
func Find(w Machine) []Agent {
	var out []Agent
	for _, s := range table {
		if a := s.agent(w); a.Program != "" || folderExists(s.home(w)) {
			out = append(out, a)
		}
	}
	return out
}

func (s spec) agent(w Machine) Agent {
	a := Agent{Name: s.name, Title: s.title, Folder: s.home(w), Notes: s.notes, spec: s, machine: w}
	for _, p := range s.programs {
		if a.Program = process.Find(p, w.Getenv("PATH"), w.OS); a.Program != "" {
			break
		}
	}
	parts := s.own
	if w.Project != "" {
		a.Folder, parts = filepath.Join(w.Project, filepath.FromSlash(s.folder)), s.project
	}
	if parts != nil {
		a.parts = parts(wiring{w, s, a.Folder})
	}
	return a
}

// Wirable reports whether the agent has files that can be written: not each reads
// settings of a project.
func (a Agent) Wirable() bool { return len(a.parts) > 0 }

// A State is what of ours is in a file.
type State string

// The states of a file.
const (
	Absent     State = "absent"     // nothing of ours
	Present    State = "present"    // all that should be there, in our form
	Older      State = "older"      // something of ours in another form: by hand, by an earlier version, incomplete
	Foreign    State = "foreign"    // something else stands in our place; it is left alone
	Unreadable State = "unreadable" // it cannot be read, or is broken; see Err
)

// A File is one file of an agent.
type File struct {
	Path   string   `json:"path"`
	What   []string `json:"what"` // what of ours belongs there, such as "hooks"
	State  State    `json:"state"`
	Events []string `json:"events,omitempty"` // our names of the events for which a hook of ours is there
	// Ignored says that the agent does not read the file as it is: it has comments or
	// trailing commas, and the agent wants plain JSON.
	Ignored bool  `json:"ignored,omitempty"`
	Err     error `json:"-"`
}

// Files says what is in the files of an agent now. A file whose parts differ has the
// state that needs most attention.
func (a Agent) Files() []File {
	var out []File
	for _, path := range a.paths() {
		f := File{Path: path}
		text, err := exchange.ReadFile(path)
		f.Ignored = err == nil && a.ignored(path, text)
		for _, p := range a.at(path) {
			var state State
			if err == nil {
				state, err = p.look(text)
			}
			switch {
			case err != nil:
				state, f.Err = Unreadable, err
			case state == "":
				continue
			}
			if f.State = worse(f.State, state); !slices.Contains(f.What, p.what) {
				f.What = append(f.What, p.what)
			}
		}
		for _, c := range a.Calls() {
			if c.File == path {
				f.Events = append(f.Events, c.Event)
			}
		}
		slices.Sort(f.Events)
		if len(f.What) > 0 {
			out = append(out, f)
		}
	}
	return out
}

func worse(a, b State) State {
	order := []State{Present, Foreign, Absent, Older, Unreadable}
	switch {
	case a == "":
		return b
	case a != b && a != Foreign && b != Foreign && a != Unreadable && b != Unreadable:
		return Older // a part is there and another is not
	case slices.Index(order, a) > slices.Index(order, b):
		return a
	}
	return b
}

// paths are the files of an agent, each once.
func (a Agent) paths() []string {
	var out []string
	for _, p := range a.parts {
		if !slices.Contains(out, p.path) {
			out = append(out, p.path)
		}
	}
	return out
}

// at are the parts that belong into a file.
func (a Agent) at(path string) []part {
	return slices.DeleteFunc(slices.Clone(a.parts), func(p part) bool { return p.path != path })
}
