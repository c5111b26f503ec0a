package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"learnings/extractor"
)

// A bar shows progress on the last line of standard error, when that is a
// terminal. While it is there everything else that goes to standard error goes
// through it, so that the two do not mix.
type bar struct {
	mu    sync.Mutex
	w     io.Writer
	now   func() time.Time
	on    bool
	of    string // what is counted: "lesson"
	drawn bool
	start time.Time
	last  time.Time
}

// barEvery is how often the bar moves at most.
const barEvery = 100 * time.Millisecond

func newBar(a *app) *bar {
	b := &bar{w: a.stderr, now: a.now, on: a.tty.err, of: "lesson", start: a.now()}
	if b.on {
		a.stderr = b
	}
	return b
}

// Write takes the bar away first.
func (b *bar) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.erase()
	return b.w.Write(p)
}

func (b *bar) clear() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.erase()
}

func (b *bar) erase() {
	if b.drawn {
		fmt.Fprint(b.w, "\r\x1b[K")
		b.drawn = false
	}
}

// progress draws how far a run is.
func (b *bar) progress(p extractor.Progress) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	if !b.on || now.Sub(b.last) < barEvery && b.drawn {
		return
	}
	b.last, b.drawn = now, true
	const width = 24
	done := 0.0
	if p.Bytes > 0 {
		done = min(float64(p.Read)/float64(p.Bytes), 1)
	}
	full := int(done * width)
	left := ""
	if took := now.Sub(b.start); done > 0.02 && took > time.Second {
		left = fmt.Sprintf(", %v left", time.Duration(float64(took)/done*(1-done)).Round(time.Second))
	}
	fmt.Fprintf(b.w, "\r[%s%s] %d of %d sessions, %s%s\x1b[K", strings.Repeat("#", full), strings.Repeat(".", width-full),
		p.Done, p.Files, plural(p.Lessons, b.of), left)
}
