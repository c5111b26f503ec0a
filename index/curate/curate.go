// Package curate is what a person does with a corpus of lessons: decide on one or many,
// edit, merge, split, settle contradictions, go back. The faces of the program (verbs, the
// review desk) turn keys and flags into calls of this package and its answers into text.
// The rules are here, once:
//
//   - Only a person decides. A [Corpus] in the session of a coding agent refuses every
//     decision with [ErrPerson], whichever face asks.
//   - A decision is made on what the person saw. If somebody else has changed the lesson
//     since, it fails with [lessons.ErrConflict] and nothing is written.
//   - Some lessons are only approved one by one, however they were chosen: see
//     [Corpus.DecideMany] and [Alone].
//   - Every decision is one step of undo, on all the lessons it names or on none.
//   - What a person typed into an editor is kept until it is the lesson: see [Draft].
//
// The package keeps no state of its own: lessons are in the store, and what is derived from
// them is in the index.
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

// A Library is a store with its index, for questions that anybody may ask. Store, Index and
// Now must be set, and no field may change once it is in use. It is safe for concurrent
// use.
type Library struct {
	Store *store.Store
	Index *index.Index
	Now   func() time.Time // the clock
	Warn  func(error)      // gets errors that do not stop the work; nil drops them

	hasty bool // see Hasty
}

// A Corpus is a library and the person who decides on its lessons. By must be set;
// otherwise its fields follow the rules of Library's. It is safe for concurrent use.
type Corpus struct {
	Library
	By     string // the person, as recorded with each decision
	Agent  string // the coding agent whose session the program runs in; "" for none
	Manner string // how decisions are made, for the journal; see [Manner]
	Alone  bool   // no person is known to sit above the program, see [Seated]: what it decides waits
	Drafts string // the folder for texts that are being edited
	Guards Guards // where guards come into force; nil if none can be chosen

	// Missing returns what a lesson names and its project no longer has. Nil looks nothing
	// up. A person who confirms the lesson says that it holds without.
	Missing func(lessons.Lesson) []string

	mu  sync.Mutex
	own map[lessons.ID]lessons.Rev // revisions last written through this Corpus

	waits int // lessons that wait since [Corpus.Waits] was last asked
}

// Guards are the guards in force on this machine. A guard that came with a lesson from
// elsewhere is not among them.
type Guards interface {
	// Choose puts a lesson's guard in force.
	Choose(l lessons.Lesson, at time.Time) error
}

// MayDecide returns [ErrPerson] in the session of an agent, otherwise nil. The deed
// completes "an agent may not …", as in "approve lessons". Every decision of this package
// calls it; a face calls it early, before costly work.
func (c *Corpus) MayDecide(deed string) error {
	if c.Agent == "" {
		return nil
	}
	return fmt.Errorf("%w: %s runs this command, and an agent may propose lessons but not %s", ErrPerson, c.Agent, deed)
}

// MustSit returns [ErrPerson] unless a person is known to sit above the program. It is for
// deeds that cannot wait to be confirmed.
func (c *Corpus) MustSit(deed string) error {
	if err := c.MayDecide(deed); err != nil || !c.Alone {
		return err
	}
	return fmt.Errorf("%w: no terminal, login or editor of a person is known above this command (%s), and a program may not %s", ErrPerson, c.Manner, deed)
}

// Waits returns how many lessons were decided on by a program, and so wait, since it was
// last asked.
func (c *Corpus) Waits() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.waits
	c.waits = 0
	return n
}

func (c *Library) warn(err error) {
	if c.Warn != nil {
		c.Warn(err)
	}
}

// decision returns what is recorded with each lesson decided on now.
func (c *Corpus) decision(reason string) lessons.Decision {
	return lessons.Decision{By: c.By, Reason: reason, At: c.Now()}
}

// put stores a person's decision as one step of undo. Nothing else in this package writes
// lessons for a person. What a program decides by itself counts as written by another
// program, until a person confirms it.
func (c *Corpus) put(w store.Write, ls ...lessons.Lesson) ([]lessons.Lesson, error) {
	if err := c.MayDecide(string(w.Op) + " lessons"); err != nil {
		return nil, err
	}
	w.By, w.Undoable, w.How, w.Unconfirmed = c.By, true, c.Manner, c.Alone
	stored, err := c.Store.Put(w, ls...)
	if err != nil {
		return nil, err
	}
	c.wrote(stored...)
	return stored, nil
}

func (c *Corpus) wrote(ls ...lessons.Lesson) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.own == nil {
		c.own = map[lessons.ID]lessons.Rev{}
	}
	for _, l := range ls {
		if c.own[l.ID] = l.Rev; c.Alone && l.Outside {
			c.waits++
		}
	}
}

// Current reads a lesson from its file and checks that nobody else has changed it since the
// person saw it; changes through this Corpus are fine. The error is [lessons.ErrConflict],
// or [lessons.ErrNotFound] if it is gone. Unlike a lesson from the index, the result is
// whole.
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

// current is Current for several lessons.
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

// Counts reports whether a lesson is a proposal or given to sessions. Only such lessons can
// duplicate or contradict others.
func Counts(l lessons.Lesson) bool {
	return l.Status == lessons.Pending || l.Status == lessons.Approved
}
