package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"learnings/lessons"
)

// MostAnswer is the most bytes of one answer of a server.
const MostAnswer = 16 << 20

const (
	usualTimeout = 30 * time.Second
	grace        = time.Second // for a server to exit after its stdin is closed
	mostPages    = 50          // of the list of tools
	mostStderr   = 4 << 10
)

// A session is an initialized connection to a server, with its tools.
type session struct {
	timeout time.Duration
	client  *sdk.ClientSession
	tools   map[string]*sdk.Tool
	said    tail               // stderr of a server that was started
	kill    context.CancelFunc // kills the server
}

// connect connects to the server and lists its tools. The caller must close the session.
func (s Server) connect(ctx context.Context) (*session, error) {
	c := &session{timeout: s.Timeout, tools: map[string]*sdk.Tool{}, kill: func() {}}
	if c.timeout <= 0 {
		c.timeout = usualTimeout
	}
	var transport sdk.Transport
	var cmd *exec.Cmd
	switch {
	case s.URL != "":
		headers, err := s.headers()
		if err != nil {
			return nil, err
		}
		transport = web(s.URL, headers)
	case len(s.Command) > 0:
		var life context.Context
		life, c.kill = context.WithCancel(context.Background())
		cmd = exec.CommandContext(life, s.Command[0], s.Command[1:]...)
		cmd.Dir, cmd.Stderr, cmd.WaitDelay = s.Dir, &c.said, grace
		transport = &sdk.CommandTransport{Command: cmd, TerminateDuration: grace}
	default:
		return nil, errors.New("no memory server is named: set learning.mcp.command, such as [\"octobrain\", \"mcp\"], or learning.mcp.url")
	}
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	defer context.AfterFunc(ctx, c.kill)()
	client := sdk.NewClient(&sdk.Implementation{Name: "learnings", Version: "1"}, &sdk.ClientOptions{Capabilities: &sdk.ClientCapabilities{}})
	var err error
	if c.client, err = client.Connect(ctx, transport, nil); err == nil {
		err = c.list(ctx)
	}
	switch {
	case err != nil && cmd != nil && cmd.Process == nil:
		return nil, fmt.Errorf("starting the memory server: %w", err)
	case err != nil:
		err = c.explain(ctx, "the first message", err)
		c.close()
		return nil, err
	}
	return c, nil
}

func (c *session) list(ctx context.Context) error {
	var p sdk.ListToolsParams
	for range mostPages {
		res, err := c.client.ListTools(ctx, &p)
		if err != nil {
			return err
		}
		for _, t := range res.Tools {
			c.tools[t.Name] = t
		}
		if p.Cursor = res.NextCursor; p.Cursor == "" {
			return nil
		}
	}
	return fmt.Errorf("its list of tools has more than %d pages", mostPages)
}

// close ends the session, and the server if it was started for it.
func (c *session) close() {
	if c.client != nil {
		closed := make(chan struct{})
		go func() { c.client.Close(); close(closed) }()
		select {
		case <-closed:
		case <-time.After(grace):
		}
	}
	c.kill()
}

// A refusal is a tool's answer that is an error.
type refusal struct{ tool, says string }

func (r *refusal) Error() string { return fmt.Sprintf("the tool %s says: %s", r.tool, r.says) }

// call calls a tool. If the tool answers with an error, it returns a [refusal].
func (c *session) call(ctx context.Context, tool string, args map[string]any) (*sdk.CallToolResult, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	res, err := c.client.CallTool(ctx, &sdk.CallToolParams{Name: tool, Arguments: args})
	var wire *jsonrpc.Error
	switch {
	case errors.As(err, &wire) && ctx.Err() == nil:
		return nil, &refusal{tool, clip(wire.Message)}
	case err != nil:
		return nil, c.explain(ctx, tool, err)
	}
	return res, refusalIn(tool, res)
}

// refusalIn returns a [refusal] if an answer is an error.
func refusalIn(tool string, res *sdk.CallToolResult) error {
	if text := textOf(res); res.IsError || isError(text) {
		return &refusal{tool, clip(text)}
	}
	return nil
}

// textOf joins the blocks of text of an answer.
func textOf(res *sdk.CallToolResult) string { return strings.Join(blocksOf(res), "\n") }

func blocksOf(res *sdk.CallToolResult) (out []string) {
	for _, c := range res.Content {
		if t, ok := c.(*sdk.TextContent); ok {
			out = append(out, t.Text)
		}
	}
	return out
}

// isError reports whether a text says that it is an error: some servers do not mark theirs.
func isError(text string) bool {
	text = strings.ToLower(strings.TrimSpace(text))
	for _, begin := range []string{"error:", "error -", "failed to ", `{"error":`} {
		if strings.HasPrefix(text, begin) {
			return !strings.Contains(text, "\n\n")
		}
	}
	return false
}

func clip(s string) string { return lessons.Wording{Content: s}.Title(300) }

// explain adds to an error what happened to a message to the server.
func (c *session) explain(ctx context.Context, what string, err error) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		err = fmt.Errorf("no answer to %s within %v", what, c.timeout)
		c.kill()
	} else if ctx.Err() == nil {
		err = fmt.Errorf("%s: %v", what, err)
		c.close()
	}
	if why := c.said.String(); why != "" {
		err = fmt.Errorf("%w; it said: %s", err, why)
	}
	return fmt.Errorf("the memory server: %w", err)
}

// A tail keeps the end of what is written to it.
type tail struct {
	mu  sync.Mutex
	end []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.end = append(t.end, p[max(0, len(p)-mostStderr):]...)
	t.end = slices.Clone(t.end[max(0, len(t.end)-mostStderr):])
	return len(p), nil
}

// String returns the last line.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := bytes.TrimSpace(t.end)
	return clip(string(text[bytes.LastIndexByte(text, '\n')+1:]))
}

// headers returns the configured headers with the values of their variables.
func (s Server) headers() (http.Header, error) {
	out := http.Header{}
	for name, variable := range s.Headers {
		value := s.Getenv(variable)
		if value == "" {
			return nil, fmt.Errorf("learning.mcp.headers: the variable %s, which is to hold %s, is not set", variable, name)
		}
		out.Set(name, value)
	}
	return out, nil
}

// web connects to a server by its address. It follows no redirects, so that the headers go
// nowhere else.
func web(url string, headers http.Header) sdk.Transport {
	client := &http.Client{
		Transport:     headed{headers},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return &sdk.StreamableClientTransport{Endpoint: url, HTTPClient: client, MaxRetries: -1, DisableStandaloneSSE: true, MaxEventSize: MostAnswer}
}

// headed adds headers to requests and limits the size of answers.
type headed struct{ headers http.Header }

func (h headed) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	maps.Copy(r.Header, h.headers)
	res, err := http.DefaultTransport.RoundTrip(r)
	if err == nil {
		res.Body = http.MaxBytesReader(nil, res.Body, MostAnswer+4<<10)
	}
	return res, err
}

// schemaOf parses a tool's input schema.
func schemaOf(t *sdk.Tool) (out schema, err error) {
	data, err := json.Marshal(t.InputSchema)
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	return out, err
}
