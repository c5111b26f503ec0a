package mcpserver

import (
	"context"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"learnings/index"
	"learnings/index/curate"
	"learnings/index/recall"
	"learnings/lessons"
)

const (
	lessonURI  = "learnings://lesson/"
	projectURI = "learnings://project/"
)

// addResources adds what a host can attach: a lesson, and the lessons of a project's
// session start.
func (s *Server) addResources() {
	s.mcp.AddResourceTemplate(&mcp.ResourceTemplate{
		Name: "lesson", Title: "A lesson", Description: "A lesson whole, by its id.", MIMEType: "text/markdown", URITemplate: lessonURI + "{id}",
	}, s.resource(lessonURI, func(_ context.Context, _, id string) (string, error) {
		l, err := s.lesson(id)
		if err != nil {
			return "", err
		}
		out := newAnswer()
		out.cut(s.card(l))
		return out.end(""), nil
	}))
	s.mcp.AddResourceTemplate(&mcp.ResourceTemplate{
		Name: "project", Title: "The lessons of a project", Description: "What a session of the project is given at its start.", MIMEType: "text/markdown", URITemplate: projectURI + "{name}",
	}, s.resource(projectURI, s.block))
	if s.c.Project != "" {
		s.mcp.AddResource(&mcp.Resource{
			Name: "project " + lessons.Line(s.c.Project), Title: "The lessons of this project", Description: "What a session of this project is given at its start.", MIMEType: "text/markdown", URI: projectURI + url.PathEscape(s.c.Project),
		}, s.resource(projectURI, s.block))
	}
}

// resource returns a handler that reads what an address has after its prefix.
func (s *Server) resource(prefix string, read func(ctx context.Context, client, name string) (string, error)) mcp.ResourceHandler {
	return func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		uri := req.Params.URI
		name, err := url.PathUnescape(strings.TrimPrefix(uri, prefix))
		if err != nil || name == "" {
			return nil, mcp.ResourceNotFoundError(uri)
		}
		text, err := read(ctx, client(req.ClientInfo()), name)
		if err != nil {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: worded(ctx, err).Error()}
		}
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: "text/markdown", Text: text}}}, nil
	}
}

// block returns the lessons of a project's session start.
func (s *Server) block(ctx context.Context, client, project string) (string, error) {
	if err := curate.CheckProject(project); err != nil {
		return "", err
	}
	sessions, err := s.c.Sessions()
	if err != nil {
		return "", err
	}
	now := s.c.Library.Now()
	if paused := sessions.Options.Paused; paused != nil && paused(now) || s.c.Budget.Lessons <= 0 {
		return "", nil
	}
	at := recall.Situation{Project: project, Role: s.c.Role, Agent: client, TrustEdits: s.c.TrustEdits, Now: now, Known: recall.KnownOf(s.c.Library.Store.State(), project)}
	at.Tree = s.c.Tree(project)
	defer at.Tree.Close()
	chosen, err := asked(ctx, s, s.c.Library, func(ctx context.Context, x *index.Index) ([]recall.Choice, error) {
		return recall.Pick(ctx, x, s.c.Library.Store.Reread, at, s.c.Budget)
	})
	if err != nil {
		return "", err
	}
	for i := range chosen {
		chosen[i].Lesson = masked.MaskedLesson(chosen[i].Lesson)
	}
	var b strings.Builder
	err = recall.Write(&b, chosen, recall.Style{Project: project})
	return b.String(), err
}

// addPrompts adds the prompts that a person can start by name.
func (s *Server) addPrompts() {
	s.mcp.AddPrompt(&mcp.Prompt{Name: "what-did-we-learn", Title: "What did we learn?", Description: "Look back on this session and propose what it taught; the proposals wait for you."},
		func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: lookBack}}}}, nil
		})
}

const lookBack = `What did we learn in this session?

Go through it from the start and find what a next session should know:
- what I corrected, refused or asked for more than once;
- rules and preferences that I stated;
- errors that took several tries, with the way that worked in the end.

Leave out what holds for this task alone, what the project's instructions say already, and what you only suppose. First call search for each, to see whether there is a lesson. Then call propose once for each that is new: one clear sentence as content, my own words (or the error) verbatim as quote, the reason as insight, and the session if you know its id. It is fine if there is nothing.

At the end list for me what you proposed. I decide on it; nothing is active before.`
