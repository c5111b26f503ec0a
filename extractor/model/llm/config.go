package llm

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// A Provider serves models.
type Provider string

const (
	Anthropic  Provider = "anthropic"  // Messages API
	OpenAI     Provider = "openai"     // Chat Completions, as are the four that follow
	OpenRouter Provider = "openrouter" //
	Ollama     Provider = "ollama"     //
	LMStudio   Provider = "lmstudio"   //
	VLLM       Provider = "vllm"       //
	Claude     Provider = "claude"     // the command "claude -p"
	Codex      Provider = "codex"      // the command "codex exec"
	Gemini     Provider = "gemini"     // the command "gemini -p"
	OllamaRun  Provider = "ollama-run" // the command "ollama run"
	Custom     Provider = "command"    // the command that Config.Command names
)

// A provision says how to reach a provider.
type provision struct {
	base    string // of the API; "" for a command
	key     string // variable with the key; "" if none is needed
	program string // of a command; "" for the one the person has configured
	free    bool   // runs on the user's own machine
}

var provisions = map[Provider]provision{
	Anthropic:  {base: "https://api.anthropic.com", key: "ANTHROPIC_API_KEY"},
	OpenAI:     {base: "https://api.openai.com/v1", key: "OPENAI_API_KEY"},
	OpenRouter: {base: "https://openrouter.ai/api/v1", key: "OPENROUTER_API_KEY"},
	Ollama:     {base: "http://localhost:11434/v1", free: true},
	LMStudio:   {base: "http://localhost:1234/v1", free: true},
	VLLM:       {base: "http://localhost:8000/v1", free: true},
	Claude:     {program: "claude"},
	Codex:      {program: "codex"},
	Gemini:     {program: "gemini"},
	OllamaRun:  {program: "ollama", free: true},
	Custom:     {},
}

// A Model is one model of one provider.
type Model struct {
	Provider Provider
	Name     string // as the provider calls it; "" lets a command choose
}

// ParseModel parses "provider:name", the form that Octomind uses too. Names may contain
// colons: "ollama:qwen3:8b". Commands need no name: "claude", "codex", "command".
func ParseModel(s string) (Model, error) {
	provider, name, _ := strings.Cut(strings.TrimSpace(s), ":")
	m := Model{Provider(strings.ToLower(provider)), strings.TrimSpace(name)}
	p, ok := provisions[m.Provider]
	switch {
	case !ok:
		return Model{}, unknown(s, provider)
	case m.Name == "" && (p.base != "" || m.Provider == OllamaRun):
		return Model{}, fmt.Errorf("model %q: say which model of %s, as in %q", s, provider, provider+":name")
	case strings.HasPrefix(m.Name, "-"):
		return Model{}, fmt.Errorf("model %q: a model's name does not begin with a dash", s)
	}
	return m, nil
}

func unknown(model, provider string) error {
	var names []string
	for _, p := range slices.Sorted(maps.Keys(provisions)) {
		names = append(names, string(p))
	}
	return fmt.Errorf("model %q: %q is none of the providers %s", model, provider, strings.Join(names, ", "))
}

// String returns the model in the form of [ParseModel].
func (m Model) String() string {
	if m.Name == "" {
		return string(m.Provider)
	}
	return string(m.Provider) + ":" + m.Name
}

// KeyVariable returns the usual environment variable of a provider's key; "" if it
// needs none.
func (p Provider) KeyVariable() string { return provisions[p].key }

// A Config says which model to ask and how. It contains only values: nothing is read
// from the environment.
type Config struct {
	Model     Model
	BaseURL   string   // instead of the provider's own; for OpenAI's protocol with its "/v1"
	Key       Secret   // API key; a server on this machine needs none
	AuthToken Secret   // Anthropic only: a bearer token instead of the key
	Command   []string // of the provider "command": program and arguments

	Timeout time.Duration // of a request with all its retries; 0 means 5 minutes
	Attempt time.Duration // of one try; 0 means 2 minutes
	Retries int           // after the first try; 0 means 2, less than 0 none

	MaxUSD float64 // of one call; only "claude -p" can enforce it; 0 means no limit

	Redact func(string) string `json:"-"` // redacts what errors quote of a server or a command; nil changes nothing
}

func (c Config) withDefaults() Config {
	c.Timeout = cmp.Or(c.Timeout, 5*time.Minute)
	c.Attempt = cmp.Or(c.Attempt, 2*time.Minute)
	c.BaseURL = strings.TrimRight(cmp.Or(c.BaseURL, provisions[c.Model.Provider].base), "/")
	c.Retries = max(cmp.Or(c.Retries, 2), 0)
	return c
}

// New returns the client for a model. It makes no call.
func New(c Config) (Completer, error) {
	c = c.withDefaults()
	p, ok := provisions[c.Model.Provider]
	switch {
	case !ok:
		return nil, unknown(c.Model.String(), string(c.Model.Provider))
	case c.Model.Provider == Custom && (len(c.Command) == 0 || c.Command[0] == ""):
		return nil, fmt.Errorf("model %s: no command is set", c.Model)
	case p.base == "":
		return commandOf(c), nil
	}
	if err := c.checkServer(); err != nil {
		return nil, err
	}
	return newServer(c), nil
}

// Ready returns why a model could not be asked, without making a call: a missing key or
// program, or an invalid address. lookPath is exec.LookPath.
func (c Config) Ready(lookPath func(string) (string, error)) error {
	client, err := New(c)
	if run, ok := client.(command); ok {
		if _, err := lookPath(run.argv[0]); err != nil {
			return fmt.Errorf("model %s: there is no program %s", c.Model, c.excerpt(run.argv[0]))
		}
	}
	return err
}

// checkServer refuses to send a key where others can listen, or a request without the
// key that it needs.
func (c Config) checkServer() error {
	p := provisions[c.Model.Provider]
	u, err := url.Parse(c.BaseURL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("model %s: the base URL %q is not an http address", c.Model, c.excerpt(c.BaseURL))
	}
	keyed := c.Key != "" || c.AuthToken != ""
	switch {
	case u.User != nil:
		return fmt.Errorf("model %s: set the key apart from the base URL", c.Model)
	case p.key != "" && !keyed && c.BaseURL == p.base:
		return fmt.Errorf("model %s: %w: none is set, it is usually in %s", c.Model, ErrAuth, p.key)
	case keyed && u.Scheme == "http" && !near(u.Hostname()):
		return fmt.Errorf("model %s: the key would go to %s unencrypted; use https", c.Model, u.Host)
	}
	return nil
}

// near reports whether a host is this machine or in a private network.
func near(host string) bool {
	if ip := net.ParseIP(host); ip != nil {
		return ip.IsLoopback() || ip.IsPrivate()
	}
	return !strings.Contains(host, ".") || strings.HasSuffix(host, ".local") || strings.HasSuffix(host, ".localhost") || strings.HasSuffix(host, ".internal")
}

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
				note = "about " + price.Of(Usage{In: sessionIn, Out: sessionOut}).String() + " a session"
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
