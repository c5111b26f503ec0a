package review

import (
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/desk"
	"learnings/tui/kit"
)

// undone removes what a redo decided again. What an undo brought back appears once the
// index has it.
func (p Review) undone(m desk.UndoneMsg) (Review, kit.Out) {
	if m.Err != nil {
		return p, kit.Out{}
	}
	p.checks.old = true
	p.turned, p.clusters.set = desk.Chosen{}, nil // lessons told apart may be alike again
	p.load.awaited = kit.Own(p.load.awaited)
	for _, c := range m.Changes {
		p.Queue = p.back(c.ID)
		delete(p.load.awaited, c.ID)
		i := p.find(c.ID)
		was, here := p.get(c.ID)
		switch pending := c.After != nil && c.After.Status == lessons.Pending && !c.After.Snoozed(p.fx.Now()); {
		case pending && i >= 0 && p.Lane != curate.Duplicates:
			p.Queue = p.set(i, *c.After)
		case pending:
			p.Queue = p.brought(c.ID)
			p.clusters = p.clusters.with(*c.After)
			p.decidedOn = max(p.decidedOn-1, 0)
			if p.load.awaited[c.ID] = true; p.load.back == "" {
				p.load.back = c.ID
			}
		case here:
			p.Queue = p.Without([]lessons.Lesson{was})
		}
	}
	p, o := p.look()
	p.load.again = p.load.again || p.filter.Query != "" // only the index knows whether the filter matches
	if !p.load.asking {
		return p, o
	}
	p, again := p.Start()
	return p, o.And(again)
}
