package mcpserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

const (
	// mostLine is the most bytes of a message.
	mostLine = 256 << 10
	// mostRead is how much of a longer message is read, to find the id of the refused
	// request.
	mostRead = 32 << 20
)

// lines passes a client's messages to the SDK, one a line. It answers a line that is too
// long or not JSON with an error itself, so that the session goes on.
type lines struct {
	r    *bufio.Reader
	in   io.Reader
	out  *whole
	rest []byte
}

func newLines(in io.Reader, out *whole) *lines {
	return &lines{r: bufio.NewReaderSize(in, 64<<10), in: in, out: out}
}

func (l *lines) Read(p []byte) (int, error) {
	for len(l.rest) == 0 {
		line, long, err := l.next()
		if len(line) > 0 {
			l.take(line, long)
		}
		if err != nil && len(l.rest) == 0 {
			l.out.finish() // at the end the SDK drops unanswered requests
			return 0, err
		}
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// next reads a line, or the beginning of a very long one, and returns its full length.
func (l *lines) next() (line []byte, long int, err error) {
	for {
		part, err := l.r.ReadSlice('\n')
		long += len(part)
		line = append(line, part[:min(len(part), max(mostRead-len(line), 0))]...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimSpace(line), long, err
		}
	}
}

// take passes on or refuses a line.
func (l *lines) take(line []byte, long int) {
	switch {
	case long > mostLine:
		// A truncated message has no known id.
		l.refuse(idOf(line), jsonrpc.CodeInvalidRequest, fmt.Sprintf("the request has %d KB; at most %d KB are read", long>>10, mostLine>>10))
	case !json.Valid(line):
		l.refuse(nil, jsonrpc.CodeParseError, "the line is not JSON")
	case line[0] == '[': // a batch: each message is answered by itself
		var all []json.RawMessage
		_ = json.Unmarshal(line, &all) // it is valid JSON
		for _, one := range all {
			if len(one) > 0 && one[0] != '[' {
				l.take(one, len(one))
			}
		}
	default:
		m, err := jsonrpc.DecodeMessage(line)
		if err != nil {
			l.refuse(idOf(line), jsonrpc.CodeInvalidRequest, fmt.Sprintf("the line is no message: %v", err))
			return
		}
		if r, ok := m.(*jsonrpc.Request); ok && r.ID.IsValid() {
			l.out.count(1)
		}
		l.rest = append(append(l.rest, line...), '\n')
	}
}

// idOf returns the id of a request; nil if it has no valid one.
func idOf(line []byte) json.RawMessage {
	var head struct{ ID json.RawMessage }
	if json.Unmarshal(line, &head) != nil || len(head.ID) == 0 || head.ID[0] == '{' || head.ID[0] == '[' {
		return nil
	}
	return head.ID
}

// refuse answers a request that is not passed on.
func (l *lines) refuse(id json.RawMessage, code int64, message string) {
	if id == nil {
		id = json.RawMessage("null")
	}
	data, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": code, "message": message}})
	if err == nil {
		_, _ = l.out.raw(append(data, '\n')) // a client that does not read ends the session
	}
}

// Close closes the client's input, if it can be closed.
func (l *lines) Close() error {
	if c, ok := l.in.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// whole writes each message at once and counts unanswered requests.
type whole struct {
	mu      sync.Mutex
	w       io.Writer
	pending int
}

func (w *whole) Write(p []byte) (int, error) {
	if m, err := jsonrpc.DecodeMessage(p); err == nil {
		if _, ok := m.(*jsonrpc.Response); ok {
			defer w.count(-1)
		}
	}
	return w.raw(p)
}

// raw writes a message that answers no counted request.
func (w *whole) raw(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.w.Write(p)
}

// lastAnswers is how long answers may take after the client closes its input.
const lastAnswers = 5 * time.Second

// finish waits until all requests are answered, up to lastAnswers.
func (w *whole) finish() {
	for end := time.Now().Add(lastAnswers); w.count(0) > 0 && time.Now().Before(end); {
		time.Sleep(5 * time.Millisecond)
	}
}

// count adds n to the number of unanswered requests and returns it.
func (w *whole) count(n int) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pending += n
	return w.pending
}

// Close does nothing: the caller owns the stream.
func (w *whole) Close() error { return nil }
