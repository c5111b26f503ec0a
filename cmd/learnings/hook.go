package main

import (
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/hook"
	"learnings/extractor/transcript"
)

// disableVariable makes every hook return at once: it is set for the agents
// that we start ourselves, whose sessions must not be given lessons.
const disableVariable = "LEARNINGS_DISABLE"

// A call is a hook call of an agent.
type call struct {
	event  string
	dir    string // --dir
	sample bool
}

// hookCall recognises `learnings hook EVENT` without the machinery of the other
// verbs: it runs at each start of a session, and nothing on its command line
// may be an error. Without an event, or with --help, it is for people.
func hookCall(e env) (call, bool) {
	var c call
	var words []string
	for i := 0; i < len(e.args); i++ {
		switch arg := e.args[i]; {
		case arg == "-h" || arg == "--help":
			return c, false
		case arg == "--dir" && i+1 < len(e.args):
			i++
			c.dir = e.args[i]
		case strings.HasPrefix(arg, "--dir="):
			c.dir = strings.TrimPrefix(arg, "--dir=")
		case arg == "--sample":
			c.sample = true
		case strings.HasPrefix(arg, "-"):
			// a flag of a later version, perhaps
		default:
			words = append(words, arg)
		}
	}
	if len(words) < 2 || words[0] != "hook" {
		return c, false
	}
	c.event = words[1]
	return c, true
}

// runHook answers one call. It never fails: see package hook.
func runHook(ctx context.Context, e env, h call) {
	if v := e.getenv(disableVariable); v != "" && v != "0" {
		return // before anything is read
	}
	brief()
	defer func() { _ = recover() }() // the last net, under that of the package
	a := &app{env: e, dir: h.dir, sample: h.sample}
	p, err := a.located()
	if err != nil {
		return // there is no place for a log either
	}
	c, err := loadConfig(p.config)
	projects := transcript.NewProjects(e.home, c.Aliases)
	var in io.Reader
	if !e.tty.in { // on a terminal a person types it, to see what an agent would get
		in = e.stdin
	}
	dir := e.getenv("CLAUDE_PROJECT_DIR")
	if dir == "" {
		dir = e.cwd
	}
	hook.Run(ctx, h.event, in, e.stdout, hook.Config{
		Corpus: p.corpus, State: p.state, Index: p.index(), Log: p.hookLog(),
		Dir: dir, Role: c.Role.Value, MaxInject: c.Learning.MaxInject.Value, Project: projects.Project, Now: e.now, Trouble: err,
	})
}

// newHook is the hook as help knows it.
func newHook(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "hook EVENT", Short: "Answer an agent's hook (session-start)",
		Long: "Hook is called by coding agents. For session-start it prints the lessons for the\n" +
			"session as the JSON envelope that Claude Code and Codex accept, or nothing. It\n" +
			"always exits with 0, uses no network and no model, and writes only its own log\n" +
			"(hook.log beside the index). " + disableVariable + "=1 switches it off.\n\n" +
			"In Claude Code's settings.json:\n\n" +
			`  {"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"learnings","args":["hook","session-start"],"timeout":5}]}]}}` + "\n\n" +
			"In Codex's ~/.codex/hooks.json:\n\n" +
			`  {"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"learnings hook session-start","timeout":5}]}]}}`,
		Example: "  learnings hook session-start --dir ~/lessons",
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
}
