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
	"strings"
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
	state.Sweep(true, l.path)
	return state.WriteFile(l.path, func(w io.Writer) error { return json.NewEncoder(w).Encode(l.kept) })
}

// A Stored is an entry of a store for a plan.
type Stored struct {
	Key   string     // the ledger's key
	ID    lessons.ID // of the lesson made of it
	Says  string     // the key by which a lesson that says the same finds it; "" for none
	Text  string     // what is written of a lesson: if it differs, somebody has changed it
	Quote string     // what the evidence of a lesson made of it quotes
	Place string     // where a person finds it
}

// A Store is a store that is changed entry by entry.
type Store struct {
	Name    string // of the format
	Prefix  string // of the ledger's keys of its entries
	Entries []Stored
	Twins   bool // an entry that says the same as a lesson is that lesson's

	Says    func(lessons.Lesson) []string // what entries that say the same as a lesson may have in Stored.Says
	Same    func(was, now string) bool    // whether two texts of an entry are by the same hand; nil compares them
	Current func(int, lessons.Lesson) bool
	Set     func(int, lessons.Lesson) (key, text string) // makes an entry say what a lesson says
	Add     func(lessons.Lesson) (key, text string)      // no key: it cannot
	Drop    func(int, lessons.Lesson) bool               // removes an entry; false if it cannot
	Text    func(lessons.Lesson) string                  // what Add would write; nil if nothing can have been removed
}

// The ways to find the entry of a lesson, the surest first. A format may add others, from
// Other on.
const (
	ByLedger = iota + 1 // it was written for the lesson
	ByID                // the lesson was made of it
	BySaying            // it says the same
	Other
)

// A Sync matches lessons with the entries of a store.
type Sync struct {
	Store
	Of    []int               // by lesson: its entry; -1 for none
	Way   []int               // by lesson: the way its entry was found; 0 for none
	Taken []bool              // by entry
	Held  map[lessons.ID]bool // lessons that have an entry once the plan is applied

	plan   *Plan
	ledger *Ledger
	ls     []lessons.Lesson
}

// NewSync finds the entries of lessons by the ledger and by their ids. Each entry belongs
// to one lesson only.
func NewSync(p *Plan, ls []lessons.Lesson, s Store) *Sync {
	y := &Sync{Store: s, Of: make([]int, len(ls)), Way: make([]int, len(ls)), Taken: make([]bool, len(s.Entries)), Held: map[lessons.ID]bool{}, plan: p, ledger: p.ledger, ls: ls}
	for i := range y.Of {
		y.Of[i] = -1
	}
	keys, ids := map[string][]int{}, map[lessons.ID][]int{}
	for i, e := range s.Entries {
		keys[e.Key], ids[e.ID] = append(keys[e.Key], i), append(ids[e.ID], i)
	}
	y.Find(ByLedger, func(l lessons.Lesson) []int {
		if was, ok := y.Wrote(l.ID); ok {
			return keys[was.Key]
		}
		return nil
	})
	y.Find(ByID, func(l lessons.Lesson) []int { return ids[l.ID] })
	return y
}

// Find applies a way: of returns the entries that may be a lesson's, best first.
func (y *Sync) Find(way int, of func(lessons.Lesson) []int) {
	for i, l := range y.ls {
		if y.Of[i] >= 0 {
			continue
		}
		for _, at := range of(l) {
			if !y.Taken[at] {
				y.Of[i], y.Way[i], y.Taken[at] = at, way, true
				break
			}
		}
	}
}

// FindSayings finds the entries that say the same as lessons, and returns all entries by
// what they say.
func (y *Sync) FindSayings() map[string][]int {
	by := map[string][]int{}
	for i, e := range y.Entries {
		if e.Says != "" {
			by[e.Says] = append(by[e.Says], i)
		}
	}
	y.Find(BySaying, func(l lessons.Lesson) (out []int) {
		for _, text := range y.Says(l) {
			out = append(out, by[text]...)
		}
		return out
	})
	return by
}

// Wrote returns the entry that was written for a lesson into this store.
func (y *Sync) Wrote(id lessons.ID) (Written, bool) {
	was, ok := y.ledger.Of(id)
	return was, ok && strings.HasPrefix(was.Key, y.Prefix)
}

// SettleAll settles all lessons.
func (y *Sync) SettleAll() {
	for i := range y.ls {
		if y.Of[i] < 0 {
			y.Put(y.ls[i])
		} else {
			y.Settle(i)
		}
	}
}

// Settle updates the entry of the n-th lesson. What somebody has changed in the store
// stays.
func (y *Sync) Settle(n int) {
	l, at := y.ls[n], y.Of[n]
	e := y.Entries[at]
	was, noted := y.Wrote(l.ID)
	ours := noted && (was.Text == e.Text || y.Same != nil && y.Same(was.Text, e.Text)) || !noted && (y.Way[n] == BySaying && y.Twins || y.Way[n] == ByID && y.unchanged(l, e))
	switch {
	case l.Status == lessons.Pending && !noted: // nobody has decided: it stays theirs
	case l.Status != lessons.Approved && !ours && !noted && y.Way[n] != ByID: // it only says the same
	case l.Status != lessons.Approved && !ours:
		y.plan.Lose(l.ID, "that it is no longer active: "+e.Place+" was edited there, and stays")
	case l.Status != lessons.Approved:
		if y.Drop(at, l) {
			y.plan.Note(l.ID, nil)
		}
	case y.Current(at, l):
		y.note(l, e.Key, e.Text)
	case !ours && noted:
		y.plan.Lose(l.ID, "its wording: "+e.Place+" was edited there, and stays")
	case !ours:
		y.plan.Lose(l.ID, "its wording: "+e.Place+" has its own, and stays")
	default:
		key, text := y.Set(at, l)
		y.note(l, key, text)
	}
}

// unchanged reports whether an entry says what it said when a lesson was made of it.
func (y *Sync) unchanged(l lessons.Lesson, e Stored) bool {
	return slices.ContainsFunc(l.Evidence, func(ev lessons.Evidence) bool {
		return ev.Agent == y.Name && ev.From == "import" && strings.TrimSpace(ev.Quote) == strings.TrimSpace(e.Quote)
	})
}

// Put adds a lesson that the store lacks. What somebody removed stays out until the lesson
// changes.
func (y *Sync) Put(l lessons.Lesson) {
	was, noted := y.Wrote(l.ID)
	switch {
	case l.Status != lessons.Approved && noted:
		y.plan.Note(l.ID, nil)
	case l.Status != lessons.Approved:
	case noted && y.Text != nil && was.Text == y.Text(l):
		y.plan.Lose(l.ID, "an entry of its own: it was taken out there")
	default:
		if key, text := y.Add(l); key != "" {
			y.note(l, key, text)
		}
	}
}

func (y *Sync) note(l lessons.Lesson, key, text string) {
	y.Held[l.ID] = true
	y.plan.Wrote(l, key, text)
}
