package review

import (
	"fmt"
	"slices"
	"time"

	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/decide"
	"learnings/tui/desk"
	"learnings/tui/kit"
)

// keysOf returns the keys of the current lane.
func keysOf(p Review) kit.Binds[Review] {
	switch p.Lane {
	case curate.Duplicates:
		return clusterKeys()
	case curate.Outdated:
		return outdatedKeys()
	}
	return Keys()
}

// Keys are the keys of the queue. Neither enter nor an arrow approves, and nothing
// deletes.
func Keys() kit.Binds[Review] {
	all := kit.Binds[Review]{}
	all = append(append(all, decideKeys()...), weighKeys()...)
	all = append(all, markKeys()...)
	all = append(all, lookKeys()...)
	all = append(append(all, laneKeys()...), orderKeys()...)
	all = append(all, decide.FieldKeys("change", anyMeant)...)
	all = append(all, kit.Motion(func(p Review) kit.List { return p.Cur }, Review.at)...)
	return all
}

func anyRow(p Review) string {
	switch {
	case p.load.sifting():
		return "still filtering" // the target of the key is not shown yet
	case len(p.Rows) > 0:
		return ""
	case p.filter.Query != "":
		return "no proposal matches the filter"
	case p.Waiting().All() > 0:
		return "this lane is empty; l turns to the next"
	}
	return "nothing waits"
}

// anyMeant is anyRow for actions on marked proposals.
func anyMeant(p Review) string {
	if len(p.marks.Of(p.Rows)) > 0 && !p.load.sifting() {
		return ""
	}
	return anyRow(p)
}

func decideKeys() kit.Binds[Review] {
	const g = "decide"
	return slices.Concat(kit.Binds[Review]{
		{Key: kit.Keyed("approve", "a", "approve", "a"), Group: g, Foot: "approve", Off: anyMeant, Do: func(p Review, _ string) (Review, kit.Out) { return p.approve() }},
		{Key: kit.Keyed("reject", "x", "reject, for the reason that the card shows", "x"), Group: g, Foot: "reject", Off: anyMeant, Do: func(p Review, _ string) (Review, kit.Out) {
			return decide.Ask(p, curate.Reject.Assuming(p.given.Usual), p.Meant())
		}},
		{Key: kit.Keyed("reject-why", "r", "reject for another reason; r r gives the last rejected one another", "r"), Group: g, Foot: "why",
			Off: kit.Unless(func(p Review) bool { return len(p.turned.Ls) > 0 }, "", anyMeant), Do: kit.Asks(func(p Review) kit.Out { return kit.Ask(whyNot(p)) })},
	}, decide.EditKeys(g, anyMeant), kit.Binds[Review]{
		{Key: kit.Keyed("take-wording", "b", "take the better wording that is offered", "b"), Group: g, Foot: "take offer",
			Off: desk.UnlessLesson(func(p Review, l lessons.Lesson) bool { return len(curate.Offered(l)) == 0 }, "no other wording is offered", anyRow), Do: func(p Review, _ string) (Review, kit.Out) {
				l, _ := p.Current()
				return p.Decide(curate.Take, desk.Only(l))
			}},
		{Key: kit.Keyed("ask-wording", "B", "have a model word it better", "B"), Group: g,
			Off: kit.Unless(func(p Review) bool { return p.Mine.Model == "" }, "no model is at hand", anyRow), Do: desk.OnLesson(func(p Review, l lessons.Lesson) kit.Out { return openReword(p.fx, l) })},
	})
}

// weighKeys set the confidence, snooze, and repeat the last decision.
func weighKeys() kit.Binds[Review] {
	const g = "decide"
	return slices.Concat(decide.RateKeys(g, "confidence", anyMeant), decide.ComputeKey(g, "let the confidence be computed again", anyMeant), kit.Binds[Review]{
		{Key: kit.Keyed("snooze", "s", "snooze until tomorrow", "s"), Group: g, Foot: "snooze", Off: anyMeant, Do: func(p Review, _ string) (Review, kit.Out) {
			return decide.Ask(p, curate.Snooze(p.fx.Now().Add(24*time.Hour)), p.Meant())
		}},
		{Key: kit.Keyed("repeat", ".", "the last decision again", "."), Group: g,
			Off: kit.Unless(func(p Review) bool { return p.last.IsZero() }, "nothing was decided yet", anyMeant), Do: func(p Review, _ string) (Review, kit.Out) {
				c := p.Meant()
				if p.last.Op == lessons.OpApprove && p.Lane == curate.Duplicates {
					return approveUnion(p)
				}
				if p.last.Op == lessons.OpApprove && !c.Marked {
					return p.approve() // it asks if it must
				}
				c.Again = true
				return decide.Ask(p, p.last, c)
			}},
	})
}

func markKeys() kit.Binds[Review] {
	const g = "mark"
	return kit.Binds[Review]{
		{Key: kit.Keyed("mark", "space", "mark and go on", "space"), Group: g, Foot: "mark", Off: anyRow, Do: func(p Review, _ string) (Review, kit.Out) {
			l := p.Rows[p.Cur.At]
			p.marks, p.anchor = p.marks.With(!p.marks[l.ID], l), -1
			return p.at(p.Cur.Move(1))
		}},
		{Key: kit.Keyed("mark-range", "v", "mark a range", "v"), Group: g, Off: anyRow, Do: func(p Review, _ string) (Review, kit.Out) {
			if p.anchor >= 0 {
				p.anchor = -1
				return p, kit.Say("%d marked", len(p.marks))
			}
			p.anchor = p.Cur.At
			p.marks = kit.Marks{}.With(true, p.Rows[p.Cur.At])
			return p, kit.Say("move to the other end of the range, v ends it")
		}},
		{Key: kit.Keyed("mark-all", "*", "mark all that are shown", "*"), Group: g, Off: anyRow, Do: func(p Review, _ string) (Review, kit.Out) {
			p.marks, p.anchor = kit.Marks{}.With(true, p.Rows...), -1
			return p, kit.Say("%d marked", len(p.Rows))
		}},
		{Key: kit.Keyed("of-session", "V", "reject or approve all that wait of its session, when they are listed", "V"), Group: g,
			Off: desk.UnlessLesson(func(p Review, l lessons.Lesson) bool { return sessionOf(l) == "" }, "no session taught it", anyRow), Do: desk.OnLesson(func(p Review, l lessons.Lesson) kit.Out { return kit.Run(waitingOf(p.fx, sessionOf(l))) })},
		{Key: kit.Keyed("clear", "esc", "clear marks, then the filter", "esc"), Group: g,
			Off: kit.Unless(func(p Review) bool { return len(p.marks) == 0 && p.filter.Query == "" }, "nothing is marked and no filter is set", nil), Do: func(p Review, _ string) (Review, kit.Out) {
				if len(p.marks) > 0 {
					p.Queue = p.unmarked()
					return p, kit.Out{}
				}
				return p.all()
			}},
	}
}

func lookKeys() kit.Binds[Review] {
	const g = "look"
	scroll := func(by int) func(Review, string) (Review, kit.Out) {
		return func(p Review, _ string) (Review, kit.Out) {
			_, h := p.cardSize()
			return p.scrollCard(by * max(h/2, 1)), kit.Out{}
		}
	}
	hit := func(by int) func(Review, string) (Review, kit.Out) {
		return func(p Review, _ string) (Review, kit.Out) {
			n := len(p.Rows)
			return p.at(p.Cur.To((p.Cur.At + by + n) % n))
		}
	}
	return slices.Concat(kit.Binds[Review]{
		{Key: kit.Keyed("filter", "/", "filter: words, kind:error conf:<0.6 project:x age:>30d", "/"), Group: g, Foot: "filter", Off: kit.Unless(Review.Unbegun, "nothing waits", nil), Do: func(p Review, _ string) (Review, kit.Out) {
			p.filter = p.filter.Open()
			return p.Resize(p.w, p.h), kit.Out{}
		}},
		{Key: kit.Keyed("next-hit previous-hit", "n N", "the next ten; with a filter the next, previous hit", "n", "N"), Group: g,
			Off: kit.Unless(func(p Review) bool { return p.filter.Query == "" && len(p.Rows) == p.counts()[p.Lane] }, "no filter is set, and all is shown", anyRow), Do: func(p Review, k string) (Review, kit.Out) {
				switch {
				case p.filter.Query == "":
					p.Queue = p.more()
					return p.look()
				case k == "N":
					return hit(-1)(p, k)
				}
				return hit(1)(p, k)
			}},
		{Key: kit.Keyed("evidence", "enter o", "open the evidence in the transcript", "enter", "o"), Group: g, Foot: "evidence",
			Off: desk.UnlessLesson(func(p Review, l lessons.Lesson) bool { return len(l.Evidence) == 0 }, "this lesson has no evidence", anyRow), Do: desk.OnLesson(func(p Review, l lessons.Lesson) kit.Out { return desk.Evidence(l) })},
		{Key: kit.Keyed("scroll-down", "J pgdn", "scroll the card down", "J", "pgdown"), Group: g, Off: anyRow, Do: scroll(1)},
		{Key: kit.Keyed("scroll-up", "pgup", "scroll the card up", "pgup"), Group: g, Off: anyRow, Do: scroll(-1)},
		{Key: kit.Keyed("around", "w", "the conversation beside the card, or not", "w"), Group: g,
			Off: kit.Unless(func(p Review) bool { return p.w < wider }, fmt.Sprintf("it takes a screen of %d columns", wider), nil), Do: func(p Review, _ string) (Review, kit.Out) {
				p.narrow = !p.narrow
				return p.Resize(p.w, p.h), kit.Out{}
			}},
	}, decide.SettleKeys(g, anyRow), kit.Binds[Review]{
		{Key: kit.Keyed("diff", "d", "word diff with the similar one", "d"), Group: g,
			Off: kit.Unless(func(p Review) bool { return len(p.Card.Similar) == 0 }, "nothing similar is known", anyRow), Do: kit.Sets(func(p *Review) { p.Card.Diff = !p.Card.Diff })},
	}, decide.ShowKeys(g, anyRow))
}

// whyNot asks why to reject the chosen proposals. A key turns to the proposal rejected
// just before, which is no longer in the list.
func whyNot(p Review) kit.Dialog {
	var of, last *decide.Why
	turn := p.fx.Keys.Of(desk.OnReview, "r")
	if turn == "q" || slices.ContainsFunc(decide.Becauses, func(b decide.Because) bool { return b.Key == turn }) {
		turn = "r" // keys of dialogs are fixed
	}
	if m := p.Meant(); len(m.Ls) > 0 {
		d := decide.NewWhy(m, p.Card.Similar, p.given)
		d.Turn = turn
		of = &d
	}
	if c := p.turned; len(c.Ls) > 0 && len(p.marks) == 0 {
		d := decide.NewWhy(c, nil, p.given)
		d.Last, d.Turn = c.Ls[0].ID, turn
		last = &d
	}
	switch {
	case of == nil:
		return *last
	case last != nil:
		of.Other = last
	}
	return *of
}
