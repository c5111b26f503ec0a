package transcript

import (
	"bytes"
	"errors"
	"io"
	"slices"
)

// HeadSize is how many bytes of a file [Detect] wants to see. They tell nearly every session;
// a first line with a picture or a log pasted into it may be longer.
const HeadSize = 64 << 10

// mostHead is how much of a file is looked at for its format at most. No model takes a
// longer message.
const mostHead = 32 << 20

// detectIn tells the format of a file of size bytes, of which it reads no more than it must.
// Only logs of JSON lines have it looked for beyond [HeadSize].
func detectIn(r io.ReaderAt, size int64, lines bool) (Format, bool, error) {
	for most := int64(HeadSize); ; most *= 16 {
		head := make([]byte, min(most, size))
		n, err := r.ReadAt(head, 0)
		if err != nil && !errors.Is(err, io.EOF) {
			return "", false, err
		}
		format, ok := Detect(head[:n])
		if ok || !lines || most >= size || most >= mostHead {
			return format, ok, nil
		}
	}
}

// Detect tells the format of a session from the first bytes of its file; the
// last line of head may be cut. It looks at records and never at names: a
// file of prose, of another agent or of no records at all is no session.
func Detect(head []byte) (Format, bool) {
	head, packed := unpackHead(head)
	if f := detect(head, forms); f != nil && (f.packed || !packed) {
		return f.name, true
	}
	return "", false
}

// detect finds the row whose container head is the beginning of, nil when it
// is of none.
func detect(head []byte, rows []*form) *form {
	head = bytes.TrimPrefix(head, []byte(byteOrderMk))
	first := space(head, 0)
	if first >= len(head) {
		return nil
	}
	if head[first] == '{' || head[first] == '[' {
		g := look(head[first:])
		for _, f := range rows {
			if f.whole != nil && f.whole(g) {
				return f
			}
		}
	}
	if head[first] != '{' {
		// Before lines of JSON are looked for: prose may quote some.
		for _, f := range rows {
			if f.text != nil && f.text(head) {
				return f
			}
		}
	}
	return detectLines(head, rows)
}

// detectLines looks at lines of JSON until one tells.
func detectLines(head []byte, rows []*form) *form {
	var o object
	for len(head) > 0 {
		line, rest, _ := bytes.Cut(head, newline)
		for i := space(line, 0); i < len(line); {
			var err error
			var end int
			o, end, err = parseObject(line, i, o[:0])
			for _, f := range rows {
				if f.line != nil && f.line(o) {
					return f
				}
			}
			if err != nil {
				break
			}
			i = space(line, end)
		}
		head = rest
	}
	return nil
}

// A glimpse is what can be seen of a document from its beginning.
type glimpse struct {
	members object // those of an object that are there whole
	open    string // key of the one that is not; "" for a list
	rest    raw    // the beginning of its value, or of the list
}

// look takes a glimpse of the document that begins at b[0].
func look(b []byte) (g glimpse) {
	if b[0] != '{' {
		g.rest = b
		return g
	}
	_, _ = each(b, 0, func(key []byte, at int) (int, error) {
		end, err := check(b, at, 1)
		if err != nil {
			g.open, g.rest = string(key), b[at:]
		} else {
			g.members = append(g.members, field{key, b[at:end]})
		}
		return end, err
	})
	return g
}

// get returns a member, or the beginning of one.
func (g glimpse) get(key string) raw {
	if v := g.members.get(key); v != nil {
		return v
	}
	if key == g.open {
		return g.rest
	}
	return nil
}

// object returns the members that can be seen of a member that is an object.
func (g glimpse) object(key string) object {
	o, _, _ := parseObject(g.get(key), 0, nil)
	return o
}

// first returns what can be seen of the first element of a member that is a
// list, or with "" of the document.
func (g glimpse) first(key string) object {
	v := g.get(key)
	if !v.is('[') {
		return nil
	}
	o, _, _ := parseObject(v, 1, nil)
	return o
}

var (
	codexTypes  = []string{"session_meta", "response_item", "event_msg", "turn_context", "compacted"}
	claudeState = []string{"queue-operation", "last-prompt", "mode", "permission-mode", "custom-title", "ai-title", "agent-name", "agent-setting", "pr-link", "tag"}
)

func isCodex(o object) bool {
	return slices.Contains(codexTypes, o.get("type").word()) &&
		o.get("timestamp") != nil && (o.get("payload").is('{') || len(o) == 2)
}

func isClaude(o object) bool {
	switch kind := o.get("type").word(); {
	case kind == "user" || kind == "assistant" || kind == "system" || kind == "attachment" || kind == "progress":
		return o.get("sessionId") != nil && o.get("uuid") != nil && (o.get("isSidechain") != nil || o.get("userType") != nil) && !isQwen(o)
	case kind == "" && o.get("isSidechain") != nil && o.get("parentUuid") != nil && o.get("sessionId") != nil:
		return true // cut before its type
	case kind == "file-history-snapshot":
		return o.get("messageId") != nil
	case kind == "summary":
		return o.get("leafUuid") != nil
	case slices.Contains(claudeState, kind):
		return o.get("sessionId") != nil
	}
	return false
}
