package transcript

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// MaxLine is the longest line that is read, in bytes, its newline included. A
// longer one is a [LineError]; it is skipped without being held in memory.
const MaxLine = 16 << 20

const (
	lineBuffer  = 64 << 10 // fits nearly every line; a buffer grown for much longer ones is let go behind them
	noProgress  = 100      // empty reads in a row before a reader is given up, as in bufio
	byteOrderMk = "\xef\xbb\xbf"
)

var errLong = fmt.Errorf("line is longer than %d MiB", MaxLine>>20)

// lines splits a stream into lines of at most max bytes each.
type lines struct {
	r    io.Reader
	max  int
	buf  []byte
	from int   // buf[from:to] is read and not yet given out
	to   int   //
	off  int64 // of buf[from] in the file
	n    int   // number of the line given out last
	err  error // of the reader; io.EOF at its end
}

// next returns the next line without its newline; it is valid until the next
// call. whole is false for a last line that no newline ends. The error is
// errLong for a line that has been skipped, io.EOF behind the last line, or
// what the reader said.
func (l *lines) next() (line []byte, whole bool, err error) {
	if l.n == 0 && l.off == 0 {
		l.skipMark()
	}
	if len(l.buf) > 16*lineBuffer && l.to-l.from <= lineBuffer {
		l.buf = append(make([]byte, 0, lineBuffer), l.buf[l.from:l.to]...)[:lineBuffer]
		l.from, l.to = 0, l.to-l.from
	}
	seen := 0 // bytes of this line that hold no newline
	for {
		if i := bytes.IndexByte(l.buf[l.from+seen:l.to], '\n'); i >= 0 {
			line = l.buf[l.from : l.from+seen+i]
			l.take(len(line) + 1)
			l.n++
			return line, true, nil
		}
		if seen = l.to - l.from; seen >= l.max {
			return l.skip()
		}
		if l.err != nil {
			if seen == 0 || !errors.Is(l.err, io.EOF) {
				return nil, false, l.err
			}
			line = l.buf[l.from:l.to]
			l.take(seen)
			l.n++
			return line, false, nil
		}
		l.fill()
	}
}

// skip passes over the rest of a line that is too long.
func (l *lines) skip() ([]byte, bool, error) {
	for {
		if i := bytes.IndexByte(l.buf[l.from:l.to], '\n'); i >= 0 {
			l.take(i + 1)
			l.n++
			return nil, true, errLong
		}
		l.take(l.to - l.from)
		if len(l.buf) > lineBuffer {
			l.buf = make([]byte, lineBuffer)
		}
		l.from, l.to = 0, 0
		if l.err != nil {
			l.n++
			return nil, false, errLong
		}
		l.fill()
	}
}

func (l *lines) take(n int) {
	l.from += n
	l.off += int64(n)
}

// fill reads more behind what is there, and makes room first.
func (l *lines) fill() {
	if l.from > 0 {
		l.to = copy(l.buf, l.buf[l.from:l.to])
		l.from = 0
	}
	if l.to == len(l.buf) {
		grown := make([]byte, max(lineBuffer, min(2*len(l.buf), l.max)))
		copy(grown, l.buf)
		l.buf = grown
	}
	for range noProgress {
		n, err := l.r.Read(l.buf[l.to:])
		l.to += n
		l.err = err
		if n > 0 || err != nil {
			return
		}
	}
	l.err = io.ErrNoProgress
}

// skipMark passes over a byte order mark at the start of the file.
func (l *lines) skipMark() {
	for l.to-l.from < len(byteOrderMk) && l.err == nil {
		l.fill()
	}
	if bytes.HasPrefix(l.buf[l.from:l.to], []byte(byteOrderMk)) {
		l.take(len(byteOrderMk))
	}
}
