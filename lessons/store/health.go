package store

import (
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"learnings/lessons"
	"learnings/lessons/file"
	db "learnings/lessons/state"
)

// A Health describes a corpus and its state database, as far as can be told without
// changing them.
type Health struct {
	Known   bool         // the corpus was scanned on this machine before; if not, the rest is empty
	Bad     []error      // a [*file.Error] for each invalid file and each duplicate id
	News    int          // files changed by others that the next call takes in
	Outside int          // active lessons that another program wrote and no person has decided on since
	Cut     bool         // the journal has an unfinished write: one is under way, or the next write completes it after a crash
	Left    []lessons.ID // lessons that are forgotten, and not wholly erased: see [Store.Unforgotten]
	Foreign time.Time    // when a decision was last found in the journal that this program did not make, and was not carried out
	State   error        // what is wrong with the state database
	Aside   []string     // see [Store.Aside]
	Size    int64        // of the database, in bytes
	Busy    bool         // another process holds the lock

	at cursor
}

// Examine checks a corpus and its state folder without changing anything, not even
// caches. It reads broken files and those in changed folders; a deep check reads all
// files and the journal.
func Examine(dir string, o Options, deep bool) (Health, error) {
	s, err := Open(dir, o)
	if err != nil {
		return Health{}, err
	}
	h := Health{State: s.db.Check(deep), Aside: s.Aside(), Busy: s.Contended()}
	if info, err := os.Stat(s.db.Path()); err == nil {
		h.Size = info.Size()
	}
	if h.State != nil {
		return h, nil
	}
	t, err := s.read()
	if err != nil {
		return h, err
	}
	h.Known, h.Cut, h.Left, h.at = t.epoch != "", t.cut, t.forgetting, cursor{epoch: t.epoch, seq: t.seq + 1}
	if _, err := s.db.Get(keptForeign, &h.Foreign); err != nil {
		return h, err
	}
	if !h.Known && !deep {
		return h, nil
	}
	return h, h.files(s, t, deep)
}

// files examines the files of a store.
func (h *Health) files(s *Store, t *table, deep bool) error {
	v, err := s.tree.look(t, !deep)
	if err != nil {
		return err
	}
	h.News = len(v.news)
	all := v.all(t)
	var check []entry
	for _, e := range all {
		if e.kind == good && e.outside && !strings.HasPrefix(e.path, ".") { // else a proposal, or laid by
			h.Outside++
		}
		if e.kind == double {
			h.Bad = append(h.Bad, doubled(e, all))
		} else if deep || e.kind == broken {
			check = append(check, e)
		}
	}
	for _, r := range s.tree.readEach(check) {
		if errors.As(r.err, new(*file.Error)) {
			h.Bad = append(h.Bad, r.err)
		}
	}
	for _, p := range v.Odd {
		h.Bad = append(h.Bad, notPlain(p))
	}
	slices.SortStableFunc(h.Bad, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return t.err
}

// Lag returns how many writes a follower at cursor c has not read yet, as of the
// examination. It returns false if c is of another journal, so that the follower starts
// over.
func (h Health) Lag(c lessons.Cursor) (writes int, ok bool) {
	p, err := parseCursor(c)
	if err != nil || p.epoch != h.at.epoch || p.seq > h.at.seq {
		return 0, false
	}
	return int(h.at.seq - p.seq), true
}

// keptMet is the key of whether a person has used the corpus on this machine.
const keptMet = "met"

// Meet notes that a person uses the corpus on this machine; see [Store.Met].
func (s *Store) Meet() error {
	if met, err := s.db.Get(keptMet, new(bool)); met || err != nil {
		return err
	}
	return s.db.Put(keptMet, true)
}

// Met reports whether a person has used the corpus on this machine: [Store.Meet] was called,
// or the journal has a decision that no program made.
func (s *Store) Met() (met bool, err error) {
	if met, err = s.db.Get(keptMet, new(bool)); met || err != nil {
		return met, err
	}
	err = s.db.View(func(t db.Tx) error {
		return t.Each(func(r *db.Rows) error { return r.Scan(&met) },
			"SELECT EXISTS (SELECT 1 FROM writes WHERE json_extract(value, '$.undoable') AND coalesce(json_extract(value, '$.how'), '') NOT LIKE ? || '%')", lessons.ByProgram)
	})
	return met, err
}
