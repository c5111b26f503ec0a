package observations

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"learnings/lessons/exchange"
)

// This file reads the JSON that claude-mem's scripts export and import, and changes
// it in places: what is not changed stays byte for byte as it was.

// A span is a part of a text.
type span struct{ from, to int }

// A member is a key of an object with its value, or an element of an array.
type member struct {
	key string
	span
}

// members finds the parts of an object or an array that a text is.
func members(data []byte, base int) ([]member, error) {
	parts, err := exchange.Parts(data, base)
	out := make([]member, len(parts))
	for i, p := range parts {
		out[i] = member{p.Key, span{p.From, p.To}}
	}
	return out, err
}

// lists are the arrays of an export.
var lists = []string{"observations", "sessions", "summaries", "prompts"}

// A document is an export as its bytes, with the places of its parts.
type document struct {
	data  []byte
	top   map[string]span
	items map[string][]span // of the arrays

	edits []edit
	added map[string][]string
}

// An edit puts a text in the place of a part.
type edit struct {
	span
	with string
}

// parseExport finds the parts of an export.
func parseExport(data []byte) (*document, error) {
	d := &document{data: data, top: map[string]span{}, items: map[string][]span{}, added: map[string][]string{}}
	body := bytes.TrimPrefix(data, []byte("\ufeff"))
	if first := bytes.TrimLeft(body, " \t\r\n"); len(first) == 0 || first[0] != '{' {
		return nil, errors.New("it is no JSON object")
	}
	top, err := members(body, len(data)-len(body))
	if err != nil {
		return nil, err
	}
	for _, m := range top {
		d.top[m.key] = m.span // the last one counts, as in JavaScript
	}
	if _, ok := d.top["observations"]; !ok {
		return nil, errors.New("it has no observations")
	}
	for _, name := range lists {
		s, ok := d.top[name]
		if !ok || d.at(s) == "null" {
			continue
		}
		if d.data[s.from] != '[' {
			return nil, fmt.Errorf("its %s are no array", name)
		}
		all, err := members(d.data[s.from:s.to], s.from)
		if err != nil {
			return nil, err
		}
		for _, m := range all {
			d.items[name] = append(d.items[name], m.span)
		}
	}
	return d, nil
}

func (d *document) at(s span) string { return string(d.data[s.from:s.to]) }

// store reads the rows; those that cannot be read are told.
func (d *document) store(ctx context.Context, path string) (s *store, unread []exchange.Unread, err error) {
	s = newStore()
	line, from := 1, 0
	each := func(name string, use func(raw []byte) error) {
		for _, at := range d.items[name] {
			if err = ctx.Err(); err != nil {
				return
			}
			raw := d.data[at.from:at.to]
			bad := errors.New("it is no object")
			if raw[0] == '{' {
				bad = use(raw)
			}
			if bad != nil {
				if at.from < from {
					line, from = 1, 0
				}
				line, from = line+bytes.Count(d.data[from:at.from], []byte("\n")), at.from
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

// replace puts a text in the place of a part.
func (d *document) replace(s span, with string) { d.edits = append(d.edits, edit{s, with}) }

// set gives a key of the document another value, if it has the key.
func (d *document) set(key string, v any) {
	if s, ok := d.top[key]; ok && d.at(s) != value(v) {
		d.replace(s, value(v))
	}
}

// setIn gives keys of the object at a part other values; one that it lacks is added.
func (d *document) setIn(at span, keys []string, values map[string]any) error {
	ms, err := members(d.data[at.from:at.to], at.from)
	if err != nil {
		return err
	}
	for _, k := range keys {
		i := len(ms) - 1
		for i >= 0 && ms[i].key != k {
			i--
		}
		switch with := value(values[k]); {
		case i >= 0:
			d.replace(ms[i].span, with)
		case len(ms) == 0:
			return errors.New("it is an empty object")
		default:
			end := ms[len(ms)-1].to
			d.replace(span{end, end}, ", "+value(k)+": "+with)
		}
	}
	return nil
}

// remove takes the items of an array out that are gone, with the commas between them.
func (d *document) remove(name string, gone map[span]bool) {
	all := d.items[name]
	var kept []span
	for i, s := range all {
		switch {
		case !gone[s]:
			if len(kept) == 0 && i > 0 {
				d.replace(span{all[0].from, s.from}, "")
			}
			kept = append(kept, s)
		case len(kept) > 0:
			d.replace(span{all[i-1].to, s.to}, "")
		}
	}
	if len(kept) == 0 && len(all) > 0 {
		d.replace(span{all[0].from, all[len(all)-1].to}, "")
	}
	d.items[name] = kept
}

// add puts an object at the end of an array.
func (d *document) add(name string, object string) { d.added[name] = append(d.added[name], object) }

// bytes are the document with what was changed.
func (d *document) bytes() []byte {
	for _, name := range lists {
		if len(d.added[name]) == 0 {
			continue
		}
		s, ok := d.top[name]
		body := "\n    " + strings.Join(d.added[name], ",\n    ")
		switch {
		case !ok:
			end := bytes.LastIndexByte(d.data, '}')
			d.replace(span{end, end}, ",\n  "+value(name)+": ["+body+"\n  ]\n")
		case d.at(s) == "null":
			d.replace(s, "["+body+"\n  ]")
		case len(d.items[name]) > 0:
			end := d.items[name][len(d.items[name])-1].to
			d.replace(span{end, end}, ","+body)
		default:
			d.replace(span{s.from + 1, s.from + 1}, body+"\n  ")
		}
	}
	slices.SortStableFunc(d.edits, func(a, b edit) int { return cmp.Or(a.from-b.from, a.to-b.to) })
	var out bytes.Buffer
	at := 0
	for _, e := range d.edits {
		out.Write(d.data[at:e.from])
		out.WriteString(e.with)
		at = e.to
	}
	out.Write(d.data[at:])
	return out.Bytes()
}

// value is JSON as JavaScript writes it.
func value(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // texts, numbers and lists of texts can always be written
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// indented is an object as it stands in an array of an export.
func indented(v any) string {
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(value(v)), "    ", "  "); err != nil {
		panic(err) // it was written just now
	}
	return b.String()
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
