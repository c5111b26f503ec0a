package llm

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// messages speaks Anthropic's Messages API. It is also what Ollama and others
// offer beside OpenAI's protocol.
type messages struct{ line }

// apiVersion is the version of the API whose shapes these are.
const apiVersion = "2023-06-01"

func newAnthropic(c Config) *messages {
	return &messages{newLine(c, func(h http.Header) {
		h.Set("anthropic-version", apiVersion)
		if c.AuthToken != "" {
			h.Set("authorization", "Bearer "+string(c.AuthToken))
		} else {
			h.Set("x-api-key", cmp.Or(string(c.Key), "none"))
		}
	})}
}

// url is the address of an endpoint.
func (m *messages) url(path string) string {
	return strings.TrimSuffix(m.c.BaseURL, "/") + "/v1/messages" + path
}

type messageRequest struct {
	Model        string          `json:"model"`
	MaxTokens    int             `json:"max_tokens"`
	System       []textBlock     `json:"system,omitempty"`
	Messages     []userMessage   `json:"messages"`
	OutputConfig json.RawMessage `json:"output_config,omitempty"`
}

type textBlock struct {
	Type         string        `json:"type"`
	Text         string        `json:"text"`
	CacheControl *cacheControl `json:"cache_control,omitempty"`
}

type cacheControl struct {
	Type string `json:"type"`
}

type userMessage struct {
	Role    string      `json:"role"`
	Content []textBlock `json:"content"`
}

type message struct {
	Model      string      `json:"model"`
	Content    []textBlock `json:"content"`
	StopReason string      `json:"stop_reason"`
	Usage      struct {
		In         int `json:"input_tokens"`
		Out        int `json:"output_tokens"`
		CacheRead  int `json:"cache_read_input_tokens"`
		CacheWrite int `json:"cache_creation_input_tokens"`
	} `json:"usage"`
}

// Complete asks the API. A server that does not know the schema is asked again
// without it.
func (m *messages) Complete(ctx context.Context, r Request) (Response, error) {
	ctx, cancel := context.WithTimeout(ctx, m.c.Timeout)
	defer cancel()
	for {
		status, header, body, err := m.send(ctx, http.MethodPost, m.url(""), m.request(r))
		switch {
		case err != nil:
			return Response{}, err
		case status == http.StatusOK:
			var msg message
			if err := json.Unmarshal(body, &msg); err != nil {
				return Response{}, fmt.Errorf("asking %s: %w: %s", m.c.Model, ErrProtocol, m.excerpt(string(body)))
			}
			return m.read(msg)
		case status == http.StatusBadRequest && r.Schema != nil && mentionsSchema(string(body)):
			r.Schema = nil
		default:
			return Response{}, m.refused(status, header, body)
		}
	}
}

func mentionsSchema(s string) bool {
	s = strings.ToLower(s)
	return strings.Contains(s, "output_config") || strings.Contains(s, "json_schema") || strings.Contains(s, "structured output")
}

func (m *messages) request(r Request) messageRequest {
	p := messageRequest{
		Model:     m.c.Model.Name,
		MaxTokens: cmp.Or(r.MaxTokens, DefaultMaxTokens),
		Messages:  []userMessage{{Role: "user", Content: []textBlock{{Type: "text", Text: r.User}}}},
	}
	if r.System != "" {
		p.System = []textBlock{{Type: "text", Text: r.System, CacheControl: &cacheControl{"ephemeral"}}}
	}
	if r.Schema != nil {
		p.OutputConfig = json.RawMessage(`{"format":{"type":"json_schema","schema":` + string(r.Schema) + `}}`)
	}
	return p
}

func (m *messages) read(msg message) (Response, error) {
	resp := Response{
		Model: msg.Model, Truncated: msg.StopReason == "max_tokens" || msg.StopReason == "model_context_window_exceeded",
		Usage: Usage{In: msg.Usage.In, Out: msg.Usage.Out, CacheRead: msg.Usage.CacheRead, CacheWrite: msg.Usage.CacheWrite},
	}
	for _, b := range msg.Content {
		resp.Text += b.Text
	}
	switch {
	case msg.StopReason == "refusal":
		return resp, fmt.Errorf("asking %s: %w", m.c.Model, ErrRefused)
	case resp.Text == "" && !resp.Truncated:
		return resp, fmt.Errorf("asking %s: %w: no text in it", m.c.Model, ErrProtocol)
	}
	return resp, nil
}
