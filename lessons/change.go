package lessons

import (
	"errors"
	"time"
)

// A Cursor is a place in the order of all changes to a corpus. It is opaque;
// "" is the beginning. Whoever follows a corpus keeps the cursor of the last
// change it has dealt with, and writes its own result first, so that a crash
// repeats work and loses none.
type Cursor string

// ErrCursor is what a log answers to a cursor that is not its own (the journal
// was deleted, or the corpus is another): whoever follows starts again from "".
var ErrCursor = errors.New("the cursor is not of this journal")

// A Change is one lesson as one write left it.
type Change struct {
	Cursor Cursor // of the place behind this change
	ID     ID
	Before *Lesson // nil when it is new, or when the order begins here
	After  *Lesson // nil when it is gone
	Op     string  // what was done: propose, approve, reject, edit, merge, undo, external, …
	By     string  // who did it
	At     time.Time
	Batch  uint64   // changes of one write share a number, and are undone together
	Turns  []uint64 // of an undo or redo: the batches that it took back or did again
}
