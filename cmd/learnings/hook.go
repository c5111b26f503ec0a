package main

import (
	"context"
	_ "embed"
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/hook"
	"learnings/cmd/internal/process"
	"learnings/cmd/internal/settings"
	"learnings/extractor/transcript"
)

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

// runHook answers one call. It never fails: see package hook. The time that it may take
// begins here, before anything is opened.
func runHook(ctx context.Context, e env, h call) {
	if switchedOff(e) {
		return // before anything is read
	}
	brief()
	ctx, cancel := context.WithTimeout(ctx, hook.Patience)
	defer cancel()
	process.Bounded(ctx, hook.LogPatience, func() {
		defer func() { _ = recover() }() // the last net, under that of the package
		answerHook(ctx, e, h)
	})
}

func answerHook(ctx context.Context, e env, h call) {
	a := newApp(e, nil) // it prints nothing
	a.dir, a.sample = h.dir, h.sample
	p, err := a.located()
	if err != nil {
		return // there is no place for a log either
	}
	c, err := settings.Load(p.Config)
	projects := transcript.NewProjects(e.home, c.Aliases)
	var in io.Reader
	if !e.tty.In { // on a terminal a person types it, to see what an agent would get
		in = e.stdin
	}
	dir := e.getenv("CLAUDE_PROJECT_DIR")
	if dir == "" {
		dir = e.cwd
	}
	var capture func(hook.Ending) error
	give := c.Learning.MaxInject.Value
	now, unread := a.listening()
	switch {
	case now.paused || unread != nil:
		give = 0
	case c.Learning.Enabled.Value && !h.sample:
		capture = a.capture
	}
	hook.Run(ctx, h.event, in, e.stdout, hook.Config{
		Corpus: p.Corpus, State: p.State, Index: p.Index(), Log: p.HookLog(),
		Dir: dir, Role: c.Role.Value, MaxInject: give, TrustEdits: c.TrustEdits.Value, Project: projects.Project, Capture: capture, Now: e.now, Trouble: errors.Join(err, unread),
	})
}

// hookHelp says which events there are, and what agents are to be told to call us
// for them. Codex gives the end of a session three seconds and stops trusting a
// command that changes it, so ours do not. Gemini CLI counts in milliseconds.
//
//go:embed hook.txt
var hookHelp string

// newHook is the hook as help knows it.
func newHook(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "hook EVENT", Short: "Answer an agent's hook (session-start, stop, pre-compact, session-end)",
		Long: strings.TrimSpace(hookHelp), Example: "  learnings hook session-start --dir ~/lessons",
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
}
