// Package octobrain is a memory server for tests, built with the SDK. It has the tools and
// limits of octobrain, from ../octobrain_tools.json, keeps its memories in a file, and
// misbehaves on request.
package octobrain

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Schemas are the schemas of the tools, by name.
var Schemas = map[string]string{
	"memorize": `{"type":"object","required":["title","content"],"properties":{
		"title":{"type":"string"},"content":{"type":"string"},
		"memory_type":{"type":"string","enum":["code","architecture","bug_fix","feature","documentation","user_preference","decision","learning","configuration","testing","performance","security","validation","research","workflow","requirement","design","integration","communication","process","insight","other"]},
		"importance":{"type":["number","null"],"minimum":0,"maximum":1},"tags":{"type":["array","null"],"items":{"type":"string"},"maxItems":10},
		"related_files":{"type":["array","null"],"items":{"type":"string"},"maxItems":20},
		"source":{"type":"string","enum":["user_confirmed","agent_inferred"]},"scope":{"type":["string","null"]},"global":{"type":["boolean","null"]},
		"role":{"type":["string","null"]},"related_to":{"type":["array","null"],"maxItems":20}}}`,
	"remember": `{"type":"object","required":["query"],"properties":{
		"query":{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"},"maxItems":5}]},"memory_types":{"type":["array","null"],"items":{"type":"string"}},
		"tags":{"type":["array","null"]},"related_files":{"type":["array","null"]},"limit":{"type":"integer","minimum":1,"maximum":5},
		"min_relevance":{"type":["number","null"]},"created_after":{"type":["string","null"]},"created_before":{"type":["string","null"]},
		"scope":{"type":["string","null"]},"role":{"type":["string","null"]}}}`,
	"forget": `{"type":"object","required":["confirm"],"properties":{
		"memory_id":{"type":"string"},"query":{"type":"string"},"memory_types":{"type":"array"},"tags":{"type":"array"},"confirm":{"type":"boolean"},
		"scope":{"type":"string"},"role":{"type":"string"}}}`,
}

// A Memory is a stored memory.
type Memory struct {
	ID      string         `json:"id"`
	Title   string         `json:"title"`
	Content string         `json:"content"`
	Type    string         `json:"memory_type"`
	Source  string         `json:"source"`
	Scope   string         `json:"scope"`
	Tags    []string       `json:"tags"`
	Args    map[string]any `json:"args"`
}

// A Server is a memory server with its file.
type Server struct {
	File string
	Mode string // see call

	mu sync.Mutex
	n  int
}

// MCP returns the server.
func (s *Server) MCP() *mcp.Server {
	out := mcp.NewServer(&mcp.Implementation{Name: "octobrain", Version: "0.10.2"}, nil)
	for name, schema := range Schemas {
		out.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(schema)}, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			s.mu.Lock()
			defer s.mu.Unlock()
			text, err := s.call(name, r.Params.Arguments)
			res := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
			if err != nil {
				res.Content, res.IsError = []mcp.Content{&mcp.TextContent{Text: err.Error()}}, s.Mode != "text-errors"
			}
			return res, nil
		})
	}
	return out
}

// Handler serves over HTTP. If token is not empty, requests must have it.
func (s *Server) Handler(token string) http.Handler {
	h := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.MCP() }, nil)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if token != "" && r.Header.Get("Authorization") != token {
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		h.ServeHTTP(w, r)
	})
}

// Run serves on stdin and stdout, in a process that gets a file as its argument. Its mode
// is in the file beside it.
func Run() int {
	s := &Server{File: os.Args[1]}
	mode, _ := os.ReadFile(s.File + ".mode")
	s.Mode = strings.TrimSpace(string(mode))
	switch s.Mode {
	case "hang":
		fmt.Fprintln(os.Stderr, "loading the model")
		time.Sleep(time.Hour)
	case "noise":
		fmt.Println("Welcome to octobrain!")
	case "flood":
		line := bytes.Repeat([]byte("x"), 1<<16)
		fmt.Print(`"`)
		for {
			if _, err := os.Stdout.Write(line); err != nil {
				return 1
			}
		}
	case "end":
		fmt.Fprintln(os.Stderr, "no database: run octobrain init")
		return 3
	}
	if err := s.MCP().Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		return 1
	}
	return 0
}

// All returns the memories in the file.
func (s *Server) All() (out []Memory) {
	data, _ := os.ReadFile(s.File)
	for line := range bytes.Lines(data) {
		var m Memory
		if json.Unmarshal(line, &m) == nil {
			out = append(out, m)
		}
	}
	return out
}

func (s *Server) keep(ms []Memory) {
	var b bytes.Buffer
	for _, m := range ms {
		json.NewEncoder(&b).Encode(m)
	}
	os.WriteFile(s.File, b.Bytes(), 0o600)
}

func (s *Server) call(tool string, data json.RawMessage) (string, error) {
	var args map[string]any
	if err := json.Unmarshal(data, &args); err != nil {
		return "", err
	}
	var schema struct{ Properties map[string]any }
	json.Unmarshal([]byte(Schemas[tool]), &schema)
	for name := range args {
		if schema.Properties[name] == nil {
			return "", fmt.Errorf("Error: unknown field %q", name)
		}
	}
	s.n++
	switch tool {
	case "memorize":
		return s.memorize(args)
	case "forget":
		if args["confirm"] != true {
			return "", fmt.Errorf("confirm must be true")
		}
		s.keep(slices.DeleteFunc(s.All(), func(m Memory) bool { return m.ID == args["memory_id"] }))
		return "Memory forgotten", nil
	}
	return s.remember(args)
}

func (s *Server) memorize(args map[string]any) (string, error) {
	text := func(key string) string { v, _ := args[key].(string); return v }
	m := Memory{Title: text("title"), Content: text("content"), Type: cmp.Or(text("memory_type"), "code"), Source: cmp.Or(text("source"), "agent_inferred"), Scope: text("scope"), Args: args}
	if n := len(m.Title); n < 5 || n > 200 {
		return "", fmt.Errorf("Error: title must be between 5 and 200 characters, got %d", n)
	}
	if n := len(m.Content); n < 10 || n > 10000 {
		return "", fmt.Errorf("Error: content must be between 10 and 10000 characters, got %d", n)
	}
	if strings.Contains(m.Content, "REFUSE") {
		return "", fmt.Errorf("Error: database is locked")
	}
	if tags, ok := args["tags"].([]any); ok {
		for _, t := range tags {
			m.Tags = append(m.Tags, fmt.Sprint(t))
		}
	}
	all := s.All()
	m.ID = fmt.Sprintf("mem-%d", len(all)+1)
	s.keep(append(all, m))
	if s.Mode == "die" && s.n == 2 { // it is stored, but the client gets no answer
		fmt.Fprintln(os.Stderr, "panic: out of memory")
		os.Exit(2)
	}
	return "Memory stored: " + m.ID, nil
}

func (s *Server) remember(args map[string]any) (string, error) {
	var queries []string
	switch q := args["query"].(type) {
	case string:
		queries = []string{q}
	case []any:
		for _, v := range q {
			queries = append(queries, fmt.Sprint(v))
		}
	}
	for _, q := range queries {
		if n := len(strings.TrimSpace(q)); (n < 3 || n > 500) && s.Mode != "json" {
			return "", fmt.Errorf("Error: query must be between 3 and 500 characters")
		}
	}
	if s.Mode == "big" {
		return strings.Repeat("lesson after lesson\n", 1<<20), nil
	}
	var found []Memory
	for _, m := range s.All() {
		for _, q := range queries {
			if q == "*" || shares(q, m.Title+" "+m.Content) {
				found = append(found, m)
				break
			}
		}
	}
	limit, _ := args["limit"].(float64)
	found = found[:min(len(found), cmp.Or(int(limit), 5))]
	if s.Mode == "json" {
		data, _ := json.Marshal(map[string]any{"memories": found})
		return string(data), nil
	}
	if len(found) == 0 {
		return "No memories found", nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "MEMORIES (%d found)\n\n", len(found))
	for i, m := range found {
		label := map[string]string{"user_confirmed": "CONFIRMED"}[m.Source]
		fmt.Fprintf(&b, "%d. [%s] %s | Score: 0.91\nType: %s | Importance: 0.9 | Confidence: 1.00 | Created: 2026-04-05 14:30:00 UTC\n", i+1, cmp.Or(label, "INFERRED"), m.Title, m.Type)
		if len(m.Tags) > 0 {
			fmt.Fprintf(&b, "Tags: %s\n", strings.Join(m.Tags, ", "))
		}
		fmt.Fprintf(&b, "ID: %s\n%s\nWhy: it matches\n\n", m.ID, m.Content)
	}
	return b.String(), nil
}

func shares(q, text string) bool {
	text = strings.ToLower(text)
	for w := range strings.FieldsSeq(strings.ToLower(q)) {
		if len(w) > 2 && strings.Contains(text, w) {
			return true
		}
	}
	return false
}
