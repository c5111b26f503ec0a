package tui

import (
	"slices"

	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
)

// Undoable is what undo will take back, as far as that is known: it is shown as taken back
// at once, as a decision is shown as made, while the store still writes.
type undoable struct {
	made  [][]lessons.Lesson // by each of the last decisions, the newest last: as they were in the queue
	ahead [][]lessons.Lesson // shown again, the oldest first; their undo is under way
}

// after is with what an update asks to be written. A write that does more than take
// lessons out of the queue, and one of another screen, hides what was done before it.
func (s undoable) after(o out) undoable {
	switch {
	case len(o.writes) == 0 || o.foreseen:
	case len(o.writes) == 1 && len(o.gone) > 0:
		s.made = append(slices.Clip(s.made), o.gone)
	default:
		s.made = nil
	}
	return s
}

// undo takes back what was done last. Where that is a decision in the queue that is
// shown, the lessons are there again at once.
func (p review) undo() (review, out) {
	o := out{writes: []job{p.fx.undo()}}
	n := len(p.undoable.made) - 1
	if n < 0 || p.lane == curate.Duplicates || p.load.of.query != "" || p.filter.query != "" {
		return p, o
	}
	ls := p.undoable.made[n]
	p.undoable = undoable{p.undoable.made[:n:n], append(slices.Clip(p.undoable.ahead), ls)}
	p.turned = chosen{}
	p.queue = p.back(ids(ls)...).restore(ls, p.load.of.order == index.Queue)
	p.decidedOn = max(p.decidedOn-len(ls), 0)
	p.card = card{lesson: p.rows[p.cur.at], seq: p.card.seq + 1, diff: p.card.diff} // the rest is read when it is stored
	o.foreseen = true
	return p, o
}

// expected reports whether the undo was of what is shown again already. Where something
// else was taken back, by whichever way, all that is only shown goes again.
func (p review) expected(m undoneMsg) (review, bool) {
	if len(p.undoable.ahead) == 0 {
		return p, false
	}
	var of []lessons.ID
	for _, c := range m.changes {
		of = append(of, c.ID)
	}
	slices.Sort(of)
	if m.err == nil && m.op == "undo" && slices.Equal(of, slices.Sorted(slices.Values(ids(p.undoable.ahead[0])))) {
		p.undoable.ahead = p.undoable.ahead[1:]
		return p, true
	}
	for _, ls := range p.undoable.ahead {
		p.queue = p.without(ls)
		p.decidedOn += len(ls)
	}
	p.undoable = undoable{}
	return p, false
}

// undone shows what an undo has brought back, and takes out what a redo decided
// again.
func (p review) undone(m undoneMsg) (review, out) {
	shown := len(p.undoable.ahead)
	p, expected := p.expected(m)
	if m.err != nil && shown > 0 {
		return p.look()
	} else if m.err != nil {
		return p, out{}
	}
	if expected {
		p.card = card{lesson: p.card.lesson, seq: p.card.seq + 1, diff: p.card.diff} // read it now
		p.card.lesson.Rev = ""
	}
	p.checks.old = true
	p.turned, p.clusters.set = chosen{}, nil // what was told apart may be alike again
	var came []lessons.Lesson
	p.later.asked = false
	for _, c := range m.changes {
		p.came = p.came.step(c.Before, c.After)
		p.queue = p.back(c.ID)
		i := p.find(c.ID)
		was, here := p.get(c.ID)
		pending := c.After != nil && c.After.Status == lessons.Pending && !c.After.Snoozed(p.fx.Now())
		switch {
		case pending && i >= 0 && p.lane != curate.Duplicates:
			p.queue = p.set(i, *c.After)
		case pending && expected && here: // in another lane, as it was
		case pending:
			came = append(came, *c.After)
			if !expected {
				p.decidedOn = max(p.decidedOn-1, 0)
			}
		case expected && c.After != nil && isActive(*c.After): // out of date, as it was
		case here:
			p.queue = p.without([]lessons.Lesson{was})
		}
	}
	p.queue = p.restore(came, p.load.of.order == index.Queue)
	p, o := p.look()
	p.load.again = p.filter.query != "" // only the index knows whether it matches
	if !p.load.asking {
		return p, o
	}
	p, again := p.start()
	return p, o.and(again)
}

func ids(ls []lessons.Lesson) []lessons.ID {
	all := make([]lessons.ID, len(ls))
	for i, l := range ls {
		all[i] = l.ID
	}
	return all
}
