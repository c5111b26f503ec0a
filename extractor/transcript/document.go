package transcript

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// MaxDocument is the most bytes of a session that is one JSON document: such a
// one is read whole. A larger one is an error.
const MaxDocument = 64 << 20

var (
	errBig    = fmt.Errorf("a session in one document of more than %d MiB", MaxDocument>>20)
	errBehind = errors.New("something behind the end of the document")
)

// A document is a format that keeps a session in one JSON value. Its record is
// called for each element of its lists.
type document interface {
	decoder
	list(key string) bool       // are the elements of this member records? "" stands for a document that is a list itself
	member(key string, val raw) // any other member
}

// A series is a document that may be several lists, one behind the other or
// within one list.
type series interface {
	document
	lists()
}

// A spread is a document whose records lie in files beside it.
type spread interface {
	document
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
func (d *Reader) document(f document, yield func(Turn, error) bool) {
	data, err := readDocument(d.lines.r, d.doc.size)
	if err != nil {
		yield(Turn{}, fmt.Errorf("reading %s: %w", d.opts.Path, err))
		return
	}
	data = bytes.TrimPrefix(data, []byte(byteOrderMk))
	d.doc = docText{data: data[:len(data):len(data)], at: place{line: 1}}
	w := walker{d: d, f: f, b: d.doc.data, yield: yield}
	w.walk()
	if s, ok := f.(spread); ok && !w.stopped {
		s.files(w.step)
	}
	d.read += bytes.Count(data, newline)
	if n := len(data); n > 0 && data[n-1] != '\n' {
		d.read++
	}
	if !w.stopped {
		f.flush()
		d.give(yield)
	}
}

// A walker goes through a document. What is broken it tells of and steps over,
// as far as brackets can be told.
type walker struct {
	d       *Reader
	f       document
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

func (w *walker) walk() {
	i := space(w.b, 0)
	if i >= len(w.b) {
		return
	}
	switch {
	case w.b[i] == '[' && w.f.list(""):
		many, _ := w.f.(series)
		w.nested = many != nil
		for i = w.elements(i); i > 0 && many != nil && space(w.b, i) < len(w.b) && w.b[space(w.b, i)] == '['; {
			i = w.elements(space(w.b, i))
		}
	case w.b[i] == '{':
		i = w.members(i)
	default:
		w.bad(i, errShape)
		return
	}
	if i > 0 && space(w.b, i) < len(w.b) {
		w.bad(space(w.b, i), errBehind)
	}
}

// members goes through the object at i and returns the place behind it, 0 when
// it cannot go on.
func (w *walker) members(i int) int {
	b := w.b
	if i = space(b, i+1); i < len(b) && b[i] == '}' {
		return i + 1
	}
	for {
		key, at, err := checkKey(b, i)
		if err != nil {
			w.bad(at, err)
			return 0
		}
		var end int
		if name := string(key); at < len(b) && b[at] == '[' && w.f.list(name) {
			end = w.elements(at)
		} else if end, err = check(b, at, 1); err == nil {
			w.d.line = w.d.doc.line(at)
			w.f.member(name, b[at:end])
		} else if end = skipValue(b, at); !w.bad(at, err) {
			return 0
		}
		if end == 0 {
			return 0
		}
		if i = w.behind(end, '}'); i <= 0 {
			return -i
		}
	}
}

// elements goes through the list at i and returns the place behind it, 0 when
// it cannot go on.
func (w *walker) elements(i int) int {
	b := w.b
	if i = space(b, i+1); i < len(b) && b[i] == ']' {
		return i + 1
	}
	for {
		w.d.line = w.d.doc.line(min(i, len(b)))
		if w.nested && i < len(b) && b[i] == '[' {
			w.nested = false // one within another, and no deeper
			end := w.elements(i)
			if w.nested = true; end == 0 {
				return 0
			}
			if i = w.behind(end, ']'); i <= 0 {
				return -i
			}
			continue
		}
		o, end, err := parseObject(b, i, w.d.fields[:0])
		w.d.fields = o
		if err == nil {
			w.f.record(o)
			if !w.step(nil) {
				return 0
			}
		} else if end = skipValue(b, i); !w.bad(i, err) {
			return 0
		}
		if end == 0 {
			return 0
		}
		if i = w.behind(end, ']'); i <= 0 {
			return -i
		}
	}
}

// behind looks at what is behind a member or an element: it returns where the
// next one begins, or the negative of the place behind the closing bracket, or
// 0 when neither is there.
func (w *walker) behind(i int, closing byte) int {
	i = space(w.b, i)
	switch {
	case i >= len(w.b):
		w.bad(i, errCut)
		return 0
	case w.b[i] == ',':
		return space(w.b, i+1)
	case w.b[i] == closing:
		return -(i + 1)
	}
	w.bad(i, unexpected(w.b, i))
	return 0
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
	if _, ok := d.format.(document); ok {
		return d.doc.cut
	}
	return d.next.off < d.lines.off+int64(d.lines.to-d.lines.from)
}
