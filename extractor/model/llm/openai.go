package llm

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"
)

// openAI speaks Chat Completions, the one protocol that OpenAI, OpenRouter,
// Ollama, LM Studio and vLLM have in common. The call is written by hand: the
// official SDK would add 18.6 MB to the program (measured with v3.95.0, a
// third of what the whole may have) for this one endpoint.
type openAI struct {
	c      Config
	client *http.Client
	sleep  func(context.Context, time.Duration) error
}

func newOpenAI(c Config) *openAI {
	return &openAI{c: c, client: newClient(c.Attempt), sleep: sleep}
}

type chatMessage struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

type chatRequest struct {
	Model               string          `json:"model"`
	Messages            []chatMessage   `json:"messages"`
	ResponseFormat      *responseFormat `json:"response_format,omitempty"`
	MaxTokens           int             `json:"max_tokens,omitempty"`
	MaxCompletionTokens int             `json:"max_completion_tokens,omitempty"`
}

type responseFormat struct {
	Type       string     `json:"type"`
	JSONSchema jsonSchema `json:"json_schema"`
}

type jsonSchema struct {
	Name   string          `json:"name"`
	Strict bool            `json:"strict"`
	Schema json.RawMessage `json:"schema"`
}

type chatAnswer struct {
	Model   string `json:"model"`
	Choices []struct {
		Message struct {
			Content json.RawMessage `json:"content"`
			Refusal string          `json:"refusal"`
		} `json:"message"`
		FinishReason string `json:"finish_reason"`
	} `json:"choices"`
	Usage struct {
		PromptTokens        int `json:"prompt_tokens"`
		CompletionTokens    int `json:"completion_tokens"`
		PromptTokensDetails struct {
			CachedTokens int `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
	} `json:"usage"`
	Error json.RawMessage `json:"error"`
}

// Complete asks the server. A server that does not know the schema, or how
// OpenAI's own newer models call the limit of tokens, is asked again without.
func (o *openAI) Complete(ctx context.Context, r Request) (Response, error) {
	ctx, cancel := context.WithTimeout(ctx, o.c.Timeout)
	defer cancel()
	req := chatRequest{Model: o.c.Model.Name}
	if r.System != "" {
		req.Messages = append(req.Messages, chatMessage{"system", r.System})
	}
	req.Messages = append(req.Messages, chatMessage{"user", r.User})
	limit := cmp.Or(r.MaxTokens, DefaultMaxTokens)
	if o.c.Model.Provider == OpenAI {
		req.MaxCompletionTokens = limit
	} else {
		req.MaxTokens = limit
	}
	if r.Schema != nil {
		req.ResponseFormat = &responseFormat{"json_schema", jsonSchema{"answer", true, r.Schema}}
	}
	for {
		status, header, body, err := o.post(ctx, req)
		if err != nil {
			return Response{}, err
		}
		if status == http.StatusOK {
			return o.read(body)
		}
		said := strings.ToLower(string(body))
		switch {
		case status == http.StatusBadRequest && req.ResponseFormat != nil && (strings.Contains(said, "response_format") || strings.Contains(said, "schema")):
			req.ResponseFormat = nil
		case status == http.StatusBadRequest && req.MaxCompletionTokens > 0 && strings.Contains(said, "max_completion_tokens"):
			req.MaxTokens, req.MaxCompletionTokens = limit, 0
		case status == http.StatusBadRequest && req.MaxTokens > 0 && strings.Contains(said, "max_tokens") && o.c.Model.Provider != OpenAI:
			req.MaxTokens = 0
		default:
			return Response{}, statusError(o.c.Model, status, header, o.complaint(body))
		}
	}
}

// post sends the request, again where that may help, and gives the last
// answer.
func (o *openAI) post(ctx context.Context, r chatRequest) (int, http.Header, []byte, error) {
	payload, err := json.Marshal(r)
	if err != nil {
		return 0, nil, nil, fmt.Errorf("asking %s: %v", o.c.Model, err)
	}
	for try := 0; ; try++ {
		status, header, body, err := o.once(ctx, payload)
		last := try >= o.c.Retries || ctx.Err() != nil
		if err == nil && (!worthRetrying(status) || last) {
			return status, header, body, nil
		}
		if err != nil && last {
			if late := timedOut(ctx, err, o.c); late != nil {
				return 0, nil, nil, late
			}
			return 0, nil, nil, fmt.Errorf("asking %s: %s", o.c.Model, excerpt(err.Error(), o.c.Key))
		}
		wait := backoff(try)
		if asked, ok := retryAfter(header, time.Now()); ok {
			if asked > longestWait {
				return status, header, body, nil
			}
			wait = asked
		}
		if err := o.sleep(ctx, wait); err != nil {
			return 0, nil, nil, timedOut(ctx, err, o.c)
		}
	}
}

// backoff is half a second, doubled with each try up to eight, less a random
// part so that many clients do not come back at once.
func backoff(try int) time.Duration {
	d := min(500*time.Millisecond<<min(try, 10), 8*time.Second)
	return d - rand.N(d/4)
}

// once makes one try.
func (o *openAI) once(ctx context.Context, payload []byte) (int, http.Header, []byte, error) {
	ctx, cancel := context.WithTimeout(ctx, o.c.Attempt)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, o.c.BaseURL+"/chat/completions", bytes.NewReader(payload))
	if err != nil {
		return 0, nil, nil, err
	}
	req.Header.Set("content-type", "application/json")
	req.Header.Set("authorization", "Bearer "+cmp.Or(string(o.c.Key), "none"))
	resp, err := o.client.Do(req)
	if err != nil {
		return 0, nil, nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return resp.StatusCode, resp.Header, body, err
}

func (o *openAI) read(body []byte) (Response, error) {
	var a chatAnswer
	if err := json.Unmarshal(body, &a); err != nil {
		return Response{}, fmt.Errorf("asking %s: %w: %s", o.c.Model, ErrProtocol, excerpt(string(body), o.c.Key))
	}
	if len(a.Choices) == 0 {
		if len(a.Error) > 0 && string(a.Error) != "null" {
			return Response{}, fmt.Errorf("asking %s: %s", o.c.Model, o.complaint(body))
		}
		return Response{}, fmt.Errorf("asking %s: %w: no choices in it", o.c.Model, ErrProtocol)
	}
	choice := a.Choices[0]
	resp := Response{
		Text: content(choice.Message.Content), Truncated: choice.FinishReason == "length", Model: a.Model,
		Usage: Usage{
			In: a.Usage.PromptTokens - a.Usage.PromptTokensDetails.CachedTokens, Out: a.Usage.CompletionTokens,
			CacheRead: a.Usage.PromptTokensDetails.CachedTokens,
		},
	}
	switch {
	case choice.Message.Refusal != "":
		return resp, fmt.Errorf("asking %s: %w: %s", o.c.Model, ErrRefused, excerpt(choice.Message.Refusal, o.c.Key))
	case choice.FinishReason == "content_filter":
		return resp, fmt.Errorf("asking %s: %w: the provider's filter stopped it", o.c.Model, ErrRefused)
	}
	return resp, nil
}

// content is a string, or a list of parts with texts.
func content(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var parts []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(raw, &parts) != nil {
		return ""
	}
	for _, p := range parts {
		s += p.Text
	}
	return s
}

// complaint is what the server says went wrong: the message in its JSON, or
// the start of whatever it sent.
func (o *openAI) complaint(body []byte) string {
	var e struct {
		Error json.RawMessage `json:"error"`
	}
	if json.Unmarshal(body, &e) == nil {
		var m struct {
			Message string `json:"message"`
		}
		var s string
		switch {
		case json.Unmarshal(e.Error, &m) == nil && m.Message != "":
			return excerpt(m.Message, o.c.Key)
		case json.Unmarshal(e.Error, &s) == nil && s != "":
			return excerpt(s, o.c.Key)
		}
	}
	return excerpt(string(body), o.c.Key)
}
