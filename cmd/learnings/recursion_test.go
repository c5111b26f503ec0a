package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"learnings/extractor/intake"
	"learnings/extractor/live"
	"learnings/extractor/model/llm"
	"learnings/lessons"
)

// Asking a model can start an agent, whose hooks start a worker, which asks a model. Four
// guards prevent that: a variable, flags, a mark in the prompt, and a rate limit. The
// agent in these tests respects only one of them at a time.

// guardVariable tells the agent which guard to respect.
const guardVariable = "LEARNINGS_TEST_GUARD"

// claudeName is the name under which this test binary is the agent.
const claudeName = "claude"

// playClaude is the agent. It misbehaves: it keeps a transcript, drops the variable, and
// calls the hook at the end.
func playClaude() int {
	stdin, _ := io.ReadAll(os.Stdin)
	guard, home := os.Getenv(guardVariable), os.Getenv("HOME")
	calls, err := os.OpenFile(filepath.Join(home, "calls"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return 1
	}
	fmt.Fprintf(calls, "%q\n", os.Args[1:])
	calls.Close()
	answer := noLessons
	if strings.Contains(string(stdin), "<learnings-lessons>") {
		answer = oneText
	}
	if guard == "flags" && slices.Contains(os.Args, "--safe-mode") && slices.Contains(os.Args, "--no-session-persistence") &&
		slices.Contains(os.Args, `{"disableAllHooks":true}`) {
		fmt.Print(answer)
		return 0
	}
	id := fmt.Sprintf("7c000000-aaaa-bbbb-cccc-%012d", os.Getpid())
	prompt := os.Args[len(os.Args)-1] + "\n" + string(stdin)
	if guard != "marker" {
		prompt = strings.ReplaceAll(prompt, "[learnings-extraction]", "")
	}
	path := filepath.Join(home, "claude", "projects", "-tmp", id+".jsonl")
	text := turnOf(id, "user", prompt) + "\n" + turnOf(id, "assistant", strings.Repeat("I read the digest. ", 80)) + "\n" + turnOf(id, "user", lessonOf(os.Getpid()%1000)) + "\n"
	if os.MkdirAll(filepath.Dir(path), 0o700) != nil || os.WriteFile(path, []byte(text), 0o600) != nil {
		return 1
	}
	self, err := os.Executable()
	if err != nil {
		return 1
	}
	cmd := exec.Command(self, "hook", "session-end")
	if cmd.Stdin, err = written(payloadOf("SessionEnd", path)); err != nil {
		return 1
	}
	cmd.Env = os.Environ()
	if guard != "variable" {
		cmd.Env = slices.DeleteFunc(cmd.Env, func(v string) bool { return strings.HasPrefix(v, llm.DisableVariable+"=") })
	}
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		return 1
	}
	fmt.Print(answer)
	return 0
}

// The agent's answers to requests for lessons and for one text.
const (
	noLessons = `{"type":"result","subtype":"success","is_error":false,"result":"","structured_output":{"decision":"NONE","lessons":[]},"total_cost_usd":0.0}`
	oneText   = `{"type":"result","subtype":"success","is_error":false,"result":"","structured_output":{"decision":"MERGE","reason":"","lessons":[{"content":"Call the new tool, never the old one.","why":"","example":""}]},"total_cost_usd":0.01}`
)

// calls counts the starts of the agent.
func (m liveMachine) calls() int {
	text, err := os.ReadFile(filepath.Join(m.home, "calls"))
	if errors.Is(err, fs.ErrNotExist) {
		return 0
	} else if err != nil {
		m.t.Fatal(err)
	}
	return bytes.Count(text, []byte("\n"))
}

// age makes all transcripts an hour old.
func (m liveMachine) age() {
	paths, err := filepath.Glob(filepath.Join(m.home, "claude", "projects", "*", "*.jsonl"))
	if err != nil || len(paths) < 2 {
		m.t.Fatalf("%d transcripts, %v", len(paths), err)
	}
	at := time.Now().Add(-time.Hour)
	for _, path := range paths {
		if err := os.Chtimes(path, at, at); err != nil {
			m.t.Fatal(err)
		}
	}
}

// asking returns a machine whose worker asks the agent.
func asking(t *testing.T, guard string) liveMachine {
	if runtime.GOOS == "windows" {
		t.Skip("Windows makes no link to this program without rights, and the agent is one")
	}
	m := newLiveMachine(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(m.home, "bin")
	config := filepath.Join(m.home, "config", "learnings", "config.toml")
	for _, dir := range []string{bin, filepath.Dir(config)} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(self, filepath.Join(bin, claudeName)); err != nil {
		t.Fatal(err)
	}
	text := "[learning]\nmodel = \"claude:haiku\"\nmodel_in_background = true\nmax_usd_per_month = 50\nmax_usd_per_run = 0\n"
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	m.extra = []string{"PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH"), guardVariable + "=" + guard}
	return m
}

// TestNoRecursion respects one guard at a time: the agent is only asked about the one
// session, never about its own.
func TestNoRecursion(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: starts some dozen processes")
	}
	eachProgram(t, noRecursion)
}

func noRecursion(t *testing.T, small bool) {
	for _, guard := range []string{"variable", "flags", "marker"} {
		t.Run(guard, func(t *testing.T) {
			t.Parallel()
			m := asking(t, guard)
			m.small = small
			path := m.session(1, lessonOf(1))
			m.hook("session-end", payloadOf("SessionEnd", path))
			m.idle()
			if n := m.calls(); n != 1 {
				t.Errorf("the agent was started %d times", n)
			}
			if guard == "marker" { // its own transcript is not read later either
				m.age()
				m.hook("session-end", payloadOf("SessionEnd", path))
				m.idle()
				if n := m.calls(); n != 1 {
					t.Errorf("then the agent was started %d times", n)
				}
			}
			m.until("no process is left", func() bool { return len(processesOf(t, m.home)) == 0 })
			for _, l := range m.all() {
				t.Errorf("proposed %q", l.Content)
			}
		})
	}
}

// TestRecursionIsBounded respects only the last guard: the agent is asked up to the rate
// limit, and waiting notices are kept.
func TestRecursionIsBounded(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("left out with -short: starts some dozen processes")
	}
	m := asking(t, "rate")
	m.small = true
	path := m.session(1, lessonOf(1))
	const few = 5 // are left of this hour
	rate := live.Rate{State: m.state(), Name: intake.AskedName, Most: intake.ModelRate, Span: time.Hour}
	if err := os.MkdirAll(m.state(), 0o700); err != nil {
		t.Fatal(err)
	}
	for range intake.ModelRate - few {
		if ok, err := rate.Allow(time.Now()); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	m.hook("session-end", payloadOf("SessionEnd", path))
	m.idle()
	if n := m.calls(); n != few {
		t.Errorf("the agent was started %d times, want %d", n, few)
	}
	if !(live.Spool{State: m.state()}).Waiting() {
		t.Error("what was put off is lost")
	}
	for range 3 {
		m.hook("session-end", payloadOf("SessionEnd", path))
		m.idle()
	}
	if n := m.calls(); n != few {
		t.Errorf("then the agent was started %d times, want %d", n, few)
	}
}

// TestStopAsksNobody checks that the end of a turn asks no model, and that nothing does
// without the key in the configuration.
func TestStopAsksNobody(t *testing.T) { eachProgram(t, stopAsksNobody) }

func stopAsksNobody(t *testing.T, small bool) {
	m := asking(t, "variable")
	m.small = small
	path := m.session(1, lessonOf(1))
	m.hook("stop", payloadOf("Stop", path))
	m.idle()
	if n := m.calls(); n != 0 {
		t.Errorf("the agent was started %d times at the end of a turn", n)
	}
	config := filepath.Join(m.home, "config", "learnings", "config.toml")
	if err := os.WriteFile(config, []byte("[learning]\nmodel = \"claude:haiku\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	m.hook("session-end", payloadOf("SessionEnd", path))
	m.idle()
	if n := m.calls(); n != 0 {
		t.Errorf("the agent was started %d times without model_in_background", n)
	}
	if len(m.all()) != 1 {
		t.Error("the rules did not do it")
	}
}

// TestWorkerWithoutItsModel has the server of the model fail, and then answer: the rules
// read meanwhile, no hook waits for it, and the next one has it read. A second session
// that says what it was not sure of brings that up.
func TestWorkerWithoutItsModel(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("left out with -short: starts some processes")
	}
	m := newLiveMachine(t)
	m.small = true
	quote := lessonOf(1)
	answer := func(supersedes string) string {
		return fmt.Sprintf(`{"decision":"LEARN","lessons":[{"quote":%q,"content":"Only this: %s","confidence":"likely","supersedes":%q}]}`, quote, quote, supersedes)
	}
	s := newModelServer(t, 401, answer(""))
	m.extra = []string{"OPENAI_API_KEY=k-test", "OPENAI_BASE_URL=" + s.URL}
	if out, err := m.command(t.Context(), "setup", "--model", "openai:gpt-6-luna").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	end := func(path string) {
		m.hook("session-end", payloadOf("SessionEnd", path))
		m.idle()
	}
	proposed := func(when string, asked int32, extractor string, lane lessons.Lane, told int) {
		t.Helper()
		ls := slices.Collect(maps.Values(m.all()))
		if s.asked.Load() != asked || len(ls) != 1 || ls[0].Origin.Extractor != extractor || ls[0].Waits() != lane || len(ls[0].Evidence) != told {
			log, _ := os.ReadFile(filepath.Join(m.state(), "hook.log"))
			t.Fatalf("%s: asked %d times, proposed %+v\n%s", when, s.asked.Load(), ls, log)
		}
	}
	first := m.session(1, quote)
	end(first)
	proposed("without a key", 1, "rules", lessons.Likely, 1)
	s.status = 200
	end(first)
	proposed("with it", 2, "model:openai:gpt-6-luna", lessons.Maybe, 1)
	end(first)
	s.answer = strings.Replace(answer("L1"), "Only this: ", "In every case: ", 1)
	end(m.session(2, quote))
	proposed("said again", 3, "model:openai:gpt-6-luna", lessons.Likely, 2)
}
