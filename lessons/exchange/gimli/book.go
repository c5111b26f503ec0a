package gimli

import (
	"time"

	"learnings/lessons"
	"learnings/lessons/exchange"
)

// A book is a store in memory. Edits change only its bytes; items stay as they were read.
type book interface {
	holds() *contents
	lacks(l lessons.Lesson) []string                                 // what an item cannot hold
	text(l lessons.Lesson) string                                    // of an item for a lesson
	state(l lessons.Lesson) string                                   // of an added item
	upToDate(i int, l lessons.Lesson) bool                           // whether an item says what the lesson says
	set(i int, l lessons.Lesson, now time.Time) (base, state string) // makes it say so
	add(l lessons.Lesson, now time.Time) (base, state string)
	drop(i int, now time.Time) bool // removes an item, unless more than the item would go
	bytes(now time.Time) []byte     // of the file, with all changes
}

// contents are the parsed contents of a store.
type contents struct {
	items []item
	bad   []exchange.Unread
	owner string // the agent named in the file; "" for none
}

func (c *contents) holds() *contents { return c }

// agent returns the agent of a file.
func (c *contents) agent(f file) string {
	if f.agent == "" && c.owner != "" {
		return AgentID(c.owner)
	}
	return f.agent
}

// id returns the id of the lesson for an item.
func (c *contents) id(f file, it item) lessons.ID { return exchange.ID(Name, c.agent(f), it.key) }

func (c *contents) fail(line int, err error) {
	c.bad = append(c.bad, exchange.Unread{Line: line, Err: err})
}

// An item is one entry of a store.
type item struct {
	key      string // the other program's key; unique in the store
	base     string // the ledger's key
	category string
	text     string // of the entry
	state    string // everything written from a lesson, to detect changes by others
	line     int    // from 1
	active   bool
	lesson   lessons.Lesson // the item as a lesson
}
