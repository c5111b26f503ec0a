package store

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"learnings/lessons"
	"learnings/lessons/file"
	db "learnings/lessons/state"
)

// A journal records each write of a corpus. A write is on disk before the first of its
// files is touched, so that the next writer can finish it after a crash.
//
// It holds the text of every file before and after each write, for undo and history. It
// grows with every write; only [Store.Forget] removes anything.
type journal struct{ db db.DB }

// A write changes files, all or none.
type write struct {
	Seq      uint64     `json:"seq"`
	At       time.Time  `json:"at"`
	Op       lessons.Op `json:"op"`
	By       string     `json:"by,omitempty"`
	Why      string     `json:"why,omitempty"`
	How      string     `json:"how,omitempty"`
	Session  string     `json:"session,omitempty"`
	Undoable bool       `json:"undoable,omitempty"`
	Undoes   []uint64   `json:"undoes,omitempty"` // writes that this one undoes, newest first
	Redoes   []uint64   `json:"redoes,omitempty"` // writes that this one redoes, oldest first
	Files    []fileStep `json:"files,omitempty"`
}

// A fileStep is the change of one lesson's file in a write.
type fileStep struct {
	ID     lessons.ID `json:"id"`
	Before *state     `json:"before,omitempty"` // nil if the file is new
	After  *state     `json:"after,omitempty"`  // nil if the file is removed
	Seal   int64      `json:"seal,omitempty"`   // by which this program knows that it wrote the step
}

// A state is a file at one time. Its text is empty if it was never read, as before a
// change by another program.
type state struct {
	Path string      `json:"path"`
	Rev  lessons.Rev `json:"rev"`
	Text string      `json:"text,omitempty"`

	// Outside says that another program wrote the text and no person has decided on it
	// since. Journals from before version 0.6 never set it.
	Outside bool `json:"outside,omitempty"`
}

// is reports whether two states are the same file.
func (st state) is(o state) bool {
	return st.Path == o.Path && st.Rev == o.Rev && st.Outside == o.Outside
}

// lesson decodes a state; nil if there is none or it is broken.
func (st *state) lesson(id lessons.ID) *lessons.Lesson {
	if st == nil || st.Text == "" {
		return nil
	}
	l, err := file.DecodeAt(st.Path, []byte(st.Text), id)
	if err != nil {
		return nil
	}
	l.ID, l.Rev, l.Outside = id, st.Rev, st.Outside
	return &l
}

// errStop ends a walk early without an error.
var errStop = errors.New("stop")

func stopped(err error) error {
	if errors.Is(err, errStop) {
		return nil
	}
	return err
}

// What seals are of.
const (
	sealFile    = "file"
	sealStep    = "step"
	sealJournal = "journal"
)

// seal returns the seal of a step of a write.
func (f fileStep) seal(d db.DB, seq uint64) int64 {
	words := []string{sealStep, fmt.Sprint(seq), string(f.ID)}
	for _, st := range []*state{f.Before, f.After} {
		st = cmp.Or(st, &state{})
		words = append(words, st.Path, string(st.Rev), fmt.Sprint(st.Outside))
	}
	return d.Seal(words...)
}

// keptSealed is the key of the [began] of a journal.
const keptSealed = "sealed"

// A began says from when on the steps of a journal have seals: those up to Seq are from
// before there was a key, or were copied with the corpus.
type began struct {
	Seq  uint64 `json:"seq"`
	Seal int64  `json:"seal"`
}

// ours returns a function that reports whether this program wrote a step.
func (j journal) ours() func(w write, f fileStep) bool {
	var b began
	if _, err := j.db.Get(keptSealed, &b); err != nil || b.Seal != j.db.Seal(sealJournal, fmt.Sprint(b.Seq)) {
		b.Seq = 0
	}
	return func(w write, f fileStep) bool {
		return w.Seq <= b.Seq || f.Seal != 0 && f.Seal == f.seal(j.db, w.Seq) && (f.After == nil || f.After.Text == "" || revOf([]byte(f.After.Text)) == f.After.Rev)
	}
}

// seal has the steps of the journal so far count as this program's.
func (j journal) seal(t db.Tx) error {
	var last uint64
	err := t.Each(func(r *db.Rows) error { return r.Scan(&last) }, "SELECT coalesce(max(seq), 0) FROM writes")
	if err != nil {
		return err
	}
	return t.Put(keptSealed, began{last, j.db.Seal(sealJournal, fmt.Sprint(last))})
}

// journaled inserts a write into the journal.
func journaled(d db.DB, t db.Tx, w write, done bool) error {
	files := w.Files
	w.Files = nil
	value, err := json.Marshal(w)
	if err != nil {
		return err
	}
	if _, err := t.Exec("INSERT INTO writes (seq, done, value) VALUES (?, ?, ?)", w.Seq, done, string(value)); err != nil {
		return err
	}
	for n, f := range files {
		f.Seal = f.seal(d, w.Seq)
		if value, err = json.Marshal(f); err == nil {
			_, err = t.Exec("INSERT INTO steps (seq, n, lesson, value) VALUES (?, ?, ?, ?)", w.Seq, n, string(f.ID), string(value))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// takeBack removes an unfinished write from the journal.
func (j journal) takeBack(seq uint64) error {
	return j.db.Durably(func(t db.Tx) error { return remove(t, seq) })
}

func remove(t db.Tx, seq uint64) error {
	for _, query := range []string{"DELETE FROM steps WHERE seq = ?", "DELETE FROM writes WHERE seq = ?"} {
		if _, err := t.Exec(query, seq); err != nil {
			return err
		}
	}
	return nil
}

// writes calls fn with the writes that a condition selects, without their files.
func (j journal) writes(fn func(write) error, where string, args ...any) error {
	return stopped(j.db.Each(func(r *db.Rows) error {
		var value []byte
		var w write
		err := r.Scan(&value)
		if err == nil {
			err = json.Unmarshal(value, &w)
		}
		if err != nil {
			return err
		}
		return fn(w)
	}, "SELECT value FROM writes "+where, args...))
}

// steps calls fn with the steps that a condition selects, each with its write, its number
// in the write, and whether it is the last one there.
func (j journal) steps(fn func(w write, f fileStep, n int, last bool) error, rest string, args ...any) error {
	return stopped(j.db.Each(func(r *db.Rows) error {
		var head, value []byte
		var w write
		var f fileStep
		var n int
		var last bool
		err := r.Scan(&head, &value, &n, &last)
		if err == nil {
			err = errors.Join(json.Unmarshal(head, &w), json.Unmarshal(value, &f))
		}
		if err != nil {
			return err
		}
		return fn(w, f, n, last)
	}, `SELECT writes.value, steps.value, n, n = (SELECT max(n) FROM steps AS s WHERE s.seq = steps.seq)
		FROM steps JOIN writes ON writes.seq = steps.seq `+rest, args...))
}

// whole loads the files of a write.
func (j journal) whole(w write) (write, error) {
	err := j.steps(func(_ write, f fileStep, _ int, _ bool) error {
		w.Files = append(w.Files, f)
		return nil
	}, "WHERE steps.seq = ? ORDER BY n", w.Seq)
	return w, err
}
