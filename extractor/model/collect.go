package model

import (
	"context"
	"errors"
	"fmt"
	"time"

	"learnings/extractor"
	"learnings/extractor/model/llm"
	"learnings/extractor/transcript"
)

// A Collector takes in batches that were sent before. All of its fields must be set.
type Collector struct {
	Options extractor.Options
	// Bulk gives the bulk of a model, with the budget of tokens with which a batch was
	// sent, or 0 where that is not known.
	Bulk func(model string, budget int) (*Bulk, error)
	// Take stores what comes of files.
	Take func(context.Context, []transcript.File, extractor.Options) error
	// Waits is told why the sessions of a batch are not taken in: it is not ready, or
	// it is gone and they are sent again.
	Waits func(sessions int, err error)
}

// Ready takes in each of the batches that b remembers and that is ready, and gives the
// paths of the files of these. A batch is forgotten only when everything that came of
// it is stored, so that the next run makes up for one that was killed.
func (c Collector) Ready(ctx context.Context, b *Bulk) (map[string]bool, error) {
	batches, err := b.Pending()
	if err != nil {
		return nil, err
	}
	collected := make(map[string]bool)
	for _, batch := range batches {
		files, err := SentFiles(batch)
		if err != nil {
			return collected, err
		}
		switch err := c.collect(ctx, batch, files); {
		case err == nil:
		case errors.Is(err, llm.ErrNotReady), errors.Is(err, llm.ErrUnconfirmed), errors.Is(err, llm.ErrNotTaken):
			c.Waits(len(files), err)
			continue
		case errors.Is(err, llm.ErrGone): // what it was to cost stays in the ledger: it may have
			c.Waits(len(files), fmt.Errorf("%w; it is sent again", err))
			if err := b.Forget(batch); err != nil {
				return collected, err
			}
			continue
		default:
			return collected, &UncollectedError{Made: batch.Made, Err: err}
		}
		for _, f := range files {
			collected[f.Path] = true
		}
	}
	return collected, nil
}

// collect takes in one batch as it was sent: with that model and that budget.
func (c Collector) collect(ctx context.Context, batch llm.Batch, files []SentFile) error {
	budget := 0
	if len(files) > 0 {
		budget = files[0].Budget
	}
	bulk, err := c.Bulk(batch.Model, budget)
	if err != nil {
		return err
	}
	again, opts, err := bulk.Replay(ctx, batch, files, c.Options)
	if err != nil {
		return err
	}
	if err := c.Take(ctx, again, opts); err != nil {
		return err
	}
	return bulk.Forget(batch)
}

// An UncollectedError is about a batch that is ready and could not be taken in.
// Nothing of it is lost.
type UncollectedError struct {
	Made time.Time // when it was sent
	Err  error
}

func (e *UncollectedError) Error() string {
	return fmt.Sprintf("collecting the batch of %s: %v", e.Made.Format(time.RFC3339), e.Err)
}

func (e *UncollectedError) Unwrap() error { return e.Err }
