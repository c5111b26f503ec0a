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

// This file decides at once on all proposals that one session has brought, when they are listed.

// mostOfSession is how many proposals of a session are listed.
const mostOfSession = 500

// sessionOf is the session that taught a lesson first; "" for none.
func sessionOf(l lessons.Lesson) string {
	for _, e := range l.Evidence {
		if e.Session != "" {
			return e.Session
		}
	}
	return ""
}

// waitingOf looks for the proposals of a session.
func waitingOf(fx desk.Desk, session string) kit.Job {
	return func(ctx context.Context) tea.Msg {
		q := curate.Waiting(index.Query{Limit: mostOfSession, Now: fx.Now()}).Where(index.Session, session)
		page, err := fx.Look.Search(ctx, q)
		return kit.Then[Review](func(p Review) (Review, kit.Out) { return listed(p, page.Shown(), err) })
	}
}

// listed asks what becomes of the proposals of a session: all are rejected, or approved, but
// those that the person leaves out.
func listed(p Review, ls []lessons.Lesson, err error) (Review, kit.Out) {
	if err != nil {
		return p, kit.Warn("the proposals of the session could not be read: %v", err)
	}
	now := p.fx.Now()
	ls = slices.DeleteFunc(ls, func(l lessons.Lesson) bool {
		return p.isAway(l) || l.Status != lessons.Pending || l.Snoozed(now)
	})
	if len(ls) == 0 {
		return p, kit.Say("nothing else of this session waits")
	}
	slices.SortStableFunc(ls, func(a, b lessons.Lesson) int { // as the queue has them, the lane in sight first
		rank := func(l lessons.Lesson) int {
			if lane := p.laneOf(&l); lane != p.Lane {
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

// together is the question about what one session has brought: whether to do one thing with
// all of it, and one key away another.
func together(fx desk.Desk, ls []lessons.Lesson, a, other curate.Action) (decide.Several, kit.Out) {
	c := desk.Chosen{Ls: slices.Clone(ls), Marked: true} // of its own, by which the answer of apart is known
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
