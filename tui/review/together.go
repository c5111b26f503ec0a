package review

import (
	"cmp"
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/decide"
	"learnings/tui/desk"
	"learnings/tui/kit"
)

// This file decides on all proposals of a session at once.

// mostOfSession is how many proposals of a session are listed.
const mostOfSession = 500

// sessionOf returns the session that first taught a lesson; "" for none.
func sessionOf(l lessons.Lesson) string {
	for _, e := range l.Evidence {
		if e.Session != "" {
			return e.Session
		}
	}
	return ""
}

// waitingOf finds the pending proposals of a session.
func waitingOf(fx desk.Desk, session string) kit.Job {
	return func(ctx context.Context) tea.Msg {
		q := curate.Waiting(index.Query{Limit: mostOfSession, Now: fx.Now()}).Where(index.Session, session)
		page, err := fx.Look.Search(ctx, q)
		return kit.Then[Review](func(p Review) (Review, kit.Out) { return listed(p, page.Shown(), err) })
	}
}

// listed asks whether to reject or approve the proposals of a session, except those the
// person leaves out.
func listed(p Review, ls []lessons.Lesson, err error) (Review, kit.Out) {
	if err != nil {
		return p, kit.Warn("the proposals of the session could not be read: %v", err)
	}
	ls = slices.DeleteFunc(ls, p.isAway)
	if len(ls) == 0 {
		return p, kit.Say("nothing else of this session waits")
	}
	slices.SortStableFunc(ls, func(a, b lessons.Lesson) int { // in the order of the queue, the current lane first
		rank := func(l lessons.Lesson) int {
			if _, lane := p.laneOf(&l); lane != p.Lane {
				return 1 + slices.Index(lessons.QueueLanes, lane)
			}
			return 0
		}
		return cmp.Or(cmp.Compare(rank(a), rank(b)), lessons.InQueue(a, b))
	})
	d, o := together(p.fx, ls, curate.Reject.Assuming(p.given.Usual), curate.Approve)
	if l, ok := p.Current(); ok {
		d.Cur = d.Cur.To(max(0, slices.IndexFunc(d.May, func(o lessons.Lesson) bool { return o.ID == l.ID })))
	}
	return p, kit.Ask(d).And(o)
}

// together returns the question about the proposals of a session: action a, with other
// one key away.
func together(fx desk.Desk, ls []lessons.Lesson, a, other curate.Action) (decide.Several, kit.Out) {
	c := desk.Chosen{Ls: slices.Clone(ls), Marked: true} // the copy identifies this question to its answer
	may, left := c.Apart(a)
	d := decide.NewSeveral(a, c, may, left)
	d.Of = " of this session"
	d.Instead, d.Other = other, func(leave kit.Marks) (decide.Several, kit.Out) {
		n, o := together(fx, ls, other, a)
		n.Out = leave
		return n, o
	}
	return d, kit.Run(decide.SetApart(fx, a, c))
}
