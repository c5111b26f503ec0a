package exchange

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"learnings/lessons"
	"learnings/lessons/atomicfile"
)

// A Ledger remembers, for one target, the entry that was made of each lesson: its
// key there and its text as it was written, by which a format sees what somebody
// changed since. It lies with the state of this machine, never beside the target,
// and losing it loses no lesson: entries are then found by their text.
type Ledger struct {
	path string
	kept struct {
		Through lessons.Cursor         `json:"through"`
		Entries map[lessons.ID]Written `json:"entries"`
	}
}

// Written is an entry as a format wrote it.
type Written struct {
	Key  string `json:"key"`           // by which the other program knows it
	Text string `json:"text"`          // of the entry, as it was written
	Rev  string `json:"rev,omitempty"` // of the lesson, when it was written
}

// OpenLedger opens the ledger of a target, which a folder of this machine's state
// keeps. One that cannot be read is an error that names the file: it is never
// written over.
func OpenLedger(dir, target string) (*Ledger, error) {
	sum := sha256.Sum256([]byte(target))
	l := &Ledger{path: filepath.Join(dir, hex.EncodeToString(sum[:8])+".json")}
	data, err := os.ReadFile(l.path)
	if err == nil {
		err = json.Unmarshal(data, &l.kept)
	}
	if l.kept.Entries == nil {
		l.kept.Entries = map[lessons.ID]Written{}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("reading what was written to %s: %s: %w", target, l.path, err)
	}
	return l, nil
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
		if w == nil {
			delete(l.kept.Entries, id)
		} else {
			l.kept.Entries[id] = *w
		}
	}
	if err := os.MkdirAll(filepath.Dir(l.path), 0o700); err != nil {
		return err
	}
	return atomicfile.Write(l.path, func(w io.Writer) error { return json.NewEncoder(w).Encode(l.kept) })
}
