package transcript

import (
	"bytes"
	"path/filepath"
	"strings"
)

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
