package observations

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"learnings/lessons/exchange"
)

// lists are the arrays of what claude-mem's scripts export and import.
var lists = []string{"observations", "sessions", "summaries", "prompts"}

// A document is such an export: what is not changed stays byte for byte as it was.
type document struct {
	*exchange.JSON
	items map[string][]exchange.Part // of the arrays
}

// parseExport finds the parts of an export.
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

// store reads the rows; those that cannot be read are told.
func (d *document) store(ctx context.Context, path string) (s *store, unread []exchange.Unread, err error) {
	s = newStore()
	each := func(name string, use func(raw []byte) error) {
		for _, at := range d.items[name] {
			if err = ctx.Err(); err != nil {
				return
			}
			raw := d.Raw(at)
			bad := errors.New("it is no object")
			if raw[0] == '{' {
				bad = use(raw)
			}
			if bad != nil {
				line := 1 + bytes.Count(d.Data[:at.From], []byte("\n"))
				unread = append(unread, exchange.Unread{Path: path, Line: line, Err: fmt.Errorf("a row of %s: %w", name, bad)})
			}
		}
	}
	each("sessions", func(raw []byte) error { return decode(raw, s.session) })
	each("observations", func(raw []byte) error {
		return decode(raw, func(o observation) { s.observations = append(s.observations, o) })
	})
	each("summaries", func(raw []byte) error {
		return decode(raw, func(x summary) { s.summaries = append(s.summaries, x) })
	})
	each("prompts", func(raw []byte) error { return decode(raw, s.prompt) })
	return s, unread, err
}

func decode[T any](raw []byte, use func(T)) error {
	var v T
	err := json.Unmarshal(raw, &v)
	if err == nil {
		use(v)
	}
	return err
}

// readExport reads an export.
func readExport(ctx context.Context, path string) (exchange.Found, error) {
	data, err := exchange.ReadFile(path)
	if err != nil {
		return exchange.Found{}, err
	}
	d, err := parseExport(data)
	if err != nil {
		return exchange.Found{}, fmt.Errorf("%s: %w: %w", path, exchange.ErrFormat, err)
	}
	s, unread, err := d.store(ctx, path)
	if err != nil {
		return exchange.Found{}, err
	}
	found := s.found(path)
	found.Unread = append(found.Unread, unread...)
	return found, nil
}

// set gives a key of the document another value, if it has the key.
func (d *document) set(key string, v any) {
	if _, ok := d.Member(key); ok {
		d.SetTop(key, v)
	}
}

// emptyExport is an export of nothing.
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
