package llm

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A server is a model behind HTTP: Anthropic's Messages API, or Chat Completions, which
// OpenAI, OpenRouter, Ollama, LM Studio and vLLM share. Both are written by hand: the
// official SDKs would add 18 MB and 21 MB to the program (openai-go v3.95.0 and
// anthropic-sdk-go v1.84.0).
type server struct {
	Config
	client *http.Client
	wait   func(context.Context, time.Duration) error
}

func newServer(c Config) *server { return &server{c, newClient(c.Attempt), sleep} }

// newClient returns a client with a time limit that follows no redirects, because they
// would pass on the key.
func newClient(attempt time.Duration) *http.Client {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.ResponseHeaderTimeout = attempt
	return &http.Client{
		Transport:     t,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// anthropic reports whether the server speaks the Messages API.
func (s *server) anthropic() bool { return s.Model.Provider == Anthropic }

// apiVersion is the version of the Messages API used here.
const apiVersion = "2023-06-01"

func (s *server) sign(h http.Header) {
	switch {
	case !s.anthropic():
		h.Set("authorization", "Bearer "+cmp.Or(string(s.Key), "none"))
		return
	case s.AuthToken != "":
		h.Set("authorization", "Bearer "+string(s.AuthToken))
	default:
		h.Set("x-api-key", cmp.Or(string(s.Key), "none"))
	}
	h.Set("anthropic-version", apiVersion)
}

// An object is a JSON object.
type object map[string]any

// Complete asks the server, and again without the fields that it rejects.
func (s *server) Complete(ctx context.Context, r Request) (Response, error) {
	ctx, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	path, ask, read, limit := "/chat/completions", s.chat(r), s.readChat, "max_tokens"
	switch s.Model.Provider {
	case Anthropic:
		path, ask, read = "/v1/messages", s.messages(r), s.readMessage
	case OpenAI:
		limit = "max_completion_tokens"
	}
	ask[limit] = maxTokens
	for {
		status, header, answer, err := s.send(ctx, http.MethodPost, path, ask)
		switch {
		case err != nil:
			return Response{}, err
		case status == http.StatusOK:
			return read(answer)
		case status != http.StatusBadRequest || !s.without(ask, strings.ToLower(string(answer))):
			return Response{}, s.refused(status, header, answer)
		}
	}
}

// without removes from a request what a server says it does not support: schemas, or
// the name of the token limit. It reports whether it removed anything.
func (s *server) without(ask object, said string) bool {
	fields := len(ask)
	if mentions(said, "response_format", "output_config", "schema", "structured output") {
		delete(ask, "response_format")
		delete(ask, "output_config")
	}
	if limit := "max_completion_tokens"; len(ask) == fields && ask[limit] != nil && mentions(said, limit) {
		ask["max_tokens"] = ask[limit]
		delete(ask, limit)
		return true
	}
	if limit := "max_tokens"; len(ask) == fields && !s.anthropic() && mentions(said, limit) {
		delete(ask, limit)
	}
	return len(ask) < fields
}

func mentions(s string, any ...string) bool {
	return slices.ContainsFunc(any, func(x string) bool { return strings.Contains(s, x) })
}

func (s *server) chat(r Request) object {
	var said []object
	if r.System != "" {
		said = append(said, object{"role": "system", "content": r.System})
	}
	o := object{"model": s.Model.Name, "messages": append(said, object{"role": "user", "content": r.User})}
	if r.Schema != nil {
		o["response_format"] = object{"type": "json_schema", "json_schema": object{"name": "answer", "strict": true, "schema": r.Schema}}
	}
	return o
}

func (s *server) messages(r Request) object {
	o := object{"model": s.Model.Name, "messages": []object{{"role": "user", "content": []object{{"type": "text", "text": r.User}}}}}
	if r.System != "" {
		o["system"] = []object{{"type": "text", "text": r.System, "cache_control": object{"type": "ephemeral"}}}
	}
	if r.Schema != nil {
		o["output_config"] = object{"format": object{"type": "json_schema", "schema": r.Schema}}
	}
	return o
}

func (s *server) readMessage(body []byte) (Response, error) {
	var a struct {
		Content json.RawMessage
		Stop    string `json:"stop_reason"`
		Usage   claudeUsage
	}
	if err := json.Unmarshal(body, &a); err != nil {
		return Response{}, s.strange(string(body))
	}
	resp := Response{
		Text: content(a.Content), Usage: Usage(a.Usage),
		Truncated: a.Stop == "max_tokens" || a.Stop == "model_context_window_exceeded",
	}
	switch {
	case a.Stop == "refusal":
		return resp, fmt.Errorf("asking %s: %w", s.Model, ErrRefused)
	case resp.Text == "" && !resp.Truncated:
		return resp, s.strange("no text in it")
	}
	return resp, nil
}

func (s *server) readChat(body []byte) (Response, error) {
	var a struct {
		Choices []struct {
			Message struct {
				Content json.RawMessage
				Refusal string
			}
			Finish string `json:"finish_reason"`
		}
		Usage struct {
			In     int `json:"prompt_tokens"`
			Out    int `json:"completion_tokens"`
			Prompt struct {
				Cached  int `json:"cached_tokens"`
				Written int `json:"cache_write_tokens"`
			} `json:"prompt_tokens_details"`
			Cost *float64 // of OpenRouter, in US dollars
		}
		Error any
	}
	if err := json.Unmarshal(body, &a); err != nil {
		return Response{}, s.strange(string(body))
	}
	switch {
	case len(a.Choices) == 0 && a.Error != nil:
		return Response{}, fmt.Errorf("asking %s: %s", s.Model, s.complaint(body))
	case len(a.Choices) == 0:
		return Response{}, s.strange("no choices in it")
	}
	choice, read := a.Choices[0], a.Usage.Prompt
	resp := Response{
		Text: content(choice.Message.Content), Truncated: choice.Finish == "length",
		Usage: Usage{In: max(a.Usage.In-read.Cached-read.Written, 0), Out: a.Usage.Out, CacheRead: read.Cached, CacheWrite: read.Written},
	}
	if s.Model.Provider == OpenRouter {
		resp.Cost = told(a.Usage.Cost)
	}
	switch {
	case choice.Message.Refusal != "":
		return resp, fmt.Errorf("asking %s: %w: %s", s.Model, ErrRefused, s.excerpt(choice.Message.Refusal))
	case choice.Finish == "content_filter":
		return resp, fmt.Errorf("asking %s: %w: the provider's filter stopped it", s.Model, ErrRefused)
	}
	return resp, nil
}

// content returns a string, or the texts of a list of parts.
func content(raw json.RawMessage) (text string) {
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var parts []struct{ Text string }
	if json.Unmarshal(raw, &parts) != nil {
		return ""
	}
	for _, p := range parts {
		text += p.Text
	}
	return text
}

// strange is the error for an answer that violates the protocol.
func (s *server) strange(why string) error {
	return fmt.Errorf("asking %s: %w: %s", s.Model, ErrProtocol, s.excerpt(why))
}

// reachTime is how long a server may take to list its models.
const reachTime = 5 * time.Second

// Reach asks the server of a model once for its list of models, which costs nothing. It
// returns why the server cannot be reached or rejects the key. For a command it does
// nothing.
func (c Config) Reach(ctx context.Context) error {
	c.Timeout, c.Attempt, c.Retries = reachTime, reachTime, -1
	c = c.withDefaults()
	if c.BaseURL == "" {
		return nil
	}
	if err := c.checkServer(); err != nil {
		return err
	}
	s, path := newServer(c), "/models"
	if s.anthropic() {
		path = "/v1/models"
	}
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	status, header, body, err := s.send(ctx, http.MethodGet, path, nil)
	switch {
	case err != nil:
		return err
	case status == http.StatusOK, status == http.StatusNotFound, status == http.StatusMethodNotAllowed:
		return nil // the server is there, even without a list
	}
	return s.refused(status, header, body)
}

// longestWait is the longest wait before a retry that a server may ask for. If it asks
// for more, the request fails, and the next run tries again.
const longestWait = time.Minute

// send sends a request, retries where that may help, and returns the last answer.
func (s *server) send(ctx context.Context, method, path string, body object) (int, http.Header, []byte, error) {
	var payload []byte
	if body != nil {
		var err error
		if payload, err = json.Marshal(body); err != nil {
			return 0, nil, nil, fmt.Errorf("asking %s: %v", s.Model, err)
		}
	}
	for try := 0; ; try++ {
		status, header, answer, err := s.once(ctx, method, s.BaseURL+path, payload)
		last := try >= s.Retries || ctx.Err() != nil
		if err == nil && (last || !worthRetrying(status)) {
			return status, header, answer, nil
		}
		if err != nil && last {
			return 0, nil, nil, s.failed(ctx, err)
		}
		wait := backoff(try)
		if asked, ok := retryAfter(header, time.Now()); ok {
			if asked > longestWait {
				return status, header, answer, nil
			}
			wait = asked
		}
		if err := s.wait(ctx, wait); err != nil {
			return 0, nil, nil, s.failed(ctx, err)
		}
	}
}

// once makes one try.
func (s *server) once(ctx context.Context, method, url string, payload []byte) (int, http.Header, []byte, error) {
	ctx, cancel := context.WithTimeout(ctx, s.Attempt)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(payload))
	if err != nil {
		return 0, nil, nil, err
	}
	if payload != nil {
		req.Header.Set("content-type", "application/json")
	}
	s.sign(req.Header)
	resp, err := s.client.Do(req)
	if err != nil {
		return 0, nil, nil, err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	return resp.StatusCode, resp.Header, answer, err
}

// failed explains why a request got no answer. It names the time limit that was
// exceeded, because "context deadline exceeded" tells nobody what to change.
func (s *server) failed(ctx context.Context, err error) error {
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Errorf("asking %s: no answer within %s: %w", s.Model, s.Timeout, context.DeadlineExceeded)
	case ctx.Err() != nil:
		return fmt.Errorf("asking %s: %w", s.Model, ctx.Err())
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("asking %s: no answer within %s, tried %d times: %w", s.Model, s.Attempt, s.Retries+1, context.DeadlineExceeded)
	}
	if op := (*net.OpError)(nil); errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &op) && op.Op == "read" {
		return fmt.Errorf("asking %s: %w: %s", s.Model, ErrLost, s.excerpt(err.Error()))
	}
	return fmt.Errorf("asking %s: %s", s.Model, s.excerpt(err.Error()))
}

// refused makes an error of an answer with an error status.
func (s *server) refused(status int, h http.Header, body []byte) error {
	text := strings.TrimSpace(strconv.Itoa(status) + " " + http.StatusText(status))
	said := s.complaint(body)
	if said != "" {
		said = ": " + said
	}
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden || status == http.StatusPaymentRequired:
		return fmt.Errorf("asking %s: %w (%s%s)", s.Model, ErrAuth, text, said)
	case status == http.StatusTooManyRequests || status == 529:
		if wait, ok := retryAfter(h, time.Now()); ok {
			text += ", try again in " + wait.Round(time.Second).String()
		}
		return fmt.Errorf("asking %s: %w (%s%s)", s.Model, ErrBusy, text, said)
	case status >= 300 && status < 400:
		return s.strange("it redirects to another address, which is not followed")
	}
	return fmt.Errorf("asking %s: %s%s", s.Model, text, said)
}

// complaint returns the server's error message from its JSON, or the start of the body.
func (s *server) complaint(body []byte) string {
	var e struct{ Error json.RawMessage }
	var said struct{ Message string }
	var text string
	if json.Unmarshal(body, &e) == nil {
		if json.Unmarshal(e.Error, &said) != nil {
			_ = json.Unmarshal(e.Error, &text)
		}
	}
	return s.excerpt(cmp.Or(said.Message, text, string(body)))
}

// backoff is half a second, doubled with each try up to eight, less a random part so
// that clients spread out.
func backoff(try int) time.Duration {
	d := min(500*time.Millisecond<<min(try, 10), 8*time.Second)
	return d - rand.N(d/4)
}

// retryAfter parses the wait that a server asks for: seconds or a date.
func retryAfter(h http.Header, now time.Time) (time.Duration, bool) {
	v := h.Get("retry-after")
	if s, err := strconv.ParseFloat(v, 64); err == nil && s >= 0 && s < 1e9 {
		return time.Duration(s * float64(time.Second)), true
	}
	if t, err := http.ParseTime(v); err == nil {
		return max(t.Sub(now), 0), true
	}
	return 0, false
}

// worthRetrying reports whether the same request may succeed after a status.
func worthRetrying(status int) bool {
	return status == http.StatusRequestTimeout || status == http.StatusConflict || status == http.StatusTooManyRequests || status >= 500
}

// sleep waits, or returns why ctx ended first.
func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// This file parses what coding agents print: the answer, its cost, or why there is none.

// readResult parses the output of an agent. isResult is false if it has no known form,
// and then the text itself is the answer. Whether the agent failed is in its fields,
// not in the exit code.
func (c Config) readResult(text string) (resp Response, isResult bool, err error) {
	for _, read := range []func(string) (Response, string, bool, error){readClaude, readGemini, readCodex} {
		resp, why, isResult, err := read(text)
		if !isResult {
			continue
		}
		if why = c.excerpt(why); why != "" && loginNeeded(why) {
			err = fmt.Errorf("%w: %s", ErrAuth, why)
		} else if why != "" && err == nil {
			err = fmt.Errorf("it ended with %s", why)
		}
		return resp, true, err
	}
	return Response{}, false, nil
}

func loginNeeded(why string) bool {
	return mentions(strings.ToLower(why), "/login", "invalid api key", "authentication", "not logged in")
}

// claudeUsage is the token usage in Anthropic's API and Claude Code.
type claudeUsage struct {
	In         int `json:"input_tokens"`
	Out        int `json:"output_tokens"`
	CacheRead  int `json:"cache_read_input_tokens"`
	CacheWrite int `json:"cache_creation_input_tokens"`
}

// readClaude parses the output of "claude -p --output-format json". Like the functions
// below, it returns in why the agent's reason for not answering.
func readClaude(text string) (resp Response, why string, isResult bool, err error) {
	var r struct {
		Type, Subtype, Result string
		Failed                bool            `json:"is_error"`
		Structured            json.RawMessage `json:"structured_output"`
		Stop                  string          `json:"stop_reason"`
		Cost                  *float64        `json:"total_cost_usd"`
		Errors                []string
		Usage                 claudeUsage
		Models                map[string]struct {
			In         int `json:"inputTokens"`
			Out        int `json:"outputTokens"`
			CacheRead  int `json:"cacheReadInputTokens"`
			CacheWrite int `json:"cacheCreationInputTokens"`
		} `json:"modelUsage"`
	}
	if json.Unmarshal([]byte(text), &r) != nil || r.Type != "result" {
		return Response{}, "", false, nil
	}
	resp = Response{Text: r.Result, Truncated: r.Stop == "max_tokens", Cost: told(r.Cost), Usage: Usage(r.Usage)}
	if len(r.Structured) > 0 && string(r.Structured) != "null" {
		resp.Text = string(r.Structured)
	}
	if len(r.Models) > 0 {
		resp.Usage = Usage{}
		for _, u := range r.Models {
			resp.Usage = resp.Usage.Add(Usage(u))
		}
	}
	switch {
	case r.Stop == "refusal":
		return resp, "", true, ErrRefused
	case r.Failed || r.Subtype != "" && r.Subtype != "success":
		why = cmp.Or(r.Subtype, "an error") + ": " + cmp.Or(strings.Join(r.Errors, "; "), r.Result)
	}
	return resp, why, true, nil
}

// told returns a reported cost in US dollars; nil is unknown.
func told(usd *float64) Cost {
	if usd == nil || *usd < 0 {
		return Cost{}
	}
	return Cost{*usd, true}
}

// readGemini parses the output of "gemini -p … --output-format json", which has tokens
// and no cost.
func readGemini(text string) (resp Response, why string, isResult bool, err error) {
	var r struct {
		Response *string
		Stats    *struct {
			Models map[string]struct {
				Tokens struct{ Prompt, Candidates, Thoughts, Cached int }
			}
		}
		Error *struct{ Message string }
	}
	if json.Unmarshal([]byte(text), &r) != nil || r.Stats == nil || r.Response == nil && r.Error == nil {
		return Response{}, "", false, nil
	}
	for _, m := range r.Stats.Models {
		t := m.Tokens
		resp.Usage = resp.Usage.Add(Usage{In: max(t.Prompt-t.Cached, 0), Out: t.Candidates + t.Thoughts, CacheRead: t.Cached})
	}
	if r.Response != nil {
		resp.Text = *r.Response
	}
	if r.Error != nil {
		why = "an error: " + r.Error.Message
	}
	return resp, why, true, nil
}

// readCodex parses the events of "codex exec --json", one a line, which have tokens and
// no cost.
func readCodex(text string) (resp Response, why string, isResult bool, err error) {
	for line := range strings.Lines(text) {
		var e struct {
			Type    string
			Item    struct{ Type, Text string }
			Message string
			Error   struct{ Message string }
			Usage   struct {
				In     int `json:"input_tokens"`
				Cached int `json:"cached_input_tokens"`
				Out    int `json:"output_tokens"`
			}
		}
		if json.Unmarshal([]byte(line), &e) != nil {
			continue
		}
		switch e.Type {
		case "thread.started", "turn.started":
			isResult = true
		case "item.completed":
			if e.Item.Type == "agent_message" {
				resp.Text = e.Item.Text
			}
		case "turn.completed":
			isResult = true
			resp.Usage = resp.Usage.Add(Usage{In: max(e.Usage.In-e.Usage.Cached, 0), Out: e.Usage.Out, CacheRead: e.Usage.Cached})
		case "turn.failed", "error":
			why = "an error: " + cmp.Or(e.Error.Message, e.Message)
		}
	}
	if resp.Text != "" {
		why = "" // it went on
	}
	return resp, why, isResult, nil
}
