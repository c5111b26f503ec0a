package store

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"learnings/lessons"
	db "learnings/lessons/state"
)

// A table remembers each file of the corpus as it was last seen, so that a change by
// another program is noticed by size and time alone. It is in the database of the state
// folder. Without it, it is made anew from the files under another name (epoch), and
// whoever follows the corpus starts over.
type table struct {
	head
	db    db.DB
	err   error   // the first one of a query; whoever writes looks at it
	later []entry // what replaces rows of the database, by path and each once
	made  []entry // all entries, once they were asked for
}

// A head is where the journal ends.
type head struct {
	epoch string // of the table; "" for none
	seq   uint64 // of the last write that is done
	cut   bool   // there is one that is not done
}

// A corpusRow is what is kept of a corpus by name.
type corpusRow struct {
	Epoch string   `json:"epoch"`
	Full  int64    `json:"full"` // when the last look at all files began, in nanoseconds
	Odd   []string `json:"odd"`  // what is named like a lesson and is no plain file
}

const (
	keptCorpus = "corpus"
	keptAsked  = "asked-to-look" // when somebody was asked to look at all files
)

// An entry is one file.
type entry struct {
	found
	id      lessons.ID
	rev     lessons.Rev
	kind    kind
	outside bool // another program wrote it, and no person has decided on it since
	fresh   bool // so new when it was read that a later change could have left size and time the same
}

// A kind is what a file means to the corpus.
type kind string

const (
	good   kind = "g" // the file of its lesson
	broken kind = "b" // cannot be read; the id is the one it had before, or none
	double kind = "d" // has the id of another file
	gone   kind = "x" // only in a record: the file no longer exists
)

// settleTime is the coarsest time stamp of any file system (two seconds, on FAT). A
// file that changes within it after it was read may look unchanged.
const settleTime = 2 * time.Second

// headOf reads where the journal ends.
func headOf(t db.Tx) (h head, err error) {
	var c corpusRow
	if _, err = t.Get(keptCorpus, &c); err != nil {
		return h, err
	}
	h.epoch = c.Epoch
	err = t.Each(func(r *db.Rows) error {
		var last, cut uint64
		err := r.Scan(&last, &cut)
		if h.seq = last; cut > 0 {
			h.seq, h.cut = cut-1, true
		}
		return err
	}, "SELECT coalesce((SELECT max(seq) FROM writes), 0), coalesce((SELECT min(seq) FROM writes WHERE NOT done), 0)")
	return h, err
}

// entries reads those that a condition selects.
func (t *table) entries(where string, args ...any) (out []entry) {
	if t.epoch == "" {
		return nil
	}
	err := t.db.Each(func(r *db.Rows) error {
		var e entry
		err := r.Scan(&e.path, &e.id, &e.rev, &e.kind, &e.size, &e.mtime, &e.outside, &e.fresh)
		out = append(out, e)
		return err
	}, "SELECT path, id, rev, kind, size, mtime, outside, fresh FROM files "+where+" ORDER BY path", args...)
	t.err = cmp.Or(t.err, err)
	return out
}

// record puts records into the database.
func record(t db.Tx, records []entry) error {
	for _, e := range records {
		query, args := "DELETE FROM files WHERE path = ?", []any{e.path}
		if e.kind != gone {
			query = "INSERT OR REPLACE INTO files (path, id, rev, kind, size, mtime, outside, fresh) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
			args = append(args, string(e.id), string(e.rev), string(e.kind), e.size, e.mtime, e.outside, e.fresh)
		}
		if _, err := t.Exec(query, args...); err != nil {
			return err
		}
	}
	return nil
}

// with gives the table as it is once it has some records; of several with the same path
// the last one counts.
func (t *table) with(records []entry) *table {
	c := &table{head: t.head, db: t.db, err: t.err, later: merged(t.later, records, true)}
	if t.made != nil {
		c.made = merged(t.made, records, false)
	}
	return c
}

// merged puts records in place of entries. One that is gone stays as that, or goes.
func merged(entries, records []entry, keepGone bool) []entry {
	records = slices.Clone(records)
	slices.SortStableFunc(records, byPath)
	out := make([]entry, 0, len(entries)+len(records))
	for i, r := range records {
		if i+1 < len(records) && records[i+1].path == r.path {
			continue
		}
		k, same := slices.BinarySearchFunc(entries, r, byPath)
		out = append(out, entries[:k]...)
		if entries = entries[k:]; same {
			entries = entries[1:]
		}
		if keepGone || r.kind != gone {
			out = append(out, r)
		}
	}
	return append(out, entries...)
}

func byPath(a, b entry) int { return strings.Compare(a.path, b.path) }

// all gives every entry, by path.
func (t *table) all() []entry {
	if t.made == nil {
		t.made = merged(t.entries(""), t.later, false)
	}
	return t.made
}

// below gives the entries whose paths begin with one that ends in a slash.
func (t *table) below(prefix string) []entry {
	end := strings.TrimSuffix(prefix, "/") + "0" // which follows the slash
	i, _ := slices.BinarySearchFunc(t.later, entry{found: found{path: prefix}}, byPath)
	j, _ := slices.BinarySearchFunc(t.later, entry{found: found{path: end}}, byPath)
	return merged(t.entries("WHERE path > ? AND path < ?", prefix, end), t.later[i:j], false)
}

// of gives all entries with one of some ids, by path.
func (t *table) of(ids ...lessons.ID) []entry {
	list, err := json.Marshal(ids)
	t.err = cmp.Or(t.err, err)
	some := merged(t.entries("WHERE id IN (SELECT value FROM json_each(?))", string(list)), t.later, false)
	wanted := make(map[lessons.ID]bool, len(ids))
	for _, id := range ids {
		wanted[id] = true
	}
	return slices.DeleteFunc(some, func(e entry) bool { return !wanted[e.id] })
}

// find gives the file of an id: the good one, or else a broken one that had it.
func (t *table) find(id lessons.ID) (found entry, ok bool) {
	for _, e := range t.of(id) {
		if e.kind != double && found.kind != good {
			found = e
		}
	}
	return found, found.path != ""
}

// at gives the entry of a path.
func (t *table) at(path string) (entry, bool) {
	some := merged(t.entries("WHERE path = ?", path), t.later, false)
	i, ok := slices.BinarySearchFunc(some, entry{found: found{path: path}}, byPath)
	if !ok {
		return entry{}, false
	}
	return some[i], true
}

// known gives the table, or an empty one. A journal without a table is one that was taken
// over from an earlier version: the table is made first, because without it all lessons
// seem to come from outside.
func (s *Store) known() (*table, error) {
	t, err := s.read()
	if err != nil || t.epoch != "" || t.seq == 0 {
		return t, err
	}
	unlock, err := s.gate.tryLock()
	if err != nil || unlock == nil {
		return t, nil // somebody makes it now
	}
	defer unlock()
	if err := s.begin(); err != nil {
		return t, nil // as when the corpus is gone; whoever looks at it says so
	}
	return s.table, nil
}

// read gives the table as it is.
func (s *Store) read() (*table, error) {
	t := &table{db: s.db}
	err := s.db.View(func(tx db.Tx) (err error) { t.head, err = headOf(tx); return err })
	return t, err
}

func newName() string { return strings.ToLower(rand.Text()[:16]) }
