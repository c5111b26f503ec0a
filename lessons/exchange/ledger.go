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

// A Ledger remembers, for one target, the entry that was made of each lesson: its
// key there and its text as it was written, by which a format sees what somebody
// changed since. It lies with the state of this machine, never beside the target,
// and losing it loses no lesson: entries are then found by their text.
type Ledger struct {
	path string
	as   fs.FileInfo // of the file when it was read; nil for none
	kept struct {
		Through lessons.Cursor         `json:"through"`
		Entries map[lessons.ID]Written `json:"entries"`
	}
}

// Written is an entry as a format wrote it.
type Written struct {
	Key  string `json:"key"`           // by which the other program knows it
	Text string `json:"text"`          // of the entry, as it was written
	Rev  string `json:"rev,omitempty"` // of the lesson, when it was written, or what stands for all that was written of it
}

// OpenLedger opens the ledger of a target, which a folder of this machine's state
// keeps. One that cannot be read is an error that names the file: it is never
// written over.
func OpenLedger(dir, target string) (*Ledger, error) {
	l := &Ledger{path: filepath.Join(dir, Digest(target)+".json")}
	if err := l.load(); err != nil {
		return nil, fmt.Errorf("reading what was written to %s: %w", target, err)
	}
	return l, nil
}

// load reads what is on disk.
func (l *Ledger) load() error {
	l.kept.Through, l.kept.Entries = "", map[lessons.ID]Written{}
	l.as, _ = os.Stat(l.path) // before it is read, or a write between the two were missed
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

// patience is how long a write waits for another one of the same target.
const patience = 2 * time.Minute

// lock keeps other processes from writing to the target, and takes over what they wrote.
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

// Current reports whether the ledger is as it was when it was read.
func (l *Ledger) Current() bool {
	now, err := os.Stat(l.path)
	if err != nil || l.as == nil {
		return err != nil && l.as == nil
	}
	return os.SameFile(l.as, now) && l.as.ModTime().Equal(now.ModTime()) && l.as.Size() == now.Size()
}

// Add remembers an entry at once, nil for none: for a target of which each write is
// final, so that nothing is written twice when the next one fails.
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

// Of gives the entry that was made of a lesson. A nil ledger has none.
func (l *Ledger) Of(id lessons.ID) (Written, bool) {
	if l == nil {
		return Written{}, false
	}
	w, ok := l.kept.Entries[id]
	return w, ok
}

// IDs are the lessons of which there are entries, in order.
func (l *Ledger) IDs() []lessons.ID {
	if l == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(l.kept.Entries))
}

// Through is up to where the target has followed the corpus; "" when it never did.
func (l *Ledger) Through() lessons.Cursor {
	if l == nil {
		return ""
	}
	return l.kept.Through
}

// save adds notes to the ledger, of which a nil one takes an entry out.
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
