package llm

import (
	"errors"
	"os/exec"
	"strings"
	"testing"
)

// TestReady checks what is said of models without asking anybody.
func TestReady(t *testing.T) {
	look := func(name string) (string, error) {
		if name == "claude" {
			return "/bin/claude", nil
		}
		return "", exec.ErrNotFound
	}
	for _, c := range []struct {
		config Config
		want   string // part of the error; "" for none
	}{
		{Config{Model: Model{Anthropic, "claude-haiku"}, Key: "sk-secret"}, ""},
		{Config{Model: Model{Anthropic, "claude-haiku"}}, "ANTHROPIC_API_KEY"},
		{Config{Model: Model{Ollama, "qwen3"}}, ""},
		{Config{Model: Model{OpenAI, "gpt"}, Key: "sk-secret", BaseURL: "http://example.com/v1"}, "unencrypted"},
		{Config{Model: Model{Claude, "haiku"}}, ""},
		{Config{Model: Model{Codex, ""}}, "no program codex"},
		{Config{Model: Model{Custom, ""}, Command: []string{"llm", "-m"}}, "no program llm"},
		{Config{Model: Model{Custom, ""}}, "no command is set"},
	} {
		err := c.config.Ready(look)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "secret")) {
			t.Errorf("%s: %v, want %q", c.config.Model, err, c.want)
		}
	}
}

// TestReach checks that a server is asked once, at an address that costs nothing.
func TestReach(t *testing.T) {
	for _, c := range []struct {
		status int
		model  Model
		path   string
		want   error
	}{
		{200, Model{Anthropic, "m"}, "/v1/models", nil},
		{200, Model{OpenAI, "m"}, "/models", nil},
		{404, Model{VLLM, "m"}, "/models", nil},
		{401, Model{Anthropic, "m"}, "/v1/models", ErrAuth},
		{429, Model{OpenAI, "m"}, "/models", ErrBusy},
	} {
		s, url := serve(t, say(c.status, `{"error":{"message":"no"}}`))
		err := Config{Model: c.model, Key: "sk-secret", BaseURL: url}.Reach(t.Context())
		if !errors.Is(err, c.want) || c.want == nil && err != nil || s.calls() != 1 || s.paths[0] != c.path {
			t.Errorf("%d: %v after %d calls to %v, want %v", c.status, err, s.calls(), s.paths, c.want)
		}
	}
	if err := (Config{Model: Model{OpenAI, "m"}, Key: "sk-secret", BaseURL: "http://127.0.0.1:1/v1"}).Reach(t.Context()); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("nobody there: %v", err)
	}
	if err := (Config{Model: Model{Claude, ""}}).Reach(t.Context()); err != nil {
		t.Errorf("a command: %v", err)
	}
}
