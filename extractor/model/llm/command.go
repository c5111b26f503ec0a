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

// DisableVariable is set to "1" for every command started here. Our hooks end at once
// if it is set, so that nothing is extracted from an agent that extracts.
const DisableVariable = "LEARNINGS_DISABLE"

// Task is the prompt of a command that takes the text on standard input. Its start
// marks our own sessions.
const Task = "[learnings-extraction] Read the text on standard input and answer as the instructions say."

// A command asks by running a program: the prompt goes to its standard input, and it
// prints the answer. In the arguments, {system}, {schema}, {model} and {task} stand for
// the texts, {schema_file} and {answer_file} for files with the schema and for the
// answer. A program without {system} gets that text on standard input, before the rest.
// No shell is involved.
//
// The program runs in an empty temporary folder. Output in the JSON of Claude Code,
// Codex or Gemini CLI is recognized from any program: the answer, its cost or tokens
// and the errors are taken from it.
type command struct {
	Config
	argv  []string
	env   []string      // "NAME=value", beside what this process has
	grace time.Duration // between the request to stop and the kill; 0 means 3 seconds
}

// commandOf returns the command of a provider.
//
// "claude -p" is asked without tools, hooks, plugins, memory or a transcript: they
// would multiply the cost, and could start us again. "gemini -p" supports no schema;
// our hooks, which it may run, end at once (see [DisableVariable]).
func commandOf(c Config) command {
	model := func(flag string) (words []string) {
		if c.Model.Name != "" {
			words = []string{flag, c.Model.Name}
		}
		return words
	}
	out := command{Config: c}
	switch c.Model.Provider {
	case Claude:
		out.argv = append([]string{
			"claude", "-p", "--safe-mode", "--no-session-persistence", "--settings", `{"disableAllHooks":true}`,
			"--tools", "", "--strict-mcp-config", "--max-turns", "4", "--output-format", "json", "--json-schema", "{schema}", "--system-prompt", "{system}",
		}, model("--model")...)
		if c.MaxUSD > 0 {
			out.argv = append(out.argv, "--max-budget-usd", strconv.FormatFloat(c.MaxUSD, 'f', 2, 64))
		}
		out.argv, out.env = append(out.argv, "{task}"), []string{"CLAUDE_CODE_SKIP_PROMPT_HISTORY=1"}
	case Codex:
		out.argv = append([]string{
			"codex", "exec", "--ephemeral", "--skip-git-repo-check", "--sandbox", "read-only", "-c", "features.hooks=false",
			"--json", "--output-schema", "{schema_file}", "-o", "{answer_file}",
		}, model("-m")...)
		out.argv = append(out.argv, "{task}")
	case Gemini:
		out.argv = append([]string{"gemini", "-p", "{task}", "--output-format", "json"}, model("-m")...)
	case OllamaRun:
		out.argv = []string{"ollama", "run", c.Model.Name, "--format", "json"}
	case Custom:
		out.argv = c.Command
	}
	return out
}

// Complete runs the command once. When ctx ends, it asks the command to stop, and kills
// it and its children if it does not.
func (c command) Complete(ctx context.Context, r Request) (Response, error) {
	resp, err := c.run(ctx, r)
	if err != nil {
		err = fmt.Errorf("asking %s: %w", filepath.Base(c.argv[0]), err)
	}
	return resp, err
}

func (c command) run(ctx context.Context, r Request) (Response, error) {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	dir, err := os.MkdirTemp("", "learnings-ask-")
	if err != nil {
		return Response{}, err
	}
	defer os.RemoveAll(dir)
	cmd, answer, err := c.prepare(ctx, dir, r)
	if err != nil {
		return Response{}, err
	}
	out, said := &kept{most: maxAnswer, full: cancel}, &kept{most: 4 << 10, last: true}
	cmd.Stdout, cmd.Stderr = out, said
	err = cmd.Run()
	reap(cmd)
	text, complaint := string(out.text), string(said.text)
	resp, isResult, why := c.readResult(text)
	if file, ferr := os.ReadFile(answer); ferr == nil && len(bytes.TrimSpace(file)) > 0 && len(file) <= maxAnswer {
		resp.Text, isResult, why = string(file), true, nil
	}
	switch {
	case out.over:
		return resp, fmt.Errorf("%w: it printed more than %d MB", ErrProtocol, maxAnswer>>20)
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return resp, fmt.Errorf("no answer within %s: %w", c.Timeout, context.DeadlineExceeded)
	case ctx.Err() != nil:
		return resp, ctx.Err()
	case why != nil:
		return resp, why
	case err != nil:
		return resp, fmt.Errorf("%w: %s", err, c.excerpt(cmp.Or(complaint, text)))
	case !isResult:
		resp.Text = text
	}
	if strings.TrimSpace(resp.Text) == "" {
		return resp, fmt.Errorf("%w: it printed no answer; %s", ErrProtocol, c.excerpt(complaint))
	}
	return resp, nil
}

// prepare makes the command and its files. answer is the path where it may leave the
// answer.
func (c command) prepare(ctx context.Context, dir string, r Request) (cmd *exec.Cmd, answer string, err error) {
	empty, schema := filepath.Join(dir, "empty"), filepath.Join(dir, "schema.json")
	answer = filepath.Join(dir, "answer")
	if err := errors.Join(os.Mkdir(empty, 0o700), os.WriteFile(schema, r.Schema, 0o600)); err != nil {
		return nil, "", err
	}
	stdin := r.User
	if !slices.ContainsFunc(c.argv, func(a string) bool { return strings.Contains(a, "{system}") }) {
		stdin = r.System + "\n\n" + r.User
	}
	fill := strings.NewReplacer("{system}", r.System, "{schema}", string(r.Schema), "{schema_file}", schema, "{answer_file}", answer, "{model}", c.Model.Name, "{task}", Task)
	args := make([]string, len(c.argv)-1)
	for i, a := range c.argv[1:] {
		args[i] = fill.Replace(a)
	}
	cmd = exec.CommandContext(ctx, c.argv[0], args...)
	cmd.Env = cmd.Environ()
	if slices.Contains(cmd.Env, DisableVariable+"=1") {
		return nil, "", ErrNested
	}
	cmd.Env = append(append(cmd.Env, c.env...), DisableVariable+"=1")
	cmd.Dir, cmd.Stdin = empty, strings.NewReader(stdin)
	cmd.WaitDelay = cmp.Or(c.grace, 3*time.Second)
	asGroup(cmd)
	return cmd, answer, nil
}

// A kept keeps the first bytes written to it and stops the writer at the limit, or it
// keeps the last bytes.
type kept struct {
	text []byte
	most int
	last bool
	full func()
	over bool
}

func (k *kept) Write(p []byte) (int, error) {
	if !k.last && len(k.text)+len(p) > k.most {
		k.over = true
		k.full()
		return 0, errors.New("more than is read")
	}
	k.text = append(k.text, p...)
	k.text = k.text[max(0, len(k.text)-k.most):]
	return len(p), nil
}
