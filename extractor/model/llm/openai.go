package llm

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// openAI speaks Chat Completions, the one protocol that OpenAI, OpenRouter,
// Ollama, LM Studio and vLLM have in common.
type openAI struct{ line }

func newOpenAI(c Config) *openAI {
	return &openAI{newLine(c, func(h http.Header) { h.Set("authorization", "Bearer "+cmp.Or(string(c.Key), "none")) })}
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
			CachedTokens     int `json:"cached_tokens"`
			CacheWriteTokens int `json:"cache_write_tokens"`
		} `json:"prompt_tokens_details"`
		Cost *float64 `json:"cost"` // of OpenRouter: in US dollars
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
		status, header, body, err := o.send(ctx, http.MethodPost, o.c.BaseURL+"/chat/completions", req)
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
			return Response{}, o.refused(status, header, body)
		}
	}
}

func (o *openAI) read(body []byte) (Response, error) {
	var a chatAnswer
	if err := json.Unmarshal(body, &a); err != nil {
		return Response{}, fmt.Errorf("asking %s: %w: %s", o.c.Model, ErrProtocol, o.excerpt(string(body)))
	}
	if len(a.Choices) == 0 {
		if len(a.Error) > 0 && string(a.Error) != "null" {
			return Response{}, fmt.Errorf("asking %s: %s", o.c.Model, o.complaint(body))
		}
		return Response{}, fmt.Errorf("asking %s: %w: no choices in it", o.c.Model, ErrProtocol)
	}
	choice := a.Choices[0]
	cached, written := a.Usage.PromptTokensDetails.CachedTokens, a.Usage.PromptTokensDetails.CacheWriteTokens
	resp := Response{
		Text: content(choice.Message.Content), Truncated: choice.FinishReason == "length", Model: a.Model,
		Usage: Usage{
			In: max(a.Usage.PromptTokens-cached-written, 0), Out: a.Usage.CompletionTokens, CacheRead: cached, CacheWrite: written,
		},
	}
	if o.c.Model.Provider == OpenRouter {
		resp.Cost = told(a.Usage.Cost)
	}
	switch {
	case choice.Message.Refusal != "":
		return resp, fmt.Errorf("asking %s: %w: %s", o.c.Model, ErrRefused, o.excerpt(choice.Message.Refusal))
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
