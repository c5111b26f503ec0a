package doctor

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"learnings/cmd/internal/hook"
	"learnings/cmd/internal/setup"
	"learnings/cmd/internal/term"
)

// Agents are the inputs of the checks of agents.
type Agents struct {
	World  setup.Machine
	Dir    string // the current folder
	Corpus string // the corpus that hooks should use
	Log    string // the log of hooks
	Off    bool   // the environment switches hooks off
	Sample bool   // the corpus is a sample, which agents do not know: check no agent
	Deep   bool   // read every session
	Now    time.Time
	Short  func(path string) string // formats a path for people

	Guards func() Guarded // called once for each agent
}

// A Guarded is the number of guards in force on this machine. Lost or Err says why none
// is, although lessons have some.
type Guarded struct {
	On   int
	Lost string
	Err  error
}

// Questions returns the checks of the named agents, or of all agents found. An unknown
// name is an error.
func (c Agents) Questions(names []string) ([]Question, error) {
	if c.Sample {
		return nil, nil
	}
	list := setup.Find(c.World)
	if len(names) > 0 {
		list = nil
	}
	for _, name := range names {
		a, ok := setup.Get(c.World, name)
		if !ok {
			return nil, term.Hint(term.Usagef("no agent is called %q", name), "%s", term.Meant(name, setup.Names()))
		}
		list = append(list, a)
	}
	seen := Question{Group: "Agents", Name: "sessions", Ask: c.seen}
	if len(list) == 0 {
		return []Question{seen, {Group: "Agents", Name: "found", Ask: func(context.Context) []Check {
			return []Check{Notable("found", "`learnings setup AGENT` wires in one that is not in the PATH", "none of %s", strings.Join(setup.Names(), ", "))}
		}}}, nil
	}
	var out []Question
	if len(names) == 0 {
		out = append(out, seen, Question{Group: "Hooks", Name: "log", Ask: c.log}, Question{Group: "Hooks", Name: "guards", Ask: c.guards})
	}
	for _, a := range list {
		p := patient{c, a}
		out = append(out,
			Question{Group: a.Title, Name: "installed", Ask: p.installed},
			Question{Group: a.Title, Name: "wired", Ask: p.wired},
			Question{Group: a.Title, Name: "trusted", Ask: p.trusted},
			Question{Group: a.Title, Name: "guards", Ask: p.guarded},
			Question{Group: a.Title, Name: "answers", Ask: p.answers},
			Question{Group: a.Title, Name: "sessions", Ask: p.sessions})
	}
	return out, nil
}

// A patient is one agent under examination.
type patient struct {
	Agents
	agent setup.Agent
}

func (p patient) wire() string { return "`learnings setup " + p.agent.Name + "`" }

// lately is how far back failed calls are reported.
const lately = 7 * 24 * time.Hour

// log checks the log of hook calls for failures.
func (c Agents) log(context.Context) []Check {
	const name = "log"
	calls, failures, last := 0, 0, hook.Entry{}
	for e, err := range hook.Entries(c.Log) {
		switch {
		case err != nil:
			return []Check{Bad(name, "", "%v", err)}
		case e.Probe || c.Now.Sub(e.At) > lately:
			continue
		}
		if calls++; e.Err != "" {
			failures++
			last = e
		}
	}
	if failures > 0 {
		return []Check{Notable(name, "the log is "+c.Short(c.Log), "%d of %s in the last 7 days failed; the last, %s of %s: %s",
			failures, term.Plural(calls, "call"), last.Event, term.Moment(last.At), last.Err)}
	}
	if calls == 0 {
		return []Check{Fine(name, "no call in the last 7 days")}
	}
	return []Check{Fine(name, "%s in the last 7 days, none failed", term.Plural(calls, "call"))}
}

// guards checks that the guards which a person switched on are enforced.
func (c Agents) guards(context.Context) []Check {
	const name = "guards"
	g := c.Guards()
	switch {
	case g.Err != nil:
		return []Check{Bad(name, "`learnings guard ID` chooses one again", "%v", g.Err)}
	case g.Lost != "":
		return []Check{Notable(name, "`learnings guard ID` chooses one again", "%s", g.Lost)}
	case g.On == 0:
		return nil
	}
	for _, a := range setup.Find(c.World) {
		if why, _ := a.Asks(c.Dir); why == "" {
			return []Check{Fine(name, "%s in force", term.Plural(g.On, "guard"))}
		}
	}
	return []Check{Bad(name, "`learnings setup`", "%s in force, and no agent asks before it calls a tool: nothing is stopped", term.Plural(g.On, "guard"))}
}

// guarded checks that a wired agent asks before each tool call.
func (p patient) guarded(context.Context) []Check {
	const name = "guards"
	if why, wire := p.agent.Asks(p.Dir); p.Guards().On > 0 && why != "" && p.agent.CanAsk() && len(p.agent.Calls()) > 0 {
		hint := ""
		if wire {
			if hint = "`learnings setup " + p.agent.Name + "`"; p.agent.Name == "copilot" {
				hint = "`learnings setup copilot --guard`"
			}
		}
		return []Check{Notable(name, hint, "none holds here: %s", why)}
	}
	return nil
}

// wired checks the agent's files.
func (p patient) wired(context.Context) (out []Check) {
	const name = "wired"
	if path, setting, err := p.agent.Silenced(p.Dir); err == nil && path != "" {
		out = append(out, Bad(name, "take that out of the file, if you did not mean it", "%s runs no hooks: %s says %s", p.agent.Title, p.Short(path), setting))
	}
	var present, absent, older []string
	for _, f := range p.agent.Files() {
		what := strings.Join(f.What, " and ")
		if f.Ignored {
			out = append(out, Bad(name, "take the comments and trailing commas out of it", "%s reads no comments, and so nothing of %s", p.agent.Title, p.Short(f.Path)))
		}
		switch f.State {
		case setup.Present:
			present = append(present, what)
		case setup.Absent:
			absent = append(absent, what)
		case setup.Older:
			older = append(older, what+" in "+p.Short(f.Path))
		case setup.Foreign:
			out = append(out, Notable(name, "move it away, and "+p.wire(), "something else stands where our %s would: %s", what, p.Short(f.Path)))
		case setup.Unreadable:
			out = append(out, Bad(name, "put the file right, and ask again", "%s: %v", p.Short(f.Path), f.Err))
		}
	}
	switch {
	case len(older) > 0:
		out = append(out, Notable(name, p.wire(), "not as setup writes it now: %s", strings.Join(older, ", ")))
	case len(present) == 0 && len(out) == 0 && len(p.agent.Plugins()) > 0:
		return append(out, Fine(name, "by the plugin %s", strings.Join(p.agent.Plugins(), ", ")))
	case len(present) == 0 && len(absent) > 0 && len(out) == 0:
		return append(out, Notable(name, p.wire(), "nothing calls learnings"))
	case len(absent) > 0:
		out = append(out, Notable(name, p.wire(), "not there: %s", strings.Join(absent, ", ")))
	}
	if len(out) == 0 {
		out = append(out, Fine(name, "%s, as setup writes them", strings.Join(present, ", ")))
	}
	return append(out, p.twice()...)
}

// twice checks for hooks that are called from several places for the same event. Lessons
// are given once, but each call takes time.
func (p patient) twice() (out []Check) {
	const name = "twice"
	calls := p.agent.Calls()
	seen := map[string]int{}
	for _, c := range calls {
		if seen[c.Theirs+" "+c.Event]++; seen[c.Theirs+" "+c.Event] == 2 {
			out = append(out, Notable(name, p.wire()+" leaves one", "%s calls %s more than once in %s", c.Theirs, c.Event, p.Short(c.File)))
		}
	}
	if len(calls) == 0 {
		return out
	}
	if also := p.agent.Plugins(); len(also) > 0 {
		out = append(out, Notable(name, "`learnings setup "+p.agent.Name+" --remove`, or `/plugin` in "+p.agent.Name,
			"the plugin %s calls it too", strings.Join(also, ", ")))
	}
	if p.Dir != "" && p.Dir != p.World.Home {
		w := p.World
		w.Project = p.Dir
		if here, ok := setup.Get(w, p.agent.Name); ok && filepath.Clean(here.Folder) != filepath.Clean(p.agent.Folder) {
			if also := here.Calls(); len(also) > 0 {
				out = append(out, Notable(name, "`learnings setup --project --remove "+p.agent.Name+"` takes those of the project out",
					"this project's settings call it too: %s", p.Short(also[0].File)))
			}
		}
	}
	if p.agent.Name == "cursor" {
		if claude, ok := setup.Get(p.World, "claude"); ok && len(claude.Calls()) > 0 {
			out = append(out, Notable(name, "switch third-party hooks off in Cursor's settings, or `learnings setup cursor --remove`",
				"Cursor also runs the hooks of Claude Code, where its setting for third-party hooks is on"))
		}
	}
	return out
}

// trusted checks what the person has answered the agent's questions about trust.
func (p patient) trusted(context.Context) []Check {
	const name = "trusted"
	calls := p.agent.Calls()
	if len(calls) == 0 {
		return nil
	}
	r, err := p.agent.Review(calls)
	if err != nil {
		return []Check{Bad(name, "put the file right, and ask again", "%v", err)}
	}
	todo := "start `" + p.agent.Name + "` and answer what it asks: \"Hooks need review\""
	switch {
	case len(r.Unseen) == len(calls):
		return []Check{Bad(name, todo, "you have not said that you trust them: none of %s is run", term.Plural(len(calls), "hook"))}
	case len(r.Unseen) > 0:
		return []Check{Bad(name, todo, "you have not said that you trust some, and these are not run: %s", strings.Join(r.Unseen, ", "))}
	case len(r.Changed) > 0:
		return []Check{Bad(name, todo, "changed since you trusted them, and not run until you do again: %s", strings.Join(r.Changed, ", "))}
	case len(r.SwitchOff) > 0:
		return []Check{Notable(name, "`/hooks` in "+p.agent.Name+" switches them on", "switched off: %s", strings.Join(r.SwitchOff, ", "))}
	case r.Asks:
		return []Check{Fine(name, "all %s", term.Plural(r.Trusted, "hook"))}
	}
	ok, asks, err := p.agent.TrustsFolder(p.Dir)
	switch {
	case err != nil:
		return []Check{Bad(name, "put the file right, and ask again", "%v", err)}
	case !asks:
		return nil
	case !ok:
		return []Check{Notable(name, "start `"+p.agent.Name+"` here and answer that you trust the folder", "not in this folder: no hook runs in it on the screen; `claude -p` runs them")}
	}
	return []Check{Fine(name, "in this folder")}
}

// sessions checks that the agent's transcripts can be read and that its hooks were
// called.
func (p patient) sessions(ctx context.Context) []Check {
	found := p.find(ctx)
	return append(found.checks(p), p.called(found.newest.ModTime)...)
}

// unheard is how much newer than the last hook call the latest session may be. A session
// from before the wiring may go on for long.
const unheard = 24 * time.Hour

// called reports when a hook was last called.
func (p patient) called(newest time.Time) []Check {
	const name = "called"
	if !slices.ContainsFunc(p.agent.Calls(), func(c setup.Call) bool { return c.Exact || slices.Contains(c.Line(), "--for") }) {
		return nil // the log does not say which agent called
	}
	var last hook.Entry
	for e, err := range hook.Entries(p.Log) {
		if err == nil && !e.Probe && e.Agent == p.agent.Name && e.At.After(last.At) {
			last = e
		}
	}
	text := "not yet, as far as the log goes back"
	if !last.At.IsZero() {
		text = fmt.Sprintf("last %s (%s)", term.Moment(last.At), last.Event)
	}
	if !newest.IsZero() && newest.Sub(last.At) > unheard && !last.At.IsZero() {
		return []Check{Notable(name, "start a session, and ask again", "%s, but there is a session of %s", text, term.Moment(newest))}
	}
	return []Check{Fine(name, "%s", text)}
}
