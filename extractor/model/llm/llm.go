// Package llm asks a language model one question and gets one answer. The model may be
// behind Anthropic's Messages API, OpenAI's Chat Completions and its many imitations,
// or a command such as "claude -p".
//
// The package knows nothing of lessons. It adds what a paying person needs: an estimate
// before a call, the cost after it, and a ceiling that stops before the call that would
// exceed it. Keys never appear in an error or a log.
package llm

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
)

// A Completer answers one request. It retries on its own, so an error is final.
type Completer interface {
	Complete(ctx context.Context, r Request) (Response, error)
}

// A Request is one question.
type Request struct {
	System string          // instructions; the same for many requests, so that providers can cache them
	User   string          // what to apply them to
	Schema json.RawMessage // JSON schema of the answer; nil asks for text. It is dropped for servers that do not support schemas
}

// maxTokens are the most tokens of an answer. They suffice for twenty lessons, and for a
// model that thinks first.
const maxTokens = 8192

// A Response is the answer to a request.
type Response struct {
	Text      string // JSON if the schema was followed
	Truncated bool   // Text was cut at the token limit
	Usage     Usage
	Cost      Cost // as the provider reports it; may be unknown
}

// Errors that callers decide on. All others are for the person to read.
var (
	ErrAuth     = errors.New("the key or login is not accepted")
	ErrBusy     = errors.New("the provider is busy or limits requests")
	ErrRefused  = errors.New("the model refused to answer")
	ErrProtocol = errors.New("the answer is not what this protocol says")
	ErrNested   = errors.New("started by an extraction of our own")
	ErrLost     = errors.New("the connection broke before the answer had come")
)

// maxAnswer is the most bytes read of one answer.
const maxAnswer = 8 << 20

// A Secret is a key. No way of printing shows it.
type Secret string

func (Secret) String() string               { return "***" }
func (Secret) GoString() string             { return "***" }
func (Secret) MarshalText() ([]byte, error) { return []byte("***"), nil }

// maxExcerpt is the most characters that an error quotes.
const maxExcerpt = 300

// excerpt makes a message of a server or a command fit for an error: one short line
// without terminal escapes, keys and other secrets.
func (c Config) excerpt(s string) string {
	for _, k := range []Secret{c.Key, c.AuthToken} {
		if k != "" {
			s = strings.ReplaceAll(s, string(k), "***")
		}
	}
	if c.Redact != nil { // before it is cut: half a secret is not recognised
		s = c.Redact(s)
	}
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r <= 0x9f || r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > maxExcerpt {
		s = string(r[:maxExcerpt]) + "…"
	}
	return s
}
