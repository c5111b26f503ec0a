package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"learnings/cmd/internal/term"
	"learnings/lessons"
)

// Limits of what is read as ids from standard input.
const (
	maxIDLine = 1 << 20 // bytes: a line may be a whole lesson as JSON
	maxIDs    = 100_000
)

// ids turns arguments into full ids, in their order and each once. A unique
// beginning is enough; "-" stands for those on standard input, one a line.
func (a *app) ids(args []string) ([]lessons.ID, error) {
	s, err := a.corpus()
	if err != nil {
		return nil, err
	}
	var words []string
	for _, arg := range args {
		if arg != "-" {
			words = append(words, arg)
			continue
		}
		more, err := readIDs(a.In)
		if err != nil {
			return nil, err
		}
		words = append(words, more...)
	}
	var out []lessons.ID
	seen := map[lessons.ID]bool{}
	for _, w := range words {
		id, err := s.Resolve(w)
		if err != nil {
			return nil, err
		}
		if !seen[id] {
			seen[id] = true
			out = append(out, id)
		}
	}
	if len(out) == 0 {
		return nil, term.Usagef("no ids on standard input")
	}
	return out, nil
}

// readIDs reads what this program prints: bare ids, tab-separated lines that
// begin with one, or JSON objects that have one.
func readIDs(r io.Reader) ([]string, error) {
	var out []string
	in := bufio.NewScanner(r)
	in.Buffer(nil, maxIDLine)
	for n := 1; in.Scan(); n++ {
		line := strings.TrimSpace(in.Text())
		id, _, _ := strings.Cut(line, "\t")
		if strings.HasPrefix(line, "{") {
			var l struct{ ID string }
			if err := json.Unmarshal([]byte(line), &l); err != nil || l.ID == "" {
				return nil, term.Usagef("standard input, line %d: a JSON object without an id", n)
			}
			id = l.ID
		}
		if id = strings.TrimSpace(id); id == "" {
			continue
		}
		if out = append(out, id); len(out) > maxIDs {
			return nil, term.Usagef("more than %d ids on standard input", maxIDs)
		}
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("reading ids from standard input: %w", err)
	}
	return out, nil
}

// named reads the lessons that are named by ids or "-".
func (a *app) named(words []string) ([]lessons.Lesson, error) {
	ids, err := a.ids(words)
	if err != nil {
		return nil, err
	}
	ls := make([]lessons.Lesson, 0, len(ids))
	for _, id := range ids {
		l, err := a.store.Get(id)
		if err != nil {
			return nil, err
		}
		ls = append(ls, l)
	}
	return ls, nil
}
