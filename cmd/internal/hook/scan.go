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

// text reads what follows an opening quotation mark. It gives the beginning, at most
// limit bytes as they were sent, and how many bytes there were.
func (s *scanner) text(limit int) (string, int, error) {
	var raw []byte
	size := 0
	take := func(n int) {
		part, _ := s.in.Peek(n)
		// An escape is taken whole or not at all.
		if len(raw) == size && size < limit && (size+n <= limit || part[0] != '\\') {
			raw = append(raw, part[:min(n, limit-size)]...)
		}
		size += n
		_, _ = s.in.Discard(n)
	}
	for {
		if _, err := s.in.Peek(1); err != nil {
			return "", size, err
		}
		part, _ := s.in.Peek(s.in.Buffered())
		end := bytes.IndexByte(part, '"')
		if end >= 0 {
			part = part[:end]
		}
		if i := bytes.IndexByte(part, '\\'); i > 0 {
			take(i)
			continue
		} else if i == 0 {
			n := 2
			if b, err := s.in.Peek(2); err != nil {
				return "", size, err
			} else if b[1] == 'u' {
				n = 6
			}
			if b, err := s.in.Peek(n); err != nil {
				return "", size, err
			} else if n == 6 && bytes.IndexByte(b, '"') >= 0 {
				return "", size, errNotJSON
			}
			take(n)
			continue
		}
		if len(part) > 0 {
			take(len(part))
		}
		if end >= 0 {
			_, _ = s.in.Discard(1)
			return unescaped(raw), size, nil
		}
	}
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
