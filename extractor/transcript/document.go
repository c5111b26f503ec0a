package transcript

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
)

// MaxDocument is the most bytes of a session that is one JSON document, because it is
// read whole. A larger one is an error.
const MaxDocument = 64 << 20

var (
	errBig    = fmt.Errorf("a session in one document of more than %d MiB", MaxDocument>>20)
	errBehind = errors.New("something behind the end of the document")
)

// docText is the text of a document and an offset whose line is known.
type docText struct {
	data []byte
	at   place
	cut  bool // it ends too soon
}

// line returns the number of the line that contains data[off]. Going forward it counts
// each newline once.
func (t *docText) line(off int) int {
	from := int(t.at.off)
	if off >= from {
		t.at.line += bytes.Count(t.data[from:off], newline)
	} else {
		t.at.line -= bytes.Count(t.data[off:from], newline)
	}
	t.at.off = int64(off)
	return t.at.line
}

var newline = []byte{'\n'}

// lineAt returns the line where v begins, a value of the current record.
func (d *Reader) lineAt(v raw) int {
	// All values are slices of the document with its whole capacity, so the capacity
	// that is left gives their offset.
	off := cap(d.doc.data) - cap(v)
	if d.doc.data == nil || v == nil || off < 0 || off > len(d.doc.data) {
		return d.line
	}
	return d.doc.line(off)
}

// readDocument reads the rest of r, at most MaxDocument bytes.
func readDocument(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxDocument+1))
	if err == nil && len(data) > MaxDocument {
		err = errBig
	}
	return data, err
}

// document reads a session that is one JSON value.
func (d *Reader) document(yield func(Turn, error) bool) {
	data, err := readDocument(d.lines.r)
	if err != nil {
		yield(Turn{}, fmt.Errorf("reading %s: %w", d.opts.Path, err))
		return
	}
	data = bytes.TrimPrefix(data, []byte(byteOrderMk))
	d.doc = docText{data: data[:len(data):len(data)], at: place{line: 1}}
	w := walker{d: d, b: d.doc.data, yield: yield}
	w.walk()
	d.read += bytes.Count(data, newline)
	if n := len(data); n > 0 && data[n-1] != '\n' {
		d.read++
	}
	if !w.stopped {
		d.format.flush()
		d.give(yield)
	}
}

// A walker goes through a document. It reports what is broken and skips it, as far as
// brackets allow.
type walker struct {
	d       *Reader
	b       []byte
	yield   func(Turn, error) bool
	stopped bool
	nested  bool // an element may be a list of records
}

// step yields what the format has emitted, or an error of the record.
func (w *walker) step(err error) bool {
	if !w.stopped {
		w.stopped = !w.d.give(w.yield) || err != nil && !w.yield(Turn{}, err)
	}
	return !w.stopped
}

// bad reports an error in the value that begins at i.
func (w *walker) bad(i int, err error) bool {
	if errors.Is(err, errCut) {
		w.d.doc.cut = true
		if w.d.opts.Growing {
			return true // it is being written
		}
	}
	line := w.d.doc.line(min(i, len(w.b)))
	if b := (*badByte)(nil); errors.As(err, &b) {
		line = w.d.doc.line(b.at)
		err = &badByte{b.b, b.at - bytes.LastIndexByte(w.b[:b.at], '\n') - 1}
	}
	return w.step(&LineError{Path: w.d.opts.Path, Line: line, Err: err})
}

// records reports whether the elements of a list are records, by its key.
func (w *walker) records(key string) bool { return slices.Contains(w.d.form.lists, key) }

func (w *walker) walk() {
	i := space(w.b, 0)
	if i >= len(w.b) {
		return
	}
	var err error
	switch {
	case w.b[i] == '[' && w.records(""):
		w.nested = w.d.form.many
		for i, err = w.inside(i); err == nil && w.nested && space(w.b, i) < len(w.b) && w.b[space(w.b, i)] == '['; {
			i, err = w.inside(space(w.b, i))
		}
	case w.b[i] == '{':
		i, err = w.inside(i)
	default:
		w.bad(i, errShape)
		return
	}
	if i = space(w.b, i); err == nil && i < len(w.b) {
		w.bad(i, errBehind)
	}
}

// inside walks the object or list at i and returns the offset after it, or errStop if
// it cannot go on.
func (w *walker) inside(i int) (int, error) {
	read := w.element
	if w.b[i] == '{' {
		read = w.member
	}
	end, err := each(w.b, i, read)
	if err != nil && !errors.Is(err, errStop) {
		w.bad(end, err)
		err = errStop
	}
	return end, err
}

// member reads the value at i of a member of an object.
func (w *walker) member(key []byte, i int) (int, error) {
	name := string(key)
	if i < len(w.b) && w.b[i] == '[' && w.records(name) {
		w.d.list = name
		return w.inside(i)
	}
	end, err := check(w.b, i, 1)
	if err != nil {
		return w.over(i, err)
	}
	w.d.line = w.d.doc.line(i)
	w.d.format.member(name, w.b[i:end])
	return end, nil
}

// element reads the element at i of a list: a record, or once, a list of records within
// the list.
func (w *walker) element(_ []byte, i int) (int, error) {
	w.d.line = w.d.doc.line(min(i, len(w.b)))
	if w.nested && i < len(w.b) && w.b[i] == '[' {
		w.nested = false
		defer func() { w.nested = true }()
		return w.inside(i)
	}
	o, end, err := parseObject(w.b, i, w.d.fields[:0])
	if w.d.fields = o; err != nil {
		return w.over(i, err)
	}
	if w.d.format.record(o); !w.step(nil) {
		return end, errStop
	}
	return end, nil
}

// over reports a bad value and returns the offset after it.
func (w *walker) over(i int, err error) (int, error) {
	end := skipValue(w.b, i)
	if !w.bad(i, err) || end == 0 {
		return end, errStop
	}
	return end, nil
}

// skipValue returns the offset after a value that is invalid or nested too deep, judged
// only by its quotes and brackets; 0 if they do not close.
func skipValue(b []byte, i int) int {
	depth := 0
	for start := i; i < len(b); i++ {
		switch b[i] {
		case '"':
			for i++; i < len(b) && b[i] != '"'; i++ {
				if b[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			} else if depth < 0 {
				return i
			}
		case ',':
			if depth == 0 && i > start {
				return i
			}
		}
	}
	return 0
}

// half reports whether the input ended within a record.
func (d *Reader) half() bool {
	if d.form.whole != nil {
		return d.doc.cut
	}
	return d.next.off < d.lines.off
}
