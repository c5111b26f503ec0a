package transcript

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// MaxDocument is the most bytes of a session that is one JSON document: such a
// one is read whole. A larger one is an error.
const MaxDocument = 64 << 20

var (
	errBig    = fmt.Errorf("a session in one document of more than %d MiB", MaxDocument>>20)
	errBehind = errors.New("something behind the end of the document")
)

// A spread is a document whose records lie in files beside it.
type spread interface {
	decoder
	// files gives out the records, calling step behind each; step says whether
	// more are wanted.
	files(step func(error) bool)
}

// docText is the text of a document and a place in it whose line is known.
type docText struct {
	data []byte
	at   place
	cut  bool  // it ends too soon
	size int64 // of the file, where it is known; else a guess
}

// line returns the number of the line that data[off] lies in. Going forward it
// counts each newline once.
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

// lineAt returns the line on which v begins, a value out of the record that is
// being read.
func (d *Reader) lineAt(v raw) int {
	// All values are slices of the document up to its end, so what is left of
	// its capacity tells where they begin.
	off := cap(d.doc.data) - cap(v)
	if d.doc.data == nil || v == nil || off < 0 || off > len(d.doc.data) {
		return d.line
	}
	return d.doc.line(off)
}

// sizeOf returns the size of the file that r reads, or a guess.
func sizeOf(r io.Reader) int64 {
	switch f := r.(type) {
	case interface{ Size() int64 }:
		return f.Size()
	case *os.File:
		if info, err := f.Stat(); err == nil {
			return info.Size()
		}
	}
	return lineBuffer
}

// readDocument reads what r has left, at most MaxDocument bytes.
func readDocument(r io.Reader, size int64) ([]byte, error) {
	buf := bytes.NewBuffer(make([]byte, 0, max(min(size, MaxDocument), 0)+bytes.MinRead))
	n, err := buf.ReadFrom(io.LimitReader(r, MaxDocument+1))
	if err == nil && n > MaxDocument {
		err = errBig
	}
	return buf.Bytes(), err
}

// document reads a session that is one JSON value.
func (d *Reader) document(yield func(Turn, error) bool) {
	data, err := readDocument(d.lines.r, d.doc.size)
	if err != nil {
		yield(Turn{}, fmt.Errorf("reading %s: %w", d.opts.Path, err))
		return
	}
	data = bytes.TrimPrefix(data, []byte(byteOrderMk))
	d.doc = docText{data: data[:len(data):len(data)], at: place{line: 1}}
	w := walker{d: d, b: d.doc.data, yield: yield}
	w.walk()
	if s, ok := d.format.(spread); ok && !w.stopped {
		s.files(w.step)
	}
	d.read += bytes.Count(data, newline)
	if n := len(data); n > 0 && data[n-1] != '\n' {
		d.read++
	}
	if !w.stopped {
		d.format.flush()
		d.give(yield)
	}
}

// A walker goes through a document. What is broken it tells of and steps over,
// as far as brackets can be told.
type walker struct {
	d       *Reader
	b       []byte
	yield   func(Turn, error) bool
	stopped bool
	nested  bool // an element may be a list of records
}

// step yields what the format has emitted, and an error of the record.
func (w *walker) step(err error) bool {
	if !w.stopped {
		w.stopped = !w.d.give(w.yield) || err != nil && !w.yield(Turn{}, err)
	}
	return !w.stopped
}

// bad tells of what is wrong with the value that begins at i.
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
	switch {
	case w.b[i] == '[' && w.records(""):
		w.nested = w.d.form.many
		for i = w.inside(i, ']'); i > 0 && w.nested && space(w.b, i) < len(w.b) && w.b[space(w.b, i)] == '['; {
			i = w.inside(space(w.b, i), ']')
		}
	case w.b[i] == '{':
		i = w.inside(i, '}')
	default:
		w.bad(i, errShape)
		return
	}
	if i > 0 && space(w.b, i) < len(w.b) {
		w.bad(space(w.b, i), errBehind)
	}
}

// inside goes through the object or list at i, which closing ends, and returns the
// place behind it; 0 when it cannot go on.
func (w *walker) inside(i int, closing byte) int {
	b := w.b
	if i = space(b, i+1); i < len(b) && b[i] == closing {
		return i + 1
	}
	for {
		end := 0
		if closing == '}' {
			end = w.member(i)
		} else {
			end = w.element(i)
		}
		if end == 0 {
			return 0
		}
		switch i = space(b, end); {
		case i >= len(b):
			w.bad(i, errCut)
			return 0
		case b[i] == ',':
			i = space(b, i+1)
		case b[i] == closing:
			return i + 1
		default:
			w.bad(i, unexpected(b, i))
			return 0
		}
	}
}

// member reads the member of an object at i and returns the place behind it, 0 when
// it cannot go on.
func (w *walker) member(i int) int {
	key, at, err := checkKey(w.b, i)
	if err != nil {
		w.bad(at, err)
		return 0
	}
	name := string(key)
	if at < len(w.b) && w.b[at] == '[' && w.records(name) {
		w.d.list = name
		return w.inside(at, ']')
	}
	end, err := check(w.b, at, 1)
	if err != nil {
		return w.over(at, err)
	}
	w.d.line = w.d.doc.line(at)
	w.d.format.member(name, w.b[at:end])
	return end
}

// element reads the element of a list at i, as member does: a record, or once a list
// of records within the list.
func (w *walker) element(i int) int {
	w.d.line = w.d.doc.line(min(i, len(w.b)))
	if w.nested && i < len(w.b) && w.b[i] == '[' {
		w.nested = false
		end := w.inside(i, ']')
		w.nested = true
		return end
	}
	o, end, err := parseObject(w.b, i, w.d.fields[:0])
	if w.d.fields = o; err != nil {
		return w.over(i, err)
	}
	if w.d.format.record(o); !w.step(nil) {
		return 0
	}
	return end
}

// over tells of a bad value and returns the place behind it.
func (w *walker) over(i int, err error) int {
	end := skipValue(w.b, i)
	if !w.bad(i, err) {
		return 0
	}
	return end
}

// skipValue returns the place behind a value that is no JSON, or nested too
// deep, going by its quotes and brackets alone; 0 when they do not close.
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

// half says whether the end of what was read is half a record.
func (d *Reader) half() bool {
	if d.form.whole != nil {
		return d.doc.cut
	}
	return d.next.off < d.lines.off
}
