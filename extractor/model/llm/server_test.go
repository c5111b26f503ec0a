package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

const schema = `{"type":"object","properties":{"quote":{"type":"string"},"content":{"type":"string"}},"required":["quote","content"],"additionalProperties":false}`

var ask = Request{System: "the rules", User: "the digest", Schema: json.RawMessage(schema)}

// A script answers the requests to a server one after the other; the last
// answer is for all that follow.
type script struct {
	t       *testing.T
	mu      sync.Mutex
	answers []http.HandlerFunc
	bodies  []map[string]any
	headers []http.Header
	paths   []string
}

func (s *script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	data, _ := io.ReadAll(r.Body)
	var body map[string]any
	_ = json.Unmarshal(data, &body)
	s.mu.Lock()
	n := min(len(s.bodies), len(s.answers)-1)
	s.bodies, s.headers, s.paths = append(s.bodies, body), append(s.headers, r.Header), append(s.paths, r.URL.Path)
	answer := s.answers[n]
	s.mu.Unlock()
	answer(w, r)
}

func (s *script) calls() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.bodies)
}

func serve(t *testing.T, answers ...http.HandlerFunc) (*script, string) {
	s := &script{t: t, answers: answers}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return s, server.URL
}

func say(status int, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("content-type", "application/json")
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

// hang answers nothing until the client has gone.
func hang(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

const key = Secret("sk-test-0123456789")

// A wire is one of the two protocols, with the answers that its servers give.
type wire struct {
	name, path         string
	config             func(base string) Config
	fine, cut, refusal string
	busy, denied       string
}

var wires = []wire{
	{
		name: "messages", path: "/v1/messages",
		config: func(base string) Config {
			return Config{Model: Model{Anthropic, "claude-haiku-4-5"}, BaseURL: base, Key: key}
		},
		fine:    `{"id":"msg_1","type":"message","role":"assistant","model":"claude-haiku-4-5-20251001","content":[{"type":"text","text":"{\"quote\":\"q\",\"content\":\"c\"}"}],"stop_reason":"end_turn","usage":{"input_tokens":1000,"output_tokens":200,"cache_read_input_tokens":500,"cache_creation_input_tokens":0}}`,
		cut:     `{"id":"msg_1","type":"message","role":"assistant","model":"claude-haiku-4-5","content":[{"type":"text","text":"{\"quote\":\"q"}],"stop_reason":"max_tokens","usage":{"input_tokens":10,"output_tokens":2048}}`,
		refusal: `{"id":"msg_1","type":"message","role":"assistant","model":"claude-haiku-4-5","content":[],"stop_reason":"refusal","usage":{"input_tokens":10,"output_tokens":1}}`,
		busy:    `{"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}`,
		denied:  `{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key sk-test-0123456789"}}`,
	},
	{
		name: "chat completions", path: "/v1/chat/completions",
		config: func(base string) Config {
			return Config{Model: Model{OpenAI, "gpt-5.6-luna"}, BaseURL: base + "/v1", Key: key}
		},
		fine:    `{"id":"c1","object":"chat.completion","model":"gpt-5.6-luna-2026","choices":[{"index":0,"message":{"role":"assistant","content":"{\"quote\":\"q\",\"content\":\"c\"}","refusal":null},"finish_reason":"stop"}],"usage":{"prompt_tokens":1500,"completion_tokens":200,"prompt_tokens_details":{"cached_tokens":500}}}`,
		cut:     `{"choices":[{"message":{"content":"{\"quote\":\"q"},"finish_reason":"length"}],"usage":{"prompt_tokens":10,"completion_tokens":2048}}`,
		refusal: `{"choices":[{"message":{"content":null,"refusal":"I cannot help with that"},"finish_reason":"stop"}],"usage":{"prompt_tokens":10,"completion_tokens":1}}`,
		busy:    `{"error":{"message":"slow down","type":"rate_limit"}}`,
		denied:  `{"error":{"message":"Incorrect API key provided: sk-test-0123456789","code":"invalid_api_key"}}`,
	},
}

// eachWire runs a test for both protocols.
func eachWire(t *testing.T, f func(t *testing.T, w wire)) {
	for _, w := range wires {
		t.Run(w.name, func(t *testing.T) { t.Parallel(); f(t, w) })
	}
}

func client(t *testing.T, c Config) Completer {
	t.Helper()
	m, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	if s, ok := m.(*server); ok {
		s.wait = func(ctx context.Context, d time.Duration) error { return ctx.Err() }
	}
	return m
}

func TestAnswerOverTheWire(t *testing.T) {
	eachWire(t, func(t *testing.T, w wire) {
		s, base := serve(t, say(200, w.fine))
		resp, err := client(t, w.config(base)).Complete(t.Context(), ask)
		if err != nil {
			t.Fatal(err)
		}
		if resp.Text != `{"quote":"q","content":"c"}` || resp.Truncated || resp.Usage != (Usage{In: 1000, Out: 200, CacheRead: 500}) {
			t.Errorf("got %+v", resp)
		}
		if s.paths[0] != w.path {
			t.Errorf("asked %s", s.paths[0])
		}
	})
}

// OpenRouter tells what a call cost; of another server the word means nothing.
func TestCostOfOpenRouter(t *testing.T) {
	_, base := serve(t, say(200, `{"choices":[{"message":{"content":"x"},"finish_reason":"stop"}],"usage":{"prompt_tokens":194,"completion_tokens":2,"cost":0.0095,"prompt_tokens_details":{"cached_tokens":30,"cache_write_tokens":100}}}`))
	for provider, want := range map[Provider]Cost{OpenRouter: {0.0095, true}, OpenAI: {}} {
		resp, err := client(t, Config{Model: Model{provider, "m"}, BaseURL: base, Key: key}).Complete(t.Context(), ask)
		if err != nil || resp.Cost != want || resp.Usage != (Usage{In: 64, Out: 2, CacheRead: 30, CacheWrite: 100}) {
			t.Errorf("%s: %+v, %v", provider, resp, err)
		}
	}
}

func TestRequestOnTheWire(t *testing.T) {
	s, base := serve(t, say(200, wires[0].fine))
	if _, err := client(t, wires[0].config(base)).Complete(t.Context(), ask); err != nil {
		t.Fatal(err)
	}
	got, _ := json.Marshal(s.bodies[0])
	want := `{"max_tokens":8192,"messages":[{"content":[{"text":"the digest","type":"text"}],"role":"user"}],"model":"claude-haiku-4-5","output_config":{"format":{"schema":` + sortKeys(schema) + `,"type":"json_schema"}},"system":[{"cache_control":{"type":"ephemeral"},"text":"the rules","type":"text"}]}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if h := s.headers[0]; h.Get("x-api-key") != string(key) || h.Get("anthropic-version") != "2023-06-01" || h.Get("authorization") != "" {
		t.Errorf("headers %v", h)
	}
	s, base = serve(t, say(200, wires[1].fine))
	if _, err := client(t, wires[1].config(base)).Complete(t.Context(), ask); err != nil {
		t.Fatal(err)
	}
	got, _ = json.Marshal(s.bodies[0])
	want = `{"max_completion_tokens":8192,"messages":[{"content":"the rules","role":"system"},{"content":"the digest","role":"user"}],"model":"gpt-5.6-luna","response_format":{"json_schema":{"name":"answer","schema":` + sortKeys(schema) + `,"strict":true},"type":"json_schema"}}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if h := s.headers[0]; h.Get("authorization") != "Bearer "+string(key) {
		t.Errorf("headers %v", h)
	}
}

func sortKeys(s string) string {
	var v any
	_ = json.Unmarshal([]byte(s), &v)
	out, _ := json.Marshal(v)
	return string(out)
}

func TestTriesAgain(t *testing.T) {
	eachWire(t, func(t *testing.T, w wire) {
		s, base := serve(t, say(429, w.busy), say(500, "oops"), say(200, w.fine))
		if resp, err := client(t, w.config(base)).Complete(t.Context(), ask); err != nil || s.calls() != 3 || resp.Text == "" {
			t.Errorf("%d calls, %v", s.calls(), err)
		}
	})
}

func TestBusyForEver(t *testing.T) {
	eachWire(t, func(t *testing.T, w wire) {
		s, base := serve(t, say(429, w.busy))
		_, err := client(t, w.config(base)).Complete(t.Context(), ask)
		if !errors.Is(err, ErrBusy) || s.calls() != 3 || !strings.Contains(err.Error(), "slow down") {
			t.Errorf("%d calls, %v", s.calls(), err)
		}
		s, base = serve(t, say(429, w.busy, "retry-after", "3600"))
		_, err = client(t, w.config(base)).Complete(t.Context(), ask)
		if !errors.Is(err, ErrBusy) || s.calls() != 1 || !strings.Contains(err.Error(), "1h0m0s") {
			t.Errorf("asked to wait an hour: %d calls, %v", s.calls(), err)
		}
	})
}

func TestKeyIsNotAccepted(t *testing.T) {
	eachWire(t, func(t *testing.T, w wire) {
		s, base := serve(t, say(401, w.denied))
		_, err := client(t, w.config(base)).Complete(t.Context(), ask)
		if !errors.Is(err, ErrAuth) || s.calls() != 1 {
			t.Fatalf("%d calls, %v", s.calls(), err)
		}
		if strings.Contains(err.Error(), string(key)) {
			t.Errorf("the key is in the error: %v", err)
		}
	})
	c := wires[0].config("https://x")
	if s := fmt.Sprintf("%v %+v %#v", c, c, c); strings.Contains(s, string(key)) {
		t.Errorf("the key is printed: %s", s)
	}
	if data, err := json.Marshal(c); err != nil || strings.Contains(string(data), string(key)) {
		t.Errorf("the key is in the JSON: %s, %v", data, err)
	}
}

func TestRefusalAndLimit(t *testing.T) {
	eachWire(t, func(t *testing.T, w wire) {
		_, base := serve(t, say(200, w.refusal))
		resp, err := client(t, w.config(base)).Complete(t.Context(), ask)
		if !errors.Is(err, ErrRefused) || resp.Usage.In != 10 {
			t.Errorf("refusal: %+v, %v", resp, err)
		}
		_, base = serve(t, say(200, w.cut))
		resp, err = client(t, w.config(base)).Complete(t.Context(), ask)
		if err != nil || !resp.Truncated || resp.Text != `{"quote":"q` {
			t.Errorf("limit: %+v, %v", resp, err)
		}
	})
}

func TestStrangeServers(t *testing.T) {
	html := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("content-type", "text/html")
		io.WriteString(w, "<html>\x1b[31mLogin\u202e</html>")
	}
	elsewhere := func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "https://example.invalid/", http.StatusFound)
	}
	eachWire(t, func(t *testing.T, w wire) {
		for name, h := range map[string]http.HandlerFunc{
			"HTML": html, "half a JSON": say(200, w.fine[:len(w.fine)/2]), "nothing": say(200, ""), "other JSON": say(200, `{}`), "redirect": elsewhere,
		} {
			s, base := serve(t, h)
			resp, err := client(t, w.config(base)).Complete(t.Context(), ask)
			if err == nil {
				t.Errorf("%s: got %+v", name, resp)
				continue
			}
			if strings.ContainsAny(err.Error(), "\x1b\u202e\n") || len(err.Error()) > 600 {
				t.Errorf("%s: the error is not fit to be shown: %q", name, err)
			}
			if s.calls() > 3 {
				t.Errorf("%s: %d calls", name, s.calls())
			}
		}
	})
}

func TestServerWithoutSchemas(t *testing.T) {
	eachWire(t, func(t *testing.T, w wire) {
		s, base := serve(t, say(400, `{"error":{"message":"response_format / output_config is not supported"}}`), say(200, w.fine))
		if _, err := client(t, w.config(base)).Complete(t.Context(), ask); err != nil {
			t.Fatal(err)
		}
		if _, again := s.bodies[1]["response_format"]; again || s.bodies[1]["output_config"] != nil {
			t.Errorf("asked again with the schema: %v", s.bodies[1])
		}
	})
}

func TestTimeLimits(t *testing.T) {
	eachWire(t, func(t *testing.T, w wire) {
		_, base := serve(t, hang)
		c := w.config(base)
		c.Attempt, c.Retries = 20*time.Millisecond, -1
		if _, err := client(t, c).Complete(t.Context(), ask); !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "20ms") {
			t.Errorf("an attempt too slow: %v", err)
		}
		c.Attempt, c.Timeout = time.Minute, 20*time.Millisecond
		if _, err := client(t, c).Complete(t.Context(), ask); !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "20ms") {
			t.Errorf("all too slow: %v", err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		_, base = serve(t, func(w http.ResponseWriter, r *http.Request) { cancel(); hang(w, r) })
		if _, err := client(t, w.config(base)).Complete(ctx, ask); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v", err)
		}
	})
}

func TestNobodyListens(t *testing.T) {
	eachWire(t, func(t *testing.T, w wire) {
		server := httptest.NewServer(http.NotFoundHandler())
		server.Close()
		c := w.config(server.URL)
		c.Retries = -1
		if _, err := client(t, c).Complete(t.Context(), ask); err == nil || !strings.Contains(err.Error(), "refused") {
			t.Errorf("got %v", err)
		}
	})
}

func TestModels(t *testing.T) {
	for in, want := range map[string]Model{
		"anthropic:claude-haiku-4-5": {Anthropic, "claude-haiku-4-5"}, "ollama:qwen3:8b": {Ollama, "qwen3:8b"}, "Claude": {Claude, ""}, "codex:gpt-5": {Codex, "gpt-5"},
		"openrouter:anthropic/claude": {OpenRouter, "anthropic/claude"}, "command": {Custom, ""},
	} {
		if got, err := ParseModel(in); err != nil || got != want {
			t.Errorf("ParseModel(%q) = %v, %v", in, got, err)
		}
	}
	for _, in := range []string{"", "haiku", "anthropic", "anthropic:", "bard:x", "claude:--dangerously-skip-permissions"} {
		if got, err := ParseModel(in); err == nil {
			t.Errorf("ParseModel(%q) = %v", in, got)
		}
	}
}

func TestKeysStayAtHome(t *testing.T) {
	m := Model{OpenAI, "m"}
	for _, c := range []Config{
		{Model: m}, {Model: m, Key: key, BaseURL: "http://example.com/v1"}, {Model: m, Key: key, BaseURL: "https://u:p@example.com"},
		{Model: m, Key: key, BaseURL: "ftp://example.com"}, {Model: m, Key: key, BaseURL: "::"}, {Model: Model{Custom, ""}}, {Model: Model{"bard", "x"}},
	} {
		if _, err := New(c); err == nil {
			t.Errorf("New(%+v) is no error", c)
		}
	}
	for _, c := range []Config{
		{Model: m, Key: key}, {Model: m, Key: key, BaseURL: "http://127.0.0.1:1/v1"}, {Model: m, Key: key, BaseURL: "http://box.local/v1"}, {Model: Model{Ollama, "m"}},
	} {
		if _, err := New(c); err != nil {
			t.Errorf("New(%+v): %v", c, err)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 4, 5, 14, 30, 0, 0, time.UTC)
	for in, want := range map[string]time.Duration{"3": 3 * time.Second, "0.5": time.Second / 2, "Sun, 05 Apr 2026 14:31:00 GMT": time.Minute, "Sun, 05 Apr 2026 14:00:00 GMT": 0} {
		if got, ok := retryAfter(http.Header{"Retry-After": {in}}, now); !ok || got != want {
			t.Errorf("%q: %v %v", in, got, ok)
		}
	}
	for _, in := range []string{"", "soon", "-1", "1e300"} {
		if got, ok := retryAfter(http.Header{"Retry-After": {in}}, now); ok {
			t.Errorf("%q: %v", in, got)
		}
	}
}
