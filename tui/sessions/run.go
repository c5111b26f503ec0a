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

// This file has the two long tasks that report progress: finding transcripts and
// extracting from them.

// A report is a progress message of a long task.
type report = kit.Then[Pane]

// reporting runs a task and delivers its reports until it ends. Close of the shared state
// waits for it, because it may write.
func reporting(fx desk.Desk, task func(ctx context.Context, say func(report))) kit.Job {
	return func(ctx context.Context) tea.Msg {
		said := make(chan report)
		fx.Shared.Working.Go(func() {
			defer close(said)
			task(ctx, func(r report) {
				select {
				case said <- r:
				case <-ctx.Done():
				}
			})
		})
		return nextReport(said)(ctx)
	}
}

func nextReport(said <-chan report) kit.Job {
	return func(context.Context) tea.Msg {
		then, ok := <-said
		if !ok {
			return nil
		}
		return report(func(p Pane) (Pane, kit.Out) {
			p, o := then(p)
			return p, o.And(kit.Run(nextReport(said)))
		})
	}
}

// A batch is some of the transcripts found.
type batch struct {
	found []desk.Session
	all   bool  // each was found; from now on they come again, as read
	err   error // the last of errs
	errs  int
	end   bool
}

// listed finds transcripts until search ends.
func listed(search context.Context, fx desk.Desk) kit.Job {
	return reporting(fx, func(app context.Context, say func(report)) {
		ctx, cancel := context.WithCancel(search)
		defer cancel()
		defer context.AfterFunc(app, cancel)()
		var b batch
		last := time.Now()
		tell := func() {
			now := b
			say(func(p Pane) (Pane, kit.Out) {
				if search.Err() != nil {
					return p, kit.Out{} // another search has followed, or an extraction
				}
				return p.listed(now)
			})
			b, last = batch{all: b.all}, time.Now()
		}
		seen := map[string]bool{}
		for t, err := range fx.Sessions(ctx) {
			if err != nil {
				b.err, b.errs = err, b.errs+1
			} else {
				b.found, b.all = append(b.found, t), b.all || seen[t.Path]
				seen[t.Path] = true
			}
			if ctx.Err() != nil {
				return
			}
			if time.Since(last) >= kit.Batch {
				tell()
			}
		}
		b.end, b.all = true, true
		tell()
	})
}

// A work extracts until ctx ends, reports its progress, and returns the result.
type work func(ctx context.Context, report func(desk.Progress)) (desk.Progress, error)

// begin starts an extraction by rules or by a model.
func (p Pane) begin(at desk.Progress, model string, do work) (Pane, kit.Out) {
	if p.scan.running { // it reads the same files; what it has not read is read afterwards
		p.scan.stop()
		p.scan.running = false
	}
	ctx, cancel := context.WithCancel(context.Background())
	p.mine = mining{running: true, begun: p.fx.Now(), cancel: cancel, at: at, model: model}
	p.marked = nil
	return p.Resize(p.w, p.h), kit.Run(reporting(p.fx, func(app context.Context, say func(report)) {
		defer cancel()
		defer context.AfterFunc(app, cancel)()
		last, files := time.Now(), at.File
		end, err := do(ctx, func(now desk.Progress) {
			if now.File != files || time.Since(last) >= kit.Batch {
				last, files = time.Now(), now.File
				say(func(p Pane) (Pane, kit.Out) { return p.mined(now) })
			}
		})
		say(func(p Pane) (Pane, kit.Out) { return p.ended(end, err) })
	}))
}

// ExtractNew extracts from all sessions with new content: by the model that reads by
// itself, or by the rules. The first time, if a model is at hand, the person is asked.
func (p Pane) ExtractNew() (Pane, kit.Out) {
	switch {
	case p.looking():
		p.scan.wanted = true
		return p, kit.Say("looking for sessions; they are read as soon as all are found")
	case p.model == "" || p.fx.Model == nil || p.answer.given && !p.answer.reads:
	case !p.answer.given:
		return p, askModel(p.fx, wish{fresh: true})
	default:
		return p, kit.Say("looking at what %s has not read", p.model).And(kit.Run(func(ctx context.Context) tea.Msg {
			run, err := p.fx.Model(ctx, "", nil)
			return report(func(p Pane) (Pane, kit.Out) {
				if err != nil || run.Calls == 0 {
					return p.extractFresh()
				}
				return p.askModel(run)
			})
		}))
	}
	return p.extractFresh()
}

func (p Pane) extractFresh() (Pane, kit.Out) {
	paths := p.fresh()
	p, o := p.extract(paths)
	return p, kit.Say("extracting from %s; what is found waits in Review", kit.Counted(len(paths), "session")).And(o)
}

// extract extracts from files, those of the project where the person is first. It counts
// files that fail and goes on.
func (p Pane) extract(paths []string) (Pane, kit.Out) {
	elsewhere := map[string]int{}
	for _, t := range p.rows {
		if t.Project != p.fx.Next.Project {
			elsewhere[t.Path] = 1
		}
	}
	slices.SortStableFunc(paths, func(a, b string) int { return elsewhere[a] - elsewhere[b] })
	at, sizes := desk.Progress{Files: len(paths)}, map[string]int64{}
	for _, t := range p.rows {
		if slices.Contains(paths, t.Path) {
			sizes[t.Path] = t.Size
			at.Total += t.Size
		}
	}
	fx := p.fx
	return p.begin(at, "", func(ctx context.Context, report func(desk.Progress)) (desk.Progress, error) {
		var failed error
		for r := range fx.Extract(ctx, paths) {
			if ctx.Err() != nil && r.Err != nil {
				break
			}
			at.File, at.Done, at.Found = at.File+1, at.Done+sizes[r.Path], at.Plus(r.Found)
			at.Read = append(at.Read[:len(at.Read):len(at.Read)], r)
			if at.Path = paths[min(at.File, len(paths)-1)]; r.Err != nil {
				at.Failed++
				failed = fmt.Errorf("%s: %w", r.Path, r.Err)
			}
			report(at)
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

// mined takes the progress of the extraction. New lessons appear in the queue while it
// runs.
func (p Pane) mined(at desk.Progress) (Pane, kit.Out) {
	var o kit.Out
	if at.Lessons > p.mine.at.Lessons {
		o = kit.Run(p.fx.Sync())
	}
	p.mine.at = at
	return p, o
}

// ended takes the result of the extraction.
func (p Pane) ended(at desk.Progress, err error) (Pane, kit.Out) {
	said := p.outcome(at, err)
	p.last, p.mine = at.Read, mining{}
	p, again := p.Resize(p.w, p.h).Start()
	return p, kit.Run(p.fx.Sync()).And(again).And(said)
}

// outcome returns the note about a finished run. The tabs and lanes of Review say how much
// waits: other programs propose too, and what is said again moves a proposal.
func (p Pane) outcome(at desk.Progress, err error) kit.Out {
	files, found, model, stopped := kit.FilesOf(p.mine.at.Files), at.Found, p.mine.model, p.mine.stopped
	asks := ""
	if p.model != "" {
		asks = " · " + p.asks()
	}
	switch none := found == (desk.Found{}); {
	case model != "" && err != nil:
		return kit.Warn("%s stopped: %v · %s by then", model, err, found)
	case model != "" && stopped:
		return kit.Say("stopped; %s by then, and the rest is asked about next time", found)
	case model != "" && none:
		return kit.Say("✓ %s found nothing new", model)
	case model != "":
		return kit.Say("✓ %s: %s in Review", model, found)
	case stopped:
		return kit.Say("stopped; the rest is read next time")
	case err != nil:
		return kit.Warn("%s of %s read; e lists the others, the last: %v", kit.Grouped(at.File-at.Failed), files, err)
	case none:
		return kit.Say("✓ nothing new in %s%s", files, asks)
	}
	return kit.Say("✓ %s read; what was found waits in Review%s", files, asks)
}
