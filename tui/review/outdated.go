package review

import (
	"context"
	"maps"
	"slices"

	tea "charm.land/bubbletea/v2"

	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/decide"
	"learnings/tui/kit"
)

// This file handles the lane of approved lessons that name what their project no longer
// has. A background job finds them, and a filter hides them.

// checks is the state of that job.
type checks struct {
	due  bool // it should run
	busy bool // it is running
	old  bool // the index lacks a recent decision
}

// checking starts the job if it is due and the queue is shown.
func checking(p Review, due bool) (Review, kit.Out) {
	p.checks.due = p.checks.due || due
	if p.fx.AllOutdated == nil || !p.checks.due || p.checks.busy || !p.load.done {
		return p, kit.Out{}
	}
	p.checks = checks{busy: true}
	fx := p.fx
	return p, kit.Run(fx.Shared.Comparing.In(func(ctx context.Context) tea.Msg {
		ls, err := fx.AllOutdated(ctx)
		return kit.Then[Review](func(p Review) (Review, kit.Out) { return outdatedFound(p, ls, err) })
	}))
}

// outdatedFound takes the result. The cursor stays on its lesson.
func outdatedFound(p Review, ls []lessons.Lesson, err error) (Review, kit.Out) {
	p.checks.busy = false
	if err != nil {
		p.checks.due = true
		return p, kit.Out{} // the sync reports problems of the index
	}
	q := p.Queue
	q.outdated, q.lists = ls, maps.Clone(q.lists)
	if !q.partial {
		q.lists[curate.Outdated] = slices.DeleteFunc(slices.Clone(ls), q.isAway)
	}
	p.Queue = p.stayed(q.filled())
	p, look := p.look()
	p, again := checking(p, false)
	return p, look.And(again)
}

func isActive(l lessons.Lesson) bool { return l.Status == lessons.Approved }

// outdatedKeys are the keys for a lesson that may be out of date.
func outdatedKeys() kit.Binds[Review] {
	const g = "decide"
	decide := func(a curate.Action) func(Review, string) (Review, kit.Out) {
		return func(p Review, _ string) (Review, kit.Out) { return decide.Ask(p, a, p.Meant()) }
	}
	own := kit.Binds[Review]{
		{Key: kit.Keyed("approve", "a", "still true, without what is gone: sessions are given it again", "a"), Group: g, Foot: "still true", Off: anyMeant, Do: decide(curate.Confirm)},
		{Key: kit.Keyed("archive", "z", "archive: keep it, but give it to no session", "z"), Group: g, Foot: "archive", Off: anyMeant, Do: decide(curate.Archive)},
	}
	own = append(own, pick(decideKeys(), "i", "e")...)
	own = append(own, pick(markKeys(), "space", "v", "*", "esc")...)
	own = append(own, pick(lookKeys(), "enter", "J", "pgup", "w", "H", "y", "Y")...)
	own = append(own, laneKeys()...)
	return append(own, kit.Motion(func(p Review) kit.List { return p.Cur }, Review.at)...)
}
