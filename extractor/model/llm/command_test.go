package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// fakeVariable makes the test binary play the program that is asked.
const fakeVariable = "LEARNINGS_TEST_FAKE"

func TestMain(m *testing.M) {
	if part := os.Getenv(fakeVariable); part != "" {
		play(part, os.Args[1:])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// play is the program that a command starts in these tests.
func play(part string, args []string) {
	stdin, _ := io.ReadAll(os.Stdin)
	switch part {
	case "show": // prints what it was given
		dir, _ := os.Getwd()
		entries, _ := os.ReadDir(dir)
		json.NewEncoder(os.Stdout).Encode(map[string]any{"args": args, "stdin": string(stdin), "dir": dir, "files": len(entries), "disabled": os.Getenv(DisableVariable)})
	case "result":
		fmt.Print(os.Getenv("LEARNINGS_TEST_RESULT"))
	case "file": // answers as codex does: noise on stdout, the answer in a file
		fmt.Println(`{"type":"turn.completed","usage":{"input_tokens":100,"output_tokens":20}}`)
		for i, a := range args {
			if a == "-o" {
				os.WriteFile(args[i+1], []byte("  the answer\n"), 0o600)
			}
			if a == "--output-schema" {
				schema, err := os.ReadFile(args[i+1])
				if err != nil || string(schema) != schemaText {
					os.Exit(9)
				}
			}
		}
	case "fail":
		fmt.Fprintln(os.Stderr, "\x1b[31mno such model\x1b[0m")
		os.Exit(3)
	case "flood":
		line := strings.Repeat("x", 1<<16)
		for {
			if _, err := fmt.Println(line); err != nil {
				os.Exit(1)
			}
		}
	case "stubborn": // hears that it should stop, and does not
		signal.Ignore(syscall.SIGTERM)
		fmt.Fprintln(os.Stderr, "ready")
		notify()
		select {}
	case "polite":
		c := make(chan os.Signal, 1)
		signal.Notify(c, syscall.SIGTERM)
		notify()
		<-c
		os.WriteFile(os.Getenv("LEARNINGS_TEST_MARK"), []byte("stopped"), 0o600)
		os.Exit(143)
	case "recurse": // an agent whose hook would ask us again
		_, err := command{Config: Config{Timeout: time.Minute}, argv: []string{os.Args[0]}}.Complete(context.Background(), Request{})
		f, _ := os.OpenFile(os.Getenv("LEARNINGS_TEST_MARK"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		fmt.Fprintln(f, err)
		fmt.Print("done")
	}
}

// notify says that the program is ready, by a file.
func notify() { os.WriteFile(os.Getenv("LEARNINGS_TEST_MARK")+".ready", nil, 0o600) }

const schemaText = `{"type":"object"}`

var question = Request{System: "the rules", User: "the digest", Schema: json.RawMessage(schemaText)}

// fake is a command that plays a part.
func fake(part string, args ...string) command {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return command{Config: Config{Timeout: time.Minute}, argv: append([]string{self}, args...), env: []string{fakeVariable + "=" + part}}
}

func TestCommandGetsThePrompt(t *testing.T) {
	resp, err := fake("show", "{system}", "{schema}", "-m={model}", "{task}", "{other}").Complete(t.Context(), question)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Args                 []string
		Stdin, Dir, Disabled string
		Files                int
	}
	if err := json.Unmarshal([]byte(resp.Text), &got); err != nil {
		t.Fatal(err)
	}
	if want := []string{"the rules", schemaText, "-m=", Task, "{other}"}; strings.Join(got.Args, "|") != strings.Join(want, "|") {
		t.Errorf("args %q", got.Args)
	}
	if got.Stdin != "the digest" || got.Files != 0 || got.Disabled != "1" {
		t.Errorf("got %+v", got)
	}
	if _, err := os.Stat(got.Dir); err == nil {
		t.Errorf("%s is still there", got.Dir)
	}
	resp, err = fake("show").Complete(t.Context(), question)
	if err != nil || !strings.Contains(resp.Text, `"the rules\n\nthe digest"`) {
		t.Errorf("a command that takes no system prompt got %s, %v", resp.Text, err)
	}
}

func TestCommandAnswersInAFile(t *testing.T) {
	c := commandOf(Config{Model: Model{Codex, "gpt-5"}, Timeout: time.Minute})
	c.argv, c.env = append(fake("file").argv, c.argv[1:]...), fake("file").env
	resp, err := c.Complete(t.Context(), question)
	if err != nil || strings.TrimSpace(resp.Text) != "the answer" || resp.Usage.Out != 20 {
		t.Errorf("got %+v, %v", resp, err)
	}
}

// TestCommandsAreGuarded checks the arguments that keep an agent from starting
// us again, from using tools and from leaving a transcript.
func TestCommandsAreGuarded(t *testing.T) {
	c := strings.Join(commandOf(Config{Model: Model{Claude, "haiku"}, MaxUSD: 0.25}).argv, " ")
	for _, want := range []string{"--safe-mode", "--no-session-persistence", `{"disableAllHooks":true}`, "--tools  --strict-mcp-config", "--model haiku", "--max-budget-usd 0.25", "--max-turns 4", "--json-schema {schema}", "--system-prompt {system}"} {
		if !strings.Contains(c, want) {
			t.Errorf("claude is asked without %s: %s", want, c)
		}
	}
	c = strings.Join(commandOf(Config{Model: Model{Codex, ""}}).argv, " ")
	for _, want := range []string{"--ephemeral", "--sandbox read-only", "features.hooks=false"} {
		if !strings.Contains(c, want) {
			t.Errorf("codex is asked without %s: %s", want, c)
		}
	}
}

func TestNoRecursion(t *testing.T) {
	mark := filepath.Join(t.TempDir(), "mark")
	c := fake("recurse")
	c.env = append(c.env, "LEARNINGS_TEST_MARK="+mark)
	if resp, err := c.Complete(t.Context(), question); err != nil || resp.Text != "done" {
		t.Fatalf("got %+v, %v", resp, err)
	}
	data, err := os.ReadFile(mark)
	if err != nil || strings.Count(string(data), "\n") != 1 || !strings.Contains(string(data), ErrNested.Error()) {
		t.Errorf("it was started again: %q, %v", data, err)
	}
}

func TestResultsOfClaude(t *testing.T) {
	const usage = `"total_cost_usd":0.0123,"usage":{"input_tokens":5,"output_tokens":6},"modelUsage":{"claude-haiku-4-5":{"inputTokens":100,"outputTokens":20,"cacheReadInputTokens":3,"cacheCreationInputTokens":4}}`
	tests := []struct {
		name, result, text, err string
		is                      error
	}{
		{"structured", `{"type":"result","subtype":"success","is_error":false,"result":"prose","structured_output":{"a":1},` + usage + `}`, `{"a":1}`, "", nil},
		{"text", `{"type":"result","subtype":"success","is_error":false,"result":"prose",` + usage + `}`, "prose", "", nil},
		{"too many turns", `{"type":"result","subtype":"error_max_turns","is_error":true,"errors":["after 4 turns"],` + usage + `}`, "", "error_max_turns: after 4 turns", nil},
		{"not logged in", `{"type":"result","subtype":"success","is_error":true,"result":"Invalid API key · Please run /login",` + usage + `}`, "", "/login", ErrAuth},
		{"refused", `{"type":"result","subtype":"success","is_error":false,"result":"","stop_reason":"refusal",` + usage + `}`, "", "", ErrRefused},
		{"budget", `{"type":"result","subtype":"error_max_budget_usd","is_error":true,` + usage + `}`, "", "error_max_budget_usd", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := fake("result")
			c.env = append(c.env, "LEARNINGS_TEST_RESULT="+tt.result)
			resp, err := c.Complete(t.Context(), question)
			if (tt.err != "" || tt.is != nil) != (err != nil) || err != nil && !strings.Contains(err.Error(), tt.err) || tt.is != nil && !errors.Is(err, tt.is) {
				t.Errorf("error %v", err)
			}
			if resp.Cost != (Cost{0.0123, true}) || resp.Usage != (Usage{100, 20, 3, 4}) || tt.text != "" && resp.Text != tt.text {
				t.Errorf("got %+v", resp)
			}
		})
	}
}

func TestResultsOfOthers(t *testing.T) {
	const codex = `{"type":"thread.started","thread_id":"t"}
{"type":"turn.started"}
{"type":"item.completed","item":{"id":"i0","type":"reasoning","text":"hm"}}
{"type":"item.completed","item":{"id":"i1","type":"agent_message","text":"{\"a\":1}"}}
{"type":"turn.completed","usage":{"input_tokens":100,"cached_input_tokens":30,"output_tokens":20}}`
	tests := []struct {
		name, result, text, err string
		usage                   Usage
		is                      error
	}{
		{"codex", codex, `{"a":1}`, "", Usage{70, 20, 30, 0}, nil},
		{"codex failed", `{"type":"turn.started"}` + "\n" + `{"type":"turn.failed","error":{"message":"stream disconnected"}}`, "", "stream disconnected", Usage{}, nil},
		{"codex without login", `{"type":"thread.started"}` + "\n" + `{"type":"error","message":"Not logged in"}`, "", "Not logged in", Usage{}, ErrAuth},
		{"gemini", `{"response":"{\"a\":1}","stats":{"models":{"gemini-3-flash":{"tokens":{"prompt":100,"candidates":20,"cached":30,"thoughts":5,"total":125}}}}}`, `{"a":1}`, "", Usage{70, 25, 30, 0}, nil},
		{"gemini failed", `{"stats":{"models":{}},"error":{"type":"ApiError","message":"quota"}}`, "", "quota", Usage{}, nil},
		{"an answer of the model's own", `{"response":"x","lessons":[]}`, `{"response":"x","lessons":[]}`, "", Usage{}, nil},
	}
	for _, tt := range tests {
		c := fake("result")
		c.env = append(c.env, "LEARNINGS_TEST_RESULT="+tt.result)
		resp, err := c.Complete(t.Context(), question)
		if (tt.err != "") != (err != nil) || err != nil && !strings.Contains(err.Error(), tt.err) || tt.is != nil && !errors.Is(err, tt.is) {
			t.Errorf("%s: error %v", tt.name, err)
		}
		if resp.Text != tt.text || resp.Usage != tt.usage || resp.Cost.Known {
			t.Errorf("%s: got %+v", tt.name, resp)
		}
	}
}

func TestCommandsThatFail(t *testing.T) {
	if _, err := fake("fail").Complete(t.Context(), question); err == nil || !strings.Contains(err.Error(), "exit status 3") || !strings.Contains(err.Error(), "no such model") || strings.Contains(err.Error(), "\x1b") {
		t.Errorf("exit code: %v", err)
	}
	wary := fake("fail")
	wary.Redact = func(s string) string { return strings.ReplaceAll(s, "such model", "…") }
	if _, err := wary.Complete(t.Context(), question); err == nil || !strings.Contains(err.Error(), "no …") {
		t.Errorf("what it said is not redacted: %v", err)
	}
	if _, err := fake("result").Complete(t.Context(), question); !errors.Is(err, ErrProtocol) {
		t.Errorf("prints nothing: %v", err)
	}
	if _, err := fake("flood").Complete(t.Context(), question); !errors.Is(err, ErrProtocol) {
		t.Errorf("prints without end: %v", err)
	}
	if _, err := (command{Config: Config{Timeout: time.Minute}, argv: []string{"no-such-program-of-ours"}}).Complete(t.Context(), question); !errors.Is(err, exec.ErrNotFound) && (err == nil || !strings.Contains(err.Error(), "not found")) {
		t.Errorf("is not there: %v", err)
	}
}

func TestCommandIsStopped(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no SIGTERM")
	}
	for _, part := range []string{"polite", "stubborn"} {
		t.Run(part, func(t *testing.T) {
			mark := filepath.Join(t.TempDir(), "mark")
			c := fake(part)
			c.env, c.grace = append(c.env, "LEARNINGS_TEST_MARK="+mark), 200*time.Millisecond
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			go func() {
				for ctx.Err() == nil {
					if _, err := os.Stat(mark + ".ready"); err == nil {
						cancel()
					}
					runtime.Gosched()
				}
			}()
			if _, err := c.Complete(ctx, question); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
			if _, err := os.Stat(mark); (err == nil) != (part == "polite") {
				t.Errorf("it was told to stop: %v", err)
			}
		})
	}
}

func TestPrices(t *testing.T) {
	haiku, ok := PriceOf(Model{Anthropic, "claude-haiku-4-5"})
	if got := haiku.Of(Usage{In: 30_000, Out: 1000}); !ok || got.String() != "$0.0350" {
		t.Errorf("haiku: %v", got)
	}
	luna, ok := PriceOf(Model{OpenAI, "gpt-5.6-luna"})
	if got := luna.Of(Usage{In: 30_000, Out: 1000}); !ok || got.String() != "$0.0072" {
		t.Errorf("luna: %v", got)
	}
	for name, want := range map[string]float64{ // for a million tokens read
		"anthropic:claude-haiku-4-5-20251001": 1, "anthropic:claude-haiku-5-5": 0.10, "openai:gpt-6-luna": 0.10, "openai:gpt-5.4-mini-2026-03-17": 0.75,
		"openrouter:anthropic/claude-sonnet-5.5": 2, "openrouter:openai/gpt-6-luna": 0.10, "openrouter:meta/some-model:free": 0,
	} {
		m, err := ParseModel(name)
		if p, ok := PriceOf(m); err != nil || !ok || p.In != want {
			t.Errorf("%s: %v, %v, %v", name, p, ok, err)
		}
	}
	for _, name := range []string{"openrouter:meta/some-model", "openai:gpt-6-luna-fast", "anthropic:gpt-6-luna", "codex", "command"} {
		if m, err := ParseModel(name); err != nil {
			t.Error(err)
		} else if p, ok := PriceOf(m); ok {
			t.Errorf("%s has the price %v", name, p)
		}
	}
	if _, err := time.Parse(time.DateOnly, PricesAsOf()); err != nil || len(prices()) < 20 {
		t.Errorf("%d prices, as of %q", len(prices()), PricesAsOf())
	}
	for m, p := range prices() {
		if p.In <= 0 || p.Out < p.In || p.CacheRead <= 0 || p.CacheRead > p.In || p.CacheWrite < p.In {
			t.Errorf("%s: %+v", m, p)
		}
	}
	if _, ok := PriceOf(Model{Anthropic, "claude-of-tomorrow"}); ok {
		t.Error("a price was guessed")
	}
	if p, ok := PriceOf(Model{Ollama, "qwen3:8b"}); !ok || p.Of(Usage{In: 1e6}).String() != "free" {
		t.Error("a local model is not free")
	}
	if s := (Cost{}).String(); s != "unknown cost" {
		t.Error(s)
	}
}
