package doctor

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"learnings/cmd/internal/hook"
	"learnings/cmd/internal/process"
	"learnings/cmd/internal/setup"
	"learnings/cmd/internal/term"
)

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
func (p patient) answers(ctx context.Context) (out []Check) {
	const name = "answers"
	calls := p.agent.Calls()
	if len(calls) == 0 {
		return nil
	}
	if p.Off {
		return []Check{Notable(name, "unset LEARNINGS_DISABLE, and ask again", "not tried: hooks are switched off here")}
	}
	probe := "learnings-doctor-" + strings.ToLower(rand.Text()[:10])
	var tried []probed
	for _, c := range calls {
		if !c.Exact && p.World.OS != "windows" && !plain(c) {
			out = append(out, Notable(name, p.wire(), "%s does more than call learnings, and was not tried: %s", c.Theirs, shown(c)))
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
	return append(out, p.judge(tried, probe)...)
}

// judge reports the results of all calls.
func (p patient) judge(tried []probed, probe string) (out []Check) {
	const name = "answers"
	logged := map[string]int{}
	for e, err := range hook.Entries(p.Log) {
		if err == nil && e.Session == probe {
			logged[e.Event]++
		}
	}
	slowest, wrong := time.Duration(0), 0
	for _, t := range tried {
		err := t.err
		if err == nil && logged[t.call.Event] == 0 {
			err = fmt.Errorf("it left no line in %s: it is another learnings, or that cannot be written", p.Short(p.Log))
		}
		if slowest = max(slowest, t.took); err == nil {
			continue
		}
		if wrong++; wrong <= mostWrong {
			out = append(out, Bad(name, p.wire(), "%s (%s): %v", t.call.Theirs, shown(t.call), err))
		}
	}
	switch {
	case wrong > mostWrong:
		out = append(out, Bad(name, p.wire(), "so with %d more", wrong-mostWrong))
	case wrong == 0 && len(tried) > 0:
		out = append(out, Fine(name, "%s tried and answered in its form, the slowest in %d ms", term.Plural(len(tried), "hook"), slowest.Milliseconds()))
	}
	return out
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
