// Package llm asks a language model one question and gets one answer, whoever
// serves it: Anthropic's Messages API, anything that speaks OpenAI's Chat
// Completions, or a command such as "claude -p".
//
// It knows nothing of lessons. What it adds to the wire is what a person needs
// who pays for the calls: an estimate before, the cost after, and a ceiling
// that stops before the call that would exceed it. Keys never get into an
// error or a log.
package llm

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
)

// A Completer answers one request. Implementations retry what is worth it;
// an error is final for this request.
type Completer interface {
	Complete(ctx context.Context, r Request) (Response, error)
}

// A Request is one question.
type Request struct {
	System string          // instructions; the same for many requests, so that providers can cache them
	User   string          // what they are to be followed on
	Schema json.RawMessage // JSON schema of the answer; nil asks for text. A server that does not know schemas is asked without
}

// maxTokens of an answer are enough for twenty lessons.
const maxTokens = 8192

// A Response is the answer to a request.
type Response struct {
	Text      string // JSON where the schema was followed
	Truncated bool   // Text ends where the tokens did
	Usage     Usage
	Cost      Cost // as the provider says; unknown when it does not
}

// Errors that callers decide on. All others are for the person to read.
var (
	ErrAuth     = errors.New("the key or login is not accepted")
	ErrBusy     = errors.New("the provider is busy or limits requests")
	ErrRefused  = errors.New("the model refused to answer")
	ErrProtocol = errors.New("the answer is not what this protocol says")
	ErrNested   = errors.New("started by an extraction of our own")
)

// maxAnswer is the most that is read of one answer.
const maxAnswer = 8 << 20

// A Secret is a key. It is not shown, however it is printed.
type Secret string

func (Secret) String() string               { return "***" }
func (Secret) GoString() string             { return "***" }
func (Secret) MarshalText() ([]byte, error) { return []byte("***"), nil }

// maxExcerpt is how many characters an error repeats of what somebody said.
const maxExcerpt = 300

// excerpt makes what a server or a command said fit for an error message: one
// line, short, without signs that a terminal acts on, without keys and other secrets.
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
