package hook

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
)

// What an agent sends may be far longer than what is used of it: the output of a
// command, a file that was written. This file reads JSON to its end, however long it
// is, and keeps the beginnings of the few values that are wanted.

const (
	maxText   = 16 << 10 // bytes of one text that are kept
	maxKey    = 128      // bytes of the name of a field
	maxKept   = 128 << 10
	maxLeaves = 256
	maxDepth  = 6  // of the objects in which is looked
	maxItems  = 16 // of a list
)

// A leaf is a value that is no object and no list.
type leaf struct {
	text string // its beginning; a number or the like as it is written
	str  bool   // whether it is a text
	size int    // bytes of the whole, as it was sent
}

// A scanner reads one JSON value. It accepts more than JSON where that does no harm.
type scanner struct {
	in     *bufio.Reader
	want   func(key string) bool // which fields of the outermost object are kept
	leaves map[string]leaf       // by their path, as "tool_input.command"
	kept   int
}

var errNotJSON = errors.New("it is not JSON")

// scan reads an object. The error is io.EOF if there is nothing at all.
func scan(r io.Reader, want func(key string) bool) (map[string]leaf, error) {
	s := scanner{in: bufio.NewReaderSize(r, 64<<10), want: want, leaves: map[string]leaf{}}
	if mark, err := s.in.Peek(3); err == nil && string(mark) == "\ufeff" {
		_, _ = s.in.Discard(3)
	}
	b, err := s.next()
	switch {
	case err != nil:
		return nil, err
	case b != '{':
		return nil, errNotJSON
	}
	err = s.object("", 1)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return s.leaves, err
}

// next gives the next byte that is no blank.
func (s *scanner) next() (byte, error) {
	for {
		b, err := s.in.ReadByte()
		if err != nil || b != ' ' && b != '\n' && b != '\t' && b != '\r' {
			return b, err
		}
	}
}

// object reads what follows an opening brace.
func (s *scanner) object(path string, depth int) error {
	for first := true; ; first = false {
		b, err := s.next()
		if err == nil && b == ',' && !first {
			b, err = s.next()
		}
		switch {
		case err != nil:
			return err
		case b == '}':
			return nil
		case b != '"':
			return errNotJSON
		}
		key, _, err := s.text(maxKey)
		if err == nil {
			b, err = s.next()
		}
		switch {
		case err != nil:
			return err
		case b != ':':
			return errNotJSON
		}
		if path == "" {
			err = s.value(key, depth, s.want(key))
		} else {
			err = s.value(path+"."+key, depth, true)
		}
		if err != nil {
			return err
		}
	}
}

// value reads a value, and keeps it if it is wanted.
func (s *scanner) value(path string, depth int, wanted bool) error {
	b, err := s.next()
	if err != nil {
		return err
	}
	wanted = wanted && len(s.leaves) < maxLeaves && s.kept < maxKept
	switch b {
	case '"':
		limit := 0
		if wanted {
			limit = maxText
		}
		text, size, err := s.text(limit)
		s.keep(path, leaf{text, true, size}, wanted && err == nil)
		return err
	case '{':
		if !wanted || depth >= maxDepth {
			return s.skip()
		}
		return s.object(path, depth+1)
	case '[':
		if !wanted || depth >= maxDepth {
			return s.skip()
		}
		return s.list(path, depth+1)
	case '}', ']', ',', ':':
		return errNotJSON
	}
	return s.literal(path, b, wanted)
}

func (s *scanner) keep(path string, l leaf, wanted bool) {
	if _, ok := s.leaves[path]; wanted && !ok {
		s.leaves[path] = l
		s.kept += len(path) + len(l.text)
	}
}

// list reads what follows an opening bracket.
func (s *scanner) list(path string, depth int) error {
	for i := 0; ; i++ {
		b, err := s.next()
		if err == nil && b == ',' && i > 0 {
			b, err = s.next()
		}
		switch {
		case err != nil:
			return err
		case b == ']':
			return nil
		}
		if err := s.in.UnreadByte(); err != nil {
			return err
		}
		if err := s.value(path+"."+strconv.Itoa(i), depth, i < maxItems); err != nil {
			return err
		}
	}
}

// literal reads a number, true, false or null.
func (s *scanner) literal(path string, first byte, wanted bool) error {
	word := []byte{first}
	for {
		b, err := s.in.ReadByte()
		if err != nil {
			return err
		}
		if strings.IndexByte(",}] \n\t\r", b) >= 0 {
			s.keep(path, leaf{string(word), false, len(word)}, wanted)
			return s.in.UnreadByte()
		}
		if b == '"' || b == '{' || b == '[' || b == ':' || len(word) > maxKey {
			return errNotJSON
		}
		word = append(word, b)
	}
}

// skip reads to the end of an object or list that has begun.
func (s *scanner) skip() error {
	for open := 1; open > 0; {
		b, err := s.in.ReadByte()
		if err != nil {
			return err
		}
		switch b {
		case '"':
			if _, _, err := s.text(0); err != nil {
				return err
			}
		case '{', '[':
			open++
		case '}', ']':
			open--
		}
	}
	return nil
}

// text reads what follows an opening quotation mark. It gives the beginning, of which
// at most limit bytes as they were sent, and how many bytes there were.
func (s *scanner) text(limit int) (string, int, error) {
	var raw []byte
	size, escape := 0, 0 // how many bytes of an escape are still to come
	for {
		if _, err := s.in.Peek(1); err != nil {
			return "", size, err
		}
		part, _ := s.in.Peek(s.in.Buffered())
		n := 0
		for n < len(part) && (part[n] != '"' || escape > 0) {
			switch b := part[n]; {
			case escape == unknown && b == 'u':
				escape = 4
			case escape == unknown:
				escape = 0
			case escape > 0 && b == '"':
				return "", size, errNotJSON
			case escape > 0:
				escape--
			case b == '\\':
				escape = unknown
			}
			n++
		}
		raw = append(raw, part[:max(0, min(n, limit-len(raw)))]...)
		size += n
		end := n < len(part)
		if end {
			n++
		}
		_, _ = s.in.Discard(n)
		if end {
			if len(raw) < size {
				raw = whole(raw)
			}
			return unescaped(raw), size, nil
		}
	}
}

// unknown is for an escape of which only the backslash was read.
const unknown = 5

// whole leaves out an escape at the end of a text that was cut.
func whole(raw []byte) []byte {
	end := 0
	for i := 0; i < len(raw); end = min(i, len(raw)) {
		switch {
		case raw[i] != '\\':
			i++
		case i+1 == len(raw) || raw[i+1] == 'u' && i+6 > len(raw):
			return raw[:i]
		case raw[i+1] == 'u':
			i += 6
		default:
			i += 2
		}
	}
	return raw[:end]
}

// unescaped is the text that raw, which stood between quotation marks, means.
func unescaped(raw []byte) string {
	if bytes.IndexByte(raw, '\\') >= 0 {
		var s string
		if json.Unmarshal(append(append([]byte{'"'}, bytes.ToValidUTF8(raw, []byte("\ufffd"))...), '"'), &s) == nil {
			return s
		}
	}
	return string(bytes.ToValidUTF8(raw, []byte("\ufffd")))
}
