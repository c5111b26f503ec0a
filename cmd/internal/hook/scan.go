package hook

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
)

// An agent's JSON may be far longer than what is used of it: it can have a command's
// output or a written file. This file reads JSON to its end and keeps only the beginnings
// of the wanted values.

const (
	maxText   = 16 << 10 // bytes kept of one string
	maxKey    = 128      // bytes of a field's name
	maxKept   = 128 << 10
	maxLeaves = 256
	maxDepth  = 6  // of objects that are searched
	maxItems  = 16 // of a list
)

// A leaf is a value that is not an object or list.
type leaf struct {
	text string // its beginning; numbers and bools as written
	str  bool   // it is a string
	size int    // bytes of the whole value
}

// A scanner reads one JSON value, token by token.
type scanner struct {
	*json.Decoder
	want   func(key string) bool // selects fields of the outermost object
	leaves map[string]leaf       // by path, such as "tool_input.command"
	kept   int
}

var errNotJSON = errors.New("it is not JSON")

// scan reads an object. With an object that breaks off it returns what came before; the
// error is io.EOF only for empty input.
func scan(r io.Reader, want func(key string) bool) (map[string]leaf, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	if mark, err := in.Peek(3); err == nil && string(mark) == "\ufeff" {
		_, _ = in.Discard(3)
	}
	s := scanner{Decoder: json.NewDecoder(in), want: want, leaves: map[string]leaf{}}
	s.UseNumber()
	switch first, err := s.Token(); {
	case err != nil:
		return nil, err
	case first != json.Delim('{'):
		return nil, errNotJSON
	}
	err := s.inside("", '}', 1)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return s.leaves, err
}

// inside reads to the end of an object or list and keeps wanted values. It skips values
// below maxDepth.
func (s *scanner) inside(path string, end json.Delim, depth int) error {
	for i := 0; s.More(); i++ {
		name, keep := strconv.Itoa(i), i < maxItems
		if end == '}' {
			key, err := s.Token()
			if err != nil {
				return err
			}
			name, _ = key.(string)
			name = beginning(name, maxKey)
			keep = path != "" || s.want(name)
		}
		if path != "" {
			name = path + "." + name
		}
		if err := s.value(name, depth, keep); err != nil {
			return err
		}
	}
	_, err := s.Token()
	return err
}

func (s *scanner) value(path string, depth int, wanted bool) error {
	v, err := s.Token()
	if err != nil {
		return err
	}
	switch v := v.(type) {
	case json.Delim:
		if wanted && depth < maxDepth && len(s.leaves) < maxLeaves && s.kept < maxKept {
			return s.inside(path, v+2, depth+1) // in ASCII the closing delimiter is two later
		}
		return s.skip()
	case string:
		s.keep(path, leaf{beginning(v, maxText), true, len(v)}, wanted)
	case json.Number:
		s.keep(path, leaf{v.String(), false, len(v)}, wanted)
	case bool:
		s.keep(path, leaf{strconv.FormatBool(v), false, len("true")}, wanted)
	case nil:
		s.keep(path, leaf{"null", false, len("null")}, wanted)
	}
	return nil
}

// skip reads to the end of the current object or list.
func (s *scanner) skip() error {
	for open := 1; open > 0; {
		t, err := s.Token()
		if err != nil {
			return err
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			open++
		case json.Delim('}'), json.Delim(']'):
			open--
		}
	}
	return nil
}

func (s *scanner) keep(path string, l leaf, wanted bool) {
	if _, ok := s.leaves[path]; wanted && !ok && len(s.leaves) < maxLeaves && s.kept < maxKept {
		s.leaves[path] = l
		s.kept += len(path) + len(l.text)
	}
}

// beginning returns at most so many bytes of s, in whole characters.
func beginning(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "")
}
