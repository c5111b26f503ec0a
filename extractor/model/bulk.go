package model

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"

	"learnings/extractor/model/llm"
	"learnings/extractor/transcript"
	"learnings/lessons"
)

// A Bulk asks for the lessons of many sessions at once, for half the price and
// within a day: add sessions, submit them, and collect in a later run. Collect
// with the budget with which they were added: an answer belongs to a digest.
// It is for one goroutine, but for Print and Read.
type Bulk struct {
	p         *Proposer
	batches   *llm.Batches
	items     []llm.Item
	estimates []llm.Cost
}

// Bulk works with the batches that are remembered in a folder.
func (p *Proposer) Bulk(dir string) (*Bulk, error) {
	b, err := llm.NewBatches(p.c.LLM, dir, p.o.Now)
	if err != nil {
		return nil, err
	}
	return &Bulk{p: p, batches: b}, nil
}

// Lock keeps other runs away, see [llm.Batches.Lock].
func (b *Bulk) Lock() (unlock func(), err error) { return b.batches.Lock() }

// A bulkKey is what is remembered of each request.
type bulkKey struct {
	Key   string       `json:"key"`   // the caller's
	Print string       `json:"print"` // of the digest that was sent
	Known []lessons.ID `json:"known"` // as numbered in the prompt
}

// Add prepares turns of a session for the next batch and says whether there is
// something to ask. Key is for the caller: it must tell how to read the same
// turns again, and several requests may share one.
func (b *Bulk) Add(ctx context.Context, key string, s transcript.Session, turns []transcript.Turn) (bool, error) {
	prompt, err := b.p.Prepare(ctx, s, turns)
	if err != nil || prompt.Request.User == "" {
		return false, err
	}
	k := bulkKey{Key: key, Print: printOf(s, prompt.Digest)}
	for _, l := range prompt.known {
		k.Known = append(k.Known, l.ID)
	}
	data, err := json.Marshal(k)
	if err != nil {
		return false, fmt.Errorf("remembering what was asked: %v", err)
	}
	prompt.Estimate.USD *= llm.BatchDiscount
	b.items = append(b.items, llm.Item{Key: string(data), Request: prompt.Request})
	b.estimates = append(b.estimates, prompt.Estimate)
	return true, nil
}

// printOf tells what was sent of a session from what else could have been.
func printOf(s transcript.Session, d *Digest) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\x00", s.ID)
	for _, l := range d.Lines {
		fmt.Fprintf(h, "%d %s\x00", l.Line, l.UUID)
	}
	fmt.Fprint(h, d.String())
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Len is how many requests were added, and Cut takes back those behind the
// first n.
func (b *Bulk) Len() int { return len(b.items) }

// Cut takes back the requests behind the first n.
func (b *Bulk) Cut(n int) { b.items, b.estimates = b.items[:n], b.estimates[:n] }

// Estimate is what the requests that were added will cost at most, as far as
// can be told.
func (b *Bulk) Estimate() llm.Cost {
	sum := llm.Cost{Known: true}
	for _, e := range b.estimates {
		sum = sum.Add(e)
	}
	return sum
}

// Submit sends what was added, unless a ceiling forbids it. The estimate goes
// into the ledger before anything is sent, and is set right on collection: a
// run that dies in between makes the ceiling lower, never higher. A batch that
// comes with an error may or may not have been taken, see [Bulk.Confirm].
func (b *Bulk) Submit(ctx context.Context) (llm.Batch, error) {
	spend, estimate := b.p.meter.Spend, b.Estimate()
	if err := spend.Reserve(ctx, estimate); err != nil {
		return llm.Batch{}, err
	}
	defer spend.Release(estimate)
	model := b.p.c.LLM.Model.String()
	if err := spend.Record(llm.Expense{Model: model, What: "a batch, estimated", USD: estimate.USD, Known: estimate.Known}); err != nil {
		return llm.Batch{}, err
	}
	batch, err := b.batches.Submit(ctx, b.items, estimate)
	if batch.Made.IsZero() {
		return batch, errors.Join(err, b.giveBack(llm.Batch{Model: model, Estimate: estimate.USD, Priced: estimate.Known}))
	}
	b.Cut(0)
	return batch, err
}

func (b *Bulk) giveBack(batch llm.Batch) error {
	return b.p.meter.Spend.Record(llm.Expense{Model: batch.Model, What: "a batch that was not taken", USD: -batch.Estimate, Known: batch.Priced})
}

// Pending are the batches that are not yet collected, oldest first.
func (b *Bulk) Pending() ([]llm.Batch, error) { return b.batches.Pending() }

// keys are the callers' keys of a batch, each once.
func keys(batch llm.Batch) []string {
	var out []string
	for _, text := range batch.Keys {
		var k bulkKey
		if json.Unmarshal([]byte(text), &k) == nil {
			out = append(out, k.Key)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Confirm finds out whether a batch was taken, see [llm.Batches.Confirm]. One
// that was not is forgotten, and its estimate given back.
func (b *Bulk) Confirm(ctx context.Context, batch llm.Batch) (llm.Batch, error) {
	batch, err := b.batches.Confirm(ctx, batch)
	if errors.Is(err, llm.ErrNotTaken) {
		return batch, errors.Join(err, b.giveBack(batch), b.Forget(batch))
	}
	return batch, err
}

// Forget removes what is remembered of a batch, when all that was collected of
// it is stored, or when it is given up.
func (b *Bulk) Forget(batch llm.Batch) error { return b.batches.Forget(batch) }

// An Answer is what became of one request of a batch.
type Answer struct {
	Key      string // the caller's
	Print    string // of the turns that it is the answer for, see [Bulk.Print]
	Response llm.Response
	Err      error // of this request alone

	known []lessons.ID
}

// Collect yields the answers of a batch. [llm.ErrNotReady] says to come back
// later. What it cost is set right in the ledger once, when all were yielded.
// Forget the batch when everything is stored; until then it can be collected
// again.
func (b *Bulk) Collect(ctx context.Context, batch llm.Batch) iter.Seq2[Answer, error] {
	return func(yield func(Answer, error) bool) {
		spent := llm.Cost{Known: true}
		var usage llm.Usage
		for o, err := range b.batches.Collect(ctx, batch) {
			if err != nil {
				yield(Answer{}, err)
				return
			}
			o.Response.Cost = llm.Cost{}
			if b.p.meter.Priced {
				o.Response.Cost = b.p.meter.Price.Of(o.Response.Usage)
				o.Response.Cost.USD *= llm.BatchDiscount
			}
			spent, usage = spent.Add(o.Response.Cost), usage.Add(o.Response.Usage)
			var k bulkKey
			if err := json.Unmarshal([]byte(o.Key), &k); err != nil {
				yield(Answer{}, fmt.Errorf("reading what is remembered of the batch %s: %v", batch.ID, err))
				return
			}
			if !yield(Answer{Key: k.Key, Print: k.Print, Response: o.Response, Err: o.Err, known: k.Known}, nil) {
				return
			}
		}
		if batch.Settled {
			return
		}
		err := b.p.meter.Spend.Record(llm.Expense{
			Model: batch.Model, What: "batch " + batch.ID + ", what it cost beside the estimate", Usage: usage, USD: spent.USD - batch.Estimate, Known: spent.Known && batch.Priced,
		})
		if err = errors.Join(err, b.batches.Settle(&batch)); err != nil {
			yield(Answer{}, err)
		}
	}
}

// Print tells which answer is the one for turns; "" when nothing was asked.
func (b *Bulk) Print(s transcript.Session, turns []transcript.Turn) string {
	d := NewDigest(turns, b.p.c.Budget, b.p.o.Redact)
	if Own(turns) || d.Empty() {
		return ""
	}
	return printOf(s, d)
}

// Read makes lessons of an answer for the turns that it is for.
func (b *Bulk) Read(ctx context.Context, a Answer, s transcript.Session, turns []transcript.Turn) (Result, error) {
	prompt, err := b.p.Prepare(ctx, s, turns)
	if err != nil {
		return Result{}, err
	}
	// The answer means the lessons by the numbers that they had then.
	prompt.known = make([]lessons.Lesson, len(a.known))
	for i, id := range a.known {
		prompt.known[i].ID = id
	}
	return b.p.Read(s, prompt, a.Response)
}
