package model

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"learnings/extractor/model/llm"
	"learnings/extractor/transcript"
)

// A Bulk asks for the lessons of many sessions at once, for half the price and
// within a day: add sessions, submit them, and collect in a later run. It is
// for one goroutine.
type Bulk struct {
	p        *Proposer
	batches  *llm.Batches
	items    []llm.Item
	estimate llm.Cost
}

// Bulk works with the batches that are remembered in a folder.
func (p *Proposer) Bulk(dir string) (*Bulk, error) {
	b, err := llm.NewBatches(p.c.LLM, dir, p.o.Now)
	if err != nil {
		return nil, err
	}
	return &Bulk{p: p, batches: b, estimate: llm.Cost{Known: true}}, nil
}

// Add prepares a session for the next batch and says whether there is
// something to ask. Key must tell where to find the session again, such as the
// path of its file.
func (b *Bulk) Add(ctx context.Context, key string, s transcript.Session, turns []transcript.Turn) (bool, error) {
	prompt, err := b.p.Prepare(ctx, s, turns)
	if err != nil || prompt.Request.User == "" {
		return false, err
	}
	if len(b.items) == llm.MostInBatch {
		return false, fmt.Errorf("the batch is full with %d sessions; submit it first", len(b.items))
	}
	b.items = append(b.items, llm.Item{Key: key, Request: prompt.Request})
	prompt.Estimate.USD *= llm.BatchDiscount
	b.estimate = b.estimate.Add(prompt.Estimate)
	return true, nil
}

// Estimate is what the sessions that were added will cost at most, as far as
// can be told.
func (b *Bulk) Estimate() llm.Cost { return b.estimate }

// Submit sends the sessions that were added, unless a ceiling forbids it. The
// estimate goes into the ledger at once, and is set right on collection.
func (b *Bulk) Submit(ctx context.Context) (llm.Batch, error) {
	spend := b.p.meter.Spend
	if err := spend.Reserve(b.estimate); err != nil {
		return llm.Batch{}, err
	}
	defer spend.Release(b.estimate)
	batch, err := b.batches.Submit(ctx, b.items, b.estimate)
	if batch.Made.IsZero() {
		return batch, err
	}
	err = errors.Join(err, spend.Record(llm.Expense{Model: batch.Model, What: "a batch, estimated", USD: b.estimate.USD, Known: b.estimate.Known}))
	b.items, b.estimate = nil, llm.Cost{Known: true}
	return batch, err
}

// Pending are the batches that are not yet collected, oldest first.
func (b *Bulk) Pending() ([]llm.Batch, error) { return b.batches.Pending() }

// Forget removes what is remembered of a batch, when all that was collected of
// it is stored, or when it is given up.
func (b *Bulk) Forget(batch llm.Batch) error { return b.batches.Forget(batch) }

// Collected is what became of one session of a batch.
type Collected struct {
	Key     string
	Session transcript.Session
	Result  Result
	Err     error // of this session alone
}

// Collect yields what became of each session. load finds a session by its key;
// one that is gone is lost for extraction, as its quotes cannot be looked up.
// [llm.ErrNotReady] says to come back later. Forget the batch when the loop
// has ended by itself and everything is stored.
func (b *Bulk) Collect(ctx context.Context, batch llm.Batch, load func(key string) (transcript.Session, []transcript.Turn, error)) iter.Seq2[Collected, error] {
	return func(yield func(Collected, error) bool) {
		spent := llm.Cost{Known: true}
		var usage llm.Usage
		for o, err := range b.batches.Collect(ctx, batch) {
			if err != nil {
				yield(Collected{}, err)
				return
			}
			o.Response.Cost = llm.Cost{}
			if b.p.meter.Priced {
				o.Response.Cost = b.p.meter.Price.Of(o.Response.Usage)
				o.Response.Cost.USD *= llm.BatchDiscount
			}
			spent, usage = spent.Add(o.Response.Cost), usage.Add(o.Response.Usage)
			if !yield(b.collected(ctx, o, load), nil) {
				return
			}
		}
		err := b.p.meter.Spend.Record(llm.Expense{
			Model: batch.Model, What: "batch " + batch.ID + ", what it cost beside the estimate", Usage: usage, USD: spent.USD - batch.Estimate, Known: spent.Known && batch.Priced,
		})
		if err != nil {
			yield(Collected{}, err)
		}
	}
}

func (b *Bulk) collected(ctx context.Context, o llm.Outcome, load func(string) (transcript.Session, []transcript.Turn, error)) Collected {
	c := Collected{Key: o.Key, Err: o.Err}
	if c.Err != nil {
		return c
	}
	s, turns, err := load(o.Key)
	if err != nil {
		c.Err = err
		return c
	}
	c.Session = s
	prompt, err := b.p.Prepare(ctx, s, turns)
	if err != nil {
		c.Err = err
		return c
	}
	c.Result, c.Err = b.p.Read(s, prompt, o.Response)
	return c
}
