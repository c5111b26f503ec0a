package setup

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"

	"learnings/lessons/exchange"
)

// This file edits other programs' JSON settings as text. It inserts or removes an entry
// and preserves every other byte: comments, trailing commas, order, indentation, line
// ends, a byte order mark. Removing the last entry added restores the text from before,
// except that objects left empty go too.

// Limits on a file: no settings come near them, and the parser is recursive.
const (
	maxSize  = 16 << 20
	maxDepth = 1000
)

var bom = []byte("\ufeff")

const blanks = " \t\r\n"

// A jsonFile is a text with an object at its top. Offsets of values are offsets in the
// text.
type jsonFile struct {
	text []byte
	root hujson.Value
	eol  string
}

// parseJSON parses JSON with comments and trailing commas. An empty text is an empty
// object. Errors name the line.
func parseJSON(text []byte) (*jsonFile, error) {
	f := &jsonFile{text: text, eol: exchange.LineEnd(text)}
	if err := bounded(text); err != nil {
		return nil, err
	}
	if rest := bytes.TrimPrefix(text, bom); len(bytes.TrimSpace(rest)) == 0 {
		f.text = slices.Concat(text[:len(text)-len(rest)], []byte("{}"+f.eol))
	}
	plain := bytes.Clone(f.text) // the parser keeps references to it
	if bytes.HasPrefix(plain, bom) {
		copy(plain, "   ")
	}
	root, err := hujson.Parse(plain)
	if err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "hujson: "))
	}
	f.root = root
	if root.Value.Kind() != '{' {
		return nil, fmt.Errorf("line %d: an object should stand here", f.line(root.StartOffset))
	}
	return f, nil
}

func getJSON(text []byte, path ...string) (json.RawMessage, error) {
	f, err := parseJSON(text)
	if err != nil {
		return nil, err
	}
	return f.get(path...), nil
}

func putJSON(text []byte, value any, path ...string) ([]byte, error) {
	f, err := parseJSON(text)
	if err != nil {
		return nil, err
	}
	return f.set(value, path...)
}

func addJSON(text []byte, values []any, path ...string) ([]byte, error) {
	f, err := parseJSON(text)
	if err != nil {
		return nil, err
	}
	return f.add(values, path...)
}

func takeJSON(text []byte, path ...string) ([]byte, error) {
	f, err := parseJSON(text)
	if err != nil {
		return nil, err
	}
	return f.remove(path...), nil
}

func bounded(text []byte) error {
	if len(text) > maxSize {
		return fmt.Errorf("it has %d MB, more than settings have", len(text)>>20)
	}
	depth := 0 // counts brackets in strings too: it is never less than the real depth
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

func (f *jsonFile) line(offset int) int { return 1 + bytes.Count(f.text[:offset], []byte("\n")) }

// An item is a member of an object or an element of an array, named by its index.
type item struct {
	name       string
	start, end int // without the comma
	comma      int // its offset; -1 for none
	value      hujson.Value
}

func itemsOf(v hujson.Value) (out []item) {
	add := func(name string, start int, v hujson.Value, last bool) {
		comma := -1
		if !last || v.AfterExtra != nil {
			comma = v.EndOffset + len(v.AfterExtra)
		}
		out = append(out, item{name, start, v.EndOffset, comma, v})
	}
	switch c := v.Value.(type) {
	case *hujson.Object:
		for i, m := range c.Members {
			add(m.Name.Value.(hujson.Literal).String(), m.Name.StartOffset, m.Value, i == len(c.Members)-1)
		}
	case *hujson.Array:
		for i, e := range c.Elements {
			add(strconv.Itoa(i), e.StartOffset, e, i == len(c.Elements)-1)
		}
	}
	return out
}

// find follows a path of names as far as it exists. It returns the values on the way,
// starting with the whole file, and the rest of the path. Of two members with one name
// the last counts, as for the programs that read the file.
func (f *jsonFile) find(path []string) (at []hujson.Value, left []string) {
	at = []hujson.Value{f.root}
	for ; len(path) > 0; path = path[1:] {
		found := false
		for _, it := range slices.Backward(itemsOf(at[len(at)-1])) {
			if found = it.name == path[0]; found {
				at = append(at, it.value)
				break
			}
		}
		if !found {
			break
		}
	}
	return at, path
}

// get returns the value at a path as plain JSON, or nil.
func (f *jsonFile) get(path ...string) json.RawMessage {
	at, left := f.find(path)
	if len(left) > 0 {
		return nil
	}
	v := at[len(at)-1].Clone()
	v.Standardize()
	v.BeforeExtra, v.AfterExtra = nil, nil
	return v.Pack()
}

// set returns the text with a value at a path that does not exist yet. It creates the
// objects on the way.
func (f *jsonFile) set(value any, path ...string) ([]byte, error) {
	at, left := f.find(path)
	in := at[len(at)-1]
	switch {
	case len(left) == 0:
		return nil, fmt.Errorf("%s %w", strings.Join(path, "."), errForeign)
	case in.Value.Kind() != '{':
		return nil, fmt.Errorf("line %d: %s should be an object", f.line(in.StartOffset), strings.Join(path[:len(path)-len(left)], "."))
	}
	return f.insert(in, left, value), nil
}

// add returns the text with values appended to the array at a path, which it creates if
// needed.
func (f *jsonFile) add(values []any, path ...string) ([]byte, error) {
	at, left := f.find(path)
	in := at[len(at)-1]
	switch {
	case len(values) == 0:
		return f.text, nil
	case len(left) > 0:
		return f.set(values, path...)
	case in.Value.Kind() != '[':
		return nil, fmt.Errorf("line %d: %s should be an array", f.line(in.StartOffset), strings.Join(path, "."))
	}
	return f.insert(in, nil, values...), nil
}

// insert returns the text with values at the end of an object or array. For an object,
// names[0] is the member's name; the others nest the value in objects.
func (f *jsonFile) insert(in hujson.Value, names []string, values ...any) []byte {
	list, closing := itemsOf(in), in.EndOffset-1
	end := len(bytes.TrimRight(f.text[:closing], blanks)) // insert after comments
	tail := string(f.text[end:closing])
	base := f.indentAt(in.StartOffset)
	indent, lines, comma := base+f.unit(), true, ""
	if n := len(list); n > 0 {
		begins := f.beginsLine(list[n-1].start)
		if lines = begins || strings.Contains(tail, "\n"); begins {
			indent = f.indentAt(list[n-1].start)
		}
		if list[n-1].comma >= 0 {
			comma = "," // the last item has no comma yet
		}
	} else if !strings.Contains(tail, "\n") {
		tail = f.eol + base
	}
	sep := " "
	if lines {
		sep = f.eol + indent
	}
	text := exchange.Splice{Data: f.text}
	if n := len(list); n > 0 && comma == "" {
		text.Replace(list[n-1].end, list[n-1].end, ",")
	}
	var added []string
	for _, value := range values {
		added = append(added, sep+f.render(names, value, indent, lines))
	}
	text.Replace(end, closing, strings.Join(added, ",")+comma+tail)
	return text.Bytes()
}

// width is the longest line before a value of ours is split over several.
const width = 200

// render formats a value nested in names. It splits new objects over several lines if the
// file does: more entries will follow.
func (f *jsonFile) render(names []string, value any, indent string, lines bool) string {
	in, first, last := indent+f.unit(), "", ""
	if lines {
		first, last = f.eol+in, f.eol+indent
	}
	switch {
	case len(names) > 1:
		return quote(names[0]) + ": {" + first + f.render(names[1:], value, in, lines) + last + "}"
	case len(names) == 1:
		return quote(names[0]) + ": " + f.render(nil, value, indent, lines)
	case lines:
		return f.layOut(inline(value), indent)
	}
	return inline(value)
}

// layOut splits JSON over several lines if it is too long for one.
func (f *jsonFile) layOut(one, indent string) string {
	v, _ := hujson.Parse([]byte(one))
	list := itemsOf(v)
	if len(indent)+len(one) <= width || len(list) == 0 {
		return one
	}
	in := indent + f.unit()
	var parts []string
	for _, it := range list {
		parts = append(parts, f.eol+in+one[it.start:it.value.StartOffset]+f.layOut(one[it.value.StartOffset:it.end], in))
	}
	return one[:1] + strings.Join(parts, ",") + f.eol + indent + one[len(one)-1:]
}

// remove returns the text without the value at a path and without the objects and arrays
// that this leaves empty. It keeps comments outside the value.
func (f *jsonFile) remove(path ...string) []byte {
	at, left := f.find(path)
	if len(left) > 0 || len(path) == 0 {
		return f.text
	}
	k := len(path)
	for ; ; k-- {
		in, it := at[k-1], at[k]
		if list := itemsOf(in); len(list) > 1 || strings.Trim(string(f.text[in.StartOffset+1:list[0].start])+string(f.text[it.EndOffset:in.EndOffset-1]), blanks+",") != "" {
			break // it holds something else
		}
		if k == 1 {
			return slices.Concat(f.text[:in.StartOffset+1], f.text[in.EndOffset-1:])
		}
	}
	list := itemsOf(at[k-1])
	i := slices.IndexFunc(list, func(it item) bool { return it.end == at[k].EndOffset })
	it := list[i]
	from := at[k-1].StartOffset + 1
	if i > 0 {
		from = list[i-1].end
	}
	start := len(bytes.TrimRight(f.text[:it.start], blanks))
	text, rest, comma := exchange.Splice{Data: f.text}, f.text[it.end:], it.comma
	if comma >= 0 {
		rest = slices.Concat(f.text[it.end:comma], f.text[comma+1:])
	} else if i > 0 {
		comma = list[i-1].comma
	}
	if comma >= 0 {
		text.Replace(comma, comma+1, "")
	}
	before := f.text[from:start]
	before = before[bytes.LastIndexByte(before, '\n')+1:]
	if next := bytes.TrimLeft(rest, " \t\r"); bytes.Contains(before, []byte("//")) && next[0] != '\n' {
		start = it.start // else what follows would become part of that comment
	}
	text.Replace(start, it.end, "")
	return text.Bytes()
}

// indentAt returns the indentation of the line with an offset.
func (f *jsonFile) indentAt(offset int) string {
	line := string(f.text[bytes.LastIndexByte(f.text[:offset], '\n')+1 : offset])
	line = strings.TrimPrefix(line, string(bom))
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// beginsLine reports whether only blanks precede an offset on its line.
func (f *jsonFile) beginsLine(offset int) bool {
	i := bytes.LastIndexByte(f.text[:offset], '\n')
	return i >= 0 && len(bytes.Trim(f.text[i:offset], blanks)) == 0
}

// unit returns the file's unit of indentation.
func (f *jsonFile) unit() string {
	if list := itemsOf(f.root); len(list) > 0 && f.beginsLine(list[0].start) && f.indentAt(list[0].start) != "" {
		return f.indentAt(list[0].start)
	}
	return "  "
}
