package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"learnings/cmd/internal/term"
	"learnings/extractor"
	"learnings/extractor/intake"
	"learnings/extractor/model"
	"learnings/extractor/model/llm"
	"learnings/extractor/transcript"
	"learnings/index/curate"
	"learnings/lessons"
)

// This file has a model read many sessions in one batch, for half the price and
// within a day. The first call sends them, a later one collects. The rules are:
//
//   - While a session waits in a batch, nothing else asks about it.
//   - On collection it is read exactly as far as it was sent. What was written to
//     it since then is for the next batch.

// withoutWaiting leaves out the files that wait in batches: they are paid for.
func withoutWaiting(a *app, files []transcript.File) ([]transcript.File, error) {
	rest, err := notWaiting(a, files)
	if n := len(files) - len(rest); n > 0 {
		a.Warn("%s left out that wait in a batch; `learnings extract --batch` collects", term.Plural(n, "session"))
	}
	return rest, err
}

func notWaiting(a *app, files []transcript.File) ([]transcript.File, error) {
	p, err := a.located()
	if err != nil {
		return nil, err
	}
	waiting, err := model.WaitingFiles(p.Batches())
	if err != nil || len(waiting) == 0 {
		return files, err
	}
	return slices.DeleteFunc(slices.Clone(files), func(f transcript.File) bool { return waiting[a.absolute(f.Path)] }), nil
}

// inBatches collects what is ready of earlier batches, and sends what is new.
func (r *extraction) inBatches(ctx context.Context, files []transcript.File, opts extractor.Options) error {
	collectOnly := r.o.model.name == ""
	if collectOnly {
		name, err := oldestBatch(r.a)
		if err != nil {
			return err
		}
		r.o.model.name = name
	}
	p, err := newAsker(r.a, r.o.model)
	if err != nil {
		return err
	}
	bulk, err := r.bulk(p)
	if err != nil {
		return err
	}
	if !r.o.dryRun {
		unlock, err := bulk.Lock()
		if err != nil {
			return term.Hint(err, "wait until it has ended")
		}
		defer unlock()
		if err := r.marks.Refresh(); err != nil {
			return err
		}
		collected, err := r.collectAll(ctx, bulk, opts)
		if err != nil {
			return err
		}
		files = slices.DeleteFunc(slices.Clone(files), func(f transcript.File) bool { return collected[r.a.absolute(f.Path)] })
	}
	defer tellSpent(r.a, p)
	if collectOnly {
		return nil
	}
	if files, err = withoutWaiting(r.a, files); err != nil {
		return err
	}
	return ceilingHint(r.sendAll(ctx, bulk, files, opts))
}

// oldestBatch is the model that the oldest batch was sent to.
func oldestBatch(a *app) (string, error) {
	p, err := a.located()
	if err != nil {
		return "", err
	}
	batches, err := llm.Pending(p.Batches())
	if err == nil && len(batches) == 0 {
		return "", term.Hint(fmt.Errorf("%w: nothing waits in a batch", curate.ErrNothing), "to send what is new, name a model: --batch --model anthropic:NAME")
	}
	if err != nil {
		return "", err
	}
	return batches[0].Model, nil
}

func (r *extraction) bulk(p *model.Proposer) (*model.Bulk, error) {
	places, err := r.a.located()
	if err != nil {
		return nil, err
	}
	return p.Bulk(places.Batches())
}

// collectAll takes in each batch that is ready. It gives the files of these.
func (r *extraction) collectAll(ctx context.Context, bulk *model.Bulk, opts extractor.Options) (map[string]bool, error) {
	collected, err := model.Collector{
		Options: opts, Take: r.each,
		Bulk: func(name string, budget int) (*model.Bulk, error) {
			p, err := newAsker(r.a, modelOptions{name: name, budget: cmp.Or(budget, r.o.model.budget)})
			if err != nil {
				return nil, err
			}
			return r.bulk(p)
		},
		Waits: func(sessions int, err error) { r.a.Warn("%s: %v", term.Plural(sessions, "session"), err) },
	}.Ready(ctx, bulk)
	if errors.As(err, new(*model.UncollectedError)) {
		err = term.Hint(err, "nothing is lost, it can be collected later; with the key of the account that sent it (its id is in %s)", r.a.short(r.a.places.Batches()))
	}
	return collected, err
}

// sendAll sends the files that hold something new.
func (r *extraction) sendAll(ctx context.Context, bulk *model.Bulk, files []transcript.File, opts extractor.Options) error {
	sent := make(map[string]bool)
	for _, f := range files {
		if !opts.Anew && opts.HasRead(r.marks, f) {
			continue
		}
		if err := r.gather(ctx, bulk, f, opts, sent); err != nil {
			return err
		}
		if bulk.Len() >= llm.MostInBatch/2 { // a file can have several requests
			if err := r.send(ctx, bulk, sent); err != nil {
				return err
			}
		}
	}
	return r.send(ctx, bulk, sent)
}

// gather adds the requests for one file. When there is nothing to ask, the file
// counts as read.
func (r *extraction) gather(ctx context.Context, bulk *model.Bulk, f transcript.File, opts extractor.Options, sent map[string]bool) error {
	f.Path = r.a.absolute(f.Path)
	var from extractor.Mark
	if !opts.Anew {
		from, _ = r.marks.Mark(f.Path)
	}
	added, mark, err := bulk.AddFile(ctx, f, from, opts)
	switch {
	case errors.As(err, new(*extractor.FileError)):
		return r.report(intake.Taken{Batch: extractor.Batch{File: f}}, err)
	case err != nil:
		return err
	case added:
		sent[f.Path] = true
		return nil
	case r.o.dryRun:
		return nil
	}
	return r.marks.Commit(mark)
}

// send submits what was gathered.
func (r *extraction) send(ctx context.Context, bulk *model.Bulk, sent map[string]bool) error {
	defer maps.DeleteFunc(sent, func(string, bool) bool { return true })
	what := fmt.Sprintf("%s to %s in a batch, at most %s", term.Plural(len(sent), "session"), lessons.Line(r.o.model.name), bulk.Estimate())
	switch {
	case len(sent) == 0:
		return nil
	case r.o.dryRun:
		r.a.Note("would send %s", what)
		bulk.Cut(0)
		return nil
	}
	batch, err := bulk.Submit(ctx)
	switch {
	case err != nil && batch.Made.IsZero():
		return fmt.Errorf("nothing was sent, of %s: %w", what, err)
	case err != nil:
		return term.Hint(fmt.Errorf("sending %s: %w", what, err), "it may have been taken all the same; the next `learnings extract --batch` finds out")
	}
	r.a.Note("sent %s; `learnings extract --batch` collects it, in a day at most", what)
	return nil
}
