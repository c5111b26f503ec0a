package llm

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
)

// This file reads what coding agents print when they answer one prompt: the answer,
// what it cost as far as they tell, and why there is none.

// readResult reads what an agent has printed; isResult is false when it is the form
// of none of them, and then the text itself is the answer. The exit code does not
// tell whether it failed: its own fields do.
func readResult(text string, redact func(string) string) (resp Response, isResult bool, err error) {
	for _, read := range []func(string, func(string) string) (Response, bool, error){readClaude, readGemini, readCodex} {
		if resp, isResult, err := read(text, redact); isResult {
			return resp, true, err
		}
	}
	return Response{}, false, nil
}

// result is what "claude -p --output-format json" prints.
type result struct {
	Type             string          `json:"type"`
	Subtype          string          `json:"subtype"`
	IsError          bool            `json:"is_error"`
	Result           string          `json:"result"`
	StructuredOutput json.RawMessage `json:"structured_output"`
	StopReason       string          `json:"stop_reason"`
	TotalCostUSD     *float64        `json:"total_cost_usd"`
	Errors           []string        `json:"errors"`
	Usage            struct {
		InputTokens              int `json:"input_tokens"`
		OutputTokens             int `json:"output_tokens"`
		CacheReadInputTokens     int `json:"cache_read_input_tokens"`
		CacheCreationInputTokens int `json:"cache_creation_input_tokens"`
	} `json:"usage"`
	ModelUsage map[string]struct {
		InputTokens              int `json:"inputTokens"`
		OutputTokens             int `json:"outputTokens"`
		CacheReadInputTokens     int `json:"cacheReadInputTokens"`
		CacheCreationInputTokens int `json:"cacheCreationInputTokens"`
	} `json:"modelUsage"`
}

func readClaude(text string, redact func(string) string) (resp Response, isResult bool, err error) {
	var r result
	if json.Unmarshal([]byte(text), &r) != nil || r.Type != "result" {
		return Response{}, false, nil
	}
	resp = Response{Text: r.Result, Truncated: r.StopReason == "max_tokens"}
	if len(r.StructuredOutput) > 0 && string(r.StructuredOutput) != "null" {
		resp.Text = string(r.StructuredOutput)
	}
	resp.Cost = told(r.TotalCostUSD)
	resp.Usage = Usage{In: r.Usage.InputTokens, Out: r.Usage.OutputTokens, CacheRead: r.Usage.CacheReadInputTokens, CacheWrite: r.Usage.CacheCreationInputTokens}
	if len(r.ModelUsage) > 0 {
		resp.Usage = Usage{}
		var names []string
		for name, u := range r.ModelUsage {
			names = append(names, name)
			resp.Usage = resp.Usage.Add(Usage{u.InputTokens, u.OutputTokens, u.CacheReadInputTokens, u.CacheCreationInputTokens})
		}
		resp.Model = strings.Join(sorted(names), "+")
	}
	why := excerpt(cmp.Or(strings.Join(r.Errors, "; "), r.Result), redact)
	switch {
	case r.StopReason == "refusal":
		return resp, true, ErrRefused
	case r.IsError && loginNeeded(why):
		return resp, true, fmt.Errorf("%w: %s", ErrAuth, why)
	case r.IsError || r.Subtype != "" && r.Subtype != "success":
		return resp, true, fmt.Errorf("it ended with %s: %s", cmp.Or(r.Subtype, "an error"), why)
	}
	return resp, true, nil
}

// told is a cost in US dollars as somebody tells it, or that it is not known.
func told(usd *float64) Cost {
	if usd == nil || *usd < 0 {
		return Cost{}
	}
	return Cost{*usd, true}
}

// readGemini reads what "gemini -p … --output-format json" prints. It tells tokens and
// no cost.
func readGemini(text string, redact func(string) string) (resp Response, isResult bool, err error) {
	var r struct {
		Response *string `json:"response"`
		Stats    *struct {
			Models map[string]struct {
				Tokens struct {
					Prompt, Candidates, Thoughts, Cached int
				} `json:"tokens"`
			} `json:"models"`
		} `json:"stats"`
		Error *struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	if json.Unmarshal([]byte(text), &r) != nil || r.Stats == nil || r.Response == nil && r.Error == nil {
		return Response{}, false, nil
	}
	if r.Response != nil {
		resp.Text = *r.Response
	}
	var names []string
	for name, m := range r.Stats.Models {
		t := m.Tokens
		names = append(names, name)
		resp.Usage = resp.Usage.Add(Usage{In: max(t.Prompt-t.Cached, 0), Out: t.Candidates + t.Thoughts, CacheRead: t.Cached})
	}
	resp.Model = strings.Join(sorted(names), "+")
	if r.Error != nil {
		return resp, true, agentError(excerpt(r.Error.Message, redact))
	}
	return resp, true, nil
}

// readCodex reads the events that "codex exec --json" prints, one a line. They tell
// tokens and no cost.
func readCodex(text string, redact func(string) string) (resp Response, isResult bool, err error) {
	why := ""
	for line := range strings.Lines(text) {
		var e struct {
			Type string `json:"type"`
			Item struct {
				Type string `json:"type"`
				Text string `json:"text"`
			} `json:"item"`
			Usage struct {
				In     int `json:"input_tokens"`
				Cached int `json:"cached_input_tokens"`
				Out    int `json:"output_tokens"`
			} `json:"usage"`
			Message string `json:"message"`
			Error   struct {
				Message string `json:"message"`
			} `json:"error"`
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
			why = cmp.Or(e.Error.Message, e.Message, "an error")
		}
	}
	if isResult && resp.Text == "" && why != "" {
		return resp, true, agentError(excerpt(why, redact))
	}
	return resp, isResult, nil
}

// agentError is what an agent says went wrong.
func agentError(why string) error {
	if loginNeeded(why) {
		return fmt.Errorf("%w: %s", ErrAuth, why)
	}
	return fmt.Errorf("it ended with an error: %s", why)
}

func loginNeeded(s string) bool {
	s = strings.ToLower(s)
	return strings.Contains(s, "/login") || strings.Contains(s, "invalid api key") || strings.Contains(s, "authentication") || strings.Contains(s, "not logged in")
}
