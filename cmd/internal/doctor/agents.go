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

// Agents are what is asked about.
type Agents struct {
	World  setup.Machine
	Dir    string // the current folder
	Corpus string // that hooks are to use
	Log    string // of hooks
	Off    bool   // hooks are switched off in this environment
	Sample bool   // the corpus is a sample, of which agents know nothing: none is asked about
	Deep   bool   // read every session
	Now    time.Time
	Short  func(path string) string // writes a path as people do

	Guards func() Guarded // it is asked for each agent
}

// A Guarded says how many guards are in force on this machine, and why none is though
// there are some: Lost or Err.
type Guarded struct {
	On   int
	Lost string
	Err  error
}

// Questions are what there is to ask of agents: of those that are named, which must be
// known, or of all that are found.
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
			return nil, term.Hint(term.Usagef("no agent is called %q", name), "%s", strings.Join(setup.Names(), ", "))
		}
		list = append(list, a)
	}
	if len(list) == 0 {
		return []Question{{Group: "Agents", Name: "found", Ask: func(context.Context) []Check {
			return []Check{Notable("found", "`learnings setup AGENT` wires in one that is not in the PATH", "none of %s", strings.Join(setup.Names(), ", "))}
		}}}, nil
	}
	var out []Question
	if len(names) == 0 {
		out = append(out, Question{Group: "Hooks", Name: "log", Ask: c.log}, Question{Group: "Hooks", Name: "guards", Ask: c.guards})
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

// A patient is one agent.
type patient struct {
	Agents
	agent setup.Agent
}

func (p patient) wire() string { return "`learnings setup " + p.agent.Name + "`" }

// lately is how far back failing calls are told of.
const lately = 7 * 24 * time.Hour

// log looks at what hooks have noted of their calls.
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

// guards looks whether what a person has made enforceable is enforced at all.
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

// guarded looks whether an agent that calls us asks before it calls a tool.
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

// wired looks at the agent's files.
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

// twice looks for hooks that are called for the same thing from several places. What they
// give is given once, but each call takes its time.
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

// trusted looks at what the person has answered the agent.
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

// sessions looks at the agent's transcripts, and whether its hooks were called for them.
func (p patient) sessions(ctx context.Context) []Check {
	found := p.find(ctx)
	return append(found.checks(p), p.called(found.newest.ModTime)...)
}

// unheard is by how much the last session may be younger than the last call of a hook: a
// session that began before goes on for long.
const unheard = 24 * time.Hour

// called says when a hook was called last.
func (p patient) called(newest time.Time) []Check {
	const name = "called"
	if !slices.ContainsFunc(p.agent.Calls(), func(c setup.Call) bool { return c.Exact || slices.Contains(c.Line(), "--for") }) {
		return nil // the log does not tell whose call it was
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
