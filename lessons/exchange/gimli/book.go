package gimli

import (
	"time"

	"learnings/lessons"
	"learnings/lessons/exchange"
)

// A book is one store, read. What is changed of it is in bytes alone: items stay as
// they were read.
type book interface {
	items() []item
	lesson(i int) lessons.Lesson // what an item says
	agent(f file) string
	unread(path string) []exchange.Unread

	lacks(l lessons.Lesson) []string                                 // what an item does not hold
	text(l lessons.Lesson) string                                    // of an item for a lesson
	state(l lessons.Lesson) string                                   // of one that is added
	upToDate(i int, l lessons.Lesson) bool                           // an item says what a lesson says
	set(i int, l lessons.Lesson, now time.Time) (base, state string) // makes it do so
	add(l lessons.Lesson, now time.Time) (base, state string)
	drop(i int, now time.Time) bool // takes one out, unless more than the item would go
	bytes(now time.Time) []byte     // of the file, after what was changed
}

// An item is one entry of a store.
type item struct {
	key      string // by which the other program knows it; unique in the store
	base     string // by which the ledger knows it
	category string
	text     string // of the entry
	state    string // all that is written of a lesson, to see whether somebody changed it
	line     int    // from 1
	active   bool
}
