package llm

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// DisableVariable is set to "1" for every command that is started here. Hooks
// of ours that see it end at once: an agent that is asked to extract lessons
// must not have lessons extracted from it.
const DisableVariable = "LEARNINGS_DISABLE"

// Task is what a command is told to do that takes a prompt as an argument and
// the text on standard input. Its start is what tells our own sessions apart.
const Task = "[learnings-extraction] Read the text on standard input and answer as the instructions say."

// A Command asks by starting a program: the prompt goes to its standard input,
// the answer is what it prints. In the arguments, {system}, {schema}, {model}
// and {task} stand for the texts, {schema_file} and {answer_file} for files
// with the schema and for the answer; a program that takes no {system} gets it
// on standard input, before the rest. No shell is involved.
//
// The program runs in an empty folder of its own, which is gone afterwards.
// Of what Claude Code, Codex and Gemini CLI print as JSON, whoever prints it, the
// answer, its cost or tokens and the errors are taken.
type Command struct {
	Argv    []string
	Model   string
	Env     []string // "NAME=value", beside what this process has
	Timeout time.Duration
	Grace   time.Duration       // between asking it to stop and killing it; 0 means 3 seconds
	Redact  func(string) string // see [Config]
}

// claudeCommand is "claude -p" without tools, hooks, plugins, memory or a
// transcript: with them it would cost many times as much, and could start us
// again.
func claudeCommand(c Config) Command {
	argv := []string{
		"claude", "-p", "--safe-mode", "--no-session-persistence", "--settings", `{"disableAllHooks":true}`,
		"--tools", "", "--strict-mcp-config", "--max-turns", "4", "--output-format", "json", "--json-schema", "{schema}", "--system-prompt", "{system}",
	}
	if c.Model.Name != "" {
		argv = append(argv, "--model", c.Model.Name)
	}
	if c.MaxUSD > 0 {
		argv = append(argv, "--max-budget-usd", strconv.FormatFloat(c.MaxUSD, 'f', 2, 64))
	}
	return Command{Argv: append(argv, "{task}"), Model: c.Model.Name, Env: []string{"CLAUDE_CODE_SKIP_PROMPT_HISTORY=1"}, Timeout: c.Timeout, Redact: c.Redact}
}

func codexCommand(c Config) Command {
	argv := []string{
		"codex", "exec", "--ephemeral", "--skip-git-repo-check", "--sandbox", "read-only", "-c", "features.hooks=false",
		"--json", "--output-schema", "{schema_file}", "-o", "{answer_file}",
	}
	if c.Model.Name != "" {
		argv = append(argv, "-m", c.Model.Name)
	}
	return Command{Argv: append(argv, "{task}"), Model: c.Model.Name, Timeout: c.Timeout, Redact: c.Redact}
}

// geminiCommand is "gemini -p", which has no schema for an answer. Hooks of ours that
// it may run end at once, see [DisableVariable].
func geminiCommand(c Config) Command {
	argv := []string{"gemini", "-p", "{task}", "--output-format", "json"}
	if c.Model.Name != "" {
		argv = append(argv, "-m", c.Model.Name)
	}
	return Command{Argv: argv, Model: c.Model.Name, Timeout: c.Timeout, Redact: c.Redact}
}

// Complete runs the command once. It is asked to stop when ctx ends, and
// killed, with what it started, if it does not.
func (c Command) Complete(ctx context.Context, r Request) (Response, error) {
	name := filepath.Base(c.Argv[0])
	timeout := cmp.Or(c.Timeout, 5*time.Minute)
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	dir, err := os.MkdirTemp("", "learnings-ask-")
	if err != nil {
		return Response{}, fmt.Errorf("asking %s: %v", name, err)
	}
	defer os.RemoveAll(dir)
	cmd, answer, err := c.prepare(ctx, dir, r)
	if err != nil {
		return Response{}, fmt.Errorf("asking %s: %w", name, err)
	}
	out, said := &capped{max: maxAnswer, full: cancel}, &lastBytes{max: 4 << 10}
	cmd.Stdout, cmd.Stderr = out, said
	err = cmd.Run()
	reap(cmd)
	text := out.buf.String()
	resp, isResult, rerr := readResult(text, c.Redact)
	if file, ferr := os.ReadFile(answer); ferr == nil && len(bytes.TrimSpace(file)) > 0 && len(file) <= maxAnswer {
		resp.Text, isResult, rerr = string(file), true, nil
	}
	switch {
	case out.over:
		return resp, fmt.Errorf("asking %s: %w: it printed more than %d MB", name, ErrProtocol, maxAnswer>>20)
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return resp, fmt.Errorf("asking %s: no answer within %s: %w", name, timeout, context.DeadlineExceeded)
	case ctx.Err() != nil:
		return resp, fmt.Errorf("asking %s: %w", name, ctx.Err())
	case isResult && rerr != nil:
		return resp, fmt.Errorf("asking %s: %w", name, rerr)
	case err != nil:
		return resp, fmt.Errorf("asking %s: %v: %s", name, err, excerpt(cmp.Or(said.String(), text), c.Redact))
	case isResult && strings.TrimSpace(resp.Text) != "":
		resp.Model = cmp.Or(resp.Model, c.Model)
		return resp, nil
	case isResult:
		return resp, fmt.Errorf("asking %s: %w: no text in it", name, ErrProtocol)
	case strings.TrimSpace(text) == "":
		return Response{}, fmt.Errorf("asking %s: %w: it printed nothing; %s", name, ErrProtocol, excerpt(said.String(), c.Redact))
	}
	return Response{Text: text, Model: c.Model}, nil
}

// prepare makes the command and the files that it wants; answer is where it
// may leave the answer.
func (c Command) prepare(ctx context.Context, dir string, r Request) (cmd *exec.Cmd, answer string, err error) {
	empty, schema := filepath.Join(dir, "empty"), filepath.Join(dir, "schema.json")
	answer = filepath.Join(dir, "answer")
	if err := os.Mkdir(empty, 0o700); err != nil {
		return nil, "", err
	}
	if err := os.WriteFile(schema, r.Schema, 0o600); err != nil {
		return nil, "", err
	}
	stdin := r.User
	if !slices.ContainsFunc(c.Argv, func(a string) bool { return strings.Contains(a, "{system}") }) {
		stdin = r.System + "\n\n" + r.User
	}
	fill := strings.NewReplacer("{system}", r.System, "{schema}", string(r.Schema), "{schema_file}", schema, "{answer_file}", answer, "{model}", c.Model, "{task}", Task)
	args := make([]string, len(c.Argv)-1)
	for i, a := range c.Argv[1:] {
		args[i] = fill.Replace(a)
	}
	cmd = exec.CommandContext(ctx, c.Argv[0], args...)
	cmd.Env = cmd.Environ()
	if slices.Contains(cmd.Env, DisableVariable+"=1") {
		return nil, "", ErrNested
	}
	cmd.Env = append(append(cmd.Env, c.Env...), DisableVariable+"=1")
	cmd.Dir = empty
	cmd.Stdin = strings.NewReader(stdin)
	cmd.WaitDelay = cmp.Or(c.Grace, 3*time.Second)
	asGroup(cmd)
	return cmd, answer, nil
}

func sorted(names []string) []string {
	slices.Sort(names)
	return names
}

// capped keeps the first bytes written to it and stops the writer when there
// are more. The buffer is not embedded: its ReadFrom would know no limit.
type capped struct {
	buf  bytes.Buffer
	max  int
	full func()
	over bool
}

func (c *capped) Write(p []byte) (int, error) {
	if c.buf.Len()+len(p) > c.max {
		c.over = true
		c.full()
		return 0, errFull
	}
	return c.buf.Write(p)
}

var errFull = errors.New("more than is read")

// lastBytes keeps the last bytes written to it.
type lastBytes struct {
	buf []byte
	max int
}

func (l *lastBytes) Write(p []byte) (int, error) {
	l.buf = append(l.buf, p...)
	if len(l.buf) > l.max {
		l.buf = slices.Clone(l.buf[len(l.buf)-l.max:])
	}
	return len(p), nil
}

func (l *lastBytes) String() string { return string(l.buf) }
