package tui

import (
	"context"
	"io"
	"os"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
)

// An away stops this process when the person goes back to the shell, by ctrl+z or as
// `kill -TSTP` does, with the terminal as the shell wants it, and goes on when the shell
// says so. Who was stopped in another way draws everything anew.
type away struct {
	stops, conts chan os.Signal
	gone         atomic.Bool
	back         chan struct{}
}

func newAway() *away {
	return &away{stops: make(chan os.Signal, 1), conts: make(chan os.Signal, 1), back: make(chan struct{}, 1)}
}

// stopMsg asks to go back to the shell; contMsg says that this process was stopped
// without having given the terminal back.
type (
	stopMsg struct{}
	contMsg struct{}
)

// watch hands on what others ask for, until ctx ends.
func (w *away) watch(ctx context.Context, send func(tea.Msg)) {
	w.listen()
	defer w.deaf()
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.stops:
			send(stopMsg{})
		case <-w.conts:
			if w.gone.CompareAndSwap(true, false) {
				w.back <- struct{}{}
			} else {
				send(contMsg{})
			}
		}
	}
}

// leave goes back to the shell, if there is one that can bring the desk back.
func leave(a app) (tea.Model, tea.Cmd) {
	w := a.fx.shared.away
	if w == nil || !hasShell() {
		return a.do(warn("no shell has started the desk that could bring it back"))
	}
	ctx := a.ctx
	return a, tea.Exec(&pausing{do: func() { w.stop(ctx) }}, func(error) tea.Msg { return newsMsg{} })
}

// redraw gives the terminal back and takes it again, whatever became of its modes.
func redraw(a app) (tea.Model, tea.Cmd) {
	return a, tea.Exec(&pausing{do: func() {}}, func(error) tea.Msg { return newsMsg{} })
}

// pausing is what is done while the terminal is given back.
type pausing struct {
	do  func()
	out *outflow
}

func (p *pausing) Run() error {
	if p.out != nil {
		p.out.drain()
	}
	end := time.Now().Add(leastRun)
	p.do()
	time.Sleep(time.Until(end))
	return nil
}

func (p *pausing) SetStdout(w io.Writer) { p.out, _ = w.(*outflow) }
func (*pausing) SetStdin(io.Reader)      {}
func (*pausing) SetStderr(io.Writer)     {}
