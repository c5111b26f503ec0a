package tui

import (
	"cmp"
	"fmt"
	"time"

	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/kit"
)

// keysOf are the keys of the lane that is shown.
func keysOf(p review) kit.Binds[review] {
	switch p.lane {
	case curate.Duplicates:
		return clusterKeys()
	case curate.Outdated:
		return outdatedKeys()
	}
	return reviewKeys()
}

// reviewKeys are what can be done in the queue. Neither enter nor an arrow approves,
// and nothing deletes.
func reviewKeys() kit.Binds[review] {
	all := kit.Binds[review]{}
	all = append(append(all, decideKeys()...), weighKeys()...)
	all = append(all, markKeys()...)
	all = append(all, lookKeys()...)
	all = append(append(all, laneKeys()...), orderKeys()...)
	all = append(all, fieldKeys("change", func(p review) effects { return p.fx }, anyMeant)...)
	all = append(all, kit.Motion(func(p review) kit.List { return p.cur }, review.at)...)
	return all
}

func anyRow(p review) string {
	switch {
	case p.load.sifting():
		return "still filtering" // what the key would be for is not shown yet
	case len(p.rows) > 0:
		return ""
	case p.filter.Query != "":
		return "no proposal matches the filter"
	case p.waiting().all() > 0:
		return "this lane is empty; l turns to the next"
	}
	return "nothing waits"
}

// anyMeant is anyRow for what can be done to the marked proposals too.
func anyMeant(p review) string {
	if len(p.marks.Of(p.rows)) > 0 && !p.load.sifting() {
		return ""
	}
	return anyRow(p)
}

func decideKeys() kit.Binds[review] {
	const g = "decide"
	return kit.Binds[review]{
		{Binding: kit.Keyed("a", "approve", "a"), Group: g, Foot: "approve", Off: anyMeant, Do: func(p review, _ string) (review, kit.Out) { return p.approve() }},
		{Binding: kit.Keyed("x", "reject, for the reason that the card shows", "x"), Group: g, Foot: "reject", Off: anyMeant, Do: func(p review, _ string) (review, kit.Out) {
			return p.ask(curate.Reject.Assuming(p.given.Usual), p.meant())
		}},
		{Binding: kit.Keyed("r", "reject for another reason; r r gives the last rejected one another", "r"), Group: g, Foot: "why", Off: func(p review) string {
			if len(p.turned.ls) > 0 {
				return ""
			}
			return anyMeant(p)
		}, Do: func(p review, _ string) (review, kit.Out) {
			return p, kit.Ask(whyNot(p))
		}},
		{Binding: kit.Keyed("e", "edit in your editor", "e"), Group: g, Off: anyRow, Do: func(p review, _ string) (review, kit.Out) {
			l, _ := p.current()
			return p, kit.Run(p.fx.draft(onReview, l))
		}},
		{Binding: kit.Keyed("m", "merge with the similar one, or all marked", "m"), Group: g, Foot: "merge", Off: func(p review) string {
			if p.meant().together(p.card.Lesson, p.card.Similar) == nil {
				return "mark two or more; nothing similar is known"
			}
			return anyMeant(p)
		}, Do: func(p review, _ string) (review, kit.Out) {
			return p, newMerge(p.fx, p.meant().together(p.card.Lesson, p.card.Similar)).open()
		}},
		{Binding: kit.Keyed("i", "edit its fields beside the evidence", "i"), Group: g, Foot: "edit", Off: func(p review) string { return cmp.Or(oneOf(p.marks.Of(p.rows)), anyRow(p)) }, Do: func(p review, _ string) (review, kit.Out) {
			l, _ := p.current()
			return p, openEditor(p.fx, onReview, l)
		}},
		{Binding: kit.Keyed("b", "take the better wording that is offered", "b"), Group: g, Foot: "take offer", Off: func(p review) string {
			if l, ok := p.current(); ok && len(curate.Offered(l)) == 0 {
				return "no other wording is offered"
			}
			return anyRow(p)
		}, Do: func(p review, _ string) (review, kit.Out) {
			l, _ := p.current()
			return p.decide(curate.Take, only(l))
		}},
		{Binding: kit.Keyed("B", "have a model word it better", "B"), Group: g, Off: func(p review) string {
			if p.model == "" {
				return "no model is at hand"
			}
			return anyRow(p)
		}, Do: func(p review, _ string) (review, kit.Out) {
			l, _ := p.current()
			return p, kit.Ask(rewording{fx: p.fx, lesson: l}).And(kit.Run(p.fx.planReword(l)))
		}},
	}
}

// weighKeys set how sure a lesson is, put it off, and do the last again.
func weighKeys() kit.Binds[review] {
	const g = "decide"
	return kit.Binds[review]{
		{Binding: kit.Keyed("1-9 0", "set confidence 0.1 to 0.9, 1.0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "0"), Group: g, Foot: "confidence", Off: anyMeant,
			Do: func(p review, k string) (review, kit.Out) {
				return p.ask(digit(k), p.meant())
			}},
		{Binding: kit.Keyed("+ -", "confidence up, down by 0.05", "+", "-"), Group: g, Off: anyRow, Do: func(p review, k string) (review, kit.Out) {
			l, _ := p.current()
			return p.decide(nudged(l, k), only(l))
		}},
		{Binding: kit.Keyed("=", "let the confidence be computed again", "="), Group: g, Off: func(p review) string {
			if l, ok := p.current(); ok && !l.Proof.Own && len(p.marks) == 0 {
				return "it is computed"
			}
			return anyMeant(p)
		}, Do: func(p review, _ string) (review, kit.Out) { return p.ask(curate.Unrate, p.meant()) }},
		{Binding: kit.Keyed("s", "snooze until tomorrow", "s"), Group: g, Foot: "snooze", Off: anyMeant, Do: func(p review, _ string) (review, kit.Out) {
			return p.ask(curate.Snooze(p.fx.Now().Add(24*time.Hour)), p.meant())
		}},
		{Binding: kit.Keyed(".", "the last decision again", "."), Group: g, Off: func(p review) string {
			if p.last.IsZero() {
				return "nothing was decided yet"
			}
			return anyMeant(p)
		}, Do: func(p review, _ string) (review, kit.Out) {
			c := p.meant()
			if p.last.Op == lessons.OpApprove && p.lane == curate.Duplicates {
				return approveUnion(p)
			}
			if p.last.Op == lessons.OpApprove && !c.marked {
				return p.approve() // which asks where it must
			}
			c.again = true
			return p.ask(p.last, c)
		}},
	}
}

func markKeys() kit.Binds[review] {
	const g = "mark"
	return kit.Binds[review]{
		{Binding: kit.Keyed("space", "mark and go on", "space"), Group: g, Foot: "mark", Off: anyRow, Do: func(p review, _ string) (review, kit.Out) {
			l := p.rows[p.cur.At]
			p.marks, p.anchor = p.marks.With(!p.marks[l.ID], l), -1
			return p.at(p.cur.Move(1))
		}},
		{Binding: kit.Keyed("v", "mark a range", "v"), Group: g, Off: anyRow, Do: func(p review, _ string) (review, kit.Out) {
			if p.anchor >= 0 {
				p.anchor = -1
				return p, kit.Say("%d marked", len(p.marks))
			}
			p.anchor = p.cur.At
			p.marks = kit.Marks{}.With(true, p.rows[p.cur.At])
			return p, kit.Say("move to the other end of the range, v ends it")
		}},
		{Binding: kit.Keyed("*", "mark all that are shown", "*"), Group: g, Off: anyRow, Do: func(p review, _ string) (review, kit.Out) {
			p.marks, p.anchor = kit.Marks{}.With(true, p.rows...), -1
			return p, kit.Say("%d marked", len(p.rows))
		}},
		{Binding: kit.Keyed("V", "reject or approve all that wait of its session, when they are listed", "V"), Group: g, Off: func(p review) string {
			if l, ok := p.current(); ok && sessionOf(l) == "" {
				return "no session taught it"
			}
			return anyRow(p)
		}, Do: func(p review, _ string) (review, kit.Out) {
			l, _ := p.current()
			return p, kit.Run(waitingOf(p.fx, sessionOf(l)))
		}},
		{Binding: kit.Keyed("esc", "clear marks, then the filter", "esc"), Group: g, Off: func(p review) string {
			if len(p.marks) == 0 && p.filter.Query == "" {
				return "nothing is marked and no filter is set"
			}
			return ""
		}, Do: func(p review, _ string) (review, kit.Out) {
			if len(p.marks) > 0 {
				p.queue = p.unmarked()
				return p, kit.Out{}
			}
			return p.all()
		}},
	}
}

func lookKeys() kit.Binds[review] {
	const g = "look"
	scroll := func(by int) func(review, string) (review, kit.Out) {
		return func(p review, _ string) (review, kit.Out) {
			_, h := p.cardSize()
			return p.scrollCard(by * max(h/2, 1)), kit.Out{}
		}
	}
	hit := func(by int) func(review, string) (review, kit.Out) {
		return func(p review, _ string) (review, kit.Out) {
			n := len(p.rows)
			return p.at(p.cur.To((p.cur.At + by + n) % n))
		}
	}
	return append(kit.Binds[review]{
		{Binding: kit.Keyed("/", "filter: words, kind:error conf:<0.6 project:x age:>30d", "/"), Group: g, Foot: "filter", Do: func(p review, _ string) (review, kit.Out) {
			p.filter = p.filter.Open()
			return p.resize(p.w, p.h), kit.Out{}
		}},
		{Binding: kit.Keyed("n N", "next, previous hit", "n", "N"), Group: g, Off: func(p review) string {
			if p.filter.Query == "" {
				return "no filter is set"
			}
			return anyRow(p)
		}, Do: func(p review, k string) (review, kit.Out) {
			if k == "N" {
				return hit(-1)(p, k)
			}
			return hit(1)(p, k)
		}},
		{Binding: kit.Keyed("enter o", "open the evidence in the transcript", "enter", "o"), Group: g, Foot: "evidence", Off: func(p review) string {
			if l, ok := p.current(); ok && len(l.Evidence) == 0 {
				return "this lesson has no evidence"
			}
			return anyRow(p)
		}, Do: func(p review, _ string) (review, kit.Out) {
			l, _ := p.current()
			return p, readLesson(p.fx, l)
		}},
		{Binding: kit.Keyed("J pgdn", "scroll the card down", "J", "pgdown"), Group: g, Off: anyRow, Do: scroll(1)},
		{Binding: kit.Keyed("pgup", "scroll the card up", "pgup"), Group: g, Off: anyRow, Do: scroll(-1)},
		{Binding: kit.Keyed("w", "the conversation beside the card, or not", "w"), Group: g, Off: func(p review) string {
			if p.w < wider {
				return fmt.Sprintf("it takes a screen of %d columns", wider)
			}
			return ""
		}, Do: func(p review, _ string) (review, kit.Out) {
			p.narrow = !p.narrow
			return p.resize(p.w, p.h), kit.Out{}
		}},
		{Binding: kit.Keyed("c", "settle what it contradicts", "c"), Group: g, Off: uncontradicted, Do: func(p review, _ string) (review, kit.Out) {
			return p, kit.Run(p.fx.confront(onReview, p.card.Lesson.ID, p.card.Against[0].Lesson.ID, nil))
		}},
		{Binding: kit.Keyed("C", "all contradictions", "C"), Group: g, Do: func(p review, _ string) (review, kit.Out) {
			return p, kit.Ask(newContradictions(p.fx))
		}},
		{Binding: kit.Keyed("d", "word diff with the similar one", "d"), Group: g, Off: func(p review) string {
			if len(p.card.Similar) == 0 {
				return "nothing similar is known"
			}
			return anyRow(p)
		}, Do: func(p review, _ string) (review, kit.Out) {
			p.card.Diff = !p.card.Diff
			return p, kit.Out{}
		}},
	}, lessonKeys(g, anyRow, func(p review, l lessons.Lesson) kit.Out { return openHistory(p.fx, l) })...)
}

// uncontradicted says why there is no contradiction to settle.
func uncontradicted(p review) string {
	switch why := anyRow(p); {
	case why != "":
		return why
	case !p.card.Whole:
		return "still looking"
	case len(p.card.Against) == 0:
		return "it contradicts nothing that is known"
	}
	return ""
}
