package llm

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"learnings/lessons/atomicfile"
)

// BatchDiscount is what a request of a batch costs of its usual price.
const BatchDiscount = 0.5

// MostInBatch is how many requests one batch takes. The API takes more; this
// keeps a batch under its limit of size.
const MostInBatch = 5000

// ErrNotReady says that a batch is still being worked on.
var ErrNotReady = errors.New("the batch is not ready yet")

// ErrGone says that the provider does not have a batch, or its results, any more.
var ErrGone = errors.New("the provider has the batch no more")

// kept is how long the provider keeps results; before that, "not found" is more
// likely to mean another account.
const kept = 28 * 24 * time.Hour

// A Batch is a set of requests that was sent to be answered within a day, for
// half the price. It is remembered in a file until it has been collected.
type Batch struct {
	ID       string            `json:"id"` // the provider's; "" when the run ended before the provider had answered: it may or may not have been taken
	Model    string            `json:"model"`
	Made     time.Time         `json:"made"`
	Keys     map[string]string `json:"keys"` // custom_id → the caller's key; the ids are of this batch alone
	Estimate float64           `json:"estimate"`
	Priced   bool              `json:"priced"`
	Settled  bool              `json:"settled,omitempty"` // the caller has recorded what it cost

	file string
}

// An Item is one request of a batch. Key is the caller's own name for it.
type Item struct {
	Key     string
	Request Request
}

// An Outcome is what became of one request of a batch.
type Outcome struct {
	Key      string
	Response Response
	Err      error // why there is none: the request failed, was cancelled or expired
}

// Batches sends batches to Anthropic and remembers them in a folder, so that
// another run can collect them.
type Batches struct {
	api *messages
	dir string
	now func() time.Time
}

// NewBatches works with the batches that are remembered in dir. It makes no
// call.
func NewBatches(c Config, dir string, now func() time.Time) (*Batches, error) {
	if c.Model.Provider != Anthropic {
		return nil, fmt.Errorf("model %s: batches are for the models of %s", c.Model, Anthropic)
	}
	c = c.withDefaults()
	c.Attempt = max(c.Attempt, c.Timeout) // a batch is large
	if err := c.checkServer(); err != nil {
		return nil, err
	}
	return &Batches{newAnthropic(c), dir, now}, nil
}

// Submit sends a batch. It is remembered before it is sent, so that a run that
// dies in between does not forget what it may have to pay for: see
// [Batches.Confirm]. It is sent once; a second try could be paid for twice.
func (b *Batches) Submit(ctx context.Context, items []Item, estimate Cost) (Batch, error) {
	if len(items) == 0 || len(items) > MostInBatch {
		return Batch{}, fmt.Errorf("a batch has 1 to %d requests, not %d", MostInBatch, len(items))
	}
	batch := Batch{Model: b.api.c.Model.String(), Made: b.now().UTC(), Keys: make(map[string]string, len(items)), Estimate: estimate.USD, Priced: estimate.Known}
	type request struct {
		CustomID string         `json:"custom_id"`
		Params   messageRequest `json:"params"`
	}
	var all struct {
		Requests []request `json:"requests"`
	}
	nonce := strings.ToLower(rand.Text()[:16])
	for i, item := range items {
		id := fmt.Sprintf("%s-%d", nonce, i+1)
		batch.Keys[id] = item.Key
		all.Requests = append(all.Requests, request{id, b.api.request(item.Request)})
	}
	if err := b.save(&batch); err != nil {
		return Batch{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, b.api.c.Timeout)
	defer cancel()
	payload, err := json.Marshal(all)
	if err != nil {
		return Batch{}, errors.Join(fmt.Errorf("writing a batch: %v", err), b.Forget(batch))
	}
	status, header, body, err := b.api.once(ctx, http.MethodPost, b.api.url("/batches"), payload)
	var sent struct {
		ID string `json:"id"`
	}
	switch {
	case err != nil:
		return batch, b.api.failed(ctx, err)
	case status >= 500:
		return batch, b.api.refused(status, header, body)
	case status != http.StatusOK:
		return Batch{}, errors.Join(b.api.refused(status, header, body), b.Forget(batch)) // it was surely not taken
	case json.Unmarshal(body, &sent) != nil || sent.ID == "":
		return batch, fmt.Errorf("sending a batch: %w: it names no batch", ErrProtocol)
	}
	batch.ID = sent.ID
	return batch, b.save(&batch)
}

// Pending are the batches that are not yet collected, oldest first.
func (b *Batches) Pending() ([]Batch, error) { return Pending(b.dir) }

// Pending are the batches that a folder remembers, oldest first.
func Pending(dir string) ([]Batch, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("looking for batches: %v", err)
	}
	var out []Batch
	for _, e := range entries {
		if filepath.Ext(e.Name()) != ".json" {
			continue
		}
		path := filepath.Join(dir, e.Name())
		data, err := os.ReadFile(path)
		if err != nil {
			return out, fmt.Errorf("looking for batches: %v", err)
		}
		batch := Batch{file: path}
		if err := json.Unmarshal(data, &batch); err != nil {
			return out, fmt.Errorf("reading the batch %s: %v", path, err)
		}
		out = append(out, batch)
	}
	slices.SortStableFunc(out, func(x, y Batch) int { return x.Made.Compare(y.Made) })
	return out, nil
}

// Collect yields what became of each request, in any order; an error ends it.
// [ErrNotReady] says to come back later. A request without a key of ours is
// passed over. When all outcomes have been dealt with, [Batches.Forget].
func (b *Batches) Collect(ctx context.Context, batch Batch) iter.Seq2[Outcome, error] {
	return func(yield func(Outcome, error) bool) {
		if batch.ID == "" {
			yield(Outcome{}, fmt.Errorf("the batch of %s was never confirmed", batch.Made.Format(time.RFC3339)))
			return
		}
		ctx, cancel := context.WithTimeout(ctx, b.api.c.Timeout)
		defer cancel()
		if err := b.ready(ctx, batch); err != nil {
			yield(Outcome{}, err)
			return
		}
		for r, err := range b.results(ctx, batch) {
			if err != nil {
				yield(Outcome{}, err)
				return
			}
			key, ours := batch.Keys[r.CustomID]
			if ours && !yield(b.outcome(key, r), nil) {
				return
			}
		}
	}
}

// ready asks whether a batch is done.
func (b *Batches) ready(ctx context.Context, batch Batch) error {
	status, header, body, err := b.api.send(ctx, http.MethodGet, b.api.url("/batches/"+url.PathEscape(batch.ID)), nil)
	if err != nil {
		return err
	}
	if status != http.StatusOK {
		return b.gone(batch, status, b.api.refused(status, header, body))
	}
	var state struct {
		Status string `json:"processing_status"`
		Counts struct {
			Processing int `json:"processing"`
		} `json:"request_counts"`
	}
	if err := json.Unmarshal(body, &state); err != nil {
		return fmt.Errorf("asking for a batch: %w: %s", ErrProtocol, b.api.excerpt(string(body)))
	}
	if state.Status != "ended" {
		return fmt.Errorf("%w: %d of %d requests are being worked on", ErrNotReady, state.Counts.Processing, len(batch.Keys))
	}
	return nil
}

// gone adds [ErrGone] to what says that there is no such batch.
func (b *Batches) gone(batch Batch, status int, err error) error {
	if (status == http.StatusNotFound || status == http.StatusGone) && b.now().Sub(batch.Made) > kept {
		return fmt.Errorf("%w: %w", ErrGone, err)
	}
	return err
}

// A batchResult is one line of the results of a batch.
type batchResult struct {
	CustomID string `json:"custom_id"`
	Result   struct {
		Type    string  `json:"type"`
		Message message `json:"message"`
		Error   struct {
			Error struct {
				Message string `json:"message"`
			} `json:"error"`
		} `json:"error"`
	} `json:"result"`
}

// results reads the results of a batch as they come: there may be thousands.
func (b *Batches) results(ctx context.Context, batch Batch) iter.Seq2[batchResult, error] {
	return func(yield func(batchResult, error) bool) {
		resp, err := b.api.open(ctx, http.MethodGet, b.api.url("/batches/"+url.PathEscape(batch.ID)+"/results"), nil)
		if err != nil {
			yield(batchResult{}, b.api.failed(ctx, err))
			return
		}
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			body, _ := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
			yield(batchResult{}, b.gone(batch, resp.StatusCode, b.api.refused(resp.StatusCode, resp.Header, body)))
			return
		}
		lines := json.NewDecoder(io.LimitReader(resp.Body, int64(len(batch.Keys)+1)*maxAnswer))
		for {
			var r batchResult
			err := lines.Decode(&r)
			switch {
			case errors.Is(err, io.EOF):
				return
			case err != nil && ctx.Err() != nil:
				yield(batchResult{}, b.api.failed(ctx, err))
				return
			case err != nil:
				yield(batchResult{}, fmt.Errorf("reading the results of a batch: %w: %s", ErrProtocol, b.api.excerpt(err.Error())))
				return
			}
			if !yield(r, nil) {
				return
			}
		}
	}
}

func (b *Batches) outcome(key string, r batchResult) Outcome {
	switch r.Result.Type {
	case "succeeded":
		resp, err := b.api.read(r.Result.Message)
		return Outcome{key, resp, err}
	case "errored":
		return Outcome{Key: key, Err: fmt.Errorf("the provider failed on it: %s", b.api.excerpt(r.Result.Error.Error.Message))}
	}
	return Outcome{Key: key, Err: fmt.Errorf("it was not answered: %s", b.api.excerpt(r.Result.Type))}
}

// Settle remembers that the caller has recorded what a batch cost.
func (b *Batches) Settle(batch *Batch) error {
	batch.Settled = true
	return b.save(batch)
}

// Forget removes what is remembered of a batch.
func (b *Batches) Forget(batch Batch) error {
	if err := os.Remove(batch.file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("forgetting a batch: %v", err)
	}
	return nil
}

// save writes what is to be remembered, whole or not at all.
func (b *Batches) save(batch *Batch) error {
	data, err := json.MarshalIndent(batch, "", "  ")
	if err != nil {
		return fmt.Errorf("remembering a batch: %v", err)
	}
	if err := os.MkdirAll(b.dir, 0o700); err != nil {
		return fmt.Errorf("remembering a batch: %v", err)
	}
	if batch.file == "" {
		batch.file = filepath.Join(b.dir, batch.Made.Format("20060102T150405")+"-"+rand.Text()[:8]+".json")
	}
	err = atomicfile.Write(batch.file, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
	if err != nil {
		return fmt.Errorf("remembering a batch: %v", err)
	}
	return nil
}
