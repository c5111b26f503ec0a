package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gofrs/flock"
)

// This file finds out what became of a batch when the run that sent it died, or
// lost the connection, before it heard.

// ErrUnconfirmed says that it cannot be told yet whether a batch was taken.
var ErrUnconfirmed = errors.New("whether the provider has taken the batch cannot be told yet")

// ErrNotTaken says that a batch was not taken: it costs nothing, and its
// requests may be sent again.
var ErrNotTaken = errors.New("the provider has not taken the batch")

// A batch that was taken appears in the provider's list at about the time it
// was made. Clocks differ, and a large one takes a while to arrive.
const (
	earlier = 2 * time.Minute
	later   = 15 * time.Minute
)

// Confirm looks for a batch without an ID among those that the provider has,
// and gives it with the ID. The error wraps [ErrUnconfirmed] or [ErrNotTaken]
// when it is not found.
func (b *Batches) Confirm(ctx context.Context, batch Batch) (Batch, error) {
	if batch.ID != "" {
		return batch, nil
	}
	others, err := b.Pending()
	if err != nil {
		return batch, err
	}
	ctx, cancel := context.WithTimeout(ctx, b.api.c.Timeout)
	defer cancel()
	status, header, body, err := b.api.send(ctx, http.MethodGet, b.api.url("/batches?limit=100"), nil)
	if err != nil {
		return batch, err
	}
	if status != http.StatusOK {
		return batch, b.api.refused(status, header, body)
	}
	var list struct {
		Data []struct {
			ID      string         `json:"id"`
			Created time.Time      `json:"created_at"`
			Status  string         `json:"processing_status"`
			Counts  map[string]int `json:"request_counts"`
		} `json:"data"`
		More bool `json:"has_more"`
	}
	if err := json.Unmarshal(body, &list); err != nil {
		return batch, fmt.Errorf("asking for the batches: %w: %s", ErrProtocol, b.api.excerpt(string(body)))
	}
	var open []string // may be it, and cannot be looked into before it has ended
	covered := !list.More
	for _, have := range list.Data {
		total := 0
		for _, n := range have.Counts {
			total += n
		}
		since := have.Created.Sub(batch.Made)
		covered = covered || since < -earlier // what is older than ours is in the list, so ours would be
		switch {
		case since < -earlier || since > later || total != len(batch.Keys):
		case slices.ContainsFunc(others, func(o Batch) bool { return o.ID == have.ID }):
		case have.Status != "ended":
			open = append(open, have.ID)
		default:
			found := batch
			found.ID = have.ID
			ours, err := b.isOurs(ctx, found)
			if err != nil {
				return batch, err
			}
			if ours {
				return found, b.save(&found)
			}
		}
	}
	if len(open) == 0 && covered && b.now().Sub(batch.Made) > later {
		return batch, fmt.Errorf("%w of %s", ErrNotTaken, batch.Made.Format(time.RFC3339))
	}
	return batch, fmt.Errorf("%w: that of %s", ErrUnconfirmed, batch.Made.Format(time.RFC3339))
}

// isOurs looks for an id of ours in the results of a batch that has ended.
func (b *Batches) isOurs(ctx context.Context, batch Batch) (bool, error) {
	for r, err := range b.results(ctx, batch) {
		if err != nil {
			return false, err
		}
		_, ours := batch.Keys[r.CustomID]
		return ours, nil
	}
	return false, nil
}

// ErrLocked says that another run works with the same batches.
var ErrLocked = errors.New("another run is working with the batches")

// Lock keeps other runs from sending the same or collecting twice. It ends with
// the process, if not before.
func (b *Batches) Lock() (unlock func(), err error) {
	if err := os.MkdirAll(b.dir, 0o700); err != nil {
		return nil, fmt.Errorf("locking the batches: %v", err)
	}
	lock := flock.New(filepath.Join(b.dir, "lock"))
	got, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("locking the batches: %v", err)
	}
	if !got {
		return nil, ErrLocked
	}
	return func() { _ = lock.Close() }, nil
}
