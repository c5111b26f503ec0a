package transcript

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"strings"
)

// A prose is a format of marked-up text: a turn is some lines, and ends where
// the next one begins.
type prose interface {
	decoder
	text(line []byte) // a line without its end; the bytes are valid during the call
}

// passages is the part of a prose that holds the lines of a turn back.
type passages struct {
	d     *Reader
	lines passage
}

func (*passages) record(object)  {}
func (p *passages) waiting() int { return p.lines.line }

// prose reads a file of lines of text.
func (d *Reader) prose(f prose, yield func(Turn, error) bool) {
	for {
		line, whole, err := d.lines.next()
		if err != nil && !errors.Is(err, errLong) {
			d.finish(err, yield)
			return
		}
		if !whole && d.opts.Growing && !d.form.anew {
			d.finish(io.EOF, yield) // the rest of the line may come yet
			return
		}
		d.line = d.lines.n
		if err == nil {
			at := d.lines.off - int64(len(line))
			if whole {
				at--
			}
			f.text(bytes.TrimSuffix(line, []byte{'\r'}))
			d.hold(place{at, d.line})
			if !d.give(yield) {
				return
			}
		}
		if !d.passed(whole, err, yield) {
			return
		}
	}
}

// maxPassage bounds the lines that are held for one turn; a longer one comes
// in several turns.
const maxPassage = 8 << 20

// A passage is the lines of a turn so far.
type passage struct {
	line int // on which it begins; 0 when there is none
	buf  []byte
}

func (p *passage) add(line []byte) { p.buf = append(append(p.buf, line...), '\n') }
func (p *passage) full() bool      { return len(p.buf) >= maxPassage }

// take returns the text and forgets it.
func (p *passage) take() string {
	s := valid(bytes.Trim(p.buf, "\n"))
	if p.buf = p.buf[:0]; cap(p.buf) > 1<<20 {
		p.buf = nil
	}
	p.line = 0
	return s
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
