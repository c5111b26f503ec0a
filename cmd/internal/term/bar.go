package term

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// A Bar shows progress on the last line of standard error. While it is shown, all other
// output to standard error must go through it. It is safe for concurrent use.
type Bar struct {
	mu    sync.Mutex
	w     io.Writer
	now   func() time.Time
	on    bool
	drawn bool
	start time.Time
	last  time.Time
}

const (
	barEvery = 100 * time.Millisecond // at least between two updates
	barWidth = 24                     // columns, without brackets
)

// Write removes the bar and writes text in its place.
func (b *Bar) Write(text []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.erase()
	return b.w.Write(text)
}

// Clear removes the bar.
func (b *Bar) Clear() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.erase()
}

func (b *Bar) erase() {
	if b.drawn {
		fmt.Fprint(b.w, "\r\x1b[K")
		b.drawn = false
	}
}

// Show draws the bar with done of total filled, followed by text. It ignores calls that
// follow each other too quickly.
func (b *Bar) Show(done, total int64, text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	if !b.on || now.Sub(b.last) < barEvery && b.drawn {
		return
	}
	b.last, b.drawn = now, true
	part := 0.0
	if total > 0 {
		part = min(float64(done)/float64(total), 1)
	}
	full := int(part * barWidth)
	left := ""
	// Too early for an estimate.
	if took := now.Sub(b.start); part > 0.02 && took > time.Second {
		left = fmt.Sprintf(", %v left", time.Duration(float64(took)/part*(1-part)).Round(time.Second))
	}
	fmt.Fprintf(b.w, "\r[%s%s] %s%s\x1b[K", strings.Repeat("#", full), strings.Repeat(".", barWidth-full), text, left)
}
