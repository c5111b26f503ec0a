package sessions

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"learnings/tui/desk"
	"learnings/tui/kit"
)

// This file has the two long tasks that report while they run: looking for
// transcripts, and extracting from them. Each report is the answer of a job and
// carries the job that waits for the next report, so that only values pass between
// the task and the screen.

// listedMsg is a batch of transcripts that were found.
type listedMsg struct {
	seq   int
	found []desk.Session
	err   error // the last of errs
	errs  int
	more  kit.Job // gives the next batch; nil at the end
}

// listSessions looks for transcripts.
func listSessions(fx desk.Desk, seq int) kit.Job {
	return func(ctx context.Context) tea.Msg {
		batches := make(chan listedMsg)
		go func() {
			defer close(batches)
			m, last := listedMsg{seq: seq}, time.Now()
			for t, err := range fx.Sessions(ctx) {
				if err != nil {
					m.err, m.errs = err, m.errs+1
				} else {
					m.found = append(m.found, t)
				}
				if time.Since(last) >= kit.Batch {
					if !offer(ctx, batches, m) {
						return
					}
					m, last = listedMsg{seq: seq}, time.Now()
				}
			}
			offer(ctx, batches, m)
		}()
		return nextListed(seq, batches)(ctx)
	}
}

func nextListed(seq int, batches <-chan listedMsg) kit.Job {
	return func(context.Context) tea.Msg {
		m, ok := <-batches
		if !ok {
			return listedMsg{seq: seq}
		}
		m.more = nextListed(seq, batches)
		return m
	}
}

// minedMsg is a report of an extraction.
type minedMsg struct {
	at   desk.Progress
	err  error   // at the end
	more kit.Job // gives the next report; nil at the end
}

// mine does what extracts, until ctx ends. Reports that come faster than the screen
// takes them are dropped, except for the last.
func mineSessions(fx desk.Desk, ctx context.Context, at desk.Progress, work func(context.Context, func(desk.Progress)) error) kit.Job {
	return func(app context.Context) tea.Msg {
		ctx, cancel := context.WithCancel(ctx)
		stop := context.AfterFunc(app, cancel)
		reports := make(chan desk.Progress, 1)
		end := make(chan error, 1)
		fx.Shared.Working.Go(func() { // it writes, so close must wait for it
			defer cancel()
			defer stop()
			end <- work(ctx, func(p desk.Progress) {
				select {
				case <-reports: // drop one that was not taken
				default:
				}
				reports <- p
			})
		})
		return nextMined(at, reports, end)(app)
	}
}

// mineAll extracts from files, one after the other. A file that fails is counted, and
// the others are still read.
func mineSome(fx desk.Desk, ctx context.Context, paths []string, at desk.Progress, pause *pause, report func(desk.Progress)) error {
	var failed error
	for _, path := range paths {
		pause.wait(ctx)
		at.Path = path
		report(at)
		begin := at.Done
		n, err := fx.Extract(ctx, path, func(read int64) {
			at.Done = begin + read
			report(at)
		})
		at.Found = at.Plus(n)
		at.Read = append(at.Read[:len(at.Read):len(at.Read)], desk.Read{Path: path, Found: n, Err: err})
		switch {
		case ctx.Err() != nil:
			report(at)
			return nil
		case err != nil:
			at.Failed++
			failed = fmt.Errorf("%s: %w", path, err)
		}
		at.File++
	}
	at.Done = at.Total
	report(at)
	return failed
}

// A pause holds a run back between two files.
type pause struct {
	mu   sync.Mutex
	open chan struct{} // closed while the run goes on
	on   bool
}

func newPause() *pause {
	p := &pause{open: make(chan struct{})}
	close(p.open)
	return p
}

// toggle holds the run back, or lets it go on, and says whether it is held back.
func (p *pause) toggle() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.on = !p.on; p.on {
		p.open = make(chan struct{})
	} else {
		close(p.open)
	}
	return p.on
}

// held reports whether the run is held back.
func (p *pause) held() bool {
	if p == nil {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.on
}

// wait returns when the run is to go on, or ctx has ended.
func (p *pause) wait(ctx context.Context) {
	p.mu.Lock()
	open := p.open
	p.mu.Unlock()
	select {
	case <-open:
	case <-ctx.Done():
	}
}

func nextMined(last desk.Progress, reports <-chan desk.Progress, end <-chan error) kit.Job {
	return func(context.Context) tea.Msg {
		select {
		case p := <-reports:
			return minedMsg{at: p, more: nextMined(p, reports, end)}
		case err := <-end:
			select {
			case last = <-reports:
			default:
			}
			return minedMsg{at: last, err: err}
		}
	}
}

func offer(ctx context.Context, to chan<- listedMsg, m listedMsg) bool {
	select {
	case to <- m:
		return true
	case <-ctx.Done():
		return false
	}
}

// mentions reports whether all words are somewhere in what the screen says about t.
func mentions(t desk.Session, words []string) bool {
	text := strings.ToLower(strings.Join([]string{t.Agent, t.Project, t.ID, t.Path, t.Prompt, t.Start.Format(time.DateOnly)}, "\n"))
	if t.New {
		text += "\nnew"
	}
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}
