package store

import (
	"errors"
	"os"
	"slices"
	"strings"

	"learnings/lessons"
	"learnings/lessons/file"
)

// A Health is how a corpus and its state are, as far as that can be told without
// changing either.
type Health struct {
	Known bool     // somebody has looked at the corpus on this machine; if not, the rest is empty
	Bad   []error  // a [*file.Error] for each file that is no lesson, and for each second one with an id
	News  int      // files that others have changed, and that the next call takes in
	Cut   bool     // the journal has a write that is not finished: one happens now, or a crash cut it short and the next write finishes it
	State error    // what is wrong with the state database
	Aside []string // see [Store.Aside]
	Size  int64    // of the database
	Busy  bool     // another process holds the lock

	at cursor
}

// Examine looks at a corpus and its state folder, and changes nothing: it leaves not even
// what spares the next look some work. Of the files it reads those that are broken, and
// those in folders that have changed; a deep look reads all of them and the journal.
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
	h.Known, h.Cut, h.at = t.epoch != "", t.cut, cursor{epoch: t.epoch, seq: t.seq + 1}
	if !h.Known && !deep {
		return h, nil
	}
	return h, h.files(s, t, deep)
}

// files looks at those of a store.
func (h *Health) files(s *Store, t *table, deep bool) error {
	v, err := s.tree.look(t, !deep)
	if err != nil {
		return err
	}
	h.News = len(v.news)
	all := v.all(t)
	var check []entry
	for _, e := range all {
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

// Lag is how many writes whoever is at a cursor has not taken in, as of the examination;
// false when that is of another journal, and they begin anew.
func (h Health) Lag(c lessons.Cursor) (writes int, ok bool) {
	p, err := parseCursor(c)
	if err != nil || p.epoch != h.at.epoch || p.seq > h.at.seq {
		return 0, false
	}
	return int(h.at.seq - p.seq), true
}
