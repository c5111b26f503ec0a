package llm

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Surroundings are where [Available] looks, in place of the environment of the process.
type Surroundings struct {
	Env      func(string) string          // "" for an unset variable
	LookPath func(string) (string, error) // as exec.LookPath
	Servers  map[Provider]string          // base URLs to try instead of the usual ones; an empty one is skipped
	Command  []string                     // configured as the model "command"; nil for none
	Timeout  time.Duration                // for all servers together; 0 means 300 ms
}

// A Candidate is an available way to extract lessons by a model. None is chosen
// automatically: some cost money, the others take the machine's time.
type Candidate struct {
	Model  string // the setting; for a local server, one of its models
	Where  string // the variable, the program's path or the server's address
	Costs  bool   // money, or a subscription's allowance
	Note   string // what else there is to know
	Models []string
}

// Available lists what is available: keys, commands, local servers. It makes one short
// request to the usual address of each local server, and none to the network.
func Available(ctx context.Context, p Surroundings) (out []Candidate) {
	for _, k := range []struct {
		model Model
		names []string
	}{
		{Model{Anthropic, "claude-haiku-5-5"}, []string{"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"}},
		{Model{OpenAI, "gpt-6-luna"}, []string{"OPENAI_API_KEY"}},
		{Model{OpenRouter, "anthropic/claude-haiku-5.5"}, []string{"OPENROUTER_API_KEY"}},
	} {
		for _, name := range k.names {
			if p.Env(name) == "" {
				continue
			}
			note := "the price is not known here"
			if price, ok := PriceOf(k.model); ok {
				note = "about " + price.OfSession().String() + " a session"
			}
			out = append(out, Candidate{Model: k.model.String(), Where: name, Costs: true, Note: note})
			break
		}
	}
	for _, c := range []struct{ program, model, agent string }{
		{"claude", "claude:haiku", "Claude Code"}, {"codex", "codex", "Codex"}, {"gemini", "gemini", "Gemini CLI"},
	} {
		if path, err := p.LookPath(c.program); err == nil {
			out = append(out, Candidate{Model: c.model, Where: path, Costs: true, Note: "uses the login of " + c.agent})
		}
	}
	if len(p.Command) > 0 {
		c := Candidate{Model: string(Custom), Where: p.Command[0], Costs: true, Note: "the configured command"}
		if path, err := p.LookPath(p.Command[0]); err == nil {
			c.Where = path
		} else {
			c.Note += ", which was not found"
		}
		out = append(out, c)
	}
	return append(out, servers(ctx, p)...)
}

// servers asks all local servers for their models at once.
func servers(ctx context.Context, p Surroundings) (out []Candidate) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(p.Timeout, 300*time.Millisecond))
	defer cancel()
	locals := []Provider{Ollama, LMStudio, VLLM}
	found := make([]Candidate, len(locals))
	var wg sync.WaitGroup
	for i, provider := range locals {
		base, set := p.Servers[provider]
		if !set {
			base = provisions[provider].base
		}
		wg.Go(func() {
			switch models, ok := listModels(ctx, base); {
			case base == "" || !ok:
			case len(models) == 0:
				found[i] = Candidate{Where: base, Note: "no model is loaded there"}
			default:
				found[i] = Candidate{Model: string(provider) + ":" + models[0], Where: base, Note: "runs on this machine", Models: models}
			}
		})
	}
	wg.Wait()
	for _, c := range found {
		if c.Where != "" {
			out = append(out, c)
		}
	}
	if path, err := p.LookPath("ollama"); err == nil && found[0].Where == "" {
		out = append(out, Candidate{Where: path, Note: "its server is not running; start it with \"ollama serve\""})
	}
	return out
}

// listModels asks a server that speaks OpenAI's protocol for its models.
func listModels(ctx context.Context, base string) (names []string, ok bool) {
	s := newServer(Config{BaseURL: strings.TrimRight(base, "/"), Attempt: time.Second})
	status, _, body, err := s.send(ctx, http.MethodGet, "/models", nil)
	var list struct {
		Object string
		Data   []struct{ ID string }
	}
	if err != nil || status != http.StatusOK || json.Unmarshal(body, &list) != nil || list.Object == "" && list.Data == nil {
		return nil, false
	}
	for _, m := range list.Data {
		if name := s.excerpt(m.ID); name != "" && !strings.HasPrefix(name, "-") {
			names = append(names, name)
		}
	}
	return names, true
}
