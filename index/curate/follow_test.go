package curate

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/gofrs/flock"

	"learnings/index"
	"learnings/lessons"
)

// TestSyncTakesInWhatOthersLeave has one sync wait for a reader, and a write meanwhile
// that does not wait for the index: the sync that has it takes the write in.
func TestSyncTakesInWhatOthersLeave(t *testing.T) {
	c := corpus(t)
	propose(t, c, said("first", "Run the tests before a push"))
	if _, err := c.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(filepath.Dir(c.Drafts), "index")
	reader := flock.New(filepath.Join(dir, "reading.lock"))
	if err := reader.RLock(); err != nil {
		t.Fatal(err)
	}
	defer reader.Unlock()
	propose(t, c, said("second", "Squash the commits of a branch"))
	done := make(chan error, 1)
	go func() {
		_, err := c.Sync(t.Context())
		done <- err
	}()
	// It has the index to itself once a sync that does not wait is turned away; a lock
	// of our own would keep it from getting it.
	writer := flock.New(filepath.Join(dir, "writing.lock"))
	for {
		if ok, err := writer.TryRLock(); err != nil {
			t.Fatal(err)
		} else if !ok {
			break
		}
		writer.Unlock()
	}
	propose(t, c, said("third", "Name branches after what they change"))
	if _, err := c.Hasty().Sync(t.Context()); !errors.Is(err, index.ErrBusy) {
		t.Errorf("a sync in haste while another runs: %v, want ErrBusy", err)
	}
	reader.Unlock()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	n, err := c.Index.Count(t.Context(), index.Query{}.Where(index.Status, string(lessons.Pending)))
	if err != nil || n.Total != 3 {
		t.Errorf("%d lessons are in the index (%v), want 3", n.Total, err)
	}
}
