package extractor

import (
	"slices"
	"time"

	"learnings/extractor/transcript"
	"learnings/lessons"
	"learnings/lessons/proof"
)

// This file finds the lessons that a session was given: the block that we give names them.
// It counts only where a harness put it into the transcript, because a page that an agent
// reads can hold such a block too.

// A Given is a lesson that a session was given.
type Given struct {
	ID   lessons.ID
	At   time.Time // zero if the transcript does not say
	Line int       // of the transcript, from 1
}

// A Reply is what a person said to an agent that had been given lessons. It may be
// about one of them.
type Reply struct {
	Lesson lessons.Lesson // the finished proposal made of it
	Given  []lessons.ID   // before it was said
}

// maxGiven is the most lessons kept of one transcript. A session is given about five,
// and again after each compaction.
const maxGiven = 100

// give notes the lessons that a turn gave.
func (p *pass) give(t transcript.Turn) {
	if t.Speaker != transcript.Harness || t.Sidechain {
		return
	}
	for _, id := range proof.InBlocks(t.Text) {
		known := slices.ContainsFunc(p.given, func(g Given) bool { return g.ID == id })
		if known || len(p.given) >= maxGiven {
			continue
		}
		g := Given{ID: id, At: t.At, Line: t.Line}
		p.given = append(p.given, g)
		p.batch.Given = append(p.batch.Given, g)
	}
}

// givenBefore restores what the mark says was given.
func (p *pass) givenBefore(ids []string) {
	for _, id := range ids {
		p.given = append(p.given, Given{ID: lessons.ID(id)})
	}
}

// givenIDs returns the ids of all given lessons, for the mark.
func (p *pass) givenIDs() []string {
	var out []string
	for _, g := range p.given {
		out = append(out, string(g.ID))
	}
	return out
}

// reply collects the proposals that came from a person's answer after lessons had been
// given.
func (p *pass) reply() {
	for _, l := range p.batch.Lessons {
		i := slices.IndexFunc(l.Evidence, func(e lessons.Evidence) bool { return e.By == lessons.ByPerson && len(e.Before) > 0 })
		if i < 0 {
			continue
		}
		var ids []lessons.ID
		for _, g := range p.given {
			if g.Line < l.Evidence[i].Line {
				ids = append(ids, g.ID)
			}
		}
		if len(ids) > 0 {
			p.batch.Replies = append(p.batch.Replies, Reply{Lesson: l, Given: ids})
		}
	}
}
