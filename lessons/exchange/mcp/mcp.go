// Package mcp keeps lessons in a memory that a server of the Model Context Protocol
// offers as two tools, one that stores and one that retrieves, as Octomind does with
// its backend of that name.
//
// The corpus of files stays the truth. What a person approved is stored there too,
// once, and what the server holds comes in as proposals. A server is hostile input
// like every store: it gets a deadline for each answer, and no answer is read that is
// larger than [MostAnswer].
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

// Name is the format's.
const Name = "mcp"

// Fields that a tool may be given of a lesson, and of a question.
var (
	StoreFields    = []string{"content", "title", "memory_type", "importance", "confidence", "tags", "source", "role", "project", "scope", "global", "created"}
	RetrieveFields = []string{"query", "role", "project", "scope", "limit", "memory_type"}
)

// A Server is where a memory is, and which of its tools are used.
type Server struct {
	Command []string // runs it in Dir, on its standard input and output; or
	Dir     string
	URL     string            // its address, for streamable HTTP
	Headers map[string]string // that are sent to the address: the variable that holds each
	Getenv  func(string) string
	Timeout time.Duration // for each answer

	Store, Retrieve Tool
	Forget          string // the tool that takes a memory out by its id; "" for none
}

// A Tool is one of a server's, and which of its parameters is given which field;
// those that are missing or "" are not.
type Tool struct {
	Name   string
	Fields map[string]string
}

// Name is how a person knows the server: its address or its command; "" for none.
func (s Server) Name() string {
	if s.URL != "" {
		return s.URL
	}
	return strings.Join(s.Command, " ")
}

// A Format is the memory of a server, whose name is its path.
type Format struct {
	Server   Server
	Question string // of which the answers are read; "" for all that the server holds
}

// Detect is never true: a server is no file.
func (Format) Detect(string) bool { return false }

// Lacks says what a memory has no place for, whatever the server.
func (Format) Lacks(l lessons.Lesson) []string {
	var w exchange.Lacks
	w.If(len(l.Triggers) > 0, "when it shows")
	w.If(len(l.Limit.Paths) > 0 || l.Limit.Agent != "" || !l.Limit.Until.IsZero(), "where and until when it holds")
	return w
}

// wide are questions for a server that does not answer "*": what lessons are about.
var wide = []string{
	"rule that the user stated", "user preference", "correction by the user", "convention of the code", "error and its cause",
	"how to build and run", "how to test", "workflow and process", "architecture and design", "tools and commands",
	"security", "performance", "review and commit", "documentation", "configuration and environment",
}

// mostListed is how many memories a server is asked for at once.
const mostListed = 100

// Read asks for all that the server holds, or for what answers the question.
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

// key names a memory for ever: the server's id, or else what it says.
func (m memory) key() string {
	if m.ID != "" {
		return m.ID
	}
	return exchange.Digest(m.Content)
}

// entry is a memory as a proposal. The first paragraph is the lesson and the rest its
// reason, as [fields] writes them. A memory that names no project holds in all.
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

// longest is the most bytes of a first paragraph that is a lesson rather than an essay.
const longest = 600

// refused reports that a tool answered, and said no.
func refused(err error) bool {
	var no *refusal
	return errors.As(err, &no)
}

// retrieving checks the tool for questions.
func (s *session) retrieving(t Tool) (form, error) {
	return s.form("learning.retrieve", t, RetrieveFields)
}

// retrieve puts one question.
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

// limit is how many memories the tool may be asked for, of n.
func (f form) limit(n int) int {
	if p := f.props[f.at["limit"]]; p.Maximum != nil && *p.Maximum >= 1 {
		n = min(n, int(*p.Maximum))
	}
	return max(n, 1)
}
