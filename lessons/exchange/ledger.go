package exchange

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gofrs/flock"

	"learnings/lessons"
	"learnings/lessons/state"
)

// A Ledger remembers, for one target, which entry was made for each lesson: its key and its
// text as written, by which a format detects changes by others. It is stored with the state
// of this machine, never beside the target. Losing it loses no lesson: entries are then
// found by their text.
type Ledger struct {
	path string
	as   fs.FileInfo // the file when it was read; nil for none
	kept struct {
		Through lessons.Cursor         `json:"through"`
		Entries map[lessons.ID]Written `json:"entries"`
	}
}

// Written is an entry as a format wrote it.
type Written struct {
	Key  string `json:"key"`           // the other program's key
	Text string `json:"text"`          // of the entry as written
	Rev  string `json:"rev,omitempty"` // of the lesson as written, or a digest of what was written
}

// OpenLedger opens the ledger of a target in a folder of this machine's state. If it cannot
// be read the error names the file, which is never overwritten.
func OpenLedger(dir, target string) (*Ledger, error) {
	l := &Ledger{path: filepath.Join(dir, Digest(target)+".json")}
	if err := l.load(); err != nil {
		return nil, fmt.Errorf("reading what was written to %s: %w", target, err)
	}
	return l, nil
}

func (l *Ledger) load() error {
	l.kept.Through, l.kept.Entries = "", map[lessons.ID]Written{}
	l.as, _ = os.Stat(l.path) // before reading, so that a write in between is noticed
	data, err := os.ReadFile(l.path)
	if err == nil {
		err = json.Unmarshal(data, &l.kept)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", l.path, err)
	}
	if l.kept.Entries == nil {
		l.kept.Entries = map[lessons.ID]Written{}
	}
	return nil
}

// patience is how long a write waits for another one to the same target.
const patience = 2 * time.Minute

// lock keeps other processes from writing to the target, and loads what they wrote.
func (l *Ledger) lock(ctx context.Context) (unlock func(), err error) {
	if l == nil {
		return func() {}, nil
	}
	if err := os.MkdirAll(filepath.Dir(l.path), 0o700); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	file := flock.New(l.path + ".lock")
	if _, err := file.TryLockContext(ctx, 20*time.Millisecond); err != nil {
		return nil, fmt.Errorf("waiting for another learnings that writes there: %w", err)
	}
	if err := l.load(); err != nil {
		file.Close()
		return nil, err
	}
	return func() { file.Close() }, nil
}

// Current reports whether the ledger has not changed since it was read.
func (l *Ledger) Current() bool {
	now, err := os.Stat(l.path)
	if err != nil || l.as == nil {
		return err != nil && l.as == nil
	}
	return os.SameFile(l.as, now) && l.as.ModTime().Equal(now.ModTime()) && l.as.Size() == now.Size()
}

// Add stores an entry at once; nil removes it. It is for a target where each write is
// final, so that nothing is written twice if the next one fails.
func (l *Ledger) Add(id lessons.ID, w *Written) error {
	if l == nil {
		return nil
	}
	l.set(id, w)
	return l.write()
}

func (l *Ledger) set(id lessons.ID, w *Written) {
	if w == nil {
		delete(l.kept.Entries, id)
	} else {
		l.kept.Entries[id] = *w
	}
}

// Of returns the entry made for a lesson. A nil ledger has none.
func (l *Ledger) Of(id lessons.ID) (Written, bool) {
	if l == nil {
		return Written{}, false
	}
	w, ok := l.kept.Entries[id]
	return w, ok
}

// IDs returns the lessons that have entries, sorted.
func (l *Ledger) IDs() []lessons.ID {
	if l == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(l.kept.Entries))
}

// Through returns the cursor up to which the target has followed the corpus; "" if it never
// did.
func (l *Ledger) Through() lessons.Cursor {
	if l == nil {
		return ""
	}
	return l.kept.Through
}

// save stores notes in the ledger; a nil one removes the entry.
func (l *Ledger) save(notes map[lessons.ID]*Written, through lessons.Cursor) error {
	if l == nil || len(notes) == 0 && (through == "" || through == l.kept.Through) {
		return nil
	}
	if through != "" {
		l.kept.Through = through
	}
	for id, w := range notes {
		l.set(id, w)
	}
	return l.write()
}

func (l *Ledger) write() error {
	if err := os.MkdirAll(filepath.Dir(l.path), 0o700); err != nil {
		return err
	}
	return state.WriteFile(l.path, func(w io.Writer) error { return json.NewEncoder(w).Encode(l.kept) })
}
