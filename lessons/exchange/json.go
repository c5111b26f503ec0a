package exchange

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// A JSON is a JSON object of another program. Members can be set, and elements added and
// removed; every other byte stays. New parts are indented like their neighbours.
type JSON struct {
	data []byte // as it was
	bom  []byte
	root hujson.Value
}

// A Part is a value within a JSON.
type Part struct {
	Raw  []byte // its text as it was
	From int    // its offset
	Line int    // from 1, of an element; else 0

	object *hujson.Object // nil if it is none
}

// ParseJSON parses an object, which may have a byte order mark before it.
func ParseJSON(data []byte) (*JSON, error) {
	text := bytes.TrimPrefix(data, []byte("\ufeff"))
	j := &JSON{data: data, bom: data[:len(data)-len(text)]}
	if !bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("{")) {
		return nil, errors.New("it is no JSON object")
	}
	err := json.Unmarshal(text, new(json.RawMessage)) // comments are for others, and no depth is too deep for hujson
	if err == nil {
		j.root, err = hujson.Parse(text)
	}
	return j, err
}

func (j *JSON) part(v hujson.Value) Part {
	object, _ := v.Value.(*hujson.Object)
	from := len(j.bom) + v.StartOffset
	return Part{Raw: j.data[from : len(j.bom)+v.EndOffset], From: from, object: object}
}

func (j *JSON) top() *hujson.Object { return j.root.Value.(*hujson.Object) }

// member returns a member of an object; nil for none. Of duplicate keys the last one
// counts.
func member(o *hujson.Object, key string) *hujson.Value {
	for i := range slices.Backward(o.Members) {
		if name, ok := o.Members[i].Name.Value.(hujson.Literal); ok && name.String() == key {
			return &o.Members[i].Value
		}
	}
	return nil
}

// Member returns a member of the object.
func (j *JSON) Member(key string) (Part, bool) {
	v := member(j.top(), key)
	if v == nil {
		return Part{}, false
	}
	return j.part(*v), true
}

// array returns an array member; nil if it is missing or null.
func (j *JSON) array(key string) (*hujson.Array, error) {
	v := member(j.top(), key)
	if v == nil || v.Value.Kind() == 'n' {
		return nil, nil
	}
	if a, ok := v.Value.(*hujson.Array); ok {
		return a, nil
	}
	return nil, errors.New("its " + key + " are no array")
}

// Items returns the elements of an array member; none if it is missing or null.
func (j *JSON) Items(key string) (out []Part, err error) {
	a, err := j.array(key)
	if a == nil {
		return nil, err
	}
	line, from := 1, 0
	for _, v := range a.Elements {
		p := j.part(v)
		line, from = line+bytes.Count(j.data[from:p.From], []byte("\n")), p.From
		p.Line = line
		out = append(out, p)
	}
	return out, nil
}

// SetTop sets a member of the object.
func (j *JSON) SetTop(key string, v any) { set(j.top(), key, v) }

// Set sets a member of an object that is a part.
func (j *JSON) Set(object Part, key string, v any) { set(object.object, key, v) }

func set(o *hujson.Object, key string, v any) {
	var lead hujson.Extra
	if len(o.Members) > 0 {
		lead = o.Members[0].Name.BeforeExtra
	}
	value := encoded(v, lead)
	if old := member(o, key); old != nil {
		old.Value = value.Value
		return
	}
	if len(lead) > 0 {
		value.BeforeExtra = hujson.Extra(" ")
	}
	name := hujson.Value{BeforeExtra: lead, Value: hujson.Literal(Quoted(key))}
	o.Members = append(o.Members, hujson.ObjectMember{Name: name, Value: value})
}

// encoded encodes a value after a lead: on several lines if the lead has a line end.
func encoded(v any, lead hujson.Extra) hujson.Value {
	text := Quoted(v)
	if at := bytes.LastIndexByte(lead, '\n'); at >= 0 {
		text = written(v, string(lead[at+1:]), "  ")
	}
	value, err := hujson.Parse([]byte(text))
	if err != nil {
		panic(err) // it was just encoded
	}
	return value
}

// Append appends elements to an array, and adds the array if it is missing.
func (j *JSON) Append(key string, values ...any) error {
	a, err := j.array(key)
	if err != nil || len(values) == 0 {
		return err
	}
	if a == nil {
		j.SetTop(key, []any{})
		a, _ = j.array(key)
	}
	var lead hujson.Extra
	if n := len(a.Elements); n > 0 {
		lead = a.Elements[n-1].BeforeExtra
	} else if outer := j.top().Members[0].Name.BeforeExtra; bytes.ContainsRune(outer, '\n') {
		a.AfterExtra = outer
		lead = append(bytes.Clone(outer), outer[bytes.LastIndexByte(outer, '\n')+1:]...)
	}
	for _, v := range values {
		value := encoded(v, lead)
		value.BeforeExtra = lead
		a.Elements = append(a.Elements, value)
	}
	return nil
}

// Remove removes elements of an array.
func (j *JSON) Remove(key string, gone func(Part) bool) {
	a, _ := j.array(key)
	if a == nil {
		return
	}
	a.Elements = slices.DeleteFunc(a.Elements, func(v hujson.Value) bool { return gone(j.part(v)) })
	if n := len(a.Elements); n > 0 {
		a.Elements[n-1].AfterExtra = nil // it would be a trailing comma
	}
}

// Changed reports whether anything differs from what was parsed.
func (j *JSON) Changed() bool { return !bytes.Equal(j.Bytes(), j.data) }

// Bytes returns the text with all changes.
func (j *JSON) Bytes() []byte { return append(bytes.Clone(j.bom), j.root.Pack()...) }

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
