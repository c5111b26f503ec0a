package llm

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/anthropics/anthropic-sdk-go/packages/param"
)

// messages speaks Anthropic's Messages API through its SDK, which retries by
// itself. It is also what Ollama and others offer beside OpenAI's protocol.
type messages struct {
	c      Config
	client anthropic.Client
}

func newAnthropic(c Config) *messages {
	opts := []option.RequestOption{
		option.WithoutEnvironmentDefaults(), // the environment is the caller's to read
		option.WithBaseURL(c.BaseURL), option.WithHTTPClient(newClient(c.Attempt)),
		option.WithMaxRetries(c.Retries), option.WithRequestTimeout(c.Attempt),
	}
	if c.AuthToken != "" {
		opts = append(opts, option.WithAuthToken(string(c.AuthToken)))
	} else {
		opts = append(opts, option.WithAPIKey(cmp.Or(string(c.Key), "none")))
	}
	return &messages{c, anthropic.NewClient(opts...)}
}

// Complete asks the API. A server that does not know the schema is asked again
// without it.
func (m *messages) Complete(ctx context.Context, r Request) (Response, error) {
	ctx, cancel := context.WithTimeout(ctx, m.c.Timeout)
	defer cancel()
	params := m.params(r)
	msg, err := m.client.Messages.New(ctx, params)
	var bad *anthropic.Error
	if errors.As(err, &bad) && bad.StatusCode == http.StatusBadRequest && r.Schema != nil && mentionsSchema(bad.RawJSON()) {
		r.Schema = nil
		msg, err = m.client.Messages.New(ctx, m.params(r))
	}
	if err != nil {
		return Response{}, m.explain(ctx, err)
	}
	return m.read(msg)
}

func mentionsSchema(s string) bool {
	s = strings.ToLower(s)
	return strings.Contains(s, "output_config") || strings.Contains(s, "json_schema") || strings.Contains(s, "structured output")
}

func (m *messages) params(r Request) anthropic.MessageNewParams {
	p := anthropic.MessageNewParams{
		Model:     anthropic.Model(m.c.Model.Name),
		MaxTokens: int64(cmp.Or(r.MaxTokens, DefaultMaxTokens)),
		Messages:  []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(r.User))},
	}
	if r.System != "" {
		p.System = []anthropic.TextBlockParam{{Text: r.System, CacheControl: anthropic.NewCacheControlEphemeralParam()}}
	}
	if r.Schema != nil {
		p.OutputConfig = outputConfig(r.Schema)
	}
	return p
}

// outputConfig is given as JSON because the SDK's map would sort the schema's
// properties, and a model answers in their order: the quote before what is
// made of it.
func outputConfig(schema json.RawMessage) anthropic.OutputConfigParam {
	return param.Override[anthropic.OutputConfigParam](json.RawMessage(`{"format":{"type":"json_schema","schema":` + string(schema) + `}}`))
}

func (m *messages) read(msg *anthropic.Message) (Response, error) {
	resp := Response{
		Model: string(msg.Model), Truncated: msg.StopReason == anthropic.StopReasonMaxTokens || msg.StopReason == anthropic.StopReasonModelContextWindowExceeded,
		Usage: Usage{
			In: int(msg.Usage.InputTokens), Out: int(msg.Usage.OutputTokens),
			CacheRead: int(msg.Usage.CacheReadInputTokens), CacheWrite: int(msg.Usage.CacheCreationInputTokens),
		},
	}
	for _, b := range msg.Content {
		resp.Text += b.Text
	}
	switch {
	case msg.StopReason == anthropic.StopReasonRefusal:
		return resp, fmt.Errorf("asking %s: %w", m.c.Model, ErrRefused)
	case resp.Text == "" && !resp.Truncated:
		return resp, fmt.Errorf("asking %s: %w: no text in it", m.c.Model, ErrProtocol)
	}
	return resp, nil
}

// explain makes an error of the SDK's short and safe.
func (m *messages) explain(ctx context.Context, err error) error {
	if late := timedOut(ctx, err, m.c); late != nil {
		return late
	}
	var api *anthropic.Error
	if errors.As(err, &api) {
		var said struct {
			Error struct {
				Message string `json:"message"`
			} `json:"error"`
		}
		text := api.RawJSON()
		if json.Unmarshal([]byte(text), &said) == nil && said.Error.Message != "" {
			text = said.Error.Message
		}
		return statusError(m.c.Model, api.StatusCode, api.Response.Header, excerpt(text, m.c.Key, m.c.AuthToken))
	}
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) || strings.Contains(err.Error(), "content-type") || strings.Contains(err.Error(), "parsing response") {
		return fmt.Errorf("asking %s: %w: %s", m.c.Model, ErrProtocol, excerpt(err.Error(), m.c.Key, m.c.AuthToken))
	}
	return fmt.Errorf("asking %s: %s", m.c.Model, excerpt(err.Error(), m.c.Key, m.c.AuthToken))
}
