package review

import (
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/card"
	"learnings/tui/decide"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/reader"
)

// This file handles lessons that were read for the card, and decisions made in a reader.

// opened puts a lesson on the card and reads the turns around its evidence.
func (p Review) opened(m desk.Opened) (Review, kit.Out) {
	if m.Err != nil {
		p.Card.Err = m.Err
		return p, kit.Out{}
	}
	m = p.SeenFresh(m)
	c := &p.Card
	c.Lesson, c.Whole, c.Similar, c.Against, c.Places, c.Err = m.Lesson, true, card.Alike(m.Lesson, m.Similar), m.Against, m.Places, nil
	c.Gone = m.Gone
	if p.Cur.At < len(p.Rows) && p.Rows[p.Cur.At].ID == m.Lesson.ID {
		p.Queue = p.set(p.Cur.At, m.Lesson)
	}
	return p, kit.Run(reader.ReadNear(p.current, m.Lesson, Review.seenAround))
}

// approveTyped approves a proposal with the typed text, and shows that as done.
func approveTyped(p Review, m decide.ApproveTextMsg) (Review, kit.Out) {
	if o, asked := m.Asked(p.fx); asked {
		return p, o
	}
	c := desk.Only(m.Lesson)
	p.last, p.turned = curate.Approve, desk.Chosen{}
	p, o := p.made(decide.ApproveText(p.fx, m.Edit, m.Edited, c), c.Ls)
	if l, ok := p.Current(); ok && m.Reader && len(l.Evidence) > 0 {
		o = o.And(desk.Evidence(l))
	}
	return p, o
}

// readOn applies a key of the queue to the lesson in a reader. If the lesson leaves the
// queue, it opens the evidence of the next proposal.
func readOn(p Review, m desk.ReadOnMsg) (Review, kit.Out) {
	if l, ok := p.Current(); !ok || l.ID != m.ID {
		return p, kit.Warn("nothing was done: another proposal is under the cursor by now")
	}
	p.Queue = p.unmarked() // the key acts on the lesson in the reader
	p, o, _ := Keys().Press(p, m.Key)
	if l, ok := p.Current(); ok && l.ID != m.ID && o.Open == nil && len(o.Writes) > 0 && len(l.Evidence) > 0 {
		o = o.And(desk.Evidence(l))
	}
	return p, o
}

// seenAround takes the turns around the evidence and computes the effect of approving the
// lesson, with the person's requests there as real prompts.
func (p Review) seenAround(near reader.Nearby) (Review, kit.Out) {
	p.near, p.Card.Around = near, near
	if l := p.Card.Lesson; l.Status == lessons.Pending && len(l.Evidence) > 0 {
		return p, kit.Run(foresee(p.fx, p.current, l, promptsOf(near.Said, l.Evidence[0].Line)))
	}
	return p, kit.Out{}
}
