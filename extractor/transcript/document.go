package transcript

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"
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
	nested  bool // in a list within a list of records
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
	for i := space(w.b, 0); i < len(w.b); {
		if w.b[i] != '{' && !(w.b[i] == '[' && w.records("")) {
			w.bad(i, errShape)
			return
		}
		end, err := w.inside(i)
		if i = space(w.b, end); err != nil {
			return
		}
		if i < len(w.b) && !(w.d.form.many && w.b[i] == '[') {
			w.bad(i, errBehind)
			return
		}
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
	if w.d.form.many && !w.nested && i < len(w.b) && w.b[i] == '[' {
		w.nested = true
		defer func() { w.nested = false }()
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

// MaxLine is the longest line that is read, in bytes, its newline included. A
// longer one is a [LineError]; it is skipped without being held in memory.
const MaxLine = 16 << 20

const (
	lineBuffer  = HeadSize // fits nearly every line, and all that [Detect] wants to see
	byteOrderMk = "\xef\xbb\xbf"
)

var errLong = fmt.Errorf("line is longer than %d MiB", MaxLine>>20)

func buffered(r io.Reader) *bufio.Reader { return bufio.NewReaderSize(r, lineBuffer) }

// lines splits a stream into lines of at most MaxLine bytes each.
type lines struct {
	r    *bufio.Reader
	long []byte // a line that is larger than the buffer
	off  int64  // in the file, behind what was read
	n    int    // number of the line given out last
}

// next returns the next line without its newline; it is valid until the next
// call. whole is false for a last line that no newline ends. The error is
// errLong for a line that has been skipped, io.EOF behind the last line, or
// what the reader said.
func (l *lines) next() (line []byte, whole bool, err error) {
	if l.n == 0 && l.off == 0 {
		if head, _ := l.r.Peek(len(byteOrderMk)); string(head) == byteOrderMk {
			n, _ := l.r.Discard(len(byteOrderMk))
			l.off += int64(n)
		}
	}
	if l.long = l.long[:0]; cap(l.long) > 16*lineBuffer {
		l.long = nil
	}
	for size := 0; ; {
		part, err := l.r.ReadSlice('\n')
		size += len(part)
		l.off += int64(len(part))
		tooLong := size > MaxLine || size == MaxLine && err != nil
		if more := errors.Is(err, bufio.ErrBufferFull); !tooLong && (more || size > len(part)) {
			l.long = append(l.long, part...)
			part = l.long
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && (size == 0 || !errors.Is(err, io.EOF)):
			return nil, false, err
		}
		l.n++
		if tooLong {
			return nil, err == nil, errLong
		}
		return bytes.TrimSuffix(part, newline), err == nil, nil
	}
}

// maxPassage bounds the lines that are held for one turn; a longer one comes
// in several turns.
const maxPassage = 8 << 20

// passages is a decoder of text, which holds the lines of a turn back.
type passages struct {
	base
	who   Speaker // of the lines
	first int     // the line of the file on which they begin; 0 when there are none
	buf   []byte
}

func (p *passages) waiting() int { return p.first }

// add adds a line, unless it is an empty one before the first. It reports whether the
// lines are so many that they have to be given out.
func (p *passages) add(line []byte) (full bool) {
	if p.first == 0 {
		if len(bytes.TrimSpace(line)) == 0 {
			return false
		}
		p.first = p.d.line
	}
	p.buf = append(append(p.buf, line...), '\n')
	return len(p.buf) >= maxPassage
}

// take returns the lines as one text with the turn that they begin, and forgets them;
// false when there are none.
func (p *passages) take() (text string, t Turn, some bool) {
	if p.first == 0 {
		return "", Turn{}, false
	}
	text = strings.TrimSpace(valid(bytes.Trim(p.buf, "\n")))
	t = Turn{Line: p.first, Session: p.d.session.ID}
	if p.buf = p.buf[:0]; cap(p.buf) > 1<<20 {
		p.buf = nil
	}
	p.first = 0
	return text, t, true
}

// stem is the name of the file without its endings, for sessions that have no
// id but the name of their file.
func (d *Reader) stem() string {
	name := filepath.Base(d.opts.Path)
	if d.opts.Path == "" {
		return ""
	}
	if i := strings.IndexByte(name, '.'); i > 0 {
		name = name[:i]
	}
	return strings.ToValidUTF8(name, "\uFFFD")
}

// maxUnpacked is the most that is read of what a packed file holds.
const maxUnpacked = 1 << 30

var (
	zstdMagic   = []byte{0x28, 0xb5, 0x2f, 0xfd}
	errUnpacked = fmt.Errorf("holds more than %d MiB", maxUnpacked>>20)
)

// An unpacker reads a file that is packed with zstd, of one frame or many. The
// memory that it takes does not depend on what the file says.
type unpacker struct {
	z    *zstd.Decoder
	left int64
	grow bool // a last frame that is cut is being written
}

// A packError is what is wrong with a packed file.
type packError struct{ err error }

func (e *packError) Error() string { return "unpacking: " + e.err.Error() }
func (e *packError) Unwrap() error { return e.err }

func unpack(r io.Reader, growing bool) (io.Reader, error) {
	z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(16<<20))
	if err != nil {
		return nil, &packError{err}
	}
	return &unpacker{z: z, left: maxUnpacked, grow: growing}, nil
}

func (u *unpacker) Read(p []byte) (int, error) {
	if u.left <= 0 {
		return 0, &packError{errUnpacked}
	}
	n, err := u.z.Read(p[:min(int64(len(p)), u.left)])
	u.left -= int64(n)
	switch {
	case err == nil || errors.Is(err, io.EOF):
		return n, err
	case u.grow && errors.Is(err, io.ErrUnexpectedEOF):
		return n, io.EOF
	}
	return n, &packError{err}
}

// unpackHead returns the unpacked beginning of a file that begins with head, or head if
// it is not packed.
func unpackHead(head []byte) (plain []byte, packed bool) {
	if !bytes.HasPrefix(head, zstdMagic) {
		return head, false
	}
	u, err := unpack(bytes.NewReader(head), true)
	if err != nil {
		return nil, true
	}
	plain, _ = io.ReadAll(io.LimitReader(u, max(HeadSize, int64(len(head))))) // as far as it goes
	return plain, true
}

// unpackIfPacked returns what is to be read instead of r, which may be packed.
func unpackIfPacked(r *bufio.Reader, growing bool) (*bufio.Reader, error) {
	if head, _ := r.Peek(len(zstdMagic)); !bytes.Equal(head, zstdMagic) { // an error comes again with the next read
		return r, nil
	}
	u, err := unpack(r, growing)
	return buffered(u), err
}
