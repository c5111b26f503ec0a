package doctor

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"learnings/cmd/internal/hook"
	"learnings/cmd/internal/process"
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
		return []Question{seen, {Group: "Agents", Name: "found", Ask: func(_ context.Context, r *Reply) {
			r.Note("`learnings setup AGENT` wires in one that is not in the PATH", "none of %s", strings.Join(setup.Names(), ", "))
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
func (c Agents) log(_ context.Context, r *Reply) {
	calls, failures, last := 0, 0, hook.Entry{}
	for e, err := range hook.Entries(c.Log) {
		switch {
		case err != nil:
			r.Bad("", "%v", err)
			return
		case e.Probe || c.Now.Sub(e.At) > lately:
			continue
		}
		if calls++; e.Err != "" {
			failures++
			last = e
		}
	}
	switch {
	case failures > 0:
		r.Note("the log is "+c.Short(c.Log), "%d of %s in the last 7 days failed; the last, %s of %s: %s",
			failures, term.Plural(calls, "call"), last.Event, term.Moment(last.At), last.Err)
	case calls == 0:
		r.Fine("no call in the last 7 days")
	default:
		r.Fine("%s in the last 7 days, none failed", term.Plural(calls, "call"))
	}
}

// guards checks that the guards which a person switched on are enforced.
func (c Agents) guards(_ context.Context, r *Reply) {
	const again = "`learnings guard ID` chooses one again"
	g := c.Guards()
	asks := slices.ContainsFunc(setup.Find(c.World), func(a setup.Agent) bool { why, _ := a.Asks(c.Dir); return why == "" })
	switch {
	case g.Err != nil:
		r.Bad(again, "%v", g.Err)
	case g.Lost != "":
		r.Note(again, "%s", g.Lost)
	case g.On > 0 && asks:
		r.Fine("%s in force", term.Plural(g.On, "guard"))
	case g.On > 0:
		r.Bad("`learnings setup`", "%s in force, and no agent asks before it calls a tool: nothing is stopped", term.Plural(g.On, "guard"))
	}
}

// guarded checks that a wired agent asks before each tool call.
func (p patient) guarded(_ context.Context, r *Reply) {
	why, wire := p.agent.Asks(p.Dir)
	if p.Guards().On == 0 || why == "" || !p.agent.CanAsk() || len(p.agent.Calls()) == 0 {
		return
	}
	hint := ""
	switch {
	case wire && p.agent.Name == "copilot":
		hint = "`learnings setup copilot --guard`"
	case wire:
		hint = p.wire()
	}
	r.Note(hint, "none holds here: %s", why)
}

// wired checks the agent's files.
func (p patient) wired(_ context.Context, r *Reply) {
	if path, setting, err := p.agent.Silenced(p.Dir); err == nil && path != "" {
		r.Bad("take that out of the file, if you did not mean it", "%s runs no hooks: %s says %s", p.agent.Title, p.Short(path), setting)
	}
	var present, absent, older []string
	for _, f := range p.agent.Files() {
		what := strings.Join(f.What, " and ")
		if f.Ignored {
			r.Bad("take the comments and trailing commas out of it", "%s reads no comments, and so nothing of %s", p.agent.Title, p.Short(f.Path))
		}
		switch f.State {
		case setup.Present:
			present = append(present, what)
		case setup.Absent:
			absent = append(absent, what)
		case setup.Older:
			older = append(older, what+" in "+p.Short(f.Path))
		case setup.Foreign:
			r.Note("move it away, and "+p.wire(), "something else stands where our %s would: %s", what, p.Short(f.Path))
		case setup.Unreadable:
			r.Bad("put the file right, and ask again", "%s: %v", p.Short(f.Path), f.Err)
		}
	}
	none := len(present)+len(older)+len(r.checks) == 0
	switch plugins := p.agent.Plugins(); {
	case len(older) > 0:
		r.Note(p.wire(), "not as setup writes it now: %s", strings.Join(older, ", "))
	case none && len(plugins) > 0:
		r.Fine("by the plugin %s", strings.Join(plugins, ", "))
		return
	case none && len(absent) > 0:
		r.Note(p.wire(), "nothing calls learnings")
		return
	case len(absent) > 0:
		r.Note(p.wire(), "not there: %s", strings.Join(absent, ", "))
	}
	if len(r.checks) == 0 {
		r.Fine("%s, as setup writes them", strings.Join(present, ", "))
	}
	p.twice(r)
}

// twice checks for hooks that are called from several places for the same event. Lessons
// are given once, but each call takes time.
func (p patient) twice(r *Reply) {
	note := func(hint, format string, args ...any) { r.Also("twice", Note, hint, format, args...) }
	calls := p.agent.Calls()
	seen := map[string]int{}
	for _, c := range calls {
		if seen[c.Theirs+" "+c.Event]++; seen[c.Theirs+" "+c.Event] == 2 {
			note(p.wire()+" leaves one", "%s calls %s more than once in %s", c.Theirs, c.Event, p.Short(c.File))
		}
	}
	if len(calls) == 0 {
		return
	}
	if also := p.agent.Plugins(); len(also) > 0 {
		note("`learnings setup "+p.agent.Name+" --remove`, or `/plugin` in "+p.agent.Name, "the plugin %s calls it too", strings.Join(also, ", "))
	}
	if p.Dir != "" && p.Dir != p.World.Home {
		w := p.World
		w.Project = p.Dir
		if here, ok := setup.Get(w, p.agent.Name); ok && filepath.Clean(here.Folder) != filepath.Clean(p.agent.Folder) {
			if also := here.Calls(); len(also) > 0 {
				note("`learnings setup --project --remove "+p.agent.Name+"` takes those of the project out",
					"this project's settings call it too: %s", p.Short(also[0].File))
			}
		}
	}
	if p.agent.Name == "cursor" {
		if claude, ok := setup.Get(p.World, "claude"); ok && len(claude.Calls()) > 0 {
			note("switch third-party hooks off in Cursor's settings, or `learnings setup cursor --remove`",
				"Cursor also runs the hooks of Claude Code, where its setting for third-party hooks is on")
		}
	}
}

// trusted checks what the person has answered the agent's questions about trust.
func (p patient) trusted(_ context.Context, r *Reply) {
	calls := p.agent.Calls()
	if len(calls) == 0 {
		return
	}
	said, err := p.agent.Review(calls)
	ok, asks := false, false
	if err == nil && !said.Asks {
		ok, asks, err = p.agent.TrustsFolder(p.Dir)
	}
	todo := "start `" + p.agent.Name + "` and answer what it asks: \"Hooks need review\""
	switch {
	case err != nil:
		r.Bad("put the file right, and ask again", "%v", err)
	case len(said.Unseen) == len(calls):
		r.Bad(todo, "you have not said that you trust them: none of %s is run", term.Plural(len(calls), "hook"))
	case len(said.Unseen) > 0:
		r.Bad(todo, "you have not said that you trust some, and these are not run: %s", strings.Join(said.Unseen, ", "))
	case len(said.Changed) > 0:
		r.Bad(todo, "changed since you trusted them, and not run until you do again: %s", strings.Join(said.Changed, ", "))
	case len(said.SwitchOff) > 0:
		r.Note("`/hooks` in "+p.agent.Name+" switches them on", "switched off: %s", strings.Join(said.SwitchOff, ", "))
	case said.Asks:
		r.Fine("all %s", term.Plural(said.Trusted, "hook"))
	case asks && !ok:
		r.Note("start `"+p.agent.Name+"` here and answer that you trust the folder", "not in this folder: no hook runs in it on the screen; `claude -p` runs them")
	case asks:
		r.Fine("in this folder")
	}
}

// installed reports where an agent's program is, and its version.
func (p patient) installed(_ context.Context, r *Reply) {
	program := p.agent.Program
	if program == "" {
		if info, err := os.Stat(p.agent.Folder); err != nil || !info.IsDir() {
			r.Bad("install it, or name another", "there is neither its program in the PATH nor %s", p.Short(p.agent.Folder))
			return
		}
		r.Fine("%s is there; no program of it is in the PATH", p.Short(p.agent.Folder))
		return
	}
	version := packaged(program)
	if version == "" {
		r.Fine("%s", p.Short(program))
		return
	}
	var major, minor int
	if n, _ := fmt.Sscanf(version, "%d.%d", &major, &minor); p.agent.Name == "qwen" && n == 2 && major == 0 && minor < 24 {
		r.Note("take 0.24 or later; until then /learnings and the MCP server look them up",
			"%s, %s: what hooks answer at the start of a session never reaches its model, so no lesson is given there", version, p.Short(program))
		return
	}
	r.Fine("%s, %s", version, p.Short(program))
}

// ofPackage matches the folder of an npm package in a program's path.
var ofPackage = regexp.MustCompile(`^.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+`)

// packaged returns the version of a program from its npm package or, for Claude Code,
// from its folder of versions; "" if there is neither.
func packaged(program string) string {
	real, err := filepath.EvalSymlinks(program)
	if err != nil {
		return ""
	}
	if filepath.Base(filepath.Dir(real)) == "versions" {
		return filepath.Base(real)
	}
	var pack struct{ Version string }
	if text, err := os.ReadFile(filepath.Join(ofPackage.FindString(real), "package.json")); err == nil && ofPackage.MatchString(real) {
		_ = json.Unmarshal(text, &pack) // an error leaves it empty
	}
	return term.OneLine(pack.Version[:min(len(pack.Version), 40)])
}

// This file runs the hook commands in an agent's files with a harmless payload in the
// agent's shape. A probe is answered in the agent's form and only leaves a line in the
// log: see [hook.ProbeVariable]. A command that is more than one call of ours is not run.

const (
	probeTime = 5 * time.Second // for one call: agents wait no longer
	endTime   = 200 * time.Millisecond
	mostSaid  = 64 << 10
	mostWrong = 3 // failing hooks that are listed
)

// A probed is the result of one call.
type probed struct {
	call setup.Call
	took time.Duration
	err  error
}

// answers calls each hook of an agent once.
func (p patient) answers(ctx context.Context, r *Reply) {
	calls := p.agent.Calls()
	if len(calls) == 0 {
		return
	}
	if p.Off {
		r.Note("unset LEARNINGS_DISABLE, and ask again", "not tried: hooks are switched off here")
		return
	}
	probe := "learnings-doctor-" + strings.ToLower(rand.Text()[:10])
	var tried []probed
	for _, c := range calls {
		if !c.Exact && p.World.OS != "windows" && !plain(c) {
			r.Note(p.wire(), "%s does more than call learnings, and was not tried: %s", c.Theirs, shown(c))
			continue
		}
		tried = append(tried, probed{call: c})
	}
	var all sync.WaitGroup
	turn := make(chan struct{}, 2)
	for i := range tried {
		all.Go(func() {
			turn <- struct{}{}
			defer func() { <-turn }()
			tried[i].took, tried[i].err = p.try(ctx, tried[i].call, probe)
		})
	}
	all.Wait()
	logged := map[string]bool{}
	for e, err := range hook.Entries(p.Log) {
		if err == nil && e.Session == probe {
			logged[e.Event] = true
		}
	}
	slowest, wrong := time.Duration(0), 0
	for _, t := range tried {
		if t.err == nil && !logged[t.call.Event] {
			t.err = fmt.Errorf("it left no line in %s: it is another learnings, or that cannot be written", p.Short(p.Log))
		}
		if slowest = max(slowest, t.took); t.err == nil {
			continue
		}
		if wrong++; wrong <= mostWrong {
			r.Bad(p.wire(), "%s (%s): %v", t.call.Theirs, shown(t.call), t.err)
		}
	}
	switch {
	case wrong > mostWrong:
		r.Bad(p.wire(), "so with %d more", wrong-mostWrong)
	case wrong == 0 && len(tried) > 0:
		r.Fine("%s tried and answered in its form, the slowest in %d ms", term.Plural(len(tried), "hook"), slowest.Milliseconds())
	}
}

// shown returns a command on one line.
func shown(c setup.Call) string { return strings.Join(append([]string{c.Command}, c.Args...), " ") }

// plain reports whether a hand-written command is a single call without shell syntax. On
// Windows it is always false.
func plain(c setup.Call) bool {
	return c.Args != nil || !strings.ContainsAny(c.Command, ";|&<>()`\n\r\\*?#") && !strings.Contains(c.Command, "$(") && !strings.Contains(c.Command, "${")
}

// try makes one call.
func (p patient) try(ctx context.Context, c setup.Call, probe string) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	argv := c.Line()
	if c.Args == nil && p.World.OS != "windows" {
		argv = []string{"/bin/sh", "-c", c.Command}
	}
	for len(argv) > 0 && argv[0] == "&" { // PowerShell's call operator
		argv = argv[1:]
	}
	program := argv[0]
	if !filepath.IsAbs(program) {
		program = process.Find(program, p.World.Getenv("PATH"), p.World.OS)
	}
	if _, err := exec.LookPath(program); err != nil {
		return 0, fmt.Errorf("there is no program %s", argv[0])
	}
	cmd := exec.CommandContext(ctx, program, argv[1:]...)
	var printed, said limited
	cmd.Stdin = bytes.NewReader(hook.ProbePayload(p.agent.Name, c.Theirs, probe, p.Dir))
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &printed, &said, endTime
	cmd.Env, cmd.Dir = append(p.environment(), hook.ProbeVariable+"="+probe), p.Dir
	defer process.Group(cmd)()
	start := time.Now()
	err := cmd.Run()
	took := time.Since(start)
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return took, fmt.Errorf("no answer within %v", probeTime)
	case errors.As(err, &exit) && len(said) > 0:
		return took, fmt.Errorf("exit code %d: %s", exit.ExitCode(), said[:min(len(said), 200)])
	case errors.As(err, &exit):
		return took, fmt.Errorf("exit code %d", exit.ExitCode())
	case err != nil:
		return took, err
	}
	return took, hook.CheckProbe(p.agent.Name, c.Event, c.Theirs, printed)
}

// environment returns the variables that a probed program gets: where things are.
func (p patient) environment() []string {
	out := []string{"LEARNINGS_DIR=" + p.Corpus}
	for key := range strings.FieldsSeq(`PATH HOME USER LOGNAME TMPDIR TEMP TMP XDG_DATA_HOME XDG_STATE_HOME XDG_CONFIG_HOME
		SystemRoot SystemDrive USERPROFILE HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA ProgramData ComSpec PATHEXT WINDIR`) {
		if v := p.World.Getenv(key); v != "" {
			out = append(out, key+"="+v)
		}
	}
	return out
}

// A limited writer keeps the beginning of what is written to it.
type limited []byte

func (l *limited) Write(b []byte) (int, error) {
	*l = append(*l, b[:min(len(b), mostSaid-len(*l))]...)
	return len(b), nil
}
