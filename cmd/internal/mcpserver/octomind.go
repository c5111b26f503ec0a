package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"learnings/extractor/intake"
	"learnings/index"
	"learnings/index/recall"
	"learnings/lessons"
)

// This file has Octomind's two memory tools, with its field names. A memorized text waits
// for a person like every proposal.

// listed hides these tools from clients that do not map fields to them as Octomind and
// our own client do: for others they duplicate propose and search and cost tokens in each
// session. Calls are answered for all clients.
func listed(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, req)
		asked, ok := req.(*mcp.ListToolsRequest)
		if list, isList := res.(*mcp.ListToolsResult); ok && isList && err == nil {
			if name := client(asked.ClientInfo()); !strings.Contains(name, "octomind") && name != "learnings" {
				list.Tools = slices.DeleteFunc(list.Tools, func(t *mcp.Tool) bool { return lenient[t.Name] })
			}
		}
		return res, err
	}
}

type memorizeIn struct {
	Title   string   `json:"title"`
	Content string   `json:"content"`
	Type    string   `json:"memory_type"`
	Tags    []string `json:"tags"`
	Source  string   `json:"source"`
	Project string   `json:"project"`
	Scope   string   `json:"scope"`
	Global  bool     `json:"global"`
}

// longest is the most bytes of a first paragraph that can be a lesson.
const longest = 600

// tiers are sources that give a memory's level of trust instead of a session.
var tiers = []string{"user_confirmed", "agent_inferred", "imported", "auto_linked"}

func (s *Server) memorize(ctx context.Context, client string, in memorizeIn) (string, error) {
	content, insight, _ := strings.Cut(strings.TrimSpace(in.Content), "\n\n")
	if title := strings.TrimSpace(in.Title); len(content) > longest && title != "" {
		content, insight = title, in.Content
	}
	if slices.Contains(tiers, in.Source) {
		in.Source = ""
	}
	category, err := lessons.ParseCategory(in.Type)
	if err != nil || in.Type == "learning" {
		category = lessons.Category(lessons.Other)
	}
	project := in.Project
	if in.Scope != "" && in.Scope != "global" && in.Scope != "scoped" {
		project = in.Scope
	}
	l, says, err := s.take(ctx, intake.Report{
		Wording: lessons.Wording{Content: content, Insight: strings.TrimSpace(insight)}, Category: category, Tags: in.Tags,
		Session: in.Source, Project: project, Global: in.Global || in.Scope == "global", Client: client,
	})
	if err != nil {
		return "", err
	}
	return "Proposed: " + string(l.ID) + "\n" + says, nil
}

// A memory is a lesson in Octomind's form.
type memory struct {
	ID         lessons.ID `json:"id"`
	Content    string     `json:"content"`
	Title      string     `json:"title"`
	Type       string     `json:"memory_type"`
	Importance float64    `json:"importance"`
	Source     string     `json:"source"`
	Project    string     `json:"project,omitempty"`
	Role       string     `json:"role,omitempty"`
	Tags       []string   `json:"tags,omitempty"`
	Created    string     `json:"created,omitempty"`
}

func (s *Server) remember(ctx context.Context, _ string, in rememberIn) (string, error) {
	if len(in.Query) == 0 {
		return "", errors.New("query is empty")
	}
	q := s.approved(index.Query{Limit: bounded(in.Limit, 5, 50)})
	if project := in.Project + in.Scope; in.Project == "" || in.Scope == "" {
		in.Project = project
	}
	if in.Project != "" && in.Project != "global" && in.Project != "scoped" {
		q = q.Where(index.For, in.Project)
	}
	hits, err := s.remembered(ctx, in, q)
	if err != nil {
		return "", err
	}
	left, out := mostTokens-100, []memory{}
	for _, h := range hits {
		l := masked.MaskedLesson(h.Lesson)
		text := l.Content
		for _, more := range []string{l.Insight, l.Example} {
			if more = strings.TrimSpace(more); more != "" {
				text += "\n\n" + more
			}
		}
		m := memory{
			ID: l.ID, Content: recall.Clean(text), Title: lessons.Line(recall.Clean(l.Title(200))), Type: "learning", Importance: l.Confidence.Importance(), Source: "user_confirmed",
			Role: lessons.Line(l.Scope.Role), Tags: l.Tags,
		}
		if !l.Scope.Global {
			m.Project = lessons.Line(l.Scope.Project)
		}
		if !l.Created.IsZero() {
			m.Created = l.Created.UTC().Format(time.RFC3339)
		}
		data, err := json.Marshal(m)
		if err != nil {
			return "", err
		}
		// JSON text has at most one token per 2.5 bytes.
		if left -= len(data)*2/5 + 1; left < 0 {
			break
		}
		out = append(out, m)
	}
	data, err := json.Marshal(map[string]any{"memories": out})
	return string(data), err
}

// remembered finds lessons for each question in turn, preferring those of the role. An
// empty question asks for the latest.
func (s *Server) remembered(ctx context.Context, in rememberIn, q index.Query) ([]index.Hit, error) {
	queries := []index.Query{q}
	if in.Role != "" {
		queries = []index.Query{q.Where(index.Role, in.Role), q}
	}
	var out []index.Hit
	for i := 0; i < len(queries) && len(out) == 0; i++ {
		for _, text := range in.Query[:min(len(in.Query), 10)] {
			f, err := s.find(ctx, words{strings.Trim(text, "* ")}, queries[i])
			if err != nil {
				return nil, err
			}
			for _, h := range f.hits {
				if len(out) < q.Limit && !slices.ContainsFunc(out, func(o index.Hit) bool { return o.Lesson.ID == h.Lesson.ID }) {
					out = append(out, h)
				}
			}
		}
	}
	return out, nil
}
