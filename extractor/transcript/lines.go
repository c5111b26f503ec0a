package transcript

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

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
