// Package curate is what a person does with a corpus of lessons: decide on one
// or on many, edit, merge, split, settle contradictions, go back. The faces of
// the program (verbs, the review desk) turn keys and flags into calls of this
// package and its answers into text; the rules are here, once:
//
//   - Only a person decides. A [Corpus] that is used in the session of a coding
//     agent refuses every decision with [ErrPerson], whichever face asks.
//   - A decision is made on what the person saw. A lesson that somebody else has
//     changed since is refused with [lessons.ErrConflict], and nothing is written.
//   - What must be looked at alone is never approved together with others, however
//     it was chosen: see [Corpus.DecideMany] and [Alone].
//   - Every decision is one step of undo, on all lessons it names or on none.
//   - What a person typed into an editor is kept until it is the lesson: see [Draft].
//
// It holds nothing of its own: lessons are in the store, what is derived from
// them in the index.
package curate

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/store"
)

// Errors that a face may want to tell apart.
var (
	ErrPerson  = errors.New("only a person decides")
	ErrNothing = errors.New("nothing to do")
)

// A Library is a store with its index, as it can be asked about by anybody. Store,
// Index and Now must be set, and none of the fields may change once it is in use. It
// is safe for use by several goroutines.
type Library struct {
	Store *store.Store
	Index *index.Index
	Now   func() time.Time // the clock
	Warn  func(error)      // is told what does not stop the work; nil tells nobody

	hasty bool // see Hasty
}

// A Corpus is a library and the person who decides on its lessons. By must be set,
// and what holds for the fields of a Library holds for these. It is safe for use by
// several goroutines.
type Corpus struct {
	Library
	By     string // the person who decides, as each decision records it
	Agent  string // the coding agent in whose session the program runs; "" for none
	Manner string // how decisions are made, for the journal; see [Manner]
	Drafts string // the folder for texts that are being edited
	Guards Guards // where guards come into force; nil where none can be chosen

	// Missing gives what a lesson names and its project no longer has; nil where nothing
	// is looked up. Who confirms a lesson says that it holds without.
	Missing func(lessons.Lesson) []string

	mu  sync.Mutex
	own map[lessons.ID]lessons.Rev // as last written through this Corpus
}

// Guards are those that are in force on this machine. A guard that came with a lesson
// from elsewhere is not among them.
type Guards interface {
	// Choose puts a lesson's guard in force.
	Choose(l lessons.Lesson, at time.Time) error
}

// MayDecide reports why the one who calls may not decide: it is [ErrPerson] in
// the session of an agent. The deed completes "an agent may not …", as in
// "approve lessons". Every decision of this package asks it; a face asks it
// early, before it reads or costs anything.
func (c *Corpus) MayDecide(deed string) error {
	if c.Agent == "" {
		return nil
	}
	return fmt.Errorf("%w: %s runs this command, and an agent may propose lessons but not %s", ErrPerson, c.Agent, deed)
}

func (c *Library) warn(err error) {
	if c.Warn != nil {
		c.Warn(err)
	}
}

// decision is what is recorded with each lesson that is decided on now.
func (c *Corpus) decision(reason string) lessons.Decision {
	return lessons.Decision{By: c.By, Reason: reason, At: c.Now()}
}

// put stores what a person decided as one step of undo. It is the only place of
// this package that writes lessons for a person.
func (c *Corpus) put(w store.Write, ls ...lessons.Lesson) ([]lessons.Lesson, error) {
	if err := c.MayDecide(string(w.Op) + " lessons"); err != nil {
		return nil, err
	}
	w.By, w.Undoable, w.How = c.By, true, c.Manner
	stored, err := c.Store.Put(w, ls...)
	if err != nil {
		return nil, err
	}
	c.wrote(stored...)
	return stored, nil
}

// wrote notes what this Corpus has written.
func (c *Corpus) wrote(ls ...lessons.Lesson) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.own == nil {
		c.own = map[lessons.ID]lessons.Rev{}
	}
	for _, l := range ls {
		c.own[l.ID] = l.Rev
	}
}

// Current reads a lesson from its file and checks that it is what the person
// saw, or what they have made of it through this Corpus since. Otherwise the
// error is [lessons.ErrConflict], or [lessons.ErrNotFound] when it is gone.
// Lessons of the index are not whole; what Current gives back is.
func (c *Corpus) Current(seen lessons.Lesson) (lessons.Lesson, error) {
	l, err := c.Store.Get(seen.ID)
	if err != nil {
		return l, fmt.Errorf("reading %s: %w", seen.ID, err)
	}
	c.mu.Lock()
	own, ok := c.own[l.ID]
	c.mu.Unlock()
	if l.Rev != seen.Rev && (!ok || own != l.Rev) {
		return l, fmt.Errorf("%s: %w", l.ID, lessons.ErrConflict)
	}
	return l, nil
}

// current reads several lessons by the rule of Current.
func (c *Corpus) current(seen []lessons.Lesson) ([]lessons.Lesson, error) {
	out := make([]lessons.Lesson, len(seen))
	for i, s := range seen {
		var err error
		if out[i], err = c.Current(s); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Counts reports that a lesson counts: it is a proposal, or sessions get it.
// Only such lessons can be duplicates of others or contradict them.
func Counts(l lessons.Lesson) bool {
	return l.Status == lessons.Pending || l.Status == lessons.Approved
}
