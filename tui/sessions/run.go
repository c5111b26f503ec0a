package sessions

import (
	"context"
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"learnings/tui/desk"
	"learnings/tui/kit"
)

// This file has the two long tasks that report while they run: looking for
// transcripts, and extracting from them.

// A reportMsg is a report of a long task, with the job that waits for the next one.
type reportMsg struct {
	msg  tea.Msg
	more kit.Job
}

// reporting runs a task, which says what is new until it ends. Close waits for it: it may
// write.
func reporting(fx desk.Desk, task func(ctx context.Context, say func(tea.Msg))) kit.Job {
	return func(ctx context.Context) tea.Msg {
		said := make(chan tea.Msg)
		fx.Shared.Working.Go(func() {
			defer close(said)
			task(ctx, func(m tea.Msg) {
				select {
				case said <- m:
				case <-ctx.Done():
				}
			})
		})
		return nextReport(said)(ctx)
	}
}

func nextReport(said <-chan tea.Msg) kit.Job {
	return func(context.Context) tea.Msg {
		m, ok := <-said
		if !ok {
			return nil
		}
		return reportMsg{m, nextReport(said)}
	}
}

// listedMsg is a batch of transcripts that were found.
type listedMsg struct {
	seq   int
	found []desk.Session
	err   error // the last of errs
	errs  int
	end   bool
}

// listed looks for transcripts.
func listed(fx desk.Desk, seq int) kit.Job {
	return reporting(fx, func(ctx context.Context, say func(tea.Msg)) {
		m, last := listedMsg{seq: seq}, time.Now()
		for t, err := range fx.Sessions(ctx) {
			if err != nil {
				m.err, m.errs = err, m.errs+1
			} else {
				m.found = append(m.found, t)
			}
			if ctx.Err() != nil {
				return
			}
			if time.Since(last) >= kit.Batch {
				say(m)
				m, last = listedMsg{seq: seq}, time.Now()
			}
		}
		m.end = true
		say(m)
	})
}

// minedMsg is a report of an extraction.
type minedMsg struct {
	at  desk.Progress
	err error // at the end
	end bool
}

// A work extracts until ctx ends, and reports how far it is. It gives what it came to.
type work func(ctx context.Context, report func(desk.Progress)) (desk.Progress, error)

// begin starts an extraction by the rules, or by a model.
func (p Pane) begin(at desk.Progress, model string, do work) (Pane, kit.Out) {
	ctx, cancel := context.WithCancel(context.Background())
	p.mine = mining{running: true, begun: p.fx.Now(), cancel: cancel, at: at, model: model}
	p.marked = nil
	return p.Resize(p.w, p.h), kit.Run(reporting(p.fx, func(app context.Context, say func(tea.Msg)) {
		defer cancel()
		defer context.AfterFunc(app, cancel)()
		last, files := time.Now(), at.File
		end, err := do(ctx, func(now desk.Progress) {
			if now.File != files || time.Since(last) >= kit.Batch {
				last, files = time.Now(), now.File
				say(minedMsg{at: now})
			}
		})
		say(minedMsg{at: end, err: err, end: true})
	}))
}

// ExtractNew extracts from all sessions that hold something new.
func (p Pane) ExtractNew() (Pane, kit.Out) {
	paths := p.fresh()
	p, o := p.extract(paths)
	return p, kit.Say("extracting from %s; what is found waits in Review", kit.Counted(len(paths), "session")).And(o)
}

// extract extracts from files, one after the other. A file that fails is counted, and
// the others are still read.
func (p Pane) extract(paths []string) (Pane, kit.Out) {
	at := desk.Progress{Files: len(paths)}
	for _, t := range p.rows {
		if slices.Contains(paths, t.Path) {
			at.Total += t.Size
		}
	}
	fx := p.fx
	return p.begin(at, "", func(ctx context.Context, report func(desk.Progress)) (desk.Progress, error) {
		var failed error
		for _, path := range paths {
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
				return at, nil
			case err != nil:
				at.Failed++
				failed = fmt.Errorf("%s: %w", path, err)
			}
			at.File++
		}
		return at, failed
	})
}

// askModel has a model read sessions.
func (p Pane) askModel(m desk.ModelRun) (Pane, kit.Out) {
	if why := p.busy(); why != "" {
		return p, kit.Warn("%s", why)
	}
	at := desk.Progress{Files: m.Sessions}
	p, o := p.begin(at, m.Name, func(ctx context.Context, report func(desk.Progress)) (desk.Progress, error) {
		found, err := m.Run(ctx, func(now desk.Progress) {
			at = now
			report(now)
		})
		if at.Found = found; ctx.Err() != nil {
			err = nil
		}
		return at, err
	})
	return p, kit.Say("%s reads %s; what it proposes waits in Review", m.Name, kit.Counted(m.Sessions, "session")).And(o)
}

// mined takes a report of the extraction under way. New lessons appear in the queue
// while the rest goes on.
func (p Pane) mined(m minedMsg) (Pane, kit.Out) {
	var o kit.Out
	if m.at.Lessons > p.mine.at.Lessons || m.end {
		o = kit.Run(p.fx.Sync())
	}
	if !m.end {
		p.mine.at = m.at
		return p, o
	}
	said := p.outcome(m)
	p.last, p.mine = m.at.Read, mining{}
	p, again := p.Resize(p.w, p.h).Start()
	return p, o.And(again).And(said)
}

// outcome says what came of the run that ends.
func (p Pane) outcome(m minedMsg) kit.Out {
	files, found, model, stopped := kit.FilesOf(p.mine.at.Files), m.at.Found, p.mine.model, p.mine.stopped
	asks := ""
	if p.model != "" {
		asks = " · " + p.asks()
	}
	switch none := found == (desk.Found{}); {
	case model != "" && m.err != nil:
		return kit.Warn("%s stopped: %v · %s by then", model, m.err, found)
	case model != "" && stopped:
		return kit.Say("stopped; %s by then, and the rest is asked about next time", found)
	case model != "" && none:
		return kit.Say("✓ %s found nothing new", model)
	case model != "":
		return kit.Say("✓ %s: %s in Review", model, found)
	case stopped:
		return kit.Say("stopped; %s wait in Review, the rest is read next time", found)
	case m.err != nil:
		return kit.Warn("%s from %s; %d could not be read (e lists them), the last: %v", found, files, m.at.Failed, m.err)
	case none:
		return kit.Say("✓ nothing new in %s%s", files, asks)
	}
	return kit.Say("✓ %s from %s wait in Review%s", found, files, asks)
}
