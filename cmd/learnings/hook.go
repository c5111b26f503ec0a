package main

import (
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/hook"
	"learnings/cmd/internal/settings"
	"learnings/extractor/model/llm"
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
	bounded(ctx, hook.LogPatience, func() {
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
	if c.Learning.Enabled.Value && !h.sample {
		capture = a.capture
	}
	hook.Run(ctx, h.event, in, e.stdout, hook.Config{
		Corpus: p.Corpus, State: p.State, Index: p.Index(), Log: p.HookLog(),
		Dir: dir, Role: c.Role.Value, MaxInject: c.Learning.MaxInject.Value, TrustEdits: c.TrustEdits.Value, Project: projects.Project, Capture: capture, Now: e.now, Trouble: err,
	})
}

// hookEvents are what agents call us for, with what they call it themselves.
const hookEvents = `  session-start                     prints the lessons for the session as the JSON
                                    envelope that Claude Code and Codex accept, or nothing
  stop, subagent-stop, pre-compact, notes which session it is and starts a worker that
  session-end                       takes lessons from it and ends; prints nothing
  after-agent, pre-compress         what Gemini CLI calls stop and pre-compact
  worker                            does what is noted, in the foreground
`

// What these agents are to be told. Codex knows no "args", gives the end of a
// session three seconds, and no longer trusts a command that has changed, so
// these do not change. Gemini CLI counts in milliseconds.
const (
	claudeHooks = `  {"hooks":{
    "SessionStart":[{"hooks":[{"type":"command","command":"learnings","args":["hook","session-start"],"timeout":5}]}],
    "Stop":[{"hooks":[{"type":"command","command":"learnings","args":["hook","stop"],"timeout":5}]}],
    "PreCompact":[{"hooks":[{"type":"command","command":"learnings","args":["hook","pre-compact"],"timeout":5}]}],
    "SessionEnd":[{"hooks":[{"type":"command","command":"learnings","args":["hook","session-end"],"timeout":10}]}]
  }}`
	codexHooks = `  {"hooks":{
    "SessionStart":[{"hooks":[{"type":"command","command":"learnings hook session-start","timeout":5}]}],
    "Stop":[{"hooks":[{"type":"command","command":"learnings hook stop","timeout":5}]}],
    "PreCompact":[{"hooks":[{"type":"command","command":"learnings hook pre-compact","timeout":5}]}],
    "SessionEnd":[{"hooks":[{"type":"command","command":"learnings hook session-end","timeout":3}]}]
  }}`
	geminiHooks = `  {"hooks":{
    "SessionStart":[{"hooks":[{"type":"command","command":"learnings hook session-start","timeout":5000}]}],
    "AfterAgent":[{"hooks":[{"type":"command","command":"learnings hook after-agent","timeout":5000}]}],
    "PreCompress":[{"hooks":[{"type":"command","command":"learnings hook pre-compress","timeout":5000}]}],
    "SessionEnd":[{"hooks":[{"type":"command","command":"learnings hook session-end","timeout":5000}]}]
  }}`
)

// newHook is the hook as help knows it.
func newHook(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "hook EVENT", Short: "Answer an agent's hook (session-start, stop, pre-compact, session-end)",
		Long: "Hook is called by coding agents:\n\n" + hookEvents + "\n" +
			"It always exits with 0, uses no network and no model, and writes only its own log\n" +
			"(hook.log beside the index) and the list of sessions that wait for the worker.\n" +
			"Before a compaction the worker looks at a session of at least\n" +
			"learning.min_messages_for_intermediate messages; what it has read it does not read\n" +
			"again. A model is asked only with learning.model_in_background, and then at the end\n" +
			"of a session and before a compaction. learning.enabled = false switches this off,\n" +
			llm.DisableVariable + "=1 every hook.\n\n" +
			"In Claude Code's settings.json:\n\n" + claudeHooks + "\n\n" +
			"In Codex's ~/.codex/hooks.json:\n\n" + codexHooks + "\n\n" +
			"In Gemini CLI's ~/.gemini/settings.json:\n\n" + geminiHooks,
		Example: "  learnings hook session-start --dir ~/lessons",
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
}
