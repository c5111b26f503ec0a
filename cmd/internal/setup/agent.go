// Package setup wires coding agents in and out: it finds agents on a machine and our
// entries in their files; it plans changes, shows them, asks, and writes.
//
// The differences between agents are in the table of table.go. Entries in other programs'
// files are recognised by the command that they call, so that an entry made by hand is
// replaced and not doubled.
package setup

import (
	"os"
	"path/filepath"
	"slices"

	"learnings/cmd/internal/process"
	"learnings/cmd/internal/term"
	"learnings/lessons/exchange"
)

// A Machine is the part of the machine that agents depend on.
type Machine struct {
	Getenv func(string) string
	OS     string // a GOOS value
	Home   string // the person's home folder

	// Project is a folder for settings of a project; "" means the person's own settings.
	Project string

	Hook    string // the absolute path of learnings-hook
	Program string // and of learnings
	// Pins are arguments for both, which say where lessons are whatever the agent's
	// environment says.
	Pins []string

	// Guard makes Copilot CLI ask before each tool call too. All other agents always do,
	// and it does if it did so before.
	Guard bool
	// Managed is the folder of the administrator's settings for Claude Code; "" for the
	// usual one.
	Managed string
	// Permit says whether agents may look up lessons and propose without asking.
	Permit Permission
}

// An Agent is a coding agent and how to wire it.
type Agent struct {
	Name    string   // the value of --for
	Title   string   // for people
	Program string   // the path of its program; "" if it is not in the PATH
	Folder  string   // of its settings; it may be missing
	Notes   []string // what else a person must know or do

	parts   []part
	spec    spec
	machine Machine
	plugin  string // the folder of a plugin, in place of the agent's settings
}

// all are the agents in order.
var all = func() []spec {
	out := slices.Clip(table)
	for _, a := range askedAgents {
		out = append(out, a.spec())
	}
	return out
}()

// Names returns the names of all agents, in order.
func Names() []string { return term.Map(all, func(s spec) string { return s.name }) }

// Get returns the agent with a name, installed or not. It is false for an unknown name.
func Get(w Machine, name string) (Agent, bool) {
	i := slices.IndexFunc(all, func(s spec) bool { return s.name == name })
	if i < 0 {
		return Agent{}, false
	}
	return all[i].agent(w), true
}

// Find returns the agents on this machine: those with a program in the PATH or a folder
// of settings.
func Find(w Machine) []Agent {
	var out []Agent
	for _, s := range all {
		if a := s.agent(w); a.Program != "" || folderExists(s.home(w)) && s.signed(s.home(w)) {
			out = append(out, a)
		}
	}
	return out
}

// signed reports whether a folder that exists is the agent's.
func (s spec) signed(home string) bool {
	return s.signs == nil || slices.ContainsFunc(s.signs, func(name string) bool {
		_, err := os.Stat(filepath.Join(home, name))
		return err == nil
	})
}

func (s spec) agent(w Machine) Agent {
	a := Agent{Name: s.name, Title: s.title, Folder: s.home(w), Notes: s.notes, spec: s, machine: w}
	for _, p := range s.programs {
		if a.Program = process.Find(p, w.Getenv("PATH"), w.OS); a.Program != "" {
			break
		}
	}
	if w.Project != "" { // the files are for others too
		w.Hook, w.Program, w.Pins = "learnings-hook", "learnings", nil
		if a.Folder = filepath.Join(w.Project, filepath.FromSlash(s.folder)); s.folder == "" {
			return a
		}
	}
	a.parts = s.parts(wiring{w, s, a.Folder})
	return a
}

// Wirable reports whether the agent has files to write: some get none in projects.
func (a Agent) Wirable() bool { return len(a.parts) > 0 }

// A State is the state of our entries in a file.
type State string

// The states of a file.
const (
	Absent     State = "absent"     // nothing of ours
	Present    State = "present"    // everything, in our form
	Older      State = "older"      // something in another form: by hand, by an earlier version, or incomplete
	Foreign    State = "foreign"    // something else is in our place; setup does not change it
	Unreadable State = "unreadable" // unreadable or broken; see Err
)

// A File is the state of one file of an agent.
type File struct {
	Path   string   `json:"path"`
	What   []string `json:"what"` // our parts in it, such as "hooks"
	State  State    `json:"state"`
	Events []string `json:"events,omitempty"` // our names of the events with a hook of ours
	// Ignored means that the agent does not read the file: it has comments or trailing
	// commas, and the agent wants plain JSON.
	Ignored bool  `json:"ignored,omitempty"`
	Err     error `json:"-"`
}

// Files returns the current state of an agent's files. If the parts of a file differ it
// has the most serious state.
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
		return Older // some parts are there and some are missing
	case slices.Index(order, a) > slices.Index(order, b):
		return a
	}
	return b
}

// paths returns the files of an agent, without duplicates.
func (a Agent) paths() []string {
	var out []string
	for _, p := range a.parts {
		if !slices.Contains(out, p.path) {
			out = append(out, p.path)
		}
	}
	return out
}

// at returns the parts that belong into a file.
func (a Agent) at(path string) []part {
	return slices.DeleteFunc(slices.Clone(a.parts), func(p part) bool { return p.path != path })
}
