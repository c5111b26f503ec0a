package exchange

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
)

// A Splice is a text in which parts can be replaced. Every other byte stays.
type Splice struct {
	Data  []byte
	edits []edit
}

type edit struct {
	from, to int
	with     string
}

// Replace replaces a part. Parts must not overlap, except that one within a removed part is
// removed with it.
func (s *Splice) Replace(from, to int, with string) {
	if string(s.Data[from:to]) != with {
		s.edits = append(s.edits, edit{from, to, with})
	}
}

// Changed reports whether anything was replaced.
func (s *Splice) Changed() bool { return len(s.edits) > 0 }

// Bytes returns the text with all replacements.
func (s *Splice) Bytes() []byte {
	slices.SortStableFunc(s.edits, func(a, b edit) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	var out []byte
	at := 0
	for _, e := range s.edits {
		if e.from >= at {
			out = append(append(out, s.Data[at:e.from]...), e.with...)
			at = e.to
		}
	}
	return append(out, s.Data[at:]...)
}

// LineEnd returns how the first line of a text ends; "\n" if it has one line only.
func LineEnd(text []byte) string {
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// A Part is a member of a JSON object or an element of an array, by the offsets of its
// value.
type Part struct {
	Key      string // "" for an element
	From, To int    // of the value
}

// Parts returns the parts of a JSON object or array. Base is added to the offsets, for data
// that is itself a part.
func Parts(data []byte, base int) ([]Part, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	open, err := d.Token()
	if err != nil {
		return nil, err
	}
	var out []Part
	for d.More() {
		var p Part
		if open == json.Delim('{') {
			k, err := d.Token()
			if err != nil {
				return nil, err
			}
			p.Key, _ = k.(string)
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return nil, err
		}
		p.To = base + int(d.InputOffset())
		p.From = p.To - len(raw)
		out = append(out, p)
	}
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows what should be all of it")
	}
	return out, nil
}

// A JSON is a JSON object of another program. Members can be set, and elements added and
// removed. New parts are indented like their neighbours.
type JSON struct {
	Splice
	all Part
	top []Part
}

// ParseJSON finds the members of an object.
func ParseJSON(data []byte) (*JSON, error) {
	body := bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\ufeff")), " \t\r\n")
	if len(body) == 0 || body[0] != '{' {
		return nil, errors.New("it is no JSON object")
	}
	j := &JSON{Splice: Splice{Data: data}, all: Part{From: len(data) - len(body), To: len(data)}}
	var err error
	j.top, err = Parts(body, j.all.From)
	return j, err
}

// Raw returns the original text of a part.
func (j *JSON) Raw(p Part) []byte { return j.Data[p.From:p.To] }

// Member returns a member of the object. Of duplicate keys the last one counts.
func (j *JSON) Member(key string) (Part, bool) { return member(j.top, key) }

func member(parts []Part, key string) (Part, bool) {
	for _, p := range slices.Backward(parts) {
		if p.Key == key {
			return p, true
		}
	}
	return Part{}, false
}

// Items returns the elements of an array member; none if it is missing or null.
func (j *JSON) Items(key string) ([]Part, error) {
	p, ok := j.Member(key)
	if !ok || string(j.Raw(p)) == "null" {
		return nil, nil
	}
	if j.Data[p.From] != '[' {
		return nil, errors.New("its " + key + " are no array")
	}
	return Parts(j.Raw(p), p.From)
}

// SetTop sets a member of the object.
func (j *JSON) SetTop(key string, v any) { j.set(j.all, j.top, key, v) }

// Set sets a member of an object that is a part.
func (j *JSON) Set(object Part, key string, v any) {
	members, err := Parts(j.Raw(object), object.From)
	if err != nil {
		panic(err)
	}
	j.set(object, members, key, v)
}

func (j *JSON) set(object Part, members []Part, key string, v any) {
	lead := j.lead(object, members)
	value := Quoted(v)
	if strings.Contains(lead, "\n") {
		value = written(v, lead[strings.LastIndexByte(lead, '\n')+1:], "  ")
	}
	j.put(object, members, key, value)
}

// put is set with an encoded value.
func (j *JSON) put(object Part, members []Part, key, value string) {
	if p, ok := member(members, key); ok {
		j.Replace(p.From, p.To, value)
		return
	}
	lead, at, comma, colon := j.lead(object, members), object.From+1, "", ":"
	if len(members) > 0 {
		at, comma = members[len(members)-1].To, ","
	} else if slices.ContainsFunc(j.edits, func(e edit) bool { return e.from == at }) {
		comma = "," // after one that was added
	}
	if lead != "" {
		colon = ": "
	}
	j.edits = append(j.edits, edit{at, at, comma + lead + Quoted(key) + colon + value})
}

// lead returns the white space before the first part within another.
func (j *JSON) lead(in Part, parts []Part) string {
	if len(parts) == 0 {
		return ""
	}
	rest := j.Data[in.From+1 : parts[0].From]
	return string(rest[:len(rest)-len(bytes.TrimLeft(rest, " \t\r\n"))])
}

// Append appends elements to an array, and adds the array if it is missing.
func (j *JSON) Append(key string, values ...any) error {
	items, err := j.Items(key)
	if err != nil || len(values) == 0 {
		return err
	}
	array, _ := j.Member(key)
	lead := j.lead(j.all, j.top)
	outer := lead[strings.LastIndexByte(lead, '\n')+1:]
	indent := outer + outer
	if len(items) > 0 {
		lead = j.lead(array, items)
		indent = lead[strings.LastIndexByte(lead, '\n')+1:]
	}
	wide, begin, end := strings.Contains(lead, "\n"), "", ""
	if wide {
		begin, end = "\n"+indent, "\n"+outer
	}
	texts := make([]string, len(values))
	for i, v := range values {
		if texts[i] = begin + Quoted(v); wide {
			texts[i] = begin + written(v, indent, "  ")
		}
	}
	all := strings.Join(texts, ",")
	if n := len(items); n > 0 {
		j.Replace(items[n-1].To, items[n-1].To, ","+all)
	} else {
		j.put(j.all, j.top, key, "["+all+end+"]")
	}
	return nil
}

// Remove removes elements of an array, with the commas between them.
func (j *JSON) Remove(items []Part, gone func(Part) bool) {
	kept := -1
	for i, p := range items {
		switch {
		case !gone(p):
			if kept < 0 && i > 0 {
				j.Replace(items[0].From, p.From, "")
			}
			kept = i
		case kept >= 0:
			j.Replace(items[i-1].To, p.To, "")
		}
	}
	if kept < 0 && len(items) > 0 {
		j.Replace(items[0].From, items[len(items)-1].To, "")
	}
}

// Quoted encodes a value as JSON.stringify does. It must consist of strings, numbers, lists
// and objects.
func Quoted(v any) string { return written(v, "", "") }

// written is Quoted on several lines, unless indent is "".
func written(v any, prefix, indent string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent(prefix, indent)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return strings.TrimRight(b.String(), "\n")
}
