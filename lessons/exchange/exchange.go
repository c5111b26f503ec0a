// Package exchange moves lessons between the corpus and the stores of other programs.
//
// A [Format] is one kind of store, or a form for people. It detects what it can read, reads
// it as [Entry]s, lists what it cannot hold of a lesson, and plans a write. A [Plan] does
// nothing until it is applied: it can be shown first, it refuses to overwrite what somebody
// changed meanwhile, and it keeps a copy of what was there before.
//
// What a store holds beyond lessons stays: a format changes the entry of a lesson and
// leaves the rest of a file byte for byte as it was.
//
// Every store is hostile input. What is read is a proposal until a person decides.
package exchange

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"learnings/lessons"
)

// Errors that callers decide on.
var (
	// ErrFormat means that a path does not hold what the format expects. The file is left
	// as it is.
	ErrFormat = errors.New("cannot be read in this format")
	// ErrOneWay means that a format can only be read, or only be written.
	ErrOneWay = errors.New("goes only one way")
	// ErrChanged means that somebody changed a file between the plan and the write.
	ErrChanged = errors.New("was changed meanwhile")
)

// A Format is the store of one program, or a form for people. Its methods must be safe for
// concurrent use.
type Format interface {
	// Detect reports whether path, a file or a folder, is in this format. It looks at names
	// and the beginnings of files, and never fails.
	Detect(path string) bool

	// Read returns what is stored at path. Found.Unread lists parts that cannot be read;
	// the error means that nothing can. Read changes nothing and takes no lock.
	Read(ctx context.Context, path string) (Found, error)

	// Lacks lists in words what the format cannot hold of a lesson, such as "its
	// confidence".
	Lacks(l lessons.Lesson) []string

	// Plan plans how the store at to.Path comes to hold the lessons in addition to what it
	// holds: the entry of a lesson is changed or left, and missing ones are added. If a
	// lesson is not Approved its entry is removed, provided that the other program can
	// remove entries.
	Plan(ctx context.Context, to Target, ls []lessons.Lesson) (*Plan, error)
}

// A Found is the contents of a store.
type Found struct {
	Entries []Entry
	Unread  []Unread
}

// An Entry is one lesson of another program's store.
type Entry struct {
	// Lesson is the entry as a proposal: Pending, with an ID derived from the store and the
	// key, so that the same entry always is the same lesson.
	Lesson lessons.Lesson

	Key    string // the other program's key, such as "err-001"; unique in the store
	Place  string // where a person finds it, such as "errors.yaml:14"
	Active bool   // the other program gives it to its agents

	// Approved is an approval by somebody else, for a person who trusts them.
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

// A Target is where a plan writes.
type Target struct {
	Path string    // a file or a folder; it may not exist
	Now  time.Time // for what the other program dates

	// Ledger remembers which entry was made for which lesson. If nil, entries are found by
	// their text.
	Ledger *Ledger
}

// Lacks lists what a format cannot hold of a lesson, in words such as "its confidence".
type Lacks []string

// If adds a formatted item if is holds.
func (w *Lacks) If(is bool, format string, args ...any) {
	if is {
		*w = append(*w, fmt.Sprintf(format, args...))
	}
}

// Some names the first lessons of some.
func Some(ids []lessons.ID) string {
	const most = 5
	var out []string
	for _, id := range ids[:min(len(ids), most)] {
		out = append(out, string(id))
	}
	if len(ids) > most {
		out = append(out, "…")
	}
	return strings.Join(out, ", ")
}

// ID returns the id of the lesson for an entry. It depends only on the format, a stable
// name of the store, and the key.
func ID(format, store, key string) lessons.ID {
	return lessons.IDFrom("import", format, store, key)
}

// By returns the proposer of what a format read, for [lessons.Origin].
func By(format string) string { return "import:" + format }

// A Report says what became of the entries of a store.
type Report struct {
	Format, Path string

	New    []lessons.Lesson // as stored, or as they would be
	Known  []Recognised
	Raised []Raised
	Unread []Unread
	Places map[lessons.ID]string // where the store has each lesson that was read
	Dry    bool                  // nothing was stored
}

// Raised is an entry that was not imported because an approved lesson has its keywords; see
// [Affirmer].
type Raised struct {
	Lesson   lessons.Lesson // as the other store has it
	ID       lessons.ID     // of the lesson in the corpus
	From, To lessons.Confidence
}

// An Affirmer is a format whose program does not add a learning with the keywords of an
// existing one, but raises the confidence of that one. An import from it does the same.
type Affirmer interface{ Affirms() bool }

// A Holder is a format that can tell from the file itself whether it has a lesson. Other
// formats rely on the [Ledger].
type Holder interface {
	Holds(path string, l lessons.Lesson) bool
}

// Recognised is an entry that the corpus already has.
type Recognised struct {
	Lesson lessons.Lesson // as the other store has it
	ID     lessons.ID     // of the lesson in the corpus
	Status lessons.Status // of the lesson in the corpus; "" if it was just imported
}
