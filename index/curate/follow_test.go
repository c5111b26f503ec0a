package curate

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

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
	n, _, err := c.Index.Facets(t.Context(), index.Query{}.Where(index.Status, string(lessons.Pending)))
	if err != nil || n != 3 {
		t.Errorf("%d lessons are in the index (%v), want 3", n, err)
	}
}

// TestLookAside has an editor write into a file while the library trusts what it has seen.
func TestLookAside(t *testing.T) {
	c := corpus(t)
	propose(t, c, said("first", "Run the tests before a push"))
	if _, err := c.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	path, err := c.Store.Path("first")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, bytes.ReplaceAll(text, []byte("tests"), []byte("linter")), 0o600); err != nil {
		t.Fatal(err)
	}
	trusting := c.Library
	asked := 0
	trusting.Store = c.Store.Trusting(time.Hour, func() error { asked++; return nil })
	for range 2 { // the second finds nothing new
		if err := LookAside(t.Context(), &trusting); err != nil {
			t.Fatal(err)
		}
		found, err := c.Index.Named(t.Context(), []lessons.ID{"first"})
		if err != nil || found["first"].Content != "Run the linter before a push" {
			t.Errorf("in the index: %q, %v", found["first"].Content, err)
		}
	}
	if asked != 0 {
		t.Errorf("the look asked for %d others", asked)
	}
}

// slow is a log that is read once it may be.
type slow struct {
	index.Log
	reads, may chan struct{}
}

func (s slow) Since(from lessons.Cursor) iter.Seq2[lessons.Change, error] {
	close(s.reads)
	<-s.may
	return s.Log.Since(from)
}

// A follower tells what another program takes into the index while the follower waits for
// it: nothing else would say that a list lacks it.
func TestFollowerTellsWhatOthersTakeIn(t *testing.T) {
	c := corpus(t)
	propose(t, c, said("first", "Run the tests before a push"))
	f := NewFollower(&c.Library)
	if _, _, err := f.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i, content := range []string{"Squash the commits of a branch", "Name branches after what they change", "Keep generated files out of a commit"} {
		propose(t, c, said(fmt.Sprint("more", i), content))
		log := slow{c.Store, make(chan struct{}), make(chan struct{})}
		var others, own sync.WaitGroup
		others.Go(func() {
			if n, err := c.Index.Sync(t.Context(), log); n != 1 || err != nil {
				t.Errorf("the other program took in %d, %v", n, err)
			}
		})
		<-log.reads
		own.Go(func() {
			if n, behind, err := f.Sync(t.Context()); n != 0 || !behind || err != nil {
				t.Errorf("round %d: took in %d, behind %v, %v", i, n, behind, err)
			}
		})
		for range 100 { // so that it waits for the other one
			runtime.Gosched()
		}
		close(log.may)
		others.Wait()
		own.Wait()
		if _, behind, err := f.Sync(t.Context()); behind || err != nil {
			t.Errorf("round %d: behind again, %v", i, err)
		}
	}
}
