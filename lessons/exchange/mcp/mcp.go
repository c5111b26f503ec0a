// Package mcp keeps lessons in a memory that a Model Context Protocol server offers as two
// tools, one that stores and one that retrieves, as Octomind's backend of that name does.
//
// The corpus of files remains authoritative. What a person approved is also stored on the
// server, once, and what the server holds is imported as proposals. A server is hostile
// input like every store: each answer has a deadline and at most [MostAnswer] bytes.
package mcp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"learnings/lessons"
	"learnings/lessons/exchange"
)

// Name is the name of the format.
const Name = "mcp"

// Fields that a tool may get of a lesson, and of a question.
var (
	StoreFields    = []string{"content", "title", "memory_type", "importance", "confidence", "tags", "source", "role", "project", "scope", "global", "created"}
	RetrieveFields = []string{"query", "role", "project", "scope", "limit", "memory_type"}
)

// A Server says how to reach a memory and which of its tools are used.
type Server struct {
	Command []string // the command to run in Dir, spoken to over stdin and stdout; or
	Dir     string
	URL     string            // the address, for streamable HTTP
	Headers map[string]string // HTTP headers: the environment variable with the value of each
	Getenv  func(string) string
	Timeout time.Duration // per answer

	Store, Retrieve Tool
	Forget          string // the tool that removes a memory by its id; "" for none
}

// A Tool is a tool of a server, with the parameter for each field. A field that is missing or ""
// is not sent.
type Tool struct {
	Name   string
	Fields map[string]string
}

// Name returns the server's address or command; "" for none.
func (s Server) Name() string {
	if s.URL != "" {
		return s.URL
	}
	return strings.Join(s.Command, " ")
}

// A Format is the memory of a server. Its path is the server's name.
type Format struct {
	Server   Server
	Question string // only read what answers it; "" for everything
}

// Detect returns false: a server is not a file.
func (Format) Detect(string) bool { return false }

// Lacks lists what no server's memory has a place for.
func (Format) Lacks(l lessons.Lesson) []string {
	var w exchange.Lacks
	w.If(len(l.Triggers) > 0, "when it shows")
	w.If(len(l.Limit.Paths) > 0 || l.Limit.Agent != "" || !l.Limit.Until.IsZero(), "where and until when it holds")
	return w
}

// wide are questions for a server that does not answer "*": subjects of lessons.
var wide = []string{
	"rule that the user stated", "user preference", "correction by the user", "convention of the code", "error and its cause",
	"how to build and run", "how to test", "workflow and process", "architecture and design", "tools and commands",
	"security", "performance", "review and commit", "documentation", "configuration and environment",
}

// mostListed is how many memories a request asks for.
const mostListed = 100

// Read returns everything the server holds, or what answers the question.
func (f Format) Read(ctx context.Context, path string) (exchange.Found, error) {
	var found exchange.Found
	if f.Server.Retrieve.Name == "" {
		return found, errors.New("no tool to ask is named: set learning.retrieve.tool, such as \"remember\"")
	}
	s, err := f.Server.connect(ctx)
	if err != nil {
		return found, err
	}
	defer s.close()
	form, err := s.retrieving(f.Server.Retrieve)
	if err != nil {
		return found, err
	}
	questions, all := []string{f.Question}, f.Question == ""
	var memories []memory
	if all {
		if memories, err = s.retrieve(ctx, form, "*"); err != nil && !refused(err) {
			return found, err
		}
		questions = nil
		if len(memories) == 0 {
			questions = wide
		}
	}
	for _, q := range questions {
		more, err := s.retrieve(ctx, form, q)
		if err != nil {
			return found, err
		}
		memories = append(memories, more...)
	}
	seen := map[string]bool{}
	for _, m := range memories {
		if key := m.key(); !seen[key] {
			seen[key] = true
			found.Entries = append(found.Entries, f.entry(m))
		}
	}
	if n := form.limit(mostListed); all && (len(questions) > 0 && len(memories) > 0 || len(memories) >= n) {
		found.Unread = append(found.Unread, exchange.Unread{Path: path, Err: fmt.Errorf("it does not list all that it holds: %d memories were found; `learnings import --from mcp 'WORDS'` asks for more", len(found.Entries))})
	}
	return found, nil
}

// key returns a stable name of a memory: the server's id, or else its text.
func (m memory) key() string {
	if m.ID != "" {
		return m.ID
	}
	return exchange.Digest(m.Content)
}

// entry converts a memory to a proposal. The first paragraph is the lesson and the rest its
// reason, as [fields] writes them. A memory without a project holds in all.
func (f Format) entry(m memory) exchange.Entry {
	key, server := m.key(), f.Server.Name()
	l := lessons.Lesson{
		ID: exchange.ID(Name, server, key), Status: lessons.Pending, Created: m.Created, Confidence: m.Confidence, Category: m.category(),
		Tags: m.Tags, Scope: lessons.Scope{Project: m.Project, Role: m.Role, Global: m.Project == ""}, Origin: lessons.Origin{Source: m.session(), Extractor: exchange.By(Name)},
	}
	first, rest, _ := strings.Cut(strings.TrimSpace(m.Content), "\n\n")
	switch {
	case len(first) <= longest || m.Title == "":
		l.Content, l.Insight = lessons.Line(first), strings.TrimSpace(rest)
	default:
		l.Content, l.Insight = lessons.Line(m.Title), strings.TrimSpace(m.Content)
	}
	l.Evidence = []lessons.Evidence{{Agent: Name, Path: server, UUID: key, From: "import", By: lessons.ByAgent, At: m.Created, Quote: m.Content}}
	return exchange.Entry{Lesson: l, Key: key, Place: server + ": " + key, Active: true}
}

// longest is the most bytes of a first paragraph that can be a lesson.
const longest = 600

// refused reports whether the error is a tool's answer.
func refused(err error) bool {
	var no *refusal
	return errors.As(err, &no)
}

// retrieving checks the tool for questions.
func (s *session) retrieving(t Tool) (form, error) {
	return s.form("learning.retrieve", t, RetrieveFields)
}

// retrieve asks one question.
func (s *session) retrieve(ctx context.Context, f form, text string) ([]memory, error) {
	args, lost := f.fill(map[string]any{
		"query": text, "memory_type": []string{"learning"}, "limit": f.limit(mostListed),
	})
	if i := slices.IndexFunc(lost, func(l loss) bool { return l.field == "query" && l.all }); i >= 0 {
		return nil, &refusal{f.tool, "the question " + lost[i].what}
	}
	res, err := s.call(ctx, f.tool, args)
	if err != nil {
		return nil, err
	}
	return memoriesOf(res), nil
}

// limit returns how many memories to request of the tool, at most n.
func (f form) limit(n int) int {
	if p := f.props[f.at["limit"]]; p.Maximum != nil && *p.Maximum >= 1 {
		n = min(n, int(*p.Maximum))
	}
	return max(n, 1)
}
