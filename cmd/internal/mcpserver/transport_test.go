package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

func searching(id any, query string) string {
	data, _ := json.Marshal(m{"jsonrpc": "2.0", "method": "tools/call", "params": m{"name": "search", "arguments": m{"query": query}}, "id": id})
	return string(data) + "\n"
}

// serve sends a client's lines to the server and returns the answers by id.
func serve(t *testing.T, w *world, in string) map[string]string {
	t.Helper()
	var out bytes.Buffer
	if err := w.Serve(t.Context(), strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	answers := map[string]string{}
	for line := range strings.Lines(out.String()) {
		var head struct {
			JSONRPC string
			ID      json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &head); err != nil || head.JSONRPC != "2.0" {
			t.Errorf("no protocol: %q", line)
		}
		answers[string(head.ID)] += line
	}
	return answers
}

// TestStdio checks a whole session over streams: bad lines, long lines, and requests
// still unanswered at the end of the input.
func TestStdio(t *testing.T) {
	w := newWorld(t, lesson("aaaa", "Run make generate"))
	got := serve(t, w, hello+"garbage\n{}\n\n[]\n"+
		searching(2, strings.Repeat("x", 16<<20))+searching("three", strings.Repeat("y", 300<<10))+searching(nil, strings.Repeat("x", mostRead))+
		"["+strings.TrimSpace(searching(4, "make"))+","+strings.TrimSpace(searching(5, "make"))+"]\n"+
		searching(6, strings.Repeat("x", 25<<10))+strings.TrimSpace(searching(7, "make")))
	for id, want := range map[string]string{
		"1": `"name":"learnings"`, "2": "the request has 16384 KB; at most 256 KB are read", `"three"`: "the request has 300 KB", "4": "[L-aaaa]", "5": "[L-aaaa]", "6": "the arguments have 25 KB", "7": "[L-aaaa]",
	} {
		if !strings.Contains(got[id], want) {
			t.Errorf("answer %s: %.300s", id, got[id])
		}
	}
	for _, want := range []string{"-32700", "-32600", "the request has 32768 KB"} {
		if !strings.Contains(got["null"], want) {
			t.Errorf("not %s: %s", want, got["null"])
		}
	}
}

// TestClientLeaves checks that the server ends with its client, even if a stream stays
// open.
func TestClientLeaves(t *testing.T) {
	w := newWorld(t, lesson("aaaa", "Run make generate"))
	if got := serve(t, w, hello+`{"jsonrpc":"2.0","id":2,"method":"too`); !strings.Contains(got["null"], "-32700") {
		t.Errorf("half a line: %v", got)
	}
	if got := serve(t, w, ""); len(got) != 0 {
		t.Errorf("nothing: %v", got)
	}
	in, client := io.Pipe()
	answers, out := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- w.Serve(t.Context(), in, out) }()
	go io.WriteString(client, hello)
	if _, err := bufio.NewReader(answers).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	answers.Close() // and its input stays open for a while
	go func() { io.WriteString(client, searching(2, "make")); client.Close() }()
	if err := <-done; err != nil {
		t.Errorf("a client that no longer reads: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	in, client = io.Pipe()
	defer client.Close()
	go func() { done <- w.Serve(ctx, in, io.Discard) }()
	io.WriteString(client, hello)
	cancel()
	if err := <-done; err != nil {
		t.Errorf("a signal: %v", err)
	}
}

// TestSDKOverStreams connects the SDK's client over streams.
func TestSDKOverStreams(t *testing.T) {
	w := newWorld(t, lesson("aaaa", "Run make generate"))
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- w.Serve(t.Context(), in, out) }()
	cs, err := mcp.NewClient(&mcp.Implementation{Name: "x"}, nil).Connect(t.Context(), &mcp.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	if err != nil {
		t.Fatal(err)
	}
	says(t, cs, "search", m{"query": "make"}, false, "[L-aaaa]")
	if err := cs.Close(); err != nil {
		t.Error(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// FuzzLines checks that no input breaks the reader: only messages pass, and every later
// line is read.
func FuzzLines(f *testing.F) {
	f.Add([]byte(hello))
	f.Add([]byte("[[[]]]\n[1,{}]\nnull\n\"\"\n"))
	f.Add([]byte(`{"jsonrpc":"2.0","id":{"a":1},"method":"x"}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		last := `{"jsonrpc":"2.0","method":"last"}`
		w := &whole{w: io.Discard}
		l := newLines(bytes.NewReader(append(append(in, '\n'), last...)), w)
		for {
			line, long, err := l.next()
			if len(line) > 0 {
				l.take(line, long)
			}
			if err != nil {
				break
			}
		}
		lines := strings.Split(strings.TrimSpace(string(l.rest)), "\n")
		for _, line := range lines {
			if !json.Valid([]byte(line)) {
				t.Errorf("passed: %q", line)
			}
		}
		if lines[len(lines)-1] != last {
			t.Errorf("the last line is %q", lines[len(lines)-1])
		}
	})
}

// bearer adds a token to requests.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// TestHTTP checks which HTTP requests are answered.
func TestHTTP(t *testing.T) {
	w := newWorld(t, lesson("aaaa", "Run make generate"))
	token, err := tokenOf(w.state)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := tokenOf(w.state); err != nil || again != token || len(token) < 32 {
		t.Errorf("the token is %q, then %q, %v", token, again, err)
	}
	if info, err := os.Stat(filepath.Join(w.state, tokenFile)); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the token's file: %v, %v", info, err)
	}
	web := httptest.NewServer(w.Handler(token))
	defer web.Close()
	cs, err := mcp.NewClient(&mcp.Implementation{Name: "claude-code"}, nil).Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: web.URL + path, HTTPClient: &http.Client{Transport: bearer(token)}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	says(t, cs, "search", m{"query": "make"}, false, "[L-aaaa]")
	says(t, cs, "propose", m{"content": "Use pnpm.", "quote": "always use pnpm in this"}, false, "Proposed")
	for l := range w.lib.Store.All() {
		if l.Status == "pending" && l.Origin.Extractor != "agent:claude-code" {
			t.Errorf("origin %q", l.Origin.Extractor)
		}
	}
	cs.Close()
	for name, c := range map[string]struct {
		host, origin, auth, path, body string
		want                           int
	}{
		"no token":           {auth: "", want: 401},
		"another token":      {auth: "Bearer " + strings.Repeat("0", 64), want: 401},
		"half the token":     {auth: "Bearer " + token[:32], want: 401},
		"another host":       {host: "lessons.example:80", auth: "Bearer " + token, want: 403},
		"a host like ours":   {host: "localhost.evil.example", auth: "Bearer " + token, want: 403},
		"127 in a name":      {host: "127.0.0.1.evil.example", auth: "Bearer " + token, want: 403},
		"a page":             {origin: "https://evil.example", auth: "Bearer " + token, want: 403},
		"a page of no place": {origin: "null", auth: "Bearer " + token, want: 403},
		"a page here":        {origin: "http://localhost:3000", auth: "Bearer " + token, want: 403},
		"another path":       {path: "/", auth: "Bearer " + token, want: 404},
		"too long":           {auth: "Bearer " + token, body: searching(1, strings.Repeat("x", 16<<20)), want: 413},
		"all right":          {auth: "Bearer " + token, want: 200},
	} {
		body := c.body
		if body == "" {
			body, _, _ = strings.Cut(hello, "\n")
		}
		at := c.path
		if at == "" {
			at = path
		}
		r, err := http.NewRequestWithContext(t.Context(), "POST", web.URL+at, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
		for key, value := range map[string]string{"Origin": c.origin, "Authorization": c.auth} {
			if value != "" {
				r.Header.Set(key, value)
			}
		}
		if c.host != "" {
			r.Host = c.host
		}
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		res.Body.Close()
		if res.StatusCode != c.want {
			t.Errorf("%s: %s", name, res.Status)
		}
	}
}

// TestListen checks the address, the output, and that the server ends.
func TestListen(t *testing.T) {
	w := newWorld(t, lesson("aaaa", "Run make generate"))
	for at, want := range map[string]string{"8080": "127.0.0.1:8080", ":1": "127.0.0.1:1", "localhost:2": "127.0.0.1:2", "[::1]:3": "[::1]:3", "127.0.0.2:4": "127.0.0.2:4"} {
		if got, err := address(at); err != nil || got != want {
			t.Errorf("%s: %s, %v", at, got, err)
		}
	}
	for _, at := range []string{"0.0.0.0:80", "[::]:80", "192.168.0.1:80", "lessons.example:80", "127.0.0.1:", "::1"} {
		if got, err := address(at); err == nil {
			t.Errorf("%s: it would listen on %s", at, got)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	printed, out := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- w.Listen(ctx, "0", w.state, out) }()
	var config struct {
		Servers map[string]struct {
			URL     string
			Headers map[string]string
		} `json:"mcpServers"`
	}
	if err := json.NewDecoder(printed).Decode(&config); err != nil {
		t.Fatal(err)
	}
	s := config.Servers["learnings"]
	cs, err := mcp.NewClient(&mcp.Implementation{Name: "x"}, nil).Connect(t.Context(), &mcp.StreamableClientTransport{
		Endpoint: s.URL, HTTPClient: &http.Client{Transport: bearer(strings.TrimPrefix(s.Headers["Authorization"], "Bearer "))},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	says(t, cs, "search", m{"query": "make"}, false, "[L-aaaa]")
	cancel() // with a client that has a stream open
	if err := <-done; err != nil {
		t.Error(err)
	}
	if l, err := net.Listen("tcp", strings.TrimSuffix(strings.TrimPrefix(s.URL, "http://"), path)); err != nil {
		t.Errorf("it still listens: %v", err)
	} else {
		if err := w.Listen(t.Context(), l.Addr().String(), w.state, io.Discard); err == nil || !strings.HasPrefix(fmt.Sprint(err), "listening: ") {
			t.Errorf("where another listens: %v", err)
		}
		l.Close()
	}
}
