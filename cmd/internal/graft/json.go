// Package graft puts entries into the settings files of other programs and takes them
// out again. Every other byte stays as it was: comments, trailing commas, the order, the
// indentation, the ends of lines, a byte order mark. It knows no program, and reads and
// writes no file.
package graft

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"
)

// Limits of a file: no settings that people have come near them, and a parser that
// calls itself for each level needs one.
const (
	maxSize  = 16 << 20
	maxDepth = 1000
)

// A JSON is a file of settings whose top is an object; it may have comments and
// trailing commas. A text without any value is an empty object.
type JSON struct {
	bom  []byte
	root hujson.Value
	eol  string
	unit string // of indentation
}

var bom = []byte("\ufeff")

// ParseJSON reads a file. The error names the line.
func ParseJSON(text []byte) (*JSON, error) {
	f := &JSON{eol: "\n", unit: "  "}
	if rest, ok := bytes.CutPrefix(text, bom); ok {
		f.bom, text = bom, rest
	}
	if err := bounded(text); err != nil {
		return nil, err
	}
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		f.eol = "\r\n"
	}
	if len(bytes.TrimSpace(text)) == 0 {
		f.root = hujson.Value{Value: &hujson.Object{}, AfterExtra: []byte(f.eol)}
		return f, nil
	}
	root, err := hujson.Parse(bytes.Clone(text)) // which it keeps parts of
	if err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "hujson: "))
	}
	f.root = root
	top, ok := root.Value.(*hujson.Object)
	if !ok {
		return nil, fmt.Errorf("line %d: an object should stand here", f.line(&root))
	}
	if len(top.Members) > 0 {
		if _, in, ok := cutLine(top.Members[0].Name.BeforeExtra); ok && in != "" {
			f.unit = in
		}
	}
	return f, nil
}

func bounded(text []byte) error {
	if len(text) > maxSize {
		return fmt.Errorf("it has %d MB, more than settings have", len(text)>>20)
	}
	depth := 0 // at least as deep as it is: what is in strings counts too
	for _, c := range text {
		switch c {
		case '{', '[':
			if depth++; depth > maxDepth {
				return errors.New("it is nested too deep")
			}
		case '}', ']':
			depth--
		}
	}
	return nil
}

// Bytes is the file.
func (f *JSON) Bytes() []byte { return append(bytes.Clone(f.bom), f.root.Pack()...) }

// line is where a value stood when the file was read.
func (f *JSON) line(v *hujson.Value) int {
	return 1 + bytes.Count(f.root.Pack()[:v.StartOffset], []byte("\n"))
}

// Get gives what stands at a path of names, and of numbers in arrays, as plain JSON; nil
// when nothing does. Of two members with one name the last counts, as it does for those
// who read the file.
func (f *JSON) Get(path ...string) json.RawMessage {
	at, left := f.walk(path)
	if len(left) > 0 {
		return nil
	}
	v := at[len(at)-1].value.Clone()
	v.Standardize()
	v.BeforeExtra, v.AfterExtra = nil, nil
	return v.Pack()
}

// A node is a value on the way to a place, and its place in the one before.
type node struct {
	value *hujson.Value
	index int
	base  string // the indentation of the line on which it begins
}

// walk goes as far along a path as the file does. The rest of the path is left.
func (f *JSON) walk(path []string) (at []node, left []string) {
	at = []node{{value: &f.root}}
	for len(path) > 0 {
		in := itemsOf(at[len(at)-1].value)
		if in == nil {
			break
		}
		i := in.find(path[0])
		if i < 0 {
			break
		}
		n := node{in.value(i), i, at[len(at)-1].base}
		if _, indent, ok := cutLine(*in.lead(i)); ok {
			n.base = indent
		}
		at, path = append(at, n), path[1:]
	}
	return at, path
}

// Set puts a value at a path of names, and makes the objects on the way there. What
// stands there is replaced. A value on the way that is no object is an error.
func (f *JSON) Set(value any, path ...string) error {
	at, left := f.walk(path)
	last := at[len(at)-1]
	if len(left) == 0 {
		v, err := f.render(value, last.base, 0, false)
		if err == nil {
			last.value.Value = v.Value
		}
		return err
	}
	if _, ok := last.value.Value.(*hujson.Object); !ok {
		return f.shape(path[:len(path)-len(left)], last.value, "an object")
	}
	for i := len(left) - 1; i > 0; i-- {
		value = map[string]any{left[i]: value}
	}
	return f.add(last, left[0], value, len(left)-1)
}

// Append puts a value at the end of the array at a path, and makes what is missing.
func (f *JSON) Append(value any, path ...string) error {
	at, left := f.walk(path)
	last := at[len(at)-1]
	if len(left) > 0 {
		return f.Set([]any{value}, path...)
	}
	if _, ok := last.value.Value.(*hujson.Array); !ok {
		return f.shape(path, last.value, "an array")
	}
	return f.add(last, "", value, 0)
}

func (f *JSON) shape(path []string, v *hujson.Value, want string) error {
	name := "the file"
	if len(path) > 0 {
		name = strings.Join(path, ".")
	}
	return fmt.Errorf("line %d: %s should be %s", f.line(v), name, want)
}

// add puts a value at the end of what is at a node; levels of it are objects on the way
// to what is meant.
func (f *JSON) add(to node, name string, value any, levels int) error {
	in := itemsOf(to.value)
	n := in.len()
	e := string(*in.closing)
	indent, lines := to.base+f.unit, true
	var lead, tail string
	if n == 0 {
		head, _, closes := cutLine([]byte(e))
		if !closes {
			head = e
		}
		lead, tail = strings.TrimRight(head, " \t\r\n")+f.eol+indent, f.eol+to.base
	} else {
		_, was, ok := cutLine(*in.lead(n - 1))
		_, _, closes := cutLine([]byte(e))
		if lines = ok || closes; ok {
			indent = was
		}
		lead, tail = f.between(e, indent, lines)
	}
	v, err := f.render(value, indent, levels, !lines)
	if err != nil {
		return err
	}
	if n > 0 && *in.after(n - 1) != nil {
		v.AfterExtra = []byte{} // a comma follows the last one here
	}
	*in.closing = []byte(tail)
	in.append(name, []byte(lead), v)
	return nil
}

// between divides what stood before the closing bracket into what stands before and
// after a new last item. Its inverse is in remove.
func (f *JSON) between(e, indent string, lines bool) (lead, tail string) {
	head, closing, closes := cutLine([]byte(e))
	blank := strings.TrimSpace(e) == ""
	switch {
	case closes:
		eol := "\n"
		if strings.HasSuffix(head, "\r") {
			eol = "\r\n"
		}
		return head + "\n" + indent, eol + closing
	case lines && blank:
		return f.eol + indent, e
	case lines:
		return e + f.eol + indent, ""
	case blank:
		return " ", e
	}
	return e + " ", ""
}

// width is how long a line may get before a value of ours is written over several.
const width = 200

// render makes a value as the file would have it, without what stands around it. The
// objects of the outermost levels are written over several lines, for more will come in.
func (f *JSON) render(value any, indent string, levels int, oneLine bool) (hujson.Value, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return hujson.Value{}, err
	}
	v, err := hujson.Parse(bytes.TrimSpace(b.Bytes()))
	if err == nil && !oneLine {
		f.layOut(&v, indent, levels)
	}
	return v, err
}

func (f *JSON) layOut(v *hujson.Value, indent string, levels int) {
	in := itemsOf(v)
	if in == nil || in.len() == 0 {
		return
	}
	first, between, end := "", " ", ""
	if levels > 0 || len(v.Pack()) > width-len(indent) {
		first, end = f.eol+indent+f.unit, f.eol+indent
		between = first
	}
	for i := range in.len() {
		if in.object != nil {
			in.value(i).BeforeExtra = []byte(" ")
		}
		*in.lead(i) = []byte(between)
		f.layOut(in.value(i), indent+f.unit, levels-1)
	}
	*in.lead(0), *in.closing = []byte(first), []byte(end)
}

// Remove takes out what stands at a path, and the objects and arrays that this leaves
// empty, the file itself apart. Comments stay, but for those within what is taken out.
// It reports whether something stood there.
func (f *JSON) Remove(path ...string) bool {
	at, left := f.walk(path)
	if len(left) > 0 || len(path) == 0 {
		return false
	}
	for k := len(at) - 1; k > 0; k-- {
		in := itemsOf(at[k-1].value)
		in.remove(at[k].index)
		if in.len() > 0 || strings.TrimSpace(string(*in.closing)) != "" {
			break
		}
	}
	return true
}

// items are the members of an object or the elements of an array, with what stands
// between them.
type items struct {
	object  *hujson.Object
	array   *hujson.Array
	closing *hujson.Extra
}

func itemsOf(v *hujson.Value) *items {
	switch c := v.Value.(type) {
	case *hujson.Object:
		return &items{object: c, closing: &c.AfterExtra}
	case *hujson.Array:
		return &items{array: c, closing: &c.AfterExtra}
	}
	return nil
}

func (in *items) len() int {
	if in.object != nil {
		return len(in.object.Members)
	}
	return len(in.array.Elements)
}

func (in *items) value(i int) *hujson.Value {
	if in.object != nil {
		return &in.object.Members[i].Value
	}
	return &in.array.Elements[i]
}

// lead is what stands between the comma before an item and the item.
func (in *items) lead(i int) *hujson.Extra {
	if in.object != nil {
		return &in.object.Members[i].Name.BeforeExtra
	}
	return &in.array.Elements[i].BeforeExtra
}

// after is what stands between an item and its comma; nil for a last one without.
func (in *items) after(i int) *hujson.Extra { return &in.value(i).AfterExtra }

func (in *items) find(name string) int {
	if in.object == nil {
		if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < in.len() {
			return i
		}
		return -1
	}
	for i := in.len() - 1; i >= 0; i-- {
		if l, ok := in.object.Members[i].Name.Value.(hujson.Literal); ok && l.String() == name {
			return i
		}
	}
	return -1
}

func (in *items) append(name string, lead []byte, v hujson.Value) {
	if in.object == nil {
		v.BeforeExtra = lead
		in.array.Elements = append(in.array.Elements, v)
		return
	}
	v.BeforeExtra = []byte(" ")
	if n := in.len(); n > 0 {
		if b := in.value(n - 1).BeforeExtra; strings.Trim(string(b), " \t") == "" {
			v.BeforeExtra = b
		}
	}
	in.object.Members = append(in.object.Members, hujson.ObjectMember{Name: hujson.Value{BeforeExtra: lead, Value: hujson.String(name)}, Value: v})
}

// remove takes out an item, and what [JSON.add] put around it.
func (in *items) remove(i int) {
	lead, tail := string(*in.lead(i)), string(*in.closing)
	comma := *in.after(i) != nil
	last := i == in.len()-1
	if in.object != nil {
		in.object.Members = append(in.object.Members[:i:i], in.object.Members[i+1:]...)
	} else {
		in.array.Elements = append(in.array.Elements[:i:i], in.array.Elements[i+1:]...)
	}
	head, _, lines := cutLine([]byte(lead))
	if !last {
		// What is above, perhaps a comment on the item before, stays.
		keep := strings.TrimSuffix(lead, " ")
		if lines {
			keep = strings.TrimSuffix(head, "\r")
		}
		next := in.lead(i)
		*next = []byte(keep + string(*next))
		return
	}
	*in.closing = []byte(joined(lead, tail))
	if in.len() == 0 {
		if strings.TrimSpace(string(*in.closing)) == "" {
			*in.closing = nil
		}
		return
	}
	end := in.after(in.len() - 1)
	switch {
	case comma && *end == nil:
		*end = []byte{}
	case !comma && *end != nil:
		*in.closing = append(bytes.Clone(*end), *in.closing...)
		*end = nil
	}
}

// joined is what stands before the closing bracket once the last item is gone that
// stood between the two.
func joined(lead, tail string) string {
	head, _, lines := cutLine([]byte(lead))
	above, closing, closes := cutLine([]byte(tail))
	switch {
	case lines && closes && strings.Trim(above, "\r") == "":
		return head + "\n" + closing
	case lines && closes:
		return head + tail
	case lines:
		return strings.TrimSuffix(head, "\r") + tail
	}
	return strings.TrimSuffix(lead, " ") + tail
}

// cutLine cuts what stands before an item at the beginning of its line: what is above,
// without the line feed, and the indentation. A comment before it on its own line is
// part of what is above.
func cutLine(extra []byte) (above, indent string, ok bool) {
	i := bytes.LastIndexByte(extra, '\n')
	if i < 0 {
		return "", "", false
	}
	rest := string(extra[i+1:])
	indent = rest[:len(rest)-len(strings.TrimLeft(rest, " \t"))]
	if indent != rest { // a comment stands between
		return "", indent, false
	}
	return string(extra[:i]), indent, true
}
