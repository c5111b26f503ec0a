package gimli

import (
	"time"

	"learnings/lessons"
	"learnings/lessons/exchange"
)

// A book is one store, read. Only its bytes are changed: items stay as they were read.
type book interface {
	holds() *contents
	lacks(l lessons.Lesson) []string                                 // what an item does not hold
	text(l lessons.Lesson) string                                    // of an item for a lesson
	state(l lessons.Lesson) string                                   // of one that is added
	upToDate(i int, l lessons.Lesson) bool                           // an item says what a lesson says
	set(i int, l lessons.Lesson, now time.Time) (base, state string) // makes it do so
	add(l lessons.Lesson, now time.Time) (base, state string)
	drop(i int, now time.Time) bool // takes one out, unless more than the item would go
	bytes(now time.Time) []byte     // of the file, after what was changed
}

// contents are what a store says.
type contents struct {
	items []item
	bad   []exchange.Unread
	owner string // the agent that the file names; "" for none
}

func (c *contents) holds() *contents { return c }

// agent is the agent of a file.
func (c *contents) agent(f file) string {
	if f.agent == "" && c.owner != "" {
		return AgentID(c.owner)
	}
	return f.agent
}

// id is the id of the lesson that an item becomes.
func (c *contents) id(f file, it item) lessons.ID { return exchange.ID(Name, c.agent(f), it.key) }

func (c *contents) fail(line int, err error) {
	c.bad = append(c.bad, exchange.Unread{Line: line, Err: err})
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
	lesson   lessons.Lesson // what it says
}
