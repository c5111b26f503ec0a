package store

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"strings"
	"time"

	"learnings/lessons"
	db "learnings/lessons/state"
)

// A table is a cache of each file of the corpus as last seen, so that size and time show
// changes by other programs. It is in the state database. If it is lost it is rebuilt
// from the files under another name (epoch), and all followers start over.
type table struct {
	head
	corpusRow
	forgetting []lessons.ID // see [keptForgetting]

	db  db.DB
	err error // the first error of a query; writers check it
}

// A head is the end of the journal.
type head struct {
	epoch string // of the table; "" for none
	seq   uint64 // of the last finished write
	cut   bool   // there is an unfinished write
}

// A corpusRow is the stored state of a corpus.
type corpusRow struct {
	Epoch   string   `json:"epoch"`
	Full    int64    `json:"full"`              // when the last full scan began, in nanoseconds
	Folders uint64   `json:"folders,omitempty"` // the sum of all folders whose files are in the table; 0 if unknown
	Odd     []string `json:"odd"`               // named like a lesson but not a regular file
}

const (
	keptCorpus = "corpus"
	keptAsked  = "asked-to-look" // when a full scan was last requested
)

// An entry is one file.
type entry struct {
	found
	id      lessons.ID
	rev     lessons.Rev
	kind    kind
	outside bool // another program wrote it, and no person has decided on it since
	fresh   bool // so new when read that a later change could leave size and time the same
}

// A kind is the role of a file in the corpus.
type kind string

const (
	good   kind = "g" // the file of its lesson
	broken kind = "b" // cannot be read; has its previous id or none
	double kind = "d" // has the id of another file
	gone   kind = "x" // only in a record: the file no longer exists
)

// settleTime is the coarsest time stamp of any file system (two seconds, on FAT). A file
// changed within it after a read may look unchanged.
const settleTime = 2 * time.Second

// read reads the end of the journal and the stored state of the corpus.
func (s *Store) read() (*table, error) {
	t := &table{db: s.db}
	err := s.db.View(t.load)
	return t, err
}

func (t *table) load(tx db.Tx) error {
	if _, err := tx.Get(keptCorpus, &t.corpusRow); err != nil {
		return err
	}
	t.epoch = t.Epoch
	return tx.Each(func(r *db.Rows) error {
		var last, cut uint64
		var forgetting []byte
		if err := r.Scan(&last, &cut, &forgetting); err != nil {
			return err
		}
		if t.seq = last; cut > 0 {
			t.seq, t.cut = cut-1, true
		}
		return json.Unmarshal(forgetting, &t.forgetting)
	}, `SELECT coalesce((SELECT max(seq) FROM writes), 0), coalesce((SELECT min(seq) FROM writes WHERE NOT done), 0),
		coalesce((SELECT value FROM kept WHERE name = ?), 'null')`, keptForgetting)
}

// known returns the table, or an empty one. A write that a crash cut short is finished
// first, so that nobody decides on what the next write would change. After a takeover from
// an earlier version there is a journal but no table: it is rebuilt first, because without
// it all lessons seem to come from outside.
func (s *Store) known() (*table, error) {
	t, err := s.read()
	if err != nil || !t.cut && (t.epoch != "" || t.seq == 0) {
		return t, err
	}
	unlock, err := s.gate.tryLock()
	if err != nil || unlock == nil {
		return t, nil // another process is writing
	}
	defer unlock()
	if err := s.begin(); err != nil {
		return t, nil // the corpus may be gone; a scan reports that
	}
	return s.table, nil
}

// entries returns the entries that a condition selects, in path order.
func (t *table) entries(where string, args ...any) (out []entry) {
	return t.entriesOf(where, func(e entry, seal int64) bool {
		return seal != t.db.Seal(sealFile, string(e.id), string(e.rev))
	}, args...)
}

// entriesOf is entries, with what tells whether a file is from outside by its seal.
func (t *table) entriesOf(where string, outside func(entry, int64) bool, args ...any) (out []entry) {
	if t.epoch == "" {
		return nil
	}
	err := t.db.Each(func(r *db.Rows) error {
		var e entry
		var seal int64
		err := r.Scan(&e.path, &e.id, &e.rev, &e.kind, &e.size, &e.mtime, &seal, &e.fresh)
		e.outside = outside(e, seal)
		out = append(out, e)
		return err
	}, "SELECT path, id, rev, kind, size, mtime, outside, fresh FROM files "+where+" ORDER BY path", args...)
	t.err = cmp.Or(t.err, err)
	return out
}

// of returns the entries of some ids, in path order.
func (t *table) of(ids ...lessons.ID) []entry {
	list, err := json.Marshal(ids)
	t.err = cmp.Or(t.err, err)
	return t.entries("WHERE id IN (SELECT value FROM json_each(?))", string(list))
}

// find returns the file of an id, see [fileOf].
func (t *table) find(id lessons.ID) (entry, bool) { return fileOf(id, t.of(id)) }

// fileOf returns the file of an id: the good one, or else a broken one that had it.
func fileOf(id lessons.ID, entries []entry) (found entry, ok bool) {
	for _, e := range entries {
		if e.id == id && e.kind != double && found.kind != good {
			found = e
		}
	}
	return found, found.path != ""
}

// record stores records in the database. The column outside has a seal for a file that is
// not from outside, so that no other program can say so.
func record(d db.DB, t db.Tx, records []entry) error {
	for _, e := range records {
		query, args := "DELETE FROM files WHERE path = ?", []any{e.path}
		if e.kind != gone {
			query = "INSERT OR REPLACE INTO files (path, id, rev, kind, size, mtime, outside, fresh) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
			seal := int64(1)
			if !e.outside {
				seal = d.Seal(sealFile, string(e.id), string(e.rev))
			}
			args = append(args, string(e.id), string(e.rev), string(e.kind), e.size, e.mtime, seal, e.fresh)
		}
		if _, err := t.Exec(query, args...); err != nil {
			return err
		}
	}
	return nil
}

func newName() string { return strings.ToLower(rand.Text()[:16]) }
