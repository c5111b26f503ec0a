// Package exchange is how lessons come from the stores of other programs and go
// back to them.
//
// A [Format] is one such store, or a form for people. It detects what it can read,
// reads it as [Entry]s, says of a lesson what it cannot hold, and plans a write. A
// [Plan] does nothing until it is applied: it can be shown first, it refuses to
// write over what somebody changed meanwhile, and it keeps what was there before.
//
// What a store holds that a lesson does not stays with the store: formats change
// the entry of a lesson and leave the rest of a file byte for byte as it was.
//
// Every store is hostile input. What is read is a proposal until a person decides.
package exchange

import (
	"context"
	"errors"
	"fmt"
	"time"

	"learnings/lessons"
)

// Errors that callers decide on.
var (
	// ErrFormat says that a path does not hold what the format expects; the other
	// program's file is left as it is.
	ErrFormat = errors.New("cannot be read in this format")
	// ErrOneWay says that a format can only be read, or only be written.
	ErrOneWay = errors.New("goes only one way")
	// ErrChanged says that somebody changed a file between the plan and the write.
	ErrChanged = errors.New("was changed meanwhile")
)

// A Format is the store of one program, or a form for people. Its methods may be
// used by several goroutines.
type Format interface {
	// Detect reports whether path, a file or a folder, is in this format. It looks at
	// names and the beginnings of files, and never fails.
	Detect(path string) bool

	// Read gives what is stored at path. What cannot be read is in Found.Unread, and
	// the rest is read; the error is for a path of which nothing can be. It changes
	// nothing and takes no lock.
	Read(ctx context.Context, path string) (Found, error)

	// Lacks says in words what of a lesson the format cannot represent, such as
	// "its confidence"; nil for nothing.
	Lacks(l lessons.Lesson) []string

	// Plan says what is to be done so that the store at to.Path holds the lessons, in
	// addition to what it holds: an entry that was made of one of them is changed or
	// left, and the others are added. Those whose status is not Approved are taken
	// out again if they are there, where the other program can take out at all.
	Plan(ctx context.Context, to Target, ls []lessons.Lesson) (*Plan, error)
}

// A Found is what a store holds.
type Found struct {
	Entries []Entry
	Unread  []Unread
}

// An Entry is one lesson of another program's store.
type Entry struct {
	// Lesson is what it says, as a proposal: Pending, with an ID that follows from
	// the store and the key, so that the same entry is the same lesson each time.
	Lesson lessons.Lesson

	Key    string // by which the other program knows it, such as "err-001"; unique in the store
	Place  string // where a person finds it, such as "errors.yaml:14"
	Active bool   // the other program gives it to its agents

	// Approved is by whom somebody else let it count, for a person who trusts them.
	Approved lessons.Approval
}

// An Unread is a part of a store that could not be read.
type Unread struct {
	Path string
	Line int // from 1; 0 for the whole file
	Err  error
}

func (u Unread) Error() string {
	if u.Line > 0 {
		return fmt.Sprintf("%s:%d: %v", u.Path, u.Line, u.Err)
	}
	return fmt.Sprintf("%s: %v", u.Path, u.Err)
}

func (u Unread) Unwrap() error { return u.Err }

// A Target is where a plan is to write.
type Target struct {
	Path string    // a file or a folder; it may be missing
	Now  time.Time // for what the other program dates

	// Ledger remembers which entry was made of which lesson. It may be nil: then a
	// format finds entries by their text.
	Ledger *Ledger
}

// Lacks are what a format cannot hold of a lesson, in words such as "its confidence".
type Lacks []string

// If adds what is lacking when it is so.
func (w *Lacks) If(is bool, format string, args ...any) {
	if is {
		*w = append(*w, fmt.Sprintf(format, args...))
	}
}

// ID is the id of the lesson that an entry becomes: the same for the same store,
// by its format and a name of it that does not change, and the same key.
func ID(format, store, key string) lessons.ID {
	return lessons.IDFrom("import", format, store, key)
}

// By is who proposed what a format read, as [lessons.Origin] has it.
func By(format string) string { return "import:" + format }

// A Report is what became of the entries of a store.
type Report struct {
	Format, Path string

	New    []lessons.Lesson // as stored, or as they would be
	Known  []Recognised
	Raised []Raised
	Unread []Unread
	Places map[lessons.ID]string // of each lesson that was read: where it stands in the store
	Dry    bool                  // nothing was stored
}

// Raised is an entry that was not taken in because an approved lesson has its
// keywords; see [Affirmer].
type Raised struct {
	Lesson   lessons.Lesson // as the other store has it
	ID       lessons.ID     // of the lesson here
	From, To lessons.Confidence
}

// An Affirmer is a format whose program does not add a learning that has the
// keywords of one which is there, but is surer of that one. So does an import of it.
type Affirmer interface{ Affirms() bool }

// A Holder is a format that tells from the file itself whether it has a lesson. Of the
// others a [Ledger] remembers it.
type Holder interface {
	Holds(path string, l lessons.Lesson) bool
}

// Recognised is an entry that the corpus has.
type Recognised struct {
	Lesson lessons.Lesson // as the other store has it
	ID     lessons.ID     // of the lesson here
	Status lessons.Status // of the lesson here; "" when it came in just now
}
