package observations

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"learnings/lessons/exchange"
)

// lists are the arrays that claude-mem's scripts export and import, and tables the tables
// of their rows.
var (
	lists  = []string{"sessions", "observations", "summaries", "prompts"}
	tables = []string{"sdk_sessions", "observations", "session_summaries", "user_prompts"}
)

// A document is an export. What is not changed stays byte for byte.
type document struct {
	*exchange.JSON
	items map[string][]exchange.Part // by array
}

func parseExport(data []byte) (*document, error) {
	j, err := exchange.ParseJSON(data)
	if err != nil {
		return nil, err
	}
	d := &document{JSON: j, items: map[string][]exchange.Part{}}
	if _, ok := j.Member("observations"); !ok {
		return nil, errors.New("it has no observations")
	}
	for _, name := range lists {
		if d.items[name], err = j.Items(name); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// store parses the rows; unread lists those that it cannot parse.
func (d *document) store(path string) (s *store, unread []exchange.Unread) {
	s = newStore()
	for i, name := range lists {
		for _, at := range d.items[name] {
			raw := d.Raw(at)
			err := errors.New("it is no object")
			if raw[0] == '{' {
				err = s.take(tables[i], func(row any) error { return json.Unmarshal(raw, row) })
			}
			if err != nil {
				line := 1 + bytes.Count(d.Data[:at.From], []byte("\n"))
				unread = append(unread, exchange.Unread{Path: path, Line: line, Err: fmt.Errorf("a row of %s: %w", name, err)})
			}
		}
	}
	return s, unread
}

func readExport(ctx context.Context, path string) (exchange.Found, error) {
	data, err := exchange.ReadFile(path)
	if err != nil {
		return exchange.Found{}, err
	}
	d, err := parseExport(data)
	if err != nil {
		return exchange.Found{}, fmt.Errorf("%s: %w: %w", path, exchange.ErrFormat, err)
	}
	s, unread := d.store(path)
	found := s.found(path)
	found.Unread = append(found.Unread, unread...)
	return found, ctx.Err()
}

// set replaces the value of a key, if the document has the key.
func (d *document) set(key string, v any) {
	if _, ok := d.Member(key); ok {
		d.SetTop(key, v)
	}
}

// emptyExport is an export without rows.
const emptyExport = `{
  "exportedAt": "",
  "exportedAtEpoch": 0,
  "query": "",
  "totalObservations": 0,
  "totalSessions": 0,
  "totalSummaries": 0,
  "totalPrompts": 0,
  "observations": [],
  "sessions": [],
  "summaries": [],
  "prompts": []
}
`
