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

// This file takes what was read of the lesson on the card, and what was decided while it was
// read.

// opened takes what was read of the lesson on the card, and asks for the turns around its evidence.
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

// approveTyped approves a proposal with what was typed, and shows it as done.
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

// readOn does what a key of the queue is for, and goes on to the evidence of the next
// proposal when that has taken the lesson out of the queue.
func readOn(p Review, m desk.ReadOnMsg) (Review, kit.Out) {
	if l, ok := p.Current(); !ok || l.ID != m.ID {
		return p, kit.Warn("nothing was done: another proposal is under the cursor by now")
	}
	p.Queue = p.unmarked() // the key is for what is read
	p, o, _ := Keys().Press(p, m.Key)
	if l, ok := p.Current(); ok && l.ID != m.ID && o.Open == nil && len(o.Writes) > 0 && len(l.Evidence) > 0 {
		o = o.And(desk.Evidence(l))
	}
	return p, o
}

// seenAround takes the turns around the evidence, and asks what approving the lesson does:
// what the person asked for there are prompts that are real.
func (p Review) seenAround(near reader.Nearby) (Review, kit.Out) {
	p.near, p.Card.Around = near, near
	if l := p.Card.Lesson; l.Status == lessons.Pending && len(l.Evidence) > 0 {
		return p, kit.Run(foresee(p.fx, p.current, l, promptsOf(near.Said, l.Evidence[0].Line)))
	}
	return p, kit.Out{}
}
