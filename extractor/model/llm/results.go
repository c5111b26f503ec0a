package llm

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
)

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
