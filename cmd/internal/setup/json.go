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
)

// This file edits JSON settings of other programs as text: an entry is spliced in or cut
// out, and every other byte stays as it was: comments, trailing commas, the order, the
// indentation, the ends of lines, a byte order mark. Removing the last entry that was
// added gives the text from before, except that what it leaves empty goes with it.

// Limits of a file: no settings come near them, and the parser calls itself for each level.
const (
	maxSize  = 16 << 20
	maxDepth = 1000
)

var bom = []byte("\ufeff")

const blanks = " \t\r\n"

// A jsonFile is a text whose top is an object. Offsets of its values are those in the text.
type jsonFile struct {
	text []byte
	root hujson.Value
	eol  string
}

// parseJSON reads a text that may have comments and trailing commas. An empty text is an
// empty object. The error names the line.
func parseJSON(text []byte) (*jsonFile, error) {
	f := &jsonFile{text: text, eol: "\n"}
	if err := bounded(text); err != nil {
		return nil, err
	}
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		f.eol = "\r\n"
	}
	if rest := bytes.TrimPrefix(text, bom); len(bytes.TrimSpace(rest)) == 0 {
		f.text = slices.Concat(text[:len(text)-len(rest)], []byte("{}"+f.eol))
	}
	plain := bytes.Clone(f.text) // the parser keeps parts of it
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

func bounded(text []byte) error {
	if len(text) > maxSize {
		return fmt.Errorf("it has %d MB, more than settings have", len(text)>>20)
	}
	depth := 0 // brackets in strings count too: it is never less than the real depth
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

// An item is a member of an object, or an element of an array, which has its index for a name.
type item struct {
	name       string
	start, end int // the comma is not part of it
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

// find follows a path of names as far as the file does: the values on the way, the whole
// file first, and the rest of the path. Of two members with one name the last counts, as
// it does for the programs that read the file.
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

// get gives what stands at a path as plain JSON; nil when nothing does.
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

// set gives the text with a value at a path where nothing stands. The objects on the way
// are made.
func (f *jsonFile) set(value any, path ...string) ([]byte, error) {
	at, left := f.find(path)
	in := at[len(at)-1]
	switch {
	case len(left) == 0:
		return nil, fmt.Errorf("%s %w", strings.Join(path, "."), errForeign)
	case in.Value.Kind() != '{':
		return nil, fmt.Errorf("line %d: %s should be an object", f.line(in.StartOffset), strings.Join(path[:len(path)-len(left)], "."))
	}
	return f.insert(in, left, value)
}

// add gives the text with values at the end of the array at a path, which is made where
// nothing stands.
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
	return f.insert(in, nil, values...)
}

// insert gives the text with values at the end of an object or array. Names are those of
// an object: the first is the member's, the others are of objects around the value.
func (f *jsonFile) insert(in hujson.Value, names []string, values ...any) ([]byte, error) {
	list, closing := itemsOf(in), in.EndOffset-1
	end := len(bytes.TrimRight(f.text[:closing], blanks)) // what is added comes after comments
	tail := f.text[end:closing]
	base := f.indentAt(in.StartOffset)
	indent, lines, comma := base+f.unit(), true, []byte(nil)
	if n := len(list); n > 0 {
		begins := f.beginsLine(list[n-1].start)
		if lines = begins || bytes.Contains(tail, []byte("\n")); begins {
			indent = f.indentAt(list[n-1].start)
		}
		if list[n-1].comma >= 0 {
			comma = []byte(",") // the last item has one here
		}
	} else if !bytes.Contains(tail, []byte("\n")) {
		tail = []byte(f.eol + base)
	}
	sep := " "
	if lines {
		sep = f.eol + indent
	}
	var b bytes.Buffer
	b.Write(f.text[:end])
	if n := len(list); n > 0 && comma == nil {
		b.Truncate(list[n-1].end)
		b.WriteByte(',')
		b.Write(f.text[list[n-1].end:end])
	}
	for i, value := range values {
		if i > 0 {
			b.WriteByte(',')
		}
		text, err := f.render(names, value, indent, lines)
		if err != nil {
			return nil, err
		}
		b.WriteString(sep + text)
	}
	return slices.Concat(b.Bytes(), comma, tail, f.text[closing:]), nil
}

// width is how long a line may get before a value of ours is written over several.
const width = 200

// render writes a value with the names around it. Objects that are made on the way are
// written over several lines where the file is, for more will come in.
func (f *jsonFile) render(names []string, value any, indent string, lines bool) (string, error) {
	if len(names) > 0 {
		name, in := quote(names[0])+": ", indent
		if len(names) == 1 {
			text, err := f.render(nil, value, in, lines)
			return name + text, err
		}
		if in += f.unit(); !lines {
			text, err := f.render(names[1:], value, in, lines)
			return name + "{" + text + "}", err
		}
		text, err := f.render(names[1:], value, in, lines)
		return name + "{" + f.eol + in + text + f.eol + indent + "}", err
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(value); err != nil {
		return "", err
	}
	var one strings.Builder // strings hold no line feed: each one is between two items or a bracket
	for line := range strings.Lines(strings.TrimSpace(b.String())) {
		line = strings.TrimSpace(line)
		if strings.HasSuffix(line, ",") {
			line += " "
		}
		one.WriteString(line)
	}
	if !lines {
		return one.String(), nil
	}
	return f.layOut(one.String(), indent)
}

// layOut writes a value that is on one line over several where it is too long for one.
func (f *jsonFile) layOut(one, indent string) (string, error) {
	v, err := hujson.Parse([]byte(one))
	list := itemsOf(v)
	if err != nil || len(indent)+len(one) <= width || len(list) == 0 {
		return one, err
	}
	in := indent + f.unit()
	parts := make([]string, len(list))
	for i, it := range list {
		text, err := f.layOut(one[it.value.StartOffset:it.end], in)
		if err != nil {
			return "", err
		}
		parts[i] = f.eol + in + one[it.start:it.value.StartOffset] + text
	}
	return one[:1] + strings.Join(parts, ",") + f.eol + indent + one[len(one)-1:], nil
}

// remove gives the text without what stands at a path, and without the objects and arrays
// that this leaves empty. Comments stay, except those within what is taken out.
func (f *jsonFile) remove(path ...string) []byte {
	at, left := f.find(path)
	if len(left) > 0 || len(path) == 0 {
		return f.text
	}
	k := len(path)
	for ; ; k-- {
		in, it := at[k-1], at[k]
		if list := itemsOf(in); len(list) > 1 || strings.Trim(string(f.text[in.StartOffset+1:list[0].start])+string(f.text[it.EndOffset:in.EndOffset-1]), blanks+",") != "" {
			break // something else stands there
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
	rest := f.text[it.end:]
	if it.comma >= 0 {
		rest = slices.Concat(f.text[it.end:it.comma], f.text[it.comma+1:])
	}
	before := f.text[from:start]
	before = before[bytes.LastIndexByte(before, '\n')+1:]
	if next := bytes.TrimLeft(rest, " \t\r"); bytes.Contains(before, []byte("//")) && next[0] != '\n' {
		start = it.start // what follows would become part of that comment
	}
	head := f.text[:start]
	if i > 0 && i == len(list)-1 && it.comma < 0 {
		head = slices.Concat(f.text[:list[i-1].comma], f.text[list[i-1].comma+1:start])
	}
	return slices.Concat(head, rest)
}

// indentAt is the indentation of the line on which an offset is.
func (f *jsonFile) indentAt(offset int) string {
	line := string(f.text[bytes.LastIndexByte(f.text[:offset], '\n')+1 : offset])
	line = strings.TrimPrefix(line, string(bom))
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// beginsLine reports whether only blanks stand before an offset on its line.
func (f *jsonFile) beginsLine(offset int) bool {
	i := bytes.LastIndexByte(f.text[:offset], '\n')
	return i >= 0 && len(bytes.Trim(f.text[i:offset], blanks)) == 0
}

// unit is what the file indents by.
func (f *jsonFile) unit() string {
	if list := itemsOf(f.root); len(list) > 0 && f.beginsLine(list[0].start) && f.indentAt(list[0].start) != "" {
		return f.indentAt(list[0].start)
	}
	return "  "
}
