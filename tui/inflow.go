package tui

import (
	"os"
	"time"
)

// An inflow is what comes from a terminal: keys, and its answers to what it was asked. An
// answer that comes in pieces, as over a slow line, is held back until it is whole, or its
// rest would be typed into a field. A key is never held back.
type inflow struct {
	*os.File
	gone func() // is called when the terminal is no more
	now  func() time.Time

	held  []byte // the beginning of an answer
	since time.Time
}

const (
	// heldMost is how long an answer may be, in bytes.
	heldMost = 1 << 10
	// heldFor is how long the rest of an answer may take.
	heldFor = 2 * time.Second
)

func (f *inflow) Read(p []byte) (int, error) {
	room := len(p) - len(f.held)
	if room < 1 {
		n := copy(p, f.held)
		f.held = f.held[n:]
		return n, nil
	}
	n, err := f.File.Read(p[len(f.held):])
	if err != nil {
		f.gone()
		return n, err
	}
	late := len(f.held) > 0 && f.now().Sub(f.since) > heldFor
	n += copy(p, f.held)
	begin := n
	if !late {
		begin = n - unanswered(p[:n])
	}
	f.held = append([]byte(nil), p[begin:n]...)
	f.since = f.now()
	return begin, nil
}

// unanswered is how many bytes at the end of what was read are the beginning of an
// answer. Two are none: alt with a bracket is a key.
func unanswered(b []byte) int {
	const (
		ground = iota
		escaped
		control // ESC [
		text    // ESC ] and its like, to the end of a string
		ending  // ESC in a text
	)
	state, from := ground, 0
	for i, c := range b {
		switch {
		case state == ending && c == '\\':
			state = ground
		case c == 0x1b && state == text:
			state = ending
		case c == 0x1b:
			state, from = escaped, i
		case state == ending: // what began is not ended, and something else begins
			state, from = after(c), i-1
		case state == escaped:
			state = after(c)
		case state == control && (c < 0x20 || c >= 0x40):
			state = ground
		case state == text && (c == 0x07 || c == 0x18 || c == 0x1a):
			state = ground
		}
	}
	if n := len(b) - from; state > escaped && n > 2 && n <= heldMost {
		return n
	}
	return 0
}

// after is the state of unanswered after ESC and a byte.
func after(c byte) int {
	switch c {
	case '[':
		return 2
	case ']', 'P', '_', '^', 'X':
		return 3
	}
	return 0
}
