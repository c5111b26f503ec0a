package tui

import (
	"os"
	"sync"
	"time"
)

// An outflow draws on a terminal without waiting for it: on one that is slow, or that
// was held by ctrl+s, keys are heard and decisions made all the same. It holds a bounded
// amount; what is more is dropped, and all is drawn anew as soon as the terminal takes
// something again.
type outflow struct {
	*os.File
	redraw func() // is called once after something was dropped

	mu      sync.Mutex
	change  *sync.Cond
	waiting []byte
	writing bool
	lost    bool
	closed  bool
	err     error
}

const (
	// outflowMost is how many bytes wait at most: some frames of a large screen.
	outflowMost = 1 << 20
	// outflowWait is how long the end of the program waits for the terminal.
	outflowWait = 2 * time.Second
)

// newOutflow draws on f, and calls redraw when something was lost.
func newOutflow(f *os.File, redraw func()) *outflow {
	o := &outflow{File: f, redraw: redraw}
	o.change = sync.NewCond(&o.mu)
	go o.flow()
	return o
}

// Write takes a frame. It never waits.
func (o *outflow) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil {
		return 0, o.err
	}
	if len(o.waiting) > 0 && len(o.waiting)+len(p) > outflowMost {
		o.waiting, o.lost = nil, true
	}
	o.waiting = append(o.waiting, p...)
	o.change.Broadcast()
	return len(p), nil
}

// flow writes what waits.
func (o *outflow) flow() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for {
		for len(o.waiting) == 0 && !o.closed {
			o.change.Wait()
		}
		if len(o.waiting) == 0 {
			return
		}
		p := o.waiting
		o.waiting, o.writing = nil, true
		o.mu.Unlock()
		_, err := o.File.Write(p)
		o.mu.Lock()
		o.writing = false
		if err != nil {
			o.err, o.waiting = err, nil
		}
		if o.lost && len(o.waiting) == 0 && !o.closed {
			o.lost = false
			go o.redraw()
		}
		o.change.Broadcast()
	}
}

// drain waits until all is written, or for a while on a terminal that takes nothing.
func (o *outflow) drain() {
	late := false
	t := time.AfterFunc(outflowWait, func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		late = true
		o.change.Broadcast()
	})
	defer t.Stop()
	o.mu.Lock()
	defer o.mu.Unlock()
	for (len(o.waiting) > 0 || o.writing) && !late {
		o.change.Wait()
	}
}

// end drains it and lets nothing more in.
func (o *outflow) end() {
	o.drain()
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	o.change.Broadcast()
}
