package llm

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Embedding is the provider of a model that turns texts into vectors. It answers no
// questions, so [ParseModel] does not take it.
const Embedding Provider = "embedding"

// An Embedder has a server turn texts into vectors, by the protocol that OpenAI, Ollama,
// LM Studio, vLLM and others have in common: POST /v1/embeddings.
type Embedder struct {
	line
	price  Price
	priced bool
}

// NewEmbedder gives the client for the model of that name at an address, which ends with
// "/v1" or what stands in its place. What it costs is known with a price, and on this
// machine it is nothing. It makes no call.
func NewEmbedder(c Config, price *Price) (*Embedder, error) {
	c.Model.Provider = Embedding
	c.BaseURL = strings.TrimSuffix(strings.TrimRight(c.BaseURL, "/"), "/embeddings")
	c = c.withDefaults()
	u, err := url.Parse(c.BaseURL)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return nil, fmt.Errorf("embeddings: %q is not an http address", excerpt(c.BaseURL, c.Redact, c.Key))
	case u.User != nil:
		return nil, errors.New("embeddings: set the key apart from the address")
	case c.Model.Name == "":
		return nil, errors.New("embeddings: say which model")
	case c.Key != "" && u.Scheme == "http" && !near(u.Hostname()):
		return nil, fmt.Errorf("embeddings: the key would go to %s unencrypted; use https", u.Host)
	}
	e := &Embedder{line: newLine(c, func(h http.Header) { h.Set("authorization", "Bearer "+cmp.Or(string(c.Key), "none")) })}
	if price != nil {
		e.price, e.priced = *price, true
	}
	e.priced = e.priced || e.Local()
	return e, nil
}

// Local reports that the server is on this machine.
func (e *Embedder) Local() bool {
	u, err := url.Parse(e.c.BaseURL)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// Name is the model at its server, for messages and to tell its vectors from those of others.
func (e *Embedder) Name() string { return e.c.Model.Name + " at " + e.c.BaseURL }

// In is the same embedder for who waits no longer than a time, and then does without.
func (e *Embedder) In(d time.Duration) *Embedder {
	hasty := *e
	hasty.c.Timeout, hasty.c.Attempt, hasty.c.Retries = d, d, 0
	return &hasty
}

// Estimate is what it costs to have so many tokens turned into vectors.
func (e *Embedder) Estimate(tokens int) Cost {
	if !e.priced {
		return Cost{}
	}
	return e.price.Of(Usage{In: tokens})
}

// metered holds a call to the ceilings of a ledger and records it there; with nil it does
// neither.
func (e *Embedder) metered(ctx context.Context, s *Spend, tokens int, call func() (Usage, error)) error {
	if s == nil {
		_, err := call()
		return err
	}
	estimate := e.Estimate(tokens)
	if err := s.Reserve(ctx, estimate); err != nil {
		return err
	}
	defer s.Release(estimate)
	used, err := call()
	if err != nil && used == (Usage{}) {
		return err
	}
	return errors.Join(err, s.Record(Expense{Model: e.c.Model.String(), What: what(ctx), Usage: used, USD: e.price.Of(used).USD, Known: e.priced}))
}

type embeddingRequest struct {
	Model  string   `json:"model"`
	Input  []string `json:"input"`
	Format string   `json:"encoding_format"`
}

// Embed gives a vector for each text, all of one length. It holds the call to the ceilings
// of a ledger and records it there; with nil it does neither. tokens is about how many the
// texts have. Errors are those of [Completer]: an answer with too many or too few vectors,
// of different lengths, or with what is no number is [ErrProtocol].
func (e *Embedder) Embed(ctx context.Context, s *Spend, texts []string, tokens int) (vectors [][]float32, err error) {
	err = e.metered(ctx, s, tokens, func() (used Usage, err error) {
		vectors, used, err = e.ask(ctx, texts)
		return used, err
	})
	return vectors, err
}

func (e *Embedder) ask(ctx context.Context, texts []string) ([][]float32, Usage, error) {
	ctx, cancel := context.WithTimeout(ctx, e.c.Timeout)
	defer cancel()
	status, header, body, err := e.send(ctx, http.MethodPost, e.c.BaseURL+"/embeddings", embeddingRequest{e.c.Model.Name, texts, "float"})
	switch {
	case err != nil:
		return nil, Usage{}, err
	case status != http.StatusOK:
		return nil, Usage{}, e.refused(status, header, body)
	}
	vectors, used, err := readVectors(body, len(texts))
	if err != nil {
		err = fmt.Errorf("asking %s: %w: %s", e.c.Model, ErrProtocol, e.excerpt(err.Error()))
	}
	return vectors, used, err
}

// mostNumbers is how long a vector may be.
const mostNumbers = 1 << 14

// readVectors reads an answer about so many texts.
func readVectors(body []byte, texts int) ([][]float32, Usage, error) {
	var a struct {
		Data []struct {
			Index     *int       `json:"index"`
			Embedding []*float64 `json:"embedding"` // null is what some write for what is no number
		} `json:"data"`
		Usage struct {
			Prompt int `json:"prompt_tokens"`
			Total  int `json:"total_tokens"`
		} `json:"usage"`
		Error json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal(body, &a); err != nil {
		return nil, Usage{}, fmt.Errorf("%v in %d bytes", err, len(body))
	}
	used := Usage{In: max(a.Usage.Prompt, a.Usage.Total, 0)}
	if len(a.Error) > 0 && string(a.Error) != "null" {
		return nil, used, errors.New(string(a.Error))
	}
	if len(a.Data) != texts {
		return nil, used, fmt.Errorf("%d vectors for %d texts", len(a.Data), texts)
	}
	out := make([][]float32, texts)
	for i, d := range a.Data {
		at := i
		if d.Index != nil {
			at = *d.Index
		}
		if at < 0 || at >= texts || out[at] != nil {
			return nil, used, fmt.Errorf("there is no text %d, or it has two vectors", at)
		}
		if n := len(d.Embedding); n == 0 || n > mostNumbers || n != len(a.Data[0].Embedding) {
			return nil, used, fmt.Errorf("a vector of %d numbers beside one of %d", n, len(a.Data[0].Embedding))
		}
		v := make([]float32, len(d.Embedding))
		some := false
		for k, x := range d.Embedding {
			if x == nil || math.IsInf(float64(float32(*x)), 0) {
				return nil, used, fmt.Errorf("number %d of vector %d is none", k, at)
			}
			v[k] = float32(*x)
			some = some || v[k] != 0
		}
		if !some {
			return nil, used, fmt.Errorf("vector %d is nothing but zeros", at)
		}
		out[at] = v
	}
	return out, used, nil
}
