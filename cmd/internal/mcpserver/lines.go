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
	// mostLine is how many bytes a message may have.
	mostLine = 256 << 10
	// mostRead of a longer one are kept, to find which request is to be refused.
	mostRead = 32 << 20
)

// lines gives the messages of a client to the protocol, one a line. A line that is too
// long or no JSON is answered with an error here: behind it the session goes on.
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
			l.out.finish() // the protocol drops what it has not answered at the end
			return 0, err
		}
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// next reads a line, of a very long one the beginning, and says how long it was.
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

// take passes a line on or refuses it.
func (l *lines) take(line []byte, long int) {
	switch {
	case long > mostLine:
		// Of one that was cut the id is not known.
		l.refuse(idOf(line), jsonrpc.CodeInvalidRequest, fmt.Sprintf("the request has %d KB; at most %d KB are read", long>>10, mostLine>>10))
	case !json.Valid(line):
		l.refuse(nil, jsonrpc.CodeParseError, "the line is not JSON")
	case line[0] == '[': // several messages, of which each is answered by itself
		var all []json.RawMessage
		_ = json.Unmarshal(line, &all) // it is valid
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

// idOf is the id of a request; nil where it has none that can be given back.
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
		_, _ = l.out.raw(append(data, '\n')) // a client that does not read ends the session by that
	}
}

// Close ends what the client sends, where it can be ended.
func (l *lines) Close() error {
	if c, ok := l.in.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// whole writes each message as one, and knows how many requests are not answered.
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

// raw writes what is no answer to a request that was passed on.
func (w *whole) raw(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.w.Write(p)
}

// lastAnswers is how long a client that has said all may wait for the answers.
const lastAnswers = 5 * time.Second

// finish waits until all requests are answered, for a while.
func (w *whole) finish() {
	for end := time.Now().Add(lastAnswers); w.count(0) > 0 && time.Now().Before(end); {
		time.Sleep(5 * time.Millisecond)
	}
}

// count adds to the number of requests that are not answered, and gives it.
func (w *whole) count(n int) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pending += n
	return w.pending
}

// Close leaves the stream to whoever gave it.
func (w *whole) Close() error { return nil }
