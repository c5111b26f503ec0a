package review

import (
	tea "charm.land/bubbletea/v2"

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

// opened is a card with what was read of its lesson.
func opened(c card.Card, m desk.OpenedMsg) card.Card {
	if m.Err != nil {
		c.Err = m.Err
		return c
	}
	c.Lesson, c.Whole, c.Similar, c.Against, c.Places, c.Err = m.Lesson, true, card.Alike(m.Lesson, m.Similar), m.Against, m.Places, nil
	c.Gone = m.Gone
	return c
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
func seenAround(p Review, msg tea.Msg) (Review, kit.Out) {
	switch m := msg.(type) {
	case reader.NearMsg:
		if m.Seq != p.Card.Seq {
			break
		}
		p.near, p.Card.Around = m.Near, m.Near
		if l := p.Card.Lesson; l.Status == lessons.Pending && len(l.Evidence) > 0 {
			return p, kit.Run(foresee(p.fx, m.Seq, l, promptsOf(m.Near.Said, l.Evidence[0].Line)))
		}
	case foreseenMsg:
		if m.seq == p.Card.Seq {
			p.Card.Ahead = m.ahead
		}
	}
	return p, kit.Out{}
}
